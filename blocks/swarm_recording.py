"""What a swarm records: a table for each vehicle, and summaries that are taken on the way."""

from __future__ import annotations

from typing import Any

import numpy as np

from blocks.errors import SimulationError
from blocks.place import Place
from blocks.plan import Plan
from blocks.recording import check_every, choose


class SwarmRecording:
    """The tables of a run: vehicles × points in time × recorded numbers."""

    def __init__(self, plan: Plan, count: int, names: list[str] | None, every: int, summarised: list[str]) -> None:
        self.every = check_every(every)
        self.places: dict[str, Place] = {} if names == [] else choose(plan, names)
        self.summarised = choose(plan, summarised) if summarised else {}
        self.columns, self.indices = _columns(self.places)
        self.summary_columns, self.summary_indices = _columns(self.summarised)
        settings = plan.settings
        rows = int(np.floor((settings.end - settings.start) / (settings.step * every) + 1e-6)) + 1 if self.places else 0
        try:
            self.time = np.full((count, rows), np.nan)
            self.table = np.full((count, rows, len(self.indices)), np.nan)
            self.fields = np.zeros((count, len(self.summary_indices), 4))
        except (MemoryError, ValueError):
            gigabytes = count * rows * (len(self.indices) + 1) * 8e-9
            raise SimulationError(
                f"recording {len(self.indices)} numbers of {count} vehicles at {rows} points needs {gigabytes:.3g} GB; "
                f"record fewer outputs, fewer points with every=…, or summarise them"
            ) from None

    def attach(self, engines: list[Any]) -> None:
        """Let each engine write into its tables."""
        for i, engine in enumerate(engines):
            engine.record(self.indices, self.every, self.time[i], self.table[i])
            if self.summarised:
                engine.summarise(self.summary_indices, self.fields[i])


def _columns(places: dict[str, Place]) -> tuple[dict[str, slice], Any]:
    """Where the numbers of each quantity stand in a row, and which values these are."""
    columns: dict[str, slice] = {}
    indices: list[int] = []
    for name, place in places.items():
        columns[name] = slice(len(indices), len(indices) + place.count)
        indices += range(place.first, place.first + place.count)
    return columns, np.array(indices, dtype=np.intc)
