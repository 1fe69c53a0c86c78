"""Dives: how long a vehicle takes to a wanted depth, and how well it then keeps it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Dive:
    """A stretch of time in which one depth is wanted. Times in s, depths in m.

    The dive ends when the error |z - wanted| first is within the tolerance. What counts is the error from where it then
    ceases to fall, until another depth is wanted. So what is left of the dive at the edge of the tolerance does not
    count, but an overshoot does, and whatever comes later.
    """

    wanted: float
    begin: float
    duration: float | None
    """Until the error was within the tolerance: 0 if it was so from the beginning, None if it never was."""
    largest_error: float | None
    """The largest error after the dive; None if it did not end."""

    @classmethod
    def of(cls, time: Array, depth: Array, wanted: float, tolerance: float) -> Dive:
        """The dive in a stretch of time in which one depth is wanted."""
        error = np.abs(depth - wanted)
        within = np.flatnonzero(error <= tolerance)
        if not within.size:
            return cls(wanted, float(time[0]), None, None)
        end = int(within[0])
        turns = np.flatnonzero(np.diff(error[end:]) >= 0.0)
        held = end + int(turns[0]) if turns.size else len(error) - 1
        return cls(wanted, float(time[0]), float(time[end] - time[0]), float(error[held:].max()))


def dives(time: Array, depth: Array, wanted: Array, tolerance: float) -> Iterator[Dive]:
    """A dive for each stretch of time in which one depth is wanted; none while it is on its way to another."""
    changes = np.flatnonzero(np.diff(wanted)) + 1
    for first, last in zip([0, *changes], [*changes, len(wanted)], strict=True):
        if last - first >= 2:
            yield Dive.of(time[first:last], depth[first:last], float(wanted[first]), tolerance)
