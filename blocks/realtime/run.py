"""What a run in real time has to be able to do: a `Simulator` is one, and a `Fleet` in the guise of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from numpy.typing import NDArray

from blocks.plan import Plan
from blocks.run.named import Views


class Run(Protocol):
    """A run that goes on when it is told to."""

    @property
    def plan(self) -> Plan:
        """What is run."""

    @property
    def inputs(self) -> Mapping[str, Any]:
        """Arrays of inputs by name."""

    @property
    def time(self) -> float:
        """The present instant, s."""

    @property
    def step(self) -> float:
        """The step of the solver, s."""

    @property
    def status(self) -> str:
        """ "ready", "running", "stopped" or "failed"."""

    @property
    def running(self) -> bool:
        """Whether it can go on."""

    def start(self) -> None:
        """Go to the initial state."""

    def advance(self, duration: None = None, *, until: float) -> float:
        """Go on to an instant, s; the one that was reached."""

    def refresh(self) -> None:
        """Make the outputs those of the inputs that were set."""

    def result(self) -> Any:
        """What was recorded."""

    def __getitem__(self, name: str) -> NDArray[Any]: ...

    def __setitem__(self, name: str, value: Any) -> None: ...


class Readable(Run, Protocol):
    """A run of one vehicle, whose numbers can be read by name."""

    @property
    def inputs(self) -> Views:
        """Inputs by name."""

    @property
    def outputs(self) -> Views:
        """Outputs by name."""

    @property
    def parameters(self) -> Views:
        """Parameters by name."""
