"""FMI 3.0, as an instance is called."""

from __future__ import annotations

import math
from collections.abc import Callable
from ctypes import c_bool
from typing import Any

from fmu.foreign.log import Log
from fmu.foreign.versions.dialect import Dialect, Settled, StepEnd


class Fmi3(Dialect):
    """FMI 3.0.1."""

    version = 3
    boolean = c_bool
    enumeration = "Int64"
    counts_values = True

    def instantiate(self, log: Log) -> None:
        """Make an instance."""
        self.fmu.instantiate(loggingOn=True, logMessage=log.fmi3_function())

    def enter_initialization(self, t: float, tolerance: float | None) -> None:
        """Enter initialization mode."""
        self.fmu.enterInitializationMode(tolerance=tolerance, startTime=t)

    def free(self) -> None:
        """Free the instance."""
        self.fmu.fmi3FreeInstance(self.fmu.component)

    def step(self, t: float, h: float) -> StepEnd:
        """Go on by h."""
        _, terminate, early, reached = self.fmu.doStep(t, h)
        return StepEnd(terminate, early, reached)

    def update_discrete_states(self) -> Settled:
        """Iterate an event once."""
        again, terminate, _, _, defined, instant = self.fmu.updateDiscreteStates()
        return Settled(again, terminate, instant if defined else math.inf)

    @property
    def derivatives(self) -> Callable[[Any, int], Any]:
        """The function that writes them."""
        function: Callable[[Any, int], Any] = self.fmu.getContinuousStateDerivatives
        return function
