"""The figure of a route: chart, depths, current, path, and what happens along it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from blocks.routes.edges import Array
from blocks.routes.feature import Feature
from blocks.style import ACTUAL, CURRENT, ERROR, LEGEND, REFERENCE, SETTINGS, WAYPOINT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from blocks.routes.way import Way

LAND = "#e7d8b5"
_SHALLOW = "#cfe3c8"
_FILL = {"land": LAND, "obstacle": "#94a3b8", "no_go": "#fecdd3", "depth_area": "#bae6fd"}
_EDGE = {"land": "#a8946a", "obstacle": "#475569", "no_go": "#e11d48", "depth_area": "#7dd3fc"}
_NAMES = {"land": "land", "obstacle": "obstacle", "no_go": "no-go area", "depth_area": "depth area"}
_ARROWS = 14


def route_figure(route: Way) -> Figure:
    """The chart with the route on it; beside it clearance, course and speeds over the distance."""
    with rc_context(SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=(14.0, 7.4), layout="constrained")
        panels = ("clearance", "course", "speed")
        axes = figure.subplot_mosaic([["chart", panel] for panel in panels], width_ratios=(1.5, 1.0))
        draw_chart(axes["chart"], route)
        draw_route(axes["chart"], route)
        axes["chart"].legend(loc="upper left", bbox_to_anchor=(0.0, -0.09), ncols=4)
        _along(axes, route)
        figure.align_ylabels([axes[panel] for panel in panels])
        return figure


def draw_chart(axes: Axes, route: Way) -> None:
    """What is charted, with depths and the current, east to the right, to scale."""
    water = route.water
    low, high = _window(route)
    axes.set_aspect("equal")
    axes.set(xlim=(low[1], high[1]), ylim=(low[0], high[0]), xlabel="east, m", ylabel="north, m", title="Chart")
    _depths(axes, route)
    if water.limit is not None:
        north, east = np.vstack([water.limit.points, water.limit.points[:1]]).T
        axes.plot(east, north, "--", color=WAYPOINT, lw=1.0, label="end of the water")
    told: set[str] = set()
    for feature in water.chart.features:
        if feature.kind == "water":
            continue
        shallow = feature.kind == "depth_area" and feature in water.blocked_by
        name = f"less than {water.depth:.3g} m deep" if shallow else _NAMES[feature.kind]
        _feature(axes, feature, "" if name in told else name, _SHALLOW if shallow else None)
        told.add(name)
    if route.stream is not None:
        _arrows(axes, route, low, high)


def draw_route(axes: Axes, route: Way) -> None:
    """The path, its waypoints, its ends, and where it comes nearest."""
    axes.plot(*route.corners.T[::-1], "o:", color=WAYPOINT, lw=1.0, ms=4, label="waypoints", zorder=4)
    axes.plot(*route.place.T[::-1], color=REFERENCE, lw=2.2, label="route", zorder=5)
    for place, name in ((route.place[0], "start"), (route.place[-1], "goal")):
        axes.annotate(
            name, place[::-1], (7, -14), textcoords="offset points", color=WAYPOINT, weight="bold", zorder=8,
            bbox={"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none", "alpha": 0.75},
        )  # fmt: skip
    k = int(np.argmin(route.clearance))
    if np.isfinite(route.clearance[k]):
        axes.plot(
            *route.place[k][::-1], "o", mfc="none", mec=ERROR, ms=12, mew=1.8, zorder=6, ls="none",
            label=f"nearest, {route.clearance[k]:.3g} m",
        )  # fmt: skip


def _window(route: Way) -> tuple[Array, Array]:
    """What is shown: the route, and some of what is around it."""
    low, high = route.place.min(axis=0), route.place.max(axis=0)
    around = max(0.12 * float((high - low).max()), 3.0 * route.margin)
    low, high = low - around, high + around
    short = 0.9 * float((high - low).max())  # no thin strip
    middle, half = 0.5 * (low + high), np.maximum(0.5 * (high - low), 0.5 * short)
    return middle - half, middle + half


def _depths(axes: Axes, route: Way) -> None:
    soundings = route.water.chart.soundings
    if soundings is None:
        return
    depth, need = soundings.filled, route.water.depth
    deepest = float(depth.max())
    levels = need + (deepest - need) * np.linspace(0.0, 1.0, 6) if deepest > need else np.array([need, need + 1.0])
    drawn = axes.contourf(
        soundings.y, soundings.x, depth, levels=levels, colors=("#d7ecf8", "#bfe0f3", "#a6d3ee", "#8dc6e8", "#74b8e2"),
        zorder=0,
    )  # fmt: skip
    axes.contourf(soundings.y, soundings.x, depth, levels=[0.0, max(need, 1e-6)], colors=[_SHALLOW], zorder=0)
    axes.contourf(soundings.y, soundings.x, depth, levels=[-2e4, 0.0], colors=[LAND], zorder=0)
    axes.contour(soundings.y, soundings.x, depth, levels=[need], colors=["#3f7d4e"], linewidths=1.0, zorder=1)
    axes.figure.colorbar(drawn, ax=axes, label="charted depth, m", shrink=0.6, pad=0.01, format="%.1f")
    axes.fill([], [], color=_SHALLOW, label=f"less than {need:.3g} m deep")


def _feature(axes: Axes, feature: Feature, label: str, colour: str | None) -> None:
    style: dict[str, Any] = {
        "facecolor": colour or _FILL[feature.kind],
        "edgecolor": _EDGE[feature.kind],
        "lw": 1.0,
        "zorder": 2,
    }
    if feature.shape == "polygon":
        rings = [Path(np.vstack([ring, ring[:1]])[:, ::-1], closed=True) for ring in feature.rings]
        axes.add_patch(PathPatch(Path.make_compound_path(*rings), label=label, **style))
        return
    angles = np.linspace(0.0, 2.0 * np.pi, 49)
    disc = feature.radius * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    if feature.shape == "line" and feature.radius > 0.0:  # to scale
        style |= {"edgecolor": "none", "facecolor": _EDGE[feature.kind]}
        for first, last in pairwise(feature.points):
            ahead = (last - first) / max(float(np.hypot(*(last - first))), 1e-9)
            aside = feature.radius * np.array([-ahead[1], ahead[0]])
            axes.fill(*np.array([first + aside, last + aside, last - aside, first - aside]).T[::-1], **style)
    elif feature.shape == "line":
        axes.plot(*feature.points.T[::-1], color=_EDGE[feature.kind], lw=2.0, label=label, zorder=2)
    for point in feature.points:
        if feature.radius > 0.0:
            axes.fill(*(point + disc).T[::-1], label=label, **style)
        elif feature.shape == "point":
            axes.plot(*point[::-1], "X", color=_EDGE[feature.kind], ms=7, label=label, zorder=3)
        label = ""


def _arrows(axes: Axes, route: Way, low: Array, high: Array) -> None:
    """The current where there is water."""
    assert route.stream is not None
    step = float((high - low).max()) / _ARROWS
    places = np.stack(np.meshgrid(*[np.arange(low[i] + 0.5 * step, high[i], step) for i in range(2)]), axis=-1)
    places = places.reshape(-1, 2)
    places = places[route.water.clearance(places) > 0.0]
    if not len(places):
        return
    flow = route.stream(places)
    fastest = float(np.hypot(*flow.T).max())
    if fastest <= 0.0:
        return
    drawn = axes.quiver(
        *places.T[::-1], *flow.T[::-1], color=CURRENT, alpha=0.65, width=0.0028, angles="xy", scale_units="xy",
        scale=fastest / (0.8 * step), zorder=3,
    )  # fmt: skip
    axes.quiverkey(drawn, 0.88, 1.025, fastest, f"{fastest:.2g} m/s", labelpos="W", coordinates="axes", color=CURRENT)


def _along(axes: dict[str, Axes], route: Way) -> None:
    """Clearance, course and speeds over the distance."""
    s = route.distance
    axes["clearance"].plot(s, route.clearance, color=ACTUAL)
    axes["clearance"].axhline(route.margin, color=ERROR, ls="--", lw=1.2, label=f"margin, {route.margin:g} m")
    most = min(1.05 * float(route.clearance.max()), 10.0 * route.margin)
    axes["clearance"].set(ylabel="clearance, m", ylim=(0.0, most), title="Along the route")
    axes["clearance"].legend(**LEGEND)
    axes["course"].plot(s, np.degrees(route.course), color=REFERENCE)
    axes["course"].set(ylabel="course, °")
    axes["course"].margins(y=0.1)
    with np.errstate(divide="ignore", invalid="ignore"):
        over = np.gradient(s, route.time)
    axes["speed"].plot(s, over, color=ACTUAL, label="over ground")
    axes["speed"].plot(s, route.speed, color=CURRENT, ls="--", label="through the water")
    axes["speed"].set(ylabel="speed, m/s", xlabel="distance, m", ylim=(0.0, None))
    axes["speed"].legend(ncols=2, **LEGEND)
    for panel in ("clearance", "course"):
        axes[panel].tick_params(labelbottom=False)
