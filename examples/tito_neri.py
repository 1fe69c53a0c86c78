"""The harbour tug Tito Neri: top speed, thrusters, a round in the harbour of Delft, and the energy that solvers invent.

A model of 0.97 m with two azimuth thrusters aft and one in the bow, after TurtleBoat, a simulator on ROS (Boogmans,
2023), whose integrator is shown beside a better one. Writes `tito_neri_thrusters.png`, `tito_neri_harbour.png` and
`tito_neri_energy.png`.
"""

from __future__ import annotations

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MultipleLocator
from rich.console import Console
from rich.table import Table

from blocks import Diagram, Result, simulate
from blocks.basic import Constant, RateLimiter, Saturation, TimeSeries
from blocks.control import PID, ComposeWrench
from blocks.dynamics import Vessel6DOF
from blocks.guidance import LineOfSight
from blocks.navigation import GeodeticPosition, local_position
from blocks.style import ACTUAL, LEGEND, REFERENCE, SERIES, SETTINGS, WAYPOINT
from blocks.thrust import AzimuthAllocation, AzimuthThrusters

NAMES = ("port", "starboard", "bow")
FULL = [60.0, 60.0, 0.0]  # rev/s, rev/s, and the part of full power of the bow thruster

# A sphere of 6371 km, as in the source, and its initial pose: latitude, longitude, heading.
CHART = GeodeticPosition("52.00140854178 deg", "4.37186309232 deg", ellipsoid="sphere")
HEADING = np.radians(45.0)
ROUND = [  # latitude and longitude, deg
    (52.00140854178, 4.37186309232),
    (52.00150, 4.37200),
    (52.00150, 4.37222),
    (52.00137, 4.37222),
    (52.00130, 4.37206),
    (52.00138, 4.37190),
]

ADRIFT = [0.3, 0.08, 0.0, 0.0, 0.0, 0.05]  # m/s and rad/s; initial velocity of the source
SOLVERS = {"euler": "semi-implicit Euler", "rk4": "rk4"}
RATES = (2, 5, 10, 20, 50, 100, 200)  # Hz
LOOKS = ((1.4, ":", 1.0), (5.0, "-", 0.25), (1.8, "-", 1.0))  # of orders, bare limits and responses
KNOWN = {("euler", 2): "+7.8 %", ("euler", 200): "+0.075 %", ("rk4", 200): "below 1e-9"}  # of the energy

# Wanted speeds and angles (deg) of the thrusters from each time (s) on. The ranges end at 60 rev/s and 135 deg.
ORDERS = {
    0.0: ([0.0, 0.0, 0.0], [0.0, 0.0, 90.0]),
    0.5: ([60.0, 30.0, 0.5], [45.0, -45.0, 90.0]),
    3.0: ([-60.0, 80.0, -1.0], [180.0, -90.0, 90.0]),
    6.5: ([0.0, 20.0, 0.0], [0.0, 0.0, 90.0]),
}


def full_speed() -> Result:
    """Straight ahead from rest."""
    tug = Diagram("tug")
    command = tug.add("command", Constant(FULL))
    thrusters = tug.add("thrusters", AzimuthThrusters.from_vehicle("tito_neri"))
    vessel = tug.add("vessel", Vessel6DOF.from_vehicle("tito_neri"))
    tug.connect(command.y, thrusters.command)
    tug.connect(thrusters.force, vessel.force)
    tug.connect(vessel.nu_r, thrusters.nu_r)
    return simulate(tug, 90.0, step=0.01)


def bench() -> Result:
    """The thrusters alone under `ORDERS`, and beside them the bare rate limit of the source."""
    stand = Diagram("stand")
    thrusters = stand.add("thrusters", AzimuthThrusters.from_vehicle("tito_neri"))
    speeds, angles = zip(*ORDERS.values(), strict=True)
    turns = np.where(thrusters.angle_rate_limit > 0.0, thrusters.angle_rate_limit, 1.0)  # the bow thruster stays
    ways = {
        "command": (speeds, -thrusters.speed_limit_reverse, thrusters.speed_limit_forward, thrusters.rate_limit),
        "angle": (np.radians(angles), thrusters.angle_min, thrusters.angle_max, turns),
    }
    for port, (data, lower, upper, rate) in ways.items():
        order = stand.add(f"{port}_order", TimeSeries(times=list(ORDERS), data=data, interpolation="hold"))
        within = stand.add(f"{port}_range", Saturation(lower, upper))
        limit = stand.add(f"{port}_limit", RateLimiter(rate, rate, initial_output=data[0]))
        stand.connect(order.y, within.u, f"thrusters.{port}")
        stand.connect(within.y, limit.u)
    return simulate(stand, 8.5, step=0.01)


def harbour() -> Diagram:
    """The tug on its round: guidance, two controllers, allocation to the three thrusters, and a chart."""
    tug = Diagram("harbour", title="Tito Neri in the harbour")
    latitudes, longitudes = np.radians(ROUND).T
    path = local_position(latitudes, longitudes, origin=CHART) * [1.0, 1.0, 0.0]  # afloat
    guidance = LineOfSight(waypoints=path, acceptance_radius=1.5, cruise_speed=0.6, lookahead=3, taper_angle=np.pi)
    tug.add("guidance", guidance)
    # Margins at 0.6 m/s: speed 78° of phase, heading 73°, guidance 57° and a gain of 4.6 (13 dB).
    speed = tug.add("speed", PID(kp=8, ki=2, derivative="none", lower=-4))
    heading = tug.add("heading", PID(kp=1.5, kd=3.0, derivative="rate", angle=True, lower=-1.0, upper=1.0))
    wrench = tug.add("wrench", ComposeWrench())
    allocation = tug.add("allocation", AzimuthAllocation.from_vehicle("tito_neri"))
    thrusters = tug.add("thrusters", AzimuthThrusters.from_vehicle("tito_neri"))
    vessel = tug.add("vessel", Vessel6DOF.from_vehicle("tito_neri", initial_eta=[0, 0, 0, 0, 0, HEADING]))
    chart = tug.add("chart", CHART.copy())
    tug.connect(guidance.speed, speed.reference)
    tug.connect(guidance.heading, heading.reference)
    tug.connect(speed.output, wrench.X)
    tug.connect(heading.output, wrench.N)
    tug.connect(wrench.force, allocation.force)
    tug.connect(allocation.command, thrusters.command)
    tug.connect(allocation.angle, thrusters.angle)
    tug.connect(thrusters.force, vessel.force)
    tug.connect(vessel.eta, guidance.eta, chart.eta)
    tug.connect(vessel.nu, guidance.nu)
    tug.connect(vessel.nu_r, thrusters.nu_r)
    tug.connect(vessel.nu["u"], speed.measurement)
    tug.connect(vessel.eta["psi"], heading.measurement)
    tug.connect(vessel.nu["r"], heading.rate)
    return tug


def energy(solver: str, rate: int, velocity: list[float], time: float = 60.0) -> tuple[np.ndarray, np.ndarray]:
    """Times, and ½νᵀMν of the hull without damping and force, as a part of what it was at first.

    The source takes velocities first, and then the pose with the new velocities. As nothing here makes velocities
    depend on the pose, they are those of `euler`, to the last bit.
    """
    hull = Vessel6DOF.from_vehicle("tito_neri", linear_damping=np.zeros((6, 6)), initial_nu=velocity)
    run = simulate(hull, time, solver=solver, step=1.0 / rate, inputs={"force": np.zeros(6)})
    nu = run.values("vessel_6dof.nu")
    found = 0.5 * np.einsum("ti,ij,tj->t", nu, hull.mass_matrix, nu)
    return run.time, found / found[0]


def drift(solver: str, rate: int, velocity: list[float] = ADRIFT, time: float = 60.0) -> float:
    """By how much the energy has changed at the end, relative."""
    return float(energy(solver, rate, velocity, time)[1][-1] - 1.0)


def table(straight: Result, trip: Result) -> Table:
    """What comes out, and what is known of it."""
    lines = Table("Tito Neri", "found", "expected")
    lines.add_row("full speed ahead", f"{straight.values('vessel.nu[u]')[-1]:.3f} m/s", "3.630 m/s")
    for (solver, rate), known in KNOWN.items():
        change = drift(solver, rate)
        found = f"{change:+.0e}" if abs(change) < 1e-6 else f"{100.0 * change:+.2g} %"
        lines.add_row(f"energy in 60 s, {SOLVERS[solver]} at {rate} Hz", found, known)
    arrival = trip.time[np.argmax(trip.values("guidance.finished") > 0.5)]
    error = trip.values("guidance.cross_track_error")[trip.time <= arrival]
    lines.add_row("round in the harbour", f"{arrival:.1f} s", "")
    lines.add_row("distance from its legs, RMS", f"{np.sqrt(np.mean(error**2)):.2f} m", "")
    for number, name in enumerate(("latitude", "longitude")):
        stop = np.degrees(trip.values(f"chart.{name}")[-1])
        lines.add_row(f"{name} at its end", f"{stop:.6f}°", f"{ROUND[-1][number]:.6f}°")
    return lines


def ordered(axes: Axes, run: Result, port: str, response: str, thrusters: range, scale: float = 1.0) -> None:
    """Orders to some thrusters, what the bare limits make of them, and the response."""
    for i in thrusters:
        axes.plot(run.time, scale * run.values(f"{port}_order.y")[:, i], ":", color=SERIES[i], lw=1.4)
        axes.plot(run.time, scale * run.values(f"{port}_limit.y")[:, i], color=SERIES[i], lw=5.0, alpha=0.25)
        axes.plot(run.time, scale * run.values(f"thrusters.{response}")[:, i], color=SERIES[i], label=NAMES[i])
    axes.margins(y=0.06)
    axes.set_xlabel("time, s")


def thrusters_figure(straight: Result, run: Result) -> Figure:
    """The way to full speed, and what the thrusters make of orders."""
    figure = Figure(figsize=(12.0, 7.5), layout="constrained")
    (ahead, aft), (bow, angle) = figure.subplots(2, 2)
    ahead.plot(straight.time, straight.values("vessel.nu[u]"), color=ACTUAL)
    ahead.axhline(3.630, color=REFERENCE, lw=1.2, ls="--")
    ahead.text(88.0, 3.55, "3.630 m/s", ha="right", va="top", color=REFERENCE)
    ahead.set(title="Full speed ahead from rest", xlabel="time, s", ylabel="u, m/s", ylim=(0.0, 4.0))
    ordered(aft, run, "command", "speed", range(2))
    aft.set(title="Speed of the aft thrusters", ylabel="n, rev/s")
    ordered(bow, run, "command", "speed", range(2, 3))
    bow.set(title="Bow thruster", ylabel="n, part of full command")
    ordered(angle, run, "angle", "azimuth", range(3), scale=180.0 / np.pi)
    angle.set(title="Angles", ylabel="α, °", yticks=range(-90, 181, 45))
    lines = [Line2D([], [], color=WAYPOINT, lw=lw, ls=ls, alpha=alpha) for lw, ls, alpha in LOOKS]
    aft.legend(lines, ["order", "bare limits", "response"], loc="lower left")
    angle.legend(loc="upper left")
    return figure


def on_chart(points: list[tuple[float, float]]) -> np.ndarray:
    """Latitudes and longitudes of points north and east of where the tug began, deg."""
    places = [CHART.evaluate(eta=[north, east, 0, 0, 0, 0]).outputs for north, east in points]
    return np.degrees([[place[name] for place in places] for name in ("latitude", "longitude")])


def outline(eta: np.ndarray) -> np.ndarray:
    """Latitudes and longitudes of the tug's outline, 0.97 m by 0.30 m, deg."""
    c, s = np.cos(eta[5]), np.sin(eta[5])
    corners = [(-0.485, -0.15), (0.25, -0.15), (0.485, 0.0), (0.25, 0.15), (-0.485, 0.15)]  # ahead, starboard
    return on_chart([(eta[0] + c * x - s * y, eta[1] + s * x + c * y) for x, y in corners])


def chart(axes: Axes, trip: Result) -> None:
    """Waypoints, track and tug by latitude and longitude, with as many metres per inch to the north as to the east."""
    axes.plot(*np.array(ROUND).T[::-1], "o:", color=WAYPOINT, lw=1.2, ms=5, label="waypoints")
    latitude, longitude = (np.degrees(trip.values(f"chart.{name}")) for name in ("latitude", "longitude"))
    axes.plot(longitude, latitude, color=ACTUAL, label="track")
    for number, eta in enumerate(trip.values("vessel.eta")[::250]):
        north, east = outline(eta)
        axes.fill(east, north, color=REFERENCE, zorder=3, label="" if number else "the tug every 5 s, to scale")
    north, east = on_chart([(-12.5, 19.0), (-12.5, 24.0)])
    axes.plot(east, north, color=WAYPOINT, lw=3.0, solid_capstyle="butt")
    axes.text(np.mean(east), north[0], "5 m\n", ha="center", va="center", color=WAYPOINT)
    axes.set_aspect(1.0 / np.cos(CHART.origin_latitude))
    axes.margins(0.06)
    axes.set(title="Tito Neri in Delft", xlabel="longitude, °", ylabel="latitude, °")
    axes.xaxis.set(major_locator=MultipleLocator(1e-4), major_formatter="{x:.4f}")
    axes.yaxis.set(major_locator=MultipleLocator(5e-5), major_formatter="{x:.5f}")
    axes.legend(loc="lower left")


def harbour_figure(trip: Result) -> Figure:
    """Where the tug went, and what its thrusters did for it."""
    figure = Figure(figsize=(14.0, 7.6), layout="constrained")
    panels = ("heading", "speed", "aft", "bow", "angle")
    axes = figure.subplot_mosaic([["chart", panel] for panel in panels], width_ratios=(1.2, 1.0))
    chart(axes["chart"], trip)
    degrees, heading = 180.0 / np.pi, np.unwrap(trip.values("guidance.heading"))
    command, speed = trip.values("allocation.command"), trip.values("thrusters.speed")
    wanted, turned = trip.values("allocation.angle"), trip.values("thrusters.azimuth")
    drawn = {  # panel: its axis, and for each line what is wanted, what comes of it, and its colour
        "heading": ("ψ, °", [(degrees * heading, degrees * trip.values("vessel.eta[psi]"), ACTUAL)]),
        "speed": ("u, m/s", [(trip.values("guidance.speed"), trip.values("vessel.nu[u]"), ACTUAL)]),
        "aft": ("n, rev/s", [(command[:, i], speed[:, i], SERIES[i]) for i in range(2)]),
        "bow": ("bow, part", [(command[:, 2], speed[:, 2], SERIES[2])]),
        "angle": ("α, °", [(degrees * wanted[:, i], degrees * turned[:, i], SERIES[i]) for i in range(2)]),
    }
    for panel, (label, lines) in drawn.items():
        for order, response, colour in lines:
            axes[panel].plot(trip.time, order, color=colour, lw=1.0, ls="--")
            axes[panel].plot(trip.time, response, color=colour, lw=1.5)
        axes[panel].set(ylabel=label)
        axes[panel].tick_params(labelbottom=panel == "angle")
    figure.align_ylabels([axes[panel] for panel in panels])
    axes["angle"].set_xlabel("time, s")
    looks = [Line2D([], [], color=WAYPOINT, lw=lw, ls=ls) for lw, ls in ((1.0, "--"), (1.5, "-"))]
    axes["heading"].set_title("Guidance and thrusters")
    axes["heading"].legend(looks, ["wanted", "response"], ncols=2, **LEGEND)
    axes["aft"].legend([Line2D([], [], color=colour) for colour in SERIES[:3]], NAMES, ncols=3, **LEGEND)
    return figure


def energy_figure() -> Figure:
    """What solvers make of an energy that nothing takes or gives."""
    figure = Figure(figsize=(12.0, 4.8), layout="constrained")
    over_time, over_rate = figure.subplots(1, 2)
    for (solver, rate), colour in zip(KNOWN, (SERIES[1], SERIES[4], SERIES[0]), strict=True):
        time, found = energy(solver, rate, ADRIFT)
        over_time.plot(time, 100.0 * (found - 1.0), color=colour, label=f"{SOLVERS[solver]}, {rate} Hz")
    over_time.set(title="Kinetic energy, no damping, no force", xlabel="time, s", ylabel="change, %")
    over_time.legend(loc="upper left")
    for (solver, name), colour in zip(SOLVERS.items(), (SERIES[1], SERIES[0]), strict=True):
        over_rate.loglog(RATES, [abs(drift(solver, rate)) for rate in RATES], "o-", color=colour, label=name)
    over_rate.axhline(1e-9, color=WAYPOINT, lw=1.0, ls=":")
    over_rate.set(title="Its change in 60 s", xlabel="steps per second", ylabel="relative change", xticks=RATES)
    over_rate.xaxis.set_major_formatter("{x:g}")
    over_rate.minorticks_off()
    over_rate.margins(x=0.05)
    over_rate.legend(loc="center right")
    return figure


straight, answers, trip = full_speed(), bench(), simulate(harbour(), 135.0, step=0.02)
Console().print(table(straight, trip))
with rc_context(SETTINGS):
    thrusters_figure(straight, answers).savefig("tito_neri_thrusters.png")
    harbour_figure(trip).savefig("tito_neri_harbour.png")
    energy_figure().savefig("tito_neri_energy.png")
