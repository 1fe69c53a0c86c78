"""A drawing as data: what the SVG is written from, and what programs that draw by themselves read as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from .geometry import BoundaryPort, Box, Layout, Point, PortPoint, Rectangle, Wire
from .graph import BOUNDARY, Graph, Mark, Port
from .layout import layout
from .metrics import PLACE

__all__ = ["Drawing", "DrawnBlock", "DrawnBoundaryPort", "DrawnPort", "DrawnSink", "DrawnWire", "drawing_of"]

FORMAT = 1
"""The version of what follows, which `drawing` in the JSON gives."""


@dataclass(frozen=True)
class Carried:
    """What a port carries: type, unit (one for all elements or one for each; null: any), frame, elements by name.

    `width` is how many elements there are, null where that is decided when the diagram is planned.
    """

    signal: str = ""
    unit: str | tuple[str, ...] | None = None
    frame: str | None = None
    width: int | None = None
    elements: tuple[str, ...] = ()


@dataclass(frozen=True)
class DrawnPort:
    """A port on the side of a block: inputs on the left, outputs on the right. Wires reach it at `point`."""

    name: str
    label: str
    title: str
    side: Literal["left", "right"]
    point: Point
    wired: bool
    carries: Carried = Carried()


@dataclass(frozen=True)
class DrawnBoundaryPort:
    """An input or output of the diagram `diagram`, a small box on the inner side of its frame."""

    diagram: str
    name: str
    label: str
    title: str
    side: Literal["left", "right"]
    area: Rectangle
    point: Point
    wired: bool
    carries: Carried = Carried()


@dataclass(frozen=True)
class DrawnBlock:
    """A block, or a nested diagram: a frame around its inside when `open`, else closed.

    `path` is its dotted name, `type` what a file calls it, `title` what stands under its name, `family` what gives its
    colour. `place` is the column and row of the grid where a person put it, and `origin`, of a frame, where the place
    (0, 0) is for what stands in it.
    """

    path: str
    name: str
    type: str
    title: str
    family: str
    nested: bool
    open: bool
    area: Rectangle
    inputs: tuple[DrawnPort, ...]
    outputs: tuple[DrawnPort, ...]
    place: tuple[int, int] | None = None
    origin: Point | None = None
    mark: Mark = ""
    note: str = ""


@dataclass(frozen=True)
class DrawnSink:
    """Where a wire arrives; `points` lead there from its source, `label` is written where it arrives.

    `elements` are those of the source that go there, such as "psi"; empty: all.
    """

    block: str
    port: str
    points: tuple[Point, ...]
    elements: str = ""
    label: str = ""
    mark: Mark = ""


@dataclass(frozen=True)
class DrawnWire:
    """All that one source of the diagram `diagram` leads to. An end whose `block` is "" is the diagram's own port."""

    diagram: str
    block: str
    port: str
    sinks: tuple[DrawnSink, ...]
    junctions: tuple[Point, ...]
    label: str = ""
    carries: Carried = Carried()


@dataclass(frozen=True)
class Drawing:
    """A diagram as it is drawn. Lengths are in pixels from the upper left; `grid` is the unit of places.

    A place (column, row) is the point `origin` + `grid` * (column, row). `blocks` are in the order of their
    frames, outer ones first. `diagrams` are the nested diagrams that are closed here, each as a drawing of its own, by
    dotted name. `notes` say what was asked for and could not be drawn so.
    """

    name: str
    title: str
    path: str
    width: float
    height: float
    frame: Rectangle
    origin: Point
    blocks: tuple[DrawnBlock, ...]
    ports: tuple[DrawnBoundaryPort, ...]
    wires: tuple[DrawnWire, ...]
    diagrams: dict[str, Drawing] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    grid: int = PLACE
    drawing: int = FORMAT

    def to_data(self) -> dict[str, Any]:
        """As plain data, the version of the format first."""
        data = asdict(self)
        return {"drawing": data.pop("drawing"), **data}

    def to_json(self) -> str:
        """As JSON text: see `blocks.drawing.schema`."""
        return json.dumps(self.to_data(), ensure_ascii=False, separators=(",", ":")) + "\n"


def drawing_of(graph: Graph, *, depth: int | None = None) -> Drawing:
    """The drawing of a graph; `depth` levels of subsystems are open, those below are drawings of their own."""
    return _with_inside(drawn(layout(graph, depth=depth)), graph, "")


def _with_inside(drawing: Drawing, graph: Graph, path: str) -> Drawing:
    """With a drawing of each nested diagram that is closed."""
    closed = {block.path for block in drawing.blocks if block.nested and not block.open}
    return replace(drawing, diagrams=dict(_insides(graph, path, closed)))


def _insides(graph: Graph, path: str, closed: set[str]) -> list[tuple[str, Drawing]]:
    found: list[tuple[str, Drawing]] = []
    for node in graph.nodes:
        here = f"{path}.{node.name}" if path else node.name
        if node.children is not None and here in closed:
            inside = drawn(layout(node.children, depth=0), here)
            found.append((here, _with_inside(inside, node.children, here)))
        elif node.children is not None:
            found += _insides(node.children, here, closed)
    return found


def drawn(laid: Layout, path: str = "") -> Drawing:
    """A layout as a drawing; `path` is the dotted name of what it is a layout of."""

    def below(name: str) -> str:
        return f"{path}.{name}" if path and name else path or name

    carried = {
        (box.path, end.port.name): end.port for box in laid.boxes.values() for end in (*box.outputs,)
    } | {(f"{end.path}/", end.port.name): end.port for end in laid.boundary if end.is_input}  # fmt: skip

    def source(wire: Wire) -> Port:
        block, name = wire.source
        inner = f"{wire.path}.{block}" if wire.path else block
        return carried[f"{wire.path}/" if block == BOUNDARY else inner, name]

    return Drawing(
        laid.graph.name,
        laid.graph.title,
        path,
        laid.width,
        laid.height,
        laid.frame,
        laid.origin(""),
        tuple(_block(box, below(box.path), laid) for box in laid.boxes.values()),
        tuple(_boundary(end, below(end.path)) for end in laid.boundary),
        tuple(_wire(wire, below(wire.path), _carries(source(wire))) for wire in laid.wires),
        notes=laid.notes,
    )


def _carries(port: Port) -> Carried:
    signal = port.signal
    return Carried(signal.name, signal.unit, signal.frame, port.width, signal.labels) if signal else Carried()


def _block(box: Box, path: str, laid: Layout) -> DrawnBlock:
    node = box.node
    return DrawnBlock(
        path, node.name, node.type, node.title, node.kind, node.children is not None, box.open, box.rectangle,
        tuple(_port(end, "left") for end in box.inputs), tuple(_port(end, "right") for end in box.outputs),
        node.place, laid.origin(box.path) if box.open else None, node.mark, node.note,
    )  # fmt: skip


def _port(end: PortPoint, side: Literal["left", "right"]) -> DrawnPort:
    port = end.port
    return DrawnPort(port.name, port.text, port.title, side, end.point, end.wired, _carries(port))


def _boundary(end: BoundaryPort, diagram: str) -> DrawnBoundaryPort:
    port = end.port
    return DrawnBoundaryPort(
        diagram, port.name, port.text, port.title, "left" if end.is_input else "right", end.rectangle, end.point,
        end.wired, _carries(port),
    )  # fmt: skip


def _wire(wire: Wire, diagram: str, carries: Carried) -> DrawnWire:
    sinks = tuple(
        DrawnSink(*sink, points, elements, label, mark)
        for sink, points, elements, label, mark in zip(
            wire.sinks, wire.branches, wire.elements, wire.sink_labels, wire.marks, strict=True
        )
    )
    return DrawnWire(diagram, *wire.source, sinks, wire.junctions, wire.label, carries)
