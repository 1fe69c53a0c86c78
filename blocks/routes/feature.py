"""What stands in a chart: land, obstacles, areas that are forbidden or shallow, and the water that is safe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from blocks.environment.files.field_files import quantity
from blocks.errors import ParameterError
from blocks.routes.edges import Array

KINDS = ("land", "obstacle", "no_go", "depth_area", "water")
SHAPES = ("polygon", "line", "point")
_LEAST = {"polygon": 3, "line": 2, "point": 1}


@dataclass(frozen=True, eq=False)
class Feature:
    """One thing in a chart.

    points: n×2, north and east, m: the corners of a polygon, a line or a point. kind: "land", "obstacle", "no_go",
    which no craft enters; "depth_area", which is entered by craft for which it is deep enough; "water", which no craft
    leaves, of which a chart has one at most. shape: "polygon", "line" or "point". name: for messages. depth: the least
    one in a depth area below chart datum, m. radius: by how much lines and points are thick: a breakwater, a buoy, m.
    holes: polygons in the polygon that do not belong to it.

    Raises ParameterError for an unknown kind or shape, too few points, what is no number, a negative radius, and for a
    depth area without depth.
    """

    points: Array
    kind: str = "obstacle"
    shape: str = "polygon"
    name: str = ""
    depth: float | None = None
    radius: float = 0.0
    holes: tuple[Array, ...] = ()

    def __post_init__(self) -> None:
        for what, given, known in (("kind", self.kind, KINDS), ("shape", self.shape, SHAPES)):
            if not isinstance(given, str) or given not in known:
                raise ParameterError(
                    f"{self.called}: the {what} of a feature is one of {', '.join(known)}, not {given!r}",
                    code="unknown-name", wrong=str(given), valid=known,
                )  # fmt: skip
        object.__setattr__(self, "points", _places(self.points, self.called, _LEAST[self.shape]))
        object.__setattr__(self, "holes", tuple(_places(hole, f"a hole of {self.called}", 3) for hole in self.holes))
        if self.kind in ("depth_area", "water") and self.shape != "polygon":
            raise ParameterError(f"{self.called} is of kind {self.kind}, and so must be a polygon, not a {self.shape}")
        if self.kind == "depth_area" and self.depth is None:
            raise ParameterError(f"{self.called} must have a depth: the least one in it, m")
        for name in ("depth", "radius"):
            if (value := getattr(self, name)) is not None:
                object.__setattr__(self, name, quantity(value, "m", f"{name} of {self.called}"))
        if self.radius < 0.0:
            raise ParameterError(f"radius of {self.called} must be ≥ 0 m, not {self.radius:g} m")

    @property
    def called(self) -> str:
        """What messages call it."""
        kind = {"no_go": "no-go area", "depth_area": "depth area"}.get(str(self.kind), str(self.kind))
        return f"{kind} '{self.name}'" if self.name else f"{'an' if kind == 'obstacle' else 'a'} {kind}"

    @property
    def rings(self) -> tuple[Array, ...]:
        """The polygon and its holes; none of a line or point."""
        return (self.points, *self.holes) if self.shape == "polygon" else ()

    def holds(self, points: Array) -> np.ndarray:
        """Which of the points lie within the polygon, its border apart; those near a line are told by distance."""
        from matplotlib.path import Path

        within = np.zeros(len(points), dtype=bool)
        for ring in self.rings:
            low, high = ring.min(axis=0), ring.max(axis=0)
            near = np.flatnonzero(((points >= low) & (points <= high)).all(axis=1))
            within[near] ^= Path(np.vstack([ring, ring[:1]])).contains_points(points[near])
        return within


def _places(points: ArrayLike | Sequence[Sequence[float]], called: str, least: int) -> Array:
    try:
        found = np.array(points, dtype=np.float64, ndmin=2)
    except (TypeError, ValueError):
        raise ParameterError(f"{called}: points must be n×2 numbers, north and east, m") from None
    if found.ndim != 2 or found.shape[1] != 2:
        raise ParameterError(f"{called}: points must be n×2, north and east, m, not {'×'.join(map(str, found.shape))}")
    if not np.isfinite(found).all():
        raise ParameterError(f"{called}: point {int(np.argmin(np.isfinite(found).all(axis=1))) + 1} is no number")
    if len(found) > 1 and np.array_equal(found[0], found[-1]) and least == 3:
        found = found[:-1]
    if len(found) < least:
        raise ParameterError(f"{called}: at least {least} points are needed, and there are {len(found)}")
    return found
