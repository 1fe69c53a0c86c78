"""Residuals that are not white: the test for it, and how much wider it makes the intervals.

Least squares take every sample for a new piece of news. Where a residual resembles the one before, there are fewer of
them than samples, and (JᵀJ)⁻¹ is too small.

Sources: Ljung and Box (1978), Biometrika 65(2), eq. 1.3 (the test); Morelli and Klein (1997), Journal of Guidance,
Control, and Dynamics 20(1), 74-80 (output error with coloured residuals, (JᵀJ)⁻¹ JᵀRJ (JᵀJ)⁻¹); Brockwell and
Davis (1991), Time Series, sec. 8.1 and 9.3 (Yule and Walker, AIC).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import linalg, stats

from blocks.lab.identification.log import Array

_LAGS = 20
"""Of the test, and the highest order of the autoregression, at most."""
_LEVEL = 0.01
"""White noise fails the test as often as this."""
_FORGOTTEN = 1e-3
"""A correlation that is none any more."""
_ROUNDING = 1e-5
"""Residuals below this part of what was measured are those of a simulation without noise: rounding is left over."""


@dataclass(frozen=True)
class Colour:
    """What the residuals of an output remember. next: correlation of one with the next. covariance: at lags of 0, 1,
    2, … samples, of weighted residuals."""

    next: float
    covariance: Array


def colour_of(parts: Sequence[Array], size: float) -> Colour | None:
    """Of the residuals of one output, a part for each segment; None if they pass for white noise.

    size: of what was measured, in the same measure.
    """
    count = sum(len(part) for part in parts)
    most = min(_LAGS, count // 5)
    power = sum(float(part @ part) for part in parts) / count
    if most < 1 or not power > (_ROUNDING * size) ** 2:
        return None
    covariance = np.array([_lagged(parts, lag) / count for lag in range(most + 1)])
    correlation = covariance / power
    lags = np.arange(1, most + 1)
    statistic = count * (count + 2.0) * float(np.sum(correlation[1:] ** 2 / (count - lags)))
    if stats.chi2.sf(statistic, most) > _LEVEL:
        return None
    return Colour(float(correlation[1]), _extended(covariance, count))


def _lagged(parts: Sequence[Array], lag: int) -> float:
    return float(sum(part[lag:] @ part[: len(part) - lag] for part in parts))


def _extended(covariance: Array, count: int) -> Array:
    """Covariances of the autoregression that suits best (AIC), to where they are forgotten."""
    best, coefficients = np.inf, np.zeros(0)
    for order in range(1, len(covariance)):
        found = linalg.solve_toeplitz(covariance[:order], covariance[1 : order + 1])
        left = covariance[0] - float(found @ covariance[1 : order + 1])
        if not left > 0.0:
            break
        criterion = count * np.log(left) + 2.0 * order
        if criterion < best:
            best, coefficients = criterion, found
    order = len(coefficients)
    made = list(covariance[: order + 1])
    while len(made) < count and np.max(np.abs(made[-max(order, 1) :])) > _FORGOTTEN * covariance[0]:
        made.append(float(coefficients @ made[: -order - 1 : -1]))
    return np.array(made)


def information(columns: Array, covariance: Array) -> Array:
    """JᵀRJ of one output and segment, with the covariances of its residuals by lag."""
    made = covariance[0] * (columns.T @ columns)
    for lag in range(1, min(len(covariance), len(columns))):
        one = covariance[lag] * (columns[lag:].T @ columns[:-lag])
        made += one + one.T
    return np.asarray(made)
