"""What members that were kept must be, to be taken up: kinds, shapes and ranges, by what the study says."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.files.arrays import Damaged
from blocks.study.members import MOST
from blocks.study.records import Records
from cython_kernels import engine as native

ENDED = [number for number, name in native.STATUSES.items() if number >= 0 and name != "paused"]
"""Statuses of a member that has been run."""
SOUND = [number for number, name in native.STATUSES.items() if name in ("end", "stopped")]
_EDGE = 1e-6


@dataclass(frozen=True)
class Kept:
    """What is known of a study before its members are read."""

    identity: str
    members: int
    metrics: int
    start: float
    end: float


def shape_of(description: Mapping[str, Any]) -> Kept:
    """Of the study that a description describes. Raises Damaged."""
    for name, kind in (("dimensions", dict), ("metrics", dict), ("factors", dict), ("start", float), ("end", float)):
        value = description.get(name)
        if not isinstance(value, (int, float) if kind is float else kind) or isinstance(value, bool):
            raise Damaged(f"its {name} {'is' if kind is float else 'are'} {value!r}")
    lengths = description["dimensions"].values()
    if not all(type(length) is int and length > 0 for length in lengths) or math.prod(lengths) > MOST:
        raise Damaged(f"its dimensions are {description['dimensions']!r}")
    count, metrics = math.prod(lengths), len(description["metrics"])
    return Kept(description["hash"], count, metrics, description["start"], description["end"])


def checked_members(stored: Mapping[str, NDArray[Any]], kept: Kept) -> tuple[NDArray[np.int64], Records]:
    """The members in a file. Raises Damaged."""
    for name, kind, dimensions in (
        ("members", "int64", 1), ("status", "int8", 1), ("end_time", "float64", 1), ("metrics", "float64", 2),
    ):  # fmt: skip
        if name not in stored or stored[name].dtype != kind or stored[name].ndim != dimensions:
            raise Damaged(f"its {name} are not {kind} along {dimensions} dimension{'s' if dimensions > 1 else ''}")
    if str(stored.get("study", "")) != kept.identity:
        raise Damaged("it is of another study")
    members, status, end_time, metrics = (stored[name] for name in ("members", "status", "end_time", "metrics"))
    count = len(members)
    if len(status) != count or len(end_time) != count or metrics.shape != (count, kept.metrics):
        raise Damaged("its rows do not fit")
    if count and (members.min() < 0 or members.max() >= kept.members or len(np.unique(members)) < count):
        raise Damaged(f"its members are not among the {kept.members:,} of the study, each of them once")
    if not np.all(np.isin(status, ENDED)):
        raise Damaged(f"its status {status[~np.isin(status, ENDED)][0]} is none")
    edge = _EDGE * max(1.0, abs(kept.start), abs(kept.end))
    if not np.all((end_time >= kept.start - edge) & (end_time <= kept.end + edge)):
        raise Damaged(f"its end times are not all from {kept.start:g} to {kept.end:g} s")
    if not np.all(np.isnan(metrics[~np.isin(status, SOUND)])):
        raise Damaged("it has metrics of members that failed")
    return members, Records(status, end_time, metrics, _reasons(stored.get("reasons"), count))


def _reasons(stored: Any, count: int) -> dict[int, str]:
    try:
        found = json.loads(str(stored))
        reasons = {int(number): text for number, text in found.items()}
    except (ValueError, AttributeError, RecursionError):
        raise Damaged("its reasons are none") from None
    if not all(0 <= number < count and isinstance(text, str) for number, text in reasons.items()):
        raise Damaged("its reasons are none")
    return reasons
