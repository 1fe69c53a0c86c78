"""Measure a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import overload

from blocks.metrics.text import RunMetric
from blocks.result import Result


@dataclass(frozen=True)
class Measured:
    """A number with its unit, and the definition that it follows."""

    value: float
    unit: str
    definition: str

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return f"{self.value:.5g}{'' if self.unit == '1' else ' ' + self.unit}"


@overload
def measure(run: Result, metrics: str) -> Measured: ...
@overload
def measure(run: Result, metrics: Mapping[str, str] | list[str] | tuple[str, ...]) -> dict[str, Measured]: ...
def measure(
    run: Result, metrics: str | Mapping[str, str] | list[str] | tuple[str, ...]
) -> Measured | dict[str, Measured]:
    """Measure a run by metrics in text: one, a list of them, or some with names of their own.

    Raises MetricError for a metric that is not there or cannot be measured in this run, and ResultError for a signal
    that was not recorded.
    """
    if isinstance(metrics, str):
        return _measured(run, RunMetric.of(metrics))
    named = metrics if isinstance(metrics, Mapping) else {text: text for text in metrics}
    return {name: _measured(run, RunMetric.of(text)) for name, text in named.items()}


def _measured(run: Result, metric: RunMetric) -> Measured:
    value = metric(run)
    return Measured(value, metric.unit_in(run), metric.definition.formula)
