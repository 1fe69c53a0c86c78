"""The lines on which wires may run between boxes that stand anywhere: a grid that is dense where wires have to turn.

Every port has a horizontal track. Further tracks run beside the boxes, on each of their four sides.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from . import metrics
from .geometry import Point, Polyline, Rectangle

__all__ = ["Ends", "Grid", "make_grid"]


@dataclass(frozen=True)
class Ends:
    """What one wire has to join, and the widths of the labels that stand at its ends."""

    source: Point
    sinks: tuple[Point, ...]
    label: float = 0.0
    sink_labels: tuple[float, ...] = ()
    lines: tuple[Polyline, ...] = ()  # to its sinks, where they are to stay


@dataclass
class Grid:
    """Tracks, and which steps from a node to the next one to the right or below run through a box.

    Node (column, row) has the number row * len(xs) + column.
    """

    xs: list[float]
    ys: list[float]
    closed_right: bytearray
    closed_below: bytearray
    dear_right: set[int] = field(default_factory=set)  # steps through labels
    dear_below: set[int] = field(default_factory=set)
    near: float = 0.0  # how near to a box a wire may turn

    def leaving(self, port: Point) -> int:
        """The node to the right of an output where its wire may turn first."""
        x, y = port
        first = self._node(bisect_left(self.xs, x + self.near), y)
        wanted = self._node(bisect_left(self.xs, x + metrics.CORNER + 3), y)
        return first if any(self.closed_right[first:wanted]) else wanted

    def arriving(self, port: Point) -> int:
        """The node to the left of an input where its wire may turn last; there is to be room for the arrow head."""
        x, y = port
        last = self._node(bisect_right(self.xs, x - 1.2 * self.near) - 1, y)
        wanted = self._node(bisect_right(self.xs, x - metrics.ARROW - metrics.CORNER) - 1, y)
        return last if any(self.closed_right[wanted:last]) else wanted

    def along(self, line: Polyline) -> Iterator[tuple[int, bool]]:
        """The nodes on a line, and whether it runs across or, else, up and down there."""
        for (ax, ay), (bx, by) in pairwise(line):
            left, right = bisect_left(self.xs, min(ax, bx)), bisect_right(self.xs, max(ax, bx))
            top, bottom = bisect_left(self.ys, min(ay, by)), bisect_right(self.ys, max(ay, by))
            for row in range(top, bottom):
                for column in range(left, right):
                    yield row * len(self.xs) + column, ay == by

    def _node(self, column: int, y: float) -> int:
        return bisect_left(self.ys, y) * len(self.xs) + min(max(column, 0), len(self.xs) - 1)

    def point(self, node: int) -> Point:
        """Where a node is."""
        row, column = divmod(node, len(self.xs))
        return self.xs[column], self.ys[row]


def make_grid(area: Rectangle, boxes: Sequence[Rectangle], wires: Sequence[Ends], finer: int) -> Grid:
    """The tracks in an area with boxes. `finer` 0 gives few of them, well apart; 1, 2, … ever more."""
    pitch = metrics.LANE / 2**finer
    lanes = 3 * 2**finer
    near = 0.5 * pitch
    turns = [point for wire in wires for line in wire.lines for point in line[1:-1]]
    columns, rows = _beside(boxes, lanes, pitch), _over_and_under(boxes, lanes, pitch)
    xs = _chosen(columns, {x for x, _ in turns}, 0.6 * pitch, area.x + 4, area.right - 4)
    given = {y for wire in wires for _, y in (wire.source, *wire.sinks)} | {y for _, y in turns}
    ys = _chosen(rows, given, 0.6 * pitch, area.y + metrics.FRAME_HEADER * metrics.GRID - 6, area.bottom)
    size = len(xs) * len(ys)
    grid = Grid(xs, ys, bytearray(size), bytearray(size), near=near)
    for box in boxes:
        _close(grid, _grown(box, 0.7 * near))
    for wire in wires:
        if wire.label:
            _make_dear(grid, wire.source[0] + metrics.LABEL_MARGIN, wire.source[1], wire.label)
        for (x, y), width in zip(wire.sinks, wire.sink_labels, strict=True):
            if width:
                _make_dear(grid, x - metrics.ARROW - metrics.LABEL_MARGIN - width, y, width)
    return grid


def _beside(boxes: Sequence[Rectangle], lanes: int, pitch: float) -> Iterable[float]:
    """The vertical tracks that are wanted, the most wanted first: in narrow gaps those in their middle."""
    for lane in range(lanes):
        for box in boxes:
            for side, way in ((box.x, -1), (box.right, 1)):
                room = min((gap for gap in _gaps(box, boxes, way)), default=1000.0)
                off = min(14.0 if way < 0 else 12.0, room / 2)
                if lane == 0 or off + lane * pitch < room:
                    yield side + way * (off + lane * pitch)


def _gaps(box: Rectangle, boxes: Sequence[Rectangle], way: int) -> Iterable[float]:
    """The distances to the boxes that are beside one, to its left (-1) or right (1)."""
    for other in boxes:
        gap = box.x - other.right if way < 0 else other.x - box.right
        if other is not box and gap >= 0 and other.y < box.bottom and box.y < other.bottom:
            yield gap


def _over_and_under(boxes: Sequence[Rectangle], lanes: int, pitch: float) -> Iterable[float]:
    for lane in range(lanes):
        for box in boxes:
            yield box.y - 10 - lane * pitch
            yield box.bottom + 10 + lane * pitch
    for box in boxes:  # in the middle of narrow gaps
        for other in boxes:
            if 0 < other.y - box.bottom < 20 and other.x < box.right and box.x < other.right:
                yield (box.bottom + other.y) / 2


def _chosen(wanted: Iterable[float], given: Iterable[float], apart: float, least: float, most: float) -> list[float]:
    """The given tracks, and of those that are wanted what is apart from others."""
    chosen = sorted(given)
    for track in wanted:
        place = bisect_left(chosen, track)
        if least <= track <= most and all(
            abs(other - track) >= apart for other in chosen[max(place - 1, 0) : place + 1]
        ):
            chosen.insert(place, track)
    return chosen


def _grown(box: Rectangle, by: float) -> Rectangle:
    return Rectangle(box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by)


def _close(grid: Grid, box: Rectangle) -> None:
    """Close the steps that run through a box."""
    xs, ys, wide = grid.xs, grid.ys, len(grid.xs)
    left, right = bisect_left(xs, box.x), bisect_right(xs, box.right)
    top, bottom = bisect_left(ys, box.y), bisect_right(ys, box.bottom)
    for row in range(top, bottom):
        for column in range(max(left - 1, 0), right):
            if column + 1 < wide and xs[column] < box.right and xs[column + 1] > box.x:
                grid.closed_right[row * wide + column] = 1
    for column in range(left, right):
        for row in range(max(top - 1, 0), bottom):
            if row + 1 < len(ys) and ys[row] < box.bottom and ys[row + 1] > box.y:
                grid.closed_below[row * wide + column] = 1


def _make_dear(grid: Grid, left: float, y: float, width: float) -> None:
    """Let wires keep away from a label that stands over a wire at height `y`."""
    top = y - 4 - metrics.WIRE_LABEL_SIZE
    xs, ys, wide = grid.xs, grid.ys, len(grid.xs)
    first, last = bisect_left(xs, left - 2), bisect_right(xs, left + width + 2)
    for row in range(max(bisect_left(ys, top) - 1, 0), bisect_right(ys, y)):
        if row + 1 < len(ys) and ys[row + 1] > top and ys[row] < y:
            grid.dear_below.update(row * wide + column for column in range(first, last))
        if top < ys[row] < y - 2:
            grid.dear_right.update(row * wide + column for column in range(max(first - 1, 0), last))
    row = bisect_left(ys, y)  # its own wire had better not turn up or down beneath it
    grid.dear_below.update(row * wide + column for column in range(first, last))
