"""From a system structure to a diagram: components become FMU blocks, systems become diagrams."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from blocks.basic import Constant
from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import FmuError, KeelblocksError
from fmu.foreign.units import ANY
from fmu.ssp.changes import Change
from fmu.ssp.read.components import Opened
from fmu.ssp.read.flow import Flow, Path
from fmu.ssp.read.package import Package
from fmu.ssp.read.parameters import numbers_of
from fmu.ssp.read.ports import Ports, Spot, group, identifier
from fmu.ssp.read.structure import (
    INPUTS,
    OUTPUTS,
    PARAMETERS,
    ComponentNode,
    Connection,
    Connector,
    Element,
    Endpoint,
    Structure,
    SystemNode,
    bounded,
    dimension,
)  # fmt: skip
from fmu.ssp.read.transformation import Place, on_the_way
from fmu.ssp.read.wiring import Feed, Wirer

_NO_NUMBERS = ("String", "Binary")


@dataclass
class Item:
    """An element in its diagram."""

    component: Block | Diagram
    inputs: Ports
    outputs: Ports
    places: dict[str, Place] = field(default_factory=dict)


Open = Callable[[ComponentNode, Path], Opened]
"""Opens a component, given its path."""


@dataclass(frozen=True)
class Builder:
    """Builds the diagrams of a structure."""

    structure: Structure
    package: Package
    flow: Flow
    open: Open

    def build(self) -> Diagram:
        """The diagram of the whole."""
        system = self.structure.system
        found = self._diagram(system, (), system.name or self.structure.name).component
        assert isinstance(found, Diagram)
        found.default_experiment = self.structure.experiment
        return found

    def _diagram(self, system: SystemNode, path: Path, name: str) -> Item:
        diagram = Diagram(identifier(name), title=system.description)
        items: dict[str, Item] = {}
        for key, element in system.elements.items():
            items[key] = self._item(element, (*path, key))
            with self._called(".".join((*path, key))):
                diagram.add(identifier(key, diagram.components), items[key].component)
        level = _Level.of(self, system, path, items, diagram)
        feeds, shown = level.feeds()
        wirer = Wirer(diagram, level.inputs.widths)
        with self._called(level.name):
            wirer.split_inputs(list(feeds.values()), list(shown.values()))
            for (key, port), sources in feeds.items():
                wirer.connect(items[key].component, port, sources, _start(items[key], port, len(sources)))
            for port, sources in shown.items():
                wirer.show(port, sources)
            self._show_noted(system, items, diagram)
        kept_in = level.inputs.only(diagram.boundary_inputs)
        kept_out = level.outputs.only(diagram.boundary_outputs)
        return Item(diagram, kept_in, kept_out, level.places)

    @contextmanager
    def _called(self, system: str) -> Iterator[None]:
        """Raise what a diagram refuses with the package and the system."""
        try:
            yield
        except FmuError:
            raise
        except KeelblocksError as problem:
            raise self.package.error(f"system '{system}': {problem}") from None

    @staticmethod
    def _show_noted(system: SystemNode, items: dict[str, Item], diagram: Diagram) -> None:
        """Outputs that the system has no connectors for."""
        for output in system.outputs:
            component = items[output.element].component
            if output.name and output.port in component.output_ports and output.name not in diagram.boundary_outputs:
                ref = component.port(output.port)
                if output.first is not None and output.last is not None:
                    single = output.first == output.last
                    ref = ref[output.first - 1] if single else ref[output.first - 1 : output.last]
                diagram.outputs(**{identifier(output.name): ref})

    def _item(self, element: Element, path: Path) -> Item:
        if isinstance(element, SystemNode):
            return self._diagram(element, path, element.name)
        assert isinstance(element, ComponentNode)
        opened = self.open(element, path)
        return Item(opened.block, opened.inputs, opened.outputs, opened.places)


@dataclass(frozen=True)
class _Level:
    """The connections of one system, element by element."""

    builder: Builder
    system: SystemNode
    path: Path
    items: dict[str, Item]
    diagram: Diagram
    inputs: Ports
    outputs: Ports
    places: dict[str, Place]
    """Of the system's own connectors."""

    @classmethod
    def of(cls, builder: Builder, system: SystemNode, path: Path, items: dict[str, Item], diagram: Diagram) -> _Level:
        level = cls(builder, system, path, items, diagram, Ports(), Ports(), {})
        level.places.update({name: level._own_place(connector) for name, connector in system.connectors.items()})
        sides = []
        for kinds in (INPUTS, OUTPUTS):
            chosen = [c for c in system.connectors.values() if c.kind in kinds or c.kind == "unspecified"]
            sides.append(group((c.name, level._shape(c)) for c in chosen))
        return cls(builder, system, path, items, diagram, sides[0], sides[1], level.places)

    @property
    def name(self) -> str:
        """The system, for messages."""
        return ".".join(self.path) or self.system.name

    def feeds(self) -> tuple[dict[tuple[str, str], list[Feed | None]], dict[str, list[Feed | None]]]:
        """What feeds each input of an element, and what each output of the system shows."""
        fed: dict[tuple[str, str], list[Feed | None]] = {}
        shown: dict[str, list[Feed | None]] = {}
        for connection in self.system.connections:
            if not self._is_wire(connection):
                continue
            sources, sinks = self._spots(connection.source, source=True), self._spots(connection.sink, source=False)
            if len(sources) != len(sinks):
                raise self._error(connection, f"{len(sources)} elements are connected to {len(sinks)}")
            change = self._change(connection)
            element = connection.source.element
            component: Block | Diagram | None = None if element is None else self.items[element].component
            if element is None and self._is_value(connection.source):
                component, sources = self._constant(connection.source, len(sources))
                if component is None:
                    continue
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

    def _is_wire(self, connection: Connection) -> bool:
        """Whether a connection is there while a system runs, and not only to give a value before."""
        source, sink = self.system.connector(connection.source), self.system.connector(connection.sink)
        if "Clock" in (source.type, sink.type):
            self.builder.package.warn(
                f"the connection from {connection.source} to {connection.sink} in system '{self.name}' is one of "
                f"clocks; it is left out, because FMUs are used without event mode here"
            )
            return False
        if connection.sink.element is None:
            return True
        if sink.kind in PARAMETERS:
            wired = self.builder.flow.wired.get((*self.path, connection.sink.element), set())
            return connection.sink.connector in wired
        return not (connection.source.element is None and self._is_value(connection.source))

    def _is_value(self, source: Endpoint) -> bool:
        """Whether a connector of the system only has a value that is given before a run."""
        wired = self.builder.flow.wired[self.path]
        return self.system.connectors[source.connector].kind in PARAMETERS and source.connector not in wired

    def _constant(self, source: Endpoint, count: int) -> tuple[Block | None, list[Spot]]:
        """The value of a parameter of the system as a block; None if it has none."""
        numbers: list[float] = []
        for given in self.builder.flow.values[self.path].get(source.connector, ()):
            try:
                numbers = numbers_of(given, f"'{source.connector}' of system '{self.name}'")
            except FmuError as problem:
                raise self.builder.package.error(str(problem)) from None
        if len(numbers) not in (1, count):
            return None, []
        value = numbers[0] if count == 1 else np.broadcast_to(np.array(numbers), count)
        name = identifier(f"{source.connector}_value", self.diagram.components)
        return self.diagram.add(name, Constant(value)), [("y", i) for i in range(count)]

    def _spots(self, end: Endpoint, *, source: bool) -> Sequence[Spot]:
        if end.element is None:
            ports = self.inputs if source else self.outputs
        else:
            item = self.items[end.element]
            ports = item.outputs if source else item.inputs
        spots = ports.find(end.connector, end.indices)
        if spots is not None:
            return spots
        where = f"a connection in system '{self.name}' uses {end}"
        kind = self.system.connector(end).type
        if kind in _NO_NUMBERS:
            raise self.builder.package.error(f"{where}, which is of type {kind}; wires of a diagram carry numbers only")
        if end.connector in ports.spots:
            raise self.builder.package.error(
                f"{where}, but '{end.connector}' has {_sized(ports.shapes.get(end.connector, ()))}"
            )
        if isinstance(self.system.elements.get(end.element or ""), SystemNode):
            return []  # a connector of a nested system that leads nowhere
        owner = f"FMU of '{end.element}'" if end.element else f"system '{self.system.name}'"
        called = "output" if source == (end.element is not None) else "input"
        raise self.builder.package.error(f"{where}, but the {owner} has no such {called}")

    def _change(self, connection: Connection) -> Change:
        """What happens to a value on the way."""
        where = f"the connection from {connection.source} to {connection.sink}"
        try:
            return on_the_way(connection.stages, self._place(connection.source), self._place(connection.sink), where)
        except FmuError as problem:
            raise self.builder.package.error(str(problem)) from None

    def _place(self, end: Endpoint) -> Place:
        """Unit and enumeration of a connector, as the FMU has it, or as the file says of a system."""
        places = self.places if end.element is None else self.items[end.element].places
        connector = self.system.connector(end)
        return places.get(end.connector) or Place(connector.unit, connector.items)

    def _own_place(self, connector: Connector) -> Place:
        """Of a connector of the system: as the file says, or else that of what it is connected to."""
        if connector.unit == ANY and connector.items is None:
            for other in self._partners(connector.name):
                place = self.items[other.element or ""].places.get(other.connector)
                if place is not None:
                    return place
        return Place(connector.unit, connector.items)

    def _shape(self, connector: Connector) -> tuple[int, ...]:
        """The size of a connector of the system, which can be handled."""
        try:
            return bounded(self._known_shape(connector))
        except ValueError as problem:
            raise self.builder.package.error(
                f"connector '{connector.name}' of system '{self.name}' has {problem}"
            ) from None

    def _known_shape(self, connector: Connector) -> tuple[int, ...]:
        """As the file says, or else that of what it is connected to. Raises ValueError for an invalid size."""
        shape = tuple(self._size(size) for size in connector.shape)
        known = [size for size in shape if size is not None]
        if len(known) == len(shape):
            return tuple(known)
        for other in self._partners(connector.name):
            item = self.items[other.element or ""]
            for ports in (item.inputs, item.outputs):
                if not other.indices and len(ports.shapes.get(other.connector, ())) == len(shape):
                    return ports.shapes[other.connector]
        raise self.builder.package.error(
            f"the size of connector '{connector.name}' of system '{self.name}' is not said, and does not follow from "
            f"what it is connected to"
        )

    def _size(self, size: int | str | None) -> int | None:
        """A dimension; that of a connector is its value, if it has one."""
        if isinstance(size, str):
            given = self.builder.flow.values[self.path].get(size, ())
            return dimension(given[0].texts[0]) if given and given[0].texts else None
        return size

    def _partners(self, connector: str) -> list[Endpoint]:
        """Connectors of elements that a connector of the system is connected to."""
        found = []
        for connection in self.system.connections:
            for one, other in ((connection.source, connection.sink), (connection.sink, connection.source)):
                if one == Endpoint(None, connector) and other.element is not None:
                    found.append(other)
        return found

    def _error(self, connection: Connection, text: str) -> FmuError:
        return self.builder.package.error(
            f"the connection from {connection.source} to {connection.sink} in system '{self.name}': {text}"
        )


def _sized(shape: tuple[int, ...]) -> str:
    return f"the size {'×'.join(map(str, shape))}" if shape else "a single element"


def _start(item: Item, port: str, width: int) -> list[float]:
    """The values that elements of an input have as long as nothing feeds them."""
    default = item.component.input_ports[port].default
    given = np.broadcast_to(np.asarray(0.0 if default is None else default, dtype=np.float64).reshape(-1), width)
    return [float(value) for value in given]
