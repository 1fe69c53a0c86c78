"""What an FMU shows, read from its modelDescription.xml: variables by port, element by element."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from fmu.identifiers import resolve
from fmu.units import BASE

_INDICES = re.compile(r"\[(\d+(?:,\d+)*)\]\Z")


@dataclass(frozen=True)
class ShownUnit:
    """A unit as the FMU defines it: a value in SI base units is factor·value + offset."""

    name: str
    exponents: tuple[int, ...] = (0,) * len(BASE)
    factor: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True)
class Variable:
    """A variable: a scalar, or an array of FMI 3. `kind` is the type's name in the FMU: "Real", "Float64", …"""

    name: str
    causality: str
    variability: str
    kind: str
    unit: str | None = None
    start: str | None = None
    shape: tuple[int, ...] = ()
    description: str = ""
    items: tuple[tuple[str, int], ...] = ()
    type_name: str = ""
    scale: float = 1.0
    offset: float = 0.0
    """A value in the port of the block is scale·v + offset, v being the value in the FMU."""

    @property
    def port(self) -> str:
        """The name without indices: of "eta[6]" it is "eta"."""
        return _INDICES.sub("", self.name)

    def elements(self) -> Iterator[Element]:
        """Its elements, row by row."""
        if not self.shape:
            yield Element(self, (), self.name[len(self.port) :])
        for indices in itertools.product(*(range(1, n + 1) for n in self.shape)) if self.shape else ():
            yield Element(self, indices, suffix(indices))


@dataclass(frozen=True)
class Element:
    """A number that can be connected: a scalar variable, or with `indices` (from 1) an element of an array."""

    variable: Variable
    indices: tuple[int, ...]
    suffix: str = ""
    """The indices within the port, as FMI 2 writes them: "", "[3]", "[1,2]"."""


def suffix(indices: tuple[int, ...]) -> str:
    """Indices as FMI 2 writes them: "[1,2]"; nothing for none."""
    return f"[{','.join(map(str, indices))}]" if indices else ""


@dataclass(frozen=True)
class Interface:
    """An FMU from outside."""

    model_name: str
    fmi: str
    variables: tuple[Variable, ...]
    units: dict[str, ShownUnit]
    ports: Mapping[tuple[str, str], tuple[Element, ...]]
    """The elements of ports, in order, by "input" or "output" and the name of the port."""

    def port(self, name: str, causality: str) -> list[Element]:
        """The elements of an input or output port, in order; none if the FMU does not show it."""
        shown = resolve(name, [port for kind, port in self.ports if kind == causality])
        return list(self.ports.get((causality, shown or name), ()))


def read_interface(path: str | PathLike[str]) -> Interface:
    """Read the description of an FMU that this library wrote."""
    import fmpy

    description = fmpy.read_model_description(str(Path(path)), validate=False)
    variables = tuple(shown_variable(variable) for variable in description.modelVariables)
    ports: dict[tuple[str, str], tuple[Element, ...]] = {}
    for variable in variables:
        key = (variable.causality, variable.port)
        ports[key] = (*ports.get(key, ()), *variable.elements())
    units = {unit.name: unit for unit in shown_units(description)}
    return Interface(description.modelName, description.fmiVersion, variables, units, ports)


def shown_units(description: Any) -> Iterator[ShownUnit]:
    """The units of a description that FMPy has read, but those that it names without a definition."""
    for unit in description.unitDefinitions or ():
        base = unit.baseUnit
        if base is not None:
            exponents = tuple(int(getattr(base, name) or 0) for name in BASE)
            factor = 1.0 if base.factor is None else float(base.factor)
            yield ShownUnit(unit.name, exponents, factor, float(base.offset or 0.0))


def shown_variable(given: Any) -> Variable:
    """A variable as FMPy has read it."""

    def get(name: str) -> str | None:
        value = getattr(given, name)
        return None if value is None else str(value)

    declared = getattr(given, "declaredType", None)
    items = tuple((item.name, int(item.value)) for item in (declared.items or ())) if declared is not None else ()
    unit = get("unit") or (declared.unit if declared is not None else None)
    return Variable(
        get("name") or "",
        get("causality") or "local",
        get("variability") or "",
        get("type") or "Real",
        unit,
        get("start"),
        tuple(getattr(given, "shape", None) or ()),
        get("description") or "",
        items,
        declared.name if items and declared is not None else "",
    )
