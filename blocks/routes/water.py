"""The water that a craft may use, out of a chart: where it is blocked, and how far it is to what blocks it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ParameterError
from blocks.routes.chart import Chart
from blocks.routes.edges import Array, Edges
from blocks.routes.feature import Feature

MOST_NODES = 90_000
"""If nothing else is said."""
_COARSEST = 0.1
"""Of the shorter side of the lattice: the greatest step that may be asked for."""
_MOST_GIVEN = 2_000_000
_LEAST_NODES = 60
"""Along the longer side."""


class Water:
    """A chart as a craft sees it that needs so much depth.

    depth: of water below chart datum that it needs, m. What is shallower blocks it as land does, and so does the end of
    the soundings, and that of the area of water.
    """

    def __init__(self, chart: Chart, depth: float) -> None:
        self.chart, self.depth = chart, depth
        self.blocked_by: list[Feature] = []
        self.limit: Feature | None = None
        for feature in chart.features:
            if feature.kind == "water":
                self.limit = feature
            elif feature.kind != "depth_area" or (feature.depth is not None and feature.depth < depth):
                self.blocked_by.append(feature)
        owners: list[str] = []
        lines: list[tuple[Array, bool, float, int]] = []
        for feature in [*self.blocked_by, *([self.limit] if self.limit is not None else [])]:
            of = f"the border of {feature.called}" if feature is self.limit else feature.called
            if feature.kind == "depth_area":
                of = f"{feature.called}, {feature.depth:g} m deep"
            for ring in feature.rings or (feature.points,):
                if feature.shape == "point":  # several of them, each by itself
                    lines += [(point[None], False, feature.radius, len(owners)) for point in ring]
                else:
                    lines.append((ring, feature.shape == "polygon", feature.radius, len(owners)))
            owners.append(of)
        if chart.soundings is not None:
            for line in chart.soundings.contours(depth):
                lines.append((line, False, 0.0, len(owners)))
            owners.append(f"water less than {depth:g} m deep")
            lines.append((chart.soundings.border, True, 0.0, len(owners)))
            owners.append("the end of the soundings")
        self.owners = owners
        self.edges = Edges.of(lines)

    def blocked(self, points: Array) -> NDArray[np.bool_]:
        """Which of the places no craft can be at, by polygons and depths; lines and points are told by distance."""
        found = np.zeros(len(points), dtype=bool)
        for feature in self.blocked_by:
            found |= feature.holds(points)
        if self.limit is not None:
            found |= ~self.limit.holds(points)
        if self.chart.soundings is not None:
            found |= ~(self.chart.soundings.at(points) >= self.depth)
        return found

    def clearance(self, points: Array) -> Array:
        """How far it is from places to what blocks, m; below zero where it is blocked. Exact."""
        away, _ = self.edges.distances(points)
        return np.where(self.blocked(points), -np.abs(away), away)

    def nearest(self, point: Array) -> str:
        """What is nearest to a place, in words."""
        if not len(self.edges):
            return "nothing"
        _, which = self.edges.distances(point[None])
        return self.owners[int(self.edges.owner[which[0]])]

    def why(self, point: Array) -> str:
        """What a place is in, in words; "" if it is in none."""
        for feature in self.blocked_by:
            if feature.holds(point[None])[0]:
                deep = f", {feature.depth:g} m deep" if feature.kind == "depth_area" else ""
                return f"in {feature.called}{deep}"
        if self.limit is not None and not self.limit.holds(point[None])[0]:
            return f"outside of {self.limit.called}"
        if self.chart.soundings is not None:
            depth = float(self.chart.soundings.at(point[None])[0])
            if np.isnan(depth):
                return "outside of the soundings"
            if depth < self.depth:
                return "on land" if depth < -9e3 else f"where it is {depth:.2g} m deep"
        away, which = self.edges.distances(point[None])
        return f"in {self.owners[int(self.edges.owner[which[0]])]}" if len(self.edges) and away[0] < 0.0 else ""


@dataclass(frozen=True)
class Lattice:
    """Nodes at equal distances, and the clearance at each.

    corner: the first node, north and east, m; step: between nodes, m; clearance: nx×ny, m, below zero where it is
    blocked, and at most as far as counts.
    """

    corner: Array
    step: float
    clearance: Array

    @property
    def shape(self) -> tuple[int, int]:
        """How many nodes there are to north and to east."""
        return (self.clearance.shape[0], self.clearance.shape[1])

    @property
    def axes(self) -> tuple[Array, Array]:
        """Where nodes are, to north and to east, m."""
        north, east = (self.corner[i] + self.step * np.arange(self.shape[i]) for i in range(2))
        return north, east

    @property
    def nodes(self) -> Array:
        """All nodes, nx·ny × 2, m."""
        return np.stack(np.meshgrid(*self.axes, indexing="ij"), axis=-1).reshape(-1, 2)

    def look_up(self, fields: Array, points: Array) -> Array:
        """Fields over the nodes, nx×ny×k, at places in between, …×2: …×k. Beyond the nodes they are as at the last."""
        last = np.array(self.shape) - 1
        at = np.clip((points - self.corner) / self.step, 0.0, last)
        low = np.minimum(at.astype(np.intp), last - 1)
        part = at - low
        number = low[..., 0] * self.shape[1] + low[..., 1]
        flat = fields.reshape(-1, fields.shape[-1])
        a, b, c, d = (flat.take(number + k, axis=0) for k in (0, 1, self.shape[1], self.shape[1] + 1))
        x, y = part[..., 0, None], part[..., 1, None]
        near = a + y * (b - a)
        return np.asarray(near + x * (c + y * (d - c) - near))


def lattice(water: Water, ends: Array, margin: float, turning_radius: float, resolution: float | None) -> Lattice:
    """The nodes over all that a way from one end to the other may use."""
    low, high = _extent(water, ends, margin, turning_radius)
    across = high - low
    step = resolution
    if step is None:
        step = max(float(np.sqrt(across.prod() / MOST_NODES)), min(margin / 3.0, float(across.max()) / _LEAST_NODES))
    if resolution is not None and step > _COARSEST * across.min():
        raise ParameterError(
            f"resolution: {step:g} m is too coarse for {across[0]:.0f} m to north and {across[1]:.0f} m to east; take "
            f"{_COARSEST * across.min():.2g} m or less"
        )
    counts = np.maximum(np.ceil(np.minimum(across / step, _MOST_GIVEN) - 1e-9).astype(int) + 1, 2)
    if counts.prod() > _MOST_GIVEN:
        raise ParameterError(
            f"resolution: with {step:g} m over {across[0]:.0f} m to north and {across[1]:.0f} m to east there are more "
            f"than {_MOST_GIVEN} nodes; take {np.sqrt(across.prod() / _MOST_GIVEN):.2g} m or more"
        )
    made = Lattice(low, step, np.zeros(counts))
    nodes = made.nodes
    if len(water.edges):
        away = water.edges.distances_near(nodes, max(0.25 * step, 1e-3 * float(across.max()) / _LEAST_NODES))
        away = np.where(water.blocked(nodes), -np.abs(away), away)
    else:
        away = np.full(len(nodes), np.inf)
    far = float(np.hypot(*across))
    return Lattice(low, step, np.clip(away, -far, far).reshape(counts))


def _extent(water: Water, ends: Array, margin: float, turning_radius: float) -> tuple[Array, Array]:
    """Where craft may go: the area of water or that of the soundings, else round all that there is."""
    bounds = [ring for ring in (water.limit.points if water.limit else None,) if ring is not None]
    if water.chart.soundings is not None:
        bounds.append(water.chart.soundings.border)
    if bounds:
        return np.max([b.min(axis=0) for b in bounds], axis=0), np.min([b.max(axis=0) for b in bounds], axis=0)
    every = np.vstack([ends, *(f.points for f in water.blocked_by)])
    low, high = every.min(axis=0), every.max(axis=0)
    thick = max([feature.radius for feature in water.blocked_by], default=0.0)
    room = 2.0 * margin + 2.0 * turning_radius + thick + 0.15 * float((high - low).max())
    return low - room, high + room
