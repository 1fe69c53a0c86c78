"""Swarms: many copies of one diagram that run at once, each with its own numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from blocks.block import Block
from blocks.compiled.choice import Asked
from blocks.diagram import Diagram
from blocks.errors import SimulationError
from blocks.run.engine_run import Progress, RunInterrupted, RunStopped, reporting
from blocks.run.pieces import PAUSED
from blocks.swarm.fleet import Fleet
from blocks.swarm.members import Members
from blocks.swarm.neighbours import Neighbours
from blocks.swarm.result import SwarmResult


class Swarm:
    """`count` copies of a diagram, or of a block, in one world.

    parameters: by dotted name ("vessel.initial_eta", "sea.seed") one value for each vehicle, along the first axis.
    inputs: for each input of the diagram a constant for all, or one for each along the first axis.
    neighbours: for inputs of the diagram an output and whose it is: {"leader": ("vessel.eta", [-1, 0, 1])} gives
        vehicle 1 the pose of vehicle 0, and vehicle 2 that of vehicle 1; -1 is nobody, and the input stays as it is
        given. A row of k numbers for each vehicle puts k outputs one after the other into the input.

    Without neighbours each vehicle runs ahead on its own. With them all go step by step, and see of each other what was
    at the beginning of the step, also where one of them divides it, at a sample or a jump. Numbers do not depend on how
    many threads there are.

    A `Fleet` is the same for those who want to touch the vehicles on the way: a swarm is one that goes to its end.

    Raises ParameterError, WiringError or SimulationError where something does not fit.
    """

    def __init__(
        self,
        diagram: Diagram | Block,
        count: int,
        *,
        parameters: Mapping[str, Any] | None = None,
        inputs: Mapping[str, ArrayLike] | None = None,
        neighbours: Neighbours | None = None,
    ) -> None:
        self._members = Members("swarm", diagram, count, parameters, inputs, neighbours)
        self.diagram, self.count = self._members.diagram, self._members.count
        self.parameters, self.inputs = self._members.parameters, self._members.inputs
        self.neighbours = self._members.neighbours

    def run(
        self,
        end: float | str,
        *,
        solver: str = "rk4",
        step: float | str = 0.01,
        start: float | str = 0.0,
        record: str | Iterable[str] | None = None,
        every: int = 1,
        summarise: str | Iterable[str] = (),
        stop: str | None = None,
        threads: int | None = None,
        relative_tolerance: float = 1e-6,
        absolute_tolerance: float = 1e-8,
        max_step: float | str = 0.0,
        progress: bool | Progress = False,
        compiled: Asked = False,
    ) -> SwarmResult:
        """Run all vehicles to `end` and return what was recorded, with a dimension `vehicle`.

        solver, step, start, record, every, stop, tolerances, progress and compiled: as in `simulate`, with "euler",
            "heun", "rk4" and "dopri5". record=[] records nothing.
        summarise: outputs of which mean, RMS, standard deviation, significant amplitude, least and greatest value are
            found on the way, at every step: memory for a long run of a large swarm.
        threads: how many work at once; None takes all that the process may use.

        A vehicle that has to stop, by a fault or a value that is not finite, keeps what was recorded, its reason stands
        in `messages`, and the others go on. Raises WiringError, ParameterError or SimulationError if the run cannot
        start, and RunInterrupted, with `result`, on Ctrl-C.
        """
        settings = {
            "solver": solver, "step": step, "start": start, "end": end, "relative_tolerance": relative_tolerance,
            "absolute_tolerance": absolute_tolerance, "max_step": max_step,
        }  # fmt: skip
        fleet = Fleet._of(self._members, settings, record, every, summarise, stop, threads, (), compiled)
        with fleet, reporting(progress, fleet.plan) as report:
            return _to_the_end(fleet, report)


def _to_the_end(fleet: Fleet, report: Progress) -> SwarmResult:
    """Run a fleet to the end of its settings. Raises RunInterrupted and RunStopped, with what was recorded by then."""
    run, end = fleet._run, fleet.plan.settings.end
    if not np.isfinite(end):
        raise SimulationError("say when the run ends, a finite time: swarm.run(end)")

    def tell() -> None:
        going = np.flatnonzero(run.statuses == PAUSED)
        try:
            report(run.engines[going[0]].time if len(going) else end, end)
        except (Exception, SystemExit) as problem:  # whatever the user's function raises
            message = f"the progress function failed: {type(problem).__name__}: {problem}"
            raise RunStopped(message, fleet._result()) from problem

    try:
        fleet.start()
        run.advance(-1.0, end, closed=True, after_piece=tell)
    except KeyboardInterrupt:
        message = f"interrupted at t = {max(e.time for e in run.engines):g} s of {end:g} s"
        raise RunInterrupted(message, fleet._result()) from None
    return fleet._result()
