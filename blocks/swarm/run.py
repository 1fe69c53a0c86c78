"""The vehicles of a swarm on their way: steps in pieces, so that progress and Ctrl-C are heard, and what came out."""

from __future__ import annotations

import itertools
import time as clock
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np
from numpy.typing import NDArray

from blocks.errors import SimulationError
from blocks.plan import Plan
from blocks.run.asked import NEAR
from blocks.run.engine_run import hear_interrupt
from blocks.run.failure import explain
from blocks.run.pieces import PAUSED, next_piece
from blocks.swarm.recording import SwarmRecording
from blocks.swarm.result import SwarmResult
from cython_kernels import engine as native
from cython_kernels import swarm as together

END, STOPPED = (next(n for n, name in native.STATUSES.items() if name == wanted) for wanted in ("end", "stopped"))


class SwarmRun:
    """One run of a swarm in progress."""

    def __init__(
        self,
        plan: Plan,
        engines: list[native.Engine],
        recording: SwarmRecording,
        links: NDArray[np.longlong],
        threads: int,
    ) -> None:
        self.plan, self.engines, self.recording, self.threads = plan, engines, recording, threads
        recording.attach(engines)
        for engine in engines:
            engine.visit()
        self.together = together.Engines(engines, links)
        self.statuses = self.together.statuses
        self.together.times[:] = plan.settings.start
        self.linked = len(links) > 0
        self.alone = self.linked or threads == 1 or together.PARALLEL
        """Whether the engines share the work among threads themselves."""
        bounds = np.linspace(0, len(engines), threads + 1).astype(int).tolist()
        self._parts = list(itertools.pairwise(bounds))
        self._pool: ThreadPoolExecutor | None = None
        self.runners = [engine.context(number) for number in plan.python_blocks for engine in engines]
        self.steps = 1 if plan.python_blocks else 100
        self.wall = 0.0

    def start(self, which: NDArray[np.integer]) -> None:
        """Let some begin, or begin anew."""
        for i in which:
            self.together.steps_side_by_side[i] = 0
            status = self.engines[i].start(self.plan.settings.start)
            self.statuses[i] = STOPPED if status == END and self.engines[i].stopped else status
        hear_interrupt(self.runners)
        if self.linked:
            self.together.pass_signals()
            self.together.renew()
        else:
            self.together.write()

    def advance(
        self, by: float, until: float, *, closed: bool = False, after_piece: Callable[[], None] | None = None
    ) -> None:
        """Let all that can go on do so: by `by` s, or if that is negative to `until`.

        closed: the run ends there; it is recorded. Raises KeyboardInterrupt, after which it can go on.
        """
        began = clock.perf_counter()
        settings, many = self.plan.settings, self.together
        ahead = by if by >= 0.0 else until - float(many.times.min())
        most = 1 << 40
        if self.linked and not closed and ahead <= NEAR * settings.step:
            many.renew()
            return
        if self.linked:
            most = max(1, int(np.ceil(ahead / settings.step - NEAR)))
            if not closed and abs(most * settings.step - ahead) > NEAR * settings.step:
                raise SimulationError(
                    f"vehicles that see each other go in whole steps of {settings.step:g} s, not {ahead:g} s"
                )
        many.begin(by, until, NEAR)
        try:
            if self.recording.grows:
                self.recording.make_room(self.engines, ahead)
            while most > 0 and many.going:
                before = clock.perf_counter()
                steps = min(self.steps, most)
                self._go(steps, closed)
                most -= steps
                if many.going:
                    self.steps = next_piece(self.steps, clock.perf_counter() - before)
                if after_piece is not None:
                    after_piece()
                if self.runners:
                    hear_interrupt(self.runners)
        finally:
            self.wall += clock.perf_counter() - began
            if not closed and many.going:
                self.statuses[self.statuses == PAUSED] = END  # interrupted: they stand there and can go on
                many.write()

    def _go(self, steps: int, closed: bool) -> None:
        if self.alone:
            self.together.go(steps, self.threads, closed)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads)
        parts = [self._pool.submit(self.together.go, steps, 1, closed, *part) for part in self._parts]
        try:
            for part in parts:
                part.result()
        finally:
            wait(parts)  # whatever interrupts this thread, none of the others is at work afterwards

    def close(self) -> None:
        """Let the threads go."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def message(self, i: int) -> str:
        """Why a vehicle failed."""
        return explain(self.plan, self.engines[i], int(self.statuses[i]))

    def result(self) -> SwarmResult:
        """What there is by now."""
        names = ["interrupted" if s == PAUSED else self._kind(int(s)) for s in self.statuses]
        messages = {i: self.message(i) for i, name in enumerate(names) if name == "failed"}
        return SwarmResult.of_run(self.plan, self.engines, self.recording, names, messages, self.wall, self.threads)

    @staticmethod
    def _kind(status: int) -> str:
        name = native.STATUSES[status]
        return name if name in ("end", "stopped") else "failed"
