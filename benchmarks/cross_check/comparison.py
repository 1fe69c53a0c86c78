"""Whether the results of a tool agree with the reference: how far they are from it, and where."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.cross_check.rules import Columns

_SAME_TIME = 1e-9
"""Of the whole duration: rounding of times that tools add up."""


@dataclass(frozen=True)
class Deviation:
    """The worst of a result. relative: to the range of its variable, as the tolerance is; 0 where bits are equal."""

    relative: float
    variable: str = ""
    time: float = 0.0
    found: float = 0.0
    expected: float = 0.0
    outside: int = 0
    of: int = 0

    @property
    def agrees(self) -> bool:
        return self.outside == 0

    def __str__(self) -> str:
        return (
            f"{self.variable} is {self.found:.6g} at {self.time:g} s, where {self.expected:.6g} is expected: "
            f"{self.relative:.2g} of its range; {self.outside} of {self.of} numbers are outside"
        )


class Incomplete(Exception):
    """Results that cannot be compared: says why."""


def compare(reference: Columns, found: Columns, tolerance: float, jumping: Collection[str] = ()) -> Deviation:
    """The worst deviation of all variables. Raises Incomplete.

    Numbers agree within `tolerance` of the range of their variable over the run; of the largest magnitude where it
    stays, of 1 where that is 0. Variables that are `jumping` may do so a row sooner or later. The first row may be
    missing, since some tools show nothing before the first step.
    """
    rows = _rows(reference["time"], found)
    worst, outside, count = Deviation(-1.0), 0, 0
    for name, expected in reference.items():
        if name == "time":
            continue
        if name not in found:
            raise Incomplete(f"there is no {name} in the results")
        table = expected.reshape(len(expected), -1)
        values = found[name].reshape(len(found[name]), -1)
        if values.shape[1] != table.shape[1]:
            raise Incomplete(f"{name} has {values.shape[1]} elements instead of {table.shape[1]}")
        if not np.isfinite(values).all():
            raise Incomplete(f"{name} is not finite")
        for i in range(table.shape[1]):
            lower, upper = _band(table[:, i], name in jumping)
            apart = np.maximum(np.maximum(lower[rows] - values[:, i], values[:, i] - upper[rows]), 0.0)
            apart /= _size(table[:, i])
            k = int(np.argmax(apart))
            outside, count = outside + int(np.sum(apart > tolerance)), count + len(apart)
            if apart[k] > worst.relative:
                called = name if table.shape[1] == 1 else f"{name}[{i + 1}]"
                here = (called, float(found["time"][k]), float(values[k, i]), float(table[rows[k], i]))
                worst = Deviation(float(apart[k]), *here)
    return Deviation(worst.relative, worst.variable, worst.time, worst.found, worst.expected, outside, count)


def _rows(times: NDArray[np.float64], found: Columns) -> NDArray[np.intp]:
    """The row of the reference for each row of the results."""
    time = found["time"]
    missing = len(times) - len(time)
    if missing not in (0, 1):
        raise Incomplete(f"{len(time)} rows instead of {len(times)}")
    off = np.abs(time - times[missing:])
    if off.max(initial=0.0) > _SAME_TIME * (times[-1] - times[0]):
        k = int(np.argmax(off))
        raise Incomplete(f"row {k + 1} is at {time[k]:.12g} s instead of {times[missing + k]:.12g}")
    return np.arange(missing, len(times))


def _band(values: NDArray[np.float64], jumping: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if not jumping:
        return values, values
    around = np.stack([values, np.r_[values[:1], values[:-1]], np.r_[values[1:], values[-1:]]])
    return around.min(axis=0), around.max(axis=0)


def _size(values: NDArray[np.float64]) -> float:
    return float(np.ptp(values)) or float(np.abs(values).max()) or 1.0
