"""Oscillations in what was recorded of a run: errors of controllers that swing on and on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from blocks.lab.design.look import Look
from blocks.lab.design.robustness import Array

if TYPE_CHECKING:
    from blocks.run.result import Result

_ERRORS = ("error", "cross_track_error")
_SWINGS = 4
"""So many swings one after the other, each not much smaller than the one before, are an oscillation."""
_LASTING = 0.53
"""Of the swing before: with a damping ratio above 0.2 a swing is smaller."""
_REGULAR = 0.35
_SEEN = 0.02
"""Swings smaller than this part of the largest error of the run do not count."""


@dataclass(frozen=True)
class Swing:
    """An oscillation: of which output, with which period, s, from when to when, s, and by what each swing grows."""

    signal: str
    period: float
    start: float
    end: float
    growth: float

    def __str__(self) -> str:
        how = "growing" if self.growth > 1.05 else "fading slowly" if self.growth < 0.95 else "steadily"
        return f"{self.signal} oscillates, {how}, with a period of {self.period:.3g} s from {self.start:.3g} s to " + (
            f"{self.end:.3g} s"
        )


def swings_of(result: Result) -> tuple[Swing, ...]:
    """Errors of controllers and guidance that oscillate, the longest in each of them."""
    found = []
    for name in result:
        if name.rpartition(".")[2] in _ERRORS and len(result) > 2 * _SWINGS:
            values = result.values(name).reshape(len(result), -1)
            for column in values.T if values.shape[1] <= 6 else ():
                longest = max(_runs(name, result.time, column), key=lambda one: one.end - one.start, default=None)
                if longest is not None:
                    found.append(longest)
    return tuple(found)


def confirmed(swing: Swing, found: Look) -> str | None:
    """The loop that swings so by the linear system, if one does: its mode is hardly damped and has about that period.

    None is what waves, or a reference that goes to and fro, make a vehicle do.
    """
    for mode in found.modes:
        if mode.period is None or not mode.acting or not (mode.unstable or mode.ringing):
            continue
        if abs(np.log(mode.period / swing.period)) < _REGULAR:
            return min(mode.acting[:2], key=lambda name: found.margins[name].phase or np.inf)
    return None


def _runs(name: str, time: Array, values: Array) -> Iterator[Swing]:
    """Stretches in which extremes follow each other regularly."""
    if not np.all(np.isfinite(values)):
        keep = int(np.argmin(np.isfinite(values)))
        time, values = time[:keep], values[:keep]
    if len(values) < 2 * _SWINGS:
        return
    least = _SEEN * float(np.max(np.abs(values)))
    at = [0]
    for i in range(1, len(values) - 1):  # extremes that stand out from the one before
        if (values[i] - values[i - 1]) * (values[i + 1] - values[i]) <= 0.0 and values[i] != values[i + 1]:
            rises = values[i] > values[i - 1]
            if len(at) > 1 and (values[at[-1]] > values[at[-2]]) == rises:
                if (values[i] > values[at[-1]]) == rises:
                    at[-1] = i
            elif abs(values[i] - values[at[-1]]) > least:
                at.append(i)
    size, half = np.abs(np.diff(values[at])), np.diff(time[at])
    first = 0
    for k in range(1, len(size) + 1):
        lasting = (
            k < len(size)
            and size[k] > _LASTING * size[k - 1]
            and size[k] > least
            and abs(np.log(half[k] / half[k - 1])) < _REGULAR
        )
        if not lasting:
            if k - first >= _SWINGS:
                growth = float((size[k - 1] / size[first]) ** (1.0 / (k - 1 - first)))
                if growth < 2.0:
                    yield Swing(name, 2.0 * float(np.median(half[first:k])), time[at[first]], time[at[k]], growth)
            first = k
