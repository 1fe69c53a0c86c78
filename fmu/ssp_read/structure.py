"""A system structure description as data: systems, components, connectors, connections, bindings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from blocks.errors import did_you_mean
from fmu.interface import ShownUnit
from fmu.ssp_read.package import Package
from fmu.ssp_read.transformation import IDENTITY, Transformation, read_transformation
from fmu.ssp_write.xml import NAMESPACES
from fmu.units import BASE

SSC, SSD = (f"{{{NAMESPACES[prefix]}}}" for prefix in ("ssc", "ssd"))
FMU_TYPE = "application/x-fmu-sharedlibrary"
INPUTS = ("input", "parameter", "structuralParameter", "inout")
OUTPUTS = ("output", "calculatedParameter", "local", "constant", "inout")


@dataclass(frozen=True)
class Connector:
    """A connector of a component or a system; `shape` of SSP 2.0's arrays."""

    name: str
    kind: str
    unit: str | None = None
    shape: tuple[int, ...] = ()


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
    transformation: Transformation = IDENTITY
    convert_units: bool = True


@dataclass(frozen=True)
class Binding:
    """Parameter values for an element: the elements <ParameterSet> and <ParameterMapping>, which name their units."""

    values: ET.Element
    mapping: ET.Element | None = None
    prefix: str = ""
    file: str = ""


@dataclass(frozen=True)
class Element:
    """What a component and a system have in common."""

    name: str
    description: str
    connectors: dict[str, Connector]
    bindings: tuple[Binding, ...]


@dataclass(frozen=True)
class ComponentNode(Element):
    """An FMU; `source` is the name of its file in the package."""

    source: str = ""


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

    def components(self, path: str = "") -> Iterator[tuple[str, ComponentNode]]:
        """Every component in this system and below, by its dotted path."""
        for name, element in self.elements.items():
            if isinstance(element, ComponentNode):
                yield path + name, element
            elif isinstance(element, SystemNode):
                yield from element.components(f"{path}{name}.")


@dataclass(frozen=True)
class Structure:
    """A whole description."""

    name: str
    version: str
    system: SystemNode
    units: dict[str, ShownUnit]
    start: float | None
    stop: float | None
    step: float | None
    """The communication step that an annotation of OMSimulator or libcosim gives."""


def read_structure(package: Package, file: str = "SystemStructure.ssd") -> Structure:
    """Read a description. Raises FmuError that names the file and the reason."""
    return _Reader(package, file).read()


def read_units(parent: ET.Element | None) -> dict[str, ShownUnit]:
    """The unit definitions in an element of units."""
    units = {}
    for unit in () if parent is None else parent.iter(f"{SSC}Unit"):
        base = unit.find(f"{SSC}BaseUnit")
        given = {} if base is None else base.attrib
        exponents = tuple(int(given.get(name, "0")) for name in BASE)
        name = unit.get("name", "")
        units[name] = ShownUnit(name, exponents, float(given.get("factor", "1")), float(given.get("offset", "0")))
    return units


@dataclass(frozen=True)
class _Reader:
    package: Package
    file: str

    def read(self) -> Structure:
        top = self.package.xml(self.file)
        if top.tag != f"{SSD}SystemStructureDescription":
            raise self.package.error(f"{self.file} is not a SystemStructureDescription of SSP, but '{top.tag}'")
        version = top.get("version", "")
        if not version.startswith(("1.", "2.")):
            raise self.package.error(f"{self.file} is of version '{version}'; SSP 1.0 and 2.0 can be read")
        system = top.find(f"{SSD}System")
        if system is None:
            raise self.package.error(f"{self.file} has no System")
        experiment = top.find(f"{SSD}DefaultExperiment")
        times = {} if experiment is None else experiment.attrib
        name = top.get("name", "")
        try:
            return Structure(
                name, version, self.system(system, ""), read_units(top.find(f"{SSD}Units")),
                _number(times.get("startTime")), _number(times.get("stopTime")), self._step(top),
            )  # fmt: skip
        except ValueError as problem:
            raise self.package.error(f"{self.file}: {problem}") from None

    def _step(self, top: ET.Element) -> float | None:
        for tag, attribute in (
            (f"{{{NAMESPACES['oms']}}}FixedStepMaster", "stepSize"),
            (f"{{{NAMESPACES['osp']}}}FixedStepAlgorithm", "baseStepSize"),
        ):
            for element in top.iter(tag):
                step = _number(element.get(attribute))
                if step is not None and step > 0.0:
                    return step
        return None

    def system(self, node: ET.Element, path: str) -> SystemNode:
        own = self.own(node)
        here = f"{path}{own.name}"
        elements: dict[str, Element] = {}
        for child in node.findall(f"{SSD}Elements/*"):
            element: Element
            if child.tag == f"{SSD}System":
                element = self.system(child, f"{here}.")
            elif child.tag == f"{SSD}Component":
                element = self.component(child, here)
            else:
                what = child.tag.rpartition("}")[2]
                raise self.package.error(
                    f"'{child.get('name', '')}' in system '{here}' is a {what}; components and systems can be read"
                )
            if element.name in elements:
                raise self.package.error(f"system '{here}' has two elements called '{element.name}'")
            elements[element.name] = element
        system = SystemNode(own.name, own.description, own.connectors, own.bindings, elements)
        connections = tuple(
            self.connection(child, system, here) for child in node.findall(f"{SSD}Connections/{SSD}Connection")
        )
        outputs = tuple(self.noted(node, system))
        return SystemNode(own.name, own.description, own.connectors, own.bindings, elements, connections, outputs)

    def own(self, node: ET.Element) -> Element:
        connectors = {}
        for child in node.findall(f"{SSD}Connectors/{SSD}Connector"):
            connector = _connector(child)
            connectors[connector.name] = connector
        name = node.get("name", "")
        bindings = tuple(
            binding
            for child in node.findall(f"{SSD}ParameterBindings/{SSD}ParameterBinding")
            if (binding := self.binding(child, name)) is not None
        )
        return Element(name, node.get("description", ""), connectors, bindings)

    def component(self, node: ET.Element, system: str) -> ComponentNode:
        own = self.own(node)
        kind = node.get("type", FMU_TYPE)
        where = f"component '{own.name}' of system '{system}'"
        if kind != FMU_TYPE:
            raise self.package.error(f"{where} is of type '{kind}'; only FMUs, '{FMU_TYPE}', can be read")
        source = node.get("source")
        if not source:
            raise self.package.error(f"{where} has no source: it is a placeholder without an FMU")
        file = self.package.resolve(source, where)
        return ComponentNode(own.name, own.description, own.connectors, own.bindings, file)

    def binding(self, node: ET.Element, owner: str) -> Binding | None:
        where = f"a parameter binding of '{owner}'"
        values, file = self._bound(node, f"{SSD}ParameterValues", where, "x-ssp-parameter-set")
        if values is None:
            return None
        mapping = None
        child = node.find(f"{SSD}ParameterMapping")
        if child is not None:
            mapping, _ = self._bound(child, None, f"a parameter mapping of '{owner}'", "x-ssp-parameter-mapping")
        return Binding(values, mapping, node.get("prefix", ""), file)

    def _bound(self, node: ET.Element, inline: str | None, where: str, kind: str) -> tuple[ET.Element | None, str]:
        """The content of an element that has it inside, or refers to a file of it."""
        given = node.get("type", f"application/{kind}")
        if given != f"application/{kind}":
            raise self.package.error(f"{where} is of type '{given}'; only 'application/{kind}' can be read")
        source = node.get("source")
        if source:
            if node.get("sourceBase", "SSD") != "SSD":
                raise self.package.error(f"{where} refers to '{source}' inside of an FMU, which cannot be read")
            file = self.package.resolve(source, where)
            return self.package.xml(file, where), file
        holder = node if inline is None else node.find(inline)
        return (None if holder is None or not len(holder) else holder[0]), self.file

    def connection(self, node: ET.Element, system: SystemNode, path: str) -> Connection:
        ends = []
        for side in ("start", "end"):
            indices = tuple(int(text) for text in node.get(f"{side}Indices", "").split())
            ends.append(Endpoint(node.get(f"{side}Element") or None, node.get(f"{side}Connector", ""), indices))
        first, second = ends
        roles = [
            self._roles(end, system, f"the connection from {first} to {second} in system '{path}'") for end in ends
        ]
        transformation = read_transformation(node)
        convert = node.get("suppressUnitConversion", "false") not in ("true", "1")
        if "source" in roles[0] and "sink" in roles[1]:
            return Connection(first, second, transformation, convert)
        if "source" in roles[1] and "sink" in roles[0]:
            return Connection(second, first, transformation, convert)
        raise self.package.error(
            f"the connection from {first} to {second} in system '{path}' leads from an {_kind(first, system)} to an "
            f"{_kind(second, system)}"
        )

    def _roles(self, end: Endpoint, system: SystemNode, where: str) -> set[str]:
        if end.element is not None and end.element not in system.elements:
            raise self.package.error(
                f"{where}: there is no element '{end.element}'{did_you_mean(end.element, system.elements)}"
            )
        owner = system if end.element is None else system.elements[end.element]
        if end.connector not in owner.connectors:
            raise self.package.error(
                f"{where}: there is no connector '{end.connector}' on '{owner.name}'"
                f"{did_you_mean(end.connector, owner.connectors)}"
            )
        kind = owner.connectors[end.connector].kind
        if kind == "unspecified":
            return {"source", "sink"}
        inward, outward = ("source", "sink") if end.element is None else ("sink", "source")
        return {*([inward] if kind in INPUTS else []), *([outward] if kind in OUTPUTS else [])}

    def noted(self, node: ET.Element, system: SystemNode) -> Iterator[NotedOutput]:
        """What an annotation of Keelblocks says of outputs."""
        for output in node.findall(f"{SSD}Annotations/{SSC}Annotation/*/{{{NAMESPACES['keelblocks']}}}Output"):
            element, first, last = output.get("element", ""), output.get("first"), output.get("last")
            if element in system.elements:
                yield NotedOutput(
                    output.get("name", ""), element, output.get("port", ""),
                    None if first is None else int(first), None if last is None else int(last),
                )  # fmt: skip


def _connector(node: ET.Element) -> Connector:
    unit, shape = None, []
    for child in node:
        if child.tag == f"{SSC}Dimension":
            shape.append(int(child.get("size", "1")))
        elif child.tag in (f"{SSC}Real", f"{SSC}Float64", f"{SSC}Float32"):
            unit = child.get("unit")
    return Connector(node.get("name", ""), node.get("kind", ""), unit, tuple(shape))


def _kind(end: Endpoint, system: SystemNode) -> str:
    owner = system if end.element is None else system.elements[end.element]
    return f"{owner.connectors[end.connector].kind} of {'an element' if end.element else 'the system'}"


def _number(text: str | None) -> float | None:
    return None if text is None else float(text)
