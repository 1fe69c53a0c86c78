"""A system structure as data: systems, components, connectors, connections, bindings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree as ET

from fmu.foreign.units import ANY, Conversion
from fmu.foreign.variables import MAX_ELEMENTS
from fmu.ssp.interface import ShownUnit
from fmu.ssp.read.package import Package
from fmu.ssp.read.transformation import Stage
from fmu.ssp.write.xml import NAMESPACES
from fmu.units import BASE

SSC, SSD = (f"{{{NAMESPACES[prefix]}}}" for prefix in ("ssc", "ssd"))
PARAMETERS = ("parameter", "structuralParameter")
INPUTS = ("input", *PARAMETERS, "inout")
OUTPUTS = ("output", "calculatedParameter", "local", "constant", "inout")


@dataclass(frozen=True)
class Connector:
    """A connector of a component or a system.

    `shape` of SSP 2.0's arrays: a size, the name of the connector that has it, or None where the file does not say.
    """

    name: str
    kind: str
    type: str = ""
    unit: Conversion = ANY
    shape: tuple[int | str | None, ...] = ()
    items: Mapping[str, int] | None = None
    """Of an enumeration."""


@dataclass(frozen=True)
class Endpoint:
    """One end of a connection: an element (or None, the system itself) and a connector of it; `indices` from 1."""

    element: str | None
    connector: str
    indices: tuple[int, ...] = ()

    def __str__(self) -> str:
        name = f"{self.element}.{self.connector}" if self.element else self.connector
        return f"{name}[{','.join(map(str, self.indices))}]" if self.indices else name


@dataclass(frozen=True)
class Connection:
    """From where a value comes to where it goes, however the file writes it."""

    source: Endpoint
    sink: Endpoint
    stages: tuple[Stage, ...] = (Stage(),)


@dataclass(frozen=True)
class Binding:
    """Parameter values for an element: the elements <ParameterSet> and <ParameterMapping>, which name their units."""

    values: ET.Element
    package: Package
    """Where it is said, for messages."""
    mapping: ET.Element | None = None
    prefix: str = ""
    file: str = ""
    units: Mapping[str, ShownUnit] = field(default_factory=dict, hash=False)
    """Of the structure that it is in, or that refers to it."""


@dataclass(frozen=True)
class Element:
    """What components, systems and references to signal dictionaries have in common."""

    name: str
    description: str
    connectors: dict[str, Connector]
    bindings: tuple[Binding, ...]


@dataclass(frozen=True)
class ComponentNode(Element):
    """An FMU; `source` is the name of its file in `package`."""

    source: str = ""
    package: Package | None = None
    interface: str | None = None
    """The interface that the file asks for, as `FmuBlock` calls it."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """How its block runs the FMU, as Keelblocks noted it: step, isolation, …"""


@dataclass(frozen=True)
class DictionaryNode(Element):
    """A reference to a signal dictionary."""

    dictionary: str = ""


@dataclass(frozen=True)
class NotedOutput:
    """An output of the diagram that the system has no connectors for; elements from 1."""

    name: str
    element: str
    port: str
    first: int | None
    last: int | None


@dataclass(frozen=True)
class SystemNode(Element):
    """A system with its elements and connections."""

    elements: dict[str, Element] = field(default_factory=dict)
    connections: tuple[Connection, ...] = ()
    outputs: tuple[NotedOutput, ...] = ()
    dictionaries: dict[str, dict[str, Connector]] = field(default_factory=dict)
    """The entries of each signal dictionary that is defined here."""

    def components(self, path: str = "") -> Iterator[tuple[str, ComponentNode]]:
        """Every component in this system and below, by its dotted path."""
        for name, element in self.elements.items():
            if isinstance(element, ComponentNode):
                yield path + name, element
            elif isinstance(element, SystemNode):
                yield from element.components(f"{path}{name}.")

    def connector(self, end: Endpoint) -> Connector:
        """The connector at an end of a connection of this system."""
        return (self if end.element is None else self.elements[end.element]).connectors[end.connector]


@dataclass(frozen=True)
class Structure:
    """A whole description."""

    name: str
    system: SystemNode
    step: float | None
    """The communication step that an annotation of OMSimulator or libcosim gives."""
    experiment: tuple[float, float] | None = None
    """When a run starts and ends, in s, if the file has an end."""


def dimension(text: str) -> int:
    """A size as a file gives it. Raises ValueError."""
    if not text.strip().isdecimal() or len(text) > 100:
        raise ValueError(f"a dimension of '{text[:100]}'; it must be a whole number that is not negative")
    return int(text)


def bounded(shape: Sequence[int]) -> tuple[int, ...]:
    """The same sizes. Raises ValueError if there are more elements than in any variable of an FMU."""
    if math.prod(shape) > MAX_ELEMENTS:
        raise ValueError(f"the size {'×'.join(map(str, shape))}; up to {MAX_ELEMENTS:,} elements can be handled")
    return tuple(shape)


def read_units(parent: ET.Element | None) -> dict[str, ShownUnit]:
    """The unit definitions in an element of units. Raises ValueError."""
    units = {}
    for unit in () if parent is None else parent.iter(f"{SSC}Unit"):
        base = unit.find(f"{SSC}BaseUnit")
        given = {} if base is None else base.attrib
        exponents = tuple(int(given.get(name, "0")) for name in BASE)
        name = unit.get("name", "")
        units[name] = ShownUnit(name, exponents, float(given.get("factor", "1")), float(given.get("offset", "0")))
        if units[name].factor == 0.0 or not all(map(math.isfinite, (units[name].factor, units[name].offset))):
            raise ValueError(f"'{name}' has a factor of {units[name].factor:g} and an offset of {units[name].offset:g}")
    return units


def read_enumerations(parent: ET.Element | None) -> dict[str, dict[str, int]]:
    """Items of enumerations by their names. Raises ValueError."""
    return {
        node.get("name", ""): {item.get("name", ""): int(item.get("value", "")) for item in node.iter(f"{SSC}Item")}
        for node in (() if parent is None else parent.iter(f"{SSC}Enumeration"))
    }


def join(path: str, name: str) -> str:
    """The dotted path of an element of a system."""
    return f"{path}.{name}" if path else name
