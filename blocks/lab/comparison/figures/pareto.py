"""One metric against another: which members are beaten by none in both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from blocks.lab.comparison.figures.frame import MARKERS, WIDTH, Array, Frame, colours_of
from blocks.lab.comparison.levels import named
from blocks.lab.comparison.shown import MOST_PANELS
from blocks.lab.comparison.summary import pareto as front_of
from blocks.style import SERIES, WAYPOINT

if TYPE_CHECKING:
    from blocks.lab.comparison.outcome import ComparisonOutcome

_MOST_OPAQUE_POINTS = 200
_FRONT = "Pareto front"
_LEAST = 0.01


def pareto(compared: ComparisonOutcome) -> Figure | None:
    """All members; a panel for each level of the second factor, each with a front of its own."""
    if compared.objectives is None:
        return None
    first, second = compared.objectives
    x, y = compared.metrics[second], compared.metrics[first]
    sound = np.isfinite(x) & np.isfinite(y)
    if not np.any(sound):
        return None
    frame = Frame(compared)
    panels = _panels(compared, frame)
    columns = 1 if len(panels) == 1 else 2 if len(panels) in (2, 4) else 3
    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(WIDTH, 5.0 if rows == 1 else 3.2 * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    units = compared.outcome.units
    (x, unit_x), (y, unit_y) = scaled(x, units[second]), scaled(y, units[first])
    for ax, (title, within) in zip(axes, panels, strict=False):
        _panel(ax, compared, frame, x, y, sound & within)
        ax.set(title=title, xlabel=named(second, unit_x), ylabel=named(first, unit_y))
        ax.margins(0.08)
        _widened(ax)
        ax.ticklabel_format(useOffset=False)
        ax.xaxis.set_major_locator(MaxNLocator(4 if columns > 1 else 8))
    for ax in axes[len(panels) :]:
        ax.remove()
    handles, labels = axes[0].get_legend_handles_labels()
    order = sorted(range(len(labels)), key=lambda n: labels[n] == _FRONT)
    figure.legend([handles[n] for n in order], [labels[n] for n in order], loc="outside right center")
    return figure


def _widened(ax: Axes) -> None:
    """Axes that span a hundredth of what they show, or more: less is no difference that counts."""
    for get, give in ((ax.get_xlim, ax.set_xlim), (ax.get_ylim, ax.set_ylim)):
        low, high = get()
        least = _LEAST * max(abs(low), abs(high))
        if high - low < least:
            give(0.5 * (low + high - least), 0.5 * (low + high + least))


def _panels(compared: ComparisonOutcome, frame: Frame) -> list[tuple[str, np.ndarray]]:
    """Title and members of each panel."""
    axis, count = frame.panel_axis, len(compared.outcome)
    if axis is None or len(axis.labels) > MOST_PANELS:
        return [("", np.ones(count, dtype=np.bool_))]
    own = compared.comparison.study.members.along(axis.name, np.arange(count, dtype=np.int64))
    return [(f"{axis.name}: {label}", own == number) for number, label in enumerate(axis.labels)]


def _panel(ax: Axes, compared: ComparisonOutcome, frame: Frame, x: Array, y: Array, sound: np.ndarray) -> None:
    codes, labels, families = codes_of(compared, frame)
    colours = colours_of(frame.colour_axis) if frame.colour_axis is not None else [SERIES[0]]
    many = len(x) > _MOST_OPAQUE_POINTS
    several = len(set(families)) < len(labels)
    for number, label in enumerate(labels):
        own = sound & (codes == number)
        within = number - families.index(families[number])
        ax.plot(
            x[own], y[own], MARKERS[within % len(MARKERS)] if several else "o", color=colours[number],
            markersize=3.5 if many else 6.0, alpha=0.45 if many else 0.9, markeredgewidth=0.0, label=label or None,
            rasterized=many, linestyle="none",
        )  # fmt: skip
    signs = [-1.0 if compared.more_is_better(name) else 1.0 for name in compared.objectives or ()]
    front = front_of(np.where(sound, signs[0] * y, np.nan), np.where(sound, signs[1] * x, np.nan))
    ax.plot(x[front], y[front], color=WAYPOINT, linewidth=1.0, zorder=0, label=_FRONT)


def codes_of(compared: ComparisonOutcome, frame: Frame) -> tuple[np.ndarray, tuple[str, ...], tuple[str, ...]]:
    """The level of each member of the factor that is compared, and what levels are called."""
    axis = frame.colour_axis
    count = len(compared.outcome)
    if axis is None:
        return np.zeros(count, dtype=np.int64), ("",), ("",)
    codes = compared.comparison.study.members.along(axis.name, np.arange(count, dtype=np.int64))
    return codes, axis.labels, axis.families


def scaled(values: Array, unit: str) -> tuple[Array, str]:
    """Large numbers with a prefix of their unit."""
    sound = np.abs(values[np.isfinite(values)])
    if unit in ("J", "N", "W", "N*s", "J/m", "W*s") and sound.size and sound.max() >= 2e4:
        return values / 1e3, f"k{unit}"
    return values, unit
