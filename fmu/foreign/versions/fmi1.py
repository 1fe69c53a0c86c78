"""FMI 1.0, as an instance is called, for Model Exchange (2010) and for Co-Simulation (2010).

It has no modes: what later versions set in initialization mode is set before the function that initializes, and an
event is one function that is called.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from ctypes import POINTER, c_char_p, c_int, c_int8
from typing import Any

from fmpy.fmi1 import FMU1Model, FMU1Slave, fmi1DoStepStatus, fmi1LastSuccessfulTime, fmi1True

from fmu.foreign.log import Log
from fmu.foreign.versions.dialect import Dialect, Settled
from fmu.foreign.versions.pending import PendingSteps

_TEXT = ("fmi1GetVersion", "fmi1GetTypesPlatform", "fmi1GetModelTypesPlatform")


class _Typed:
    """FMPy's functions with the types that they have in C: it takes most statuses for texts, which ends in a crash."""

    _functions: dict[str, Any]

    def _loadFunctions(self) -> None:
        super()._loadFunctions()  # type: ignore[misc]
        for name, function in self._functions.items():
            if function.restype is c_char_p and name not in _TEXT:
                function.restype = c_int
            if name.endswith("etBoolean"):  # bytes as numbers
                function.argtypes = [*function.argtypes[:-1], POINTER(c_int8)]


class Slave(_Typed, FMU1Slave):  # type: ignore[misc]
    """Co-Simulation."""


class Model(_Typed, FMU1Model):  # type: ignore[misc]
    """Model Exchange."""


Slave.__name__, Model.__name__ = FMU1Slave.__name__, FMU1Model.__name__  # by which FMPy knows the version of FMI


class _Fmi1(Dialect):
    """What both interfaces have in common."""

    version = 1
    boolean = c_int8
    no_saving = "is of FMI 1.0, which cannot save the state of an FMU"

    def instantiate(self, log: Log) -> None:
        """Make an instance. Raises RuntimeError if there is none."""
        self.fmu.instantiate(functions=log.fmi1_callbacks(), loggingOn=True)
        if not self.fmu.component:
            raise RuntimeError("there is no instance")
        log.belongs_to(self.fmu.component)


class Fmi1CoSimulation(_Fmi1, PendingSteps):
    """FMI 1.0 for Co-Simulation: an FMU that stands alone. It cannot say that it wants to end."""

    step_function = "fmi1DoStep"

    def enter_initialization(self, t: float, tolerance: float | None) -> None:
        """Remember when; there is no place for a tolerance."""
        self.start = t

    def exit_initialization(self) -> None:
        """Initialize."""
        self.fmu.initialize(tStart=self.start)

    def free(self) -> None:
        """Free the instance."""
        self.fmu.fmi1FreeSlaveInstance(self.fmu.component)

    def step_status(self) -> int:
        """The status of a step that goes on."""
        return int(self.fmu.getStatus(fmi1DoStepStatus).value)

    def reached(self) -> float:
        """How far a discarded step got, s."""
        return float(self.fmu.getRealStatus(fmi1LastSuccessfulTime).value)


class Fmi1ModelExchange(_Fmi1):
    """FMI 1.0 for Model Exchange."""

    initial: Settled | None = None
    """What initialization has come to, which is the first event."""

    def enter_initialization(self, t: float, tolerance: float | None) -> None:
        """Set the time."""
        self.tolerance, self.initial = tolerance, None
        self.fmu.setTime(t)

    def exit_initialization(self) -> None:
        """Initialize."""
        controlled = {} if self.tolerance is None else {"toleranceControlled": fmi1True}
        self.initial = _settled(self.fmu.initialize(relativeTolerance=self.tolerance or 0.0, **controlled))

    def free(self) -> None:
        """Free the instance."""
        self.fmu.fmi1FreeModelInstance(self.fmu.component)

    def enter_event_mode(self) -> None:
        """Nothing: there are no modes."""

    def update_discrete_states(self) -> Settled:
        """Iterate an event once."""
        found, self.initial = self.initial or _settled(self.fmu.eventUpdate()), None
        return found

    def enter_continuous_time_mode(self) -> None:
        """Nothing: there are no modes."""

    def complete_step(self) -> tuple[bool, bool]:
        """Tell of a completed integrator step; whether it wants an event. It cannot say that it wants to end."""
        return bool(self.fmu.completedIntegratorStep()), False

    @property
    def nominals(self) -> Callable[[Any, int], Any]:
        """The function that writes the nominal values of states."""
        function: Callable[[Any, int], Any] = self.fmu.getNominalContinuousStates
        return function


def _settled(info: tuple[Any, ...]) -> Settled:
    converged, _, _, terminate, upcoming, instant = info
    return Settled(not converged, bool(terminate), instant if upcoming else math.inf)
