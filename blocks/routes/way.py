"""What is known of a path that was found, and how guidance takes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from blocks.errors import ParameterError
from blocks.routes.bends import Bends
from blocks.routes.edges import Array

if TYPE_CHECKING:
    from blocks.routes.stream import Stream
    from blocks.routes.water import Water

SPARE = 1.02
"""Arcs of a route are so much wider than the craft must turn, so that rounding cannot ask it for a tighter one."""
_APART = 0.3
"""Poses stand farther apart than this part of the radius, for nearer ones could not be joined once they are rounded."""


@dataclass(frozen=True, eq=False)
class Way:
    """A path from start to goal.

    corners: where its straight legs meet, n×2, north and east, m. bends: how these become arcs. place: along the path,
    k×2, m; course: there, k, rad; distance: from the start, k, m; time, k, s; energy, k, J; speed: through the water,
    k, m/s; clearance: from what is charted, k, m. depth: that the craft goes at, m. turning_radius: that the path
    keeps, m; margin: the clearance that was wanted, m; objective: what was to be least.
    """

    corners: Array
    bends: Bends
    place: Array
    course: Array
    distance: Array
    time: Array
    energy: Array
    speed: Array
    clearance: Array
    depth: float
    turning_radius: float
    margin: float
    objective: str
    water: Water
    stream: Stream | None

    @property
    def length(self) -> float:
        """Of the path, m."""
        return float(self.distance[-1])

    @property
    def duration(self) -> float:
        """From start to goal, s."""
        return float(self.time[-1])

    @property
    def least_clearance(self) -> float:
        """From what is charted, m."""
        return float(self.clearance.min())

    def clearance_at(self, places: ArrayLike) -> Array:
        """How far places, n×2 or more columns, are from what is charted, n, m; below zero within it. For tracks."""
        given = np.asarray(places, dtype=np.float64)
        if given.ndim != 2 or given.shape[1] < 2:
            raise ParameterError(f"places must be n×2, north and east, m, not {'×'.join(map(str, given.shape))}")
        return self.water.clearance(given[:, :2])

    @property
    def waypoints(self) -> Array:
        """Where straight legs meet, n×3, north, east, down, m: for `LineOfSight` and its kin."""
        return np.column_stack([self.corners, np.full(len(self.corners), self.depth)])

    @property
    def poses(self) -> tuple[Array, Array]:
        """Where lines and arcs meet, n×3, m, and the courses there, rad: for `DubinsPath`. Long arcs have some more.

        Raises ParameterError for a route without a turning radius.
        """
        if self.turning_radius <= 0.0:
            raise ParameterError(
                "this route has corners, for it was found without turning_radius: follow it by line_of_sight()"
            )
        return _poses(self.corners, self.bends, self.depth)

    def waypoint_parameters(self) -> dict[str, Any]:
        """What `line_of_sight` has of the route, to 1 mm and 1 mm/s."""
        pieces = self.bends.pieces(self.corners[None])
        tangents = np.hypot(*(pieces.end[0, :-1] - self.corners[1:-1]).T)
        legs = np.hypot(*np.diff(self.corners, axis=0).T)
        radius = max(float(tangents.max(initial=0.0)), 0.5 * self.margin)
        return {
            "waypoints": _rounded(self.waypoints, 3),
            "acceptance_radius": _rounded(min(radius, 0.5 * float(legs.min())), 3),
            "cruise_speed": _rounded(self.speed.max(), 3),
        }

    def pose_parameters(self) -> dict[str, Any]:
        """What `dubins_path` has of the route, to 0.1 mm, 1 mm/s and 1e-6 rad."""
        places, courses = self.poses
        return {
            "waypoints": _rounded(places, 4),
            "headings": _rounded(courses, 6),
            "turning_radius": _rounded(self.turning_radius, 6),
            "cruise_speed": _rounded(self.speed.max(), 3),
        }

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.length:.0f} m, {clock(self.duration)}, {len(self.corners)} waypoints>"


def _poses(corners: Array, bends: Bends, depth: float) -> tuple[Array, Array]:
    pieces = bends.pieces(corners[None])
    begin, end, turn = pieces.begin[0], pieces.end[0], pieces.turn[0]
    lines = end - begin
    k = len(corners) - 2
    found: list[tuple[Array, float]] = []
    extra = k + (bends.start is not None)
    if bends.start is not None:
        found += _along(pieces.arc_begin[0, k], pieces.course[0, k], turn[k], bends.radius)
    for i, line in enumerate(lines):
        course = pieces.course[0, i] if i < k else float(np.arctan2(line[1], line[0]))
        found.append((begin[i], course))
        if i < k:
            found += _along(pieces.arc_begin[0, i], course, turn[i], bends.radius)
    if bends.goal is not None:
        found += _along(pieces.arc_begin[0, extra], pieces.course[0, extra], turn[extra], bends.radius)
        found.append((corners[-1], bends.goal))
    else:
        found.append((corners[-1], found[-1][1]))
    kept = [found[0]]
    for place, course in found[1:-1]:
        if np.hypot(*(place - kept[-1][0])) > _APART * bends.radius:
            kept.append((place, course))
    if len(kept) > 1 and np.hypot(*(found[-1][0] - kept[-1][0])) <= _APART * bends.radius:
        kept.pop()
    kept.append(found[-1])
    places = np.column_stack([np.array([place for place, _ in kept]), np.full(len(kept), depth)])
    courses = np.array([course for _, course in kept])
    return places, (courses + np.pi) % (2.0 * np.pi) - np.pi


def _along(begin: Array, course: float, turn: float, radius: float) -> list[tuple[Array, float]]:
    """Poses on an arc, from its beginning on, one to each radian, without its end."""
    count = max(1, int(np.ceil(abs(turn))))
    side = radius if turn >= 0.0 else -radius
    angles = course + turn * np.arange(count) / count
    normal = np.stack([-np.sin(angles), np.cos(angles)], axis=-1)
    first = np.array([-np.sin(course), np.cos(course)])
    return [(begin + side * (first - n), float(a)) for n, a in zip(normal, angles, strict=True)]


def _rounded(value: Any, digits: int) -> Any:
    return np.round(np.asarray(value, dtype=np.float64), digits).tolist()


def clock(seconds: float) -> str:
    """A duration in words."""
    if seconds < 120.0:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
