"""The bench: runs a plan with other numbers, and measures each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import local
from typing import Any

import numpy as np

from blocks.failure import explain
from blocks.lab.tuning.knobs import Array, Knob
from blocks.metrics import MetricError, RunMetric
from blocks.plan import Plan
from blocks.recording import Recording
from blocks.result import Result
from blocks.variation import Variation
from cython_kernels import engine as native

_SOUND = ("end", "stopped")


@dataclass(frozen=True)
class Trial:
    """What came out of one set of values: metrics, means over the cases; why there are none, if so."""

    values: Array
    metrics: Mapping[str, float]
    reason: str = ""


class Bench:
    """Runs the cases of a plan with other values of its knobs. Threads may use it at once: each has an engine."""

    def __init__(
        self, plan: Plan, knobs: Sequence[Knob], metrics: Mapping[str, RunMetric], cases: Sequence[Mapping[str, Any]],
        inputs: Mapping[str, Array], every: int, worst: bool,
    ) -> None:  # fmt: skip
        self.plan, self.knobs, self.metrics, self.every, self.worst = plan, knobs, metrics, every, worst
        self.inputs = inputs
        self.places = np.array([knob.element.place for knob in knobs])
        self.needs = list(dict.fromkeys(name for one in metrics.values() for name in one.needs(plan.outputs)))
        names = list(dict.fromkeys(name for case in cases for name in case))
        variation = Variation(plan, names)
        self.cases = [variation.encode(case) for case in cases] or [[]]
        self.own = local()

    def measure(self, values: Array) -> Trial:
        """Run every case with these values of the knobs; means of each metric, or the worst."""
        found = []
        for number in range(len(self.cases)):
            try:
                result = self.run(values, number)
                found.append({name: metric(result) for name, metric in self.metrics.items()})
            except MetricError as problem:
                where = f"case {number}: " if len(self.cases) > 1 else ""
                return Trial(values, dict.fromkeys(self.metrics, np.nan), f"{where}{problem}")
        join = np.max if self.worst else np.mean
        return Trial(values, {name: float(join([one[name] for one in found])) for name in self.metrics})

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
        if native.STATUSES[status] not in _SOUND:
            raise MetricError(explain(self.plan, engine, status))
        recording.finish(engine)
        return Result.of_run(self.plan, engine, recording, native.STATUSES[status], "", 0.0)

    def _engine(self) -> tuple[Any, Recording]:
        if not hasattr(self.own, "engine"):
            self.own.engine = self.plan.engine()
            for name, value in self.inputs.items():
                self.own.engine.values[self.plan.inputs[name].slice] = value
            self.own.pristine = self.own.engine.values.copy()
            self.own.recording = Recording(self.plan, self.needs, self.every)
        return self.own.engine, self.own.recording

    @property
    def _pristine(self) -> Array:
        pristine: Array = self.own.pristine
        return pristine
