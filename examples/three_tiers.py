"""One manoeuvre of the vehicle FlatFish in the three tiers of its library: what each of them leaves out.

SIMPLE has linear and quadratic damping, INTERMEDIATE adds Coriolis forces, and COMPLEX has a damping matrix for each of
the six velocities. The tiers are swapped in one diagram: the vehicle is pushed ahead, turned, pushed to starboard, and
pushed down, each for a while, and then left to itself. The page docs/three_tiers.md says what to see in it and where
the numbers come from. Writes `three_tiers.png`.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from blocks import Diagram, Result, simulate
from blocks.basic import TimeSeries
from blocks.dynamics import Vessel6DOF
from blocks.power import EnergyMeter, ThrustPower
from blocks.style import SERIES, SETTINGS, WAYPOINT

STEP = 0.02
LENGTH = 2.2  # m, of the hull: 2.20 x 1.05 x 0.50 m
PUSHES = {  # from when on, s; surge, sway, heave, N; roll, pitch, yaw moment, N m
    "ahead": (0.0, [60.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    "turn": (20.0, [60.0, 0.0, 0.0, 0.0, 0.0, 25.0]),
    "starboard": (50.0, [0.0, 60.0, 0.0, 0.0, 0.0, 0.0]),
    "down": (70.0, [0.0, 0.0, 60.0, 0.0, 0.0, 0.0]),
    "released": (90.0, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
}
END = 150.0
BEGINS = [begin for begin, _ in PUSHES.values()]


def damping_matrices(quadratic: NDArray[np.float64], length: float) -> NDArray[np.float64]:
    """D_1 to D_6 of a hull with the quadratic damping D_q of the other tiers, and the cross terms that belong to it.

    Column i of D_i is column i of D_q. The cross terms follow from the drag across a hull of length L, spread evenly:
    Y = ∫ Y_vv/L |v + x r| (v + x r) dx and N = ∫ x … dx from -L/2 to L/2. To first order in the smaller motion these
    are Y_vv L/2 |r| v and Y_vv L²/6 |v| r; in the vertical plane likewise, with Z_ww, w and q.
    """
    matrices = np.zeros((6, 6, 6))
    for i in range(6):
        matrices[i, :, i] = quadratic[:, i]
    for linear, angular in ((1, 5), (2, 4)):  # v and r, w and q
        across = quadratic[linear, linear]
        matrices[angular, linear, linear] += across * length / 2
        matrices[linear, angular, angular] += across * length**2 / 6
    return matrices


fish = Vessel6DOF.from_vehicle("flat_fish")  # as published: SIMPLE
shared = {
    "rigid_body_inertia": fish.rigid_body_inertia,
    "linear_damping": fish.linear_damping,
    "weight": fish.weight,
    "buoyancy": fish.weight,  # published with 12 N more, and no righting moment: see the page
    "attitude": "quaternion",
}
TIERS: dict[str, Vessel6DOF] = {
    "SIMPLE": Vessel6DOF.simple(quadratic_damping=fish.quadratic_damping, **shared),
    "INTERMEDIATE": Vessel6DOF.intermediate(quadratic_damping=fish.quadratic_damping, **shared),
    "COMPLEX": Vessel6DOF.complex(damping_matrices(fish.quadratic_damping, LENGTH), **shared),
}


def manoeuvre(vessel: Vessel6DOF) -> Diagram:
    """Pushes, a vessel, and meters of the work that the pushes do and of what the water takes."""
    diagram = Diagram("manoeuvre", title="One manoeuvre for any vessel")
    push = diagram.add("push", TimeSeries(BEGINS, [force for _, force in PUSHES.values()], interpolation="hold"))
    diagram.add("vessel", vessel)
    power = diagram.add("power", ThrustPower())
    work = diagram.add("work", EnergyMeter())
    dissipated = diagram.add("dissipated", EnergyMeter())
    diagram.connect(push.y, vessel.force, power.force)
    diagram.connect(vessel.nu_r, power.nu_r)
    diagram.connect(vessel.damping_force, power.damping_force)
    diagram.connect(vessel.coriolis_force, power.coriolis_force)
    diagram.connect(power.power, work.power)
    diagram.connect(power.damping_power, dissipated.power)
    return diagram


def cost(diagram: Diagram, steps: int = 5_000) -> float:
    """Time per step of the whole diagram, µs: the best of ten runs, with hardly anything recorded."""
    best = np.inf
    for _ in range(10):
        begin = perf_counter()
        simulate(diagram, steps * STEP, step=STEP, record=["work.energy"], every=steps)
        best = min(best, perf_counter() - begin)
    return 1e6 * best / steps


def kinetic_energy(result: Result) -> NDArray[np.float64]:
    """½ νᵀ M ν over time, J."""
    nu = result.values("vessel.nu")
    return 0.5 * np.einsum("ti,ij,tj->t", nu, fish.rigid_body_inertia, nu)


def report(results: dict[str, Result], costs: dict[str, float]) -> Table:
    """What differs after the manoeuvre, one column per tier."""
    table = Table("FlatFish", *results)
    rows: dict[str, list[str]] = {}
    for name, result in results.items():
        eta, nu = result.values("vessel.eta"), result.values("vessel.nu")
        work, dissipated = (result.values(f"{meter}.energy")[-1] for meter in ("work", "dissipated"))
        kinetic = kinetic_energy(result)[-1]
        numbers = {
            "north, east, down, m": " ".join(f"{value:.1f}" for value in eta[-1, :3]),
            "roll, pitch, yaw, deg": " ".join(f"{value:.0f}" for value in np.degrees(eta[-1, 3:]) + 0.0),
            "fastest surge, m/s": f"{np.abs(nu[:, 0]).max():.2f}",
            "fastest sway, m/s": f"{np.abs(nu[:, 1]).max():.2f}",
            "fastest heave, m/s": f"{np.abs(nu[:, 2]).max():.2f}",
            "work of the pushes, J": f"{work:.1f}",
            "taken by damping, J": f"{dissipated:.1f}",
            "kinetic energy left, J": f"{kinetic:.1f}",
            "not accounted for, J": f"{abs(work - dissipated - kinetic):.0e}",
            "cost, µs per step": f"{costs[name]:.2f}",
        }
        for label, text in numbers.items():
            rows.setdefault(label, []).append(text)
    for label, texts in rows.items():
        table.add_row(label, *texts)
    return table


def cross_terms(result: Result, every: int = 50) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Instants, s, and what COMPLEX adds to the damping of INTERMEDIATE at the velocities of a run, N and N m."""
    nu = result.values("vessel.nu")[::every]
    force = {
        tier: np.array([TIERS[tier].evaluate(states={"nu": each}).outputs["damping_force"] for each in nu])
        for tier in ("INTERMEDIATE", "COMPLEX")
    }
    return result.time[::every], force["COMPLEX"] - force["INTERMEDIATE"]


CURVES = {
    "vessel.eta[z]": ((3, 0), "Depth", "m"),
    "vessel.nu[u]": ((0, 1), "Surge", "m/s"),
    "vessel.nu[v]": ((1, 1), "Sway", "m/s"),
    "vessel.nu[r]": ((2, 1), "Yaw rate", "deg/s"),
    "vessel.eta[phi]": ((3, 1), "Roll", "deg"),
    "vessel.coriolis_force[Y]": ((0, 2), "Coriolis force in sway", "N"),
    "vessel.coriolis_force[N]": ((1, 2), "Coriolis moment in yaw", "N m"),
    "vessel.damping_force[Y]": ((2, 2), "Damping force in sway", "N"),
}


def figure(results: dict[str, Result]) -> Figure:
    """Track, velocities and attitude, Coriolis and damping forces, and the cross terms of COMPLEX."""
    drawn = Figure(figsize=(15.0, 10.5), layout="constrained")
    grid = drawn.add_gridspec(4, 3, width_ratios=(1.15, 1.0, 1.0))
    track = drawn.add_subplot(grid[:3, 0])
    curves = {name: drawn.add_subplot(grid[place]) for name, (place, _, _) in CURVES.items()}
    for colour, line, (tier, result) in zip(SERIES, ("-", "-", "--"), results.items(), strict=False):
        eta = result.values("vessel.eta")
        ends = np.searchsorted(result.time, np.array([*BEGINS[1:], END]) - 0.5 * STEP)
        track.plot(eta[:, 1], eta[:, 0], line, color=colour, label=tier)
        track.plot(eta[ends, 1], eta[ends, 0], "o", color=colour, ms=4.5)
        for name, axes in curves.items():
            values = result.values(name)
            shown = np.degrees(values) if CURVES[name][2].startswith("deg") else values
            axes.plot(result.time, shown, line, color=colour)
    for name, axes in curves.items():
        axes.set(title=CURVES[name][1], ylabel=CURVES[name][2])
    curves["vessel.eta[z]"].invert_yaxis()
    track.set(title="Track, with a dot where a push ends", xlabel="east, m", ylabel="north, m")
    track.set_aspect("equal", adjustable="datalim")
    track.legend()

    extra = drawn.add_subplot(grid[3, 2])
    time, more = cross_terms(results["COMPLEX"])
    for column, colour, label in ((1, SERIES[2], "sway, N"), (5, SERIES[3], "yaw, N m")):
        extra.plot(time, more[:, column], color=colour, label=label)
    extra.set(title="Cross terms in the damping of COMPLEX", ylabel="N, N m")
    extra.legend(loc="upper right")
    timed = [*curves.values(), extra]
    for axes in timed:
        axes.set_xlim(0.0, END)
        for begin in BEGINS[1:]:
            axes.axvline(begin, color="#94a3b8", lw=0.8, ls=":")
    for axes in (curves["vessel.eta[z]"], curves["vessel.eta[phi]"], extra):
        axes.set_xlabel("time, s")
    for top in (curves["vessel.nu[u]"], curves["vessel.coriolis_force[Y]"]):
        top.set_ylim(top.get_ylim()[0] - 0.12 * np.ptp(top.get_ylim()))
        for name, begin, end in zip(PUSHES, BEGINS, [*BEGINS[1:], END], strict=True):
            middle = {"x": (begin + end) / 2, "y": 0.03, "transform": top.get_xaxis_transform()}
            top.text(s=name, ha="center", fontsize=8.5, color=WAYPOINT, **middle)
    return drawn


diagram = manoeuvre(TIERS["SIMPLE"])
results: dict[str, Result] = {}
costs: dict[str, float] = {}
for name, vessel in TIERS.items():
    if vessel.parent is None:
        diagram.replace("vessel", vessel)  # this is all
    results[name] = simulate(diagram, END, step=STEP)
    costs[name] = cost(diagram)
Console().print(report(results, costs))
with rc_context(SETTINGS):
    figure(results).savefig("three_tiers.png")
