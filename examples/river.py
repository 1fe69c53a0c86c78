"""Upstream through a river, along the bank or in midstream: what does it cost an Otter?

The example writes a river as HEC-RAS would, reads it, and sends the same boat up both tracks: line of sight, with the
speed through the water held. Writes `river.hdf` and `river.png`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray
from rich.console import Console
from rich.table import Table

from blocks import Diagram, Result, simulate
from blocks.basic import MatrixGain, Mux
from blocks.control import PID
from blocks.dynamics import Vessel3DOF
from blocks.environment import CurrentField
from blocks.errors import KeelblocksError
from blocks.guidance import IntegralLineOfSight
from blocks.power import EnergyMeter
from blocks.style import ACTUAL, REFERENCE, SETTINGS
from blocks.thrust import DifferentialThrust

Array = NDArray[np.float64]

LENGTH, WIDTH, SWING = 300.0, 60.0, 25.0  # m: of the reach to north, across, and of its bend to either side
FASTEST = 0.8  # m/s, in midstream
EAST, NORTH = 406_000.0, 1_805_000.0  # m, of the origin in the coordinates of the file
SPEED = 1.5  # m/s through the water
TRACKS = {"midstream": 0.0, "bank": 24.0}  # m from the middle, to east
COLOURS = {"midstream": REFERENCE, "bank": ACTUAL}
AREA = "reach"
STEP, LIMIT = 0.1, 1200.0  # s


def middle(north: ArrayLike) -> Array:
    """How far to east the middle of the river is, m."""
    return SWING * np.sin(2.0 * np.pi * np.asarray(north, dtype=np.float64) / LENGTH)


def bearing(north: ArrayLike) -> Array:
    """The direction of the river upstream, rad."""
    slope = SWING * 2.0 * np.pi / LENGTH * np.cos(2.0 * np.pi * np.asarray(north, dtype=np.float64) / LENGTH)
    return np.asarray(np.arctan(slope), dtype=np.float64)


def line(offset: ArrayLike, north: ArrayLike) -> Array:
    """Points so far to the right of the middle, looking upstream: north and east, m."""
    angle = bearing(north)
    return np.stack([north - offset * np.sin(angle), middle(north) + offset * np.cos(angle)], axis=-1)


def speed_of_flow(offset: ArrayLike) -> Array:
    """A parabola across the river, zero at the banks, m/s."""
    return np.asarray(FASTEST * (1.0 - (2.0 * np.asarray(offset) / WIDTH) ** 2), dtype=np.float64)


def write_river(path: Path) -> None:
    """The steady flow of the reach, as the file of a two-dimensional HEC-RAS model has it."""
    north, offset = np.meshgrid(np.arange(-40.0, LENGTH + 41.0, 4.0), np.linspace(-WIDTH / 2, WIDTH / 2, 31))
    points = line(offset.ravel(), north.ravel())
    flow, angle = speed_of_flow(offset.ravel()), bearing(north.ravel()) + np.pi
    series = "Results/Unsteady/Output/Output Blocks/Base Output/Unsteady Time Series"
    with h5py.File(path, "w") as file:
        file.attrs["Units System"] = "SI Units"
        file[f"Geometry/2D Flow Areas/{AREA}/FacePoints Coordinate"] = points[:, ::-1] + [EAST, NORTH]
        file[f"{series}/Time"] = np.zeros(1)
        file[f"{series}/2D Flow Areas/{AREA}/Node X Vel"] = (flow * np.sin(angle))[None]
        file[f"{series}/2D Flow Areas/{AREA}/Node Y Vel"] = (flow * np.cos(angle))[None]


def river(path: Path) -> CurrentField:
    """The flow as the file has it, on a grid of 2 m."""
    return CurrentField.from_hec_ras(path, resolution=2.0, longest_edge=10.0, origin_east=EAST, origin_north=NORTH)


def otter(field: CurrentField, offset: float) -> Diagram:
    """The Otter on its way upstream, so far to the right of the middle."""
    way = line(offset, np.arange(0.0, LENGTH + 1.0, 10.0))
    waypoints = np.column_stack([way, np.zeros(len(way))])
    angle = float(bearing(0.0))
    boat = Diagram("otter", title="Otter goes upstream")
    current = boat.add("current", field.copy())
    vessel = boat.add(
        "vessel",
        Vessel3DOF.from_vehicle(
            "otter",
            initial_eta=[*waypoints[0], 0.0, 0.0, angle],
            initial_nu=[SPEED - speed_of_flow(offset), *[0.0] * 5],
        ),
    )
    guidance = boat.add(
        "guidance",
        IntegralLineOfSight(
            waypoints=waypoints, acceptance_radius=3.0, cruise_speed=SPEED, lookahead=6.0, integral_gain=0.2,
            speed_taper=False,
        ),
    )  # fmt: skip
    # Margins at 1.5 m/s: heading 42° of phase, down to 0.47 of its gain; speed 110°, guidance 64° and a gain of 2.6.
    heading = boat.add("heading", PID(kp=60.0, kd=50.0, derivative="rate", angle=True, lower=-60.0, upper=60.0))
    speed = boat.add("speed", PID(kp=150.0, ki=60.0, derivative="none", lower=-100.0, upper=200.0))
    thrusters = boat.add("thrusters", DifferentialThrust.from_vehicle("otter"))
    arm = 1.0 / thrusters.spacing
    wanted = boat.add("wanted", Mux([1, 1]))
    allocation = boat.add("allocation", MatrixGain([[0.5, arm], [0.5, -arm]]))  # of X and N to port and starboard
    meter = boat.add("meter", EnergyMeter())
    boat.connect(vessel.eta, current.eta, guidance.eta)
    boat.connect(current.current, vessel.current)
    boat.connect(vessel.nu, guidance.nu)
    boat.connect(guidance.heading, heading.reference)
    boat.connect(vessel.eta["psi"], heading.measurement)
    boat.connect(vessel.nu["r"], heading.rate)
    boat.connect(guidance.speed, speed.reference)
    boat.connect(vessel.nu_r["u"], speed.measurement)
    boat.connect(speed.output, wanted.port("in1"))
    boat.connect(heading.output, wanted.port("in2"))
    boat.connect(wanted.y, allocation.u)
    boat.connect(allocation.y, thrusters.command)
    boat.connect(vessel.nu_r, thrusters.nu_r)
    boat.connect(thrusters.force, vessel.force)
    boat.connect(thrusters.power, meter.power)
    return boat


def upstream(path: Path) -> dict[str, Result]:
    """Both runs."""
    field = river(path)
    return {
        name: simulate(otter(field, offset), LIMIT, step=STEP, stop="guidance.finished")
        for name, offset in TRACKS.items()
    }


def distance(run: Result) -> Array:
    """The way over ground at each time, m."""
    steps = np.diff(run.values("vessel.eta")[:, :2], axis=0)
    return np.concatenate([[0.0], np.cumsum(np.hypot(*steps.T))])


def speed_over_ground(run: Result) -> Array:
    """At each time, m/s."""
    return np.asarray(np.hypot(*run.values("vessel.nu")[:, :2].T), dtype=np.float64)


def table(runs: dict[str, Result]) -> Table:
    """Way, time, speed, energy and cross-track error of each track."""
    made = Table("track", "way, m", "time, s", "over ground, m/s", "energy, kJ", "energy by way, J/m", "error, m")
    for name, run in runs.items():
        way, energy = distance(run)[-1], float(run.values("meter.energy")[-1])
        error = np.sqrt(np.mean(run.values("guidance.cross_track_error") ** 2))
        cells = (f"{way:.0f}", f"{run.time[-1]:.0f}", f"{way / run.time[-1]:.2f}", f"{1e-3 * energy:.1f}")
        made.add_row(name, *cells, f"{energy / way:.0f}", f"{error:.2f}")
    return made


def figure(field: CurrentField, runs: dict[str, Result]) -> Figure:
    """The flow and both tracks, and speed and energy over the way."""
    drawn = Figure(figsize=(12.0, 7.0), layout="constrained")
    drawn.suptitle("An Otter goes upstream: midstream or along the bank", x=0.01, ha="left")
    grid = drawn.add_gridspec(2, 2, width_ratios=(1.0, 1.35))
    chart = drawn.add_subplot(grid[:, 0])
    flow = np.hypot(field.north[0, 0], field.east[0, 0])
    shown = np.where(flow > 0.0, flow, np.nan)
    colours = chart.pcolormesh(field.y, field.x, shown, cmap="Blues", vmin=0.0, vmax=1.6 * FASTEST, rasterized=True)
    north, offset = np.meshgrid(np.arange(0.0, LENGTH + 1.0, 25.0), np.array([-18.0, -9.0, 9.0, 17.0]))
    places = line(offset, north)
    angle = bearing(north) + np.pi
    size = speed_of_flow(offset)
    chart.quiver(
        places[..., 1], places[..., 0], size * np.sin(angle), size * np.cos(angle), color="#475569", scale=11.0,
        width=0.005,
    )  # fmt: skip
    over_ground, energy = drawn.add_subplot(grid[0, 1]), drawn.add_subplot(grid[1, 1])
    for name, run in runs.items():
        eta = run.values("vessel.eta")
        chart.plot(eta[:, 1], eta[:, 0], color=COLOURS[name], label=name)
        over_ground.plot(distance(run), speed_over_ground(run), color=COLOURS[name], label=name)
        energy.plot(distance(run), 1e-3 * run.values("meter.energy"), color=COLOURS[name], label=name)
    chart.set(xlabel="east, m", ylabel="north, m", aspect="equal", xlim=(-65.0, 65.0), ylim=(-15.0, LENGTH + 15.0))
    chart.set_title("Flow and tracks")
    bar = drawn.colorbar(colours, ax=chart, label="speed of the water, m/s", shrink=0.6)
    bar.ax.set_ylim(0.0, FASTEST)
    over_ground.set(title="Speed over ground", xlabel="way, m", ylabel="m/s", ylim=(0.0, SPEED))
    energy.set(title="Energy", xlabel="way, m", ylabel="kJ", ylim=(0.0, None))
    energy.legend(loc="upper left")
    return drawn


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the river, go up both tracks, print the table, write the figure."""
    options = argparse.ArgumentParser(description="An Otter goes upstream, along the bank and in midstream")
    options.add_argument("--output", type=Path, default=Path(), metavar="DIR", help="where files go (default: here)")
    given = options.parse_args(arguments)
    try:
        _go(given)
    except KeelblocksError as problem:
        options.exit(1, f"{problem}\n")
    except OSError as problem:
        options.exit(1, f"cannot write into {given.output}: {problem.strerror}; --output names another folder\n")


def _go(given: Any) -> None:
    given.output.mkdir(parents=True, exist_ok=True)
    path = given.output / "river.hdf"
    write_river(path)
    runs = upstream(path)
    Console().print(table(runs))
    with rc_context(SETTINGS):
        figure(river(path), runs).savefig(given.output / "river.png")


if __name__ == "__main__":
    main()
