"""One mission, four models of one vehicle: what each rung of the fidelity ladder costs, and what it changes.

An ROV follows a path in a current by line of sight. Guidance and controllers stay; the vehicle is swapped in place,
from one that does as it is told to one in six degrees of freedom. The simple ones are the same vehicle, less something:
first roll, pitch, heave and quadratic damping, then sway and the coupling of motions, then inertia. A rung costs the
numbers that one has to know for it, and time; the table has both, and how far its path is from that of six degrees.
"""

from time import perf_counter

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from blocks import Diagram, Result, simulate
from blocks.control import PID, ComposeWrench
from blocks.dynamics import KinematicVehicle, NomotoVessel, Vessel, Vessel3DOF, Vessel6DOF
from blocks.environment import UniformCurrent
from blocks.guidance import IntegralLineOfSight
from blocks.style import SERIES, SETTINGS, WAYPOINT

PATH = [[0, 0, 0], [40, 0, 0], [40, 30, 0], [10, 40, 0]]  # north, east, down in m
STEP = 0.05

# Minerva on every rung: its inertia, and the linear damping that takes as much at these speeds.
detailed = Vessel6DOF.from_vehicle("minerva")
plane = np.ix_([0, 1, 5], [0, 1, 5])
typical = np.array([0.5, 0.1, 0.1])  # m/s, m/s, rad/s
damping = detailed.linear_damping[plane] + detailed.quadratic_damping[plane] * typical
(d11, _, d33), (m11, _, m33) = np.diag(damping), np.diag(detailed.mass_matrix[plane])
centre, mass = detailed.centre_of_gravity, detailed.rigid_body_inertia[0, 0]

RUNGS: dict[str, Vessel] = {
    "Kinematic": KinematicVehicle(mobility=[1 / d11, 0, 0, 0, 0, 1 / d33], response_time=1.0),
    "Nomoto": NomotoVessel(
        gain=1.0, rudder_moment=d33, time_constant=m33 / d33, surge_gain=1 / d11, surge_time_constant=m11 / d11
    ),
    "3 DOF": Vessel3DOF(
        mass=mass,
        yaw_inertia=detailed.rigid_body_inertia[5, 5],
        centre_of_gravity=centre[:2],
        added_mass=detailed.added_mass[plane],
        linear_damping=damping,
    ),
    "6 DOF": detailed,
}


def mission(vessel: Vessel) -> Diagram:
    """Line-of-sight guidance, two PID controllers and a vessel in a current."""
    diagram = Diagram("mission", title="The same mission with any vessel")
    guidance = IntegralLineOfSight(
        waypoints=PATH, acceptance_radius=2, cruise_speed=0.5, lookahead=8, integral_gain=0.2
    )
    diagram.add("guidance", guidance)
    # Margins at 0.5 m/s: speed 130° of phase, heading 90°, guidance 68° and a gain of 50.
    speed = diagram.add("speed", PID(kp=200, ki=40, derivative="none"))
    heading = diagram.add("heading", PID(kp=150, ki=10, kd=150, derivative="rate", angle=True, lower=-40, upper=40))
    wrench = diagram.add("wrench", ComposeWrench())
    current = diagram.add("current", UniformCurrent(speed=0.1, direction="90 deg"))
    diagram.add("vessel", vessel)
    diagram.connect(guidance.speed, speed.reference)
    diagram.connect(guidance.heading, heading.reference)
    diagram.connect(speed.output, wrench.X)
    diagram.connect(heading.output, wrench.N)
    diagram.connect(wrench.force, vessel.force)
    diagram.connect(current.current, vessel.current)
    diagram.connect(vessel.eta, guidance.eta)
    diagram.connect(vessel.nu, guidance.nu)
    diagram.connect(vessel.nu["u"], speed.measurement)
    diagram.connect(vessel.eta["psi"], heading.measurement)
    diagram.connect(vessel.nu["r"], heading.rate)
    return diagram


def cost(diagram: Diagram, steps: int = 5_000) -> float:
    """Time per step of the whole loop, µs: the best of ten runs, with hardly anything recorded."""
    best = np.inf
    for _ in range(10):
        begin = perf_counter()
        simulate(diagram, steps * STEP, step=STEP, record=["guidance.waypoint"], every=steps)
        best = min(best, perf_counter() - begin)
    return 1e6 * best / steps


def needs(vessel: Vessel) -> int:
    """How many numbers somebody had to measure, estimate or look up for it: those that are not 0, nor as they come."""
    usual = {name: parameter.default for name, parameter in vessel.all_parameters().items()}
    numbers = {name: value for name, value in vessel.values.items() if not isinstance(value, (str, bool))}
    return sum(np.count_nonzero(value) for name, value in numbers.items() if not np.array_equal(value, usual[name]))


diagram = mission(KinematicVehicle())
results: dict[str, Result] = {}
costs: dict[str, float] = {}
for name, vessel in RUNGS.items():
    diagram.replace("vessel", vessel)  # this is all
    results[name] = simulate(diagram, "15 min", step=STEP, stop="guidance.finished")
    costs[name] = cost(diagram)

reference = results["6 DOF"].values("vessel.eta")[:, :2]
table = Table("vessel", "numbers", "µs per step", "arrival, s", "error RMS, m", "sway RMS, m/s", "off 6 DOF, m")
away: dict[str, float] = {}
for name, result in results.items():
    track, error = result.values("vessel.eta")[:, :2], result.values("guidance.cross_track_error")
    sway = result.values("vessel.nu_r[v]")
    away[name] = max(float(np.hypot(*(reference - point).T).min()) for point in track[::10])
    numbers = needs(RUNGS[name])
    row = (numbers, costs[name], result.time[-1], np.sqrt(np.mean(error**2)), np.sqrt(np.mean(sway**2)), away[name])
    table.add_row(name, *(f"{value:.{digits}f}" for value, digits in zip(row, (0, 2, 1, 2, 3, 2), strict=True)))
Console().print(table)

with rc_context(SETTINGS):
    figure = Figure(figsize=(13.0, 4.2), layout="constrained")
    chart, time, sideways = figure.subplots(1, 3)
    chart.plot(*np.array(PATH).T[1::-1], ":", color=WAYPOINT, label="path")
    for colour, (name, result) in zip(SERIES, results.items(), strict=False):
        eta = result.values("vessel.eta")
        chart.plot(eta[:, 1], eta[:, 0], color=colour, label=name)
        time.plot(result.time, result.values("guidance.cross_track_error"), color=colour)
        sideways.plot(result.time, result.values("vessel.nu_r[v]"), color=colour)
    chart.set(xlabel="east, m", ylabel="north, m", aspect="equal", title="Track")
    chart.margins(0.05)
    chart.legend(loc="lower center")
    time.set(xlabel="time, s", ylabel="to starboard, m", title="Cross-track error")
    sideways.set(xlabel="time, s", ylabel="through the water, m/s", title="Sway, which simple models leave out")
    figure.savefig("swap_fidelity.png")
