"""The track of a turning circle as it is always drawn: the approach up the page, distances from the rudder order."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from matplotlib.patheffects import withStroke

from blocks import style
from blocks.lab.trial import Array, Execute, Trial
from blocks.lab.turning_circle import TurningCircle, on_approach

OUTLINE = np.array([[0.5, 0.0], [0.25, 0.16], [-0.5, 0.16], [-0.5, -0.16], [0.25, -0.16]])
"""A hull of length 1, ahead and across."""
HALO = [withStroke(linewidth=3.0, foreground="white")]
"""Keeps text readable over lines."""
_DIMENSION = {"color": style.WAYPOINT, "linewidth": 1.0}


def draw_tracks(
    ax: Axes, trials: Mapping[str, Trial], dimensioned: Mapping[str, TurningCircle], length: float | None
) -> None:
    """Tracks with the hull every 45° of the first turn, and dimension lines of those that are named."""
    tracks = {name: _on_page(trial, trial.executes[0]) for name, trial in trials.items()}
    turns = {name: track[trials[name].executes[0].index :] for name, track in tracks.items()}
    everything = np.concatenate(list(turns.values()))
    low, high = everything.min(axis=0), everything.max(axis=0)
    size = float(max(high - low))
    for colour, (name, track) in zip(cycle(style.SERIES), tracks.items(), strict=False):
        ax.plot(track[:, 0], track[:, 1], color=colour, linewidth=1.8, label=name, zorder=3)
    for colour, (name, track) in zip(cycle(style.SERIES), turns.items(), strict=False):
        heading = trials[name].heading[-len(track) :]
        _hulls(ax, track, heading - heading[0], 0.06 * size if length is None else length, colour)
    left, right, top = low[0], high[0], high[1]
    for name, measured in dimensioned.items():
        left, right, top = _dimensions(ax, measured, trials[name].executes[0].side, size, (left, right, top))
    ax.plot(0.0, 0.0, "o", color=style.WAYPOINT, markersize=4.5, zorder=5)
    ax.annotate(
        "rudder order", (0.0, 0.0), textcoords="offset points", xytext=(8.0, -14.0), color=style.WAYPOINT, zorder=6,
        fontsize=9.5, path_effects=HALO,
    )  # fmt: skip
    ax.set_aspect("equal", adjustable="box")
    ax.set_xlim(left - 0.08 * size, right + 0.08 * size)
    ax.set_ylim(min(low[1] - 0.08 * size, -0.2 * size), top + 0.08 * size)
    ax.set(xlabel="across the approach, m, starboard to the right", ylabel="along the approach, m", title="Track")
    ax.set_anchor("N")
    ax.legend(**style.LEGEND, ncols=min(len(trials), 3))


def _on_page(trial: Trial, execute: Execute) -> Array:
    """East and north of a page whose north is the approach heading."""
    along = on_approach(trial, execute, trial.position)
    return np.column_stack([execute.side * along[:, 1], along[:, 0]])


def _hulls(ax: Axes, track: Array, turned: Array, length: float, colour: str) -> None:
    """The hull at the order and at every 45° of the first turn."""
    for angle in np.radians(np.arange(0.0, 361.0, 45.0)):
        later = np.flatnonzero(np.abs(turned) >= angle)
        if not later.size:
            return
        i = int(later[0])
        sine, cosine = np.sin(turned[i]), np.cos(turned[i])
        turn = np.array([[sine, cosine], [cosine, -sine]])
        ax.add_patch(
            Polygon(length * OUTLINE @ turn + track[i], facecolor="white", edgecolor=colour, linewidth=1.1, zorder=4)
        )


def _dimensions(
    ax: Axes, measured: TurningCircle, side: float, size: float, limits: tuple[float, float, float]
) -> tuple[float, float, float]:
    """Advance beside the tracks, transfer and tactical diameter above them; left, right and top of all of it."""
    left, right, top = limits
    advance, transfer, diameter = measured.advance, side * measured.transfer, side * measured.tactical_diameter
    gap = 0.08 * size
    beside = right + gap if side > 0.0 else left - gap
    low, high = top + gap, top + 2.2 * gap
    for start, end in (
        ((0.0, 0.0), (beside, 0.0)),
        ((transfer, advance), (beside, advance)),
        ((transfer, advance), (transfer, low)),
        ((diameter, 0.0), (diameter, high)),
        ((0.0, 0.0), (0.0, high)),
    ):
        ax.plot(*zip(start, end, strict=True), color=style.WAYPOINT, linewidth=0.7, linestyle=(0, (4, 3)), zorder=2)
    _arrow(ax, (beside, 0.0), (beside, advance), f"advance {measured.advance:.2f} m", side=side, upright=True)
    _arrow(ax, (0.0, low), (transfer, low), f"transfer {measured.transfer:.2f} m", side=side)
    _arrow(ax, (0.0, high), (diameter, high), f"tactical diameter {measured.tactical_diameter:.2f} m", side=side)
    return min(left, beside), max(right, beside), high + 0.6 * gap


def _arrow(
    ax: Axes, start: tuple[float, float], end: tuple[float, float], text: str, *, side: float, upright: bool = False
) -> None:
    """A dimension line with an arrowhead at both ends, and its text beside or above it."""
    ax.annotate("", end, start, arrowprops={"arrowstyle": "<|-|>", "shrinkA": 0.0, "shrinkB": 0.0, **_DIMENSION})
    middle = (0.5 * (start[0] + end[0]), 0.5 * (start[1] + end[1]))
    ax.annotate(
        text, middle, textcoords="offset points", xytext=(9.0 * side, 0.0) if upright else (0.0, 3.0), ha="center",
        va="center" if upright else "bottom", rotation=90.0 if upright else 0.0, color=style.WAYPOINT, fontsize=9.5,
        path_effects=HALO, zorder=6,
    )  # fmt: skip
