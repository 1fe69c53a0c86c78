"""What a run records: which outputs, at which grid points, in one table."""

from __future__ import annotations

import copy
import fnmatch
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import SimulationError, shown
from blocks.plan import Plan
from blocks.plan.place import Place

FIRST_ROWS = 1024
"""Room in the table of a run whose end is not known, to begin with."""


class Recording:
    """The table of a run: a row per point in time, a column per recorded number.

    Where the plan has no end, the table grows. keep: how many seconds of it are kept; None keeps all.
    """

    def __init__(self, plan: Plan, names: list[str] | None, every: int, keep: float | None = None) -> None:
        self.plan = plan
        self.every = check_every(every)
        self.places = {} if names == [] else choose(plan, names)
        self.columns, self.indices = columns_of(self.places)
        self.keep = keep
        settings = plan.settings
        self.interval = settings.step * self.every
        rows = np.floor((settings.end - settings.start) / self.interval + 1e-6) + 3.0
        self._time, self._table = self._tables(float(rows) if np.isfinite(rows) else FIRST_ROWS * bool(self.places))
        self.kept = 0
        self.engine: Any = None

    def _tables(self, rows: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        try:
            return np.empty(int(rows)), np.empty((int(rows), len(self.indices)))
        except (MemoryError, ValueError, OverflowError):
            gigabytes = rows * (len(self.indices) + 1) * 8e-9
            raise SimulationError(
                f"recording {len(self.indices)} numbers at {rows:.3g} points needs {gigabytes:.3g} GB; record fewer "
                f"outputs or fewer points with every=…"
            ) from None

    def attach(
        self, engine: Any, time: NDArray[np.float64] | None = None, table: NDArray[np.float64] | None = None
    ) -> None:
        """Let the engine record into the table, after rows that are there already."""
        self.kept = 0
        if time is not None and table is not None:
            self.kept = len(time)
            if self.kept + 2 > len(self._time):
                self._time, self._table = self._tables(self.kept + 2)
            self._time[: self.kept] = time
            self._table[: self.kept] = table
        self.engine = engine
        engine.record(self.indices, self.every, self._time[self.kept :], self._table[self.kept :])

    def stages(self, engine: Any, until: float) -> Iterator[float]:
        """Instants on the way to `until` up to which there is room in turn, where the end was not known before."""
        settings = self.plan.settings
        while settings.end == np.inf and self.places:
            least = FIRST_ROWS if self.keep is None else FIRST_ROWS + self.keep / self.interval
            ahead = int(max(least, 0.0 if self.keep is not None else self.rows))
            target = settings.start + (engine.grid + ahead * self.every) * settings.step
            self._make_room(engine, ahead)
            if target >= until:
                break
            yield target
        yield until

    def _make_room(self, engine: Any, ahead: int) -> None:
        wanted = self.rows + ahead + 3
        if wanted <= len(self._time):
            return
        wanted -= self._first
        time, table = self.time.copy(), self.table.copy()
        if wanted > len(self._time):
            self._time, self._table = self._tables(2.0 * wanted)
        self.attach(engine, time, table)

    def forget(self, engine: Any, since: float) -> None:
        """Drop the rows from an instant on: the run goes on from before it."""
        rows = int(np.searchsorted(self.time, since))
        self.attach(engine, self.time[:rows].copy(), self.table[:rows].copy())

    def write(self, t: float, values: NDArray[np.float64]) -> None:
        """Append a row by hand: for solvers that are stepped from Python, and for the last point."""
        self._time[self.rows] = t
        self._table[self.rows] = values[self.indices]
        self.kept += 1

    def finish(self, engine: Any) -> None:
        """Make sure that the last point of the run is in the table."""
        rows = self.rows
        if rows == 0 or self._time[rows - 1] < engine.time - 1e-9 * self.plan.settings.step:
            self._time[rows] = engine.time
            self._table[rows] = engine.values[self.indices]
            self.kept += 1

    def until_now(self, engine: Any) -> Recording:
        """A copy that has the present instant in it: this one goes on."""
        ended = copy.copy(self)
        ended._time = np.append(self.time, 0.0)
        ended._table = np.append(self.table, np.empty((1, len(self.indices))), axis=0)
        ended.kept, ended.engine = len(self.time), None
        ended.finish(engine)
        return ended

    @property
    def rows(self) -> int:
        """How many points are in the table, also those that are no longer kept."""
        return self.kept + (self.engine.rows if self.engine is not None else 0)

    @property
    def _first(self) -> int:
        """The first row of those that are kept."""
        if self.keep is None or not self.rows:
            return 0
        times = self._time[: self.rows]
        return int(np.searchsorted(times, times[-1] - self.keep - 1e-9 * self.interval))

    @property
    def time(self) -> NDArray[np.float64]:
        """Times of the rows, s."""
        return self._time[self._first : self.rows]

    @property
    def table(self) -> NDArray[np.float64]:
        """Rows × recorded numbers."""
        return self._table[self._first : self.rows]


def check_every(every: int) -> int:
    """Raise SimulationError unless it is a whole number ≥ 1."""
    if isinstance(every, bool) or not isinstance(every, (int, np.integer)) or not 1 <= every < 2**63:
        raise SimulationError(f"every must be a whole number ≥ 1 and < 2^63, not {shown(every)}")
    return int(every)


def choose(plan: Plan, names: list[str] | None, what: str = "record") -> dict[str, Place]:
    """The places to record, by name."""
    everything = {**plan.inputs, **plan.outputs, **plan.external_outputs}
    if names is None:
        return {**plan.inputs, **plan.outputs}
    chosen: dict[str, Place] = {}
    for name in names:
        found = [n for n in everything if fnmatch.fnmatchcase(n, name)]
        if not found:
            raise SimulationError(f"{what}: no output '{name}'", code="unknown-output", wrong=name, valid=everything)
        chosen |= {n: everything[n] for n in found}
    return chosen


def columns_of(places: dict[str, Place]) -> tuple[dict[str, slice], NDArray[np.intc]]:
    """Where the numbers of each quantity stand in a row, and which values these are."""
    columns: dict[str, slice] = {}
    indices: list[int] = []
    for name, place in places.items():
        columns[name] = slice(len(indices), len(indices) + place.count)
        indices += range(place.first, place.first + place.count)
    return columns, np.array(indices, dtype=np.intc)
