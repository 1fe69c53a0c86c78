"""Distances from the edges of what is charted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

Array = NDArray[np.float64]
Numbers = NDArray[np.intp]

_AT_ONCE = 2_000_000
"""Pairs of a point and an edge whose distances are computed together: 100 MB."""


@dataclass(frozen=True)
class Edges:
    """Straight edges in the horizontal plane, each from `begin` to `end`, n×2 (north, east), m.

    radius: by how much each edge is thick, n, m; owner: the number of what it belongs to, n. An edge of no length is a
    point.
    """

    begin: Array
    end: Array
    radius: Array
    owner: Numbers

    @classmethod
    def of(cls, lines: Sequence[tuple[Array, bool, float, int]]) -> Edges:
        """Edges of lines, each with its points, whether it is closed, its radius and its owner."""
        begin, end, radius, owner = [], [], [], []
        for points, closed, thick, number in lines:
            if len(points) == 1:
                first, last = points, points
            else:
                ring = (
                    np.vstack([points, points[:1]]) if closed and not np.array_equal(points[0], points[-1]) else points
                )
                first, last = ring[:-1], ring[1:]
            begin.append(first)
            end.append(last)
            radius.append(np.full(len(first), thick))
            owner.append(np.full(len(first), number, dtype=np.intp))
        if not begin:
            return cls(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0), np.zeros(0, dtype=np.intp))
        return cls(np.concatenate(begin), np.concatenate(end), np.concatenate(radius), np.concatenate(owner))

    def __len__(self) -> int:
        return len(self.begin)

    def distances(self, points: Array) -> tuple[Array, Numbers]:
        """How far each of the points is from the nearest edge, less its radius, m, and which edge that is: exact."""
        found, which = np.full(len(points), np.inf), np.zeros(len(points), dtype=np.intp)
        if not len(self):
            return found, which
        length = max(1, _AT_ONCE // len(self))
        for first, last in pairwise([*range(0, len(points), length), len(points)]):
            away = self._between(points[first:last, None], self.begin, self.end) - self.radius
            which[first:last] = away.argmin(axis=1)
            found[first:last] = away[np.arange(last - first), which[first:last]]
        return found, which

    def distances_near(self, points: Array, spacing: float) -> Array:
        """As `distances`, for many points: the nearest edge is looked for by points on it, `spacing` apart.

        Too far by spacing²/(8 d) at most, at a distance d beyond that spacing.
        """
        found = np.full(len(points), np.inf)
        for radius in np.unique(self.radius):
            mine = np.flatnonzero(self.radius == radius)
            counts = np.ceil(np.hypot(*(self.end[mine] - self.begin[mine]).T) / spacing).astype(np.intp) + 1
            edge = np.repeat(mine, counts)
            order = np.arange(len(edge)) - np.repeat(np.cumsum(counts) - counts, counts)
            part = (order / np.maximum(np.repeat(counts, counts) - 1, 1))[:, None]
            tree = cKDTree(self.begin[edge] + part * (self.end[edge] - self.begin[edge]))
            near = edge[tree.query(points)[1]]
            found = np.minimum(found, self._between(points, self.begin[near], self.end[near]) - radius)
        return found

    @staticmethod
    def _between(points: Array, begin: Array, end: Array) -> Array:
        """From points to edges, each to each as numpy broadcasts them."""
        along = end - begin
        square = (along**2).sum(axis=-1)
        part = ((points - begin) * along).sum(axis=-1) / np.where(square > 0.0, square, 1.0)
        away = points - begin - np.clip(part, 0.0, 1.0)[..., None] * along
        return np.asarray(np.hypot(away[..., 0], away[..., 1]))
