"""Metrics of episodes: the signals at each action are kept, and measured when an episode ends."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from blocks.errors import KeelblocksError
from blocks.live.learning.declaration import Declaration
from blocks.live.learning.signals import View
from blocks.metrics.errors import MetricError
from blocks.metrics.text import RunMetric
from blocks.plan import Plan
from blocks.plan.surface import Surface
from blocks.run.result import Result

Array = NDArray[np.float64]


class EpisodeMetrics:
    """What is measured of each vehicle's episode, by the metrics that runs are measured by."""

    def __init__(
        self, declaration: Declaration, plan: Plan | Surface, view: View, count: int, limit: int, interval: float
    ) -> None:
        self.metrics: dict[str, RunMetric] = {}
        needed: dict[str, None] = {}
        for name, text in declaration.entry.metrics.items():
            with declaration.at("metrics", name):
                metric = RunMetric.of(text)
                needs = metric.needs(plan.outputs)
                for output in needs:
                    if output not in plan.outputs:
                        raise MetricError(
                            f"{metric}: no signal '{output}'", code="unknown-output", wrong=output, valid=plan.outputs
                        )
                metric.check(plan.outputs)
                self.metrics[name] = metric
                needed |= dict.fromkeys(needs)
        self.places = {name: plan.outputs[name] for name in needed}
        self.columns: dict[str, slice] = {}
        first = 0
        for name, place in self.places.items():
            self.columns[name] = slice(first, first + place.count)
            first += place.count
        self._present = np.zeros((count, first))
        self._views = [(self._present[:, self.columns[name]], view(name)) for name in self.places]
        rows = limit + 1 if self.metrics else 0
        try:
            self._time: Array = np.arange(rows) * np.float64(interval)
            self._kept = np.zeros((rows, count, first))
        except (MemoryError, ValueError) as problem:
            raise KeelblocksError(
                f"keeping {first} numbers of {count} episodes of {limit} actions: {problem}"
            ) from None
        self._all = np.arange(count)

    def take(self, steps: NDArray[np.int64]) -> None:
        """Keep the present values."""
        if self.metrics:
            for place, values in self._views:
                np.copyto(place, values)
            self._kept[steps, self._all] = self._present

    def measure(self, vehicles: NDArray[np.int64], steps: NDArray[np.int64]) -> dict[str, Array]:
        """Each metric of the episodes that these vehicles have ended; not a number where it cannot be measured."""
        found = {name: np.full(len(vehicles), np.nan) for name in self.metrics}
        for i, vehicle in enumerate(vehicles if self.metrics else ()):
            rows = int(steps[vehicle]) + 1
            run = Result(self._time[:rows], self.places, self.columns, self._kept[:rows, vehicle], {"status": "end"})
            for name, metric in self.metrics.items():
                try:
                    found[name][i] = metric(run)
                except MetricError:
                    continue
        return found
