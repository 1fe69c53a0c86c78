"""The best way over a lattice, by Dijkstra's algorithm; and what is in the way where there is none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import gcd

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra

from blocks.routes.edges import Array
from blocks.routes.passage import Passage
from blocks.routes.water import Lattice

_REACH = 3
_STEPS = [
    (i, j) for i in range(-_REACH, _REACH + 1) for j in range(-_REACH, _REACH + 1) if gcd(i, j) == 1
]  # 32 courses, at most 18.4° from one to the next


@dataclass(frozen=True)
class Sea:
    """A lattice with the current at its nodes, and what a craft pays there."""

    lattice: Lattice
    north: Array
    east: Array
    passage: Passage

    @cached_property
    def fields(self) -> Array:
        """Clearance, and the current to north and to east, nx×ny×3."""
        return np.stack([self.lattice.clearance, self.north, self.east], axis=-1)

    def at(self, points: Array) -> tuple[Array, Array, Array]:
        """Clearance, m, and the current to north and to east, m/s, at places, …×2."""
        found = self.lattice.look_up(self.fields, points)
        return found[..., 0], found[..., 1], found[..., 2]

    def leg_costs(self, begin: Array, end: Array, clearance: float) -> Array:
        """What straight legs cost, k×2 to k×2: infinite where one comes nearer than `clearance`, or cannot be held."""
        away = end - begin
        length = np.hypot(away[:, 0], away[:, 1])
        count = max(2, int(np.ceil(float(length.max(initial=0.0)) / (0.5 * self.lattice.step))) + 1)
        course = away / np.where(length > 0.0, length, 1.0)[:, None]
        total = np.zeros(len(begin))
        part = (np.arange(count) + 0.5) / count
        for k in range(0, len(begin), chunk := max(1, 500_000 // count)):
            some = slice(k, k + chunk)
            points = begin[some, None] + part[:, None] * away[some, None]
            away_from, north, east = self.at(points)
            cost = self.passage.rates(course[some, None], north, east).cost.mean(axis=1) * length[some]
            near = away_from.min(axis=1) < clearance
            total[some] = np.where(near, np.inf, cost)
        return total


def best_way(sea: Sea, start: Array, goal: Array, clearance: float) -> Array | None:
    """The best way from start to goal along the lattice, places n×2 with both ends; None if there is none."""
    lattice = sea.lattice
    free = lattice.clearance >= clearance
    rows: list[NDArray[np.intp]] = []
    columns: list[NDArray[np.intp]] = []
    costs: list[Array] = []
    index = np.arange(free.size).reshape(lattice.shape)
    for i, j in _STEPS:
        here, there = _shifted(lattice.shape, i, j)
        open_ = free[here] & free[there]
        for part in (0.25, 0.5, 0.75) if max(abs(i), abs(j)) > 1 else (0.5,):  # in between, by the field itself
            open_ &= _halfway(lattice, here, i, j, part) >= clearance
        length = lattice.step * float(np.hypot(i, j))
        course = np.array([i, j]) / np.hypot(i, j)
        ends = [sea.passage.rates(course, sea.north[at], sea.east[at]).cost for at in (here, there)]
        cost = 0.5 * length * (ends[0] + ends[1])
        open_ &= np.isfinite(cost)
        rows.append(index[here][open_])
        columns.append(index[there][open_])
        costs.append(cost[open_])
    first, last = free.size, free.size + 1
    for place, number in ((start, first), (goal, last)):
        near, nodes = _around(lattice, free, place)
        legs = (np.broadcast_to(place, nodes.shape), nodes)
        cost = sea.leg_costs(*(legs if number == first else legs[::-1]), clearance)
        open_ = np.isfinite(cost) & (cost > 0.0)
        fixed = np.full(int(open_.sum()), number)
        rows.append(fixed if number == first else near[open_])
        columns.append(near[open_] if number == first else fixed)
        costs.append(cost[open_])
    direct = sea.leg_costs(start[None], goal[None], clearance)
    if np.isfinite(direct[0]):
        rows.append(np.array([first]))
        columns.append(np.array([last]))
        costs.append(direct)
    size = free.size + 2
    graph = coo_matrix((np.concatenate(costs), (np.concatenate(rows), np.concatenate(columns))), (size, size)).tocsr()
    distance, before = dijkstra(graph, indices=first, return_predecessors=True)
    if not np.isfinite(distance[last]):
        return None
    way = [last]
    while way[-1] != first:
        way.append(int(before[way[-1]]))
    inner = np.array(way[-2:0:-1], dtype=np.intp)
    nodes = lattice.corner + lattice.step * np.stack(np.unravel_index(inner, lattice.shape), axis=-1).reshape(-1, 2)
    return np.vstack([start, nodes, goal])


def _shifted(shape: tuple[int, int], i: int, j: int) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """All nodes that have a neighbour so many rows and columns on, and these neighbours."""
    here = tuple(slice(max(0, -d), n - max(0, d)) for d, n in zip((i, j), shape, strict=True))
    there = tuple(slice(max(0, d), n - max(0, -d)) for d, n in zip((i, j), shape, strict=True))
    return here, there  # type: ignore[return-value]


def _halfway(lattice: Lattice, here: tuple[slice, slice], i: int, j: int, part: float) -> Array:
    """The clearance at a part of the way to that neighbour, straight between the four nodes around."""
    field, offset = lattice.clearance, np.array([i, j]) * part
    low = np.floor(offset).astype(int)
    weight = offset - low
    found = np.zeros([s.stop - s.start for s in here])
    for di in (0, 1):
        for dj in (0, 1):
            w = (weight[0] if di else 1.0 - weight[0]) * (weight[1] if dj else 1.0 - weight[1])
            if w:
                rows, cols = (
                    slice(s.start + k, s.stop + k) for s, k in zip(here, (low[0] + di, low[1] + dj), strict=True)
                )
                found += w * field[rows, cols]
    return found


def _around(lattice: Lattice, free: NDArray[np.bool_], place: Array) -> tuple[NDArray[np.intp], Array]:
    """Free nodes near a place: their numbers, and where they are."""
    centre = np.round((place - lattice.corner) / lattice.step).astype(int)
    offsets = np.stack(np.meshgrid(*[np.arange(-_REACH, _REACH + 1)] * 2, indexing="ij"), axis=-1).reshape(-1, 2)
    at = centre + offsets
    at = at[((at >= 0) & (at < lattice.shape)).all(axis=1)]
    at = at[free[at[:, 0], at[:, 1]]]
    return np.ravel_multi_index((at[:, 0], at[:, 1]), lattice.shape), lattice.corner + lattice.step * at


def widest(field: Array, start: tuple[int, int], goal: tuple[int, int]) -> tuple[float, tuple[int, int]]:
    """The way between two nodes whose least value of a field is greatest: that value, and where it is.

    By bisection over the values: both nodes are then in one piece of what lies above.
    """
    from scipy.ndimage import binary_dilation, label

    values = np.unique(field[np.isfinite(field)])
    values = values[values <= min(field[start], field[goal])]
    low, high = 0, len(values) - 1
    around = np.ones((3, 3))
    while low < high:
        middle = (low + high + 1) // 2
        pieces, _ = label(field >= values[middle], structure=around)
        if pieces[start] == pieces[goal] and pieces[start]:
            low = middle
        else:
            high = middle - 1
    parts, _ = label(field > values[low], structure=around)
    ties, count = label(field == values[low], structure=around)
    ends = {int(parts[start]), int(parts[goal])} - {0}  # of several places it is the one that joins what is wider
    for number in range(1, min(count, 100) + 1):
        beside = binary_dilation(ties == number, structure=around)
        if ends <= set(np.unique(parts[beside]).tolist()):
            break
    places = np.argwhere(ties == number)
    row, column = places[len(places) // 2]
    return float(values[low]), (int(row), int(column))
