"""Boxes that a person moved: they stand where they were put, the rest where it would stand anyway, unless in the way.

A place counts from the upper left of a diagram's frame, in units of `metrics.PLACE`. To the left of that and above it
the frame grows. The order of ports is that of the automatic layout, so moving one box changes no other one but those
that it comes to stand on. A box that was moved is as high as its ports need, for no wire is straight by it any more.
Wires
that lead to it or are in its way are then laid anew, around all boxes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from . import metrics
from .geometry import BoundaryPort, Box, Layout, Point, Polyline, PortPoint, Rectangle, Wire, joined_at
from .graph import BOUNDARY, Endpoint, Graph
from .maze import route
from .text import header_width, text_width, title_width
from .tracks import Ends

__all__ = ["with_places"]

_SIDE_GAP, _GAP = 3 * metrics.PLACE, 2 * metrics.PLACE  # that a box keeps which makes room
_ROOM = 36  # from a box that was moved to the frame, or to the ports on it; more where many wires turn there
_MOST_LANES = 8


def with_places(laid: Layout) -> Layout:
    """The layout with the boxes of its graph where their places say."""
    return _Moving(laid).done() if _has_places(laid.graph) else laid


def _has_places(graph: Graph) -> bool:
    return any(node.place is not None or (node.children and _has_places(node.children)) for node in graph.nodes)


@dataclass
class _Frame:
    """The inside of one frame, measured from its upper left."""

    width: float
    height: float
    areas: dict[str, Rectangle]  # by name
    boundary: list[BoundaryPort]
    wires: list[Wire]
    origin: Point
    moved: bool = False

    def ends(self) -> dict[tuple[bool, str], Point]:
        """Where wires reach the frame from outside: (whether an input, name)."""
        return {
            (end.is_input, end.port.name): (0.0 if end.is_input else self.width, end.point[1]) for end in self.boundary
        }


class _Moving:
    def __init__(self, laid: Layout) -> None:
        self.laid = laid
        self.frames: dict[str, _Frame] = {}
        self.pins: dict[str, Box] = {}  # of boxes, with ends measured from their upper left
        self.notes: list[str] = []

    def done(self) -> Layout:
        """The new layout."""
        laid = self.laid
        outer = self._arrange("", laid.graph)
        corner = laid.frame.x, laid.frame.y
        boxes: dict[str, Box] = {}
        boundary: list[BoundaryPort] = []
        wires: list[Wire] = []
        origins: dict[str, Point] = {}
        for path, (x, y) in self._corners("", corner):
            frame = self.frames[path]
            origins[path] = (x + frame.origin[0], y + frame.origin[1])
            for name, area in frame.areas.items():
                box = self.pins[_below(path, name)]
                boxes[box.path] = replace(
                    box,
                    rectangle=_shifted(area, x, y),
                    inputs=_ends(box.inputs, x + area.x, y + area.y),
                    outputs=_ends(box.outputs, x + area.x, y + area.y),
                )
            boundary += (
                replace(end, rectangle=_shifted(end.rectangle, x, y), point=_moved(end.point, x, y))
                for end in frame.boundary
            )
            wires += (_shifted_wire(wire, x, y) for wire in frame.wires)
        frame_area = Rectangle(*corner, outer.width, outer.height)
        return replace(
            laid, frame=frame_area, width=frame_area.right + metrics.MARGIN, height=frame_area.bottom + metrics.MARGIN,
            boxes=boxes, boundary=tuple(boundary), wires=tuple(wires), origins=origins, notes=tuple(self.notes),
        )  # fmt: skip

    def _corners(self, path: str, corner: Point) -> Iterator[tuple[str, Point]]:
        """The upper left corners of all frames, outer ones first."""
        yield path, corner
        for name, area in self.frames[path].areas.items():
            inner = _below(path, name)
            if inner in self.frames:
                yield from self._corners(inner, (corner[0] + area.x, corner[1] + area.y))

    def _arrange(self, path: str, graph: Graph) -> _Frame:
        """Place what stands in one frame, its insides first."""
        laid = self.laid
        frame = laid.rectangle(path)
        areas: dict[str, Rectangle] = {}
        resized = False
        for node in graph.nodes:
            box = laid.boxes[_below(path, node.name)]
            area = _shifted(box.rectangle, -frame.x, -frame.y)
            x, y = box.rectangle.x, box.rectangle.y
            own = replace(box, inputs=_ends(box.inputs, -x, -y), outputs=_ends(box.outputs, -x, -y))
            if box.open and node.children is not None:
                inner = self._arrange(box.path, node.children)
                if inner.moved:
                    area = Rectangle(area.x, area.y, inner.width, inner.height)
                    own, resized = _around(own, inner), True
            if node.place is not None and not box.open:
                area, own = _plain(area, own)
            areas[node.name] = area
            self.pins[box.path] = own
        made = _Frame(
            frame.width, frame.height, areas,
            [
                replace(end, rectangle=_shifted(end.rectangle, -frame.x, -frame.y),
                        point=_moved(end.point, -frame.x, -frame.y))
                for end in laid.boundary if end.path == path
            ],
            [_shifted_wire(wire, -frame.x, -frame.y) for wire in laid.wires if wire.path == path],
            (0.0, 0.0),
        )  # fmt: skip
        if resized or any(node.place is not None for node in graph.nodes):
            self._move(path, graph, made)
        self.frames[path] = made
        return made

    def _move(self, path: str, graph: Graph, frame: _Frame) -> None:
        outside = self.laid.rectangle(path)
        before = {name: self.laid.rectangle(_below(path, name)) for name in frame.areas}
        right = outside.right - max(area.right for area in before.values())
        bottom = outside.bottom - max(area.bottom for area in before.values())
        frame.areas = self._settled(path, graph, frame.areas)
        free = {name for name, area in frame.areas.items() if area != _shifted(before[name], -outside.x, -outside.y)}
        inputs, outputs = (
            _side_room([end for end in frame.boundary if end.is_input is side]) for side in (True, False)
        )
        x = max(0.0, inputs - min((frame.areas[name].x for name in free), default=inputs))
        top = metrics.FRAME_HEADER * metrics.GRID
        y = max(0.0, top - min((frame.areas[name].y for name in free), default=top))
        frame.origin = (x, y)
        frame.areas = {name: _shifted(area, x, y) for name, area in frame.areas.items()}
        header = title_width(graph) if not path else header_width(self.laid.boxes[path].node)
        rights = [area.right + (outputs if name in free else right) for name, area in frame.areas.items()]
        frame.width = max(header + 2 * metrics.BOX_PADDING, *rights)
        lows = [area.bottom + (_ROOM if name in free else bottom) for name, area in frame.areas.items()]
        lows += [end.rectangle.bottom + y + metrics.FRAME_FOOTER * metrics.GRID for end in frame.boundary]
        frame.height = max(lows)
        frame.boundary = [_on_side(end, frame.width, y) for end in frame.boundary]
        frame.wires = [_shifted_wire(wire, x, y) for wire in frame.wires]
        frame.wires = list(self._wired(path, frame, [frame.areas[name] for name in free]))
        deepest = max((point[1] for wire in frame.wires for branch in wire.branches for point in branch), default=0.0)
        frame.height = max(frame.height, deepest + metrics.FRAME_FOOTER * metrics.GRID)
        frame.moved = True

    def _settled(self, path: str, graph: Graph, areas: dict[str, Rectangle]) -> dict[str, Rectangle]:
        """Where boxes stand: those with a place there, others where they are unless that is taken."""
        chosen: dict[str, Rectangle] = {}
        late: list[str] = []
        for node in graph.nodes:
            if node.place is None:
                continue
            column, row = node.place
            area = areas[node.name]
            wanted = Rectangle(column * metrics.PLACE, row * metrics.PLACE, area.width, area.height)
            taken = next((name for name, other in chosen.items() if _close(wanted, other, metrics.PLACE)), None)
            if taken is None:
                chosen[node.name] = wanted
                continue
            areas[node.name] = wanted
            late.append(node.name)
            self.notes.append(
                f"layout: {_below(path, node.name)} at [{column}, {row}] would stand on "
                f"{_below(path, taken)}, or touch it; it stands beside it"
            )
        rest = [node.name for node in graph.nodes if node.place is None]
        for name in (*late, *sorted(rest, key=lambda name: (areas[name].x, areas[name].y))):
            chosen[name] = _beside(areas[name], list(chosen.values()))
        return {node.name: chosen[node.name] for node in graph.nodes}

    def _wired(self, path: str, frame: _Frame, moved: list[Rectangle]) -> Iterator[Wire]:
        points: dict[tuple[bool, Endpoint], Point] = {}  # (whether a source, end)
        for name, area in frame.areas.items():
            box = self.pins[_below(path, name)]
            for is_source, ends in ((False, box.inputs), (True, box.outputs)):
                for end in ends:
                    points[is_source, (name, end.port.name)] = _moved(end.point, area.x, area.y)
        for side in frame.boundary:
            points[side.is_input, (BOUNDARY, side.port.name)] = side.point
        wires = []
        for wire in frame.wires:
            source, sinks = points[True, wire.source], tuple(points[False, sink] for sink in wire.sinks)
            joined = all(
                line[0] == source and line[-1] == sink for line, sink in zip(wire.branches, sinks, strict=True)
            )
            stays = joined and not any(_through(line, area) for line in wire.branches for area in moved)
            label, *labels = (text_width(label, metrics.WIRE_LABEL_SIZE) for label in (wire.label, *wire.sink_labels))
            wires.append(Ends(source, sinks, label, tuple(labels), wire.branches if stays else ()))
        solid = [*frame.areas.values(), *(end.rectangle for end in frame.boundary)]
        lines = route(Rectangle(0.0, 0.0, frame.width, frame.height + 1000.0), solid, wires)
        for wire, branches in zip(frame.wires, lines, strict=True):
            yield replace(wire, branches=branches, junctions=joined_at(branches))


def _side_room(ends: Sequence[BoundaryPort]) -> float:
    """What a box that was moved keeps from a side of its frame."""
    widest = max((end.rectangle.width for end in ends), default=0.0)
    return widest + _ROOM + metrics.LANE * min(len(ends), _MOST_LANES)


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _moved(point: Point, x: float, y: float) -> Point:
    return point[0] + x, point[1] + y


def _shifted(area: Rectangle, x: float, y: float) -> Rectangle:
    return Rectangle(area.x + x, area.y + y, area.width, area.height)


def _shifted_wire(wire: Wire, x: float, y: float) -> Wire:
    branches = tuple(tuple(_moved(point, x, y) for point in branch) for branch in wire.branches)
    return replace(wire, branches=branches, junctions=tuple(_moved(point, x, y) for point in wire.junctions))


def _ends(ends: Iterable[PortPoint], x: float, y: float) -> tuple[PortPoint, ...]:
    return tuple(replace(end, point=_moved(end.point, x, y)) for end in ends)


def _plain(area: Rectangle, box: Box) -> tuple[Rectangle, Box]:
    """A box as high as its ports need, with these at their least distance."""

    def stacked(ends: tuple[PortPoint, ...]) -> tuple[PortPoint, ...]:
        heights = (metrics.GRID * (metrics.HEADER + i * metrics.PORT_PITCH) for i in range(len(ends)))
        return tuple(replace(end, point=(end.point[0], height)) for end, height in zip(ends, heights, strict=True))

    inputs, outputs = stacked(box.inputs), stacked(box.outputs)
    lowest = max((end.point[1] for end in (*inputs, *outputs)), default=0.0)
    height = max(lowest + metrics.FOOTER * metrics.GRID, float(metrics.PORTLESS * metrics.GRID))
    return Rectangle(area.x, area.y, area.width, height), replace(box, inputs=inputs, outputs=outputs)


def _around(box: Box, inner: _Frame) -> Box:
    """A frame whose inside has changed its size: its ports are where those of the inside are."""
    points = inner.ends()
    inputs = (replace(end, point=points[True, end.port.name]) for end in box.inputs)
    outputs = (replace(end, point=points[False, end.port.name]) for end in box.outputs)
    return replace(box, inputs=tuple(inputs), outputs=tuple(outputs))


def _on_side(end: BoundaryPort, width: float, y: float) -> BoundaryPort:
    """A boundary port on its side of a frame that is so wide, `y` lower than it was."""
    area = end.rectangle
    x = 0.0 if end.is_input else width - area.width
    place = Rectangle(x, area.y + y, area.width, area.height)
    return replace(end, rectangle=place, point=(place.right if end.is_input else x, end.point[1] + y))


def _close(one: Rectangle, other: Rectangle, gap: float, side_gap: float | None = None) -> bool:
    """Whether two boxes are nearer to each other than that."""
    beside = gap if side_gap is None else side_gap
    return (
        one.x < other.right + beside
        and other.x < one.right + beside
        and one.y < other.bottom + gap
        and other.y < one.bottom + gap
    )


def _through(line: Polyline, area: Rectangle) -> bool:
    """Whether a line runs through a box, or too near to it."""
    return any(
        min(ax, bx) < area.right + metrics.GRID
        and max(ax, bx) > area.x - metrics.GRID
        and min(ay, by) < area.bottom + metrics.CORNER
        and max(ay, by) > area.y - metrics.CORNER
        for (ax, ay), (bx, by) in pairwise(line)
    )


def _beside(area: Rectangle, others: list[Rectangle]) -> Rectangle:
    """The place for a box that is nearest to where it is, apart from the others."""
    if not any(_close(area, other, metrics.PLACE) for other in others):
        return area
    xs = [area.x, *(x for o in others for x in (o.right + _SIDE_GAP, o.x - _SIDE_GAP - area.width))]
    ys = [area.y, *(y for o in others for y in (o.bottom + _GAP, o.y - _GAP - area.height))]
    straight = [(x, area.y) for x in xs] + [(area.x, y) for y in ys]
    for places in (straight, [(x, y) for x in xs for y in ys]):
        for x, y in sorted(places, key=lambda place: abs(place[0] - area.x) + abs(place[1] - area.y)):
            there = Rectangle(x, y, area.width, area.height)
            if not any(_close(there, other, _GAP - 1, _SIDE_GAP - 1) for other in others):
                return there
    raise AssertionError("below all others there is always room")
