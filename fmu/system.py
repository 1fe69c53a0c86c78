"""A diagram as a system of parts that become FMUs, and the wires between them: what SSP and OSP both describe."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from blocks.block import Block
from blocks.component import Component
from blocks.diagram import Diagram, Source
from blocks.errors import ExportError, WiringError, did_you_mean
from blocks.flatten import instance_name
from fmu.carried import fmu_blocks


@dataclass(frozen=True, eq=False)
class Part:
    """A component that becomes one FMU: `name` in the system, dotted `path` in the diagram."""

    name: str
    path: str
    component: Diagram | Block


@dataclass(frozen=True)
class End:
    """Where a wire starts: elements of an output of a part, or (part None) of an input of the system."""

    part: Part | None
    port: str
    start: int | None = None
    stop: int | None = None

    def narrowed(self, start: int | None, stop: int | None) -> End:
        """A selection of this selection."""
        if start is None or stop is None:
            return self
        base = self.start or 0
        return End(self.part, self.port, base + start, base + stop)


@dataclass(frozen=True)
class Wire:
    """From elements of a source to a whole input of a part."""

    source: End
    sink: Part
    port: str


@dataclass(frozen=True)
class System:
    """What is exported: a diagram, its parts in order, their wires, and what its outputs show."""

    name: str
    diagram: Diagram
    parts: tuple[Part, ...]
    wires: tuple[Wire, ...]
    outputs: dict[str, End]

    @property
    def title(self) -> str:
        """For people."""
        return self.diagram.title or self.diagram.doc.strip().partition("\n")[0]

    @property
    def depth(self) -> int:
        """How many levels of nested diagrams are opened to get at the parts."""
        return max((part.path.count(".") for part in self.parts), default=0)


def system_of(component: Diagram | Block, subsystems: Iterable[str] | None = None, name: str | None = None) -> System:
    """The system of a diagram: each component is a part, and so are those inside diagrams of which a part was chosen.

    subsystems: dotted paths. A nested diagram stays one part unless something inside of it is named here; then all
        components of it are parts, with names such as "plant_vessel": a flat system is what every tool can read.

    A block alone makes a system of one part with all its ports. Raises ExportError for a path that does not exist.
    """
    diagram = _around(component) if isinstance(component, Block) else component
    if not diagram.components:
        raise ExportError(f"{diagram._called()} has no components to export")
    opened = _opened(diagram, subsystems or ())
    parts = _parts(diagram, opened)
    tracer = _Tracer(diagram, {id(part.component): part for part in parts})
    wires = []
    for part in parts:
        for port in part.component.input_ports:
            source = tracer.into(part.component, port)
            if source is not None:
                wires.append(Wire(source, part, port))
    outputs = {
        port: tracer.out_of(Source(ref.block, ref.name, ref.start, ref.stop), diagram)
        for port, ref in diagram.boundary_outputs.items()
    }
    return System(name or diagram.own_name or diagram.name or "system", diagram, parts, tuple(wires), outputs)


def _around(block: Block) -> Diagram:
    """A diagram of a copy of one block, with all ports of it."""
    name = block.name or instance_name(block)
    diagram = Diagram(name)
    inner = diagram.add(name, block.copy())
    diagram.inputs(**{port: inner.input_port(port) for port in inner.input_ports})
    diagram.outputs(**{port: inner.port(port) for port in inner.output_ports})
    return diagram


def _opened(diagram: Diagram, chosen: Iterable[str]) -> set[Component]:
    """The nested diagrams around the chosen parts."""
    opened: set[Component] = set()
    for path in (*chosen, *fmu_blocks(diagram)):
        try:
            component = diagram[path]
        except WiringError:
            known = list(_paths(diagram, ""))
            raise ExportError(f"no subsystem '{path}' in {diagram._called()}{did_you_mean(path, known)}") from None
        while component.parent is not None and component.parent is not diagram:
            component = component.parent
            opened.add(component)
    return opened


def _paths(diagram: Diagram, prefix: str) -> Iterable[str]:
    for name, component in diagram.components.items():
        yield prefix + name
        if isinstance(component, Diagram):
            yield from _paths(component, f"{prefix}{name}.")


def _parts(diagram: Diagram, opened: set[Component]) -> tuple[Part, ...]:
    found: list[tuple[str, Diagram | Block]] = []

    def collect(owner: Diagram, prefix: str) -> None:
        for name, component in owner.components.items():
            assert isinstance(component, (Diagram, Block))
            if isinstance(component, Diagram) and component in opened:
                collect(component, f"{prefix}{name}.")
            else:
                found.append((prefix + name, component))

    collect(diagram, "")
    names: set[str] = set()
    parts = []
    for path, component in found:
        name = _free(path.replace(".", "_"), names)
        names.add(name)
        parts.append(Part(name, path, component))
    return tuple(parts)


def _free(wanted: str, taken: set[str]) -> str:
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    return name


@dataclass(frozen=True)
class _Tracer:
    """Follows wires back to the parts, out of opened diagrams and into others."""

    top: Diagram
    parts: dict[int, Part]

    def into(self, component: Component, port: str) -> End | None:
        """What feeds an input; None if nothing does."""
        owner = component.parent
        assert isinstance(owner, Diagram)
        source = owner.wires.get((component, port))
        return None if source is None else self._source(source, owner)

    def out_of(self, source: Source, owner: Diagram) -> End:
        """Where an output of a component in `owner` comes from."""
        assert source.component is not None
        part = self.parts.get(id(source.component))
        if part is not None:
            return End(part, source.port, source.start, source.stop)
        assert isinstance(source.component, Diagram)
        ref = source.component.boundary_outputs[source.port]
        inner = self.out_of(Source(ref.block, ref.name, ref.start, ref.stop), source.component)
        return inner.narrowed(source.start, source.stop)

    def _source(self, source: Source, owner: Diagram) -> End | None:
        if source.component is not None:
            return self.out_of(source, owner)
        if owner is self.top:
            return End(None, source.port, source.start, source.stop)
        outer = self.into(owner, source.port)
        return None if outer is None else outer.narrowed(source.start, source.stop)
