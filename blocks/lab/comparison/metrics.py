"""Metrics in text, as a study takes them: by the engine on the way where it can, else of what is recorded."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from blocks.errors import did_you_mean
from blocks.lab.comparison.errors import ComparisonError
from blocks.metrics import MetricError, RunMetric
from blocks.plan import Place, Plan
from blocks.study import Metric, StudyError
from blocks.study.metric import END_TIME, Statistic


class TextMetric(Metric):
    """A metric of `blocks.metrics` as a metric of a study."""

    def __init__(self, metric: RunMetric, needs: tuple[str, ...], unit: str) -> None:
        super().__init__(metric, needs, unit=unit)
        self.metric = metric

    def description(self) -> Mapping[str, Any]:
        """Its text, which tells it from others."""
        return {"metric": str(self.metric), "needs": list(self.needs), "unit": self.unit}

    def __repr__(self) -> str:
        return str(self.metric)


def study_metrics(given: Mapping[str, Any], plan: Plan) -> dict[str, Any]:
    """Metrics by name; those in text that the engine cannot take become functions of what is recorded for them.

    Raises ComparisonError for text that is no metric, and for elements that are not there.
    """
    if not given:
        raise ComparisonError("a comparison needs at least one metric, such as rms(guidance.cross_track_error)")
    return {name: study_metric(name, text, plan) if isinstance(text, str) else text for name, text in given.items()}


def study_metric(name: str, text: str, plan: Plan) -> Any:
    """One metric in text. Raises ComparisonError."""
    with contextlib.suppress(StudyError):
        return str(Statistic.of(text))
    if text.strip() == END_TIME:
        return END_TIME
    outputs = {**plan.inputs, **plan.outputs, **plan.external_outputs}
    try:
        metric = RunMetric.of(text)
        needs = metric.needs(outputs)
        _check_elements(metric, outputs)
    except MetricError as problem:
        raise ComparisonError(f"metric '{name}': {problem}") from None
    return TextMetric(metric, needs or _anything(plan), _unit(metric, outputs))


def signals_of(metric: Any) -> tuple[str, ...]:
    """The signals that a metric is of."""
    if isinstance(metric, TextMetric):
        return metric.metric.signals
    if isinstance(metric, str):
        with contextlib.suppress(StudyError):
            metric = Statistic.of(metric)
    if isinstance(metric, Statistic):
        return (metric.output,) if metric.output else ()
    return tuple(getattr(metric, "needs", ()))


def _check_elements(metric: RunMetric, outputs: Mapping[str, Place]) -> None:
    """Say before anything runs what every member would say. What is not there at all the study finds by itself."""
    for kind, signal in zip(metric.definition.signals, metric.signals, strict=False):
        bare, _, element = signal.removesuffix("]").partition("[")
        place = outputs.get(bare)
        if place is None or kind.strip("[]") in metric.definition.whole:
            continue
        labels = _labels(place)
        if not element and place.count > 1:
            raise MetricError(
                f"{metric}: {bare} has {place.count} elements ({', '.join(labels)}); name one: {bare}[{labels[0]}]"
            )
        if element and element not in labels and not (element.isdigit() and int(element) < place.count):
            raise MetricError(f"{metric}: {bare} has no element '{element}'{did_you_mean(element, labels)}")


def _unit(metric: RunMetric, outputs: Mapping[str, Place]) -> str:
    """The unit of what comes out. A signal that only levels bring has none here."""
    units: dict[str, str] = {}
    for signal in metric.signals[:1]:
        bare, _, element = signal.removesuffix("]").partition("[")
        place = outputs.get(bare)
        if place is None:
            continue
        if isinstance(place.unit, tuple):
            labels = _labels(place)
            units[signal] = place.unit[labels.index(element) if element in labels else int(element or 0)]
        else:
            units[signal] = place.unit or "1"
    return metric.unit(units)


def _labels(place: Place) -> tuple[str, ...]:
    labels = place.signal.labels if place.signal is not None else ()
    return labels if len(labels) == place.count else tuple(map(str, range(place.count)))


def _anything(plan: Plan) -> tuple[str, ...]:
    """An output to record where only time counts: the smallest."""
    return (min(plan.outputs.values(), key=lambda place: place.count).name,)
