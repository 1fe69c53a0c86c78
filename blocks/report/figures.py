"""Figures of a run: one for a slide with everything in it, and one for each plot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from blocks.diagram import Diagram
from blocks.files import replacing
from blocks.report import style
from blocks.report.mission import Mission
from blocks.report.plots import PLOTS
from blocks.report.summary import summarise_mission
from blocks.result import Result, ResultError

_MOST_PANELS = 12
_MOST_LINES = 12


def save(
    result: Result, diagram: Diagram, folder: Path, options: Mapping[str, Any], title: str, formats: tuple[str, ...]
) -> list[Path]:
    """See `blocks.report.save_figures`."""
    mission = Mission.of(result, diagram, options)
    wanted = options.get("plots")
    files: list[Path] = []
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        drawn = _mission_figures(mission, title) if mission else _signal_overview(result, wanted, title)
        for name, figure in drawn:
            files += _write(figure, folder / name, formats)
        for signal in _chosen(result, wanted) if mission and wanted else ():
            files += _write(_single_signal(result, signal), folder / _file_name(signal), formats)
    return files


def _figure(width: float, height: float) -> Figure:
    return Figure(figsize=(width, height), layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1))


def _mission_figures(mission: Mission, title: str) -> Iterator[tuple[str, Figure]]:
    figure = _figure(*style.SLIDE)
    grid = figure.add_gridspec(3, 3, width_ratios=(1.15, 1.0, 1.0))
    figure.suptitle(title or "Mission", x=0.01, ha="left")
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
            fontsize=10.5, fontweight=weight, color=style.WAYPOINT, linespacing=1.45,
        ).set_in_layout(False)  # fmt: skip


def _signal_overview(result: Result, wanted: list[str] | None, title: str) -> Iterator[tuple[str, Figure]]:
    names = _chosen(result, wanted)
    if not names or len(result) < 2:
        return
    shown = names[:_MOST_PANELS]
    columns = 1 if len(shown) == 1 else 2 if len(shown) <= 6 else 3
    rows = -(-len(shown) // columns)
    figure = _figure(style.SLIDE[0], max(4.5, 2.6 * rows))
    figure.suptitle(title or "Recorded signals", x=0.01, ha="left")
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for ax, name in zip(axes, shown, strict=False):
        _signal(ax, result, name)
    for ax in axes[len(shown) :]:
        ax.remove()
    yield "signals", figure
    if wanted:
        for name in names:
            yield _file_name(name), _single_signal(result, name)


def _chosen(result: Result, wanted: list[str] | None) -> list[str]:
    """The signals to plot: those that are named, or what was recorded and changes."""
    if wanted:
        for name in wanted:
            result.values(name)  # raises ResultError, with the nearest name, if it was not recorded
        return wanted
    varying = [name for name in result if np.ptp(result.values(name), axis=0).max(initial=0.0) > 0.0]
    return varying or list(result)


def _single_signal(result: Result, name: str) -> Figure:
    figure = _figure(*style.SINGLE)
    _signal(figure.add_subplot(), result, name)
    return figure


def _signal(ax: Axes, result: Result, name: str) -> None:
    """One quantity over time, a line for each element; angles in degrees and shaft speeds in rpm."""
    bare, _, element = name.partition("[")
    place = result.places[bare]
    labels = place.signal.labels if place.signal and place.shape and not element else ()
    lines = result.values(name).reshape(len(result), -1).T
    units = result.element_units(bare)
    if element:
        whole = place.signal.labels if place.signal else ()
        label = element.removesuffix("]")
        units = (units[whole.index(label) if label in whole else int(label)],)
    spelled = []
    for i, line in enumerate(lines[:_MOST_LINES]):
        unit, factor = _FOR_PEOPLE.get(units[i], (units[i], 1.0))
        spelled.append("" if unit == "1" else unit)
        label = f"{labels[i] if labels else i + 1}"
        ax.plot(result.time, factor * line, color=style.SERIES[i % len(style.SERIES)], label=label, linewidth=1.5)
    ax.set(title=name, xlabel="time, s", ylabel=", ".join(filter(None, dict.fromkeys(spelled))))
    ax.margins(x=0.0, y=0.12)
    if len(lines) > 1:
        ax.legend(**style.LEGEND, ncols=6)


_FOR_PEOPLE = {
    "rad": ("deg", 180.0 / np.pi),
    "rad/s": ("deg/s", 180.0 / np.pi),
    "rad/s^2": ("deg/s²", 180.0 / np.pi),
    "rev/s": ("rpm", 60.0),
    "m/s^2": ("m/s²", 1.0),
    "N*m": ("N m", 1.0),
}


def _file_name(signal: str) -> str:
    return "".join(c if c.isalnum() or c in "._-" else "_" for c in signal).strip("_")


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
