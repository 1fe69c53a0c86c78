"""Parameter sets (.ssv): the values of a component's parameters with their units, to be changed without a new FMU."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from fmu.interface import Interface, Variable
from fmu.ssp_write.xml import add_enumerations, add_units, document, root


def parameters_of(interface: Interface, version: str) -> list[Variable]:
    """The parameters that can be set from outside.

    In version 1.0 without enumerations: libcosim and Ecos refuse a file that has one. Their values are in the FMU.
    """
    return [
        variable
        for variable in interface.variables
        if variable.causality == "parameter"
        and variable.start is not None
        and not (variable.kind == "Enumeration" and version == "1.0")
    ]


def parameter_set(interface: Interface, name: str, version: str) -> bytes | None:
    """The .ssv file of a component, with the values that its FMU has; None if it has no parameters."""
    variables = parameters_of(interface, version)
    if not variables:
        return None
    top = root("ssv:ParameterSet", ("ssv", "ssc"), version=version, name=name)
    group = ET.SubElement(top, "ssv:Parameters")
    for variable in variables:
        _add(group, variable)
    add_enumerations(top, "ssv:Enumerations", variables)
    used = {variable.unit for variable in variables}
    add_units(top, "ssv:Units", [unit for name, unit in sorted(interface.units.items()) if name in used])
    return document(top)


def _add(group: ET.Element, variable: Variable) -> None:
    attributes = {"name": variable.name}
    if variable.description:
        attributes["description"] = variable.description
    parameter = ET.SubElement(group, "ssv:Parameter", attributes)
    value = ET.SubElement(parameter, f"ssv:{variable.kind}", value=variable.start or "")
    if variable.kind == "Enumeration":
        value.set("value", next(item for item, number in variable.items if str(number) == variable.start))
        value.set("name", variable.type_name)
    elif variable.unit is not None and variable.kind in ("Real", "Float64"):
        value.set("unit", variable.unit)
    for size in variable.shape:
        ET.SubElement(parameter, "ssc:Dimension", size=str(size))
