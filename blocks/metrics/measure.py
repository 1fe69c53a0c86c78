"""Measure a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import overload

from blocks.metrics.errors import MetricError
from blocks.metrics.reading import is_per_leg, leg_name, on_leg
from blocks.metrics.text import RunMetric, legs_of
from blocks.run.result import Result


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

    One with `leg=all` becomes one for each leg that was followed: "error" becomes "error_leg_1", "error_leg_2" and so
    on. Raises MetricError for a metric that is not there or cannot be measured in this run, and ResultError for a
    signal that was not recorded.
    """
    if isinstance(metrics, str):
        if is_per_leg(metrics):
            raise MetricError(
                f"the metric '{metrics}' is several numbers: give it in a list, measure(run, [{metrics!r}])"
            )
        return _measured(run, metrics)
    if not isinstance(metrics, (Mapping, list, tuple)):
        raise MetricError(f"metrics are text, a list of texts, or a mapping of names to texts, not {metrics!r}")
    named = metrics if isinstance(metrics, Mapping) else {text: text for text in metrics}
    found: dict[str, Measured] = {}
    for name, text in named.items():
        if not isinstance(text, str) or not is_per_leg(text):
            found[name] = _measured(run, text)
            continue
        for leg in range(1, _legs(run, text) + 1):
            found[leg_name(name, text, leg)] = _measured(run, on_leg(text, leg))
    return found


def _legs(run: Result, text: str) -> int:
    """How many legs were followed, the last of them perhaps in part."""
    (schedule,) = RunMetric.of(on_leg(text, 1)).schedule(list(run))
    return int(legs_of(run.values(schedule)).max())


def _measured(run: Result, text: str) -> Measured:
    metric = RunMetric.of(text)
    return Measured(metric(run), metric.unit_among(run.places), metric.definition.formula)
