"""An episode so far as a figure: the path over ground, the return, actions, and what is seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from numpy.typing import NDArray

from blocks import style
from blocks.diagram import Diagram
from blocks.errors import SimulationError
from blocks.report.mission import Mission, find_parts
from blocks.report.plots import plan_view
from blocks.run.result import Result

SIZE = (12.0, 6.75)
"""Inches; 960 × 540 pixels."""
_DPI = 80.0
_MOST_LINES = 8
_OUTLINE = np.array([[-0.5, -0.22], [0.15, -0.22], [0.5, 0.0], [0.15, 0.22], [-0.5, 0.22]])
"""A hull of length one seen from above: ahead, starboard."""


@dataclass(frozen=True)
class Episode:
    """An episode so far."""

    title: str
    diagram: Diagram
    """With what was drawn for this episode."""
    report: Mapping[str, Any]
    result: Result
    interval: float
    """Between two actions, s."""
    seen: Sequence[Any]
    seen_names: list[str]
    actions: Sequence[Any]
    action_names: list[str]
    """Empty where the scenario's own controllers act."""
    rewards: Sequence[float]


def pixels(episode: Episode) -> NDArray[np.uint8]:
    """The figure as height × width × 3."""
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        canvas: Any = FigureCanvasAgg(figure(episode))
        canvas.draw()
        found: NDArray[np.uint8] = np.asarray(canvas.buffer_rgba())[:, :, :3].copy()
    return found


def show(image: NDArray[np.uint8], name: str) -> None:
    """Show a figure in a window. Raises SimulationError where there is no display."""
    from matplotlib import pyplot

    if mpl.get_backend().lower() in ("agg", "svg", "pdf", "ps"):
        raise SimulationError('there is no display to show a window on; use render_mode="rgb_array"')
    window = pyplot.figure(name, figsize=SIZE, dpi=_DPI)
    window.clf()
    window.figimage(image)
    pyplot.pause(0.001)


def figure(episode: Episode) -> Figure:
    """The episode so far."""
    drawn = Figure(figsize=SIZE, dpi=_DPI, layout="constrained")
    title = f"{episode.title}, t = {episode.result.time[-1]:.1f} s"
    drawn.suptitle(title, x=0.01, ha="left", parse_math=False)
    grid = drawn.add_gridspec(3, 2, width_ratios=(1.1, 1.0))
    _plan(drawn.add_subplot(grid[:, 0]), episode)
    time = np.arange(len(episode.seen)) * episode.interval
    sums = np.concatenate([[0.0], np.cumsum(episode.rewards)])
    ax = drawn.add_subplot(grid[0, 1])
    ax.plot(time, sums, color=style.ERROR)
    ax.set(title=f"Return {sums[-1]:.1f}")
    if episode.action_names:
        held = [*episode.actions[:1], *episode.actions]
        _lines(drawn.add_subplot(grid[1, 1]), "Action", time, held, episode.action_names)
    ax = drawn.add_subplot(grid[2, 1] if episode.action_names else grid[1:, 1])
    _lines(ax, "Observation", time, episode.seen, episode.seen_names)
    ax.set_xlabel("time, s")
    return drawn


def _lines(ax: Axes, title: str, time: Any, rows: Sequence[Any], names: list[str]) -> None:
    ax.set_title(title)
    ax.set_ylim(-1.1, 1.1)
    if len(rows):
        for i, (name, line) in enumerate(zip(names[:_MOST_LINES], np.array(rows).T, strict=False)):
            ax.plot(time, line, color=style.SERIES[i], linewidth=1.2, label=name)
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.1), fontsize=8.0)


def _plan(ax: Axes, episode: Episode) -> None:
    """The path over ground: with waypoints where there is a mission, else track and hull."""
    result, diagram, report = episode.result, episode.diagram, episode.report
    mission = Mission.of(result, diagram, report) if len(result) > 1 else None
    if mission is not None and plan_view(ax, mission):
        ax.set_title("")  # its legend needs the room
        return
    vessel = find_parts(diagram, report).vessel
    if vessel is None or f"{vessel}.eta" not in result:
        ax.set_axis_off()
        return
    eta = result.values(f"{vessel}.eta")
    ax.plot(eta[:, 1], eta[:, 0], color=style.ACTUAL, label="path")
    shown = np.vstack([eta[:, :2], np.zeros(2)])
    middle = 0.5 * (shown.min(axis=0) + shown.max(axis=0))
    half = max(0.6 * float(np.ptp(shown, axis=0).max()), 1.0)
    north, east, psi = eta[-1, 0], eta[-1, 1], eta[-1, 5]
    turn = np.array([[np.sin(psi), np.cos(psi)], [np.cos(psi), -np.sin(psi)]])
    ax.add_patch(Polygon(0.2 * half * _OUTLINE @ turn + [east, north], facecolor=style.REFERENCE, zorder=4))
    ax.plot(0.0, 0.0, "+", color=style.WAYPOINT, markersize=12.0, label="origin")
    ax.set(xlabel="east, m", ylabel="north, m", title="Plan view")
    ax.set_xlim(middle[1] - half, middle[1] + half)
    ax.set_ylim(middle[0] - half, middle[0] + half)
    ax.set_aspect("equal")
    ax.legend(**style.LEGEND, ncols=2)
