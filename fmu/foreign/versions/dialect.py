"""What the versions of FMI have in common: how an instance is called, whatever its functions are named.

Each version has a file beside this one. Their differences while an FMU runs are there and nowhere else; those of
descriptions are met where these are read.
"""

from __future__ import annotations

import math
from ctypes import c_int
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from fmu.foreign.log import Log
    from fmu.foreign.spec import Spec

GOOD, DISCARD, FATAL, PENDING = (0, 1), 2, 4, 5
"""Statuses: OK and warning, and those after which something is still to be asked."""


@dataclass(frozen=True)
class Settled:
    """What an iteration of an event has come to."""

    again: bool
    """Another iteration is wanted."""
    terminate: bool
    next_event: float = math.inf
    """The next time event, s."""


@dataclass(frozen=True)
class StepEnd:
    """How a communication step has ended, if not as wanted."""

    terminate: bool = False
    early: bool = False
    reached: float = math.nan
    """Instant, s."""


class Discarded(Exception):
    """A communication step was discarded; its text says what the FMU tells of it, or nothing."""


class Dialect:
    """The calls of one instance, by FMPy's object for it. They raise what FMPy does, FMICallException of a bad status.

    Whatever has a method here is what at least two versions do differently; the rest is called by FMPy's name.
    """

    version: ClassVar[Literal[1, 2, 3]]
    boolean: ClassVar[Any] = c_int
    """C type of a Boolean."""
    enumeration: ClassVar[str] = "Integer"
    """The type whose functions get and set enumerations."""
    counts_values: ClassVar[bool] = False
    """Whether functions that get and set take the number of values, besides that of variables."""
    no_saving: ClassVar[str] = "does not offer to save its state (canGetAndSetFMUstate, canSerializeFMUstate)"
    """Why a state cannot be saved."""

    def __init__(self, fmu: Any, spec: Spec) -> None:
        self.fmu, self.spec = fmu, spec

    # --- life -------------------------------------------------------------------------------------------------------

    def instantiate(self, log: Log) -> None:
        """Make an instance, with everything logged. Raises an exception if there is none."""
        raise NotImplementedError

    def set_up(self, t: float, tolerance: float | None) -> None:
        """Say when the experiment begins, ahead of start values: there are FMUs that take start values back with it."""

    def enter_initialization(self, t: float, tolerance: float | None) -> None:
        """Begin initialization at t, after which inputs are set."""
        raise NotImplementedError

    def exit_initialization(self) -> None:
        """Initialize, with the inputs."""
        self.fmu.exitInitializationMode()

    def free(self) -> None:
        """Free the instance, and not its library."""
        raise NotImplementedError

    # --- Co-Simulation ----------------------------------------------------------------------------------------------

    def step(self, t: float, h: float) -> StepEnd:
        """Go on by h. Raises Discarded if the FMU did not."""
        raise NotImplementedError

    # --- Model Exchange ---------------------------------------------------------------------------------------------

    def enter_event_mode(self) -> None:
        """Begin an event."""
        self.fmu.enterEventMode()

    def update_discrete_states(self) -> Settled:
        """Iterate an event once."""
        raise NotImplementedError

    def enter_continuous_time_mode(self) -> None:
        """End an event."""
        self.fmu.enterContinuousTimeMode()

    def complete_step(self) -> tuple[bool, bool]:
        """Tell of a completed integrator step; whether it wants an event, and whether it wants to end."""
        event, terminate = self.fmu.completedIntegratorStep()
        return bool(event), bool(terminate)

    @property
    def derivatives(self) -> Callable[[Any, int], Any]:
        """The function that writes them."""
        function: Callable[[Any, int], Any] = self.fmu.getDerivatives
        return function

    @property
    def nominals(self) -> Callable[[Any, int], Any]:
        """The function that writes the nominal values of states."""
        function: Callable[[Any, int], Any] = self.fmu.getNominalsOfContinuousStates
        return function
