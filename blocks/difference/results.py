"""Two results, signal by signal: for the regression tests of users."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from blocks.difference.recorded import Recorded, Signal, recorded
from blocks.difference.tolerances import Tolerance, limits, parse_tolerances
from blocks.errors import ParameterError, did_you_mean, near_misses
from blocks.run.result import Result

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["ResultComparison", "SignalDifference", "compare_results", "parse_tolerances"]


@dataclass(frozen=True)
class SignalDifference:
    """How far two results are apart in one signal.

    `largest` is the greatest difference of those that are furthest beyond their tolerance, in `unit`, at `time` and in
    `element`; `relative` is that to the greatest magnitude which the element has in the first result. `beyond` of
    `count` numbers are further apart than their tolerance. NaN in both is no difference, in one an infinite one.
    Differences of angles in rad are taken the short way round.
    """

    name: str
    unit: str
    largest: float
    relative: float
    time: float
    element: str
    beyond: int
    count: int
    tolerance: float


@dataclass(frozen=True)
class ResultComparison:
    """Two results compared. It is true if they agree.

    `missing` are signals of the first result that the second lacks, `further` the other way round, `mismatched` those
    that have other elements or units. `times` says how the times differ, and is empty where they are the same or where
    the second result was interpolated.
    """

    signals: tuple[SignalDifference, ...]
    missing: tuple[str, ...]
    further: tuple[str, ...]
    mismatched: tuple[str, ...]
    times: str
    points: int

    @property
    def beyond(self) -> tuple[SignalDifference, ...]:
        """The signals that are further apart than they may be, worst first."""
        return tuple(signal for signal in self.signals if signal.beyond)

    def __bool__(self) -> bool:
        return not (self.beyond or self.missing or self.further or self.mismatched or self.times)

    @property
    def summary(self) -> str:
        """One line about the whole."""
        same = sum(signal.largest == 0.0 for signal in self.signals)
        about = f"{len(self.signals)} signals at {self.points} times"
        if self.times:
            return f"not compared: {self.times}"
        if self:
            return f"the results agree: {about}, {same} of them to the last bit"
        words = []
        if self.beyond:
            words.append(f"{len(self.beyond)} of {about} are further apart than they may be")
        for names, what in (
            (self.missing, "only in the first"),
            (self.further, "only in the second"),
            (self.mismatched, "of another form"),
        ):
            if names:
                words.append(f"{what}: {', '.join(names[:6])}{f' and {len(names) - 6} more' if len(names) > 6 else ''}")
        return "the results differ: " + "; ".join(words)

    def to_data(self) -> dict[str, Any]:
        """As plain data."""
        return {"agree": bool(self), "summary": self.summary, **asdict(self)}


def compare_results(
    first: Result | xr.Dataset | str | PathLike[str],
    second: Result | xr.Dataset | str | PathLike[str],
    *,
    tolerance: float | str | Iterable[str | float] = (),
    relative: float = 0.0,
    interpolate: bool = False,
    signals: Iterable[str] = (),
) -> ResultComparison:
    """Compare two results, or files of results.

    Parameters
    ----------
    tolerance
        How far numbers may be apart: 1e-9 in the unit of each signal, "1 mm" for all lengths, "vessel.eta=1 mm" for one
        signal, "vessel.eta[psi]=0.1 deg" for an element, "plant.*=1e-6" for many. What comes last holds; 0 if nothing
        is said.
    relative
        How far they may be apart besides, to the greatest magnitude that an element has in the first result.
    interpolate
        Take the second result at the times of the first, linearly between its own, over the time that both have. Else
        the times must be the same, to a millionth of a step.
    signals
        Names of the signals to compare, with * for any characters; all if not given.

    Raises ResultError if a file is no result, ParameterError for a tolerance or a name that fits nothing.
    """
    if not (np.isfinite(relative) and relative >= 0.0):
        raise ParameterError(f"relative must be a number that is not negative, not {relative}")
    one, other = recorded(first, "the first result"), recorded(second, "the second result")
    chosen = _chosen(list(signals), one, other)
    texts = [tolerance] if isinstance(tolerance, (str, float, int)) else list(tolerance)
    both = {name: one.signals[name] for name in chosen if name in one.signals and name in other.signals}
    alike = {name: signal for name, signal in both.items() if _same_form(signal, other.signals[name])}
    allowed = _limits(parse_tolerances(texts), alike)
    times, mine, theirs = _common(one.time, other.time, interpolate)
    found = []
    for name, signal in alike.items() if not times else ():
        values = theirs(other.signals[name])
        found.append(_difference(name, signal, signal.values[mine], values, one.time[mine], allowed[name], relative))
    return ResultComparison(
        tuple(sorted(found, key=lambda signal: (not signal.beyond, -signal.largest))),
        tuple(name for name in chosen if name not in other.signals),
        tuple(name for name in chosen if name not in one.signals),
        tuple(name for name in both if name not in alike),
        times,
        0 if times else len(one.time[mine]),
    )


def hint(names: Iterable[str], there: Iterable[str]) -> str:
    """What missing signals may be called in the other result."""
    pairs = ((name, near_misses(name, there)) for name in names)
    return "; ".join(f"{name} may be {near[0]}" for name, near in pairs if near)


def _chosen(patterns: list[str], one: Recorded, other: Recorded) -> list[str]:
    names = [*one.signals, *(name for name in other.signals if name not in one.signals)]
    for pattern in patterns:
        if not any(fnmatch.fnmatchcase(name, pattern) for name in names):
            raise ParameterError(f"neither result has a signal '{pattern}'{did_you_mean(pattern, names)}")
    return [name for name in names if not patterns or any(fnmatch.fnmatchcase(name, p) for p in patterns)]


def _limits(tolerances: list[Tolerance], signals: dict[str, Signal]) -> dict[str, NDArray[np.float64]]:
    return limits(tolerances, signals) if signals else {}


def _same_form(one: Signal, other: Signal) -> bool:
    return one.elements == other.elements and one.units == other.units


def _common(one: NDArray[np.float64], other: NDArray[np.float64], interpolate: bool) -> tuple[str, Any, Any]:
    """What keeps the results from being compared; which times of the first are; and how the second is read at these."""
    if not interpolate:
        said = _apart(one, other)
        return said, slice(None), lambda signal: signal.values
    if not (len(one) and len(other)):
        return "one of them is empty", slice(None), None
    mine = (one >= other[0]) & (one <= other[-1])
    if not mine.any():
        return f"they have no time in common: {_span(one)} and {_span(other)}", slice(None), None

    def read(signal: Signal) -> NDArray[np.float64]:
        columns = [np.interp(one[mine], other, column) for column in signal.values.T]
        return np.column_stack(columns) if columns else np.empty((int(mine.sum()), 0))

    return "", mine, read


def _apart(one: NDArray[np.float64], other: NDArray[np.float64]) -> str:
    """How times differ, or nothing if they are the same to a millionth of a step."""
    if len(one) != len(other):
        return f"the times differ, {_span(one)} and {_span(other)}; interpolate compares at those of the first"
    if not len(one):
        return ""
    step = float(np.diff(one).min()) if len(one) > 1 else 1.0
    off = np.abs(one - other)
    if off.max() <= 1e-6 * step:
        return ""
    first = int(np.argmax(off > 1e-6 * step))
    return (
        f"the times differ, first at point {first}: {one[first]:.9g} s and {other[first]:.9g} s; interpolate "
        f"compares at those of the first"
    )


def _span(time: NDArray[np.float64]) -> str:
    return f"{len(time)} from {time[0]:.9g} s to {time[-1]:.9g} s" if len(time) else "none"


def _difference(
    name: str,
    signal: Signal,
    one: NDArray[np.float64],
    other: NDArray[np.float64],
    time: NDArray[np.float64],
    allowed: NDArray[np.float64],
    relative: float,
) -> SignalDifference:
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.abs(one - other)
    angles = np.array([unit == "rad" for unit in signal.units], dtype=bool)
    if angles.any():
        turned = off[:, angles]
        off[:, angles] = np.where(turned > np.pi, np.abs((turned + np.pi) % (2 * np.pi) - np.pi), turned)
    off[(one == other) | (np.isnan(one) & np.isnan(other))] = 0.0
    off[np.isnan(off)] = np.inf
    finite = np.where(np.isfinite(one), np.abs(one), 0.0)
    sizes = finite.max(axis=0, initial=0.0)
    bounds = np.maximum(allowed, relative * sizes)
    beyond = off > bounds
    if not off.size:
        return SignalDifference(name, "", 0.0, 0.0, 0.0, "", 0, 0, 0.0)
    # The worst is the furthest beyond what is allowed there: elements have different units.
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = np.where(off == 0.0, 0.0, off / np.where(bounds > 0.0, bounds, np.where(sizes > 0.0, sizes, 1.0)))
    excess = np.where(beyond == beyond.any(), excess, -1.0)
    row, column = np.unravel_index(int(np.argmax(excess)), off.shape)
    largest, size = float(off[row, column]), float(sizes[column])
    return SignalDifference(
        name, signal.units[column], largest, largest / size if size > 0.0 else largest, float(time[row]),
        signal.elements[column], int(beyond.sum()), off.size, float(bounds[column]),
    )  # fmt: skip
