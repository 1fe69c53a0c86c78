"""A reader of SSP files as strict as OMSimulator's, written from its sources, because it cannot be had in tests.

OMSimulator 2 (C++): src/OMSimulatorLib of v2.1.2 and v2.1.3. Model.cpp, `importFromSnapshot`: children of the root.
System.cpp, `importFromSnapshot`: children of a system and of its elements, annotations; `getConnector`: a component
goes before a connector of its name; `addConnection`: types, one source for an input. Connection.cpp, `isValid`: an end
is of the system if its name is an identifier; `isValidUnits`. ComponentFMUCS.cpp, `NewComponent`: children of a
component. Connector.cpp, `NewConnector` and `getTypeString`: kinds and types, which it knows in version 1.0 only.
SystemWC.cpp, `importFromSSD_SimulationInformation`: the master. ComRef.cpp: identifiers. It compares prefixed names as
text. What it does not know ends the import ("Wrong xml schema detected. Unexpected tag"), except for what stands within
a connection, which it passes over.
The tag ssd:SystemGeometry is known since April 2025 (issue 1433), in no release of 2.x.

OMSimulator 3 (Python): src/OMSimulatorPython, read as of 2025 and 2026. utils.py, `validateSSP`: files are checked
against the schemas of SSP 2.0, whatever version they say; first it raised, later it warned. `parseElements`:
implementations. `parseParameterBindingHelper`: values go through int() and float(), so names of enumerations and arrays
fail. system.py, `processElements` and `generateJson`: the solver that components without one get, and its step.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from io import BytesIO
from pathlib import Path

from lxml import etree

SSP2 = Path(str(files("pyssp_standard"))) / "resources" / "ssp2"
PREFIXES = {
    "ssd": "http://ssp-standard.org/SSP1/SystemStructureDescription",
    "ssc": "http://ssp-standard.org/SSP1/SystemStructureCommon",
    "oms": "https://raw.githubusercontent.com/OpenModelica/OMSimulator/master/schema/oms.xsd",
}
ROOT = {"ssd:System", "ssd:Units", "ssd:Enumerations", "ssd:DefaultExperiment"}
SYSTEM = {"ssd:ElementGeometry", "ssd:ParameterBindings", "ssd:Connections", "ssd:Connectors", "ssd:Elements",
          "ssd:Annotations"}  # fmt: skip
COMPONENT = {"ssd:Connectors", "ssd:ElementGeometry", "ssd:ParameterBindings"}
KINDS = {"input", "output", "parameter", "calculatedParameter"}
TYPES = {"ssc:Real", "ssc:Integer", "ssc:Boolean", "ssc:String", "ssc:Enumeration"}
IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


class Refused(Exception):
    """It would end here."""


@dataclass
class Opened:
    """What it makes of a package."""

    start: float = 0.0
    stop: float = 1.0
    step: float = 0.001
    connections: list[tuple[str, str]] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)
    """What it ignores without a word, so that it runs something else."""


def open_with_2(path: Path) -> Opened:
    """As `OMSimulator package.ssp` of OMSimulator 2. Raises Refused."""
    with zipfile.ZipFile(path) as archive:
        return _Reader2(archive).read()


def open_with_3(path: Path) -> Opened:
    """As `OMSimulator.SSP(package)` of OMSimulator 3, and `instantiate`. Raises Refused."""
    with zipfile.ZipFile(path) as archive:
        return _read_3(archive)


LIMITS = {
    2: (
        "Unknown SSP version",
        "Unsupported FMI version",
        "doesn't support co-simulation",
        "Type mismatch",
        "connector of the system",
    ),
    3: ("does not co-simulate", "has arrays", "a value of Enumeration"),
}
"""What the tool cannot do, whatever is written; the documentation says so."""


def check(path: Path) -> None:
    """Fail if it would end at how a package is written, and not at what it cannot do."""
    for version, opening in ((2, open_with_2), (3, open_with_3)):
        try:
            opening(path)
        except Refused as problem:
            if not any(limit in str(problem) for limit in LIMITS[version]):
                raise AssertionError(f"OMSimulator {version}: {problem}") from problem


@dataclass
class _Reader2:
    archive: zipfile.ZipFile
    found: Opened = field(default_factory=Opened)
    components: set[str] = field(default_factory=set)
    types: dict[tuple[str, str], tuple[str, str, str]] = field(default_factory=dict)
    """By component ("" for the system) and connector: kind, type, unit."""
    units: dict[str, dict[str, str]] = field(default_factory=dict)

    def read(self) -> Opened:
        top = etree.fromstring(self.archive.read("SystemStructure.ssd"))
        if top.get("version") != "1.0":
            raise Refused(f"Unknown SSP version {top.get('version')}")
        _identifier(top.get("name"))
        for unit in top.iterfind("ssd:Units/ssc:Unit", PREFIXES):
            self.units[unit.get("name")] = dict(unit[0].attrib)
        for child in _children(top, ROOT):
            if _tag(child) == "ssd:System":
                self.system(child)
            elif _tag(child) == "ssd:DefaultExperiment":
                self.found.start = float(child.get("startTime", 0.0))
                self.found.stop = float(child.get("stopTime", 1.0))
        return self.found

    def system(self, node: etree._Element) -> None:
        _identifier(node.get("name"))
        self.master(node)  # first of all, because it decides what the system is
        for child in _children(node, SYSTEM):  # in the order of the file
            name = _tag(child)
            if name == "ssd:Connectors":
                self.connectors(child, "")
            elif name == "ssd:Elements":
                for element in _children(child, {"ssd:Component", "ssd:System"}):
                    self.component(element)
            elif name == "ssd:Connections":
                for connection in child:
                    self.connection(connection)
            elif name == "ssd:ParameterBindings":
                self.bindings(child)

    def master(self, node: etree._Element) -> None:
        first = node.find("ssd:Annotations/ssc:Annotation", PREFIXES)
        if first is None or first.get("type") != "org.openmodelica":
            raise Refused("[NewSystem] internal error: no master in the first annotation")
        master = first.find("oms:Annotations/oms:SimulationInformation/oms:FixedStepMaster", PREFIXES)
        if master is None or master.get("description") != "oms-ma":
            raise Refused("Failed to import oms:SimulationInformation")
        self.found.step = float(master.get("stepSize"))
        if not self.found.step > 0.0:
            raise Refused("no step")

    def component(self, node: etree._Element) -> None:
        if _tag(node) == "ssd:System":
            return self.system(node)
        name = node.get("name")
        _identifier(name)
        if name in self.components:
            raise Refused(f"{name} already exists in the scope")
        self.components.add(name)
        if node.get("type") not in (None, "application/x-fmu-sharedlibrary"):
            raise Refused(f"Unexpected component type: {node.get('type')}")
        self.fmu(node.get("source"))
        for child in _children(node, COMPONENT):
            if _tag(child) == "ssd:Connectors":
                self.connectors(child, name)
            elif _tag(child) == "ssd:ParameterBindings":
                self.bindings(child)
        return None

    def fmu(self, source: str) -> None:
        if source not in self.archive.namelist():
            raise Refused(f'file does not exist: "{source}"')
        description = _description(self.archive, source)
        if description.get("fmiVersion") != "2.0":
            raise Refused(f"Unsupported FMI version: {description.get('fmiVersion')}")
        if description.find("CoSimulation") is None:
            raise Refused(f'FMU "{source}" doesn\'t support co-simulation mode.')

    def connectors(self, node: etree._Element, owner: str) -> None:
        for connector in node:
            if _tag(connector) != "ssd:Connector":
                raise Refused(f"Failed to import connector {_tag(connector)}")
            kinds = [child for child in connector if _tag(child) in TYPES]
            if connector.get("kind") not in KINDS or not kinds:
                raise Refused(f"Failed to import connector {connector.get('name')}")
            kind = (connector.get("kind"), _tag(kinds[0]), kinds[0].get("unit", ""))
            self.types[owner, connector.get("name")] = kind

    def connection(self, node: etree._Element) -> None:
        ends = []
        for side in ("start", "end"):
            end = (node.get(f"{side}Element", ""), node.get(f"{side}Connector"))
            if not end[0] and end[1] in self.components:
                raise Refused(f"Connector {end[1]} not found: a connector of the system has the name of a component")
            if end not in self.types:
                raise Refused(f"Connector {'.'.join(end)} not found in system")
            if not end[0] and not IDENTIFIER.fullmatch(end[1]):
                raise Refused(f"Causality mismatch: {end[1]}, a connector of the system, is no identifier")
            ends.append(end)
            if node.get(f"{side}Indices"):
                self.found.passed_over.append(f"indices of {end}")
        first, second = ends
        (kind, type_, unit), (other_kind, other_type, other_unit) = self.types[first], self.types[second]
        if type_ != other_type and {type_, other_type} != {"ssc:Integer", "ssc:Enumeration"}:
            raise Refused(f"Type mismatch in connection: {first} -> {second}")
        if ".".join(second) in [sink for _, sink in self.found.connections]:
            raise Refused(f"Connector {second} is already connected")
        bases = [{k: v for k, v in self.units.get(u, {}).items() if k not in ("factor", "offset")}
                 for u in (unit, other_unit) if u]  # fmt: skip
        if len(bases) == 2 and bases[0] != bases[1]:
            raise Refused(f"Unit mismatch in connection: {first} -> {second}")
        source = kind == ("output" if first[0] else "input")
        sink = other_kind == ("input" if second[0] else "output")
        if not (source and sink):
            raise Refused(f"Causality mismatch in connection: {first} -> {second}")
        self.found.passed_over += [_tag(child) for child in node if _tag(child) != "ssd:ConnectionGeometry"]
        self.found.connections.append((".".join(first), ".".join(second)))

    def bindings(self, node: etree._Element) -> None:
        for binding in node:
            source = binding.get("source")
            if source and source not in self.archive.namelist():
                raise Refused(f'loading <oms:file> "{source}" from <oms:snapshot> failed')


def _read_3(archive: zipfile.ZipFile) -> Opened:
    found = Opened()
    top = etree.fromstring(archive.read("SystemStructure.ssd"))
    _validate(top, "SystemStructureDescription.xsd")
    for name in archive.namelist():
        if name.endswith(".ssv"):
            _parameter_set(archive, name)
    system = top.find("ssd:System", PREFIXES)
    for component in system.iterfind("ssd:Elements/ssd:Component", PREFIXES):
        description = _description(archive, component.get("source"))
        if description.find("CoSimulation") is None:
            raise Refused(f"{component.get('name')} does not co-simulate")
        if description.get("fmiVersion").startswith("3") and next(description.iter("Dimension"), None) is not None:
            raise Refused(f"{component.get('name')} has arrays")
        for binding in component.iterfind("ssd:ParameterBindings/ssd:ParameterBinding", PREFIXES):
            if binding.get("source") not in archive.namelist():
                raise Refused(f"Missing required resource: {binding.get('source')}")
    solvers = {s.get("name"): s for s in system.iterfind(
        "ssd:Annotations/ssc:Annotation/oms:Annotations/oms:SimulationInformation", PREFIXES)}  # fmt: skip
    solver = solvers.get("oms_ma_default")  # what a component without a solver of its own gets
    if solver is not None:
        if solver.get("method") != "oms_ma":
            raise Refused(f"unknown method {solver.get('method')}")
        found.step = float(solver.get("fixedStepSize"))
    experiment = top.find("ssd:DefaultExperiment", PREFIXES)
    found.start, found.stop = float(experiment.get("startTime")), float(experiment.get("stopTime"))
    return found


def _parameter_set(archive: zipfile.ZipFile, name: str) -> None:
    """Values as Python's int() and float() read them."""
    top = etree.fromstring(archive.read(name))
    _validate(top, "SystemStructureParameterValues.xsd")
    for value in top.iter("{http://ssp-standard.org/SSP1/SystemStructureParameterValues}*"):
        kind = etree.QName(value).localname
        reads = {"Real": float, "Integer": int, "Enumeration": int}.get(kind)
        if reads is not None:
            try:
                reads(value.get("value"))
            except (TypeError, ValueError):
                raise Refused(f"{name}: a value of {kind} cannot be {value.get('value')!r}") from None


def _validate(top: etree._Element, schema: str) -> None:
    checker = etree.XMLSchema(file=str(SSP2 / schema))
    if not checker.validate(top):
        raise Refused(f"Failed to validate: {checker.error_log[0].message}")


def _description(archive: zipfile.ZipFile, source: str) -> etree._Element:
    with zipfile.ZipFile(BytesIO(archive.read(source))) as fmu:
        return etree.fromstring(fmu.read("modelDescription.xml"))


def _children(node: etree._Element, known: set[str]) -> Iterator[etree._Element]:
    for child in node:
        if _tag(child) not in known:
            raise Refused(f'Wrong xml schema detected. Unexpected tag "{_tag(child)}"')
        yield child


def _tag(node: etree._Element) -> str:
    """As it stands in the file: it compares text, and knows no namespaces."""
    return f"{node.prefix}:{etree.QName(node).localname}" if node.prefix else etree.QName(node).localname


def _identifier(name: str) -> None:
    if not IDENTIFIER.fullmatch(name):
        raise Refused(f'"{name}" is not a valid ident')
