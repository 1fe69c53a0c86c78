"""A swarm of small surface vehicles in one irregular sea: they gather into a wedge and hold it while waves shake them.

The vehicle is SMARTY of the University of Southampton, a cylinder of 0.3 m. Each one but the first sees the pose of its
leader, the vehicle ahead of it in its arm of the wedge, and steers for a point that lies ahead of its own place in the
formation: in place it is just as far from that point as everyone goes ahead meanwhile. Writes `swarm.png` and
`swarm.gif`.
"""

from __future__ import annotations

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from blocks import Diagram, Swarm
from blocks.basic import Atan2, Constant, Demux, Function, Gain, MatrixGain, Saturation, Sum
from blocks.control import PID, ComposeWrench
from blocks.dynamics import FloatingVehicle
from blocks.environment import BretschneiderSea, WaveLoad
from blocks.report.swarm import draw_swarm, swarm_animation
from blocks.style import ACTUAL, REFERENCE, SETTINGS, WAYPOINT
from blocks.swarm.result import SwarmResult

Array = NDArray[np.float64]

COUNT = 13  # vehicles of the formation
END = 120.0  # s
STEP = 0.04  # s, as in the source; rk4, since roll has a period of 0.67 s and little damping
SPACING = 2.0  # m, between neighbours, ahead and abeam
SPEED = 0.22  # m/s, of the first
FASTEST = 0.45  # m/s, of those who catch up
THRUST = 4.0  # N, of all thrusters together (Thomas et al. 2021)
LOOKAHEAD = 1.6  # m
COURSE = np.radians(45.0)
SEA = {
    "significant_height": 0.3,
    "period": 4.0,
    "direction": "100 deg",
    "frequencies": 15,
    "directions": 5,
    "bands": "equal-step",
    "seed": 3,
}
MANY = 500  # vehicles that see nobody, for the clock
FILM = 52.0  # s of the run that are shown in motion


def sea() -> BretschneiderSea:
    """The sea that all are in."""
    return BretschneiderSea(**SEA)


def vehicle() -> Diagram:
    """One vehicle in the sea, on its way to a point that is `aim` away from the leader."""
    boat = Diagram("boat", title="SMARTY keeps its place in a formation")
    boat.add("sea", sea())
    load = boat.add("load", WaveLoad.from_vehicle("smarty", yaw_moment="corners"))
    vessel = boat.add("vessel", FloatingVehicle.from_vehicle("smarty"))
    boat.connect("sea.waves", load.waves)
    boat.connect(vessel.eta, load.eta)
    boat.connect(load.disturbance, vessel.disturbance)
    aim = boat.add("aim", Constant([0.0, 0.0]))  # from the leader, north and east, m
    leader = boat.add("leader", MatrixGain(np.eye(2, 6)))
    own = boat.add("own", MatrixGain(np.eye(2, 6)))
    way = boat.add("way", Sum("++-"))
    boat.connect(leader.y, way.input_port("in1"))
    boat.connect(aim.y, way.input_port("in2"))
    boat.connect(own.y, way.input_port("in3"))
    boat.connect(vessel.eta, own.u)
    parts = boat.add("parts", Demux([1, 1]))
    bearing = boat.add("bearing", Atan2())
    boat.connect(way.y, parts.u)
    boat.connect(parts.port("out2"), bearing.u1)
    boat.connect(parts.port("out1"), bearing.u2)
    squares = boat.add("squares", Function("square"))
    total = boat.add("total", MatrixGain([[1.0, 1.0]]))
    distance = boat.add("distance", Function("sqrt"))
    wanted = boat.add("wanted", Gain(SPEED / LOOKAHEAD))
    limit = boat.add("limit", Saturation(lower=0.0, upper=FASTEST))
    boat.connect(way.y, squares.u)
    boat.connect(squares.y, total.u)
    boat.connect(total.y, distance.u)
    boat.connect(distance.y, wanted.u)
    boat.connect(wanted.y, limit.u)
    speed = boat.add("speed", PID(kp=20.0, ki=2.0, derivative="none", lower=-THRUST, upper=THRUST))
    heading = boat.add("heading", PID(kp=0.4, kd=0.3, derivative="rate", angle=True, lower=-0.17, upper=0.17))
    wrench = boat.add("wrench", ComposeWrench())
    boat.connect(limit.y, speed.reference)
    boat.connect(vessel.nu["u"], speed.measurement)
    boat.connect(bearing.y, heading.reference)
    boat.connect(vessel.eta["psi"], heading.measurement)
    boat.connect(vessel.nu["r"], heading.rate)
    boat.connect(speed.output, wrench.X)
    boat.connect(heading.output, wrench.N)
    boat.connect(wrench.force, vessel.force)
    boat.inputs(leader=leader.input_port("u"))
    return boat


def wedge(count: int) -> tuple[Array, NDArray[np.int64]]:
    """Where each vehicle belongs, from its leader, north and east, m; and who that is: -1, 0, 0, 1, 2, 3, …"""
    leaders = np.maximum(np.arange(count) - 2, 0)
    leaders[0] = -1
    sides = np.where(np.arange(count) % 2, 1.0, -1.0)  # odd numbers to starboard
    ahead, abeam = np.full(count, -SPACING), sides * SPACING
    offsets = np.column_stack([
        ahead * np.cos(COURSE) - abeam * np.sin(COURSE), ahead * np.sin(COURSE) + abeam * np.cos(COURSE)
    ])  # fmt: skip
    offsets[0] = 0.0
    return offsets, leaders


def formation(count: int) -> Swarm:
    """The swarm, scattered behind the first, which goes on its course to a point that it will not reach."""
    offsets, leaders = wedge(count)
    along = np.array([np.cos(COURSE), np.sin(COURSE)])
    start = np.zeros((count, 6))
    random = np.random.default_rng(5)
    start[1:, :2] = random.uniform(-1.0, 1.0, (count - 1, 2)) * 3.5 - 4.0 * along
    start[:, 5] = random.uniform(-np.pi, np.pi, count)
    start[0, 5] = COURSE
    far = np.zeros(6)
    far[:2] = 1e4 * along
    return Swarm(
        vehicle(),
        count,
        parameters={
            "vessel.initial_eta": start,
            "aim.value": offsets + LOOKAHEAD * along,
            "limit.upper": np.where(leaders < 0, SPEED, FASTEST),
        },
        inputs={"leader": far},
        neighbours={"leader": ("vessel.eta", leaders)},
    )


def scattered(count: int) -> Swarm:
    """Vehicles all over the sea, each on its way, that see nobody."""
    start = np.zeros((count, 6))
    start[:, :2] = np.random.default_rng(6).uniform(-500.0, 500.0, (count, 2))
    return Swarm(vehicle(), count, parameters={"vessel.initial_eta": start}, inputs={"leader": [1e4, 1e4, 0, 0, 0, 0]})


def spacing_error(result: SwarmResult) -> Array:
    """How far each but the first is from its place behind its leader, m: vehicles × times."""
    offsets, leaders = wedge(len(result))
    places = result.values("vessel.eta")[:, :, :2]
    away = places[1:] - places[leaders[1:]] - offsets[1:, None]
    return np.asarray(np.linalg.norm(away, axis=2))


def clock(seconds: float) -> Table:
    """How much faster than real time, on one thread and on all."""
    table = Table("swarm", "vehicles", "threads", "× real time", "µs per step of a vehicle")
    for name, swarm in (("in formation", formation(COUNT)), ("each by itself", scattered(MANY))):
        for threads in (1, None):
            told = swarm.run(seconds, step=STEP, record=[], summarise="vessel.eta", threads=threads).attributes
            each = 1e6 * told["wall_seconds"] / told["steps"]
            factor = f"{told['real_time_factor']:.0f}"
            table.add_row(name, f"{swarm.count}", f"{told['threads']}", factor, f"{each:.2f}")
    return table


def colours(count: int) -> list[str]:
    """The first in its own."""
    return [WAYPOINT, *[REFERENCE] * (count - 1)]


def figure(result: SwarmResult) -> Figure:
    """Tracks on the sea at the end, the error of spacing, and how much each vehicle heaves and rolls."""
    drawn = Figure(figsize=(14.0, 7.4), layout="constrained")
    height, period = SEA["significant_height"], SEA["period"]
    drawn.suptitle(f"{len(result)} vehicles in one sea, $H_s$ {height} m, $T_p$ {period:g} s", x=0.01, ha="left")
    grid = drawn.add_gridspec(2, 2, width_ratios=(1.15, 1.0))
    ax = drawn.add_subplot(grid[:, 0])
    draw_swarm(ax, sea(), result, colours=colours(len(result)))
    _errors(drawn.add_subplot(grid[0, 1]), result)
    _motions(drawn.add_subplot(grid[1, 1]), result)
    return drawn


def _errors(ax: Axes, result: SwarmResult) -> None:
    error = spacing_error(result)
    ax.plot(result.time, error.T, color=ACTUAL, linewidth=0.8, alpha=0.5)
    ax.plot(result.time, np.sqrt((error**2).mean(axis=0)), color=REFERENCE, linewidth=2.4, label="RMS of all")
    ax.plot([], [], color=ACTUAL, linewidth=0.8, label="each vehicle")
    ax.set(title="Distance from the place behind the leader", xlabel="time, s", ylabel="distance, m")
    ax.set_ylim(bottom=0.0)
    ax.legend(loc="upper right")


def _motions(ax: Axes, result: SwarmResult) -> None:
    heave, roll = result.statistic("vessel.eta", "significant")[:, [2, 3]].T
    numbers = np.arange(len(result))
    ax.bar(numbers - 0.2, 100.0 * heave, 0.4, color=ACTUAL)
    ax.axhline(50.0 * SEA["significant_height"], color=WAYPOINT, linewidth=1.0, linestyle="--")
    ax.set(title="Significant amplitudes", xlabel="vehicle", xticks=numbers)
    ax.set_ylabel("heave, cm (dashed: of the sea)", color=ACTUAL)
    ax.set_xlim(-0.7, len(result) - 0.3)
    right = ax.twinx()
    right.bar(numbers + 0.2, np.degrees(roll), 0.4, color=REFERENCE)
    right.set_ylabel("roll, °", color=REFERENCE)
    right.grid(False)
    ax.grid(axis="x", visible=False)


if __name__ == "__main__":
    run = formation(COUNT).run(END, step=STEP, record="vessel.eta", every=5, summarise="vessel.eta")
    settled = spacing_error(run)[:, run.time > END - 40.0]
    print(f"{COUNT} vehicles are {np.sqrt((settled**2).mean()):.2f} m from their places (RMS of the last 40 s)")
    heave = run.statistic("vessel.eta", "significant")[:, 2]
    print(f"significant heave {100 * heave.mean():.1f} cm in a sea of {50 * SEA['significant_height']:.1f} cm")
    Console().print(clock(20.0))
    with rc_context(SETTINGS):
        figure(run).savefig("swarm.png")
    swarm_animation(sea(), run, "swarm.gif", duration=6.5, fps=10.0, end=FILM, points=64, colours=colours(COUNT))
