"""What is measured of each member: from the values of an engine to the numbers of the metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import KeelblocksError, SimulationError, did_you_mean
from blocks.plan import Plan
from blocks.plan.place import Place
from blocks.run.recording import choose
from blocks.run.result import Result
from blocks.study.errors import StudyError
from blocks.study.metric import END_TIME, FINAL, Metric, Statistic
from blocks.swarm.result import STATISTICS, statistics_of


@dataclass
class Measurement:
    """Which values of a plan are summarised, recorded and read at the end, and the metrics that follow from them."""

    names: list[str]
    summarised: NDArray[np.intc]
    statistics: list[tuple[int, int, int]]
    """(number of the metric, which statistic, which of the summarised values)."""
    finals: list[tuple[int, int]]
    """(number of the metric, place of the value)."""
    end_times: list[int]
    functions: list[tuple[int, Metric]]
    recorded: dict[str, Place] = field(default_factory=dict)
    columns: dict[str, slice] = field(default_factory=dict)
    indices: NDArray[np.intc] = field(default_factory=lambda: np.zeros(0, dtype=np.intc))
    every: int = 1

    def of_batch(self, fields: NDArray[np.float64], counts: NDArray[np.int64], out: NDArray[np.float64]) -> None:
        """Fill in the metrics that follow from summaries (members, values, 4), taken so many times each."""
        if self.statistics:
            with np.errstate(over="ignore", invalid="ignore"):  # of members that came near to infinity
                found = statistics_of(fields, np.maximum(counts, 1))
            for metric, which, value in self.statistics:
                out[:, metric] = found[:, which, value]

    def of_member(self, values: NDArray[np.float64], end_time: float, out: NDArray[np.float64]) -> None:
        """Fill in the metrics that follow from the values at the end of a run."""
        for metric, place in self.finals:
            out[metric] = values[place]
        for metric in self.end_times:
            out[metric] = end_time

    def of_result(
        self,
        time: NDArray[np.float64],
        table: NDArray[np.float64],
        attributes: dict[str, Any],
        out: NDArray[np.float64],
    ) -> str:
        """Fill in the metrics that functions give; why some could not, or nothing."""
        trouble = []
        result = Result(_sealed(time), self.recorded, self.columns, _sealed(table), attributes)
        for number, metric in self.functions:
            try:
                out[number] = float(metric.function(result))
            except (Exception, SystemExit) as problem:  # whatever the user's function raises belongs to the member
                kind = "" if isinstance(problem, KeelblocksError) else f"{type(problem).__name__}: "
                trouble.append(f"metric '{self.names[number]}': {kind}{problem}")
        return "; ".join(trouble)

    def troubles(self, out: NDArray[np.float64]) -> str:
        """Which metrics are not numbers, in words; nothing if all are."""
        wrong = [f"'{self.names[i]}'" for i in np.flatnonzero(np.isnan(out))]
        return f"metric {', '.join(wrong)} is not a number" if wrong else ""


def measure(plan: Plan, metrics: Mapping[str, Metric | Statistic], every: int) -> Measurement:
    """How these metrics are measured in this plan. Raises StudyError for outputs and elements that are not there."""
    outputs = {**plan.inputs, **plan.outputs, **plan.external_outputs}
    summarised: list[int] = []
    made = Measurement(list(metrics), np.zeros(0, dtype=np.intc), [], [], [], [], every=every)
    needs: list[str] = []
    for number, (name, metric) in enumerate(metrics.items()):
        if isinstance(metric, Metric):
            made.functions.append((number, metric))
            needs += _needed(plan, name, metric)
        elif metric.word == END_TIME:
            made.end_times.append(number)
        else:
            place = _element(outputs, name, metric)
            if metric.word == FINAL:
                made.finals.append((number, place))
                continue
            if place not in summarised:
                summarised.append(place)
            made.statistics.append((number, STATISTICS.index(metric.word), summarised.index(place)))
    made.summarised = np.array(summarised, dtype=np.intc)
    chosen = choose(plan, list(dict.fromkeys(needs))) if needs else {}
    indices: list[int] = []
    for name, place_of in chosen.items():
        made.recorded[name] = replace(place_of, parameter=None, calculated=None)
        made.columns[name] = slice(len(indices), len(indices) + place_of.count)
        indices += range(place_of.first, place_of.first + place_of.count)
    made.indices = np.array(indices, dtype=np.intc)
    return made


def unit_of(plan: Plan, metric: Metric | Statistic) -> str:
    """The unit of a metric."""
    if isinstance(metric, Metric):
        return metric.unit
    if metric.word == END_TIME:
        return "s"
    place = {**plan.inputs, **plan.outputs, **plan.external_outputs}[metric.output]
    if isinstance(place.unit, tuple):
        return place.unit[_number(place, metric.element)]
    return place.unit or "1"


def outputs_of(metrics: Mapping[str, Metric | Statistic]) -> list[str] | None:
    """The outputs that a plan has to evaluate for these metrics; None if names with wildcards do not tell."""
    names = [name for metric in metrics.values() if isinstance(metric, Metric) for name in metric.needs]
    if any(set(name) & set("*?") for name in names):
        return None
    return [*names, *(metric.output for metric in metrics.values() if isinstance(metric, Statistic) and metric.output)]


def _needed(plan: Plan, name: str, metric: Metric) -> list[str]:
    try:
        choose(plan, list(metric.needs))
    except SimulationError as problem:
        raise StudyError(f"metric '{name}': {str(problem).removeprefix('record: ')}") from None
    return list(metric.needs)


def _element(outputs: Mapping[str, Place], name: str, metric: Statistic) -> int:
    """The place of the one value that a statistic is of."""
    if metric.output not in outputs:
        raise StudyError(f"metric '{name}': no output '{metric.output}'{did_you_mean(metric.output, outputs)}")
    place = outputs[metric.output]
    labels = _labels(place)
    if not metric.element:
        if place.count > 1:
            first = labels[0] if labels else "0"
            raise StudyError(
                f"metric '{name}': {metric.output} has {place.count} elements ({', '.join(labels)}); name one: "
                f"{metric.word}({metric.output}[{first}])"
            )
        return place.first
    return place.first + _number(place, metric.element, name)


def _number(place: Place, element: str, name: str = "") -> int:
    """Which element of a quantity is meant. Raises StudyError."""
    labels: Sequence[str] = _labels(place)
    if not element:
        return 0
    if element in labels:
        return list(labels).index(element)
    if element.isdigit() and int(element) < place.count:
        return int(element)
    raise StudyError(f"metric '{name}': {place.name} has no element '{element}'{did_you_mean(element, labels)}")


def _labels(place: Place) -> tuple[str, ...]:
    labels = place.signal.labels if place.signal is not None else ()
    return labels if len(labels) == place.count else tuple(map(str, range(place.count)))


def _sealed(array: NDArray[np.float64]) -> NDArray[np.float64]:
    view: NDArray[np.float64] = array.view()
    view.setflags(write=False)
    return view
