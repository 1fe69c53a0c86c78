"""How figures look: colours that mean the same in every plot, sizes that can be read from the back of a room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from blocks.units import for_people

ACTUAL = "#1d4ed8"
REFERENCE = "#ea580c"
ERROR = "#7c3aed"
POWER = "#b45309"
WAYPOINT = "#334155"
CURRENT = "#0e7490"
GRID = "#e2e8f0"
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#64748b", "#000000")
"""Colours of Okabe and Ito (2008), which people with colour blindness can tell apart, and a grey."""

SETTINGS: dict[str, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": 11.0,
    "axes.titlesize": 12.0,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 11.0,
    "axes.labelcolor": WAYPOINT,
    "axes.edgecolor": "#94a3b8",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.xmargin": 0.0,
    "grid.color": GRID,
    "xtick.color": WAYPOINT,
    "ytick.color": WAYPOINT,
    "lines.linewidth": 1.8,
    "legend.frameon": False,
    "legend.fontsize": 10.0,
    "legend.handlelength": 1.6,
    "figure.titlesize": 16.0,
    "figure.titleweight": "bold",
    "figure.dpi": 120.0,
    "savefig.dpi": 120.0,
    "svg.hashsalt": "keelblocks",
}

LEGEND: dict[str, Any] = {
    "loc": "lower right",
    "bbox_to_anchor": (1.0, 1.0),
    "borderaxespad": 0.1,
    "columnspacing": 1.0,
    "handletextpad": 0.5,
}
"""Legends stand in the line of the title, where they cover nothing."""

SLIDE = (16.0, 9.0)
"""Size of the figure with everything, inches."""

SINGLE = (8.0, 4.5)
"""Size of one plot, inches."""

SQUARE = (7.5, 7.0)
"""Size of a plan view, inches."""


def drawn_unit(unit: str) -> tuple[str, float]:
    """How figures write the unit of a quantity in SI, and by what its values are multiplied: rad is in °."""
    text, factor = for_people(unit)
    return text.replace("deg", "°").replace("*", "·"), factor


def in_words(name: str, among: Sequence[str] = ()) -> str:
    """A dotted name as figures show it, "autopilot.heading.kp" as "heading: kp", longer where others end alike.

    The output of a controller goes by the name of the controller.
    """
    parts = name.removesuffix(".output").split(".")
    for count in range(1 if name.endswith(".output") else 2, len(parts)):
        end = "." + name.split(".", len(parts) - count)[-1]
        if sum(f".{other}".endswith(end) for other in among) <= 1:
            parts = parts[-count:]
            break
    return ": ".join(filter(None, (".".join(parts[:-1]), parts[-1]))).replace("_", " ")
