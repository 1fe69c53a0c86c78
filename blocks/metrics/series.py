"""Metrics of one signal over time, or of an error: the difference of two."""

from __future__ import annotations

import numpy as np

from blocks.metrics.definition import Array, Option, metric

_SHARE = Option(0.2, "1", "the last part of the time, 1: all of it", above=0.0, at_most=1.0)


def integral(time: Array, values: Array) -> float:
    """By trapezoids."""
    return float(np.trapezoid(values, time)) if len(time) > 1 else 0.0


def average(time: Array, values: Array) -> float:
    """Over time, by trapezoids: samples need not be equally far apart."""
    span = float(time[-1] - time[0])
    return integral(time, values) / span if span > 0.0 else float(values.mean())


@metric("signal", unit="{0}", formula="(1/T) ∫ y dt", moving=True, direction=True)
def mean(time: Array, y: Array) -> float:
    """The mean over time."""
    return average(time, y)


@metric("signal", unit="{0}", formula="√((1/T) ∫ y² dt)")
def rms(time: Array, y: Array) -> float:
    """The root of the mean square."""
    return float(np.sqrt(average(time, y * y)))


@metric("signal", unit="{0}", formula="√((1/T) ∫ (y - mean)² dt)", moving=True)
def standard_deviation(time: Array, y: Array) -> float:
    """How far the signal scatters about its mean."""
    return rms(time, y - average(time, y))


@metric("signal", unit="{0}", formula="2 standard_deviation", moving=True)
def significant(time: Array, y: Array) -> float:
    """The significant amplitude, of an oscillation in an irregular sea."""
    return 2.0 * standard_deviation(time, y)


@metric("signal", unit="{0}", formula="min y")
def least(time: Array, y: Array) -> float:
    """The least value."""
    return float(y.min())


@metric("signal", unit="{0}", formula="max y")
def greatest(time: Array, y: Array) -> float:
    """The greatest value."""
    return float(y.max())


@metric("signal", unit="{0}", formula="max |y|")
def largest(time: Array, y: Array) -> float:
    """The largest magnitude, to whatever side: the maximum error of an error."""
    return float(np.abs(y).max())


@metric("signal", unit="{0}", formula="y(end)")
def final(time: Array, y: Array) -> float:
    """The value at the end."""
    return float(y[-1])


@metric(
    "signal", unit="{0}", formula="mean of y over the last part of the time", share=_SHARE, moving=True, direction=True
)
def steady(time: Array, y: Array, share: float) -> float:
    """The steady value: the mean over the last fifth of the time."""
    late = time >= time[-1] - share * (time[-1] - time[0])
    return average(time[late], y[late])


@metric("signal", "[reference]", unit="{0}*s", formula="∫ |e| dt, e = reference - y, or the signal itself", error=True)
def iae(time: Array, error: Array) -> float:
    """The integral of the absolute error."""
    return integral(time, np.abs(error))


@metric("signal", "[reference]", unit="({0})**2*s", formula="∫ e² dt", error=True)
def ise(time: Array, error: Array) -> float:
    """The integral of the squared error."""
    return integral(time, error * error)


@metric("signal", "[reference]", unit="{0}*s**2", formula="∫ (t - t_0) |e| dt", error=True)
def itae(time: Array, error: Array) -> float:
    """The integral of the absolute error times the time since the start, which counts what lasts."""
    return integral(time, (time - time[0]) * np.abs(error))


@metric("signal", "reference", unit="{0}", formula="√((1/T) ∫ e² dt), e = reference - y", error=True)
def rms_error(time: Array, error: Array) -> float:
    """The root of the mean square of the difference of two signals; of angles the short way round."""
    return rms(time, error)


@metric("signal", "reference", unit="{0}", formula="max |e|", error=True)
def largest_error(time: Array, error: Array) -> float:
    """The largest magnitude of the difference of two signals; of angles the short way round."""
    return largest(time, error)


@metric("signal", unit="{0}*s", formula="∫ |u| dt")
def effort(time: Array, u: Array) -> float:
    """Control effort: how much force, or command, was spent, whatever its sign."""
    return integral(time, np.abs(u))


@metric("signal", unit="{0}/s", formula="√((1/T) ∫ (du/dt)² dt), from differences of samples", moving=True)
def rate(time: Array, u: Array) -> float:
    """The root of the mean square of the rate of change: how much an actuator is worked."""
    step = np.diff(time)
    return float(np.sqrt(np.sum(np.diff(u) ** 2 / step) / (time[-1] - time[0])))


@metric("signal", unit="{0}", formula="Σ |u_k+1 - u_k|", moving=True)
def variation(time: Array, u: Array) -> float:
    """The total variation: the way up and down that an actuator goes."""
    return float(np.abs(np.diff(u)).sum())
