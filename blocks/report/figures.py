"""Figures of a run: one for a slide with everything in it, and one for each plot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from itertools import chain
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from blocks import style
from blocks.block import Block
from blocks.diagram import Diagram
from blocks.report import over_time, page
from blocks.report.mission import Mission
from blocks.report.page import RunFigure
from blocks.report.plots import PLOTS, plan_view
from blocks.report.ran import HasBlocks, ran
from blocks.report.signal_figure import signals_figure
from blocks.report.signals import panels
from blocks.report.summary import Item, summarise_mission
from blocks.run.result import Result

_WIDE = "thruster_speed"
"""The plot that takes the rows that are left: it has a lane for each thruster."""
_PLAN = 4.7
"""Width of the plan view among all plots, inches."""
_LINE = 0.19
"""Height of a line of the numbers, inches."""


def save(
    result: Result,
    diagram: Diagram | Block,
    folder: Path,
    options: Mapping[str, Any],
    title: str,
    formats: tuple[str, ...],
) -> list[Path]:
    """See `blocks.report.save_figures`."""
    known = ran(result) or (diagram if isinstance(diagram, Diagram) else Diagram("one block"))
    mission = Mission.of(result, known, options)
    wanted = options.get("plots")
    panels(result, wanted)  # a name that is wrong is told before anything is written
    files: list[Path] = []
    with styled():
        drawn = (
            chain(_mission_figures(mission, title), _single_signals(result, wanted))
            if mission
            else _signal_figures(result, wanted, title)
        )
        for name, figure in chain(drawn, _scopes(result, known)):
            files += page.write(figure, folder / name, formats)
    return files


def styled() -> AbstractContextManager[None]:
    """The style of figures, while they are made and written."""
    return mpl.rc_context(rc=style.SETTINGS)  # type: ignore[arg-type]


def mission_figure(mission: Mission, title: str) -> RunFigure:
    """Everything on one page: plan view, numbers, and each plot that the mission has."""
    figure = page.new(*style.SLIDE, title or "Mission")
    width, height = style.SLIDE
    items = [item for item in summarise_mission(mission) if item.label and not item.key.startswith("phase_")]
    top = page.TOP + page.HEADING
    room = height - top - page.BOTTOM - 0.3 - _LINE * len(items)
    tall = _PLAN * _shape(mission)
    tall = room if tall > 0.6 * room else max(tall, 0.5 * room)
    plan_view(page.place(figure, (page.LEFT, height - top - tall, _PLAN, tall)), mission)
    _numbers(figure, items, height - top - tall - page.BOTTOM - 0.25)
    drawn: dict[str, Axes] = {}
    for name, plot in PLOTS.items():
        if name != "plan_view":
            ax = figure.add_axes((0.0, 0.0, 1.0, 1.0), label=name)
            if plot(ax, mission):
                drawn[name] = ax
            else:
                ax.remove()
    columns, spans = _in_columns(list(drawn))
    places = page.columns(figure, spans, page.LEFT + _PLAN + 0.02, width - page.RIGHT, top)
    for names, column in zip(columns, places, strict=True):
        for name, where in zip(names, column, strict=True):
            page.place(figure, where, drawn[name])
            if name != names[-1]:
                drawn[name].set_xlabel("")
    return figure


def _in_columns(names: list[str]) -> tuple[list[list[str]], list[list[int]]]:
    """Two columns of plots, read row by row, and how many rows each takes: two what ends them, if a place is free."""
    last = _WIDE if _WIDE in names else names[-1]
    others = [name for name in names if name != last]
    rows = -(-len(names) // 2)
    span = 1 + len(names) % 2
    right = others[1 : 2 * (rows - span) : 2]
    left = [name for name in others if name not in right]
    if not left:
        return [[last]], [[1]]
    return [left, [*right, last]], [[1] * len(left), [1] * len(right) + [span]]


def _shape(mission: Mission) -> float:
    """How many times as high as wide the plan view is."""
    everything = np.vstack([mission.planned.line[:, :2], mission.eta[:, :2]])
    size = np.ptp(everything, axis=0)
    margin = 0.2 * float(size.max())
    return float((size[0] + margin) / ((size[1] + margin) or 1.0))


def _mission_figures(mission: Mission, title: str) -> Iterator[tuple[str, Figure]]:
    yield "mission", mission_figure(mission, title)
    for name, plot in PLOTS.items():
        figure, ax = page.single(style.SQUARE if name == "plan_view" else style.SINGLE)
        if plot(ax, mission):
            yield name, figure


def _numbers(figure: Figure, items: list[Item], top: float) -> None:
    """The mission in numbers, below this height, inches."""
    width, height = figure.get_size_inches()
    for number, item in enumerate(items):
        for text, x, weight in ((item.label, 0.0, "normal"), (item.text, 2.3, "bold")):
            figure.text(
                (page.LEFT + x) / width, (top - number * _LINE) / height, text, va="top", parse_math=False,
                fontsize=10.5, fontweight=weight, color=style.WAYPOINT,
            )  # fmt: skip


def _signal_figures(result: Result, wanted: list[str] | None, title: str) -> Iterator[tuple[str, Figure]]:
    found = panels(result, wanted)
    if not found or len(result) < 2:
        return
    yield "signals", signals_figure(result, found, title or "Recorded signals")
    yield from _single_signals(result, wanted)


def _scopes(result: Result, diagram: HasBlocks) -> Iterator[tuple[str, Figure]]:
    for name in over_time.scopes_of(diagram):
        figure = over_time.scope_figure(result, diagram, name)
        if figure is not None:
            yield name, figure


def _single_signals(result: Result, wanted: list[str] | None) -> Iterator[tuple[str, Figure]]:
    for panel in panels(result, wanted) if wanted else ():
        figure, ax = page.single()
        panel.draw(ax, result)
        yield panel.file_name, figure
