"""Paths of straight lines and arcs of one radius, from corners: many at once, for a search by gradients."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from blocks.routes.edges import Array

_SHARPEST = 2.9
"""Turns beyond this, rad, are as those of it: their arcs would begin arbitrarily far from the corner."""


@dataclass(frozen=True)
class Pieces:
    """The straight lines and arcs of b paths.

    begin, end: of the m lines, b×m×2, m; room: length of each, b×m, m, below zero where the arcs at its ends overlap;
    spare: `room`, and by how much the next corner lies outside of the circle that a path with a course begins or ends
    on, m: where one of them is below zero, the path cannot be; arc_begin: where arcs begin, b×k×2, m; course: there,
    b×k, rad; turn: positive to starboard, b×k, rad.
    """

    begin: Array
    end: Array
    room: Array
    spare: Array
    arc_begin: Array
    course: Array
    turn: Array


@dataclass(frozen=True)
class Bends:
    """How a path of corners becomes lines and arcs.

    At each corner an arc of `radius`, m, touches both legs. With a course at the start, `start`, rad, the path begins
    with an arc to the side `start_side`, 1 starboard or -1 port, until it points to the first corner, or with none
    if it points there anyway; so it does, in reverse, with a course at the goal.
    """

    radius: float
    start: float | None = None
    goal: float | None = None
    start_side: int = 1
    goal_side: int = 1

    def pieces(self, corners: Array) -> Pieces:
        """Of b paths through corners, b×n×2."""
        points = corners.copy()
        extra, outside = [], []
        if self.radius > 0.0 and self.start is not None:
            turn, points[:, 0], out = _first_turn(
                corners[:, 0], corners[:, 1], self.start, self.start_side, self.radius
            )
            outside.append(out[:, None])
            extra.append((corners[:, 0], np.full(len(corners), self.start), turn))
        if self.radius > 0.0 and self.goal is not None:
            # reversed, the path leaves the goal astern, and its arc ends where the real one begins
            turn, points[:, -1], out = _first_turn(
                corners[:, -1], points[:, -2], self.goal + np.pi, -self.goal_side, self.radius
            )
            outside.append(out[:, None])
            extra.append((points[:, -1], self.goal + turn, -turn))
        legs = np.diff(points, axis=1)
        length = np.hypot(legs[..., 0], legs[..., 1])
        course = np.arctan2(legs[..., 1], legs[..., 0])
        ahead = legs / np.where(length > 0.0, length, 1.0)[..., None]
        turn = (np.diff(course, axis=1) + np.pi) % (2.0 * np.pi) - np.pi
        tangent = self.radius * np.tan(0.5 * np.minimum(np.abs(turn), _SHARPEST))
        none = np.zeros((len(points), 1))
        after, before = np.hstack([none, tangent]), np.hstack([tangent, none])
        begin = points[:, :-1] + after[..., None] * ahead
        end = points[:, 1:] - before[..., None] * ahead
        arc_begin = end[:, :-1]
        courses, turns = course[:, :-1], turn
        for place, heading, angle in extra:
            arc_begin = np.concatenate([arc_begin, place[:, None]], axis=1)
            courses = np.concatenate([courses, heading[:, None]], axis=1)
            turns = np.concatenate([turns, angle[:, None]], axis=1)
        room = length - after - before
        return Pieces(begin, end, room, np.hstack([room, *outside]), arc_begin, courses, turns)


def _first_turn(place: Array, towards: Array, course: float, side: int, radius: float) -> tuple[Array, Array, Array]:
    """The arc from a pose until it points to a place: its turn, rad, its end, how far outside that place lies, m."""
    centre = place + side * radius * np.array([-np.sin(course), np.cos(course)])
    away = towards - centre
    distance = np.hypot(away[:, 0], away[:, 1])
    far = np.maximum(distance, radius * (1.0 + 1e-9))
    along = np.sqrt(far**2 - radius**2)
    leaving = np.arctan2(away[:, 1], away[:, 0]) + side * np.arctan2(radius, along)
    turn = side * ((side * (leaving - course) + 1e-9) % (2.0 * np.pi) - 1e-9)
    end = centre - side * radius * np.stack([-np.sin(leaving), np.cos(leaving)], axis=-1)
    return turn, end, distance - radius


@dataclass(frozen=True)
class Samples:
    """Places on b paths, each for a short piece of the way: place and course, b×s×2, and its length, b×s, m."""

    place: Array
    course: Array
    length: Array


@dataclass(frozen=True)
class Sampling:
    """How many pieces each line and each arc are taken apart into; the same for all paths that are compared."""

    lines: np.ndarray
    arcs: np.ndarray

    @classmethod
    def every(cls, pieces: Pieces, radius: float, step: float) -> Sampling:
        """Pieces of `step`, m, at most, for the first path; arcs have four at least."""
        lines = np.maximum(np.ceil(np.abs(pieces.room[0]) / step), 1).astype(int)
        arcs = np.maximum(np.ceil(radius * np.abs(pieces.turn[0]) / step), 4).astype(int)
        return cls(lines, arcs if radius > 0.0 else np.zeros_like(arcs))

    def of(self, pieces: Pieces, radius: float) -> Samples:
        """The middle of each piece."""
        which, part = _parts(self.lines)
        along = pieces.end - pieces.begin
        place = pieces.begin[:, which] + part[:, None] * along[:, which]
        far = np.hypot(along[..., 0], along[..., 1])
        course = (along / np.where(far > 0.0, far, 1.0)[..., None])[:, which]
        length = (np.abs(pieces.room) / self.lines)[:, which]
        if not self.arcs.sum():
            return Samples(place, course, length)
        which, part = _parts(self.arcs)
        side = np.where(pieces.turn < 0.0, -radius, radius)
        normal = np.stack([-np.sin(pieces.course), np.cos(pieces.course)], axis=-1)
        centre = pieces.arc_begin + side[..., None] * normal
        turn = pieces.turn[:, which]
        now = pieces.course[:, which] + part * turn
        ahead = np.stack([np.cos(now), np.sin(now)], axis=-1)
        abeam = np.stack([-ahead[..., 1], ahead[..., 0]], axis=-1)
        bent = centre[:, which] - side[:, which, None] * abeam
        long = radius * np.abs(turn) / self.arcs[which]
        return Samples(
            np.concatenate([place, bent], axis=1),
            np.concatenate([course, ahead], axis=1),
            np.concatenate([length, long], axis=1),
        )


def _parts(counts: np.ndarray) -> tuple[np.ndarray, Array]:
    """For each piece the number of what it is a piece of, and where in that its middle is, from 0 to 1."""
    which = np.repeat(np.arange(len(counts)), counts)
    order = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
    return which, (order + 0.5) / counts[which]
