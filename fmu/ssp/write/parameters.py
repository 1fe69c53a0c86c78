"""Parameter sets (.ssv): the values of a component's parameters with their units, to be changed without a new FMU."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from fmu.ssp.interface import Variable
from fmu.ssp.parts import ExportedPart
from fmu.ssp.write.xml import add_enumerations, add_units, document, root


def parameter_set(part: ExportedPart, name: str, version: str) -> bytes | None:
    """The .ssv file of a component; None if there is nothing in it.

    Without the enumerations that the FMU has already: libcosim, Ecos and OMSimulator 3 refuse a file that has one.
    """
    variables = [v for v in part.parameters if v.kind != "Enumeration" or part.block]
    if not variables:
        return None
    top = root("ssv:ParameterSet", ("ssv", "ssc"), version=version, name=name)
    group = ET.SubElement(top, "ssv:Parameters")
    for variable in variables:
        _add(group, variable)
    add_enumerations(top, "ssv:Enumerations", variables)
    used = {variable.unit for variable in variables}
    add_units(top, "ssv:Units", [unit for name, unit in sorted(part.interface.units.items()) if name in used])
    return document(top)


def _add(group: ET.Element, variable: Variable) -> None:
    attributes = {"name": variable.name}
    if variable.description:
        attributes["description"] = variable.description
    parameter = ET.SubElement(group, "ssv:Parameter", attributes)
    value = ET.SubElement(parameter, f"ssv:{variable.kind}", value=variable.start or "")
    if variable.kind == "Enumeration":
        names = {str(number): item for item, number in variable.items}
        given = [names.get(number, number) for number in (variable.start or "").split()]
        if variable.shape:
            del value.attrib["value"]
            for item in given:
                ET.SubElement(value, "ssv:Value", value=item)
        else:
            value.set("value", given[0])
        value.set("name", variable.type_name)
    elif variable.unit is not None and variable.kind in ("Real", "Float64"):
        value.set("unit", variable.unit)
    for size in variable.shape:
        ET.SubElement(parameter, "ssc:Dimension", size=str(size))
