"""A sailboat tacks upwind to a mark: its polar diagram, the best angle to the wind, and legs at that angle.

The boat is that of usv_sim, 1.51 m long; see `blocks/vehicles/usv_sailboat.yaml` for which of its numbers were
published. Nothing of it was measured, so what is shown is what those numbers lead to. Writes `sailboat_polar.png` and
`sailboat_track.png`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from blocks import Diagram, Result, simulate
from blocks.basic import Constant, Function, LookupTable1D, Sum
from blocks.control import PID
from blocks.dynamics import Vessel6DOF
from blocks.environment import UniformWind
from blocks.guidance import LineOfSight
from blocks.style import ACTUAL, CURRENT, LEGEND, REFERENCE, SERIES, SETTINGS, WAYPOINT
from blocks.thrust import Foil, Rudder, Sail

Array = NDArray[np.float64]

VEHICLE = "usv_sailboat"
WINDS = (4.0, 6.0, 8.0)  # m/s, of the polar diagram
WIND = 6.0  # m/s, from north, on the way to the mark
MARK = 60.0  # m, dead upwind
TACKS = 3
STEP = 0.02  # s; the large foils of this boat have time constants of 0.02 to 0.1 s
RUDDER_LIMIT = np.radians(35.0)


def best_sheet(wind_angle: Array) -> Array:
    """How far to let the boom out for the greatest drive L sin β - D cos β at an apparent wind angle β: tan 2α =
    k_l/k_d tan β for the angle of attack α of the sail, and the boom at β - α."""
    sail = Sail.from_vehicle(VEHICLE)
    attack = 0.5 * np.arctan2(sail.lift_coefficient * np.sin(wind_angle), sail.drag_coefficient * np.cos(wind_angle))
    return np.asarray(wind_angle - attack)


def sailboat(wind: float, **start: object) -> Diagram:
    """The boat in a wind from north, its sail trimmed to the apparent wind and its rudder on a heading controller."""
    boat = Diagram("sailboat", title="A sailboat")
    vessel = boat.add("vessel", Vessel6DOF.from_vehicle(VEHICLE, **start))
    sail = boat.add("sail", Sail.from_vehicle(VEHICLE))
    keel = boat.add("keel", Foil.from_vehicle(VEHICLE, "keel"))
    rudder = boat.add("rudder", Rudder.from_vehicle(VEHICLE, angle_limit=RUDDER_LIMIT))
    air = boat.add("wind", UniformWind(speed=wind))
    total = boat.add("total", Sum("+++"))
    either_side = boat.add("either_side", Function("abs"))
    angles = np.radians(np.arange(0.0, 180.1, 2.5))
    trim = boat.add("trim", LookupTable1D(breakpoints=angles, table=best_sheet(angles)))
    heading = boat.add(
        "heading",
        # Margins: 69° of phase, down to 0.24 of the gain.
        PID(kp=1.5, ki=0.2, kd=1.0, derivative="rate", angle=True, lower=-RUDDER_LIMIT, upper=RUDDER_LIMIT),
    )
    boat.connect(vessel.eta, sail.eta)
    boat.connect(vessel.nu, sail.nu)
    boat.connect(air.wind, sail.wind)
    boat.connect(sail.apparent_wind_angle, either_side.u)
    boat.connect(either_side.y, trim.u)
    boat.connect(trim.y, sail.command)
    boat.connect(vessel.nu_r, keel.nu_r, rudder.nu_r)
    boat.connect(vessel.eta["psi"], heading.measurement)
    boat.connect(vessel.nu["r"], heading.rate)
    boat.connect(heading.output, rudder.command)
    for number, part in enumerate((sail, keel, rudder), start=1):
        boat.connect(part.force, total.input_port(f"in{number}"))
    boat.connect(total.y, vessel.force)
    return boat


@dataclass(frozen=True)
class Point:
    """Steady sailing. Angles in rad: of the heading to the true wind, of the track to it, leeway, heel."""

    wind_angle: float
    track_angle: float
    speed: float  # m/s over ground
    made_good: float  # m/s to windward
    leeway: float
    heel: float


def hold(wind: float, wind_angle: float, end: float = 60.0) -> Result:
    """Hold a heading until all is steady; positive angles have the wind from port."""
    boat = sailboat(wind, initial_eta=[0, 0, 0, 0, 0, wind_angle], initial_nu=[0.06 * wind, 0, 0, 0, 0, 0])
    boat.add("course", Constant(wind_angle))
    boat.connect("course.y", "heading.reference")
    return simulate(boat, end, step=STEP)


def steady(wind: float, wind_angle: float) -> Point:
    """What holding a heading comes to, as means of the last 10 s, in which rocking cancels out."""
    run = hold(wind, wind_angle)
    tail = slice(-500, None)
    eta, nu = run.values("vessel.eta")[tail], run.values("vessel.nu")[tail]
    north, east = (eta[-1, :2] - eta[0, :2]) / (run.time[-1] - run.time[-500])
    leeway = float(np.arctan2(nu[:, 1].mean(), nu[:, 0].mean()))
    track, speed = float(np.arctan2(east, north)), float(np.hypot(north, east))
    return Point(wind_angle, track, speed, float(north), leeway, float(eta[:, 3].mean()))


def best_to_windward(wind: float) -> Point:
    """The heading at which the boat makes most way to windward."""
    found = minimize_scalar(
        lambda angle: -steady(wind, angle).made_good, bounds=np.radians([25.0, 65.0]), method="bounded",
        options={"xatol": np.radians(0.1)},
    )  # fmt: skip
    return steady(wind, float(found.x))


def tacking_legs(angle: float) -> Array:
    """Waypoints from the start to the mark, on legs at an angle to the wind, the first and last of half a length."""
    north = MARK * np.concatenate([[0.0], (np.arange(TACKS) + 0.5) / TACKS, [1.0]])
    east = np.zeros(TACKS + 2)
    east[1:-1] = 0.5 * MARK / TACKS * np.tan(angle) * (-1.0) ** np.arange(TACKS)
    return np.column_stack([north, east, np.zeros_like(north)])


def race(best: Point) -> tuple[Result, Array]:
    """Tack to the mark by line of sight, and the waypoints."""
    boat = sailboat(WIND, initial_eta=[0, 0, 0, 0, 0, best.wind_angle], initial_nu=[best.speed, 0, 0, 0, 0, 0])
    legs = tacking_legs(best.track_angle)
    guidance = boat.add(
        "guidance",
        LineOfSight(
            waypoints=legs, acceptance_radius=1.0, switching="along_track", lookahead=8.0, cruise_speed=0.0,
            speed_taper=False, sideslip_compensation=True,
        ),
    )  # fmt: skip
    boat.connect("vessel.eta", guidance.eta)
    boat.connect("vessel.nu", guidance.nu)
    boat.connect(guidance.heading, "heading.reference")
    return simulate(boat, 900.0, step=STEP, stop="guidance.finished"), legs


def polar_figure(polars: dict[float, list[Point]], best: dict[float, Point]) -> Figure:
    """Speed against the angle of the track to the wind, speed to windward, and leeway and heel."""
    figure = Figure(figsize=(12.5, 6.6), layout="constrained")
    figure.suptitle("Polar diagram of the sailboat of usv_sim", x=0.01, ha="left")
    grid = figure.add_gridspec(2, 2, width_ratios=(1.0, 1.4))
    polar = figure.add_subplot(grid[:, 0], projection="polar")
    polar.set(theta_offset=np.pi / 2, theta_direction=-1, thetamin=0.0, thetamax=180.0)
    polar.set_thetagrids(range(0, 181, 15))
    made_good, sideways = figure.add_subplot(grid[0, 1]), figure.add_subplot(grid[1, 1])
    for colour, (wind, points) in zip(SERIES, polars.items(), strict=False):
        track, heading = [p.track_angle for p in points], np.degrees([p.wind_angle for p in points])
        polar.plot(track, [p.speed for p in points], color=colour, label=f"wind {wind:g} m/s")
        polar.plot(best[wind].track_angle, best[wind].speed, "o", color=colour, markersize=6.0)
        made_good.plot(heading, [p.made_good for p in points], color=colour)
        made_good.plot(np.degrees(best[wind].wind_angle), best[wind].made_good, "o", color=colour, markersize=6.0)
        sideways.plot(heading, np.degrees([p.heel for p in points]), color=colour)
    leeway = [p.leeway for p in polars[WIND]]
    sideways.plot(heading[1:], np.degrees(leeway[1:]), "--", color=WAYPOINT, label="leeway, alike in all winds")
    sideways.legend(loc="upper right")
    polar.set_title("Speed, m/s, and angle of the track to the wind", pad=16.0)
    polar.legend(loc="lower left", bbox_to_anchor=(-0.12, 0.0))
    chosen = best[WIND]
    made_good.axhline(0.0, color=WAYPOINT, linewidth=0.8)
    made_good.annotate(
        f"best in {WIND:g} m/s: {chosen.made_good:.3f} m/s\nheading {np.degrees(chosen.wind_angle):.1f}°, "
        f"track {np.degrees(chosen.track_angle):.1f}°",
        (np.degrees(chosen.wind_angle), chosen.made_good), xytext=(5.0, -0.55),
        fontsize=9.5, color=WAYPOINT,
        arrowprops={"arrowstyle": "-", "color": WAYPOINT, "linewidth": 0.8, "relpos": (1.0, 1.0)},
    )  # fmt: skip
    made_good.set(title="Speed to windward", ylabel="speed, m/s")
    sideways.set(title="Heel and leeway", ylabel="angle, °", xlabel="angle of the heading to the wind, °")
    for ax in (made_good, sideways):
        ax.set_xticks(range(0, 181, 30))
    return figure


def track_figure(run: Result, legs: Array) -> Figure:
    """The way to the mark, and what boat and sail did."""
    figure = Figure(figsize=(13.0, 8.0), layout="constrained")
    figure.suptitle(f"To a mark {MARK:g} m upwind in {run.time[-1]:.0f} s, wind {WIND:g} m/s", x=0.01, ha="left")
    grid = figure.add_gridspec(4, 2, width_ratios=(1.0, 1.5))
    _plan(figure.add_subplot(grid[:, 0]), run, legs)
    eta, nu = run.values("vessel.eta"), run.values("vessel.nu")
    north = np.gradient(eta[:, 0], run.time)
    curves = [
        ("Speed", "speed, m/s", {"over ground": np.hypot(nu[:, 0], nu[:, 1]), "to windward": north}),
        ("Apparent wind and boom", "angle, °", {
            "from starboard": np.degrees(run.values("sail.apparent_wind_angle")),
            "boom to port": np.degrees(run.values("sail.angle")),
        }),
        ("Heading and rudder", "angle, °", {
            "heading": np.degrees(eta[:, 5]), "wanted": np.degrees(run.values("guidance.heading")),
            "rudder": np.degrees(run.values("rudder.angle")),
        }),
        ("Heel and leeway", "angle, °", {
            "heel": np.degrees(eta[:, 3]), "leeway": np.degrees(np.arctan2(nu[:, 1], nu[:, 0])),
        }),
    ]  # fmt: skip
    for row, (title, unit, lines) in enumerate(curves):
        ax = figure.add_subplot(grid[row, 1])
        for colour, (name, values) in zip((ACTUAL, REFERENCE, CURRENT), lines.items(), strict=False):
            ax.plot(run.time, values, color=colour, linewidth=1.4, label=name)
        ax.axhline(0.0, color=WAYPOINT, linewidth=0.8)
        ax.set(title=title, ylabel=unit)
        ax.margins(y=0.12)
        ax.legend(**LEGEND, ncols=3)
    ax.set_xlabel("time, s")
    return figure


def _plan(ax: Axes, run: Result, legs: Array) -> None:
    """Track and legs, north and the wind up the page, and the boat with its sail every 15 s, twice its size."""
    eta, boom = run.values("vessel.eta"), run.values("sail.angle")
    ax.plot(legs[:, 1], legs[:, 0], "--", color=REFERENCE, linewidth=1.2, label="legs")
    ax.plot(eta[:, 1], eta[:, 0], color=ACTUAL, label="track")
    ax.plot(legs[-1, 1], legs[-1, 0], "^", color=REFERENCE, markersize=10.0)
    ax.annotate("mark", legs[-1, 1::-1], xytext=(9.0, -3.0), textcoords="offset points", color=WAYPOINT)
    length = 2.0 * 1.51  # m, of the hull as it is drawn
    hull = length * np.array([[0.5, 0.0], [0.1, 0.2], [-0.5, 0.14], [-0.5, -0.14], [0.1, -0.2]])
    for i in range(0, len(run), round(15.0 / STEP)):
        psi = eta[i, 5]
        turn = np.array([[np.sin(psi), np.cos(psi)], [np.cos(psi), -np.sin(psi)]])  # ahead, starboard to east, north
        ax.add_patch(Polygon(hull @ turn + eta[i, 1::-1], facecolor="white", edgecolor=ACTUAL, linewidth=1.0, zorder=4))
        mast = np.array([0.15 * length, 0.0])
        end = mast - 0.65 * length * np.array([np.cos(boom[i]), np.sin(boom[i])])
        ax.plot(*(np.array([mast, end]) @ turn + eta[i, 1::-1]).T, color=CURRENT, linewidth=2.2, zorder=5)
    ax.annotate(
        "", (-0.86 * MARK / TACKS, 0.84 * MARK), (-0.86 * MARK / TACKS, MARK), zorder=6,
        arrowprops={"arrowstyle": "-|>", "color": CURRENT, "linewidth": 2.5, "mutation_scale": 22.0},
    )  # fmt: skip
    ax.annotate(f"wind {WIND:g} m/s", (-0.8 * MARK / TACKS, 0.91 * MARK), color=CURRENT)
    ax.set_aspect("equal", adjustable="box")
    ax.set_xlim(-MARK / TACKS, MARK / TACKS)
    ax.set(xlabel="east, m", ylabel="north, m", title="Track")
    ax.margins(y=0.05)
    ax.legend(**LEGEND, ncols=2)


angles = np.radians(np.arange(0.0, 181.0, 5.0))
polars = {wind: [steady(wind, float(angle)) for angle in angles] for wind in WINDS}
best = {wind: best_to_windward(wind) for wind in WINDS}
print(f"{'wind':>7} {'heading':>8} {'track':>7} {'leeway':>7} {'heel':>7} {'speed':>10} {'to windward':>12}")
for wind, point in best.items():
    heading, track, leeway, heel = np.degrees([point.wind_angle, point.track_angle, point.leeway, point.heel])
    print(
        f"{wind:3.0f} m/s {heading:7.1f}° {track:6.1f}° {leeway:6.1f}° {heel:6.1f}° {point.speed:6.3f} m/s "
        f"{point.made_good:8.3f} m/s"
    )
run, legs = race(best[WIND])
print(f"{MARK:g} m to windward in {run.time[-1]:.1f} s, {MARK / run.time[-1]:.3f} m/s, with {TACKS} tacks")
with rc_context(SETTINGS):
    polar_figure(polars, best).savefig("sailboat_polar.png")
    track_figure(run, legs).savefig("sailboat_track.png")
