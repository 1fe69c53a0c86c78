"""Tracks over ground of the members that are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from blocks.lab.comparison.figures.frame import WIDTH, Frame
from blocks.lab.comparison.shown import Run
from blocks.report.planned import Planned
from blocks.style import REFERENCE, WAYPOINT

if TYPE_CHECKING:
    from blocks.lab.comparison.outcome import ComparisonOutcome


def tracks(compared: ComparisonOutcome) -> Figure | None:
    """Tracks, legs, and circles of acceptance; north up, as far east as north."""
    frame = Frame(compared)
    if all(run.signal("vessel", "eta") is None for run in frame.runs):
        return None
    low, high = _extent(frame.runs)
    span = np.maximum(high - low, 0.12 * float((high - low).max()) + 1e-9)
    tall = bool(span[0] > 0.8 * span[1])
    wide = (WIDTH - 0.8) / frame.columns(tall=tall)
    figure, axes = frame.grid(float(np.clip(wide * span[0] / span[1] + 0.6, 2.6, 7.0)), tall=tall)
    for ax, title, runs in axes:
        for planned in _distinct(runs):
            _path(ax, planned)
        for run in runs:
            eta = run.signal("vessel", "eta")
            if eta is not None:
                ax.plot(eta[:, 1], eta[:, 0], color=frame.colour(run), linewidth=1.3, alpha=frame.alpha)
        margin = 0.06 * float(span.max())
        ax.set(xlim=(low[1] - margin, high[1] + margin), ylim=(low[0] - margin, high[0] + margin), title=title)
        ax.set_aspect("equal", adjustable="box")
        place = ax.get_subplotspec()
        if place is not None and place.is_first_col():
            ax.set_ylabel("north, m")
        if ax.xaxis.get_tick_params().get("labelbottom", True):
            ax.set_xlabel("east, m")
    frame.legend(figure)
    return figure


def _extent(runs: list[Run]) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest north and east of tracks and circles."""
    points = []
    for run in runs:
        eta = run.signal("vessel", "eta")
        if eta is not None:
            points += [eta[:, :2].min(axis=0), eta[:, :2].max(axis=0)]
        if run.planned is not None:
            line, circles = run.planned.line[:, :2], run.planned.circles[:, :2]
            points += [line.min(axis=0), line.max(axis=0), *(circles - run.planned.radius)]
            points += [*(circles + run.planned.radius)]
    stacked = np.array(points)
    return stacked.min(axis=0), stacked.max(axis=0)


def _distinct(runs: list[Run]) -> list[Planned]:
    """Each path that differs from the others."""
    found: list[Planned] = []
    for run in runs:
        if run.planned is not None and not any(run.planned.is_drawn_like(other) for other in found):
            found.append(run.planned)
    return found


def _path(ax: Axes, planned: Planned) -> None:
    ax.plot(planned.line[:, 1], planned.line[:, 0], "--", color=REFERENCE, linewidth=1.0, zorder=1)
    circles = [Circle((float(y), float(x)), planned.radius) for x, y in planned.circles[:, :2]]
    ax.add_collection(PatchCollection(circles, facecolor="#fed7aa", edgecolor=REFERENCE, alpha=0.55, zorder=1))
    ax.plot(planned.waypoints[0, 1], planned.waypoints[0, 0], "o", color=WAYPOINT, markersize=5.0, zorder=4)
