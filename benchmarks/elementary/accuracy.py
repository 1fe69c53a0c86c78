"""How many units in the last place (ulps) a value is off the true one, by mpmath."""

from __future__ import annotations

from dataclasses import dataclass

import mpmath
import numpy as np
from mpmath import libmp

from benchmarks.elementary.functions import Function
from benchmarks.elementary.points import Array

PRECISION = 160
"""Bits of the true values: three times those of a double."""
_BEYOND = libmp.from_int(2**1024)


@dataclass(frozen=True)
class Accuracy:
    """What was found of one function: the greatest error [ulp], and where."""

    points: int
    ulps: float
    at: tuple[float, ...]
    above_half: float
    """The share of the values that are not the nearest number."""


def errors(function: Function, points: Array, found: Array) -> Array:
    """The error at each point [ulp at the true value, which below 2^-1022 is 2^-1074]; NaN where nothing is true."""
    truth = function.truth
    found_errors = np.full(len(points), np.nan)
    rows = points.tolist()
    with mpmath.workprec(PRECISION):
        for i, (row, value) in enumerate(zip(rows, found.tolist(), strict=True)):
            true = truth(*row) if isinstance(row, list) else truth(row)
            if isinstance(true, mpmath.mpf):
                found_errors[i] = _ulps(true._mpf_, value)
    return found_errors


def accuracy(function: Function, points: Array, found: Array) -> Accuracy:
    """The greatest error at these points."""
    of_each = errors(function, points, found)
    worst = int(np.nanargmax(of_each))
    share = float(np.mean(of_each[np.isfinite(of_each)] > 0.5))
    return Accuracy(len(points), float(of_each[worst]), tuple(np.atleast_1d(points[worst]).tolist()), share)


def _ulps(true: tuple[int, int, int, int], value: float) -> float:
    _, mantissa, exponent, bits = true
    if not mantissa:
        zero = true == libmp.fzero
        return 0.0 if zero and value == 0.0 else np.inf if zero else np.nan
    top = exponent + bits - 1
    if value != value:
        return np.inf
    if value in (np.inf, -np.inf):
        if top >= 1024:
            return 0.0
        value_mpf = _BEYOND if value > 0.0 else libmp.mpf_neg(_BEYOND)
    else:
        value_mpf = libmp.from_float(value)
    difference = libmp.mpf_sub(value_mpf, true, 60, "n")
    return float(abs(libmp.to_float(libmp.mpf_shift(difference, -max(min(top, 1023) - 52, -1074)))))
