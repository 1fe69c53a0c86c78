"""What an instance of an FMU needs to know, as plain data that can be sent to another process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Interface = Literal["cs", "me"]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class VariableSpec:
    """One FMI variable, and where its values stand in the flat array of all inputs or outputs."""

    name: str
    kind: str
    """FMI's type: "Real", "Float64", "Boolean", …"""
    reference: int
    first: int
    count: int
    direct: bool = False
    """Of an input: some output depends on it at the same instant."""
    scale: float = 1.0
    offset: float = 0.0
    """A value outside of the FMU is scale·v + offset, v being the value in it."""
    fixed: bool = False
    """Of an input: a parameter, which is set in initialization and never again."""
    negated: bool = False
    """In FMI 1.0: the value by this reference is minus the variable, or of a Boolean the other one."""

    @property
    def line(self) -> tuple[float, float]:
        """Scale and offset that lead from the value by this reference to that outside of the FMU."""
        if not self.negated:
            return self.scale, self.offset
        return -self.scale, self.offset + (self.scale if self.kind == "Boolean" else 0.0)


@dataclass(frozen=True)
class StartValue:
    """A variable that is set before initialization."""

    name: str
    kind: str
    reference: int
    values: tuple[Any, ...]
    structural: bool = False
    negated: bool = False
    """As of a `VariableSpec`."""

    @property
    def referenced(self) -> tuple[Any, ...]:
        """The values by this reference."""
        if not self.negated:
            return self.values
        return tuple(not value if self.kind == "Boolean" else -value for value in self.values)


@dataclass(frozen=True)
class Spec:
    """An FMU and how it is run."""

    file: str
    """Its name in messages."""
    folder: str
    """Where it is unpacked."""
    fmi: Literal[1, 2, 3]
    """Major version."""
    interface: Interface
    identifier: str
    token: str
    """FMI 1 and 2: GUID."""
    step: float
    """Communication step, s."""
    inputs: tuple[VariableSpec, ...]
    outputs: tuple[VariableSpec, ...]
    start: tuple[StartValue, ...] = ()
    tolerance: float | None = None
    saves_state: bool = False
    """It offers to get, set and serialize its state."""
    starts_from_inputs: bool = False
    """Its initial state may depend on the inputs."""
    states: int = 0
    indicators: int = 0
    completes_steps: bool = False
    """Model exchange: it wants to hear of every integrator step."""

    @property
    def input_width(self) -> int:
        """How many numbers go in."""
        return sum(variable.count for variable in self.inputs)

    @property
    def output_width(self) -> int:
        """How many numbers come out."""
        return sum(variable.count for variable in self.outputs)


class Steps(Protocol):
    """An instance, in this process or in another one. See `fmu.foreign.instance.Instance`."""

    t0: float
    k: int

    def begin(self, t: float) -> None:
        """A new run begins at t."""

    def read(self, inputs: Floats) -> Floats:
        """The outputs at the present communication point."""

    def step(self, inputs: Floats) -> None:
        """Go on by one communication step."""

    def save(self) -> bytes:
        """The whole state."""

    def restore(self, saved: bytes) -> None:
        """Take up a saved state."""

    def close(self) -> None:
        """Free everything."""
