"""How metrics are distributed, level by level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from blocks.lab.comparison.figures.frame import WIDTH, Frame, colours_of
from blocks.lab.comparison.figures.pareto import codes_of, scaled
from blocks.lab.comparison.levels import named
from blocks.style import SERIES, WAYPOINT

if TYPE_CHECKING:
    from blocks.lab.comparison.outcome import ComparisonOutcome

_BOX_PLOT_FROM = 8
_MOST_METRICS, _MOST_LEVELS = 12, 24


def boxes(compared: ComparisonOutcome) -> Figure | None:
    """A panel for each metric, a box for each level of the factor that is compared, over all other members."""
    frame = Frame(compared)
    codes, labels, _ = codes_of(compared, frame)
    if len(labels) > _MOST_LEVELS:
        return None
    metrics = [name for name, values in compared.metrics.items() if np.isfinite(values).sum() > 1][:_MOST_METRICS]
    if not metrics:
        return None
    columns = min(len(metrics), 3)
    rows = -(-len(metrics) // columns)
    longest = max(map(len, labels))
    figure = Figure(figsize=(WIDTH, rows * max(2.2, 0.24 * len(labels) + 0.9)), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, sharey=True)
    colours = colours_of(frame.colour_axis) if frame.colour_axis is not None else [SERIES[0]]
    for number, ax in enumerate(axes.ravel()):
        if number >= len(metrics):
            ax.remove()
            continue
        name = metrics[number]
        values, unit = scaled(compared.continuous[name], compared.outcome.units[name])
        _boxes(ax, values, codes, colours)
        ax.set_xlabel(named(name, unit))
    first = axes[0, 0]
    first.set_yticks(range(len(labels)), labels if longest <= 40 else [label[:38] + "…" for label in labels])
    first.set_ylim(len(labels) - 0.4, -0.6)
    if frame.colour_axis is not None:
        figure.suptitle(f"by {frame.colour_axis.name}", x=0.01, ha="left", fontsize=12.0)
    return figure


def _boxes(ax: Axes, values: np.ndarray, codes: np.ndarray, colours: list[str]) -> None:
    style: dict[str, Any] = {"color": WAYPOINT, "linewidth": 0.9}
    for level, colour in enumerate(colours):
        own = values[(codes == level) & np.isfinite(values)]
        if own.size >= _BOX_PLOT_FROM:
            drawn = ax.boxplot(
                own, positions=[level], orientation="horizontal", widths=0.6, patch_artist=True, manage_ticks=False,
                whiskerprops=style, capprops=style, medianprops={"color": "black", "linewidth": 1.4},
                flierprops={"marker": ".", "markersize": 3.0, "markerfacecolor": colour, "markeredgewidth": 0.0},
            )  # fmt: skip
            for box in drawn["boxes"]:
                box.set(facecolor=colour, alpha=0.55, edgecolor=WAYPOINT, linewidth=0.9)
        elif own.size:
            ax.plot(own, np.full(own.size, level), "o", color=colour, markersize=5.0, alpha=0.75, markeredgewidth=0.0)
            ax.plot([own.mean()], [level], "|", color="black", markersize=11.0, markeredgewidth=1.4)
    ax.grid(axis="y", visible=False)
    ax.margins(x=0.06)
    ax.xaxis.set_major_locator(MaxNLocator(4))
    ax.ticklabel_format(axis="x", useOffset=False)
