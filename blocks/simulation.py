"""Run a diagram: `simulate`. Solver choice, recording, inputs, progress, stop conditions, checkpoints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from blocks.block import Block
from blocks.compiled.choice import Asked, Choosing, asked
from blocks.diagram import Diagram
from blocks.errors import SimulationError
from blocks.plan import Plan
from blocks.prepared import prepare, with_scopes
from blocks.run.asked import names_of, wanted_outputs
from blocks.run.checkpoint import Checkpoint
from blocks.run.engine_run import EngineRun, Progress, RunInterrupted, RunStopped, reporting
from blocks.run.inputs import input_numbers
from blocks.run.recording import Recording
from blocks.run.result import Result
from cython_kernels import engine as native

__all__ = ["Progress", "RunInterrupted", "RunStopped", "simulate"]


def simulate(
    component: Diagram | Block,
    end: float | str | None = None,
    *,
    solver: str = "rk4",
    step: float | str = 0.01,
    start: float | str = 0.0,
    inputs: Mapping[str, Any] | None = None,
    record: str | Iterable[str] | None = None,
    every: int = 1,
    stop: str | None = None,
    relative_tolerance: float = 1e-6,
    absolute_tolerance: float = 1e-8,
    max_step: float | str = 0.0,
    progress: bool | Progress = False,
    checkpoint: str | PathLike[str] | None = None,
    checkpoint_interval: float = 30.0,
    resume: str | PathLike[str] | None = None,
    compiled: Asked = False,
) -> Result:
    """Run a diagram (or one block) from `start` to `end` and return what was recorded.

    solver: "euler", "heun", "rk4" (fixed `step`), "dopri5" (adaptive, recorded on a grid of `step`), or SciPy's
        "LSODA", "BDF", "Radau" over the compiled right-hand side.
    inputs: for each input of the diagram a constant, or (times, values), interpolated linearly, or (times, values,
        "hold"), each value held until the next time. Where elements go different ways, a list with a word for each.
    record: names of outputs ("vessel.eta"; "*" and "?" as in file names); None records all outputs.
    every: keep every n-th point of the grid.
    stop: an output; the run ends when it exceeds 0.5.
    progress: True for a progress bar, or a function of (time, end).
    checkpoint: a file that is rewritten every `checkpoint_interval` seconds of wall time and at the end;
        `resume` continues from one. The continued run is bit-identical to an uninterrupted one, except with SciPy's
        solvers, which start anew, and with "dopri5" where a finished run goes on to a later end: there it is the same
        within the tolerance.
    compiled: True compiles the plan for this machine first, which takes seconds the first time and is kept; "auto" does
        so where the run is long enough. The numbers are the same; `result.compiled` says what was chosen, and why.

    Raises WiringError or SimulationError if the run cannot start, and RunStopped, whose `result` holds what was
    recorded, if it has to stop: a value that is not finite, a fault that a block reports, or Ctrl-C.
    """
    if not isinstance(component, Diagram | Block):
        own = "; it runs by its own method, run()" if hasattr(component, "run") else ""
        raise SimulationError(f"simulate: expected a Diagram or a Block, got {type(component).__name__}{own}")
    limits: dict[str, Any] = {} if end is None else {"end": end}
    names = with_scopes(component, names_of("record", record))
    prepared = prepare(
        component,
        inputs,
        wanted=wanted_outputs(names),
        stop=stop,
        solver=solver,
        step=step,
        start=start,
        relative_tolerance=relative_tolerance,
        absolute_tolerance=absolute_tolerance,
        max_step=max_step,
        **limits,
    )
    plan, constants = prepared.plan, prepared.constants
    if not np.isfinite(plan.settings.end):
        raise SimulationError("say when the run ends, a finite time: simulate(diagram, end=…), or --end")
    wanted = asked(compiled)
    engine = plan.engine()
    try:
        _give(engine, plan, constants)
        recording = Recording(plan, names, every)
        run = EngineRun(
            plan, engine, recording, checkpoint, checkpoint_interval, Choosing(plan, wanted) if wanted else None
        )
        if resume is not None:
            run.resume(Checkpoint.load(resume), constants)
        else:
            recording.attach(engine)
            run.begin()
        if checkpoint is not None and (problem := run.save()):
            raise SimulationError(problem)
        with reporting(progress, plan) as report:
            return run.go(report)
    finally:
        plan.close(engine)


def _give(engine: native.Engine, plan: Plan, constants: Mapping[str, ArrayLike]) -> None:
    for name, value in constants.items():
        engine.values[plan.inputs[name].slice] = input_numbers(plan.inputs[name], value)
    engine.inputs_changed()
