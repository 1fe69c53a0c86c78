"""A barge on four chains in a swell, its lines as catenaries and as lumped masses: moored_barge.png.

The scenario is moored_barge.yaml. Fidelity is a swap: the block `mooring` is replaced by `MooringDynamics` with the
same lines, and everything else stays.
"""

from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from blocks import Result
from blocks.environment import Mooring, MooringDynamics
from blocks.scenario import Scenario
from blocks.style import LEGEND, SERIES, SETTINGS, WAYPOINT

FILE = Path(__file__).with_suffix(".yaml")
END, SETTLED = 600.0, 300.0  # s
SEGMENTS = 20
NAMES = ("starboard bow", "port bow", "starboard stern", "port stern")


def swell(lumped: bool, end: float = END) -> tuple[Result, Mooring | MooringDynamics]:
    """The scenario run, and its mooring."""
    scenario = Scenario.load(FILE)
    mooring = scenario.diagram.mooring
    step = scenario.settings["step"]
    if lumped:
        mooring = scenario.diagram.replace("mooring", MooringDynamics(**mooring.values, segments=SEGMENTS))
        scenario.diagram.connect("barge.nu", "mooring.nu")
        scenario.diagram.connect("current.current", "mooring.current")
        step = 0.005
    every = round(0.2 / step)
    return scenario.run(end=end, step=step, every=every), mooring


def main() -> None:
    """Run both, print what the chains hold, and draw."""
    runs = {"catenary": swell(False), f"{SEGMENTS} segments each": swell(True)}
    table = Table("lines", "line", "mean", "least", "greatest tension, kN")
    for name, (run, _) in runs.items():
        tension = 1e-3 * run.values("mooring.tension")[run.time >= SETTLED]
        for i, line in enumerate(NAMES):
            numbers = (f"{number:.0f}" for number in (tension[:, i].mean(), tension[:, i].min(), tension[:, i].max()))
            table.add_row(name if i == 0 else "", line, *numbers)
    Console().print(table)
    with rc_context(SETTINGS):
        draw(runs).savefig("moored_barge.png")


def draw(runs: dict[str, tuple[Result, Mooring | MooringDynamics]]) -> Figure:
    """The plan of the lines and where the barge goes, a line from the side, and tension over time."""
    (catenary, mooring), (lumped, chains) = runs.values()
    figure = Figure(figsize=(13.0, 7.0), layout="constrained")
    axes = figure.subplot_mosaic("AB;CC")
    plan, side, below = (axes[name] for name in "ABC")
    eta = catenary.values("barge.eta")
    for i, (anchor, fairlead) in enumerate(zip(mooring.anchors, mooring.fairleads, strict=True)):
        plan.plot([anchor[1], fairlead[1]], [anchor[0], fairlead[0]], color=SERIES[i], linewidth=1.2)
        plan.plot(*anchor[1::-1], "v", color=SERIES[i])
        above = anchor[0] > 0.0
        plan.annotate(NAMES[i], anchor[1::-1], xytext=(0, 8 if above else -9), textcoords="offset points",
                      ha="center", va="bottom" if above else "top", fontsize=9)  # fmt: skip
    hull = np.array([[30, 10], [30, -10], [-30, -10], [-30, 10], [30, 10]])
    plan.fill(hull[:, 1], hull[:, 0], color="#cbd5e1")
    plan.plot(eta[:, 1], eta[:, 0], color=WAYPOINT, linewidth=0.8)
    plan.set(xlabel="east, m", ylabel="north, m", xlim=(-270, 270), ylim=(-260, 260), aspect="equal")
    plan.set_title("Plan, and the way of the barge's origin")
    nodes = lumped.values("mooring.nodes")
    nodes = nodes.reshape(len(nodes), 4, -1, 3)[:, 1]
    tension = lumped.values("mooring.tension")[:, 1]
    late = np.flatnonzero(lumped.time >= SETTLED)
    for word, k, colour in (
        ("least", late[np.argmin(tension[late])], SERIES[5]),
        ("greatest", late[np.argmax(tension[late])], SERIES[1]),
    ):
        anchor, fairlead = chains.anchors[1], chains.fairleads[1] + lumped.values("barge.eta")[k, :3]
        points = np.vstack([anchor, nodes[k], fairlead])
        away = np.hypot(*(points - anchor)[:, :2].T)
        side.plot(away, points[:, 2], "o-", color=colour, markersize=3.5, label=f"{word}, {1e-3 * tension[k]:.0f} kN")
    side.axhline(50.0, color=WAYPOINT, linewidth=1.0)
    side.set(xlabel="distance from the anchor, m", ylabel="depth, m", ylim=(53.0, -3.0))
    side.set_title("Port bow chain at its least and greatest tension")
    side.legend(loc="upper left")
    for (name, (run, _)), style in zip(runs.items(), ("-", "--"), strict=True):
        for i in (1, 2):
            below.plot(run.time, 1e-3 * run.values("mooring.tension")[:, i], style, color=SERIES[i], linewidth=1.1,
                       label=f"{NAMES[i]}, {name}")  # fmt: skip
    below.set(xlabel="time, s", ylabel="tension at the fairlead, kN", xlim=(SETTLED, SETTLED + 150.0))
    below.set_title("Tension")
    below.legend(ncols=2, **LEGEND)
    return figure


if __name__ == "__main__":
    main()
