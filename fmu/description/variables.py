"""The variables of an FMU: which of a plan's numbers it shows, under which names, and what may be done with them.

A variable is a whole port, parameter or state; nothing here depends on the version of FMI. `description2.py` writes
its elements one by one, `description3.py` writes it as an array.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from blocks.model.declare import Parameter
from blocks.plan.flatten import Feed, Leaf
from blocks.plan.place import Place

Causality = Literal[
    "input", "output", "parameter", "calculatedParameter", "structuralParameter", "local", "independent"
]
Variability = Literal["continuous", "discrete", "tunable", "fixed", "constant"]
Type = Literal["Real", "Integer", "Boolean", "Enumeration", "Size", "Clock"]
Role = Literal["port", "parameter", "state", "derivative", "indicator", "size", "clock", "time"]

_INT_LIMIT = 2**31 - 1
LARGEST = float(np.finfo(np.float64).max)


@dataclass(frozen=True)
class Limits:
    """The range of a parameter; ±LARGEST is no limit. `above` and `below` exclude the limit itself."""

    low: float = -LARGEST
    high: float = LARGEST
    above: bool = False
    below: bool = False


@dataclass(frozen=True)
class Scalar:
    """One element of a variable, as FMI 2 lists it."""

    name: str
    reference: int
    index: int
    """Of the element, from 0, row by row."""


@dataclass(frozen=True, eq=False)
class Variable:
    """A port, parameter or state: neighbouring values with one name."""

    name: str
    place: Place
    """Where its values stand; of a size, its place among the plan's numbers, and of a clock, the number of its rate."""
    causality: Causality
    variability: Variability
    role: Role
    type: Type = "Real"
    start: NDArray[np.float64] | None = None
    """None if it is calculated. Of an enumeration the number of the item, from 1."""
    choices: tuple[str, ...] = ()
    type_name: str = ""
    """Of an enumeration, the name of its type."""
    limits: Limits = Limits()
    labels: tuple[str, ...] = ()
    frame: str | None = None
    leaf: Leaf | None = None
    """The block that it belongs to; None for a port of the diagram itself."""
    member: str = ""
    """Its name within the block: the port, parameter or state."""
    feed: Feed | None = None
    """Of an output: where it comes from."""
    state: tuple[str, str] | None = None
    """The continuous state that it is, or is the derivative of: block and state."""
    size: str | None = None
    """The variable that holds the number of its rows, where that may change."""
    element: int = 0
    """Of an element of a larger variable: its number, from 0, row by row."""
    alias_of: str | None = None
    """Another variable of the same shape at the same place."""

    def elements(self) -> list[str]:
        """The names of its elements: "mass", or "force[1]", "force[2]", or "inertia[1,1]", "inertia[1,2]"."""
        if not self.place.shape:
            return [self.name]
        indices = itertools.product(*(range(1, n + 1) for n in self.place.shape))
        head, _, tail = self.name.partition(")")  # der(nu) has elements der(nu[1])
        closing = f"){tail}" if head != self.name else ""
        return [f"{head}[{','.join(map(str, index))}]{closing}" for index in indices]

    def scalars(self) -> Iterator[Scalar]:
        """Its elements with their value references in FMI 2."""
        for i, name in enumerate(self.elements()):
            yield Scalar(name, self.place.first + i, i)

    def unit(self, index: int) -> str | None:
        """The unit of an element, as declared; None where there is none."""
        unit = self.place.unit
        return unit[index] if isinstance(unit, tuple) else unit

    @property
    def common_unit(self) -> str | None:
        """The unit of all elements; None if they have none or different ones."""
        unit = self.place.unit
        if isinstance(unit, tuple):
            return unit[0] if len(set(unit)) == 1 else None
        return unit

    def description(self, index: int) -> str:
        """The declared description, with the label of the element and the frame."""
        text = self.place.doc
        if index < len(self.labels):
            text = f"{text}: {self.labels[index]}" if text else self.labels[index]
        return f"{text} ({self.frame})" if self.frame and text else text


def port(
    name: str,
    place: Place,
    causality: Causality,
    variability: Variability,
    *,
    leaf: Leaf | None = None,
    member: str = "",
    feed: Feed | None = None,
    start: NDArray[np.float64] | None = None,
) -> Variable:
    """An input or output of the model, or the output of a block within."""
    signal = place.signal
    labels, frame = (signal.labels, signal.frame) if signal else ((), None)
    return Variable(
        name, place, causality, variability, "port", start=start, labels=labels, frame=frame,
        leaf=leaf, member=member, feed=feed,
    )  # fmt: skip


def parameter(
    name: str, place: Place, start: NDArray[np.float64], leaf: Leaf, declared: Parameter, constant: bool
) -> Variable:
    """A parameter of a block; one that the layout of the plan hangs on is a `constant` of the FMU."""
    kind: Type = "Real"
    if declared.choices:
        kind = "Enumeration"
        start = start + 1.0
    elif declared.switch:
        kind = "Boolean"
    elif declared.integer and _fits_int(declared):
        kind = "Integer"
    return Variable(
        name,
        place,
        "local" if constant else "parameter",
        "constant" if constant else "tunable" if declared.tunable else "fixed",
        "parameter",
        kind,
        start,
        declared.choices,
        f"{type(leaf.block).type_name()}.{declared.name}" if declared.choices else "",
        limits=_limits(declared),
        labels=declared.labels,
        frame=declared.frame,
        leaf=leaf,
        member=declared.name,
    )


def _fits_int(declared: Parameter) -> bool:
    return all(limit is None or abs(limit) <= _INT_LIMIT for limit in (declared.at_least, declared.at_most))


def _limits(declared: Parameter) -> Limits:
    low = max(-LARGEST if v is None else float(v) for v in (declared.above, declared.at_least))
    high = min(LARGEST if v is None else float(v) for v in (declared.below, declared.at_most))
    return Limits(low, high, low == declared.above, high == declared.below)
