"""Paths as a page holds them: few points that say the same, as differences in centimetres.

Source: Douglas and Peucker (1973), Algorithms for the reduction of the number of points required to represent a
digitized line or its caricature; the split that mends most comes first, until there are as many points as may be.
"""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def thinned(points: Array, most: int, tolerance: float) -> Array:
    """At most so many of the points of a path, so that no other one is farther from it than `tolerance`, if that can
    be; the first and the last are among them."""
    if len(points) <= 2:
        return points
    kept = [0, len(points) - 1]
    waiting = [_farthest(points, 0, len(points) - 1)]
    while waiting and len(kept) < most:
        away, first, at, last = heapq.heappop(waiting)
        if -away <= tolerance:
            break
        kept.append(at)
        for start, end in ((first, at), (at, last)):
            if end - start > 1:
                heapq.heappush(waiting, _farthest(points, start, end))
    return points[sorted(kept)]


def _farthest(points: Array, first: int, last: int) -> tuple[float, int, int, int]:
    """How far the farthest point between two is from the straight line that joins them, with a minus, and which."""
    start, between = points[first], points[first + 1 : last]
    along = points[last] - start
    length = float(along @ along)
    share = np.clip((between - start) @ along / length, 0.0, 1.0) if length else np.zeros(len(between))
    away = np.sum((between - start - share[:, None] * along) ** 2, axis=1)
    at = int(np.argmax(away))
    return -float(np.sqrt(away[at])), first, first + 1 + at, last


def coded(points: Array) -> list[int]:
    """North and east in turn, whole centimetres, each as the difference to the point before."""
    whole = np.rint(points * 100.0).astype(np.int64)
    return np.diff(whole, axis=0, prepend=np.zeros((1, 2), dtype=np.int64)).reshape(-1).tolist()  # type: ignore[no-any-return]
