"""modelDescription.xml of a container: the variables as the parts describe them, for co-simulation by FMI 2.0."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from fmu.container.wiring import OWN, TYPES, Arrangement, Shown
from fmu.foreign.importer import FmuBlock
from fmu.ssp.carried import Carrier
from fmu.ssp.interface import ShownUnit, shown_units
from fmu.units import BASE


@dataclass
class About:
    """What is said of a container besides its variables."""

    identifier: str
    step: float
    blocks: Mapping[str, FmuBlock]
    fmus: Mapping[str, str]
    """The paths of the blocks by the names of their FMUs in the container."""


def description_of(own: ET.Element, made: Arrangement, references: Mapping[str, int], about: About) -> ET.Element:
    """The description, with an empty GUID; `own` is that of the remainder's FMU."""
    root = ET.Element("fmiModelDescription", own.attrib | {"guid": ""})
    root.attrib.pop("numberOfEventIndicators", None)
    if any(_convention(block) != "structured" for block in about.blocks.values()):
        root.attrib["variableNamingConvention"] = "flat"
    ET.SubElement(root, "CoSimulation", _capabilities(own, about))
    units, types = _group(own, "UnitDefinitions"), _group(own, "TypeDefinitions")
    own_variables = [shown for shown in made.shown if shown.fmu == OWN]
    _drop_unused(units, types, [shown.variable for shown in own_variables])
    theirs = _Theirs(own, units, types, about)
    elements = [_own_variable(shown, references) for shown in own_variables]
    elements += [theirs.variable(shown, references) for shown in made.shown if shown.fmu != OWN]
    root.extend(group for group in (units, types) if len(group))
    categories = ET.SubElement(root, "LogCategories")
    for name, words in (("Info", "what happens"), ("Error", "why something failed")):
        ET.SubElement(categories, "Category", name=name, description=words)
    experiment = own.find("DefaultExperiment")
    given = {} if experiment is None else experiment.attrib
    ET.SubElement(root, "DefaultExperiment", given | {"stepSize": repr(about.step)})
    ET.SubElement(root, "ModelVariables").extend(elements)
    root.append(_structure(own, own_variables, elements))
    return root


def _convention(block: FmuBlock) -> str:
    return block.description.model.variableNamingConvention or "flat"


def _capabilities(own: ET.Element, about: About) -> dict[str, str]:
    """What the runtime can, and the parts: it saves no states."""
    parts = [block.description.model.coSimulation for block in about.blocks.values()]
    ours = own.find("CoSimulation")
    flags = {} if ours is None else ours.attrib
    once = flags.get("canBeInstantiatedOnlyOncePerProcess") == "true"
    once = once or any(part.canBeInstantiatedOnlyOncePerProcess for part in parts)
    tool = flags.get("needsExecutionTool") == "true" or any(part.needsExecutionTool for part in parts)
    return {
        "modelIdentifier": about.identifier, "needsExecutionTool": _text(tool),
        "canBeInstantiatedOnlyOncePerProcess": _text(once), "canHandleVariableCommunicationStepSize": "true",
        "canNotUseMemoryManagementFunctions": "true", "canGetAndSetFMUstate": "false",
        "canSerializeFMUstate": "false", "providesDirectionalDerivative": "false",
    }  # fmt: skip


def _text(value: bool) -> str:
    return "true" if value else "false"


def _group(own: ET.Element, tag: str) -> ET.Element:
    found = own.find(tag)
    return ET.Element(tag) if found is None else copy.deepcopy(found)


def _drop_unused(units: ET.Element, types: ET.Element, variables: Iterable[ET.Element]) -> None:
    """Leave out what only variables have that are not shown."""
    values = [value for variable in variables for value in variable]
    declared = {value.attrib["declaredType"] for value in values if "declaredType" in value.attrib}
    for kind in [kind for kind in types if kind.attrib["name"] not in declared]:
        types.remove(kind)
    named = {value.attrib.get("unit") for value in (*values, *(inner for kind in types for inner in kind))}
    for unit in [unit for unit in units if unit.attrib["name"] not in named]:
        units.remove(unit)


def _own_variable(shown: Shown, references: Mapping[str, int]) -> ET.Element:
    made = copy.deepcopy(shown.variable)
    made.attrib |= {"name": shown.name, "valueReference": str(references[shown.name])}
    return made


class _Theirs:
    """Writes parameters of FMUs from elsewhere, with units and types under names that are free."""

    def __init__(self, own: ET.Element, units: ET.Element, types: ET.Element, about: About) -> None:
        self.units, self.types, self.about = units, types, about
        self.carrier = Carrier()
        for unit in own.iter("Unit"):
            base = unit.find("BaseUnit")
            found = {} if base is None else base.attrib
            exponents = tuple(int(found.get(name, 0)) for name in BASE)
            factor, offset = float(found.get("factor", 1.0)), float(found.get("offset", 0.0))
            self.carrier.units[unit.attrib["name"]] = ShownUnit(unit.attrib["name"], exponents, factor, offset)
        self.known: dict[str, dict[str, ShownUnit]] = {}

    def variable(self, shown: Shown, references: Mapping[str, int]) -> ET.Element:
        """A parameter in the words of FMI 2.0, with the value that its block has."""
        path = self.about.fmus[shown.fmu]
        block = self.about.blocks[path]
        given = next(v for v in block.description.model.modelVariables if v.name == shown.variable.attrib["name"])
        attributes = {
            "name": shown.name, "valueReference": str(references[shown.name]), "causality": "parameter",
            "variability": given.variability or "fixed",
        }  # fmt: skip
        if given.description:
            attributes["description"] = given.description
        made = ET.Element("ScalarVariable", attributes)
        kind = TYPES.get(given.type, given.type)
        named = {"start": self._start(block, given)}
        if kind in ("Real", "Integer"):
            named |= {name: str(text) for name in ("min", "max") if (text := getattr(given, name)) is not None}
        declared = given.declaredType
        unit = given.unit or (declared.unit if declared is not None else None)
        if kind == "Real" and unit:
            named["unit"] = self._unit(path, block, unit)
        if kind == "Enumeration":
            named["declaredType"] = self._enumeration(path, declared)
        ET.SubElement(made, kind, {name: text for name, text in named.items() if text is not None})
        return made

    def _start(self, block: FmuBlock, given: object) -> str | None:
        name = getattr(given, "name", "")
        changed = {variable.name: variable.start for variable in Carrier().parameters(block)}
        return changed.get(name, getattr(given, "start", None))

    def _unit(self, path: str, block: FmuBlock, name: str) -> str:
        if path not in self.known:
            self.known[path] = {unit.name: unit for unit in shown_units(block.description.model)}
        unit = self.carrier.unit(self.known[path].get(name, ShownUnit(name)))
        if unit.name not in {known.attrib["name"] for known in self.units}:
            made = ET.SubElement(self.units, "Unit", name=unit.name)
            base = {base: str(power) for base, power in zip(BASE, unit.exponents, strict=True) if power}
            base |= {"factor": repr(unit.factor)} if unit.factor != 1.0 else {}
            base |= {"offset": repr(unit.offset)} if unit.offset != 0.0 else {}
            ET.SubElement(made, "BaseUnit", base)
        return unit.name

    def _enumeration(self, path: str, declared: object) -> str:
        name = f"{path}.{getattr(declared, 'name', '')}"
        if name not in {known.attrib["name"] for known in self.types}:
            made = ET.SubElement(ET.SubElement(self.types, "SimpleType", name=name), "Enumeration")
            for item in getattr(declared, "items", ()):
                ET.SubElement(made, "Item", name=item.name, value=str(item.value))
        return name


def _structure(own: ET.Element, shown: list[Shown], elements: list[ET.Element]) -> ET.Element:
    """What outputs depend on at the same instant: by what is ours; an FMU passes nothing on without a step."""
    before = {str(i): v.attrib["name"] for i, v in enumerate(own.iter("ScalarVariable"), start=1)}
    new_names = {item.variable.attrib["name"]: item.name for item in shown}
    places = {element.attrib["name"]: i for i, element in enumerate(elements, start=1)}
    structure = ET.Element("ModelStructure")
    outputs = ET.SubElement(structure, "Outputs")
    for unknown in own.iterfind("ModelStructure/Outputs/Unknown"):
        name = new_names.get(before[unknown.attrib["index"]])
        if name is None:
            continue
        made = ET.SubElement(outputs, "Unknown", index=str(places[name]))
        known = unknown.attrib.get("dependencies")
        if known is not None:
            kept = [new_names[before[i]] for i in known.split() if before[i] in new_names]
            made.attrib["dependencies"] = " ".join(str(place) for place in sorted(places[n] for n in kept))
    initial = [u.attrib["index"] for u in outputs if elements[int(u.attrib["index"]) - 1].get("initial") != "exact"]
    if not len(outputs):
        structure.remove(outputs)
    if initial:
        unknowns = ET.SubElement(structure, "InitialUnknowns")
        for index in initial:
            ET.SubElement(unknowns, "Unknown", index=index)
    return structure
