"""Samples in which a value is missing: found, told, and left out where that is wanted."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from blocks.lab.identification.errors import LogError
from blocks.lab.identification.numbers import Array

_MARKS = (-999.0, -9999.0, -99999.0, 999.0, 9999.0, 99999.0, -32768.0, 32767.0, 65535.0, -99.0)
"""What loggers write for what they do not know."""
_FAR = 50.0
"""How many times the greatest of all other values such a mark is, at least."""
_FEW = 0.05
"""Among values that are all the same, a mark stands in less than this part of the samples: else something switches."""
_MILLISECONDS, _MICROSECONDS, _NANOSECONDS = 1e11, 1e14, 1e17
"""Stamps from here on are no seconds since 1970, but those: as seconds they are of the year 5138."""


def check_finite(name: str, column: str, values: Array, time: Array) -> None:
    """Raise LogError if a value is missing or infinite."""
    bad = np.flatnonzero(~np.isfinite(values))
    if not bad.size:
        return
    where = f"{name}: {column} is missing, or not finite, in {bad.size} of {len(values)} samples"
    if bad.size == len(values):
        raise LogError(f"{where}: leave that column out")
    slower = bad.size >= 0.5 * len(values)
    remedy = (
        "it seems to come at a lower rate than the others: give each row a value, or leave out the rows without it"
        if slower
        else "gaps='fill' leaves such samples out"
    )
    raise LogError(f"{where}, first at {time[bad[0]]:g} s: {remedy}")


def without_missing(time: Array, columns: Mapping[str, Array]) -> tuple[Array, dict[str, Array], tuple[str, ...]]:
    """Time and columns without samples in which a value is missing, and a note of how many these were.

    As they are where less than half would be left: what is wrong is then told by `check_finite`.
    """
    missing = {column: ~np.isfinite(values) for column, values in columns.items()}
    bad = np.any(list(missing.values()), axis=0) if missing else np.zeros(len(time), dtype=bool)
    if not bad.any() or np.sum(~bad) < max(4.0, 0.5 * len(time)):
        return time, dict(columns), ()
    which = ", ".join(column for column, one in missing.items() if one.any())
    note = f"{int(bad.sum())} of {len(time)} samples left out, in which {which} is missing"
    return time[~bad], {column: values[~bad] for column, values in columns.items()}, (note,)


def check_marks(name: str, column: str, values: Array, *, clock: bool) -> None:
    """Raise LogError for numbers, in the unit of the file, that surely mean something else."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return
    if clock and abs(finite[0]) >= _MILLISECONDS:
        size = abs(finite[0])
        unit = "ms" if size < _MICROSECONDS else "us" if size < _NANOSECONDS else "ns"
        raise LogError(
            f"{name}: the time, {column}, begins at {finite[0]:.6g}, which is no number of seconds: say its unit, "
            f"units={{'{column}': '{unit}'}}"
        )
    for mark in _MARKS:
        others = finite[finite != mark]
        marked = finite.size - others.size
        if not others.size or not marked or abs(mark) <= _FAR * np.max(np.abs(others)):
            continue
        if np.ptp(others) > 0.0 or marked < _FEW * finite.size:
            raise LogError(
                f"{name}: {column} is {mark:g} in {marked} of {len(values)} samples, and within "
                f"±{np.max(np.abs(others)):.3g} in the others; that is a mark for a missing value: leave it empty"
            )
