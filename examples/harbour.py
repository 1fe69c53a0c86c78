"""Out of a harbour against the tide: a route that keeps clear, and an Otter that follows it.

The harbour is invented: `harbour.geojson` beside this file has its coast, breakwaters, a bar and a rock. Outside a
tidal stream sets along the coast. The route of least time is found at the speed of the boat through the water and with
turns that it can steer, and then the boat goes along it, by its arcs and by its waypoints. Writes `harbour_route.png`
and `harbour.png`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from blocks import Diagram, Result, simulate
from blocks.basic import MatrixGain, Mux
from blocks.block import Block
from blocks.control import PID
from blocks.dynamics import Vessel3DOF
from blocks.environment import CurrentField
from blocks.errors import KeelblocksError
from blocks.routes import Chart, Route, find_route, turning_radius
from blocks.routes.figure import draw_chart, draw_route
from blocks.style import ACTUAL, ERROR, LEGEND, SERIES, SETTINGS
from blocks.thrust import DifferentialThrust

CHART = Path(__file__).with_name("harbour.geojson")
BERTH, MARK = (90.0, 80.0), (395.0, 410.0)  # north and east, m
SPEED = 1.5  # m/s through the water
MARGIN = 6.0  # m: half of the beam, 0.54 m, what guidance is off by, and what chart and position are
DRAUGHT, UNDER_KEEL = 0.3, 0.3  # m
LEAVING = np.radians(60.0)  # course from the berth
STREAM = (-1.0, 0.1)  # m/s to north and to east, well outside of the breakwaters
STEP, LIMIT = 0.05, 1500.0  # s


def tide() -> CurrentField:
    """The stream: none in the harbour, and all of it from 120 m outside of the breakwaters on."""
    north, east = np.arange(0.0, 421.0, 10.0), np.arange(0.0, 521.0, 10.0)
    part = np.broadcast_to(np.clip((east - 225.0) / 120.0, 0.0, 1.0), (len(north), len(east)))
    return CurrentField(x=north, y=east, north=STREAM[0] * part[None, None], east=STREAM[1] * part[None, None])


def boat(guidance: Block, field: CurrentField) -> Diagram:
    """An Otter with its autopilot and the speed through the water held."""
    otter = Diagram("otter", title="An Otter leaves the harbour")
    current = otter.add("current", field.copy())
    otter.add("guidance", guidance)
    vessel = otter.add(
        "vessel",
        Vessel3DOF.from_vehicle(
            "otter", initial_eta=[*BERTH, 0.0, 0.0, 0.0, LEAVING], initial_nu=[SPEED, *[0.0] * 5]
        ),
    )  # fmt: skip
    # Margins at 1.5 m/s: heading 83° of phase, speed 110°, guidance 66° and a gain of 2.0 (6 dB).
    heading = otter.add("heading", PID(kp=200.0, kd=150.0, derivative="rate", angle=True, lower=-60.0, upper=60.0))
    speed = otter.add("speed", PID(kp=150.0, ki=60.0, derivative="none", lower=-100.0, upper=200.0))
    thrusters = otter.add("thrusters", DifferentialThrust.from_vehicle("otter"))
    arm = 1.0 / thrusters.spacing
    wanted = otter.add("wanted", Mux([1, 1]))
    allocation = otter.add("allocation", MatrixGain([[0.5, arm], [0.5, -arm]]))  # of X and N to port and starboard
    otter.connect(vessel.eta, current.eta, guidance.port("eta"))
    otter.connect(current.current, vessel.current)
    otter.connect(vessel.nu, guidance.port("nu"))
    otter.connect(guidance.port("heading"), heading.reference)
    otter.connect(vessel.eta["psi"], heading.measurement)
    otter.connect(vessel.nu["r"], heading.rate)
    otter.connect(guidance.port("speed"), speed.reference)
    otter.connect(vessel.nu_r["u"], speed.measurement)
    otter.connect(speed.output, wanted.port("in1"))
    otter.connect(heading.output, wanted.port("in2"))
    otter.connect(wanted.y, allocation.u)
    otter.connect(allocation.y, thrusters.command)
    otter.connect(vessel.nu_r, thrusters.nu_r)
    otter.connect(thrusters.force, vessel.force)
    return otter


def least_radius() -> float:
    """What the Otter turns with at 60 N·m of its thrusters, m, by a turning circle."""
    hull = Diagram("hull")
    vessel = hull.add("vessel", Vessel3DOF.from_vehicle("otter"))
    hull.inputs(force=vessel.force)
    hull.outputs(eta=vessel.eta, nu=vessel.nu)
    return turning_radius(hull, "60 N*m", helm="force[N]", inputs={"force": [120.0, 0.0, 0.0, 0.0, 0.0, 0.0]})


def route(field: CurrentField, radius: float, objective: str = "time") -> Route:
    """From the berth to the mark."""
    return find_route(
        Chart.load(CHART), BERTH, MARK, speed=SPEED, margin=MARGIN, turning_radius=radius, draught=DRAUGHT,
        under_keel=UNDER_KEEL, current=field, objective=objective, start_course=LEAVING,
    )  # fmt: skip


def runs(found: Route, field: CurrentField) -> dict[str, Result]:
    """The boat along the arcs of the route, and along its waypoints."""
    ways: dict[str, Block] = {
        "DubinsPath": found.dubins_path(lookahead=5.0, sideslip_compensation=True, speed_taper=False),
        "LineOfSight": found.line_of_sight(lookahead=5.0, sideslip_compensation=True, speed_taper=False),
    }
    return {
        name: simulate(boat(way, field), LIMIT, step=STEP, stop="guidance.finished", every=4)
        for name, way in ways.items()
    }


def table(routes: dict[str, Route], done: dict[str, Result]) -> Table:
    """What was planned, and what came of it."""
    made = Table("", "length, m", "time, s", "least clearance, m")
    for name, planned in routes.items():
        made.add_row(
            f"route, least {name}", f"{planned.length:.0f}", f"{planned.duration:.1f}", f"{planned.least_clearance:.2f}"
        )
    for name, run in done.items():
        track = run.values("vessel.eta")[:, :2]
        way = float(np.hypot(*np.diff(track, axis=0).T).sum())
        nearest = routes["time"].clearance_at(track).min()
        made.add_row(f"Otter by {name}", f"{way:.0f}", f"{run.time[-1]:.1f}", f"{nearest:.2f}")
    return made


def figure(routes: dict[str, Route], done: dict[str, Result]) -> Figure:
    """The route of least time with the tracks on it, and how far off and how clear they are."""
    planned = routes["time"]
    drawn = Figure(figsize=(14.0, 7.4), layout="constrained")
    axes = drawn.subplot_mosaic([["chart", "clearance"], ["chart", "error"], ["chart", "speed"]], width_ratios=(1.5, 1))
    draw_chart(axes["chart"], planned)
    axes["chart"].plot(*routes["distance"].place.T[::-1], color=SERIES[6], lw=1.4, label="least distance", zorder=4)
    draw_route(axes["chart"], planned)
    axes["clearance"].axhline(MARGIN, color=ERROR, ls="--", lw=1.2, label=f"margin, {MARGIN:g} m")
    for (name, run), colour in zip(done.items(), (ACTUAL, SERIES[2]), strict=True):
        track, nu = run.values("vessel.eta")[:, :2], run.values("vessel.nu")
        axes["chart"].plot(*track.T[::-1], color=colour, lw=1.0, label=f"Otter by {name}", zorder=6)
        axes["clearance"].plot(run.time, planned.clearance_at(track), color=colour, label=name)
        axes["error"].plot(run.time, run.values("guidance.cross_track_error"), color=colour)
        axes["speed"].plot(run.time, np.hypot(nu[:, 0], nu[:, 1]), color=colour)
    axes["chart"].legend(loc="upper left", bbox_to_anchor=(0.0, -0.09), ncols=4)
    axes["chart"].set_title("An Otter leaves the harbour")
    axes["clearance"].set(ylabel="clearance, m", ylim=(0.0, 10.0 * MARGIN))
    axes["clearance"].legend(ncols=3, **LEGEND)
    axes["error"].set(ylabel="cross-track error, m")
    axes["speed"].set(ylabel="over ground, m/s", xlabel="time, s", ylim=(0.0, None))
    for panel in ("clearance", "error"):
        axes[panel].tick_params(labelbottom=False)
    drawn.align_ylabels([axes[panel] for panel in ("clearance", "error", "speed")])
    return drawn


def main(arguments: Sequence[str] | None = None) -> None:
    """Find the routes, follow the quicker one, print the table, write the figures."""
    options = argparse.ArgumentParser(description="A route out of a harbour, and an Otter that follows it")
    options.add_argument("--output", type=Path, default=Path(), metavar="DIR", help="where files go (default: here)")
    given = options.parse_args(arguments)
    try:
        _go(given.output)
    except KeelblocksError as problem:
        options.exit(1, f"{problem}\n")
    except OSError as problem:
        options.exit(1, f"cannot write into {given.output}: {problem.strerror}; --output names another folder\n")


def _go(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    field, least = tide(), least_radius()
    print(f"The Otter turns with a radius of {least:.1f} m; the route has turns of {2.0 * least:.1f} m.")
    routes = {objective: route(field, 2.0 * least, objective) for objective in ("time", "distance")}
    done = runs(routes["time"], field)
    Console().print(table(routes, done))
    with rc_context(SETTINGS):
        routes["time"].figure().savefig(folder / "harbour_route.png")
        figure(routes, done).savefig(folder / "harbour.png")


if __name__ == "__main__":
    main()
