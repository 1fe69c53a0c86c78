"""A vessel on trial: its inputs, what they are held at, and the levers that orders go to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ParameterError, did_you_mean
from blocks.lab.manoeuvres.opening import constant_at, diagram_of, open_input
from blocks.lab.trial import ManoeuvreError
from blocks.model.component import PortRef
from blocks.model.family import family_by_birth
from blocks.plan import Plan, make_plan
from blocks.plan.settings import SCIPY
from blocks.signal import Pose, Signal
from blocks.units import si_unit, to_unit

Array = NDArray[np.float64]
Reference = str | Mapping[str, float]
"""An input, "rudder", an element of one, "force[N]", or several with factors, {"command[0]": 1, "command[1]": -1}."""

_REFERENCE = re.compile(r"(?P<port>[A-Za-z_][A-Za-z0-9_.]*)(\[(?P<element>[^\]]+)\])?\Z")


@dataclass(frozen=True, eq=False)
class Lever:
    """Elements of inputs that follow an order: factor times the order, added to what they are held at, or instead."""

    what: str
    unit: str
    factors: Mapping[str, Array]
    """By input; zero for elements that do not follow."""

    def order(self, given: float | str, name: str = "order") -> float:
        """An order in the lever's unit, from a number in it or text with a unit. Raises ManoeuvreError."""
        try:
            if isinstance(given, bool):
                raise TypeError
            value = to_unit(given, self.unit) if isinstance(given, str) else float(given)
        except ParameterError as problem:
            raise ManoeuvreError(f"{name}, in {self.unit}, the unit of {self.what}: {problem}") from None
        except (TypeError, ValueError, OverflowError):
            raise ManoeuvreError(f"{name} must be a number in {self.unit} or text with a unit, not {given!r}") from None
        if not np.isfinite(value):
            raise ManoeuvreError(f"{name} must be finite, not {given!r}")
        return value


class Craft:
    """A copy of a diagram whose inputs are known.

    inputs: what they are held at. pose: the output that is its pose; by default the only one of that type.
    Raises ManoeuvreError for inputs that are not there, or have no value, and for a pose that is not clear.
    """

    def __init__(self, craft: Diagram | Block, inputs: Mapping[str, Any] | None, pose: str | None) -> None:
        self.diagram = diagram_of(craft)
        self.held: dict[str, Array] = {}
        for name, value in (inputs or {}).items():
            opened = open_input(self.diagram, name)
            self.held[opened] = self._value(name, opened, value)
        self.pose = self._pose(pose)

    def lever(
        self, reference: Reference, what: str, unit: str = "rad", order: Any = None, *, keeps: bool = False
    ) -> Lever:
        """What a reference means. Inputs that are not held yet are held at 0, or if it `keeps` what a constant fed them
        at that; unit: of an order to any signal, unless the order says it."""
        unit = _said(order) or unit
        parts = {reference: 1.0} if isinstance(reference, str) else dict(reference)
        if not parts:
            raise ManoeuvreError(f"{what} names no input")
        units: dict[str, str] = {}
        factors: dict[str, Array] = {}
        for name, factor in parts.items():
            match = _REFERENCE.match(name)
            if match is None:
                raise ManoeuvreError(
                    f"{what}: '{name}' is not an input; write it as rudder, force[N] or rudder.command"
                )
            fed = constant_at(self.diagram, match["port"]) if keeps else None
            try:
                opened = open_input(self.diagram, match["port"])
            except ManoeuvreError as problem:
                raise ManoeuvreError(f"{what}: {problem}; another one is {what}=…") from None
            if fed is not None:
                self.held.setdefault(opened, _spread(fed, max(fed.size, self._port(opened)[1])))
            signal, width = self._port(opened)
            at = self._element(what, match["port"], match["element"], signal, width)
            units[name] = signal.units(width)[at] or unit
            default = self.diagram.input_ports[opened].default
            self.held.setdefault(opened, np.zeros(width) if default is None else _spread(default, width))
            into = factors.setdefault(opened, np.zeros(self.held[opened].size))
            into[at] = float(factor)
        if len(set(units.values())) > 1:
            listed = ", ".join(f"{name} in {unit}" for name, unit in units.items())
            raise ManoeuvreError(f"{what}: one order cannot have several units: {listed}")
        return Lever(f"{what} '{' and '.join(parts)}'", next(iter(units.values())), factors)

    def check(self) -> None:
        """Raise ManoeuvreError if an input has no value."""
        for name, port in self.diagram.input_ports.items():
            if name not in self.held and port.default is None:
                raise ManoeuvreError(f"the input '{name}' needs a value: inputs={{'{name}': …}}")

    def plan(self, **settings: Any) -> Plan:
        """To be run step by step."""
        if settings.get("solver") in SCIPY:
            raise ManoeuvreError(
                f"manoeuvres run with euler, heun, rk4 or dopri5: orders depend on what the vessel does, and "
                f"{settings['solver']} cannot be held there"
            )
        return make_plan(self.diagram, input_shapes=self.shapes, **settings)

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Of the inputs that are held."""
        return {name: () if self._scalar(name) else value.shape for name, value in self.held.items()}

    def leaf(self, name: str) -> PortRef:
        """The input of a block that an input of the diagram goes to, the first of them."""
        ref = self.diagram.boundary_inputs[name][0]
        while isinstance(ref.block, Diagram):
            ref = ref.block.boundary_inputs[ref.name][0]
        return ref

    def _scalar(self, name: str) -> bool:
        signal = self.diagram.input_ports[name].signal
        return not signal.shape or (self.held[name].size == 1 and isinstance(signal.shape[0], str))

    def _port(self, name: str) -> tuple[Signal, int]:
        """The type of an input, and its width: 1 if nothing says it."""
        ref = self.leaf(name)
        sizes, width = ref.block.known_sizes(), 1
        for dimension in ref.signal.shape:
            width *= dimension if isinstance(dimension, int) else sizes.get(dimension, 1)
        return ref.signal, self.held[name].size if name in self.held else width

    def _value(self, name: str, opened: str, given: Any) -> Array:
        signal, width = self._port(opened)
        try:
            if isinstance(given, str):
                given = to_unit(given, signal.units(1)[0])
            value = np.array(given, dtype=np.float64).reshape(-1)
        except ParameterError as problem:
            raise ManoeuvreError(f"inputs: {name}: {problem}") from None
        except (TypeError, ValueError, OverflowError):
            raise ManoeuvreError(
                f"inputs: '{name}' must be held at a number or an array of numbers, not {given!r}"
            ) from None
        if not np.isfinite(value).all():
            raise ManoeuvreError(f"inputs: '{name}' must be finite, not {given!r}")
        known = all(isinstance(dimension, int) for dimension in signal.shape) or width > 1
        if known and value.size not in (1, width):
            raise ManoeuvreError(f"inputs: '{name}' has {width} elements, and {value.size} are given")
        return _spread(value, width) if known else value

    def _element(self, what: str, port: str, element: str | None, signal: Signal, width: int) -> int:
        names = signal.labels or tuple(map(str, range(width)))
        if element is None:
            if width == 1:
                return 0
            raise ManoeuvreError(
                f"{what}: '{port}' has {width} elements; name those that follow the order, such as "
                f"'{port}[{names[-1]}]', or several with factors"
            )
        if element in names:
            return names.index(element)
        if element.isdigit() and int(element) < width:
            return int(element)
        raise ManoeuvreError(f"{what}: '{port}' has no element '{element}'{did_you_mean(element, names)}")

    def _pose(self, given: str | None) -> str:
        blocks = self.diagram.blocks()
        poses = {
            f"{name}.{port}": family_by_birth(type(block))
            for name, block in blocks.items()
            for port, output in block.output_ports.items()
            if output.signal.name == Pose.name
        }
        if given is not None:
            ref = self.diagram.boundary_outputs.get(given)
            while ref is not None and isinstance(ref.block, Diagram):
                ref = ref.block.boundary_outputs[ref.name]
            name = given if ref is None else f"{ref.block.path}.{ref.name}"
            if name not in poses:
                raise ManoeuvreError(f"there is no pose '{given}'{did_you_mean(given, poses)}")
            return name
        vessels = [name for name, family in poses.items() if family == "dynamics"] or list(poses)
        if len(vessels) != 1:
            found = f"there are {len(vessels)}, {', '.join(vessels)}: say which, pose=…" if vessels else "there is none"
            raise ManoeuvreError(f"the pose of the vessel is an output of type Pose, and {found}")
        return vessels[0]


def _said(order: Any) -> str | None:
    """The unit of SI of an order in text, "40 N*m"; None if it has none that is known."""
    _, _, unit = order.strip().partition(" ") if isinstance(order, str) else ("", "", "")
    if not unit:
        return None
    try:
        to_unit(f"1 {unit}", None)
    except ParameterError:
        return None
    return si_unit(unit)


def _spread(value: Any, width: int) -> Array:
    return np.array(np.broadcast_to(np.asarray(value, dtype=np.float64).reshape(-1), (width,)))
