"""What a swarm records: a table for each vehicle, and summaries that are taken on the way."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import SimulationError
from blocks.plan import Plan
from blocks.plan.place import Place
from blocks.run.recording import check_every, choose, columns_of
from cython_kernels import engine as native

FIRST_ROWS = 256
"""Room for each vehicle, to begin with, where the end of the run is not known."""


class SwarmRecording:
    """The tables of a run: vehicles × points in time × recorded numbers. They grow where the plan has no end."""

    def __init__(self, plan: Plan, count: int, names: list[str] | None, every: int, summarised: list[str]) -> None:
        self.every = check_every(every)
        self.places: dict[str, Place] = {} if names == [] else choose(plan, names)
        self.summarised = choose(plan, summarised, "summarise") if summarised else {}
        self.columns, self.indices = columns_of(self.places)
        self.summary_columns, self.summary_indices = columns_of(self.summarised)
        settings = plan.settings
        self.step = settings.step
        self.grows = bool(self.places) and settings.end == np.inf
        rows = np.floor((settings.end - settings.start) / (settings.step * every) + 1e-6) + 2.0
        self.time, self.table = self._tables(count, FIRST_ROWS if self.grows else float(rows) if self.places else 0)
        self.fields = np.zeros((count, len(self.summary_indices), native.SUMMARY_FIELD_COUNT))
        self.kept = np.zeros(count, dtype=np.int64)

    def _tables(self, count: int, rows: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        try:
            return np.empty((count, int(rows))), np.empty((count, int(rows), len(self.indices)))
        except (MemoryError, ValueError, OverflowError):
            gigabytes = count * rows * (len(self.indices) + 1) * 8e-9
            raise SimulationError(
                f"recording {len(self.indices)} numbers of {count} vehicles at {rows:.3g} points needs "
                f"{gigabytes:.3g} GB; record fewer outputs, fewer points with every=…, or summarise them"
            ) from None

    def attach(self, engines: list[Any]) -> None:
        """Let each engine write into its tables."""
        for i, engine in enumerate(engines):
            self.begin(i, engine)

    def begin(self, i: int, engine: Any) -> None:
        """Record a vehicle from now on, and forget what it did before."""
        self.kept[i] = 0
        engine.record(self.indices, self.every, self.time[i], self.table[i])
        if self.summarised:
            self.fields[i] = 0.0
            engine.summarise(self.summary_indices, self.fields[i])

    def make_room(self, engines: list[Any], duration: float) -> None:
        """Make sure that what is recorded in so many seconds, s, has room."""
        rows = self._rows(engines)
        wanted = int(rows.max()) + int(np.ceil(duration / (self.step * self.every))) + 3
        if wanted <= self.time.shape[1]:
            return
        time, table = self.time, self.table
        self.time, self.table = self._tables(len(engines), max(wanted, 2 * time.shape[1]))
        longest = int(rows.max())
        self.time[:, :longest], self.table[:, :longest] = time[:, :longest], table[:, :longest]
        self.kept = rows
        for i, engine in enumerate(engines):
            engine.record(self.indices, self.every, self.time[i, rows[i] :], self.table[i, rows[i] :])

    def _rows(self, engines: list[Any]) -> NDArray[np.int64]:
        return self.kept + np.array([engine.rows for engine in engines], dtype=np.int64)

    def finish(self, engines: list[Any], ended: list[bool]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Times, and vehicles × times × numbers; not a number where a vehicle had stopped.

        The end of the run is among the times, whether it is on the grid or not.
        """
        rows = self._rows(engines)
        longest = int(np.argmax(rows))
        last = int(rows[longest])
        time = self.time[longest, :last]
        if self.places and ended[longest] and (not last or time[-1] < engines[longest].time - 1e-9 * self.step):
            if last == self.time.shape[1]:
                self.make_room(engines, 0.0)
            for i in np.flatnonzero(ended):
                if rows[i] == last:
                    self.table[i, last] = engines[i].values[self.indices]
                    rows[i] = last + 1
            time = np.append(self.time[longest, :last], engines[longest].time)
        for i in np.flatnonzero(np.array(ended) & (rows < len(time))):  # where it stands is left to what goes on
            if abs(time[rows[i]] - engines[i].time) <= 1e-9 * self.step:
                self.table[i, rows[i]] = engines[i].values[self.indices]
                rows[i] += 1
        for i in np.flatnonzero(rows < len(time)):
            self.table[i, rows[i] : len(time)] = np.nan
        table = self.table[:, : len(time)]
        return time.copy(), table.copy() if self.grows else table
