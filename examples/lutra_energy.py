"""The energy that the boat Lutra Prop takes for 30 m, in seven scenarios, beside what was published of them.

Touzout (2021), Energy consumption modelling of marine drones and the integration of the model into ROS-based
simulation, doctoral thesis, UMBB: chapter 5 (parameters, identification) and 6 (scenarios). Writes `lutra_energy.png`
and `lutra_power.png`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from blocks import Diagram, Result, simulate
from blocks.basic import Constant, MatrixGain, Mux
from blocks.control import PID
from blocks.dynamics import DiagonalVessel3DOF
from blocks.environment import UniformCurrent, UniformWind, WindLoad
from blocks.guidance import LineOfSight
from blocks.power import EnergyMeter, ThrustPower
from blocks.style import SERIES, SETTINGS
from blocks.thrust import DifferentialThrust

HULL = DiagonalVessel3DOF.from_vehicle("lutra_prop")
BEAM = 0.16  # m between the thrusters
THRUST = 11.0  # N of each thruster; identified with 11.5 N
DISTANCE, ARRIVAL = 30.0, 2.0  # m
FULL = float("inf")  # the speed wanted at full thrust


@dataclass(frozen=True)
class Scenario:
    """One way of the boat, what is printed of it, and by how much a run may differ; None: the print cannot be met."""

    what: str
    time: float  # s, printed
    energy: float  # J, printed
    energy_tolerance: float | None = None
    time_tolerance: float | None = None
    speed: float = FULL  # m/s over ground
    current: tuple[float, float] = (0.0, 0.0)  # m/s, and rad between the way out and where the water flows to
    wind: tuple[float, float] = (0.0, 0.0)  # likewise, where the air blows to
    back: bool = False
    remark: str = ""


EIGHTH, TWELFTH = np.radians(45.0), np.radians(30.0)
SCENARIOS = {
    1: Scenario("full thrust, still water", 21.0, 607.87, 0.02, 0.02),
    2: Scenario(
        "current 0.4 m/s along", 16.5, 461.81, 0.02, 0.02, current=(0.4, 0.0),
        remark="461.81 J as in the text of the thesis; its table has 441.81",
    ),
    3: Scenario(
        "current 0.4 m/s at 45°", 18.5, 573.78, current=(0.4, EIGHTH),
        remark="the print is 31.0 W on average, and 22 N at 1.35 m/s, the fastest they drive it, are 29.7 W",
    ),
    4: Scenario("back in that current", 29.0, 825.49, 0.05, current=(0.4, EIGHTH), back=True),
    5: Scenario("1 m/s, still water", 30.5, 460.47, 0.07, speed=1.0),
    6: Scenario(
        "1 m/s, current 0.3 m/s at 45°, wind", 32.5, 305.73, speed=1.0, current=(0.3, EIGHTH), wind=(0.2, TWELFTH)
    ),
    7: Scenario(
        "back in those", 33.5, 898.44, speed=1.0, current=(0.3, EIGHTH), wind=(0.2, TWELFTH), back=True,
        remark="the print is 26.8 W on average, which is 1.28 m/s through the water; 1 m/s over ground takes 1.23",
    ),
}  # fmt: skip


def lutra(limit: float = THRUST, **start: object) -> Diagram:
    """The boat in water and wind; `wanted` takes surge force and yaw moment, the thrusters give up to `limit` each."""
    boat = Diagram("lutra", title="Lutra Prop, two thrusters side by side")
    wanted = boat.add("wanted", Mux([1, 1]))
    split = boat.add("split", MatrixGain([[0.5, 1.0 / BEAM], [0.5, -1.0 / BEAM]]))  # to port and starboard thrust
    thrusters = boat.add(
        "thrusters", DifferentialThrust(spacing=BEAM, thrust_limit_forward=limit, thrust_limit_reverse=limit)
    )
    vessel = boat.add("vessel", DiagonalVessel3DOF.from_vehicle("lutra_prop", **start))
    current = boat.add("current", UniformCurrent())
    wind = boat.add("wind", UniformWind())
    load = boat.add("load", WindLoad.from_vehicle("lutra_prop"))
    power = boat.add("power", ThrustPower())
    meter = boat.add("meter", EnergyMeter())
    boat.connect(wanted.y, split.u)
    boat.connect(split.y, thrusters.command)
    boat.connect(thrusters.force, vessel.force, power.force)
    boat.connect(current.current, vessel.current)
    boat.connect(wind.wind, load.wind)
    boat.connect(load.disturbance, vessel.disturbance, power.disturbance)
    boat.connect(vessel.eta, load.eta)
    boat.connect(vessel.nu_r, power.nu_r)
    boat.connect(vessel.coriolis_force, power.coriolis_force)
    boat.connect(vessel.damping_force, power.damping_force)
    boat.connect(power.power, meter.power)
    return boat


def mission(scenario: Scenario) -> Result:
    """A run from rest until the boat is within the arrival radius."""
    ends = [[0.0, 0.0, 0.0], [0.0, DISTANCE, 0.0]]
    start, goal = reversed(ends) if scenario.back else ends
    course = -np.pi / 2 if scenario.back else np.pi / 2
    boat = lutra(initial_eta=[*start, 0.0, 0.0, course])
    # Angles of the scenarios are from the way out, east, towards north; the wind is named by where it comes from.
    boat["current"].set(speed=scenario.current[0], direction=np.pi / 2 - scenario.current[1])
    boat["wind"].set(speed=scenario.wind[0], direction=-np.pi / 2 - scenario.wind[1])
    full = scenario.speed == FULL
    guidance = boat.add(
        "guidance",
        LineOfSight(
            waypoints=[start, goal], acceptance_radius=ARRIVAL, cruise_speed=0.0 if full else scenario.speed,
            lookahead=8.0, sideslip_compensation=True, speed_taper=False,
        ),
    )  # fmt: skip
    # Margins at full thrust: heading 44° of phase, guidance 55° and a gain of 2.0 (6 dB).
    heading = boat.add("heading", PID(kp=4, kd=2, derivative="rate", angle=True))
    boat.connect("vessel.eta", guidance.eta)
    boat.connect("vessel.nu", guidance.nu)
    boat.connect(guidance.heading, heading.reference)
    boat.connect("vessel.eta[psi]", heading.measurement)
    boat.connect("vessel.nu[r]", heading.rate)
    boat.connect(heading.output, "wanted.in2")
    if full:
        boat.add("ahead", Constant(2.0 * THRUST))
        boat.connect("ahead.y", "wanted.in1")
    else:
        boat.add("speed", PID(kp=40, ki=20, derivative="none", lower=0.0, upper=2.0 * THRUST))
        boat.connect(guidance.speed, "speed.reference")
        boat.connect("vessel.nu[u]", "speed.measurement")
        boat.connect("speed.output", "wanted.in1")
    return simulate(boat, end=120.0, step=0.01, stop="guidance.finished")


def power_against_speed(speeds: np.ndarray) -> np.ndarray:
    """The thrust power at steady speeds in still water, W; beyond 1.35 m/s as if the thrusters could."""
    found = []
    for speed in speeds:
        boat = lutra(limit=2.0 * THRUST)
        hold = boat.add("speed", PID(kp=40, ki=40, derivative="none"))
        boat.add("cruise", Constant(float(speed)))
        boat.add("no_moment", Constant(0.0))
        boat.connect("cruise.y", hold.reference)
        boat.connect("vessel.nu[u]", hold.measurement)
        boat.connect(hold.output, "wanted.in1")
        boat.connect("no_moment.y", "wanted.in2")
        found.append(simulate(boat, end=40.0, step=0.02).values("power.power")[-1])
    return np.array(found)


def manoeuvre(port: float, starboard: float) -> Result:
    """A run with constant thrusts until the motion is steady."""
    boat = lutra(limit=12.0)
    boat.add("surge", Constant(port + starboard))
    boat.add("yaw", Constant((port - starboard) * 0.5 * BEAM))
    boat.connect("surge.y", "wanted.in1")
    boat.connect("yaw.y", "wanted.in2")
    return simulate(boat, end=60.0, step=0.02)


def identify(thrust: float = 11.5) -> tuple[float, float, float]:
    """d11, d22 and d33 as the thesis finds them, eq. 5.4 to 5.6: from steady motion straight, in a circle, on the spot.

    Forces are what was commanded and velocities what was logged; the inertias are known from eq. 5.1 to 5.3.
    """
    straight, circle, spin = manoeuvre(thrust, thrust), manoeuvre(thrust, 0.0), manoeuvre(thrust, -thrust)
    u, v, r = (circle.values(f"vessel.nu[{name}]")[-1] for name in "uvr")
    d11 = 2.0 * thrust / straight.values("vessel.nu[u]")[-1]
    d22 = -HULL.inertia[0] * u * r / v
    d33 = thrust * BEAM / spin.values("vessel.nu[r]")[-1]
    return float(d11), float(d22), float(d33)


def table(runs: dict[int, Result]) -> str:
    """Times and energies beside the printed ones."""
    lines = [f"{'':2} {'scenario':36} {'time':>6} {'printed':>8} {'':>7} {'energy':>8} {'printed':>8}"]
    for number, run in runs.items():
        known, time, energy = SCENARIOS[number], run.time[-1], run.values("meter.energy")[-1]
        lines.append(
            f"{number:2} {known.what:36} {time:4.1f} s {known.time:6.1f} s {time / known.time - 1:+7.1%} "
            f"{energy:6.1f} J {known.energy:6.1f} J {energy / known.energy - 1:+7.1%}"
        )
        lines += [f"{'':3}({known.remark})"] if known.remark else []
    return "\n".join(lines)


def energy_figure(runs: dict[int, Result]) -> Figure:
    """Energies as bars beside the printed ones, and power over time."""
    figure = Figure(figsize=(12.0, 5.0), layout="constrained")
    bars, curves = figure.subplots(1, 2)
    place = np.arange(len(runs))
    printed = [SCENARIOS[number].energy for number in runs]
    found = [run.values("meter.energy")[-1] for run in runs.values()]
    unmet = [number in (3, 7) for number in runs]
    bars.bar(place - 0.2, printed, 0.38, color="#cbd5e1", hatch=["//" if no else "" for no in unmet], label="printed")
    bars.bar(place + 0.2, found, 0.38, color=SERIES[0], label="simulated")
    for x, energy in zip(place, found, strict=True):
        bars.text(x + 0.2, energy + 8.0, f"{energy:.0f}", ha="center", fontsize=8.5)
    bars.set(title="Energy for 28 m", ylabel="energy, J", xlabel="scenario; hatched: the print cannot be met")
    bars.set_xticks(place, [str(number) for number in runs])
    bars.set_xlim(-0.6, len(runs) - 0.4)
    bars.set_ylim(0.0, 1.12 * max(printed))
    bars.legend(loc="upper left")
    bars.grid(axis="x", visible=False)
    for colour, (number, run) in zip(SERIES, runs.items(), strict=False):
        under_way = slice(-1)  # at the last instant, on arrival, no speed is wanted any more
        curves.plot(
            run.time[under_way],
            run.values("power.power")[under_way],
            color=colour,
            label=f"{number}: {SCENARIOS[number].what}",
        )
    curves.set(title="Power of the thrust", xlabel="time, s", ylabel="τᵀ ν_r, W")
    curves.legend(fontsize=8.5, loc="lower right")
    return figure


def power_figure(speeds: np.ndarray, powers: np.ndarray) -> Figure:
    """Power against speed."""
    figure = Figure(figsize=(8.0, 4.5), layout="constrained")
    axes: Axes = figure.subplots()
    top = 2.0 * THRUST / HULL.linear_damping[0]
    within = speeds <= top
    axes.plot(speeds, powers, "--", color=SERIES[0])
    axes.plot(speeds[within], powers[within], "o-", color=SERIES[0], label="within 22 N")
    axes.plot(speeds[~within], powers[~within], "o", mfc="white", color=SERIES[0], label="more than the thrusters give")
    axes.axvline(top, color=SERIES[1], lw=1.2)
    axes.text(top - 0.01, 2.0, f"22 N: {top:.2f} m/s", rotation=90, ha="right", va="bottom", color=SERIES[1])
    axes.set(title="Thrust power of Lutra Prop in still water", xlabel="speed, m/s", ylabel="power, W")
    axes.set_ylim(bottom=0.0)
    axes.set_xlim(0.15, 1.55)
    axes.legend(loc="upper left")
    return figure


runs = {number: mission(scenario) for number, scenario in SCENARIOS.items()}
print(table(runs))
damping = identify()
for name, value, true in zip(("d11", "d22", "d33"), damping, HULL.linear_damping, strict=True):
    print(f"{name} identified {value:.3f}, in the model {true:.3f}")
speeds = np.round(np.arange(0.2, 1.51, 0.1), 1)
powers = power_against_speed(speeds)
with rc_context(SETTINGS):
    energy_figure(runs).savefig("lutra_energy.png")
    power_figure(speeds, powers).savefig("lutra_power.png")
