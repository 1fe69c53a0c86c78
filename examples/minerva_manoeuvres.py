"""Open-loop manoeuvres of the ROV Minerva: what it does at given shaft speeds, in currents, and left to itself.

Straight ahead, a turn with unequal revolutions, heave and sway in a current, free decay of velocities and of heel, and
a helical dive. Steady speeds, radius and decay times stand beside what the balance of forces says of them; the page
docs/minerva_manoeuvres.md tells what to see in it. Writes `minerva_manoeuvres.png`, `minerva_forces.png` and
`minerva_dive.gif`.
"""

from __future__ import annotations

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray
from rich.console import Console
from rich.table import Table
from scipy.optimize import root

from blocks import Diagram, Result, simulate
from blocks.basic import Constant
from blocks.dynamics import Vessel6DOF
from blocks.environment import UniformCurrent
from blocks.report import animate
from blocks.style import SERIES, SETTINGS, WAYPOINT
from blocks.thrust import PropellerThrusters, ThrustAllocation

Array = NDArray[np.float64]

STEP = 0.02
CURRENT = 0.1  # m/s
AHEAD = [0, 0, 0, 12, 12]  # rev/s: lateral, vertical starboard, vertical port, main port, main starboard
UNEQUAL = [0, 0, 0, 14, 9]
DOWN = [0, 10, 10, 0, 0]
DIVE = [0, 6, 6, 14, 9]
STOPPED = [0, 0, 0, 0, 0]
SIDEWAYS = [0, 60, 0, 0, 0, 0]  # N, N m
HEEL = np.radians(10.0)
SPEED, YAW_RATE = 0.8, 0.6  # m/s, rad/s: from where surge and yaw decay

vehicle = Vessel6DOF.from_vehicle("minerva")
propellers = PropellerThrusters.from_vehicle("minerva")
MASS = np.asarray(vehicle.rigid_body_inertia) + np.asarray(vehicle.added_mass)
LINEAR, QUADRATIC = (np.diag(np.asarray(matrix)) for matrix in (vehicle.linear_damping, vehicle.quadratic_damping))
RIGHTING = vehicle.weight * (vehicle.centre_of_gravity[2] - vehicle.centre_of_buoyancy[2])  # N m/rad


def minerva(revolutions: ArrayLike | None = None, force: ArrayLike | None = None, **start: ArrayLike) -> Diagram:
    """The vehicle in water, its shafts at constant speeds, or at those with which an allocation makes a force."""
    rov = Diagram("minerva")
    thrusters = rov.add("thrusters", PropellerThrusters.from_vehicle("minerva"))
    vessel = rov.add("vessel", Vessel6DOF.from_vehicle("minerva", **start))
    current = rov.add("current", UniformCurrent())
    rov.connect(current.current, vessel.current)
    rov.connect(vessel.nu_r, thrusters.nu_r)
    rov.connect(thrusters.force, vessel.force)
    if force is None:
        rov.connect(rov.add("revolutions", Constant(revolutions)).y, thrusters.command)
    else:
        wanted = rov.add("wanted", Constant(force))
        allocation = rov.add("allocation", ThrustAllocation.from_vehicle("minerva"))
        rov.connect(wanted.y, allocation.force)
        rov.connect(vessel.nu_r, allocation.nu_r)
        rov.connect(allocation.command, thrusters.command)
    return rov


def go(rov: Diagram, end: float, current: float = 0.0, towards: float = 0.0) -> Result:
    """A run; the current flows with this speed, m/s, to this direction, rad."""
    rov["current"].set(speed=current, direction=towards)
    return simulate(rov, end=end, step=STEP)


def released(angle: float, *, pitch: bool = False) -> Result:
    """A run from rest, heeled or trimmed by an angle."""
    eta = np.zeros(6)
    eta[4 if pitch else 3] = angle
    return go(minerva(STOPPED, initial_eta=eta), 20.0)


def coasting(**velocity: float) -> Result:
    """A run with stopped propellers, from a velocity."""
    return go(minerva(STOPPED, initial_nu=[velocity.get(name, 0.0) for name in "uvwpqr"]), 40.0)


def steady(revolutions: ArrayLike, guess: ArrayLike) -> Array:
    """The velocity ν at which thrust, damping and Coriolis forces are in balance, upright, in still water."""

    def acceleration(nu: Array) -> Array:
        force = propellers.evaluate(command=revolutions, nu_r=nu).outputs["force"]
        return vehicle.evaluate(states={"nu": nu}, force=force).outputs["acceleration"]

    found = root(acceleration, guess, tol=1e-12)
    assert found.success, found.message
    return np.asarray(found.x)


def forces(run: Result) -> dict[str, Array]:
    """The terms of the equation of motion over time, times × 6, each with the sign with which their sum is zero."""
    return {
        "thrust τ": run.values("thrusters.force"),
        "inertia -M ν̇": -run.values("vessel.acceleration") @ MASS.T,
        "Coriolis -f_c": -run.values("vessel.coriolis_force"),
        "damping -f_d": -run.values("vessel.damping_force"),
        "restoring -f_h": -run.values("vessel.restoring_force"),
    }


def imbalance(run: Result) -> float:
    """By how much the terms fail to cancel, in the largest of them."""
    terms = np.array(list(forces(run).values()))
    return float(np.abs(terms.sum(axis=0)).max() / np.abs(terms).max())


def turning_circle(run: Result) -> float:
    """The radius of the circle that fits the last third of the track best, m."""
    north, east = run.values("vessel.eta")[2 * len(run) // 3 :, :2].T
    solution, *_ = np.linalg.lstsq(np.column_stack([north, east, np.ones_like(north)]), north**2 + east**2)
    return float(np.sqrt(solution[2] + 0.25 * (solution[0] ** 2 + solution[1] ** 2)))


def per_mass(axis: int) -> tuple[float, float]:
    """Linear and quadratic damping over inertia."""
    return LINEAR[axis] / MASS[axis, axis], QUADRATIC[axis] / MASS[axis, axis]


def decay(time: ArrayLike, start: float, linear: float, quadratic: float) -> Array:
    """The solution of ẋ = -a x - b |x| x from x(0) = `start` > 0, with a `linear` and b `quadratic`."""
    left = np.exp(-linear * np.asarray(time))
    return linear * start * left / (linear + quadratic * start * (1.0 - left))


def half_time(start: float, linear: float, quadratic: float) -> float:
    """When half of it is left."""
    return float(np.log((2.0 * linear + quadratic * start) / (linear + quadratic * start)) / linear)


def heel_decay(axis: int) -> tuple[float, float, float]:
    """Natural frequency, rad/s, and a and b of the amplitude of a heel that dies out, from the energy per swing.

    I φ̈ + d φ̇ + d_q |φ̇| φ̇ + k φ = 0 loses what ȧ = -d/(2 I) a - 4 d_q ω/(3π I) a² does (Faltinsen 1990, ch. 7).
    """
    inertia, omega = MASS[axis, axis], np.sqrt(RIGHTING / MASS[axis, axis])
    return float(omega), LINEAR[axis] / (2.0 * inertia), 4.0 * QUADRATIC[axis] * omega / (3.0 * np.pi * inertia)


def until_half(run: Result, signal: str) -> float:
    """When the amplitude of a signal has come down to half, s: between its peaks on a logarithmic scale."""
    size = np.abs(run.values(signal))
    peaks = np.flatnonzero((size[1:-1] >= size[:-2]) & (size[1:-1] > size[2:])) + 1
    points = np.array([0, *peaks]) if len(peaks) > 1 else np.arange(len(size))
    return float(np.interp(-np.log(0.5 * size[0]), -np.log(size[points]), run.time[points]))


def period(run: Result, signal: str) -> float:
    """Mean time of a whole swing, s, from the zero crossings of the first four."""
    values, time = run.values(signal), run.time
    before = np.flatnonzero(values[:-1] * values[1:] < 0.0)[:9]
    zeros = time[before] - values[before] * STEP / (values[before + 1] - values[before])
    return float(2.0 * np.diff(zeros).mean())


runs = {
    "surge": go(minerva(AHEAD), 60.0),
    "turn": go(minerva(UNEQUAL), 90.0),
    "heave": go(minerva(DOWN), 60.0, CURRENT, towards=np.pi / 2),
    "sway": go(minerva(force=SIDEWAYS), 60.0, CURRENT),
    "roll decay": released(HEEL),
    "pitch decay": released(HEEL, pitch=True),
    "surge decay": coasting(u=SPEED),
    "yaw decay": coasting(r=YAW_RATE),
    "dive": go(minerva(DIVE), 120.0, 0.4 * CURRENT, towards=np.pi / 4),
}


def comparison() -> list[tuple[str, str, float, float]]:
    """What was simulated beside what a balance of forces gives: manoeuvre, quantity, and the two."""
    last = {name: run.values("vessel.nu_r")[-1] for name, run in runs.items()}
    ahead, circle, down = (
        steady(*balance)
        for balance in ((AHEAD, [0.7, 0, 0, 0, 0, 0]), (UNEQUAL, [0.6, 0, 0, 0, 0, 0.2]), (DOWN, [0, 0, 0.3, 0, 0, 0]))
    )
    d, q = LINEAR[1], QUADRATIC[1]
    sideways = (np.sqrt(d**2 + 4.0 * q * SIDEWAYS[1]) - d) / (2.0 * q)
    speed, rate = np.hypot(*circle[:2]), circle[5]
    lag = decay(runs["heave"].time[-1], CURRENT, *per_mass(1))  # what is left of its way through the water
    found = [
        ("surge", "speed, m/s", last["surge"][0], ahead[0]),
        ("turn", "speed, m/s", np.hypot(*last["turn"][:2]), speed),
        ("", "rate of turn, deg/s", np.degrees(last["turn"][5]), np.degrees(rate)),
        ("", "drift angle, deg", *(np.degrees(np.arctan2(-nu[1], nu[0])) for nu in (last["turn"], circle))),
        ("", "radius, m", turning_circle(runs["turn"]), speed / rate),
        ("heave", "through the water, m/s", last["heave"][2], down[2]),
        ("", "east over ground, m/s", runs["heave"].values("vessel.nu")[-1, 1], CURRENT - lag),
        ("sway", "through the water, m/s", last["sway"][1], sideways),
    ]
    for name, axis, angle in (("roll", 3, "phi"), ("pitch", 4, "theta")):
        run, (omega, a, b) = runs[f"{name} decay"], heel_decay(axis)
        found += [
            (f"{name} decay", "period, s", period(run, f"vessel.eta[{angle}]"), 2.0 * np.pi / omega),
            ("", "time to half, s", until_half(run, f"vessel.eta[{angle}]"), half_time(HEEL, a, b)),
        ]
    for name, axis, symbol, start in (("surge", 0, "u", SPEED), ("yaw", 5, "r", YAW_RATE)):
        wanted = half_time(start, *per_mass(axis))
        found.append(
            (f"{name} decay", "time to half, s", until_half(runs[f"{name} decay"], f"vessel.nu[{symbol}]"), wanted)
        )
    return [(manoeuvre, quantity, float(one), float(other)) for manoeuvre, quantity, one, other in found]


def motions() -> Figure:
    """Tracks and velocities."""
    figure = Figure(figsize=(14.0, 7.6), layout="constrained")
    (chart, ahead, drift), (heel, slowing, speeds) = figure.subplots(2, 3)
    for colour, name in zip(SERIES, ("surge", "turn", "heave", "sway", "dive"), strict=False):
        eta = runs[name].values("vessel.eta")
        chart.plot(eta[:, 1], eta[:, 0], color=colour, label=name)
        mark_heading(chart, eta[:: len(eta) // 6], colour)
    far = runs["surge"].values("vessel.eta")[-1, 0]
    chart.set(title=f"Tracks; straight ahead on to {far:.0f} m", xlabel="east, m", ylabel="north, m", aspect="equal")
    chart.axis((-4.0, 18.0, -3.0, 12.0))
    plot(ahead, "surge", "nu_r", {"u": "surge: u, m/s"}, 0)
    plot(ahead, "turn", "nu_r", {"u": "turn: u, m/s", "v": "turn: v, m/s", "r": "turn: r, rad/s"}, 1)
    ahead.set(title="Straight ahead and in a turn", ylim=(-0.55, 0.55))
    plot(drift, "heave", "nu_r", {"w": "heave: w", "v": "heave: v in the water"}, 0)
    plot(drift, "heave", "nu", {"v": "heave: v over ground"}, 2)
    plot(drift, "sway", "nu_r", {"v": "sway: v", "u": "sway: u in the water"}, 3)
    drift.set(title=f"Heave and sway in a current of {CURRENT} m/s", ylabel="m/s", ylim=(-0.12, 0.45))
    for number, (name, axis, angle) in enumerate((("roll", 3, "phi"), ("pitch", 4, "theta"))):
        run, (_, a, b) = runs[f"{name} decay"], heel_decay(axis)
        heel.plot(run.time, np.degrees(run.values(f"vessel.eta[{angle}]")), color=SERIES[number], label=name)
        for sign in (1.0, -1.0):
            envelope = sign * np.degrees(decay(run.time, HEEL, a, b))
            heel.plot(run.time, envelope, "--", color=SERIES[number], linewidth=1.0)
    heel.set(title="Released heeled; dashed: by energy", ylabel="deg")
    heel.set_xlim(0.0, 12.0)
    for number, (name, axis, symbol, start) in enumerate((("surge", 0, "u", SPEED), ("yaw", 5, "r", YAW_RATE))):
        run, unit = runs[f"{name} decay"], "m/s" if axis == 0 else "rad/s"
        slowing.plot(run.time, run.values(f"vessel.nu[{symbol}]"), color=SERIES[number], label=f"{symbol}, {unit}")
        exact = decay(run.time, start, *per_mass(axis))
        slowing.plot(run.time[::100], exact[::100], "o", color=SERIES[number], markersize=4.0)
    slowing.set(title="Coasting; dots: in closed form")
    plot(speeds, "dive", "nu_r", {"u": "u, m/s", "v": "v, m/s", "w": "w, m/s", "r": "r, rad/s"}, 0)
    speeds.set(title="Helical dive", ylim=(-0.48, 0.42))
    for axes in (chart, ahead, drift, heel, slowing, speeds):
        axes.legend(fontsize=9.5, loc="lower right" if axes in (ahead, speeds) else "upper right", ncols=2)
        if axes is not chart:
            axes.set_xlabel("time, s")
    return figure


def plot(axes: Axes, run: str, signal: str, elements: dict[str, str], first: int) -> None:
    """Elements of a signal over time, labelled, in colours from the first on."""
    for number, (element, label) in enumerate(elements.items(), start=first):
        axes.plot(runs[run].time, runs[run].values(f"vessel.{signal}[{element}]"), color=SERIES[number], label=label)


def mark_heading(axes: Axes, eta: Array, colour: str) -> None:
    """Arrows to where the bow points."""
    across, along = np.sin(eta[:, 5]), np.cos(eta[:, 5])
    axes.quiver(
        eta[:, 1], eta[:, 0], across, along, color=colour, angles="xy", scale=22.0, width=0.006, headwidth=4.0, zorder=3
    )


def force_figure(run: Result) -> Figure:
    """Each component of the terms of the equation of motion over time."""
    figure = Figure(figsize=(14.0, 7.0), layout="constrained")
    components = zip(("X", "Y", "Z", "K", "M", "N"), ("surge", "sway", "heave", "roll", "pitch", "yaw"), strict=True)
    for place, ((symbol, motion), axes) in enumerate(zip(components, figure.subplots(2, 3).ravel(), strict=True)):
        axes.axhline(0.0, color=WAYPOINT, linewidth=0.8)
        for colour, (name, values) in zip(SERIES, forces(run).items(), strict=False):
            axes.plot(run.time, values[:, place], color=colour, label=name, linewidth=1.6)
        axes.set(title=f"{symbol}, {motion}", xlabel="time, s", ylabel="N" if place < 3 else "N m")
        axes.margins(y=0.12)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=5)
    figure.suptitle(
        f"Helical dive: the forces add up to zero, within {imbalance(run):.0e} of the largest", x=0.01, ha="left"
    )
    return figure


table = Table("manoeuvre", "quantity", "simulated", "in balance", "difference", title="ROV Minerva, open loop")
for manoeuvre, quantity, simulated, wanted in comparison():
    table.add_row(
        manoeuvre, quantity, f"{simulated:.4f}", f"{wanted:.4f}", f"{round(simulated / wanted - 1.0, 4) + 0.0:+.2%}"
    )
Console().print(table)
print(f"forces add up to zero within {max(map(imbalance, runs.values())):.1e} of the largest, in all runs")
with rc_context(SETTINGS):
    motions().savefig("minerva_manoeuvres.png")
    force_figure(runs["dive"]).savefig("minerva_forces.png")
print(f"wrote {animate(runs['dive'], 'vessel', 'minerva_dive.gif', title='ROV Minerva: helical dive')}")
