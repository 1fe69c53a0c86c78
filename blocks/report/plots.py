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
from blocks.report import lanes
from blocks.report.mission import Mission
from blocks.report.phase_bands import shade
from blocks.report.signals import spread

Array = NDArray[np.float64]
Plot = Callable[[Axes, Mission], bool]
"""Draws if what it needs was recorded, and says whether it did."""

_HEAVE = 0.01
"""m: a surface craft that heaves by less does not heave."""


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
    _fill(ax, low - margin, high + margin)
    _number_waypoints(ax, mission)
    _bows(ax, mission, size)
    _current(ax, mission)
    # the second line of the label keeps room for the current's arrow
    ax.set(xlabel="east, m\n" if mission.current is not None else "east, m", ylabel="north, m", title="Plan view")
    ax.legend(**style.LEGEND, ncols=3)
    return True


def _fill(ax: Axes, low: Array, high: Array) -> None:
    """Equal scale, with as much water about what is shown as the place of the axes has room for."""
    width, height = np.multiply(ax.get_position().size, ax.figure.bbox.size)
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    scale = float(max(half[0] / width, half[1] / height)) or 1.0
    ax.set_xlim(middle[0] - scale * width, middle[0] + scale * width)
    ax.set_ylim(middle[1] - scale * height, middle[1] + scale * height)
    ax.set_aspect("equal", adjustable="box")


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
    """Depth and what is wanted, down the page; of a surface craft how far it heaves, if it does."""
    z = mission.eta[:, 2]
    if not mission.submerged and np.ptp(z) < _HEAVE:
        return False
    compared = _compare(ax, mission, "depth", z, mission.signal("guidance", "depth") if mission.submerged else None)
    title, label = ("Depth", "depth, m") if mission.submerged else ("Heave", "down, m")
    ax.set(ylabel=label, title=title)
    spread(ax, 0.1)
    ax.invert_yaxis()
    _finish(ax, mission, legend=compared, columns=4)
    return True


def heading(ax: Axes, mission: Mission) -> bool:
    """Heading and what is wanted, without jumps by full turns."""
    psi = np.unwrap(mission.eta[:, 5])
    compared = _compare(ax, mission, "heading", psi, mission.signal("guidance", "heading"), angle=True)
    ax.set(ylabel="heading, °", title="Heading")
    spread(ax, 2.0)
    _right_angles(ax)
    _finish(ax, mission, legend=compared, columns=4)
    return True


def roll_pitch(ax: Axes, mission: Mission) -> bool:
    """Roll and pitch, and what is wanted of them, where the vehicle has them."""
    moving = [(n, i) for n, i in (("roll", 3), ("pitch", 4)) if np.ptp(mission.eta[:, i]) > 0.0]
    if not moving:
        return False
    for number, (name, element) in enumerate(moving):
        colour = (style.ACTUAL, style.SERIES[2])[number]
        ax.plot(mission.time, np.degrees(mission.eta[:, element]), color=colour, linewidth=1.5, label=name)
        for one in mission.references:
            if one.quantity == name:
                shown = np.degrees(one.values)
                ax.plot(mission.time, shown, "--", color=style.REFERENCE, linewidth=1.2, label=f"wanted {name}")
    ax.set(ylabel="angle, °", title="Roll and pitch")
    spread(ax, 2.0)
    _finish(ax, mission, legend=True, columns=4)
    return True


def cross_track_error(ax: Axes, mission: Mission) -> bool:
    """Cross-track error, positive to starboard of the path."""
    shown = mission.underway
    ax.axhline(0.0, color=style.WAYPOINT, linewidth=0.8)
    error = mission.cross_track_error[shown]
    if mission.phases:
        error = np.where(mission.phases.following[shown], error, np.nan)
    ax.plot(mission.time[shown], error, color=style.ERROR)
    ax.set(ylabel="to starboard, m", title="Cross-track error")
    spread(ax, 0.01)
    _finish(ax, mission)
    return True


def speed(ax: Axes, mission: Mission) -> bool:
    """Surge velocity over ground and what is wanted."""
    nu = mission.signal("vessel", "nu")
    if nu is None:
        return False
    compared = _compare(ax, mission, "speed", nu[:, 0], mission.signal("guidance", "speed"))
    ax.set(ylabel="surge, m/s", title="Speed")
    spread(ax, 0.05)
    _finish(ax, mission, legend=compared, columns=4)
    return True


def thruster_speed(ax: Axes, mission: Mission) -> bool:
    """Thrusters, rudders and sails, each in a lane: shaft speeds or thrusts, negative astern, and angles."""
    if not mission.lanes:
        return False
    spans = lanes.draw(ax, mission.time, mission.lanes)
    named = all(lane.unit == "°" for lane in mission.lanes)
    ax.set(title=f"{'Angles' if named else 'Thrusters'}, {spans} in a lane")
    _finish(ax, mission)
    return True


def power(ax: Axes, mission: Mission) -> bool:
    """What all thrusters take together."""
    watts = mission.power
    if watts is None:
        return False
    greatest = float(np.max(np.abs(watts)))
    scale, unit = (1e6, "MW") if greatest >= 2e7 else (1e3, "kW") if greatest >= 2e3 else (1.0, "W")
    shown = watts / scale
    ax.fill_between(mission.time, shown, color=style.POWER, alpha=0.18, linewidth=0.0)
    ax.plot(mission.time, shown, color=style.POWER, linewidth=1.5)
    ax.set(ylabel=f"power, {unit}", title="Thruster power")
    ax.set_ylim(bottom=min(0.0, float(shown.min())))
    _finish(ax, mission)
    return True


PLOTS: dict[str, Plot] = {
    "plan_view": plan_view,
    "depth": depth,
    "heading": heading,
    "speed": speed,
    "cross_track_error": cross_track_error,
    "roll_pitch": roll_pitch,
    "thruster_speed": thruster_speed,
    "power": power,
}
"""Every plot of a mission, by the name of its file."""


def _compare(
    ax: Axes, mission: Mission, quantity: str, actual: Array, wanted: Array | None, *, angle: bool = False
) -> bool:
    """What was reached beside what guidance wanted, and beside what controllers were given, where that is another.

    Says whether something was wanted. angle: in rad, drawn in degrees, each nearest to what was reached.
    """

    def shown(values: Array) -> Array:
        near = actual + np.arctan2(np.sin(values - actual), np.cos(values - actual)) if angle else values
        return np.degrees(near) if angle else near

    given = [one for one in mission.references if one.quantity == quantity]
    given = [one for one in given if wanted is None or not np.array_equal(one.values, wanted)]
    if wanted is not None:
        ax.plot(mission.time, shown(wanted), "--", color=style.REFERENCE, linewidth=1.5, label="wanted")
    for number, one in enumerate(given[:2]):
        label = "wanted" if wanted is None and len(given) == 1 else one.source
        line = (0, (5, 1.5)) if number else (0, (1.2, 1.2))
        ax.plot(mission.time, shown(one.values), linestyle=line, color=style.ERROR, linewidth=1.6, label=label)
    ax.plot(mission.time, shown(actual), color=style.ACTUAL, label="actual")
    return wanted is not None or bool(given)


def _right_angles(ax: Axes) -> None:
    """Ticks at multiples of right angles, of turns or of 45 degrees, where the range has room for them."""
    low, high = ax.get_ylim()
    for spacing in (90.0, 180.0, 360.0, 45.0):
        ticks = np.arange(np.ceil(low / spacing), np.floor(high / spacing) + 1.0) * spacing
        if 3 <= len(ticks) <= 8:
            ax.set_yticks(ticks)
            return


def _finish(ax: Axes, mission: Mission, *, legend: bool = False, columns: int = 2) -> None:
    """What all plots over time share: the time axis, and when waypoints were reached."""
    ax.set_xlabel("time, s")
    ax.set_xlim(mission.time[0], mission.time[-1])
    if mission.phases:
        shade(ax, mission.phases)
    for time in () if mission.phases else mission.reached[1:]:
        if time is not None:
            ax.axvline(time, color="#94a3b8", linewidth=0.9, linestyle=":", zorder=0)
    if legend:
        ax.legend(**style.LEGEND, ncols=columns)
