"""The plots of a mission, each drawn on the axes that it is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon
from matplotlib.patheffects import withStroke
from matplotlib.transforms import offset_copy
from numpy.typing import NDArray

from blocks import style
from blocks.report.mission import Mission

Array = NDArray[np.float64]
Plot = Callable[[Axes, Mission], bool]
"""Draws if what it needs was recorded, and says whether it did."""


_SAME_SPEED = 1.0 / 60.0
"""Shafts whose speeds never differ by more than this, rev/s, share a line."""


def plan_view(ax: Axes, mission: Mission) -> bool:
    """The path over ground, north up, with waypoints, acceptance circles and where the bow points."""
    north, east = mission.eta[:, 0], mission.eta[:, 1]
    wanted_north, wanted_east = mission.waypoints[:, 0], mission.waypoints[:, 1]
    planned = mission.planned
    line = planned.line[:, 1::-1]
    ax.plot(
        *line.T, "--", color=style.REFERENCE, linewidth=1.4, label="planned" if planned.curved else "legs", zorder=2
    )
    shown = mission.underway
    ax.plot(east[shown], north[shown], color=style.ACTUAL, linewidth=2.2, label="path", zorder=3)
    ax.plot(east[shown.stop - 1 :], north[shown.stop - 1 :], color=style.ACTUAL, alpha=0.35, zorder=3)
    for y, x in planned.circles[:, :2]:
        ax.add_patch(
            Circle((x, y), planned.radius, facecolor="#fed7aa", edgecolor=style.REFERENCE, alpha=0.55, zorder=1)
        )
    ax.plot(wanted_east, wanted_north, "o", color=style.WAYPOINT, markersize=4.5, label="waypoints", zorder=4)
    everything = np.vstack([line, np.column_stack([east, north])])
    low, high = everything.min(axis=0), everything.max(axis=0)
    size = float(max(high - low))
    margin = max(0.09 * size, 1.3 * planned.radius)
    ax.set_xlim(low[0] - margin, high[0] + margin)
    ax.set_ylim(low[1] - margin, high[1] + margin)
    ax.set_aspect("equal", adjustable="box")
    _number_waypoints(ax, mission)
    _bows(ax, mission, size)
    _current(ax, mission)
    # the second line of the label keeps room for the current's arrow
    ax.set(xlabel="east, m\n" if mission.current is not None else "east, m", ylabel="north, m", title="Plan view")
    ax.set_anchor("N")
    ax.legend(**style.LEGEND, ncols=3)
    return True


def _number_waypoints(ax: Axes, mission: Mission) -> None:
    """Numbers beside the waypoints, on the side that the legs leave free."""
    points = mission.waypoints[:, 1::-1]
    done: list[Array] = []
    for i, point in enumerate(points):
        if any(np.allclose(point, other) for other in done):
            continue
        done.append(point)
        away = np.zeros(2)
        for other in (points[i - 1] if i else None, points[i + 1] if i + 1 < len(points) else None):
            if other is not None and (length := float(np.linalg.norm(point - other))) > 0.0:
                away += (point - other) / length
        if np.linalg.norm(away) < 0.3:
            away = np.array([1.0, 0.0])
        away = 15.0 * away / np.linalg.norm(away)
        ax.annotate(
            str(i + 1), point, textcoords="offset points", xytext=tuple(away), ha="center", va="center",
            color=style.WAYPOINT, fontsize=10.5, fontweight="bold", zorder=5,
            path_effects=[withStroke(linewidth=3.0, foreground="white")],
        )  # fmt: skip


def _bows(ax: Axes, mission: Mission, size: float) -> None:
    """Small arrowheads that show where the bow points, at equal distances along the path."""
    position = mission.eta[mission.underway, :2]
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(position, axis=0), axis=1))])
    count = int(min(26, max(6, way[-1] / (0.09 * size)))) if way[-1] > 0.0 else 1
    length = 0.026 * size
    shape = length * np.array([[1.0, 0.0], [-0.7, 0.55], [-0.35, 0.0], [-0.7, -0.55]])
    for distance in np.linspace(0.0, way[-1], count):
        i = min(int(np.searchsorted(way, distance)), len(way) - 1)
        psi = mission.eta[i, 5]
        # Along the bow is (sin ψ, cos ψ) in east and north; to starboard of it (cos ψ, -sin ψ).
        turn = np.array([[np.sin(psi), np.cos(psi)], [np.cos(psi), -np.sin(psi)]])
        ax.add_patch(Polygon(shape @ turn + mission.eta[i, 1::-1], facecolor=style.ACTUAL, edgecolor="white", zorder=4))


def _current(ax: Axes, mission: Mission) -> None:
    """An arrow under the plan view that shows where the water flows to."""
    current = mission.current
    if current is None:
        return
    speed = float(np.linalg.norm(current))
    below = offset_copy(ax.transAxes, cast(Figure, ax.figure), x=-15.0, y=-41.0, units="points")
    ax.quiver(
        1.0, 0.0, current[1] / speed, current[0] / speed, transform=below, pivot="middle", angles="uv",
        units="inches", scale_units="inches", scale=2.6, width=0.03, color=style.CURRENT, clip_on=False,
    )  # fmt: skip
    ax.annotate(
        f"current {speed:.2g} m/s", (1.0, 0.0), xycoords="axes fraction", xytext=(-36.0, -41.0),
        textcoords="offset points", ha="right", va="center", color=style.CURRENT, fontsize=10.5,
    )  # fmt: skip


def depth(ax: Axes, mission: Mission) -> bool:
    """Depth and what is wanted, down the page."""
    wanted = mission.signal("guidance", "depth")
    _reference(ax, mission, wanted)
    ax.plot(mission.time, mission.eta[:, 2], color=style.ACTUAL, label="actual")
    ax.set(ylabel="depth, m", title="Depth")
    ax.invert_yaxis()
    ax.margins(y=0.12)
    _finish(ax, mission, legend=wanted is not None)
    return True


def heading(ax: Axes, mission: Mission) -> bool:
    """Heading and what is wanted, without jumps by full turns."""
    psi = np.unwrap(mission.eta[:, 5])
    wanted = mission.signal("guidance", "heading")
    if wanted is not None:
        wanted = np.degrees(psi + np.arctan2(np.sin(wanted - psi), np.cos(wanted - psi)))
    _reference(ax, mission, wanted)
    ax.plot(mission.time, np.degrees(psi), color=style.ACTUAL, label="actual")
    ax.set(ylabel="heading, deg", title="Heading")
    ax.margins(y=0.12)
    _right_angles(ax)
    _finish(ax, mission, legend=wanted is not None)
    return True


def cross_track_error(ax: Axes, mission: Mission) -> bool:
    """Cross-track error, positive to starboard of the path."""
    shown = mission.underway
    ax.axhline(0.0, color=style.WAYPOINT, linewidth=0.8)
    ax.plot(mission.time[shown], mission.cross_track_error[shown], color=style.ERROR)
    ax.set(ylabel="to starboard, m", title="Cross-track error")
    ax.margins(y=0.12)
    _finish(ax, mission)
    return True


def speed(ax: Axes, mission: Mission) -> bool:
    """Surge velocity over ground and what is wanted."""
    nu = mission.signal("vessel", "nu")
    if nu is None:
        return False
    wanted = mission.signal("guidance", "speed")
    _reference(ax, mission, wanted)
    ax.plot(mission.time, nu[:, 0], color=style.ACTUAL, label="actual")
    ax.set(ylabel="surge, m/s", title="Speed")
    ax.margins(y=0.12)
    _finish(ax, mission, legend=wanted is not None)
    return True


def thruster_speed(ax: Axes, mission: Mission) -> bool:
    """Shaft speeds of the thrusters, negative astern."""
    revolutions = mission.signal("thrusters", "speed")
    if revolutions is None:
        return False
    ax.axhline(0.0, color=style.WAYPOINT, linewidth=0.8)
    alike: list[tuple[list[int], Array]] = []
    for i, series in enumerate(revolutions.reshape(len(revolutions), -1).T):
        for numbers, other in alike:
            if np.abs(series - other).max() < _SAME_SPEED:
                numbers.append(i + 1)
                break
        else:
            alike.append(([i + 1], series))
    for numbers, series in alike:
        colour = style.SERIES[(numbers[0] - 1) % len(style.SERIES)]
        ax.plot(mission.time, 60.0 * series, color=colour, linewidth=1.3, label=", ".join(map(str, numbers)))
    ax.set(ylabel="shaft speed, rpm", title="Thrusters")
    ax.margins(y=0.12)
    _finish(ax, mission, legend=True, columns=6)
    return True


def power(ax: Axes, mission: Mission) -> bool:
    """What all thrusters take together."""
    watts = mission.power
    if watts is None:
        return False
    kilo = float(np.max(np.abs(watts))) >= 2000.0
    shown = watts / 1000.0 if kilo else watts
    ax.fill_between(mission.time, shown, color=style.POWER, alpha=0.18, linewidth=0.0)
    ax.plot(mission.time, shown, color=style.POWER, linewidth=1.5)
    ax.set(ylabel=f"power, {'kW' if kilo else 'W'}", title="Thruster power")
    ax.set_ylim(bottom=min(0.0, float(shown.min())))
    _finish(ax, mission)
    return True


PLOTS: dict[str, Plot] = {
    "plan_view": plan_view,
    "depth": depth,
    "heading": heading,
    "cross_track_error": cross_track_error,
    "speed": speed,
    "thruster_speed": thruster_speed,
    "power": power,
}
"""Every plot of a mission, by the name of its file."""


def _reference(ax: Axes, mission: Mission, wanted: Array | None) -> None:
    """What is wanted, as a broken line."""
    if wanted is not None:
        ax.plot(mission.time, wanted, "--", color=style.REFERENCE, linewidth=1.5, label="wanted")


def _right_angles(ax: Axes) -> None:
    """Ticks at multiples of 45 or 90 degrees, where the range is large enough for them."""
    low, high = ax.get_ylim()
    for spacing in (90.0, 45.0):
        ticks = np.arange(np.ceil(low / spacing), np.floor(high / spacing) + 1.0) * spacing
        if 3 <= len(ticks) <= 8:
            ax.set_yticks(ticks)
            return


def _finish(ax: Axes, mission: Mission, *, legend: bool = False, columns: int = 2) -> None:
    """What all plots over time share: the time axis, and when waypoints were reached."""
    ax.set_xlabel("time, s")
    ax.set_xlim(mission.time[0], mission.time[-1])
    for time in mission.reached[1:]:
        if time is not None:
            ax.axvline(time, color="#94a3b8", linewidth=0.9, linestyle=":", zorder=0)
    if legend:
        ax.legend(**style.LEGEND, ncols=columns)
