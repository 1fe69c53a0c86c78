"""Levels that are directions: a circle of them has to close."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from blocks.study.errors import StudyError

_TURN = 2.0 * math.pi
_NEAR = 1e-9


DIRECTIONS = ("mean", "steady", "final")
"""Metrics of an angle that are an angle of that kind: two of them may be alike and a full turn apart."""


def continuous(angles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Directions, rad, without jumps by full turns: all within half a turn of the mean direction."""
    sound = angles[np.isfinite(angles)]
    middle = np.arctan2(np.sin(sound).sum(), np.cos(sound).sum())
    return np.asarray(middle + (angles - middle + np.pi) % (2.0 * np.pi) - np.pi)


def check_directions(name: str, levels: Sequence[float], circular: bool | None) -> None:
    """Raise StudyError for directions, rad, of which two are the same or that leave an uneven gap.

    With `circular` None a gap is uneven only where the levels clearly go around: it is narrower than two steps, and
    the steps are equal. Angles of more than two turns are taken for degrees without their unit.
    """
    if circular is False:
        return
    far = [level for level in levels if abs(level) > 2.0 * _TURN]
    if far:
        raise StudyError(
            f"factor '{name}': an angle without a unit is in rad, and {far[0]:.6g} rad is {_degrees(far[0])}; write "
            f"'{far[0]:.6g} deg' if it is in degrees, or say circular=False if it is meant so"
        )
    if len(levels) < 2:
        return
    wrapped = np.mod(np.asarray(levels, dtype=np.float64), _TURN)
    order = np.argsort(wrapped, kind="stable")
    ordered = wrapped[order]
    gaps = np.diff(np.append(ordered, ordered[0] + _TURN))
    same = np.flatnonzero((gaps < _NEAR) | (gaps > _TURN - _NEAR))
    if len(same):
        first, second = sorted((order[same[0]], order[(same[0] + 1) % len(order)]))
        raise StudyError(
            f"factor '{name}': {_degrees(levels[first])} and {_degrees(levels[second])} are the same direction, which "
            f"would count twice; leave one out, or say circular=False if these are no directions"
        )
    step = float(np.median(gaps))
    odd = int(np.argmax(np.abs(gaps - step)))
    if abs(gaps[odd] - step) <= 1e-6 * step:
        return
    others = np.delete(gaps, odd)
    around = np.ptp(others) <= 1e-6 * step and gaps[odd] < 1.999 * step
    if circular or (around and len(levels) > 2):
        raise StudyError(
            f"factor '{name}' does not close the circle: from {_degrees(ordered[odd])} to "
            f"{_degrees(ordered[(odd + 1) % len(ordered)])} it goes {_degrees(gaps[odd])} further, elsewhere "
            f"{_degrees(step)}; take {len(levels)} levels that are {_degrees(_TURN / len(levels))} apart, or say "
            f"circular=False if it need not close"
        )


def _degrees(angle: float) -> str:
    return f"{math.degrees(angle):.6g}°"
