"""Metrics of the response to a step: from the first value of a signal to what it is to reach."""

from __future__ import annotations

import numpy as np

from blocks.metrics.definition import Array, Option, metric
from blocks.metrics.errors import MetricError

_BAND = Option(0.02, "1", "half the width of the band, as a part of the step", above=0.0)


def _progress(y: Array, reference: Array) -> Array:
    """How far the way from the first value to the last reference has been gone: 0 … 1."""
    span = float(reference[-1] - y[0])
    if abs(span) < 1e-12 * max(abs(float(reference[-1])), abs(float(y[0])), 1e-12):
        raise MetricError(f"there is no step: the signal begins at {y[0]:g}, which is where its reference ends")
    return np.asarray((y - y[0]) / span)


def _first(time: Array, reached: Array, level: float) -> float:
    """When a level is reached for the first time, linear between samples."""
    beyond = np.flatnonzero(reached >= level)
    if not beyond.size:
        raise MetricError(f"the signal gets to {100.0 * reached.max():.3g} % of the step only")
    k = int(beyond[0])
    if k == 0:
        return float(time[0])
    part = (level - reached[k - 1]) / (reached[k] - reached[k - 1])
    return float(time[k - 1] + part * (time[k] - time[k - 1]))


@metric("signal", "reference", unit="1", formula="max(y - r)/(r - y_0), r the last reference, y_0 the first value")
def overshoot(time: Array, y: Array, reference: Array) -> float:
    """How far the signal goes beyond what it is to reach, as a part of the step; 0 if it does not."""
    return max(0.0, float(_progress(y, reference).max()) - 1.0)


@metric("signal", "reference", unit="s", formula="from 10 % to 90 % of the step")
def rise_time(time: Array, y: Array, reference: Array) -> float:
    """How long the signal takes from a tenth to nine tenths of the step."""
    reached = _progress(y, reference)
    return _first(time, reached, 0.9) - _first(time, reached, 0.1)


@metric("signal", "reference", unit="s", formula="the last time at which |y - r| > band |r - y_0|", band=_BAND)
def settling_time(time: Array, y: Array, reference: Array, band: float) -> float:
    """When the signal has come within a band about what it is to reach for good, from the start of the step."""
    away = np.flatnonzero(np.abs(_progress(y, reference) - 1.0) > band)
    if not away.size:
        return 0.0
    k = int(away[-1])
    if k == len(time) - 1:
        raise MetricError(f"the signal is still beyond {100.0 * band:g} % of the step at {time[-1]:g} s")
    return float(time[k + 1] - time[0])
