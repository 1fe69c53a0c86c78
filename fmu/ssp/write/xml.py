"""XML as the SSP tools read it: some look for elements by their usual prefixes, so those are written as such."""

from __future__ import annotations

import functools
import importlib.metadata
from collections.abc import Iterable
from xml.etree import ElementTree as ET

from fmu.ssp.interface import ShownUnit, Variable
from fmu.units import BASE

NAMESPACES = {
    "ssc": "http://ssp-standard.org/SSP1/SystemStructureCommon",
    "ssd": "http://ssp-standard.org/SSP1/SystemStructureDescription",
    "ssv": "http://ssp-standard.org/SSP1/SystemStructureParameterValues",
    "oms": "https://raw.githubusercontent.com/OpenModelica/OMSimulator/master/schema/oms.xsd",
    "osp": "http://opensimulationplatform.com/SSP/OSPAnnotations",
    "keelblocks": "urn:keelblocks:ssp",
}


@functools.cache
def tool_version() -> str:
    """The installed version of Keelblocks."""
    try:
        return importlib.metadata.version("keelblocks")
    except importlib.metadata.PackageNotFoundError:
        return "0"


def root(tag: str, prefixes: Iterable[str], **attributes: str) -> ET.Element:
    """A root element that declares prefixes."""
    return ET.Element(tag, {f"xmlns:{prefix}": NAMESPACES[prefix] for prefix in prefixes} | attributes)


def document(element: ET.Element) -> bytes:
    """The text of a document."""
    ET.indent(element)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(element, encoding="unicode")}\n'.encode()


def add_units(parent: ET.Element, tag: str, units: Iterable[ShownUnit]) -> None:
    """Unit definitions; nothing if there are none."""
    units = list(units)
    if not units:
        return
    group = ET.SubElement(parent, tag)
    for unit in units:
        base = {name: str(power) for name, power in zip(BASE, unit.exponents, strict=True) if power}
        if unit.factor != 1.0:
            base["factor"] = repr(unit.factor)
        if unit.offset != 0.0:
            base["offset"] = repr(unit.offset)
        ET.SubElement(ET.SubElement(group, "ssc:Unit", name=unit.name), "ssc:BaseUnit", base)


def add_enumerations(parent: ET.Element, tag: str, variables: Iterable[Variable]) -> None:
    """The enumerations that variables have; nothing if there are none."""
    found = {variable.type_name: variable.items for variable in variables if variable.items}
    if not found:
        return
    group = ET.SubElement(parent, tag)
    for name in sorted(found):
        enumeration = ET.SubElement(group, "ssc:Enumeration", name=name)
        for item, value in found[name]:
            ET.SubElement(enumeration, "ssc:Item", name=item, value=str(value))
