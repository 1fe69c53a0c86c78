"""What a BlueROV2 Heavy can still do with failed thrusters. Writes `attainable_forces.png`.

Each line is the edge of the forces that the thrusters give together, with nothing in the other four components.
"""

from __future__ import annotations

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from blocks.style import SERIES, SETTINGS
from blocks.thrust import MeasuredThruster, attainable

THRUSTERS = MeasuredThruster.from_vehicle("bluerov2_heavy")
LEVEL = {"all eight": [], "ahead starboard failed": [0], "both ahead failed": [0, 1], "both starboard failed": [0, 2]}
UPRIGHT = {"all eight": [], "ahead starboard failed": [4], "both ahead failed": [4, 5]}
AXES = ("X", "Y", "Z", "K", "M", "N")


def edge(failed: list[int], first: str, second: str, scale: float = 1.0) -> np.ndarray:
    """The greatest wrenches all round a plane of two components; scale: of the second, for even steps in its unit."""
    turns = np.linspace(0.0, 2.0 * np.pi, 361)
    directions = np.zeros((len(turns), 6))
    directions[:, AXES.index(first)] = np.cos(turns)
    directions[:, AXES.index(second)] = scale * np.sin(turns)
    available = np.where(np.isin(np.arange(8), failed), 0.0, 1.0)
    return attainable(THRUSTERS, directions, available=available)[:, [AXES.index(first), AXES.index(second)]]


def draw(axes: Axes, cases: dict[str, list[int]], first: str, second: str, scale: float = 1.0) -> None:
    """The edges of some cases, the first component upwards."""
    for (label, failed), colour in zip(cases.items(), SERIES, strict=False):
        up, across = edge(failed, first, second, scale).T
        axes.plot(across, up, color=colour, label=label)
        axes.fill(across, up, color=colour, alpha=0.06)
    axes.margins(0.06)
    axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2)


def figure() -> Figure:
    """Forces in the horizontal plane, and heave with roll."""
    with rc_context(SETTINGS):
        drawn = Figure(figsize=(11.0, 6.0), layout="constrained")
        drawn.suptitle("What the thrusters of a BlueROV2 Heavy can give", x=0.01, ha="left")
        level, upright = drawn.subplots(1, 2)
        draw(level, LEVEL, "X", "Y")
        level.set(title="horizontal thrusters", xlabel="sway force Y, N", ylabel="surge force X, N", aspect="equal")
        draw(upright, UPRIGHT, "Z", "K", 0.2)
        upright.set(title="vertical thrusters", xlabel="roll moment K, N·m", ylabel="heave force Z, N")
    return drawn


if __name__ == "__main__":
    for label, failed in LEVEL.items():
        ahead = attainable(THRUSTERS, [1, 0, 0, 0, 0, 0], available=np.where(np.isin(np.arange(8), failed), 0.0, 1.0))
        print(f"{label:24} {ahead[0]:5.1f} N ahead")
    figure().savefig("attainable_forces.png")
