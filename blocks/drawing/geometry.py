"""The finished geometry: rectangles of boxes, points of ports, lines of wires, in pixels from the top left."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from .graph import Endpoint, Graph, Mark, Node, Port

__all__ = [
    "BoundaryPort",
    "Box",
    "Layout",
    "Point",
    "PortPoint",
    "Rectangle",
    "Wire",
    "joined_at",
]

Point = tuple[float, float]
Polyline = tuple[Point, ...]


@dataclass(frozen=True)
class Rectangle:
    """From (x, y) at the top left."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height


@dataclass(frozen=True)
class PortPoint:
    """A port on the side of a box, and where wires reach it."""

    port: Port
    point: Point
    wired: bool


@dataclass(frozen=True)
class Box:
    """A node as drawn; `open` when it is a frame around its inside."""

    path: str
    node: Node
    rectangle: Rectangle
    inputs: tuple[PortPoint, ...]
    outputs: tuple[PortPoint, ...]
    open: bool

    @property
    def depth(self) -> int:
        """How many frames are around it."""
        return self.path.count(".")


@dataclass(frozen=True)
class BoundaryPort:
    """A boundary port of the graph at `path`, as drawn inside its frame; `point` is where the wires inside reach it."""

    path: str
    port: Port
    rectangle: Rectangle
    point: Point
    is_input: bool
    wired: bool


@dataclass(frozen=True)
class Wire:
    """A wire of the graph at `path`. `branches[i]` leads from the source to `sinks[i]`, in straight pieces.

    `label` is written at the source, `sink_labels[i]` where the wire arrives at `sinks[i]`. `elements[i]` is the label
    of the edge to it, wherever that is written, and `marks[i]` its mark.
    """

    path: str
    source: Endpoint
    sinks: tuple[Endpoint, ...]
    branches: tuple[Polyline, ...]
    junctions: tuple[Point, ...]
    label: str
    sink_labels: tuple[str, ...]
    elements: tuple[str, ...]
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Layout:
    """Where everything is. `boxes` are keyed by dotted path ("plant.vessel"), outer ones first; the root is `frame`.

    `origins` are where the place (0, 0) of each graph is, by its path, if that is not the upper left of its frame.
    `notes` say which places could not be kept, and why.
    """

    graph: Graph
    width: float
    height: float
    frame: Rectangle
    boxes: dict[str, Box]
    boundary: tuple[BoundaryPort, ...]
    wires: tuple[Wire, ...]
    origins: dict[str, Point]
    notes: tuple[str, ...] = ()

    def rectangle(self, path: str) -> Rectangle:
        """The rectangle of the box at the dotted path, or of the whole frame for ""; KeyError when there is none."""
        return self.boxes[path].rectangle if path else self.frame

    def origin(self, path: str) -> Point:
        """Where the place (0, 0) of the graph at the dotted path is."""
        frame = self.rectangle(path)
        return self.origins.get(path, (frame.x, frame.y))


def joined_at(branches: tuple[Polyline, ...]) -> tuple[Point, ...]:
    """Points where three or four arms of one wire meet."""
    corners = sorted({point for branch in branches for point in branch})
    pieces = {(a, b) for branch in branches for a, b in pairwise(branch)}
    joints = []
    for x, y in corners:
        arms: set[tuple[int, int]] = set()
        for a, b in pieces:
            if a[0] == x == b[0] and min(a[1], b[1]) <= y <= max(a[1], b[1]):
                arms.update((0, 1 if end[1] > y else -1) for end in (a, b) if end[1] != y)
            elif a[1] == y == b[1] and min(a[0], b[0]) <= x <= max(a[0], b[0]):
                arms.update((1 if end[0] > x else -1, 0) for end in (a, b) if end[0] != x)
        if len(arms) > 2:
            joints.append((x, y))
    return tuple(joints)
