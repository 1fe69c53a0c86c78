"""Thrusters, rudders and sails drawn in lanes, so that none is hidden under another."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from blocks import style
from blocks.report.actuators import Lane

Array = NDArray[np.float64]

_FULL = 0.42
"""Of the height of a lane: what the greatest value takes."""
_MOST_MARKED = 14
"""So many lanes have a name; of more, every other one and so on."""


def draw(ax: Axes, time: Array, shown: list[Lane]) -> str:
    """Draw lanes from the top down, each unit to a scale of its own, and return what a lane spans."""
    spans = {}
    for unit in dict.fromkeys(lane.unit for lane in shown):
        group = [lane for lane in shown if lane.unit == unit]
        least, most = min(float(lane.values.min()) for lane in group), max(float(lane.values.max()) for lane in group)
        spans[unit] = (min(least, 0.0), max(most, 0.0, 1e-9 - least))
    for number, lane in enumerate(shown):
        low, high = spans[lane.unit]
        signed = low < 0.0
        middle = len(shown) - 1 - number
        scale = _FULL / max(-low, high) if signed else 2.0 * _FULL / high
        zero = middle if signed else middle - _FULL
        colour = style.CURRENT if lane.unit == "°" else style.ACTUAL
        ax.axhline(zero, color="#94a3b8", linewidth=0.7, zorder=1)
        height = zero + scale * lane.values
        ax.fill_between(time, zero, height, color=colour, alpha=0.2, linewidth=0.0)
        if lane.wanted is not None and not np.allclose(lane.wanted, lane.values, atol=0.01 * max(-low, high)):
            held = np.clip(zero + scale * lane.wanted, middle - 0.5, middle + 0.5)
            ax.plot(time, held, "--", color=style.REFERENCE, linewidth=0.9, zorder=2)
        ax.plot(time, height, color=colour, linewidth=1.1, zorder=3)
    every = -(-len(shown) // _MOST_MARKED)
    ax.set_yticks(
        [len(shown) - 1 - i for i in range(0, len(shown), every)], [lane.label for lane in shown[::every]],
        fontsize=style.SETTINGS["font.size"] - (2.0 if len(shown) > 5 else 0.0),
    )  # fmt: skip
    ax.tick_params(axis="y", length=0.0)
    ax.set_ylim(-0.55, len(shown) - 0.45)
    ax.grid(False, axis="y")
    return ", ".join(
        f"{'±' if low < 0.0 else '0 to '}{float(f'{max(-low, high):.2g}'):g} {unit}"
        for unit, (low, high) in spans.items()
    )
