"""What a run records: which outputs, at which grid points, in one table."""

from __future__ import annotations

import fnmatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import SimulationError, did_you_mean, shown
from blocks.plan import Plan
from blocks.plan.place import Place


class Recording:
    """The table of a run: a row per point in time, a column per recorded number."""

    def __init__(self, plan: Plan, names: list[str] | None, every: int) -> None:
        self.plan = plan
        self.every = check_every(every)
        self.places = choose(plan, names)
        self.columns, self.indices = columns_of(self.places)
        settings = plan.settings
        rows = np.floor((settings.end - settings.start) / (settings.step * every) + 1e-6) + 3.0
        try:
            self._time = np.empty(int(rows))
            self._table = np.empty((int(rows), len(self.indices)))
        except (MemoryError, ValueError, OverflowError):
            gigabytes = rows * (len(self.indices) + 1) * 8e-9
            raise SimulationError(
                f"recording {len(self.indices)} numbers at {rows:.3g} points needs {gigabytes:.3g} GB; record fewer "
                f"outputs or fewer points with every=…"
            ) from None
        self.kept = 0

    def attach(
        self, engine: Any, time: NDArray[np.float64] | None = None, table: NDArray[np.float64] | None = None
    ) -> None:
        """Let the engine record into the table, after rows that are there already."""
        if time is not None and table is not None:
            self.kept = len(time)
            if self.kept + 2 > len(self._time):
                extra = self.kept + 2 - len(self._time)
                self._time = np.concatenate([self._time, np.empty(extra)])
                self._table = np.concatenate([self._table, np.empty((extra, self._table.shape[1]))])
            self._time[: self.kept] = time
            self._table[: self.kept] = table
        self.engine = engine
        engine.record(self.indices, self.every, self._time[self.kept :], self._table[self.kept :])

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

    @property
    def rows(self) -> int:
        """How many points are in the table."""
        return self.kept + (self.engine.rows if hasattr(self, "engine") else 0)

    @property
    def time(self) -> NDArray[np.float64]:
        """Times of the rows, s."""
        return self._time[: self.rows]

    @property
    def table(self) -> NDArray[np.float64]:
        """Rows × recorded numbers."""
        return self._table[: self.rows]


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
            raise SimulationError(f"{what}: no output '{name}'{did_you_mean(name, everything)}")
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
