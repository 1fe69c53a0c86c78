"""Logged data: columns over time, with units, in SI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import pairwise
from os import PathLike
from typing import Any

import numpy as np

from blocks.errors import ParameterError, did_you_mean, shown
from blocks.files.writing import path_of
from blocks.lab.identification.axes import Velocity
from blocks.lab.identification.bags import is_topic, read_topics
from blocks.lab.identification.clock import advice, from_rate, hertz
from blocks.lab.identification.errors import LogError
from blocks.lab.identification.files import is_bag, read_columns
from blocks.lab.identification.missing import check_finite, check_marks, without_missing
from blocks.lab.identification.numbers import Array
from blocks.run.inputs import INTERPOLATIONS
from blocks.units import si_unit, to_unit

__all__ = ["Array", "Log"]

_BETWEEN = {"hold": " held", "linear": " linear"}

GAP = 5.0
"""Two samples further apart than this many usual intervals have a gap between them."""


@dataclass(frozen=True, eq=False)
class Log:
    """Data over time.

    time: s, n, increasing. columns: by name, n each, in SI. units: of the columns, SI. segments: slices without gaps.
    name: what messages call it. interpolation: what columns are between samples, where that is known: "linear", or
    "hold" if a value stays until the next sample. notes: what is to be known of how it was read.

    Angles, columns in rad, are made continuous: they may have been wrapped, if they change by less than half a turn
    from one sample to the next.
    """

    time: Array
    columns: Mapping[str, Array]
    units: Mapping[str, str]
    segments: tuple[slice, ...]
    name: str = "log"
    interpolation: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @classmethod
    def read(
        cls,
        path: str | PathLike[str],
        *,
        time: str | None = None,
        units: Mapping[str, str] | None = None,
        columns: Sequence[str] | Mapping[str, str] | None = None,
        order: str = "check",
        gaps: str = "check",
        interpolation: Mapping[str, str] | None = None,
        rate: float | str | None = None,
        reverse: Sequence[str] = (),
        velocity: Velocity | Mapping[str, Any] | None = None,
    ) -> Log:
        """Read CSV (.csv, .txt), NetCDF (.nc), MCAP (.mcap), or a bag of rosbag 2 (.db3, or a folder).

        time: the column with the time, a number or "2024-05-01T12:00:00.5"; "time" or "t" if not given. units: of
        columns that do not tell theirs; a column of CSV does so in its heading, "speed [kn]", "speed (kn)" or
        "psi_deg", or in a line of units below, a variable of NetCDF by its attribute `units`. columns: those that are
        wanted, besides the time; all if not given. {"u": "Speed over ground"} calls a column of the file by another
        name, {"u": "/odom nu[u]"} takes a value of the messages of a topic of a bag or MCAP file, in the axes of
        Keelblocks; the time is then that of a topic, time="/odom", or of the one with the most messages.
        order: what becomes of times that do not increase: "check" refuses them, "sort" sorts, and keeps the first of
        equal ones. gaps: "check" refuses intervals of more than five usual ones, and samples in which a value is
        missing; "split" makes segments of what is between such intervals, "fill" leaves them to interpolation, and
        both leave out samples with a value missing.
        interpolation: what columns are between samples, {"thrust": "hold", "wind": "linear"}. Of an input of which
        nothing is said identification finds it from the data.

        rate: of the samples, "10 Hz", where stamps are too coarse, or there are none; stamps that tell otherwise are
        refused. reverse: columns that count the other way round, a rudder that is positive to port. velocity: how a
        velocity was logged that is to be turned into body axes, a `Velocity`, or what it is made of, {"frame": "earth",
        "of": ("vn", "ve"), "heading": "psi"}.

        Raises LogError if the file cannot be read, or is not in order.
        """
        file = path_of(path, "a log", LogError)
        wanted = dict(columns) if isinstance(columns, Mapping) else {column: column for column in columns or ()}
        if is_bag(file) or any(map(is_topic, wanted.values())):
            if not wanted:
                raise LogError(f"{file.name} is a bag: say what is wanted of it, columns={{'u': '/odom nu[u]'}}")
            found, told = read_topics(file, wanted, time, interpolation or {})
            time = None
        else:
            found, told = read_columns(file)
            if columns is not None:
                found, told = _chosen(file.name, found, told, columns, time, clock=rate is None)
        return cls.of(
            found,
            {**told, **(units or {})},
            time=time,
            order=order,
            gaps=gaps,
            interpolation=interpolation,
            rate=rate,
            reverse=reverse,
            velocity=velocity,
            name=file.name,
        )

    @classmethod
    def of(
        cls,
        columns: Mapping[str, Any],
        units: Mapping[str, str],
        *,
        time: str | None = None,
        order: str = "check",
        gaps: str = "check",
        interpolation: Mapping[str, str] | None = None,
        rate: float | str | None = None,
        reverse: Sequence[str] = (),
        velocity: Velocity | Mapping[str, Any] | None = None,
        name: str = "log",
    ) -> Log:
        """From arrays. Raises LogError as `read`."""
        for word, choices in ((order, ("check", "sort")), (gaps, ("check", "split", "fill"))):
            if word not in choices:
                raise LogError(f"{name}: '{word}' is no choice{did_you_mean(word, choices)}")
        for given in units:
            if given not in columns:
                raise LogError(f"{name}: units: there is no column '{given}'{did_you_mean(given, columns)}")
        between = dict(interpolation or {})
        for column, way in between.items():
            if column not in columns:
                raise LogError(f"{name}: interpolation: there is no column '{column}'{did_you_mean(column, columns)}")
            if way not in INTERPOLATIONS:
                wanted = " or ".join(map(repr, INTERPOLATIONS))
                raise LogError(f"{name}: the interpolation of {column} must be {wanted}, not {way!r}")
        clock = _clock(name, columns, time, needed=rate is None)
        missing = [column for column in columns if column != clock and column not in units]
        if missing:
            raise LogError(
                f"{name}: the unit of {', '.join(missing)} is not known; write it into the heading, "
                f"'{missing[0]} [m/s]', or say units={{'{missing[0]}': 'm/s'}}; '1' is the unit of a plain number"
            )
        arrays, si = {}, {}
        for column, values in columns.items():
            factor, si[column] = _to_si(name, column, "s" if column == clock else units[column], units.get(column))
            dates = _seconds_of_dates(values) if column == clock else None
            numbers = _numbers(name, column, values, clock=column == clock) if dates is None else dates
            check_marks(name, column, numbers, clock=column == clock and column not in units)
            arrays[column] = factor * numbers if dates is None else dates
        stamps = arrays.pop(clock) if clock is not None else None
        if clock is not None and si.pop(clock) != "s":
            raise LogError(f"{name}: the time, {clock}, is in {units[clock]}, and a time is wanted: s, ms, min or h")
        notes: tuple[str, ...] = ()
        if rate is not None:
            count = len(next(iter(arrays.values()))) if arrays else 0
            stamps = stamps if stamps is None or len(stamps) == count else None
            times, note = from_rate(name, count, hertz(name, rate), stamps)
            notes = (note,)
        else:
            assert stamps is not None
            times = stamps
        lengths = {column: len(values) for column, values in arrays.items() if len(values) != len(times)}
        if lengths:
            column, length = next(iter(lengths.items()))
            raise LogError(f"{name}: {clock or 'the time'} has {len(times)} samples, and {column} has {length}")
        times, arrays = _ordered(name, times, arrays, order)
        if gaps != "check":
            times, arrays, left_out = without_missing(times, arrays)
            notes += left_out
        for column, values in arrays.items():
            check_finite(name, column, values, times)
            if si[column] == "rad":
                arrays[column] = np.unwrap(values)
        for column in (reverse,) if isinstance(reverse, str) else reverse:
            if column not in arrays:
                raise LogError(f"{name}: reverse: there is no column '{column}'{did_you_mean(column, arrays)}")
            arrays[column] = -arrays[column]
        if velocity is not None:
            arrays, si = _velocity(name, velocity).turned(name, arrays, si)
        return cls(times, arrays, si, _segments(name, times, gaps), name, between, notes)

    def values(self, column: str) -> Array:
        """A column. Raises LogError."""
        if column not in self.columns:
            raise LogError(f"{self.name} has no column '{column}'{did_you_mean(column, self.columns)}")
        return self.columns[column]

    def part(self, start: float, end: float) -> Log:
        """From one time to another. Raises LogError if there is next to nothing there."""
        inside = (self.time >= start) & (self.time <= end)
        if inside.sum() < 4:
            raise LogError(
                f"{self.name} has {inside.sum()} samples from {start:g} s to {end:g} s; it goes from "
                f"{self.time[0]:g} s to {self.time[-1]:g} s"
            )
        columns = {column: values[inside] for column, values in self.columns.items()}
        time = self.time[inside]
        return Log(
            time,
            columns,
            self.units,
            _segments(self.name, time, "split" if len(self.segments) > 1 else "fill"),
            self.name,
            self.interpolation,
            self.notes,
        )

    def same_data(self, other: Log) -> bool:
        """Whether two logs have the same samples."""
        same = np.array_equal(self.time, other.time) and set(self.columns) == set(other.columns)
        return same and all(np.array_equal(values, other.columns[name]) for name, values in self.columns.items())

    @property
    def interval(self) -> float:
        """The usual time from one sample to the next, s."""
        return float(np.median(np.diff(self.time)))

    def __str__(self) -> str:
        names = ", ".join(
            f"{name} [{self.units[name]}]{_BETWEEN[self.interpolation[name]] if name in self.interpolation else ''}"
            for name in self.columns
        )
        pieces = "" if len(self.segments) == 1 else f" in {len(self.segments)} segments"
        said = "".join(f"; {note}" for note in self.notes)
        digits = "g" if f"{self.time[0]:.4g}" != f"{self.time[-1]:.4g}" else ".12g"  # since 1970, say
        span = f"from {self.time[0]:{digits}} s to {self.time[-1]:{digits}} s"
        return f"{self.name}: {len(self.time)} samples {span}{pieces}: {names}{said}"


def _velocity(name: str, given: Velocity | Mapping[str, Any]) -> Velocity:
    if isinstance(given, Velocity):
        return given
    known = [one.name for one in fields(Velocity)]
    if not isinstance(given, Mapping):
        raise LogError(f"{name}: velocity must say {{'frame': 'earth', 'of': ('vn', 've'), …}}, not {shown(given)}")
    for key in given:
        if key not in known:
            raise LogError(f"{name}: velocity: unknown key '{key}'{did_you_mean(key, known)}")
    for key in ("frame", "of"):
        if key not in given:
            raise LogError(f"{name}: velocity: {key} is missing: {{'frame': 'earth', 'of': ('vn', 've'), …}}")
    return Velocity(**given)


def _clock(name: str, columns: Mapping[str, Any], time: str | None, *, needed: bool = True) -> str | None:
    """The column with the time; None if there is none, and none is needed. Raises LogError."""
    if time is not None:
        if time not in columns:
            raise LogError(f"{name}: there is no column '{time}' for the time{did_you_mean(time, columns)}")
        return time
    found = [column for column in columns if column.lower() in ("time", "t", "timestamp")]
    if not found and not needed:
        return None
    if len(found) != 1:
        told = f"columns {', '.join(found)} could be" if found else "no column is called 'time' or 't', and none is"
        raise LogError(
            f"{name}: {told} the time: name it with time=…; there are {', '.join(list(columns)[:12]) or 'no columns'}"
        )
    return found[0]


def _chosen(
    name: str, columns: Mapping[str, Any], units: Mapping[str, str], wanted: Sequence[str] | Mapping[str, str],
    time: str | None, *, clock: bool,
) -> tuple[dict[str, Any], dict[str, str]]:  # fmt: skip
    """The columns that are wanted, by the names that they are wanted by, and that of the time. Raises LogError."""
    own = dict(wanted) if isinstance(wanted, Mapping) else {column: column for column in wanted}
    for column in own.values():
        if column not in columns:
            raise LogError(f"{name} has no column '{column}'{did_you_mean(column, columns)}")
    if time not in own:
        stamps = _clock(name, columns, time, needed=clock)
        if stamps is not None and stamps not in own.values():
            own = {stamps: stamps, **own}
    return (
        {mine: columns[theirs] for mine, theirs in own.items()},
        {mine: units[theirs] for mine, theirs in own.items() if theirs in units},
    )


def _to_si(name: str, column: str, unit: str, told: str | None) -> tuple[float, str]:
    """How much of SI one of a unit is, and which unit of SI that is."""
    unit = told or unit
    if unit in ("", "1"):
        return 1.0, "1"
    try:
        factor, base = to_unit(f"1 {unit}", None), si_unit(unit)
        factor = factor if base == unit else to_unit(f"1 {unit}", base)
    except ParameterError:
        raise LogError(f"{name}: the unit '{unit}' of {column} is not known; units are like m/s, deg or kn") from None
    return factor, base


def _numbers(name: str, column: str, values: Any, *, clock: bool) -> Array:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):  # of whole numbers of 400 digits
        dates = "; a time is a number, or a date as ISO 8601 has it, 2024-05-01T12:00:00.5" if clock else ""
        raise LogError(f"{name}: {column} is not a column of numbers{_first_text(values)}{dates}") from None
    if array.ndim != 1:
        raise LogError(f"{name}: {column} must have one number per sample, not {'×'.join(map(str, array.shape))}")
    return array


def _seconds_of_dates(values: Any) -> Array | None:
    """Seconds since the first of several instants: of NumPy, or text as ISO 8601 has it. None if they are none."""
    import pandas as pd

    array = np.asarray(values)
    if array.dtype.kind not in "MUO" or array.size == 0:
        return None
    try:
        instants = pd.DatetimeIndex(pd.to_datetime(array, format="ISO8601", utc=True))
    except (TypeError, ValueError, OverflowError):
        return None
    return np.asarray((instants - instants[0]).total_seconds(), dtype=np.float64)


def _first_text(values: Any) -> str:
    """What in a column is no number."""
    for row, value in enumerate(values if np.ndim(values) == 1 else ()):
        try:
            float(value)
        except (TypeError, ValueError, OverflowError):
            return f": sample {row} is {shown(value)}"
    return ""


def _ordered(name: str, time: Array, columns: dict[str, Array], order: str) -> tuple[Array, dict[str, Array]]:
    check_finite(name, "the time", time, np.arange(len(time), dtype=np.float64))
    if len(time) < 4:
        raise LogError(f"{name} has {len(time)} samples; at least 4 are needed")
    late = np.flatnonzero(np.diff(time) <= 0.0)
    if not late.size:
        return time, columns
    if order == "check":
        i = int(late[0])
        what = "is repeated" if time[i + 1] == time[i] else f"goes back to {time[i + 1]:g} s"
        raise LogError(
            f"{name}: after sample {i}, at {time[i]:g} s, the time {what}; that happens {_times(late.size)}. Times "
            f"have to increase: order='sort' sorts them and keeps the first of equal ones{advice(time)}"
        )
    _, first = np.unique(time, return_index=True)
    return time[first], {column: values[first] for column, values in columns.items()}


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _segments(name: str, time: Array, gaps: str) -> tuple[slice, ...]:
    usual = float(np.median(np.diff(time)))
    wide = np.flatnonzero(np.diff(time) > GAP * usual)
    if not wide.size or gaps == "fill":
        return (slice(0, len(time)),)
    if gaps == "check":
        i = int(wide[0])
        raise LogError(
            f"{name}: there is a gap of {time[i + 1] - time[i]:.3g} s after {time[i]:g} s, where samples are usually "
            f"{usual:.3g} s apart; that happens {_times(wide.size)}. gaps='split' makes segments of what is between "
            f"gaps, gaps='fill' interpolates"
        )
    edges = [0, *(wide + 1).tolist(), len(time)]
    pieces = [slice(a, b) for a, b in pairwise(edges) if b - a >= 4]
    if not pieces:
        raise LogError(f"{name}: between its gaps there are less than 4 samples everywhere")
    return tuple(pieces)
