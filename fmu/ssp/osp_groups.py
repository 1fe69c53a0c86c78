"""Variable groups of an FMU for the Open Simulation Platform: which of its variables are a force, a velocity, …

Source: OSP Interface Specification, OspModelDescription 1.0 (2020). A group of a physical quantity has one to three
variables; a port of six, such as a wrench, is a Generic group of two such groups.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from xml.etree import ElementTree as ET

from fmu.ssp.interface import Element, Interface
from fmu.units import BASE

NAMESPACE = "https://open-simulation-platform.com/OspModelDescription/1.0.0"

_TYPES = {
    "N": "Force", "N.m": "Torque", "V": "Voltage", "Pa": "Pressure", "m/s": "LinearVelocity",
    "rad/s": "AngularVelocity", "rev/s": "AngularVelocity", "A": "Current", "m3/s": "VolumeFlowRate",
    "m": "LinearDisplacement", "rad": "AngularDisplacement", "C": "Charge", "m3": "Volume",
    "m/s2": "LinearAcceleration", "rad/s2": "AngularAcceleration",
}  # fmt: skip
"""What a unit says about a variable. Of a J it is not known whether it is work or a torque: it is in no group."""

_ORDER = ("Generic", *dict.fromkeys(_TYPES.values()))
"""The order in which the schema wants the groups."""


@dataclass(frozen=True)
class Group:
    """A variable group: its type, and the variables or the groups in it."""

    name: str
    type: str
    variables: tuple[Element, ...] = ()
    groups: tuple[Group, ...] = ()

    def fits(self, other: Group) -> bool:
        """Whether the two can be connected: equal types, numbers and units, all the way down."""
        return (
            self.type == other.type
            and [element.variable.unit for element in self.variables]
            == [element.variable.unit for element in other.variables]
            and len(self.groups) == len(other.groups)
            and all(mine.fits(its) for mine, its in zip(self.groups, other.groups, strict=True))
        )


def group_of(port: str, elements: Sequence[Element]) -> Group:
    """The group of a port."""
    runs = [
        (kind, tuple(run))
        for kind, run in groupby(elements, key=lambda element: _TYPES.get(element.variable.unit or ""))
    ]
    known = [(kind, run) for kind, run in runs if kind is not None and len(run) <= 3]
    kinds = [kind for kind, _ in known]
    if len(known) != len(runs) or len(set(kinds)) != len(kinds):
        return Group(port, "Generic", tuple(elements))
    if len(known) == 1:
        return Group(port, known[0][0], known[0][1])
    inner = [Group(f"{port}.{_snake(kind)}", kind, run) for kind, run in known]
    return Group(port, "Generic", groups=tuple(sorted(inner, key=lambda group: _ORDER.index(group.type))))


def model_description(interface: Interface, groups: Sequence[Group]) -> bytes:
    """The OspModelDescription of an FMU."""
    top = ET.Element("OspModelDescription", {"xmlns": NAMESPACE, "version": "1.0"})
    used = {element.variable.unit for group in groups for element in _all(group)}
    units = [unit for name, unit in sorted(interface.units.items()) if name in used]
    if units:
        definitions = ET.SubElement(top, "UnitDefinitions")
        for unit in units:
            base = {name: str(power) for name, power in zip(BASE, unit.exponents, strict=True) if power}
            ET.SubElement(
                ET.SubElement(definitions, "Unit", name=unit.name), "BaseUnit", base | {"factor": repr(unit.factor)}
            )
    parent = ET.SubElement(top, "VariableGroups")
    for group in sorted(groups, key=lambda group: _ORDER.index(group.type)):
        _add(parent, group)
    ET.indent(top)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(top, encoding="unicode")}\n'.encode()


def _add(parent: ET.Element, group: Group) -> None:
    element = ET.SubElement(parent, group.type, name=group.name)
    for variable in group.variables:
        attributes = {"ref": variable.variable.name}
        if variable.variable.unit is not None:
            attributes["unit"] = variable.variable.unit
        ET.SubElement(element, "Variable", attributes)
    for inner in group.groups:
        _add(element, inner)


def _all(group: Group) -> list[Element]:
    return [*group.variables, *(element for inner in group.groups for element in _all(inner))]


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
