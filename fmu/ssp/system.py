"""A diagram as a system of parts that become FMUs, and the wires between them: what SSP and OSP both describe."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from blocks.basic import Constant, Mux, Sum
from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ExportError, WiringError, did_you_mean
from blocks.model.component import Component
from blocks.model.diagram import Source
from blocks.plan.flatten import instance_name
from fmu.foreign.within import fmu_blocks
from fmu.ssp.changes import UNCHANGED, Change, Linear, joined
from fmu.ssp.on_wires import OnWire, change_of


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
    change: Change = UNCHANGED
    """What is done to the values on the way, as the ports have them."""

    def narrowed(self, start: int | None, stop: int | None) -> End:
        """A selection of this selection."""
        if start is None or stop is None:
            return self
        base = self.start or 0
        return replace(self, start=base + start, stop=base + stop)


@dataclass(frozen=True)
class Wire:
    """From elements of a source to a whole input of a part, or to the elements from `first` to before `last`."""

    source: End
    sink: Part
    port: str
    first: int | None = None
    last: int | None = None


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
    refs = {port: Source(r.block, r.name, r.start, r.stop) for port, r in diagram.boundary_outputs.items()}
    kept: set[Component] = set()
    for source in refs.values():  # an output shows an output of a part; what else it needs becomes a part
        tracer = _Tracer(diagram, _by_id(_parts(diagram, opened, kept)))
        if not tracer.is_shown(source):
            kept |= tracer.passed
    parts = _parts(diagram, opened, kept)
    tracer = _Tracer(diagram, _by_id(parts))
    wires = [wire for part in parts for port in part.component.input_ports for wire in tracer.wires(part, port)]
    outputs = {port: tracer.out_of(source)[0].end for port, source in refs.items()}
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


def _by_id(parts: Iterable[Part]) -> dict[int, Part]:
    return {id(part.component): part for part in parts}


def _parts(diagram: Diagram, opened: set[Component], kept: set[Component]) -> tuple[Part, ...]:
    """`kept`: blocks of wires that are parts all the same."""
    found: list[tuple[str, Diagram | Block]] = []

    def collect(owner: Diagram, prefix: str) -> None:
        for name, component in owner.components.items():
            assert isinstance(component, (Diagram, Block))
            if isinstance(component, Diagram) and component in opened:
                collect(component, f"{prefix}{name}.")
            elif not isinstance(component, OnWire) or component in kept:
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
class _Piece:
    """Elements of a source, as many as `width` says if that is known; or, without an end, constants."""

    end: End
    width: int | None = None
    values: tuple[float, ...] | None = None

    def cut(self, start: int, stop: int) -> _Piece:
        """Some of them."""
        values = None if self.values is None else self.values[start:stop]
        return _Piece(self.end.narrowed(start, stop), stop - start, values)


@dataclass
class _Tracer:
    """Follows wires back to the parts, out of opened diagrams and into others, and through blocks of wires."""

    top: Diagram
    parts: dict[int, Part]
    passed: set[Component] = field(default_factory=set)
    """Blocks of wires that were on the way."""

    def is_shown(self, source: Source) -> bool:
        """Whether a source is, as it is, an output of one part."""
        self.passed.clear()
        pieces = self.out_of(source)
        return len(pieces) == 1 and pieces[0].values is None and not pieces[0].end.change and bool(pieces[0].end.part)

    def wires(self, sink: Part, port: str) -> list[Wire]:
        """What feeds an input of a part; nothing where it keeps its start values."""
        pieces = self.into(sink.component, port)
        if len(pieces) == 1 and pieces[0].values is None:
            return [Wire(pieces[0].end, sink, port)]
        found, first = [], 0
        for piece in pieces:
            assert piece.width is not None
            last = first + piece.width
            if piece.values is None:
                found.append(Wire(piece.end, sink, port, first, last))
            else:
                _check_start(sink, port, piece.values, first)
            first = last
        return found

    def into(self, component: Component, port: str) -> list[_Piece]:
        """What feeds an input, piece by piece; nothing if nothing does."""
        owner = component.parent
        assert isinstance(owner, Diagram)
        source = owner.wires.get((component, port))
        if source is None:
            return []
        if source.component is not None:
            return self.out_of(source)
        if owner is self.top:
            return [_Piece(End(None, source.port, source.start, source.stop), _count(source))]
        return _selected(self.into(owner, source.port), source)

    def out_of(self, source: Source) -> list[_Piece]:
        """Where an output of a component comes from."""
        component = source.component
        assert component is not None
        part = self.parts.get(id(component))
        if part is not None:
            return [_Piece(End(part, source.port, source.start, source.stop), _count(source))]
        if isinstance(component, OnWire):
            return _selected(self.through(component), source)
        assert isinstance(component, Diagram)
        ref = component.boundary_outputs[source.port]
        return _selected(self.out_of(Source(ref.block, ref.name, ref.start, ref.stop)), source)

    def through(self, block: OnWire) -> list[_Piece]:
        """What comes out of a block of a wire."""
        assert isinstance(block, Block)
        self.passed.add(block)
        if isinstance(block, Constant):
            values = tuple(float(value) for value in np.asarray(block.value, dtype=np.float64).reshape(-1))
            return [_Piece(End(None, ""), len(values), values)]
        if isinstance(block, Mux):
            found: list[_Piece] = []
            for port, width in zip(block.input_ports, block.widths, strict=True):
                pieces = self.into(block, port)
                found += [replace(pieces[0], width=int(width))] if len(pieces) == 1 else pieces
            return found
        if isinstance(block, Sum):
            pieces, offsets = self.into(block, "in1"), self.into(block, "in2")
            values = offsets[0].values or (0.0,)
            if len(set(values)) > 1:
                raise ExportError(f"{block._called()} adds different values to elements, which no connection can do")
            change: Change | None = (Linear(1.0, values[0]),)
        else:
            pieces, change = self.into(block, next(iter(block.input_ports))), change_of(block)
        if change is None:
            raise ExportError(f"{block._called()} multiplies elements by different values, which no connection can do")
        return [replace(p, end=replace(p.end, change=joined(*p.end.change, *change))) for p in pieces]


def _count(source: Source) -> int | None:
    return None if source.start is None or source.stop is None else source.stop - source.start


def _selected(pieces: list[_Piece], source: Source) -> list[_Piece]:
    """Some elements of pieces that follow each other."""
    if source.start is None or source.stop is None:
        return pieces
    if len(pieces) == 1:
        return [pieces[0].cut(source.start, source.stop)]
    found, at = [], 0
    for piece in pieces:
        assert piece.width is not None
        start, stop = max(source.start - at, 0), min(source.stop - at, piece.width)
        if start < stop:
            found.append(piece.cut(start, stop))
        at += piece.width
    return found


def _check_start(sink: Part, port: str, values: tuple[float, ...], first: int) -> None:
    """Raise ExportError if elements that nothing feeds are not what the FMU has there by itself."""
    default = sink.component.input_ports[port].default
    given = np.asarray(0.0 if default is None else default, dtype=np.float64).reshape(-1)
    own = [float(given[0 if given.size == 1 else first + i]) for i in range(len(values))]
    if own != list(values):
        raise ExportError(
            f"elements {first + 1} to {first + len(values)} of {sink.path}.{port} are held at {list(values)}, and are "
            f"{own} by themselves: a system has no place for that but the start value of the input (initial_{port})"
        )
