"""One run of a plan by the engine: in pieces, so that progress, Ctrl-C and checkpoints have their turn."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.errors import SimulationError
from blocks.model.python_block import Runner
from blocks.plan import Plan
from blocks.plan.settings import SCIPY
from blocks.run.checkpoint import Checkpoint
from blocks.run.failure import explain
from blocks.run.pieces import PAUSED, next_piece
from blocks.run.recording import Recording
from blocks.run.result import Result
from cython_kernels import engine as native

Progress = Callable[[float, float], None]


class RunStopped(SimulationError):
    """A run that had to stop before its end. `result` holds what was recorded until then."""

    def __init__(self, message: str, result: Any) -> None:
        super().__init__(message)
        self.result = result


class RunInterrupted(RunStopped):
    """A run that the user interrupted."""


class EngineRun:
    """One run in progress."""

    def __init__(
        self,
        plan: Plan,
        engine: native.Engine,
        recording: Recording,
        checkpoint: str | PathLike[str] | None,
        interval: float,
    ) -> None:
        self.plan, self.engine, self.recording = plan, engine, recording
        self.checkpoint, self.interval = checkpoint, interval
        self.wall = 0.0
        self.status = "end"

    def begin(self) -> None:
        status = self.engine.start(self.plan.settings.start)
        try:
            self._hear_interrupt()
        except KeyboardInterrupt:
            message = f"interrupted at t = {self.engine.time:g} s of {self.plan.settings.end:g} s"
            raise RunInterrupted(message, self.result("interrupted", message)) from None
        if status != 0:
            message = explain(self.plan, self.engine, status)
            raise RunStopped(message, self.result("failed", message))

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
        self.wall = saved.wall

    def go(self, report: Progress) -> Result:
        began = clock.perf_counter()
        before = self.wall
        saved = began
        try:
            for status in self._advance():
                now = clock.perf_counter()
                self.wall = before + now - began
                self._report(report)
                self._hear_interrupt()
                if self.checkpoint is not None and now - saved > self.interval:
                    if problem := self.save():
                        raise RunStopped(problem, self.result("failed", problem))
                    saved = clock.perf_counter()
                if status not in (0, 1, 2):
                    message = explain(self.plan, self.engine, status)
                    raise RunStopped(message, self.result("failed", message))
                self.status = native.STATUSES[status]
        except KeyboardInterrupt:
            self.wall = before + clock.perf_counter() - began
            message = f"interrupted at t = {self.engine.time:g} s of {self.plan.settings.end:g} s"
            if self.checkpoint is not None and (problem := self.save()):
                message += f"; {problem}"
            raise RunInterrupted(message, self.result("interrupted", message)) from None
        problem = self.save() if self.checkpoint is not None else ""
        self.recording.finish(self.engine)
        if problem:
            raise RunStopped(problem, self.result(self.status, problem))
        return self.result(self.status)

    def _report(self, report: Progress) -> None:
        """Call the progress function; if it fails, what was recorded is not lost."""
        try:
            report(self.engine.time, self.plan.settings.end)
        except (Exception, SystemExit) as problem:  # whatever the user's function raises
            message = f"the progress function failed: {type(problem).__name__}: {problem}"
            raise RunStopped(message, self.result("failed", message)) from problem

    def _hear_interrupt(self) -> None:
        """Raise a KeyboardInterrupt that came while a block written in Python was at work."""
        hear_interrupt([self.engine.context(number) for number in self.plan.python_blocks])

    def _advance(self) -> Iterable[int]:
        """Go on in pieces of about a tenth of a second, so that progress and Ctrl-C are heard."""
        end = self.plan.settings.end
        if self.plan.settings.solver in SCIPY:
            from blocks.run.scipy_solvers import advance

            yield from advance(self.plan, self.engine, self.recording)
            return
        steps = 1 if self.plan.python_blocks else 1000
        while True:
            began = clock.perf_counter()
            status = self.engine.advance(end, steps)
            yield status
            if status != PAUSED:
                return
            spent = clock.perf_counter() - began
            steps = next_piece(steps, spent)

    def save(self) -> str:
        """Write the checkpoint; why that is not possible, if so."""
        assert self.checkpoint is not None
        try:
            Checkpoint.of(self.plan, self.engine, self.recording, self.wall).save(self.checkpoint)
        except SimulationError as problem:
            return str(problem)
        return ""

    def result(self, status: str, message: str = "") -> Result:
        return Result.of_run(self.plan, self.engine, self.recording, status, message, self.wall)


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
