"""FMI 2.0, as an instance is called."""

from __future__ import annotations

import math

from fmpy.fmi2 import fmi2DoStepStatus, fmi2LastSuccessfulTime, fmi2Terminated

from fmu.foreign.log import Log
from fmu.foreign.versions.dialect import Settled
from fmu.foreign.versions.pending import PendingSteps


class Fmi2(PendingSteps):
    """FMI 2.0.4."""

    version = 2
    step_function = "fmi2DoStep"

    def instantiate(self, log: Log) -> None:
        """Make an instance."""
        self.fmu.instantiate(callbacks=log.fmi2_callbacks(), loggingOn=True)

    def set_up(self, t: float, tolerance: float | None) -> None:
        """Set up the experiment."""
        self.fmu.setupExperiment(tolerance=tolerance, startTime=t)

    def enter_initialization(self, t: float, tolerance: float | None) -> None:
        """Enter initialization mode."""
        self.fmu.enterInitializationMode()

    def free(self) -> None:
        """Free the instance."""
        self.fmu.fmi2FreeInstance(self.fmu.component)

    def step_status(self) -> int:
        """The status of a step that goes on."""
        return int(self.fmu.getStatus(fmi2DoStepStatus))

    def reached(self) -> float:
        """How far a discarded step got, s."""
        return float(self.fmu.getRealStatus(fmi2LastSuccessfulTime))

    def terminated(self) -> bool:
        """Whether the FMU wants to end."""
        return bool(self.fmu.getBooleanStatus(fmi2Terminated))

    def update_discrete_states(self) -> Settled:
        """Iterate an event once."""
        again, terminate, _, _, defined, instant = self.fmu.newDiscreteStates()
        return Settled(again, terminate, instant if defined else math.inf)
