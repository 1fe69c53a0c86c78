"""The variables of an FMU: which of a plan's numbers it shows, under which names, and what may be done with them.

A value reference is a place among the plan's values, so the runtime needs no table to find a number.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from blocks.declare import Parameter
from blocks.errors import ExportError
from blocks.flatten import Feed
from blocks.order import changing
from blocks.plan import Place, Plan
from cython_kernels import engine as native
from fmu.structure import structural_parameters

Causality = Literal["input", "output", "parameter", "local"]
Variability = Literal["continuous", "discrete", "tunable", "fixed", "constant"]
Type = Literal["Real", "Integer", "Boolean", "Enumeration"]

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


@dataclass(frozen=True)
class Variable:
    """A port or parameter: neighbouring values with one name."""

    name: str
    place: Place
    causality: Causality
    variability: Variability
    type: Type = "Real"
    start: NDArray[np.float64] | None = None
    choices: tuple[str, ...] = ()
    type_name: str = ""
    feed: Feed | None = None
    """Of an output: where it comes from."""
    limits: Limits = Limits()
    labels: tuple[str, ...] = ()
    frame: str | None = None

    def scalars(self) -> Iterator[Scalar]:
        """Its elements: "mass", "force[1]", "inertia[1,2]"."""
        shape = self.place.shape
        for i, index in enumerate(itertools.product(*(range(1, n + 1) for n in shape))):
            text = f"[{','.join(map(str, index))}]" if shape else ""
            yield Scalar(self.name + text, self.place.first + i, i)

    def unit(self, index: int) -> str | None:
        """The unit of an element, as declared; None where there is none."""
        unit = self.place.unit
        return unit[index] if isinstance(unit, tuple) else unit

    def description(self, index: int) -> str:
        """The declared description, with the label of the element and the frame."""
        text = self.place.doc
        if index < len(self.labels):
            text = f"{text}: {self.labels[index]}" if text else self.labels[index]
        return f"{text} ({self.frame})" if self.frame and text else text


def _port(
    name: str,
    place: Place,
    causality: Causality,
    variability: Variability,
    feed: Feed | None = None,
    start: NDArray[np.float64] | None = None,
) -> Variable:
    signal = place.signal
    labels, frame = (signal.labels, signal.frame) if signal else ((), None)
    return Variable(name, place, causality, variability, start=start, feed=feed, labels=labels, frame=frame)


def variables(plan: Plan, *, alone: bool, local_variables: bool) -> list[Variable]:
    """Every variable of an FMU of this plan: inputs, outputs, parameters, and on request all other outputs of blocks.

    `alone` says that the plan is that of one block, whose name is then left out. Raises ExportError if two variables
    would have the same name.
    """
    given = np.frombuffer(plan.stored, dtype="<f8", offset=native.HEADER_SIZE, count=_given_count(plan))
    found = [_port(name, place, "input", "continuous", start=given[place.slice]) for name, place in plan.inputs.items()]
    moving = {(leaf.name, port) for leaf, port in changing(plan.flat)}

    def variability(feed: Feed) -> Variability:
        return "continuous" if feed.block is None or (feed.block.name, feed.port) in moving else "discrete"

    for name, place in plan.external_outputs.items():
        feed = plan.flat.outputs[name]
        found.append(_port(name, place, "output", variability(feed), feed))
    for leaf in plan.flat.leaves:
        prefix = "" if alone else f"{leaf.name}."
        structural = structural_parameters(leaf)
        for name, parameter in leaf.block.all_parameters().items():
            place = plan.parameters[f"{leaf.name}.{name}"]
            block_type = type(leaf.block).type_name()
            found.append(_parameter(prefix + name, place, parameter, given, name in structural, block_type))
    if local_variables and not alone:
        for leaf in plan.flat.leaves:
            for port in leaf.block.output_ports:
                name = f"{leaf.name}.{port}"
                found.append(_port(name, plan.outputs[name], "local", variability(Feed(leaf, port))))
    _check_names(found)
    return found


def _given_count(plan: Plan) -> int:
    """How many start values of inputs and parameters a plan stores, and of what lies between them."""
    places = [*plan.inputs.values(), *plan.parameters.values()]
    return max((place.first + place.count for place in places), default=0)


def _parameter(
    name: str, place: Place, parameter: Parameter, given: NDArray[np.float64], structural: bool, block_type: str
) -> Variable:
    kind: Type = "Real"
    start = given[place.slice]
    if parameter.choices:
        kind = "Enumeration"
        start = start + 1.0
    elif parameter.switch:
        kind = "Boolean"
    elif parameter.integer and _fits_int(parameter):
        kind = "Integer"
    return Variable(
        name,
        place,
        "local" if structural else "parameter",
        "constant" if structural else "tunable" if parameter.tunable else "fixed",
        kind,
        start,
        parameter.choices,
        f"{block_type}.{parameter.name}" if parameter.choices else "",
        limits=_limits(parameter),
        labels=parameter.labels,
        frame=parameter.frame,
    )


def _fits_int(parameter: Parameter) -> bool:
    return all(limit is None or abs(limit) <= _INT_LIMIT for limit in (parameter.at_least, parameter.at_most))


def _limits(parameter: Parameter) -> Limits:
    low = max(-LARGEST if v is None else float(v) for v in (parameter.above, parameter.at_least))
    high = min(LARGEST if v is None else float(v) for v in (parameter.below, parameter.at_most))
    return Limits(low, high, low == parameter.above, high == parameter.below)


def _check_names(found: list[Variable]) -> None:
    names: dict[str, Variable] = {}
    for variable in found:
        other = names.setdefault(variable.name, variable)
        if other is not variable:
            raise ExportError(
                f"the {other.causality} and the {variable.causality} '{variable.name}' have the same name; in an FMU "
                f"every variable needs its own: give one of the ports of the diagram another name"
            )
