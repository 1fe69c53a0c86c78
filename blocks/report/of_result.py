"""What a result shows of itself: `result.plot()`, `mission()` and `summary()`, and itself in a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from blocks.errors import ParameterError, shown
from blocks.report.mission import Mission
from blocks.report.ran import Flattened, ran
from blocks.report.summary import Item, summarise
from blocks.run.inputs import numbers
from blocks.run.result import Ran, Result, ResultError
from blocks.units import to_unit

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot(
    result: Result,
    signals: Sequence[str | Sequence[str]],
    title: str,
    since: float | str | None,
    until: float | str | None,
) -> Figure:
    """See `Result.plot`."""
    from blocks.report import over_time  # matplotlib takes a moment to import

    bounds = [None if one is None else _seconds(one) for one in (since, until)]
    return over_time.figure(result, signals, _titled(result, title), bounds[0], bounds[1])


def mission(result: Result, title: str) -> Figure:
    """See `Result.mission`."""
    found = Mission.of(result, _ran(result), options_of(result))
    if found is None:
        raise ResultError(
            "this run has no mission to draw: that wants one guidance block with waypoints and one vessel, whose "
            "outputs eta, cross_track_error, waypoint and finished were recorded; result.plot() draws any run"
        )
    from blocks.report import figures

    with figures.styled():
        return figures.mission_figure(found, _titled(result, title))


def _titled(result: Result, title: object) -> str:
    if not isinstance(title, str):
        raise ResultError(f"title must be text, not {shown(title)}")
    return title or title_of(result)


def summary(result: Result) -> str:
    """See `Result.summary`."""
    rows = [(item.label, item.text) for item in items_of(result) if item.label]
    width = max(len(label) for label, _ in rows)
    lines = [title_of(result)] if title_of(result) else []
    message = str(result.attributes.get("message", ""))
    return "\n".join([*lines, *(f"{label:<{width}}  {text}" for label, text in rows), *([message] if message else [])])


def html(result: Result) -> str:
    """What a notebook shows of a result."""
    from blocks.report.html import result_html

    return result_html(result, title_of(result), items_of(result))


def items_of(result: Result) -> list[Item]:
    """The summary of a result; of its mission, as far as it is known what ran."""
    known = ran(result)
    return summarise(result, known, options_of(result) if known is not None else None)


def options_of(result: Result) -> Mapping[str, Any]:
    """What the scenario says of its report, if one ran."""
    return result.scenario.report if result.scenario is not None else {}


def title_of(result: Result) -> str:
    """The title of the scenario, if one ran."""
    return (result.scenario.title or result.scenario.name) if result.scenario is not None else ""


def know(result: Result, scenario: Any) -> None:
    """Tell a result that was read from a file what ran: a scenario, or the path of one.

    Raises ResultError if the scenario has not what was recorded; what `Scenario.load` and planning raise.
    """
    from blocks.prepared import prepare
    from blocks.scenario.inputs import input_value
    from blocks.scenario.scenario import SETTINGS, Scenario

    known = Scenario.load(scenario) if isinstance(scenario, (str, PathLike)) else scenario
    if not isinstance(known, Scenario):
        raise ResultError(f"scenario: a Scenario or the path of one is wanted, not {shown(scenario)}")
    given = {name: input_value(value) for name, value in (known.settings.get("inputs") or {}).items()}
    settings = {name: value for name, value in known.settings.items() if name in SETTINGS}
    prepared = prepare(known.diagram, given, all_given=False, stop=known.settings.get("stop"), **settings)
    plan = prepared.plan
    outputs = plan.outputs | plan.external_outputs
    for name, place in result.places.items():
        if name not in outputs or outputs[name].shape != place.shape:
            raise ResultError(
                f"{result.path} is not a result of the scenario {known.name}, which has no output '{name}' of "
                f"{'×'.join(map(str, place.shape)) or 'one'} number{'s' if place.count > 1 else ''}",
                wrong=name,
                valid=outputs,
            )
        result.places[name] = replace(outputs[name], first=place.first)
    inputs = {name: numbers(name, value).reshape(-1) for name, value in prepared.constants.items()}
    result.scenario, result.ran = known, Ran(plan, inputs, int(known.settings.get("every", 1)))
    result.blocks = {leaf.name: leaf.block for leaf in plan.flat.leaves}


def _ran(result: Result) -> Flattened:
    found = ran(result)
    if found is None:
        raise ResultError(f"this result does not say what ran, as one from {_whence(result)}")
    return found


def _whence(result: Result) -> str:
    """Where a result comes from that does not know what ran, and what to do about it."""
    if result.path is None:
        return (
            "another process: blocks.report.save_figures(result, diagram, folder) is given the diagram, and "
            "result.plot() draws without it"
        )
    beside = result.path.with_suffix(".yaml")
    file = str(beside) if beside.exists() else "scenario.yaml"
    return f"a file: Result.load({str(result.path)!r}, scenario={file!r}) is told, and result.plot() draws without it"


def _seconds(given: float | str) -> float:
    wanted = 'since and until are times, such as 60 or "1 min"'
    if isinstance(given, str):
        try:
            return to_unit(given, "s")
        except ParameterError as problem:
            raise ResultError(f"{wanted}: {problem}") from None
    if isinstance(given, bool) or not isinstance(given, (int, float, np.integer, np.floating)):
        raise ResultError(f"{wanted}, not {shown(given)}")
    return float(given)
