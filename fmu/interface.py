"""What an FMU shows, read from its modelDescription.xml: variables by port, element by element."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

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

    @property
    def port(self) -> str:
        """The name without indices: of "eta[6]" it is "eta"."""
        return _INDICES.sub("", self.name)

    def elements(self) -> Iterator[Element]:
        """Its elements, row by row."""
        if not self.shape:
            yield Element(self, ())
        for indices in itertools.product(*(range(1, n + 1) for n in self.shape)) if self.shape else ():
            yield Element(self, indices)


@dataclass(frozen=True)
class Element:
    """A number that can be connected: a scalar variable, or with `indices` (from 1) an element of an array."""

    variable: Variable
    indices: tuple[int, ...]

    @property
    def suffix(self) -> str:
        """The indices within the port, as FMI 2 writes them: "", "[3]", "[1,2]"."""
        if self.indices:
            return f"[{','.join(map(str, self.indices))}]"
        return self.variable.name[len(self.variable.port) :]


@dataclass(frozen=True)
class Interface:
    """An FMU from outside."""

    model_name: str
    fmi: str
    variables: tuple[Variable, ...]
    units: dict[str, ShownUnit]

    def port(self, name: str, causality: str) -> list[Element]:
        """The elements of an input or output port, in order; none if the FMU does not show it."""
        ports = [(variable.port, variable) for variable in self.variables if variable.causality == causality]
        shown = resolve(name, dict(ports))
        return [element for port, variable in ports if port == shown for element in variable.elements()]


def read_interface(path: str | PathLike[str]) -> Interface:
    """Read the description of an FMU that this library wrote."""
    import fmpy

    description = fmpy.read_model_description(str(Path(path)), validate=False)
    units = {}
    for unit in description.unitDefinitions or ():
        base = unit.baseUnit
        if base is None:
            units[unit.name] = ShownUnit(unit.name)
        else:
            exponents = tuple(int(getattr(base, name) or 0) for name in BASE)
            factor = 1.0 if base.factor is None else float(base.factor)
            units[unit.name] = ShownUnit(unit.name, exponents, factor, float(base.offset or 0.0))
    return Interface(
        description.modelName,
        description.fmiVersion,
        tuple(_variable(variable) for variable in description.modelVariables),
        units,
    )


def _variable(given: object) -> Variable:
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
