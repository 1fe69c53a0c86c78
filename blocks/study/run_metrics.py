"""Metrics of runs as metrics of a study: by the engine on the way where it can, else of what is recorded."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.metrics import MetricError, RunMetric
from blocks.metrics.reading import is_per_leg, leg_name, on_leg
from blocks.metrics.signals import unit_of
from blocks.model.component import Component
from blocks.plan import Plan
from blocks.plan.place import Place
from blocks.study.errors import StudyError
from blocks.study.factor import NamedFactor
from blocks.study.metric import END_TIME, Metric, Statistic

_OF_DIRECTIONS = ("mean", "standard_deviation", "significant")
"""Statistics that would be wrong of an angle that jumps by a full turn: these are of a record, made continuous."""

_LEVEL = ("phi", "theta")
"""Angles that do not wrap."""


class TextMetric(Metric):
    """A metric of `blocks.metrics` as a metric of a study."""

    def __init__(self, metric: RunMetric, needs: tuple[str, ...], unit: str) -> None:
        super().__init__(metric, needs, unit=unit)
        self.metric = metric

    @property
    def signals(self) -> tuple[str, ...]:
        """The signals that it is of."""
        return self.metric.signals

    def description(self) -> Mapping[str, Any]:
        """Its text, which tells it from others."""
        return {"metric": str(self.metric), "needs": list(self.needs), "unit": self.unit}

    def __repr__(self) -> str:
        return str(self.metric)


class Reader:
    """Reads metrics in text; `plan` makes the plan of the diagram, where one has to look at its signals.

    `factors` makes the factors, where levels may have other paths.
    """

    def __init__(self, plan: Callable[[], Plan], factors: Callable[[], Iterable[NamedFactor]]) -> None:
        self._make, self._factors = plan, factors
        self._plan: Plan | None = None

    def read(self, name: str, text: str) -> Iterator[tuple[str, Metric | Statistic]]:
        """The metric of that text, or one for each leg, with their names. Raises StudyError."""
        try:
            if not is_per_leg(text):
                yield name, self._one(text)
                return
            for leg in range(1, self._legs(text) + 1):
                yield leg_name(name, text, leg), self._one(on_leg(text, leg))
        except (StudyError, MetricError) as problem:
            raise StudyError(f"metric '{name}': {problem}") from None

    def _one(self, text: str) -> Metric | Statistic:
        if text.strip().startswith(END_TIME):
            return Statistic.of(text)
        with contextlib.suppress(StudyError):
            statistic = Statistic.of(text)
            if statistic.word not in _OF_DIRECTIONS or not self._wraps(statistic):
                return statistic
        metric = RunMetric.of(text)
        needs = metric.needs(self._outputs)
        metric.check(self._outputs)
        return TextMetric(metric, needs or self._anything(), metric.unit_among(self._outputs))

    def _wraps(self, statistic: Statistic) -> bool:
        """Whether a statistic is of an angle that may jump by a full turn."""
        signal = f"{statistic.output}[{statistic.element}]" if statistic.element else statistic.output
        place = self._outputs.get(statistic.output)
        if place is None or statistic.element in _LEVEL or (place.count > 1 and not statistic.element):
            return False
        return unit_of(signal, self._outputs) == "rad"

    def _legs(self, text: str) -> int:
        """How many legs the path has that a metric with `leg=all` is of, at the level where it has most of them."""
        (schedule,) = RunMetric.of(on_leg(text, 1)).schedule(self._outputs)
        owner = schedule.rpartition(".")[0]
        paths = [_path(leaf.block) for leaf in self.plan.flat.leaves if leaf.name == owner]
        paths += [
            _path_of_level(owner, target, value)
            for factor in self._factors()
            for level in factor.levels
            for target, value in level.changes.items()
        ]
        waypoints = max((count for count, _ in paths), default=0)
        if not waypoints:
            raise StudyError(f"leg=all needs a block with waypoints; {owner} has none, so give a metric for each leg")
        return waypoints if any(looped for _, looped in paths) else waypoints - 1

    @property
    def plan(self) -> Plan:
        """The plan of the diagram as it is."""
        if self._plan is None:
            self._plan = self._make()
        return self._plan

    @property
    def _outputs(self) -> dict[str, Place]:
        return {**self.plan.inputs, **self.plan.outputs, **self.plan.external_outputs}

    def _anything(self) -> tuple[str, ...]:
        """An output to record where only time counts: the smallest."""
        return (min(self.plan.outputs.values(), key=lambda place: place.count).name,)


def _path(block: Component | None) -> tuple[int, bool]:
    """How many waypoints a block has, and whether it goes from the last to the first."""
    values = block.values if isinstance(block, Block) else {}
    return _count(values.get("waypoints")), values.get("at_end") == "loop"


def _path_of_level(owner: str, target: str, value: Any) -> tuple[int, bool]:
    """The same of a level that exchanges the block `owner`, what it is in, or its waypoints."""
    if target == f"{owner}.waypoints":
        return _count(value), False
    if target == f"{owner}.at_end":
        return 0, value == "loop"
    if isinstance(value, Diagram) and owner.startswith(f"{target}."):
        return _path(value.blocks().get(owner.removeprefix(f"{target}.")))
    return _path(value if target == owner and isinstance(value, Component) else None)


def _count(waypoints: Any) -> int:
    return len(waypoints) if isinstance(waypoints, (np.ndarray, list, tuple)) else 0
