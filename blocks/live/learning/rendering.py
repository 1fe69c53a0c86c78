"""An episode so far as a figure: the path over ground, the return, actions, and what is seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from numpy.typing import NDArray

from blocks.diagram import Diagram
from blocks.errors import SimulationError
from blocks.report import style
from blocks.report.mission import Mission, find_parts
from blocks.report.plots import plan_view
from blocks.run.result import Result

if TYPE_CHECKING:
    from blocks.live.learning.environment import ScenarioEnv

SIZE = (12.0, 6.75)
"""Inches; 960 × 540 pixels."""
_DPI = 80.0
_MOST_LINES = 8
_OUTLINE = np.array([[-0.5, -0.22], [0.15, -0.22], [0.5, 0.0], [0.15, 0.22], [-0.5, 0.22]])
"""A hull of length one seen from above: ahead, starboard."""


def render(env: ScenarioEnv) -> Any:
    """See `ScenarioEnv.render`."""
    image = frame(env)
    if env.render_mode == "rgb_array":
        return image
    from matplotlib import pyplot

    if mpl.get_backend().lower() in ("agg", "svg", "pdf", "ps"):
        raise SimulationError('there is no display to show a window on; use render_mode="rgb_array"')
    figure = pyplot.figure(env.setup.name, figsize=SIZE, dpi=_DPI)
    figure.clf()
    figure.figimage(image)
    pyplot.pause(0.001)
    return None


def frame(env: ScenarioEnv) -> NDArray[np.uint8]:
    """The figure as pixels, height × width × 3."""
    if not env.seen:
        raise SimulationError("nothing to show yet: reset() begins an episode")
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        drawn = figure(env)
        canvas: Any = FigureCanvasAgg(drawn)
        canvas.draw()
        pixels: NDArray[np.uint8] = np.asarray(canvas.buffer_rgba())[:, :, :3].copy()
        return pixels


def figure(env: ScenarioEnv) -> Figure:
    """The episode so far."""
    drawn = Figure(figsize=SIZE, dpi=_DPI, layout="constrained")
    title = env.setup.title or env.setup.name
    drawn.suptitle(f"{title}, t = {env.simulator.time:.1f} s", x=0.01, ha="left", parse_math=False)
    grid = drawn.add_gridspec(3, 2, width_ratios=(1.1, 1.0))
    _plan(drawn.add_subplot(grid[:, 0]), env, env.simulator.result())
    time = np.arange(len(env.seen)) * env.setup.interval
    sums = np.concatenate([[0.0], np.cumsum([reward for _, reward in env.history])])
    ax = drawn.add_subplot(grid[0, 1])
    ax.plot(time, sums, color=style.ERROR)
    ax.set(title=f"Return {sums[-1]:.1f}")
    held = [] if env.setup.reference else [action for action, _ in env.history]
    _lines(drawn.add_subplot(grid[1, 1]), "Action", time, [*held[:1], *held], env.commands.names, (-1.1, 1.1))
    ax = drawn.add_subplot(grid[2, 1])
    _lines(ax, "Observation", time, env.seen, env.task.names, None)
    ax.set_xlabel("time, s")
    return drawn


def _lines(ax: Axes, title: str, time: Any, rows: Any, names: list[str], limits: tuple[float, float] | None) -> None:
    ax.set_title(title)
    if len(rows):
        for i, (name, line) in enumerate(zip(names[:_MOST_LINES], np.array(rows).T, strict=False)):
            ax.plot(time, line, color=style.SERIES[i], linewidth=1.2, label=name)
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.1), fontsize=8.0)
    if limits:
        ax.set_ylim(*limits)


def _plan(ax: Axes, env: ScenarioEnv, result: Result) -> None:
    """The path over ground: with waypoints where there is a mission, else track and hull."""
    diagram = drawn_diagram(env)
    mission = Mission.of(result, diagram, env.setup.report) if len(result) > 1 else None
    if mission is not None and plan_view(ax, mission):
        ax.set_title("")  # its legend needs the room
        return
    vessel = find_parts(diagram, env.setup.report).vessel
    if vessel is None or f"{vessel}.eta" not in result:
        ax.set_axis_off()
        return
    eta = result.values(f"{vessel}.eta")
    ax.plot(eta[:, 1], eta[:, 0], color=style.ACTUAL, label="path")
    middle = 0.5 * (eta[:, :2].min(axis=0) + eta[:, :2].max(axis=0))
    half = max(0.6 * float(np.ptp(eta[:, :2], axis=0).max()), 1.0)
    north, east, psi = eta[-1, 0], eta[-1, 1], eta[-1, 5]
    turn = np.array([[np.sin(psi), np.cos(psi)], [np.cos(psi), -np.sin(psi)]])
    ax.add_patch(Polygon(0.2 * half * _OUTLINE @ turn + [east, north], facecolor=style.REFERENCE, zorder=4))
    ax.plot(0.0, 0.0, "+", color=style.WAYPOINT, markersize=12.0, label="origin")
    ax.set(xlabel="east, m", ylabel="north, m", title="Plan view")
    ax.set_xlim(middle[1] - half, middle[1] + half)
    ax.set_ylim(middle[0] - half, middle[0] + half)
    ax.set_aspect("equal")
    ax.legend(**style.LEGEND, ncols=2)


def drawn_diagram(env: ScenarioEnv) -> Diagram:
    """The diagram with what was drawn for this episode."""
    made = env.setup.diagram.copy()
    blocks = made.blocks()
    for name, value in env.drawn.items():
        owner, _, parameter = name.rpartition(".")
        blocks[owner].set(**{parameter: value})
    return made
