"""The lines of a wire as SVG paths: each piece once, with rounded turns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from math import copysign

from . import metrics
from .geometry import Point, Polyline

__all__ = ["shortened", "smooth_path", "wire_pieces"]


def wire_pieces(branches: Sequence[Polyline], junctions: Collection[Point]) -> dict[Polyline, list[int]]:
    """A wire cut at its junctions: every piece once, and which of the branches it is part of."""
    pieces: dict[Polyline, list[int]] = {}
    for number, branch in enumerate(branches):
        piece = [branch[0]]
        for start, end in pairwise(branch):
            joints = sorted(point for point in junctions if _between(start, point, end))
            for point in (*(joints if start < end else reversed(joints)), end):
                piece.append(point)
                if point in junctions or point == branch[-1]:
                    pieces.setdefault(tuple(piece), []).append(number)
                    piece = [point]
    return pieces


def _between(a: Point, p: Point, b: Point) -> bool:
    """Whether p is on the line from a to b, but no end of it."""
    if a[0] == p[0] == b[0]:
        return min(a[1], b[1]) < p[1] < max(a[1], b[1])
    return a[1] == p[1] == b[1] and min(a[0], b[0]) < p[0] < max(a[0], b[0])


def shortened(piece: Polyline, sinks: Collection[Point]) -> Polyline:
    """The piece, ending inside the arrow head where it ends at a sink, so that the tip stays sharp."""
    if piece[-1] not in sinks:
        return piece
    x, y = piece[-1]
    return (*piece[:-1], (x - metrics.ARROW + 1, y))


def smooth_path(piece: Polyline) -> str:
    """Path data of the piece with its turns rounded."""
    x, y = piece[0]
    words = [f"M{x:g} {y:g}"]
    for before, turn, after in zip(piece, piece[1:], piece[2:], strict=False):
        enter, leave = _toward(turn, before), _toward(turn, after)
        words.append(f"L{enter[0]:g} {enter[1]:g}Q{turn[0]:g} {turn[1]:g} {leave[0]:g} {leave[1]:g}")
    x, y = piece[-1]
    words.append(f"L{x:g} {y:g}")
    return "".join(words)


def _toward(start: Point, end: Point) -> Point:
    """The point a corner radius from `start` toward `end`, or half-way when they are near."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    radius = min(metrics.CORNER, (abs(dx) + abs(dy)) / 2)
    return (start[0] + copysign(radius, dx) if dx else start[0], start[1] + copysign(radius, dy) if dy else start[1])
