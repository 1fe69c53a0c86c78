"""What a comparison says in numbers: by level, the best members, the Pareto front, and what failed."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blocks.lab.comparison.levels import Axis

Array = NDArray[np.float64]

_MOST_COMBINATIONS = 64


@dataclass(frozen=True)
class Spread:
    """A metric over some members: those that have it."""

    mean: float
    deviation: float
    least: float
    greatest: float
    count: int


@dataclass(frozen=True)
class Row:
    """Some members that have levels in common: how many there are, how many failed, and their metrics."""

    factor: str
    level: str
    members: int
    failed: int
    metrics: Mapping[str, Spread]


def spread(values: Array) -> Spread:
    """Mean, standard deviation (of a sample, n - 1), least and greatest of the values that are numbers."""
    sound = values[np.isfinite(values)]
    if not sound.size:
        return Spread(np.nan, np.nan, np.nan, np.nan, 0)
    deviation = float(sound.std(ddof=1)) if sound.size > 1 else 0.0
    return Spread(float(sound.mean()), deviation, float(sound.min()), float(sound.max()), int(sound.size))


def rows(
    axes: Mapping[str, Axis], dimensions: Mapping[str, int], metrics: Mapping[str, Array], failed: NDArray[np.bool_]
) -> list[Row]:
    """A row for each level of each factor, and one for all members if there is no factor with levels."""
    found = []
    names = list(dimensions)
    shape = tuple(dimensions.values())
    failures = failed.reshape(shape)
    for name, axis in axes.items():
        place = names.index(name)
        for number, label in enumerate(axis.labels):
            found.append(_row(name, label, metrics, failures, shape, (place,), (number,)))
    if not found:
        found.append(_row("", "all", metrics, failures, shape, (), ()))
    return found


def combinations(
    axes: Mapping[str, Axis], dimensions: Mapping[str, int], metrics: Mapping[str, Array], failed: NDArray[np.bool_]
) -> list[Row]:
    """A row for each combination of levels, over samples and replicates; nothing if there are too many."""
    count = int(np.prod([len(axis.labels) for axis in axes.values()])) if axes else 0
    if len(axes) < 2 or count > _MOST_COMBINATIONS:
        return []
    names, shape = list(dimensions), tuple(dimensions.values())
    places = tuple(names.index(name) for name in axes)
    return [
        _row(
            ", ".join(axes), " · ".join(axis.labels[n] for axis, n in zip(axes.values(), levels, strict=True)),
            metrics, failed.reshape(shape), shape, places, levels,
        )
        for levels in itertools.product(*(range(len(axis.labels)) for axis in axes.values()))
    ]  # fmt: skip


def _row(
    factor: str, label: str, metrics: Mapping[str, Array], failed: NDArray[np.bool_], shape: tuple[int, ...],
    places: tuple[int, ...], levels: tuple[int, ...],
) -> Row:  # fmt: skip
    which: list[slice | int] = [slice(None)] * len(shape)
    for place, level in zip(places, levels, strict=True):
        which[place] = level
    chosen = tuple(which)
    own = {name: spread(np.asarray(values.reshape(shape)[chosen]).ravel()) for name, values in metrics.items()}
    lost = np.asarray(failed[chosen]).ravel()
    return Row(factor, label, int(lost.size), int(lost.sum()), own)


def best(values: Array, *, greatest: bool, count: int = 5) -> list[int]:
    """The members with the least, or the greatest, values."""
    sound = np.flatnonzero(np.isfinite(values))
    order = np.argsort(-values[sound] if greatest else values[sound], kind="stable")
    return [int(number) for number in sound[order[:count]]]


def pareto(first: Array, second: Array) -> list[int]:
    """The members than which no other is better in one of two metrics without being worse in the other; less is
    better. In the order of the first."""
    sound = np.flatnonzero(np.isfinite(first) & np.isfinite(second))
    order = sound[np.lexsort((second[sound], first[sound]))]
    front: list[int] = []
    least = np.inf
    for number in order.tolist():
        if second[number] < least:
            front.append(number)
            least = second[number]
    return front


def grouped_reasons(reasons: Mapping[int, str]) -> list[tuple[str, int, int]]:
    """Reasons that differ in numbers only are one: its text, how many members have it, and the first of them."""
    kinds = {number: re.sub(r"-?\d+(\.\d+)?(e[-+]?\d+)?", "#", text) for number, text in reasons.items()}
    counts = Counter(kinds.values())
    first: dict[str, int] = {}
    for number, kind in kinds.items():
        first.setdefault(kind, number)
    return [(reasons[first[kind]], count, first[kind]) for kind, count in counts.most_common()]
