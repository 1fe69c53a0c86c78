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
from blocks.report.style import REFERENCE, WAYPOINT

if TYPE_CHECKING:
    from blocks.lab.comparison.outcome import Compared


def tracks(compared: Compared) -> Figure | None:
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
        for run in _distinct(runs):
            _path(ax, run)
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
        if run.waypoints is not None:
            points += [run.waypoints[:, :2].min(axis=0) - run.radius, run.waypoints[:, :2].max(axis=0) + run.radius]
    stacked = np.array(points)
    return stacked.min(axis=0), stacked.max(axis=0)


def _distinct(runs: list[Run]) -> list[Run]:
    """A member for each path that differs from the others."""
    found: list[Run] = []
    for run in runs:
        if run.waypoints is None:
            continue
        if not any(np.array_equal(run.waypoints, other.waypoints) and run.radius == other.radius for other in found):  # type: ignore[arg-type]
            found.append(run)
    return found


def _path(ax: Axes, run: Run) -> None:
    assert run.waypoints is not None
    north, east = run.waypoints[:, 0], run.waypoints[:, 1]
    ax.plot(east, north, "--", color=REFERENCE, linewidth=1.0, zorder=1)
    circles = [Circle((float(x), float(y)), run.radius) for x, y in zip(east, north, strict=True)]
    ax.add_collection(PatchCollection(circles, facecolor="#fed7aa", edgecolor=REFERENCE, alpha=0.55, zorder=1))
    ax.plot(east[0], north[0], "o", color=WAYPOINT, markersize=5.0, zorder=4)
