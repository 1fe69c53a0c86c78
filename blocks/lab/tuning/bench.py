"""The bench: runs a plan with other numbers, and measures each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import local
from typing import Any

import numpy as np

from blocks.errors import ParameterError
from blocks.lab.tuning.knobs import Array, Knob
from blocks.metrics import MetricError, RunMetric
from blocks.plan import Plan
from blocks.plan.variation import Variation
from blocks.run.failure import explain
from blocks.run.recording import Recording
from blocks.run.result import Result
from cython_kernels import engine as native

_COMPLETED = ("end", "stopped")


@dataclass(frozen=True)
class Trial:
    """The result of one set of values: metrics, means over the cases, or the reason why there are none."""

    values: Array
    metrics: Mapping[str, float]
    reason: str = ""


def weighted_sum(weights: Mapping[str, float]) -> str:
    """What a weighted sum of metrics is called."""
    return " + ".join(f"{weight:g}·{text}" for text, weight in weights.items())


class Bench:
    """Runs the cases of a plan with other values of its knobs. Threads may use it at once: each has an engine."""

    def __init__(
        self, plan: Plan, knobs: Sequence[Knob], metrics: Mapping[str, RunMetric],
        cases: Sequence[Mapping[str, Any]] | Mapping[str, Mapping[str, Any]],
        inputs: Mapping[str, Array], every: int, worst: bool, weights: Mapping[str, float],
    ) -> None:  # fmt: skip
        self.plan, self.knobs, self.metrics, self.every, self.worst = plan, knobs, metrics, every, worst
        self.inputs, self.weights = inputs, weights
        self.names = [*metrics, *([weighted_sum(weights)] if weights else [])]
        self.places = np.array([knob.element.place for knob in knobs])
        self.needs = list(dict.fromkeys(name for one in metrics.values() for name in one.needs(plan.outputs)))
        labelled = cases if isinstance(cases, Mapping) else {str(k): case for k, case in enumerate(cases)}
        cases, self.labels = list(labelled.values()), list(labelled)
        names = list(dict.fromkeys(name for case in cases for name in case))
        self.owners: dict[str, list[str]] = {}
        for name in dict.fromkeys(knob.element.name.partition("[")[0] for knob in knobs):
            self.owners.setdefault(name.rpartition(".")[0], []).append(name.rpartition(".")[2])
        variation = Variation(plan, names)
        self.cases = [variation.encode(case) for case in cases] or [[]]
        self.own = local()

    def measure(self, values: Array) -> Trial:
        """Run every case with these values of the knobs; means of each metric, or the worst."""
        found = []
        try:
            self._check(values)
        except ParameterError as problem:
            return Trial(values, dict.fromkeys(self.names, np.nan), str(problem))
        for number in range(len(self.cases)):
            try:
                result = self.run(values, number)
                one = {name: metric(result) for name, metric in self.metrics.items()}
                if self.weights:
                    one[self.names[-1]] = sum(weight * one[name] for name, weight in self.weights.items())
                for name, value in one.items():
                    if not np.isfinite(value):
                        raise MetricError(f"{name} is {value:g}")
                found.append(one)
            except MetricError as problem:
                where = f"case '{self.labels[number]}': " if len(self.cases) > 1 else ""
                return Trial(values, dict.fromkeys(self.names, np.nan), f"{where}{problem}")
        join = np.max if self.worst else np.mean
        return Trial(values, {name: float(join([one[name] for one in found])) for name in self.names})

    def run(self, values: Array, case: int = 0) -> Result:
        """Run one case. Raises MetricError with the reason if the run fails."""
        engine, recording = self._engine()
        engine.values[:] = self._pristine
        for place, numbers in self.cases[case]:
            engine.values[place] = numbers
        engine.values[self.places] = values
        engine.inputs_changed()
        engine.parameters_changed()
        recording.kept = 0
        recording.attach(engine)
        status = engine.start(self.plan.settings.start)
        if status == 0:
            status = engine.advance(self.plan.settings.end)
        if native.STATUSES[status] not in _COMPLETED:
            raise MetricError(explain(self.plan, engine, status))
        recording.finish(engine)
        return Result.of_run(self.plan, engine, recording, native.STATUSES[status], "", 0.0)

    def _check(self, values: Array) -> None:
        """Raise ParameterError for values that do not go together, such as a lower limit above the upper one."""
        self._engine()
        numbers = self._pristine.copy()
        numbers[self.places] = values
        for owner, names in self.owners.items():
            places = {name: self.plan.parameters[f"{owner}.{name}"] for name in names}
            self.own.blocks[owner].set(
                **{name: numbers[place.slice].reshape(place.shape) if place.shape else float(numbers[place.first])
                   for name, place in places.items()}
            )  # fmt: skip

    def _engine(self) -> tuple[Any, Recording]:
        if not hasattr(self.own, "engine"):
            self.own.engine = self.plan.engine()
            for name, value in self.inputs.items():
                self.own.engine.values[self.plan.inputs[name].slice] = value
            self.own.pristine = self.own.engine.values.copy()
            self.own.blocks = {
                leaf.name: leaf.block.copy() for leaf in self.plan.flat.leaves if leaf.name in self.owners
            }
            for name, block in self.own.blocks.items():
                block.name = name  # for messages
            self.own.recording = Recording(self.plan, self.needs, self.every)
        return self.own.engine, self.own.recording

    @property
    def _pristine(self) -> Array:
        pristine: Array = self.own.pristine
        return pristine
