"""SystemStructure.ssd: components with connectors, connections, geometry, units and the default experiment."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from xml.etree import ElementTree as ET

from blocks.errors import ExportError
from blocks.plan.settings import Settings
from fmu.ssp.interface import Element
from fmu.ssp.parts import Exported, ExportedPart, Link
from fmu.ssp.system import End
from fmu.ssp.write import dialects
from fmu.ssp.write.geometry import Geometry
from fmu.ssp.write.xml import add_enumerations, add_units, document, root, tool_version

_PARAMETERS = ("parameter", "structuralParameter", "calculatedParameter")
"""Kinds of connectors that ports of FMUs from elsewhere may be, besides inputs and outputs."""


@dataclass(frozen=True)
class Options:
    """How a structure is written. `boundary`: whether the diagram's inputs and outputs are connectors of the system."""

    version: str
    step: float
    settings: Settings
    boundary: bool


def structure(exported: Exported, parameter_files: dict[str, str], options: Options) -> bytes:
    """The description of a system; `parameter_files` are the .ssv files by part. Raises ExportError."""
    system = exported.system
    top = root(
        "ssd:SystemStructureDescription", ("ssc", "ssd", "ssv", "oms", "osp", "keelblocks"),
        version=options.version, name=system.name, generationTool=f"Keelblocks {tool_version()}",
        **({"description": system.title} if system.title else {}),
    )  # fmt: skip
    writer = _Writer(exported, Geometry.of(system), options)
    writer.add_system(top, parameter_files)
    named = {element.get("name") for element in top.iter("ssc:Enumeration")}
    shown = [variable for part in exported.parts for variable in part.interface.variables]
    add_enumerations(top, "ssd:Enumerations", [variable for variable in shown if variable.type_name in named])
    used = {element.get("unit") for element in top.iter()}
    add_units(top, "ssd:Units", [unit for name, unit in sorted(exported.units.items()) if name in used])
    _add_experiment(top, options, system.diagram.default_experiment)
    return document(top)


def _add_experiment(top: ET.Element, options: Options, known: tuple[float, float] | None) -> None:
    """With an end in any case, which some tools need.

    If none was given, that of the file which the diagram was read from, or else that of FMPy and OMSimulator, 1 s.
    """
    start, end = options.settings.start, options.settings.end
    if known is not None and not math.isfinite(end):
        start, end = start or known[0], known[1]
    stop = end if start < end < math.inf else start + 1.0
    element = ET.SubElement(top, "ssd:DefaultExperiment", startTime=repr(start), stopTime=repr(stop))
    dialects.add_experiment_annotations(element, options.step)


@dataclass(frozen=True)
class _Writer:
    exported: Exported
    geometry: Geometry
    options: Options

    def add_system(self, top: ET.Element, parameter_files: dict[str, str]) -> None:
        system = self.exported.system
        element = ET.SubElement(top, "ssd:System", name=system.name)
        if system.title:
            element.set("description", system.title)
        if self.options.boundary:
            self._add_boundary(element)
        parts = ET.SubElement(element, "ssd:Elements")
        for part in self.exported.parts:
            self._add_part(parts, part, parameter_files.get(part.name))
        self._add_connections(element)
        dialects.add_system_annotations(
            element, self.exported, self.options.step, with_outputs=not self.options.boundary
        )

    def _add_boundary(self, element: ET.Element) -> None:
        system = self.exported.system
        both = [name for name in self.exported.inputs if name in system.outputs]
        if both:
            raise ExportError(
                f"'{both[0]}' is an input and an output of {system.diagram._called()}; connectors of an SSP system "
                f"need different names: give one of them another, or export with boundary=False"
            )
        if not (self.exported.inputs or system.outputs):
            return
        connectors = ET.SubElement(element, "ssd:Connectors")
        for name, elements in self.exported.inputs.items():
            self._add_port(connectors, None, name, self._kind(name), elements)
        for name, end in system.outputs.items():
            self._add_port(connectors, None, name, "output", self._shown(name, end))

    def _kind(self, name: str) -> str:
        """Of a connector for an input of the diagram: a parameter, if it leads to such only."""
        exported = self.exported
        wires = [wire for wire in exported.system.wires if wire.source.part is None and wire.source.port == name]
        fed = {link.input.variable.causality for wire in wires for link in exported.links(wire)}
        return "parameter" if fed == {"parameter"} else "input"

    def _add_part(self, parent: ET.Element, part: ExportedPart, parameters: str | None) -> None:
        component = part.part.component
        element = ET.SubElement(
            parent, "ssd:Component", name=part.name, type="application/x-fmu-sharedlibrary",
            source=f"resources/{part.file}", implementation=part.implementation,
        )  # fmt: skip
        wired = {
            (wire.sink, wire.port) for wire in self.exported.system.wires if wire.source.part or self.options.boundary
        }
        # An input that nothing feeds keeps the FMU's start value; FMPy fails on a connector without a connection.
        inputs = [name for name in component.input_ports if (part.part, name) in wired]
        ports = [(name, "input") for name in inputs] + [(name, "output") for name in component.output_ports]
        if ports:
            connectors = ET.SubElement(element, "ssd:Connectors")
            for name, kind in ports:
                self._add_port(connectors, part, name, kind, part.interface.port(name, kind))
        self.geometry.add_part(element, part.part)
        if parameters is not None:
            bindings = ET.SubElement(element, "ssd:ParameterBindings")
            ET.SubElement(bindings, "ssd:ParameterBinding", source=parameters)

    def _add_port(
        self, parent: ET.Element, part: ExportedPart | None, name: str, kind: str, elements: Sequence[Element]
    ) -> None:
        """A connector for each variable of a port."""
        variables = [variable for variable, _ in groupby(elements, key=lambda element: element.variable)]
        for index, variable in enumerate(variables):
            own_kind = variable.causality if part and variable.causality in _PARAMETERS else kind
            if part and variable.causality == "local":
                own_kind = "constant" if variable.variability == "constant" else "local"
            connector = ET.SubElement(parent, "ssd:Connector", name=variable.name, kind=own_kind)
            if variable.description:
                connector.set("description", variable.description)
            element = ET.SubElement(connector, f"ssc:{variable.kind}")
            if variable.unit is not None:
                element.set("unit", variable.unit)
            if variable.kind == "Enumeration":
                element.set("name", variable.type_name)
            for size in variable.shape:
                ET.SubElement(connector, "ssc:Dimension", size=str(size))
            owner = part.part if part else None
            self.geometry.add_port(connector, owner, name, kind, index, len(variables))

    def _shown(self, name: str, end: End) -> list[Element]:
        """The elements of an output of the system, typed as what they show."""
        sources = [element for _, element in self.exported.source(end)]
        variables = list(dict.fromkeys(element.variable for element in sources))
        if len(variables) == 1 and sources == list(variables[0].elements()) and variables[0].shape:
            return list(replace(variables[0], name=name).elements())
        alone = len(sources) == 1 and (end.start is not None or not sources[0].suffix)
        found = []
        for number, element in enumerate(sources, 1):
            suffix = "" if alone else f"[{number}]" if end.start is not None else element.suffix
            found.append(Element(replace(element.variable, name=name + suffix, shape=()), (), suffix))
        return found

    def _add_connections(self, element: ET.Element) -> None:
        links: list[list[Link]] = []
        for wire in self.exported.system.wires:
            if wire.source.part is not None or self.options.boundary:
                links.append(self.exported.links(wire))
        if self.options.boundary:
            for name, end in self.exported.system.outputs.items():
                shown = self._shown(name, end)
                pairs = zip(self.exported.source(end), shown, strict=True)
                links.append([Link(owner, output, None, into) for (owner, output), into in pairs])
        if not any(links):
            return
        connections = ET.SubElement(element, "ssd:Connections")
        for wire_links in links:
            for link, attributes in _connections(wire_links):
                _add_connection(connections, link, attributes)


def _add_connection(parent: ET.Element, link: Link, attributes: dict[str, str]) -> None:
    """A connection. Units are converted by the file, because not every tool does so by itself."""
    change, table = link.change, link.table
    if table is not None:
        element = ET.SubElement(parent, "ssd:Connection", attributes | {"suppressUnitConversion": "true"})
        mapping = ET.SubElement(element, "ssc:IntegerMappingTransformation")
        for source, target in table.pairs:
            ET.SubElement(mapping, "ssc:MapEntry", source=str(round(source)), target=str(round(target)))
        return
    if change == (1.0, 0.0):
        ET.SubElement(parent, "ssd:Connection", attributes)
        return
    element = ET.SubElement(parent, "ssd:Connection", attributes | {"suppressUnitConversion": "true"})
    ET.SubElement(element, "ssc:LinearTransformation", factor=repr(change[0]), offset=repr(change[1]))


def _connections(links: Sequence[Link]) -> Iterable[tuple[Link, dict[str, str]]]:
    """The attributes of the connections of a wire: one between whole arrays of one shape, else one per element."""
    start, end = links[0].output.variable, links[0].input.variable
    whole = (
        bool(start.shape)
        and start.shape == end.shape
        and [link.output for link in links] == list(start.elements())
        and [link.input for link in links] == list(end.elements())
    )
    for link in links[:1] if whole else links:
        attributes = {}
        for side, owner, element in (("start", link.source, link.output), ("end", link.sink, link.input)):
            if owner is not None:
                attributes[f"{side}Element"] = owner.name
            attributes[f"{side}Connector"] = element.variable.name
            if element.indices and not whole:
                attributes[f"{side}Indices"] = " ".join(map(str, element.indices))
        yield link, attributes
