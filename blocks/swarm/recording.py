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


class SwarmRecording:
    """The tables of a run: vehicles × points in time × recorded numbers."""

    def __init__(self, plan: Plan, count: int, names: list[str] | None, every: int, summarised: list[str]) -> None:
        self.every = check_every(every)
        self.places: dict[str, Place] = {} if names == [] else choose(plan, names)
        self.summarised = choose(plan, summarised, "summarise") if summarised else {}
        self.columns, self.indices = columns_of(self.places)
        self.summary_columns, self.summary_indices = columns_of(self.summarised)
        settings = plan.settings
        self.step = settings.step
        rows = np.floor((settings.end - settings.start) / (settings.step * every) + 1e-6) + 2.0 if self.places else 0.0
        try:
            self.time = np.empty((count, int(rows)))
            self.table = np.empty((count, int(rows), len(self.indices)))
            self.fields = np.zeros((count, len(self.summary_indices), native.SUMMARY_FIELD_COUNT))
        except (MemoryError, ValueError, OverflowError):
            gigabytes = count * rows * (len(self.indices) + 1) * 8e-9
            raise SimulationError(
                f"recording {len(self.indices)} numbers of {count} vehicles at {rows:.3g} points needs "
                f"{gigabytes:.3g} GB; record fewer outputs, fewer points with every=…, or summarise them"
            ) from None

    def attach(self, engines: list[Any]) -> None:
        """Let each engine write into its tables."""
        for i, engine in enumerate(engines):
            engine.record(self.indices, self.every, self.time[i], self.table[i])
            if self.summarised:
                engine.summarise(self.summary_indices, self.fields[i])

    def finish(self, engines: list[Any], ended: list[bool]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Times, and vehicles × times × numbers; not a number where a vehicle had stopped.

        The end of the run is among the times, whether it is on the grid or not.
        """
        rows = np.array([engine.rows for engine in engines])
        longest = int(np.argmax(rows))
        last = int(rows[longest])
        time = self.time[longest, :last]
        if self.places and ended[longest] and time[-1] < engines[longest].time - 1e-9 * self.step:
            for i in np.flatnonzero(ended):
                self.table[i, last] = engines[i].values[self.indices]
                rows[i] = last + 1
            time = np.append(time, engines[longest].time)
        for i in np.flatnonzero(rows < len(time)):
            self.table[i, rows[i] : len(time)] = np.nan
        return time.copy(), self.table[:, : len(time)]
