"""From a system structure to a diagram: components become FMU blocks, systems become diagrams."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import FmuError, KeelblocksError
from fmu.ssp_read.package import Package
from fmu.ssp_read.ports import Ports, Spot, identifier, ports_of
from fmu.ssp_read.structure import ComponentNode, Connection, Element, Endpoint, Structure, SystemNode
from fmu.ssp_read.transformation import Conversion, Transformation, conversion_of, on_the_way
from fmu.ssp_read.wiring import Feed, Wirer


@dataclass(frozen=True)
class Opened:
    """An FMU as a block, and where its variables are found in its ports."""

    block: Block
    inputs: Ports
    outputs: Ports
    conversions: dict[str, Conversion] = field(default_factory=dict)
    """Units by the names of the variables."""
    values: dict[Spot, float] = field(default_factory=dict)
    """Start values of elements of inputs that the file gives."""


@dataclass
class Item:
    """An element in its diagram."""

    component: Block | Diagram
    inputs: Ports
    outputs: Ports
    conversions: dict[str, Conversion] = field(default_factory=dict)
    values: dict[Spot, float] = field(default_factory=dict)


Open = Callable[[ComponentNode, str], Opened]
"""Opens a component, given its dotted path."""


@dataclass(frozen=True)
class Builder:
    """Builds the diagrams of a structure."""

    structure: Structure
    package: Package
    open: Open

    def build(self) -> Diagram:
        """The diagram of the whole."""
        system = self.structure.system
        return self._diagram(system, "", system.name or self.structure.name)[0]

    def _diagram(self, system: SystemNode, path: str, name: str) -> tuple[Diagram, Ports, Ports]:
        diagram = Diagram(identifier(name), title=system.description)
        items: dict[str, Item] = {}
        for key, element in system.elements.items():
            item = self._item(element, f"{path}.{key}" if path else key)
            items[key] = item
            diagram.add(identifier(key, diagram.components), item.component)
        inputs, outputs = (ports_of(system.connectors, inward=inward) for inward in (True, False))
        level = _Level(self, system, path, items, inputs, outputs)
        feeds, shown = level.feeds()
        wirer = Wirer(diagram, inputs.widths)
        wirer.split_inputs(list(feeds.values()), list(shown.values()))
        for (key, port), sources in feeds.items():
            with_start = _start(items[key], port, len(sources))
            try:
                wirer.connect(items[key].component, port, sources, with_start)
            except KeelblocksError as problem:
                raise self.package.error(f"system '{path or system.name}': {problem}") from None
        for port, sources in shown.items():
            wirer.show(port, sources)
        for output in system.outputs:
            component = items[output.element].component
            if output.name and output.port in component.output_ports and output.name not in diagram.boundary_outputs:
                ref = component.port(output.port)
                if output.first is not None and output.last is not None:
                    single = output.first == output.last
                    ref = ref[output.first - 1] if single else ref[output.first - 1 : output.last]
                diagram.outputs(**{identifier(output.name): ref})
        kept_in = Ports(
            {p: w for p, w in inputs.widths.items() if p in diagram.boundary_inputs}, inputs.spots, inputs.shapes
        )
        kept_out = Ports(
            {p: w for p, w in outputs.widths.items() if p in diagram.boundary_outputs}, outputs.spots, outputs.shapes
        )
        return diagram, kept_in, kept_out

    def _item(self, element: Element, path: str) -> Item:
        if isinstance(element, SystemNode):
            return Item(*self._diagram(element, path, element.name))
        assert isinstance(element, ComponentNode)
        opened = self.open(element, path)
        return Item(opened.block, opened.inputs, opened.outputs, opened.conversions, opened.values)


@dataclass(frozen=True)
class _Level:
    """The connections of one system, element by element."""

    builder: Builder
    system: SystemNode
    path: str
    items: dict[str, Item]
    inputs: Ports
    outputs: Ports

    def feeds(self) -> tuple[dict[tuple[str, str], list[Feed | None]], dict[str, list[Feed | None]]]:
        """What feeds each input of an element, and what each output of the system shows."""
        fed: dict[tuple[str, str], list[Feed | None]] = {}
        shown: dict[str, list[Feed | None]] = {}
        for connection in self.system.connections:
            sources, sinks = self._spots(connection.source, source=True), self._spots(connection.sink, source=False)
            if len(sources) != len(sinks):
                raise self._error(connection, f"{len(sources)} elements are connected to {len(sinks)}")
            change = self._change(connection)
            element = connection.source.element
            component = None if element is None else self.items[element].component
            for (port, index), (sink_port, sink_index) in zip(sources, sinks, strict=True):
                if connection.sink.element is None:
                    slots = shown.setdefault(sink_port, [None] * self.outputs.widths[sink_port])
                else:
                    target = self.items[connection.sink.element]
                    if sink_port not in target.inputs.widths:
                        continue  # an input of a nested system that leads nowhere
                    slots = fed.setdefault(
                        (connection.sink.element, sink_port), [None] * target.inputs.widths[sink_port]
                    )
                if slots[sink_index] is not None:
                    raise self._error(connection, f"{connection.sink} has another source already")
                if component is None or port in component.output_ports:
                    slots[sink_index] = Feed(component, port, index, change)
        return fed, shown

    def _spots(self, end: Endpoint, *, source: bool) -> Sequence[Spot]:
        if end.element is None:
            ports = self.inputs if source else self.outputs
        else:
            item = self.items[end.element]
            ports = item.outputs if source else item.inputs
        spots = ports.find(end.connector, end.indices)
        if spots is None:
            owner = f"FMU of '{end.element}'" if end.element else f"system '{self.system.name}'"
            kind = "output" if source == (end.element is not None) else "input"
            raise self.builder.package.error(
                f"a connection in system '{self.path or self.system.name}' uses {end}, but the {owner} has no such "
                f"{kind}"
            )
        return spots

    def _change(self, connection: Connection) -> Transformation:
        """What happens to a value on the way."""
        if connection.transformation.table:
            raise self._error(connection, "mapping tables on connections cannot be read")
        try:
            return on_the_way(
                connection.transformation, self._conversion(connection.source), self._conversion(connection.sink),
                f"the connection from {connection.source} to {connection.sink}", convert_units=connection.convert_units,
            )  # fmt: skip
        except FmuError as problem:
            raise self.builder.package.error(str(problem)) from None

    def _conversion(self, end: Endpoint) -> Conversion:
        """The unit of a connector, as the FMU has it, or as the file says of a system."""
        if end.element is not None and end.connector in self.items[end.element].conversions:
            return self.items[end.element].conversions[end.connector]
        owner = self.system if end.element is None else self.system.elements[end.element]
        return conversion_of(owner.connectors[end.connector].unit, self.builder.structure.units)

    def _error(self, connection: Connection, text: str) -> FmuError:
        return self.builder.package.error(
            f"the connection from {connection.source} to {connection.sink} in system "
            f"'{self.path or self.system.name}': {text}"
        )


def _start(item: Item, port: str, width: int) -> list[float]:
    """The values that elements of an input have as long as nothing feeds them."""
    default = item.component.input_ports[port].default
    given = np.broadcast_to(np.asarray(0.0 if default is None else default, dtype=np.float64).reshape(-1), width)
    return [item.values.get((port, i), float(value)) for i, value in enumerate(given)]
