"""How many members go to a worker at a time, and how many of those side by side."""

from __future__ import annotations

import itertools
import math

BATCH_SECONDS = 0.25
"""What a batch takes at least, s."""
_SECONDS_PER_WORKER = 5e-3
"""Twice what a batch costs a scheduler: with more workers batches take longer, so that it has half of its time left."""
_MOST = 50_000
"""Members of a batch: what is lost when a worker is. A multiple of every number of lanes."""
_GAIN = 4.0
"""How many times as fast members go side by side as alone, or less: then a group takes as long as width/4 of them."""


def beside(count: int, workers: int, width: int) -> int:
    """How many members go side by side: as many as there are lanes, fewer where workers would have nothing to do.

    A worker that has no more to do than a group takes, by `_GAIN`, runs them one after the other.
    """
    share = math.ceil(count / workers)
    return 1 if share <= width / _GAIN else min(width, share)


def batch_size(workers: int, count: int, seconds: float, width: int = 1) -> int:
    """How many members go to a worker at a time, if one takes so many seconds; `width` of them go side by side.

    Those batches are whole groups: of the lanes that a part of a group leaves empty nobody has anything. Where there
    are few, each worker gets one group at least, and no longer four batches, of which the last ones are done together.
    """
    wanted = max(BATCH_SECONDS, workers * _SECONDS_PER_WORKER) / max(seconds, 1e-6)
    size = max(1, min(int(wanted), math.ceil(count / (4 * workers)), _MOST))
    return size if width == 1 else max(size - size % width, min(width, math.ceil(count / workers)))


def cut(count: int, size: int) -> list[range]:
    """Cut so many members into parts of `size` and what is left; half a part goes to one that would be alone."""
    firsts = list(range(0, count, size))
    if count > size > 2 and count % size == 1:
        firsts[-1] -= size // 2
    return [range(first, last) for first, last in itertools.pairwise([*firsts, count])]
