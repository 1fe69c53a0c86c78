"""One run of a swarm: steps in pieces, so that progress and Ctrl-C are heard, and the result at its end."""

from __future__ import annotations

import time as clock
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from blocks.plan import Plan
from blocks.run.engine_run import Progress, RunInterrupted, RunStopped, hear_interrupt
from blocks.run.failure import explain
from blocks.run.pieces import PAUSED, next_piece
from blocks.swarm.recording import SwarmRecording
from blocks.swarm.result import SwarmResult
from cython_kernels import engine as native
from cython_kernels import swarm as together


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
        self.plan, self.engines, self.recording, self.links, self.threads = plan, engines, recording, links, threads
        addresses = np.array([engine.addresses for engine in engines], dtype=np.uintp)
        self.plans, self.recorders, _ = np.ascontiguousarray(addresses.T)
        self.statuses = np.full(len(engines), PAUSED, dtype=np.intc)
        self.passing = np.empty(int(links[:, 4].sum()))
        self.began = clock.perf_counter()

    def go(self, report: Progress) -> SwarmResult:
        """To the end. Raises RunInterrupted and RunStopped, with what was recorded until then."""
        try:
            self._start()
            steps = 1 if self.plan.python_blocks else 100
            while np.any(self.statuses == PAUSED):
                before = clock.perf_counter()
                self._advance(steps)
                spent = clock.perf_counter() - before
                steps = next_piece(steps, spent)
                self._report(report)
                self._hear_interrupt()
        except KeyboardInterrupt:
            message = f"interrupted at t = {max(e.time for e in self.engines):g} s of {self.plan.settings.end:g} s"
            raise RunInterrupted(message, self.result()) from None
        return self.result()

    def _report(self, report: Progress) -> None:
        """Call the progress function; if it fails, what was recorded is not lost."""
        going = np.flatnonzero(self.statuses == PAUSED)
        end = self.plan.settings.end
        try:
            report(self.engines[going[0]].time if len(going) else end, end)
        except (Exception, SystemExit) as problem:  # whatever the user's function raises
            message = f"the progress function failed: {type(problem).__name__}: {problem}"
            raise RunStopped(message, self.result()) from problem

    def _hear_interrupt(self) -> None:
        numbers = self.plan.python_blocks
        hear_interrupt([engine.context(number) for number in numbers for engine in self.engines])

    def _start(self) -> None:
        for i, engine in enumerate(self.engines):
            status = engine.start(self.plan.settings.start)
            if status != 0:
                self.statuses[i] = status
        self._hear_interrupt()
        together.exchange(self.plans, self.links, self.passing)

    def _advance(self, steps: int) -> None:
        end, links = self.plan.settings.end, self.links
        if together.PARALLEL or self.threads == 1 or len(links):
            together.advance(self.plans, self.recorders, self.statuses, links, self.passing, end, steps, self.threads)
            return
        with ThreadPoolExecutor(self.threads) as pool:
            parts = [slice(i, None, self.threads) for i in range(self.threads)]
            for _ in pool.map(lambda part: self._advance_part(part, end, steps), parts):
                pass

    def _advance_part(self, part: slice, end: float, steps: int) -> None:
        """One thread's share, where the compiler knew no OpenMP."""
        statuses = self.statuses[part].copy()
        plans, recorders = self.plans[part].copy(), self.recorders[part].copy()
        together.advance(plans, recorders, statuses, self.links, self.passing, end, steps, 1)
        self.statuses[part] = statuses

    def result(self) -> SwarmResult:
        """What there is by now."""
        wall = clock.perf_counter() - self.began
        names = ["interrupted" if s == PAUSED else self._kind(int(s)) for s in self.statuses]
        messages = {
            i: explain(self.plan, self.engines[i], int(self.statuses[i]))
            for i, name in enumerate(names)
            if name == "failed"
        }
        return SwarmResult.of_run(self.plan, self.engines, self.recording, names, messages, wall, self.threads)

    @staticmethod
    def _kind(status: int) -> str:
        name = native.STATUSES[status]
        return name if name in ("end", "stopped") else "failed"
