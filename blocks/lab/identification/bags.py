"""Bags of ROS 2 as logs: topics by column, on one clock."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from blocks.errors import KeelblocksError
from blocks.lab.identification.errors import LogError
from blocks.scenario.logged import logged
from blocks.signal import BodyVelocity, Pose, Signal, Wrench

_SIGNALS: Mapping[str, Signal] = {"eta": Pose, "nu": BodyVelocity, "force": Wrench}
_UNITS = {"latitude": "rad", "longitude": "rad", "height": "m", "specific_force": "m/s^2", "angular_rate": "rad/s"}
_MEASURED = {"eta", "nu", *_UNITS}
"""What is linear from one message to the next, unless the log says otherwise; other values, commands, are held."""


def is_topic(name: str) -> bool:
    """Whether a column of a file is one of a bag: "/odom nu[u]"."""
    return name.startswith("/")


def read_topics(
    path: Path, wanted: Mapping[str, str], time: str | None, interpolation: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Columns by their own names, and units, from "/topic value" each; times are those of one topic. Raises LogError.

    time: that topic; if not given the one with the most messages. Before all topics have begun there are no samples.
    """
    series: dict[str, tuple[Any, Any]] = {}
    topics: dict[str, Any] = {}
    units: dict[str, str] = {}
    for column, source in wanted.items():
        topic, _, value = source.partition(" ")
        if not is_topic(topic):
            raise LogError(
                f"{path.name} is a bag: say which topic gives {column}, columns={{'{column}': '/odom nu[u]'}}, not "
                f"'{source}'"
            )
        try:
            times, values = logged(str(path), topic, value.strip() or None)
        except (KeelblocksError, OSError) as problem:
            raise LogError(f"{column}: {problem}") from None
        values = np.asarray(values, dtype=np.float64)
        if values.ndim == 2 and values.shape[1] == 1:
            values = values[:, 0]
        if values.ndim != 1:
            raise LogError(f"{path.name}: {source} has {values.shape[1]} elements; name one: '{topic} nu[u]'")
        series[column], topics[topic] = (np.asarray(times, dtype=np.float64), values), times
        bare, _, label = value.strip().removesuffix("]").partition("[")
        unit = _UNITS.get(bare)
        if bare in _SIGNALS:
            signal = _SIGNALS[bare]
            unit = signal.units(6)[signal.labels.index(label) if label in signal.labels else int(label or 0)]
        if unit is not None:
            units[column] = unit
    if time is not None and time not in topics:
        times, _ = logged(str(path), time, None) if is_topic(time) else (None, None)
        if times is None:
            raise LogError(f"{path.name} is a bag: its clock is that of a topic, time='/odom', not '{time}'")
        topics[time] = times
    clock = np.asarray(topics[time] if time is not None else max(topics.values(), key=len), dtype=np.float64)
    begin = max(times[0] for times, _ in series.values())
    clock = clock[clock >= begin - 1e-9]
    columns: dict[str, Any] = {"time": clock}
    for column, (times, values) in series.items():
        bare = wanted[column].partition(" ")[2].strip().partition("[")[0]
        way = interpolation.get(column, "linear" if bare in _MEASURED else "hold")
        if way == "linear":
            angle = units.get(column) == "rad"
            columns[column] = np.interp(clock, times, np.unwrap(values) if angle else values)
        else:
            columns[column] = values[np.maximum(np.searchsorted(times, clock + 1e-9, side="right") - 1, 0)]
    return columns, units
