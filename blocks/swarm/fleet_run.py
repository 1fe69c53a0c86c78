"""A fleet as a run in real time sees a simulator: all vehicles at one time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.plan import Plan
from blocks.swarm.result import SwarmResult


class FleetRun:
    """A `Fleet` with the time, the status and the advance of a `Simulator`; its arrays are those of the fleet.

    It goes on as long as a vehicle can. `fleet` is the fleet itself.
    """

    def __init__(self, fleet: Any) -> None:
        self.fleet = fleet
        self.plan: Plan = fleet.plan
        self.inputs = fleet.inputs
        self._time = float(fleet.time.max() if fleet.started else fleet.plan.settings.start)

    @property
    def time(self) -> float:
        """The instant that all which go on have reached, s."""
        return self._time

    @property
    def step(self) -> float:
        """The step of the solver, s."""
        return float(self.plan.settings.step)

    @property
    def running(self) -> bool:
        """Whether a vehicle can go on."""
        return not self.fleet.started or bool(self.fleet.running.any())

    @property
    def status(self) -> str:
        """ "ready", "running", or what became of all vehicles: "stopped" or "failed"."""
        if not self.fleet.started:
            return "ready"
        return "running" if self.running else "stopped" if self.fleet.stopped.any() else "failed"

    def start(self) -> None:
        """Let all begin."""
        self.fleet.start()

    def refresh(self) -> None:
        """Make the outputs those of the inputs that were set."""
        self.fleet.refresh()

    def advance(self, duration: None = None, *, until: float) -> float:
        """Let all that can go on to an instant."""
        self.fleet.advance(until=until)
        self._time = until
        return until

    def reset(self, **options: Any) -> None:
        """Let all begin anew."""
        self.fleet.reset(**options)
        self._time = self.plan.settings.start

    def result(self) -> SwarmResult:
        """What was recorded of each vehicle."""
        result: SwarmResult = self.fleet.result()
        return result

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        array: NDArray[np.float64] = self.fleet[name]
        return array

    def __setitem__(self, name: str, value: ArrayLike) -> None:
        self.fleet[name] = value
