"""Tracks over ground of the members that are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from matplotlib.ticker import MaxNLocator

from blocks.lab.comparison.figures.detail import detail_of, inset
from blocks.lab.comparison.figures.frame import WIDTH, Frame
from blocks.lab.comparison.shown import Run
from blocks.report.planned import Planned
from blocks.style import REFERENCE, WAYPOINT

if TYPE_CHECKING:
    from blocks.lab.comparison.outcome import ComparisonOutcome

_MOST_COMPARED = 12
"""Of more tracks in a panel none is looked at by itself."""


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
    drawn = []
    for ax, title, runs in axes:
        _draw(ax, frame, runs)
        drawn.append((ax, runs))
        margin = 0.06 * float(span.max())
        ax.set(xlim=(low[1] - margin, high[1] + margin), ylim=(low[0] - margin, high[0] + margin), title=title)
        ax.set_aspect("equal", adjustable="box")
        place = ax.get_subplotspec()
        if place is not None and place.is_first_col():
            ax.set_ylabel("north, m")
        if ax.xaxis.get_tick_params().get("labelbottom", True):
            ax.set_xlabel("east, m")
    frame.legend(figure)
    figure.draw_without_rendering()  # panels have their places: details go where these leave room
    for ax, runs in drawn:
        _detail(ax, frame, runs, float((high - low).max()))
    return figure


def _draw(ax: Axes, frame: Frame, runs: list[Run]) -> None:
    for planned in _distinct(runs):
        _path(ax, planned)
    for run in runs:
        eta = run.signal("vessel", "eta")
        if eta is not None:
            ax.plot(eta[:, 1], eta[:, 0], color=frame.colour(run), linewidth=1.3, alpha=frame.alpha)


def _detail(ax: Axes, frame: Frame, runs: list[Run], span: float) -> None:
    """Where tracks are furthest apart, larger, if they cannot be told apart otherwise."""
    found = [eta[:, :2] for run in runs if (eta := run.signal("vessel", "eta")) is not None and len(eta) > 1]
    seen = detail_of(found, span) if 2 <= len(found) <= _MOST_COMPARED else None
    if seen is None:
        return
    (north, east), side = seen
    larger = inset(ax, [*found, *(planned.line[:, :2] for planned in _distinct(runs))])
    _draw(larger, frame, runs)
    larger.set(
        xlim=(east - 0.5 * side, east + 0.5 * side), ylim=(north - 0.5 * side, north + 0.5 * side), aspect="equal"
    )
    larger.xaxis.set_major_locator(MaxNLocator(2))
    larger.yaxis.set_major_locator(MaxNLocator(2))
    larger.set_title("detail, m", fontsize=8.0, fontweight="normal", pad=2.0)
    ax.indicate_inset_zoom(larger, edgecolor=WAYPOINT, alpha=0.7)


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
