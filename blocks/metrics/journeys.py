"""Metrics of a journey: its length, its time, its energy, whether it arrives."""

from __future__ import annotations

import numpy as np

from blocks.metrics.definition import Array, Option, metric
from blocks.metrics.errors import MetricError


@metric("pose", unit="m", formula="Σ |p_k+1 - p_k|, p north, east and down", whole=("pose",))
def path_length(time: Array, pose: Array) -> float:
    """The length of the path over ground."""
    return float(np.linalg.norm(np.diff(pose[:, :3], axis=0), axis=1).sum())


@metric("pose", unit="m/s", formula="path_length/T", whole=("pose",))
def mean_speed(time: Array, pose: Array) -> float:
    """The mean speed over ground along the path."""
    return path_length(time, pose) / _span(time)


@metric("energy", unit="{0}", formula="E(end) - E(start)")
def used(time: Array, energy: Array) -> float:
    """How much a meter has gone on, such as energy."""
    return float(energy[-1] - energy[0])


@metric("energy", "pose", unit="{0}/m", formula="used(E)/path_length", whole=("pose",))
def energy_per_metre(time: Array, energy: Array, pose: Array) -> float:
    """Energy over the length of the path."""
    length = path_length(time, pose)
    if length <= 0.0:
        raise MetricError("the vessel has not moved")
    return used(time, energy) / length


@metric("finished", unit="1", formula="1 if y > 0.5 at some time, else 0")
def arrived(time: Array, finished: Array) -> float:
    """Whether a signal came on, such as `finished` of guidance."""
    return float(np.any(finished > 0.5))


@metric("finished", unit="s", formula="the first time at which y > 0.5, from the start")
def arrival_time(time: Array, finished: Array) -> float:
    """When a signal came on, such as `finished` of guidance."""
    on = np.flatnonzero(finished > 0.5)
    if not on.size:
        raise MetricError(f"it did not arrive by {time[-1]:g} s")
    return float(time[on[0]] - time[0])


@metric(unit="s", formula="t(end) - t(start)")
def duration(time: Array) -> float:
    """How long it lasted."""
    return _span(time)


@metric(
    "signal", unit="1", formula="the part of the time at which |y| > limit",
    limit=Option(0.0, "{0}", "what counts as beyond", at_least=0.0),
)  # fmt: skip
def time_beyond(time: Array, y: Array, limit: float) -> float:
    """How much of the time a signal is beyond a limit, to whatever side."""
    beyond = (np.abs(y) > limit).astype(np.float64)
    return float(np.trapezoid(beyond, time) / _span(time))


def _span(time: Array) -> float:
    span = float(time[-1] - time[0])
    if span <= 0.0:
        raise MetricError("there is one sample only")
    return span
