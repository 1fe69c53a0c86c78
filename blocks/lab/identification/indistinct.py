"""What data cannot tell apart: directions in which the outputs stay as they are, and what they mean in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blocks.lab.identification.log import Array

NOTHING = 1e-6
"""A singular value of the normalised sensitivities below this is none: they are differences, of ten good digits."""
LITTLE = 0.15
"""Below this two parameters have a correlation of 0.98 and more."""
_MEMBER = 0.1
"""The part of the largest effect on the outputs that a parameter has to have, to be named,"""
_MOST = 0.5
"""and of its variance that is due to a direction in which outputs change a little,"""
_EQUAL = 0.05
"""and how far from each other two changes may be that are called equal."""


@dataclass(frozen=True)
class Direction:
    """Unknowns that can change together. names; changes: of each, in its unit; strength: of the effect on the outputs,
    as a part of that of each alone, 0 if there is none."""

    names: tuple[str, ...]
    changes: tuple[float, ...]
    strength: float
    relation: str
    """What is known of them: "only their sum is known"."""


def directions(
    jacobian: Array, names: Sequence[str], values: Sequence[float], units: Sequence[str], silent: NDArray[np.bool_]
) -> list[Direction]:
    """Those that the data say nothing or little of, the blindest first.

    Of the latter only with unknowns that owe them most of their variance (Belsley, Kuh and Welsch, 1980, Regression
    Diagnostics, sec. 3.2).

    jacobian: of the weighted residuals by unknowns in their units; silent: unknowns without any effect, left out here.
    """
    kept = np.flatnonzero(~silent)
    if len(kept) < 2:
        return []
    lengths = np.linalg.norm(jacobian[:, kept], axis=0)
    missing = max(len(kept) - len(jacobian), 0)  # rows, without which there would be directions too few
    scaled = np.concatenate([jacobian[:, kept] / lengths, np.zeros((missing, len(kept)))])
    _, strengths, rows = np.linalg.svd(scaled, full_matrices=False)
    blind = _simplest(rows[strengths <= NOTHING])
    seen = np.maximum(strengths, NOTHING)[:, np.newaxis]
    shares = (rows / seen) ** 2 / np.sum((rows / seen) ** 2, axis=0)  # of the variance of each, by direction
    weak = [k for k, strength in enumerate(strengths) if NOTHING < strength < LITTLE]
    told = [(0.0, row, _large(row)) for row in blind]
    told += [(float(strengths[k]), rows[k], _large(rows[k]) & (shares[k] > _MOST)) for k in reversed(weak)]
    found = []
    for strength, row, named in told:
        members = np.flatnonzero(named)
        changes = (row / lengths)[members]
        which = kept[members]
        if len(which) < 2:
            continue
        changes = changes / changes[0]
        mine = [values[k] for k in which]
        changes = changes * (abs(mine[0]) or 1.0)
        relation = _relation([names[k] for k in which], changes, mine, [units[k] for k in which])
        found.append(Direction(tuple(names[k] for k in which), tuple(changes.tolist()), strength, relation))
    return found


def _large(row: Array) -> NDArray[np.bool_]:
    return np.asarray(np.abs(row) > _MEMBER * np.max(np.abs(row)))


def _simplest(rows: Array) -> Array:
    """The same space by rows with as many zeros as elimination makes: one pair rather than a mixture of pairs."""
    made = rows.copy()
    taken: list[int] = []
    for number in range(len(made)):
        free = np.abs(made[number]).copy()
        free[taken] = 0.0
        pivot = int(np.argmax(free))
        if free[pivot] < 1e-8:
            continue
        taken.append(pivot)
        made[number] /= made[number, pivot]
        for other in range(len(made)):
            if other != number:
                made[other] -= made[other, pivot] * made[number]
    return np.asarray(made)


def _alike(values: Array) -> bool:
    """All about the same, and not zero."""
    return bool(np.all(np.isfinite(values)) and np.ptp(values) <= _EQUAL * np.max(np.abs(values)))


def _relation(names: Sequence[str], changes: Array, values: Sequence[float], units: Sequence[str]) -> str:
    numbers = np.asarray(values)
    parts = np.where(numbers == 0.0, np.nan, changes / np.where(numbers == 0.0, 1.0, numbers))
    if len(names) == 2:
        opposite = np.array([1.0, -1.0])
        known = []
        if _alike(parts):
            known.append("ratio")
        if _alike(parts * opposite):
            known.append("product")
        if units[0] == units[1]:
            if _alike(changes):
                known.append("difference")
            if _alike(changes * opposite):
                known.append("sum")
        if known:
            return f"only their {' or '.join(known)} is known"
        factor = -changes[0] / changes[1]
        sign = "+" if factor > 0.0 else "-"
        return f"only {names[0]} {sign} {abs(factor):.3g} {names[1]} is known"
    if _alike(parts):
        return "only their ratios are known"
    largest = np.nanmax(np.abs(parts)) if np.any(np.isfinite(parts)) else 1.0
    told = [
        f"{name} by {_percent(part / largest)}" if np.isfinite(part) else f"{name} by {change:+.2g}"
        for name, part, change in zip(names, parts, changes, strict=True)
    ]
    return f"they can change together, {', '.join(told)}"


def _percent(part: float) -> str:
    return f"{100.0 * part:+.2g} %" if abs(part) < 0.995 else f"{100.0 * part:+.0f} %"
