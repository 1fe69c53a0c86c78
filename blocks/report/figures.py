"""Figures of a run: one for a slide with everything in it, and one for each plot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from blocks import style
from blocks.diagram import Diagram
from blocks.files.writing import replacing
from blocks.report.mission import Mission
from blocks.report.plots import PLOTS
from blocks.report.signals import panels
from blocks.report.summary import summarise_mission
from blocks.run.result import Result, ResultError

_MOST_PANELS = 12


def save(
    result: Result, diagram: Diagram, folder: Path, options: Mapping[str, Any], title: str, formats: tuple[str, ...]
) -> list[Path]:
    """See `blocks.report.save_figures`."""
    mission = Mission.of(result, diagram, options)
    wanted = options.get("plots")
    panels(result, wanted)  # a name that is wrong is told before anything is written
    files: list[Path] = []
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        drawn = (
            chain(_mission_figures(mission, title), _single_signals(result, wanted))
            if mission
            else _signal_figures(result, wanted, title)
        )
        for name, figure in drawn:
            files += _write(figure, folder / name, formats)
    return files


def _figure(width: float, height: float) -> Figure:
    return Figure(figsize=(width, height), layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1))


def _mission_figures(mission: Mission, title: str) -> Iterator[tuple[str, Figure]]:
    figure = _figure(*style.SLIDE)
    grid = figure.add_gridspec(3, 3, width_ratios=(1.15, 1.0, 1.0))
    figure.suptitle(title or "Mission", x=0.01, ha="left", parse_math=False)
    left = grid[:, 0].subgridspec(2, 1, height_ratios=(4.4, 1.0))
    places = {
        "plan_view": left[0], "depth": grid[0, 1], "heading": grid[0, 2], "cross_track_error": grid[1, 1],
        "speed": grid[1, 2], "thruster_speed": grid[2, 1], "power": grid[2, 2],
    }  # fmt: skip
    for name, place in places.items():
        ax = figure.add_subplot(place)
        if not PLOTS[name](ax, mission):
            ax.remove()
    _numbers(figure.add_subplot(left[1]), mission)
    yield "mission", figure
    for name, plot in PLOTS.items():
        single = _figure(*(style.SQUARE if name == "plan_view" else style.SINGLE))
        if plot(single.add_subplot(), mission):
            yield name, single


def _numbers(ax: Axes, mission: Mission) -> None:
    """The mission in numbers."""
    ax.set_axis_off()
    items = [item for item in summarise_mission(mission) if item.label]
    columns = ("\n".join(i.label for i in items), 0.0, "normal"), ("\n".join(i.text for i in items), 165.0, "bold")
    for text, x, weight in columns:
        ax.annotate(
            text, (0.0, 0.0), xycoords="axes fraction", xytext=(x, 0.0), textcoords="offset points", va="bottom",
            fontsize=10.5, fontweight=weight, color=style.WAYPOINT, linespacing=1.3,
        ).set_in_layout(False)  # fmt: skip


def _signal_figures(result: Result, wanted: list[str] | None, title: str) -> Iterator[tuple[str, Figure]]:
    found = panels(result, wanted)
    if not found or len(result) < 2:
        return
    shown = found[:_MOST_PANELS]
    columns = 1 if len(shown) == 1 else 2 if len(shown) <= 6 else 3
    rows = -(-len(shown) // columns)
    figure = _figure(style.SLIDE[0], max(4.5, 2.6 * rows))
    more = f" (the first {len(shown)} of {len(found)} plots)" if len(found) > len(shown) else ""
    figure.suptitle((title or "Recorded signals") + more, x=0.01, ha="left", parse_math=False)
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for ax, panel in zip(axes, shown, strict=False):
        panel.draw(ax, result)
    for ax in axes[len(shown) :]:
        ax.remove()
    yield "signals", figure
    yield from _single_signals(result, wanted)


def _single_signals(result: Result, wanted: list[str] | None) -> Iterator[tuple[str, Figure]]:
    for panel in panels(result, wanted) if wanted else ():
        figure = _figure(*style.SINGLE)
        panel.draw(figure.add_subplot(), result)
        yield panel.file_name, figure


def _write(figure: Figure, path: Path, formats: tuple[str, ...]) -> list[Path]:
    files = []
    for ending in formats:
        target = path.with_name(f"{path.name}.{ending}")
        try:
            with replacing(target) as part:
                figure.savefig(part, format=ending)
        except OSError as problem:
            raise ResultError(f"cannot write {target}: {problem.strerror or problem}") from None
        files.append(target)
    return files
