"""Read system structure descriptions (.ssd), and the packages and descriptions that are components of others."""

from __future__ import annotations

import math
import urllib.parse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from xml.etree import ElementTree as ET

from blocks.errors import KeelblocksError, did_you_mean
from blocks.plan.settings import Settings
from fmu.ssp.carried import read_settings
from fmu.ssp.interface import ShownUnit
from fmu.ssp.read import legality
from fmu.ssp.read.dictionaries import DICTIONARY, entries_of
from fmu.ssp.read.fmus import Fmus
from fmu.ssp.read.package import Package
from fmu.ssp.read.structure import (
    SSC,
    SSD,
    Binding,
    ComponentNode,
    Connection,
    Connector,
    DictionaryNode,
    Element,
    Endpoint,
    NotedOutput,
    Structure,
    SystemNode,
    bounded,
    dimension,
    read_enumerations,
    read_units,
)  # fmt: skip
from fmu.ssp.read.transformation import conversion_of, read_stage
from fmu.ssp.write.xml import NAMESPACES

DEFAULT = "SystemStructure.ssd"
FMU_TYPE = "application/x-fmu-sharedlibrary"
PACKAGE_TYPE = "application/x-ssp-package"
DEFINITION_TYPE = "application/x-ssp-definition"
DEEPEST = 20
"""How many packages and definitions may lie within each other."""
MOST = 10_000
"""Elements of all systems together."""
_INTERFACES = {"any": None, "CoSimulation": "cs", "ModelExchange": "me"}


def read_structure(package: Package, file: str, fmus: Fmus) -> Structure:
    """Read a description. Raises FmuError that names the file and the reason."""
    document = _Document.of(package, file)
    system = _Reader(document, fmus, _Counter()).system(document.system, "")
    return Structure(document.top.get("name", ""), system, _step(document), _experiment(document))


@dataclass
class _Counter:
    """How many elements have been read."""

    elements: int = 0


@dataclass(frozen=True)
class _Document:
    """A description, checked on the outside."""

    package: Package
    file: str
    top: ET.Element
    system: ET.Element
    units: dict[str, ShownUnit]
    enumerations: dict[str, dict[str, int]]

    @classmethod
    def of(cls, package: Package, file: str) -> _Document:
        top = package.xml(file)
        if top.tag != f"{SSD}SystemStructureDescription":
            raise package.error(f"{file} is not a SystemStructureDescription of SSP, but '{top.tag}'")
        version = top.get("version", "")
        if not version.startswith(("1.", "2.")):
            raise package.error(f"{file} is of version '{version}'; SSP 1.0 and 2.0 can be read")
        system = top.find(f"{SSD}System")
        if system is None:
            raise package.error(f"{file} has no System")
        try:
            units = read_units(top.find(f"{SSD}Units"))
            enumerations = read_enumerations(top.find(f"{SSD}Enumerations"))
        except ValueError as problem:
            raise package.error(f"a definition in {file} cannot be read: {problem}") from None
        return cls(package, file, top, system, units, enumerations)


@dataclass(frozen=True)
class _Reader:
    document: _Document
    fmus: Fmus
    counter: _Counter
    around: tuple[tuple[object, ...], ...] = field(default=())
    """What the packages and definitions are that this one lies in."""

    @property
    def package(self) -> Package:
        """The package of the document."""
        return self.document.package

    def system(self, node: ET.Element, around: str, name: str | None = None) -> SystemNode:
        """A system, which may be called otherwise where it is used. `around`: path of the system that it lies in."""
        own = self.own(node)
        name = own.name if name is None else name
        here = f"{around}.{name}" if around else name
        elements: dict[str, Element] = {}
        for child in node.findall(f"{SSD}Elements/*"):
            element = self.element(child, here)
            if element.name in elements:
                raise self.package.error(f"system '{here}' has two elements called '{element.name}'")
            elements[element.name] = element
        dictionaries = dict(self.dictionary(child, here) for child in node.findall(f"{SSD}SignalDictionaries/*"))
        system = SystemNode(name, own.description, own.connectors, own.bindings, elements, dictionaries=dictionaries)
        connections = tuple(
            self.connection(child, system, here) for child in node.findall(f"{SSD}Connections/{SSD}Connection")
        )
        self.note_settings(node, elements)
        return replace(system, connections=connections, outputs=tuple(self.noted(node, system)))

    def element(self, node: ET.Element, system: str) -> Element:
        self.counter.elements += 1
        if self.counter.elements > MOST:
            raise self.package.error(f"its systems have more than {MOST:,} elements")
        if node.tag == f"{SSD}System":
            return self.system(node, system)
        if node.tag == f"{SSD}Component":
            return self.component(node, system)
        if node.tag == f"{SSD}SignalDictionaryReference":
            own = self.own(node)
            return DictionaryNode(own.name, own.description, own.connectors, own.bindings, node.get("dictionary", ""))
        what = node.tag.rpartition("}")[2]
        raise self.package.error(f"'{node.get('name', '')}' in system '{system}' is a {what}, which SSP does not have")

    def own(self, node: ET.Element, source: str | None = None) -> Element:
        """What all elements have. `source`: the file of a component, in which bindings may lie."""
        name = node.get("name", "")
        connectors = {}
        for child in node.findall(f"{SSD}Connectors/{SSD}Connector"):
            connector = self.connector(child, name)
            connectors[connector.name] = connector
        bindings = tuple(
            binding
            for child in node.findall(f"{SSD}ParameterBindings/{SSD}ParameterBinding")
            if (binding := self.binding(child, name, source)) is not None
        )
        return Element(name, node.get("description", ""), connectors, bindings)

    def connector(self, node: ET.Element, owner: str) -> Connector:
        name, kind, unit, items = node.get("name", ""), "", None, None
        shape: list[int | str | None] = []
        for child in node:
            tag = child.tag.removeprefix(SSC)
            if tag == "Dimension":
                try:
                    shape.append(
                        dimension(child.get("size", "")) if "size" in child.attrib else child.get("sizeConnector")
                    )
                    bounded([size for size in shape if isinstance(size, int)])
                except ValueError as problem:
                    raise self.package.error(f"connector '{name}' of '{owner}' has {problem}") from None
            elif tag != child.tag and not kind:
                kind, unit = tag, child.get("unit")
                items = self.document.enumerations.get(child.get("name", "")) if tag == "Enumeration" else None
        return Connector(
            name, node.get("kind", ""), kind, conversion_of(unit, self.document.units), tuple(shape), items
        )

    # --- components -------------------------------------------------------------------------------------------------

    def component(self, node: ET.Element, system: str) -> Element:
        name = node.get("name", "")
        kind = node.get("type", FMU_TYPE)
        where = f"component '{name}' of system '{system}'"
        source = node.get("source")
        if kind not in (FMU_TYPE, PACKAGE_TYPE, DEFINITION_TYPE):
            raise self.package.error(
                f"{where} is of type '{kind}'; only FMUs, '{FMU_TYPE}', and systems, '{PACKAGE_TYPE}' and "
                f"'{DEFINITION_TYPE}', can be read"
            )
        if not source:
            raise self.package.error(f"{where} has no source: it is a placeholder without an FMU")
        if kind != FMU_TYPE:
            return self.referred(node, system, where, source)
        asked = node.get("implementation", "any")
        if asked not in _INTERFACES:
            raise self.package.error(
                f"{where} wants its FMU to be used as '{asked}'; only CoSimulation and ModelExchange can be"
            )
        file = self.package.resolve(source, where)
        own = self.own(node, file)
        made = ComponentNode(
            own.name, own.description, own.connectors, own.bindings, file, self.package, _INTERFACES[asked]
        )
        if any(connector.kind == legality.ANY_KIND for connector in own.connectors.values()):
            known = self.fmus.variables(made, f"{system}.{name}")
            kinds = {key: known[key][1].causality for key in own.connectors if key in known}
            changed = {
                key: replace(connector, kind=kinds.get(key, connector.kind))
                if connector.kind == legality.ANY_KIND else connector
                for key, connector in own.connectors.items()
            }  # fmt: skip
            made = replace(made, connectors=changed)
        return made

    def referred(self, node: ET.Element, system: str, where: str, source: str) -> SystemNode:
        """The system that a component refers to, in its place."""
        fragment = urllib.parse.unquote(urllib.parse.urlsplit(source).fragment)
        key: tuple[object, ...]
        if source.startswith("#"):
            found = [item for item in self.document.top.iter(f"{SSD}System") if item.get("id") == fragment]
            if not found:
                raise self.package.error(f"{where} refers to '{source}', which is not the id of any system")
            document, inside = self.document, found[0]
            key = (self.package.place, self.document.file, fragment)
        else:
            file = self.package.resolve(source, where)
            if node.get("type") == PACKAGE_TYPE:
                within = self.package.within(file, where)
                document = _Document.of(within, fragment or DEFAULT)
            else:
                document = _Document.of(self.package, file)
            inside = document.system
            key = (document.package.place, document.file, "")
        if key in self.around:
            raise self.package.error(f"{where} refers to '{source}', in which it lies itself")
        if len(self.around) >= DEEPEST:
            raise self.package.error(f"{where}: systems of more than {DEEPEST} files lie within each other")
        reader = replace(self, document=document, around=(*self.around, key))
        found_system = reader.system(inside, system, node.get("name", ""))
        bindings = self.own(node).bindings  # after those of the system itself, and so before them
        return replace(found_system, bindings=found_system.bindings + bindings)

    # --- parameters and dictionaries --------------------------------------------------------------------------------

    def binding(self, node: ET.Element, owner: str, component: str | None) -> Binding | None:
        where = f"a parameter binding of '{owner}'"
        found = self.bound(node, f"{SSD}ParameterValues", where, "x-ssp-parameter-set", component)
        if found is None:
            return None
        values, file = found
        mapping = None
        child = node.find(f"{SSD}ParameterMapping")
        if child is not None:
            inner = self.bound(child, None, f"a parameter mapping of '{owner}'", "x-ssp-parameter-mapping", component)
            mapping = None if inner is None else inner[0]
        return Binding(values, self.package, mapping, node.get("prefix", ""), file, self.document.units)

    def bound(
        self, node: ET.Element, inline: str | None, where: str, kind: str, component: str | None = None
    ) -> tuple[ET.Element, str] | None:
        """The content of an element that has it inside, or refers to a file of it, and the name of the file."""
        given = node.get("type", f"application/{kind}")
        if given != f"application/{kind}":
            raise self.package.error(f"{where} is of type '{given}'; only 'application/{kind}' can be read")
        source = node.get("source")
        if not source:
            holder = node if inline is None else node.find(inline)
            return None if holder is None or not len(holder) else (holder[0], self.document.file)
        file = self.package.resolve(source, where)
        base = node.get("sourceBase", "SSD")
        if base == "SSD":
            return self.package.xml(file, where), file
        if base != "component" or component is None:
            raise self.package.error(
                f"{where} refers to '{source}' with the base '{base}'; SSD is known, and component where there is an "
                f"FMU"
            )
        content = self.fmus.read(self.package, component, file, where)
        return self.package.xml(f"{component}/{file}", content=content), f"{component}/{file}"

    def dictionary(self, node: ET.Element, system: str) -> tuple[str, dict[str, Connector]]:
        name = node.get("name", "")
        where = f"signal dictionary '{name}' of system '{system}'"
        found = self.bound(node, None, where, "x-ssp-signal-dictionary")
        if found is None:
            raise self.package.error(f"{where} has neither a source nor any content")
        top, file = found
        if top.tag != DICTIONARY:
            raise self.package.error(f"{where}: {file} holds '{top.tag}' where a SignalDictionary is wanted")
        try:
            return name, entries_of(top)
        except ValueError as problem:
            raise self.package.error(f"{where}: {problem}") from None

    # --- connections ------------------------------------------------------------------------------------------------

    def connection(self, node: ET.Element, system: SystemNode, path: str) -> Connection:
        ends = []
        for side in ("start", "end"):
            text = node.get(f"{side}Indices", "")
            try:
                indices = tuple(int(index) for index in text.split())
            except ValueError:
                raise self.package.error(f"a connection in system '{path}' has the indices '{text}'") from None
            ends.append(Endpoint(node.get(f"{side}Element") or None, node.get(f"{side}Connector", ""), indices))
        first, second = ends
        where = f"the connection from {first} to {second} in system '{path}'"
        one, other = (self.side(end, system, where) for end in ends)
        try:
            stage = read_stage(node)
        except ValueError as problem:
            raise self.package.error(f"{where}: {problem}") from None
        if legality.allowed(one, other):
            return Connection(first, second, (stage,))
        if legality.allowed(other, one):
            return Connection(second, first, (stage,))
        raise self.package.error(f"{where} connects {_forbidden(one, other)}")

    def side(self, end: Endpoint, system: SystemNode, where: str) -> legality.Side:
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
        return legality.SYSTEM if end.element is None else legality.ELEMENT, owner.connectors[end.connector].kind

    def note_settings(self, node: ET.Element, elements: dict[str, Element]) -> None:
        """What an annotation of Keelblocks says of how FMUs are run."""
        for block in node.findall(f"{SSD}Annotations/{SSC}Annotation/*/{{{NAMESPACES['keelblocks']}}}FmuBlock"):
            element = elements.get(block.get("element", ""))
            if isinstance(element, ComponentNode):
                elements[element.name] = replace(element, settings=read_settings(block.attrib))

    def noted(self, node: ET.Element, system: SystemNode) -> Iterator[NotedOutput]:
        """What an annotation of Keelblocks says of outputs."""
        for output in node.findall(f"{SSD}Annotations/{SSC}Annotation/*/{{{NAMESPACES['keelblocks']}}}Output"):
            element, first, last = output.get("element", ""), output.get("first"), output.get("last")
            if element in system.elements:
                name, port = output.get("name", ""), output.get("port", "")
                try:
                    span = None if first is None and last is None else (int(first or ""), int(last or ""))
                except ValueError:
                    span = (0, 0)
                if span is not None and not 1 <= span[0] <= span[1]:
                    raise self.package.error(
                        f"the noted output '{name}' in {self.document.file} shows the elements '{first}' to '{last}' "
                        f"of '{port}'; they are counted from 1, the first one first"
                    )
                yield NotedOutput(name, element, port, *(span or (None, None)))


def _forbidden(one: legality.Side, other: legality.Side) -> str:
    """Why two connectors cannot be connected."""
    ways = [f"a value of the {legality.described(side)} may go to the {_listed(sinks)}"
            for side in dict.fromkeys((one, other)) if (sinks := legality.sinks_of(side))]  # fmt: skip
    rest = f": {'; '.join(ways)}" if ways else ""
    return f"the {legality.described(one)} and the {legality.described(other)}, which SSP does not allow{rest}"


def _listed(sinks: Iterable[str]) -> str:
    """ "input or inout of an element, output of the system"."""
    grouped: dict[str, list[str]] = {}
    for kind, _, owner in (sink.partition(" of ") for sink in sinks):
        grouped.setdefault(owner, []).append(kind)
    return " and to the ".join(f"{' or '.join(kinds)} of {owner}" for owner, kinds in grouped.items())


def _experiment(document: _Document) -> tuple[float, float] | None:
    """Start and end of the default experiment. Raises FmuError for times that cannot be."""
    node = document.top.find(f"{SSD}DefaultExperiment")
    if node is None or "stopTime" not in node.attrib:
        return None
    try:
        start, end = float(node.get("startTime", "0")), float(node.get("stopTime", ""))
        Settings(start=start, end=end)
    except (ValueError, KeelblocksError) as problem:
        raise document.package.error(f"the default experiment in {document.file}: {problem}") from None
    return start, end


def _step(document: _Document) -> float | None:
    for tag, attribute in (
        (f"{{{NAMESPACES['oms']}}}FixedStepMaster", "stepSize"),
        (f"{{{NAMESPACES['osp']}}}FixedStepAlgorithm", "baseStepSize"),
    ):
        for element in document.top.iter(tag):
            try:
                step = float(element.get(attribute, "0"))
            except ValueError as problem:
                raise document.package.error(f"{document.file}: {problem}") from None
            if 0.0 < step < math.inf:
                return step
            if attribute in element.attrib:
                document.package.warn(f"{document.file}: {attribute} is {step:g}; it is left out, as it must be > 0 s")
    return None
