"""The phases of a mission behind plots over time."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes

from blocks import style
from blocks.report.phases import Phases

_LETTER = 0.017
"""What a letter takes of the width of a small plot."""


def shade(ax: Axes, phases: Phases) -> None:
    """A band for each phase, every other one darker, with its name where there is room."""
    changes = [0, *(np.flatnonzero(np.diff(phases.number)) + 1), len(phases.time) - 1]
    span = float(phases.time[-1] - phases.time[0])
    for k, (first, last) in enumerate(pairwise(changes)):
        begin, end, number = float(phases.time[first]), float(phases.time[last]), int(phases.number[first])
        if k % 2:
            ax.axvspan(begin, end, color=style.WAYPOINT, alpha=0.06, linewidth=0.0, zorder=0)
        name = phases.plan.phase_names[number - 1] if number else ""
        if name and (end - begin) / span > _LETTER * (len(name) + 1):
            ax.text(
                0.5 * (begin + end), 0.985, name, transform=ax.get_xaxis_transform(), ha="center", va="top",
                fontsize=8, color=style.WAYPOINT, alpha=0.85,
            ).set_in_layout(False)  # fmt: skip
