"""modelDescription.xml of FMI 2.0: everything that an importing tool is told about a model."""

from __future__ import annotations

import functools
import importlib.metadata
import math
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from blocks.flatten import Flat
from blocks.settings import ADAPTIVE, Settings
from fmu import units
from fmu.structure import reach
from fmu.variables import LARGEST, Variable

LOG_CATEGORIES = {
    "logAll": "all messages",
    "logEvents": "instantiation, initialization, termination and reset",
    "logStatusWarning": "messages of functions that return fmi2Warning",
    "logStatusDiscard": "messages of functions that return fmi2Discard",
    "logStatusError": "messages of functions that return fmi2Error",
}
_CAPABILITIES = {
    "needsExecutionTool": False,
    "canHandleVariableCommunicationStepSize": True,
    "canInterpolateInputs": False,
    "maxOutputDerivativeOrder": 0,
    "canRunAsynchronuously": False,
    "canBeInstantiatedOnlyOncePerProcess": False,
    "canNotUseMemoryManagementFunctions": False,
    "canGetAndSetFMUstate": True,
    "canSerializeFMUstate": True,
    "providesDirectionalDerivative": False,
}


@dataclass(frozen=True)
class Model:
    """What is described."""

    name: str
    identifier: str
    description: str
    flat: Flat
    settings: Settings
    variables: list[Variable]
    source_files: tuple[str, ...] = ()  # to be compiled, of a source-code FMU


@functools.cache
def version() -> str:
    """The installed version of Keelblocks."""
    try:
        return importlib.metadata.version("keelblocks")
    except importlib.metadata.PackageNotFoundError:
        return "0"


def fmi2_description(model: Model, guid: str) -> bytes:
    """The XML of a model for FMI 2.0 co-simulation, the same for equal models."""
    root = ET.Element(
        "fmiModelDescription",
        {
            "fmiVersion": "2.0",
            "modelName": model.name,
            "guid": guid,
            **({"description": model.description} if model.description else {}),
            "generationTool": f"Keelblocks {version()}",
            "variableNamingConvention": "structured",
            "numberOfEventIndicators": "0",
        },
    )
    interface = ET.SubElement(
        root, "CoSimulation", {"modelIdentifier": model.identifier, **{k: _text(v) for k, v in _CAPABILITIES.items()}}
    )
    if model.source_files:
        listed = ET.SubElement(interface, "SourceFiles")
        for file in model.source_files:
            ET.SubElement(listed, "File", name=file)
    _add_units(root, model.variables)
    _add_types(root, model.variables)
    categories = ET.SubElement(root, "LogCategories")
    for name, text in LOG_CATEGORIES.items():
        ET.SubElement(categories, "Category", name=name, description=text)
    _add_experiment(root, model.settings)
    _add_variables(root, model.variables)
    _add_structure(root, model)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'.encode()


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def _add_units(root: ET.Element, variables: list[Variable]) -> None:
    used = {
        text
        for variable in variables
        if variable.type == "Real"
        for index in range(variable.place.count)
        if (text := variable.unit(index)) is not None
    }
    if not used:
        return
    definitions = ET.SubElement(root, "UnitDefinitions")
    for unit in sorted({units.unit(text) for text in used}, key=lambda u: u.name):
        element = ET.SubElement(definitions, "Unit", name=unit.name)
        base = {name: str(power) for name, power in zip(units.BASE, unit.exponents, strict=True) if power}
        if unit.factor != 1.0:
            base["factor"] = repr(unit.factor)
        ET.SubElement(element, "BaseUnit", base)
        for display in unit.displays:
            ET.SubElement(element, "DisplayUnit", name=display.name, factor=repr(display.factor))


def _add_types(root: ET.Element, variables: list[Variable]) -> None:
    types = {v.type_name: v for v in variables if v.choices}
    if not types:
        return
    definitions = ET.SubElement(root, "TypeDefinitions")
    for name in sorted(types):
        simple = ET.SubElement(definitions, "SimpleType", name=name)
        enumeration = ET.SubElement(simple, "Enumeration")
        for number, choice in enumerate(types[name].choices, 1):
            ET.SubElement(enumeration, "Item", name=choice, value=str(number))


def _add_experiment(root: ET.Element, settings: Settings) -> None:
    attributes = {"startTime": repr(settings.start)}
    if math.isfinite(settings.end):
        attributes["stopTime"] = repr(settings.end)
    if settings.solver in ADAPTIVE:
        attributes["tolerance"] = repr(settings.relative_tolerance)
    attributes["stepSize"] = repr(settings.step)
    ET.SubElement(root, "DefaultExperiment", attributes)


def _add_variables(root: ET.Element, variables: list[Variable]) -> None:
    parent = ET.SubElement(root, "ModelVariables")
    for variable in variables:
        common: dict[str, str] = {"causality": variable.causality, "variability": variable.variability}
        if variable.causality != "input":
            common["initial"] = "calculated" if variable.start is None else "exact"
        shared = _shared_attributes(variable)
        for scalar in variable.scalars():
            attributes = {"name": scalar.name, "valueReference": str(scalar.reference)}
            if text := variable.description(scalar.index):
                attributes["description"] = text
            element = ET.SubElement(parent, "ScalarVariable", attributes | common)
            ET.SubElement(element, variable.type, shared | _own_attributes(variable, scalar.index))


def _shared_attributes(variable: Variable) -> dict[str, str]:
    """What all elements of a variable have in common."""
    if variable.type == "Enumeration":
        return {"declaredType": variable.type_name}
    if variable.type == "Boolean":
        return {}
    attributes = {}
    limits, whole = variable.limits, variable.type == "Integer"
    if limits.low > -LARGEST:
        attributes["min"] = _number(limits.low, whole)
    if limits.high < LARGEST:
        attributes["max"] = _number(limits.high, whole)
    return attributes


def _own_attributes(variable: Variable, index: int) -> dict[str, str]:
    """Unit and start value of an element."""
    attributes: dict[str, str] = {}
    text = variable.unit(index) if variable.type == "Real" else None
    if text is not None:
        unit = units.unit(text)
        if unit.quantity:
            attributes["quantity"] = unit.quantity
        attributes["unit"] = unit.name
        if unit.preferred:
            attributes["displayUnit"] = unit.preferred
    if variable.start is not None:
        value = float(variable.start[index])
        whole = variable.type != "Real"
        attributes["start"] = _text(value != 0.0) if variable.type == "Boolean" else _number(value, whole)
    return attributes


def _number(value: float, whole: bool) -> str:
    return str(int(value)) if whole else repr(value)


def _add_structure(root: ET.Element, model: Model) -> None:
    """Outputs with the inputs that they depend on; initially they depend on parameters too."""
    index: dict[str, list[int]] = {}  # of the scalars of each variable, from 1
    count = 0
    for variable in model.variables:
        index[variable.name] = list(range(count + 1, count + 1 + variable.place.count))
        count += variable.place.count
    owned: dict[str, list[int]] = {leaf.name: [] for leaf in model.flat.leaves}
    for variable in model.variables:
        if variable.causality == "parameter":
            owned[variable.place.name.rpartition(".")[0]] += index[variable.name]
    structure = ET.SubElement(root, "ModelStructure")
    outputs: list[tuple[int, list[int]]] = []
    initials: list[tuple[int, list[int]]] = []
    for variable in model.variables:
        if variable.feed is not None:
            found = reach(model.flat, variable.feed)
            known = sorted(index[name][element] for name, element in found.externals)
            initial = sorted([*known, *(i for leaf in found.leaves for i in owned[leaf])])
            outputs += [(unknown, known) for unknown in index[variable.name]]
            initials += [(unknown, initial) for unknown in index[variable.name]]
    for tag, rows in (("Outputs", outputs), ("InitialUnknowns", initials)):
        if rows:
            parent = ET.SubElement(structure, tag)
            for unknown, knowns in rows:
                ET.SubElement(parent, "Unknown", index=str(unknown), dependencies=" ".join(map(str, knowns)))
