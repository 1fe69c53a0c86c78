"""A detail of tracks that lie so close together that one sees no difference: where they are furthest apart."""

from __future__ import annotations

import itertools

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy.spatial import cKDTree

Array = NDArray[np.float64]

_CLOSE = 0.04
"""Tracks need a detail if they are nowhere further apart than this, of the larger side of the panel."""
_POINTS = 8000
_SIDE = 0.36
"""Of the smaller side of the panel: the side of the detail."""
_WINDOW = 5.0
"""How many times as wide as the tracks are apart the detail is."""


def detail_of(tracks: list[Array], span: float) -> tuple[Array, float] | None:
    """The middle, north and east, and the side of what is to be seen larger, m; None if all can be seen as it is."""
    dense = [_dense(track) for track in tracks]
    furthest, where = 0.0, np.zeros(2)
    for one, other in itertools.combinations(dense, 2):
        distances, nearest = cKDTree(other).query(one)
        number = int(np.argmax(distances))
        if distances[number] > furthest:
            furthest, where = float(distances[number]), 0.5 * (one[number] + other[nearest[number]])
    if not 0.002 * span < furthest < _CLOSE * span:
        return None
    return where, _WINDOW * furthest


def inset(ax: Axes, everything: list[Array]) -> Axes:
    """Square axes within others, where they cover the least of what is drawn there."""
    box = ax.get_window_extent()
    width, height = (_SIDE * min(box.width, box.height) / side for side in (box.width, box.height))
    points = np.vstack([_dense(line, 800) for line in everything])
    shares = ax.transAxes.inverted().transform(ax.transData.transform(points[:, ::-1]))

    def covered(place: tuple[float, float]) -> int:
        inside = (shares >= place) & (shares <= (place[0] + width, place[1] + height))
        return int(np.count_nonzero(inside.all(axis=1)))

    places = [(x, y) for x in np.linspace(0.03, 0.97 - width, 9) for y in np.linspace(0.04, 0.94 - height, 9)]
    x, y = min(places, key=covered)
    made: Axes = ax.inset_axes((x, y, width, height))
    made.tick_params(labelsize=7.0, length=2.0, pad=1.5)
    made.set_facecolor("white")
    for spine in made.spines.values():
        spine.set_visible(True)
    return made


def _dense(track: Array, points: int = _POINTS) -> Array:
    """A track by points at equal distances along it."""
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(track, axis=0), axis=1))])
    at = np.linspace(0.0, way[-1], points)
    return np.column_stack([np.interp(at, way, track[:, 0]), np.interp(at, way, track[:, 1])])
