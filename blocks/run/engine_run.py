"""One run of a plan by the engine: in pieces, so that progress, Ctrl-C and checkpoints have their turn.

`simulate` runs one from start to end; a `Simulator` lets others go on with one, as far as they want.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.compiled.choice import Choosing
from blocks.errors import SimulationError
from blocks.model.python_block import Runner
from blocks.plan import Plan
from blocks.plan.settings import SCIPY
from blocks.problems import Problem
from blocks.run.checkpoint import Checkpoint
from blocks.run.failure import problem_of
from blocks.run.pieces import Pieces
from blocks.run.recording import Recording
from blocks.run.result import Ran, Result
from blocks.run.timing import Timing
from cython_kernels import engine as native

Progress = Callable[[float, float], None]


class RunStopped(SimulationError):
    """A run that had to stop before its end. `result` holds what was recorded until then."""

    code = "stopped"

    def __init__(self, message: str, result: Any, why: Problem | None = None) -> None:
        super().__init__(message)
        if why is not None:
            self._problems = (replace(why, recorded=len(result)),)
        self.result = result
        self.timing: Timing | None = None
        """How late a run in real time was until then."""


class RunInterrupted(RunStopped):
    """A run that the user interrupted."""

    code = "interrupted"


class EngineRun:
    """One run in progress. choosing: by the engine or by compiled code; a choice that is open may change on the way."""

    def __init__(
        self,
        plan: Plan,
        engine: native.Engine,
        recording: Recording,
        checkpoint: str | PathLike[str] | None = None,
        interval: float = 30.0,
        choosing: Choosing | None = None,
    ) -> None:
        self.plan, self.engine, self.recording = plan, engine, recording
        self.choosing = choosing
        self._compile()
        self.checkpoint, self.interval = checkpoint, interval
        self.wall = 0.0
        self.status = "end"
        self.runners = [engine.context(number) for number in plan.python_blocks]
        self.pieces = Pieces(1 if plan.python_blocks else 1000)

    def begin(self) -> None:
        """Go to the initial state. Raises RunStopped if it cannot be had."""
        status = self.engine.start(self.plan.settings.start)
        try:
            hear_interrupt(self.runners)
        except KeyboardInterrupt:
            raise self.interrupted() from None
        if status != 0:
            raise self.failed(status)
        self.engine.visit()

    def resume(self, saved: Checkpoint, inputs: Mapping[str, ArrayLike]) -> None:
        saved.check(self.plan, self.recording)
        try:
            self.engine.restore(saved.state)
        except native.EngineError as problem:
            raise SimulationError(f"{saved.path}: {problem}") from None
        for name, value in inputs.items():
            before = self.engine.values[self.plan.inputs[name].slice]
            if not np.array_equal(np.broadcast_to(np.asarray(value, dtype=np.float64).ravel(), before.shape), before):
                raise SimulationError(
                    f"{saved.path} was written with input '{name}' at {_short(before)}, not {value!r}; "
                    f"resume it with what it was started with"
                )
        saved.restore_blocks(self.plan, self.engine)
        self.recording.attach(self.engine, saved.time, saved.data)
        self.engine.visit()
        self.wall = saved.wall

    def _compile(self) -> None:
        """Go on by compiled code if that was chosen: it goes on with what the engine has in memory."""
        if self.choosing is not None and self.choosing.code is not None and self.engine.compiled is None:
            self.engine.run_compiled(self.choosing.code)

    def _choose(self, first: float, spent: float) -> float:
        """Weigh what the rest takes, by the time `spent` since the instant `first`, s; how long that took, s."""
        began = clock.perf_counter()
        if self.choosing is not None and self.choosing.choice is None and spent > 0.0 and self.engine.time > first:
            left = self.plan.settings.end - self.engine.time
            if left > 0.0:
                self.choosing.weigh(spent * left / (self.engine.time - first))
                self._compile()
        return clock.perf_counter() - began

    def go(self, report: Progress) -> Result:
        """To the end of the plan's settings, with checkpoints on the way."""
        began = clock.perf_counter()
        before, first = self.wall, self.engine.time
        saved = began
        try:
            for _ in self.proceed(self.plan.settings.end, closed=True):
                now = clock.perf_counter()
                self.wall = before + now - began
                self._report(report)
                hear_interrupt(self.runners)
                began += self._choose(first, now - began)  # the run waits for what is compiled, and does not go on
                if self.checkpoint is not None and now - saved > self.interval:
                    if problem := self.save():
                        raise RunStopped(problem, self.result("failed", problem))
                    saved = clock.perf_counter()
        except KeyboardInterrupt:
            self.wall = before + clock.perf_counter() - began
            raise self.interrupted(self.save() if self.checkpoint is not None else "") from None
        problem = self.save() if self.checkpoint is not None else ""
        self.recording.finish(self.engine)
        if problem:
            raise RunStopped(problem, self.result(self.status, problem))
        return self.result(self.status)

    def proceed(self, until: float, closed: bool = False) -> Iterator[None]:
        """Go on to an instant, piece by piece. Raises RunStopped if the run has to stop on the way.

        closed: the run ends there. If it does not, what is recorded of `until` is left to what goes on from there.
        """
        for status in self._statuses(until, closed):
            if status not in (0, 1, 2):
                yield
                raise self.failed(status)
            self.status = native.STATUSES[status]
            yield

    def _statuses(self, until: float, closed: bool) -> Iterator[int]:
        if self.plan.settings.solver in SCIPY:
            from blocks.run.scipy_solvers import advance

            yield from advance(self.plan, self.engine, self.recording)
            return
        self.engine.come_back()
        for stage in self.recording.stages(self.engine, until):
            for status in self.pieces.of(partial(self._go_on, stage, closed)):
                yield status
            if stage >= until or native.STATUSES[status] != "end":
                return
            self.engine.come_back()

    def _go_on(self, until: float, closed: bool, steps: int) -> int:
        return self.engine.proceed(until, steps, closed)

    def failed(self, status: int) -> RunStopped:
        """Why the engine cannot go on."""
        why = problem_of(self.plan, self.engine, status)
        return RunStopped(why.text, self.result("failed", why.text), why)

    def interrupted(self, problem: str = "") -> RunInterrupted:
        """What a run says that the user has interrupted, with a problem on top of that."""
        end = self.plan.settings.end
        whole = f" of {end:g} s" if end < float("inf") else ""
        message = f"interrupted at t = {self.engine.time:g} s{whole}" + (f"; {problem}" if problem else "")
        return RunInterrupted(message, self.result("interrupted", message))

    def _report(self, report: Progress) -> None:
        """Call the progress function; if it fails, what was recorded is not lost."""
        try:
            report(self.engine.time, self.plan.settings.end)
        except (Exception, SystemExit) as problem:  # whatever the user's function raises
            message = f"the progress function failed: {type(problem).__name__}: {problem}"
            raise RunStopped(message, self.result("failed", message)) from problem

    def save(self) -> str:
        """Write the checkpoint; why that is not possible, if so."""
        assert self.checkpoint is not None
        try:
            Checkpoint.of(self.plan, self.engine, self.recording, self.wall).save(self.checkpoint)
        except SimulationError as problem:
            return str(problem)
        return ""

    def result(self, status: str, message: str = "") -> Result:
        result = Result.of_run(self.plan, self.engine, self.recording, status, message, self.wall)
        inputs = {name: self.engine.values[place.slice].copy() for name, place in self.plan.inputs.items()}
        result.ran = Ran(self.plan, inputs, self.recording.every)
        if self.choosing is not None:
            result.attributes["compiled"] = str(self.choosing.decided("the run was over before it was weighed"))
        return result


def hear_interrupt(runners: Sequence[Runner]) -> None:
    """Raise a KeyboardInterrupt that came while a block written in Python was at work."""
    if any(runner.interrupted for runner in runners):
        for runner in runners:
            runner.interrupted = False
        raise KeyboardInterrupt


def _short(values: NDArray[np.float64]) -> str:
    return f"{values[0]:g}" if values.size == 1 else np.array2string(values, separator=", ", threshold=8)


class reporting:
    """A progress bar, the user's function, or nothing."""

    def __init__(self, progress: bool | Progress, plan: Plan) -> None:
        self.progress = progress
        self.plan = plan
        self.bar: Any = None

    def __enter__(self) -> Progress:
        if callable(self.progress):
            return self.progress
        if not self.progress:
            return lambda t, end: None
        from blocks.run.progress import SimulationBar

        self.bar = SimulationBar(self.plan.settings.start, self.plan.settings.end)
        return self.bar.__enter__().update  # type: ignore[no-any-return]

    def __exit__(self, *problem: object) -> None:
        if self.bar is not None:
            self.bar.__exit__(*problem)
