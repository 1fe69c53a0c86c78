"""Line of sight in uncertain currents: an Otter on three legs, thousands of times, with and without integral action.

Current, gusts, payload and hull are drawn by Latin hypercube, and every draw is run with each law and each lookahead
distance, so that laws are compared in the same water. Plain LOS has to settle where Δ tan β turns the heading against
the drift, β being the drift angle; an integral takes that away (Børhaug et al. 2008). Writes `monte_carlo_los.png`, and
with --table all members as CSV, Parquet or NetCDF.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from scipy.stats import randint

from blocks import Diagram, Result, Swarm
from blocks.basic import FirstOrderLag, MatrixGain, Mux, WhiteNoise
from blocks.control import PID, ComposeWrench
from blocks.dynamics import Vessel3DOF
from blocks.environment import UniformCurrent
from blocks.errors import KeelblocksError
from blocks.guidance import IntegralLineOfSight
from blocks.power import EnergyMeter
from blocks.study import Choice, Factor, LatinHypercube, Metric, Outcome, Study, Uniform
from blocks.style import ACTUAL, REFERENCE, SETTINGS, WAYPOINT
from blocks.thrust import DifferentialThrust

Array = NDArray[np.float64]

PATH = [[0.0, 0.0, 0.0], [160.0, 0.0, 0.0], [160.0, 60.0, 0.0], [0.0, 60.0, 0.0]]  # m
RADIUS = 4.0  # m, of acceptance
SPEED = 1.0  # m/s through the water
FASTEST = 0.5  # m/s, of the current
KAPPA = 0.3  # m/s; below the least speed over ground, SPEED - FASTEST, the integral is stable (Børhaug et al. 2008)
LAWS = {"LOS": 0.0, "ILOS": KAPPA}
LOOKAHEADS = (4.0, 8.0, 12.0)  # m
GUST, GUST_TIME = 10.0, 4.0  # N, standard deviation of the force from the side, and s
STEP, LIMIT = 0.2, 600.0  # s; who is under way at the limit has missed a waypoint
EVERY, SETTLED = 5, 20  # every fifth step is looked at, and of those the last twenty of the first leg: 20 s
DAMPING = Vessel3DOF.from_vehicle("otter").linear_damping
HULLS = {"clean": DAMPING, "fouled": 1.3 * DAMPING}
SEED = 1
SHOWN = 250  # tracks of each law
MAP_LOOKAHEAD = LOOKAHEADS[-1]
COLOURS = {
    "LOS": ("#fdba74", REFERENCE, "#9a3412"),
    "ILOS": ("#93c5fd", ACTUAL, "#1e3a8a"),
}
"""Of the laws, darker with the lookahead."""


def otter(gust: float = GUST) -> Diagram:
    """The Otter on its path. The speed through the water is held, so that the drift angle follows from the current
    alone, and not tapered: gusts turn the bow, and a taper would answer by going slower, which makes it drift more."""
    boat = Diagram("otter", title="Otter follows a path by line of sight")
    current = boat.add("current", UniformCurrent())
    vessel = boat.add("vessel", Vessel3DOF.from_vehicle("otter"))
    guidance = boat.add(
        "guidance",
        IntegralLineOfSight(waypoints=PATH, acceptance_radius=RADIUS, cruise_speed=SPEED, speed_taper=False),
    )
    # Margins at 1 m/s: heading 72° of phase, speed 110°, guidance 75° and a gain of 11 (21 dB).
    heading = boat.add("heading", PID(kp=60.0, kd=50.0, derivative="rate", angle=True, lower=-60.0, upper=60.0))
    speed = boat.add("speed", PID(kp=150.0, ki=60.0, derivative="none", lower=-100.0, upper=200.0))
    thrusters = boat.add("thrusters", DifferentialThrust.from_vehicle("otter"))
    arm = 1.0 / thrusters.spacing
    wanted = boat.add("wanted", Mux([1, 1]))
    allocation = boat.add("allocation", MatrixGain([[0.5, arm], [0.5, -arm]]))  # of X and N to port and starboard
    meter = boat.add("meter", EnergyMeter())
    noise = boat.add("noise", WhiteNoise(spectral_density=2.0 * GUST_TIME * gust**2, period=0.4))
    gusts = boat.add("gusts", FirstOrderLag(time_constant=GUST_TIME))
    push = boat.add("push", ComposeWrench())
    boat.connect(current.current, vessel.current)
    boat.connect(vessel.eta, guidance.eta)
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
    boat.connect(noise.y, gusts.u)
    boat.connect(gusts.y, push.Y)
    boat.connect(push.force, vessel.disturbance)
    return boat


def offset(run: Result) -> float:
    """Where the vehicle has settled beside the first leg, m."""
    first_leg = run.values("guidance.waypoint") == 2.0
    return float(run.values("guidance.cross_track_error")[first_leg][-SETTLED:].mean())


def study(samples: int, gust: float = GUST, seed: int = SEED) -> Study:
    """Each draw of current, gusts, payload and hull with each law and lookahead."""
    factors = {
        "law": Factor(LAWS, of="guidance.integral_gain"),
        "lookahead": Factor(list(LOOKAHEADS), of="guidance.lookahead"),
        "current": Factor(Uniform(0.0, FASTEST), of="current.speed"),
        "direction": Factor(Uniform("0 deg", "360 deg"), of="current.direction"),
        "mass": Factor(Uniform("55 kg", "80 kg"), of="vessel.mass"),  # up to 25 kg on board
        "hull": Factor(Choice(HULLS), of="vessel.linear_damping"),
        "gusts": Factor(randint(0, 2**32), of="noise.seed"),  # a factor, so that both laws have the same gusts
    }
    metrics = {
        "error": "rms(guidance.cross_track_error)",
        "offset": Metric(offset, needs=("guidance.cross_track_error", "guidance.waypoint"), unit="m"),
        "arrived": "final(guidance.finished)",
        "energy": "final(meter.energy)",
    }
    return Study(
        otter(gust), factors, metrics, design=LatinHypercube(samples), seed=seed, every=EVERY,
        end=LIMIT, step=STEP, stop="guidance.finished",
    )  # fmt: skip


def drift_angle(outcome: Outcome) -> Array:
    """β on the first leg, which leads north, of each sample: sin β is the current across over the speed through the
    water."""
    data = outcome.dataset
    return np.asarray(np.arcsin(data["current"] * np.sin(data["direction"]) / SPEED), dtype=np.float64)


def slope(outcome: Outcome, law: str, lookahead: float) -> float:
    """The offset beside the first leg over Δ tan β, by least squares over all samples."""
    found = outcome.dataset["offset"].sel(law=law, lookahead=lookahead).values
    there = np.isfinite(found)
    expected = lookahead * np.tan(drift_angle(outcome))[there]
    return float(found[there] @ expected / (expected @ expected))


def tracks(outcome: Outcome, law: str, lookahead: float, count: int) -> Array:
    """The way of the first samples, north and east, m, second by second: vehicles × times × 2. A study keeps a few
    numbers of each member; here the same members run again as a swarm, which keeps where they were."""
    drawn = outcome.dataset.isel(sample=slice(count))
    vehicles = drawn.sizes["sample"]
    parameters = {
        "guidance.integral_gain": np.full(vehicles, LAWS[law]),
        "guidance.lookahead": np.full(vehicles, lookahead),
        "current.speed": drawn["current"].values,
        "current.direction": drawn["direction"].values,
        "vessel.mass": drawn["mass"].values,
        "vessel.linear_damping": [HULLS[hull] for hull in drawn["hull"].values],
        "noise.seed": drawn["gusts"].values.astype(np.int64),
    }
    swarm = Swarm(otter(), vehicles, parameters=parameters)
    result = swarm.run(LIMIT, step=STEP, record="vessel.eta", every=EVERY, stop="guidance.finished")
    return np.asarray(result.values("vessel.eta")[:, :, :2])


def table(outcome: Outcome) -> Table:
    """Of each law and lookahead: who arrives, the RMS cross-track error of a run, its mean and quantiles, the offset
    that is settled at, and the energy of those who arrive."""
    made = Table("law", "Δ, m", "arrive, %", "RMS, m", "5 %", "50 %", "95 %", "offset by Δ tan β", "energy, kJ")
    for law in LAWS:
        for lookahead in LOOKAHEADS:
            members = outcome.dataset.sel(law=law, lookahead=lookahead)
            error, arrived = members["error"].values, members["arrived"].values > 0.5
            energy = members["energy"].values[arrived]
            made.add_row(
                law,
                f"{lookahead:g}",
                f"{100.0 * arrived.mean():.1f}",
                f"{np.nanmean(error):.2f}",
                *(f"{quantile:.2f}" for quantile in np.nanquantile(error, (0.05, 0.5, 0.95))),
                f"{slope(outcome, law, lookahead):.3f}",
                f"{1e-3 * energy.mean():.1f}" if energy.size else "",
            )
    return made


def figure(outcome: Outcome) -> Figure:
    """Tracks by law, offsets over the drift angle beside the analytic ones, and how errors are distributed."""
    drawn = Figure(figsize=(15.0, 8.2), layout="constrained")
    drawn.suptitle(f"An Otter follows a path in uncertain currents: {len(outcome):,} runs", x=0.01, ha="left")
    grid = drawn.add_gridspec(2, 3, width_ratios=(1.0, 1.0, 2.0))
    for column, law in enumerate(LAWS):
        ax = drawn.add_subplot(grid[:, column])
        _tracks(ax, tracks(outcome, law, MAP_LOOKAHEAD, SHOWN), law)
        arrived = outcome.dataset["arrived"].sel(law=law, lookahead=MAP_LOOKAHEAD).values > 0.5
        middle: dict[str, Any] = {"ha": "center", "va": "center", "color": COLOURS[law][1]}
        ax.text(30.0, 80.0, f"{100.0 * arrived.mean():.0f} %\narrive", fontsize=15.0, fontweight="bold", **middle)
        if column:
            ax.set_ylabel("")
            ax.tick_params(labelleft=False)
    _offsets(drawn.add_subplot(grid[0, 2]), outcome)
    _errors(drawn.add_subplot(grid[1, 2]), outcome)
    return drawn


def _tracks(ax: Axes, ways: Array, law: str) -> None:
    north, east = ways[:, :, 0].T, ways[:, :, 1].T
    ax.plot(east, north, color=COLOURS[law][1], linewidth=0.7, alpha=0.22)
    points = np.array(PATH)
    ax.plot(points[:, 1], points[:, 0], "--", color=WAYPOINT, linewidth=1.2)
    angle = np.linspace(0.0, 2.0 * np.pi, 60)
    for point in points[1:]:
        ax.plot(point[1] + RADIUS * np.sin(angle), point[0] + RADIUS * np.cos(angle), color=WAYPOINT, linewidth=1.2)
    ax.plot(*points[0, 1::-1], "o", color=WAYPOINT, markersize=5.0)
    ax.set(title=f"{law}, lookahead {MAP_LOOKAHEAD:g} m", xlabel="east, m", ylabel="north, m")
    ax.set(xlim=(-18.0, 78.0), ylim=(-12.0, 195.0), aspect="equal")


def _offsets(ax: Axes, outcome: Outcome) -> None:
    beta = drift_angle(outcome)
    fine = np.linspace(-1.0, 1.0, 200) * np.arcsin(FASTEST / SPEED)
    ax.axhspan(-RADIUS, RADIUS, color=WAYPOINT, alpha=0.08, linewidth=0.0)
    ax.text(np.degrees(fine[0]), RADIUS, " within the acceptance radius", va="top", color=WAYPOINT, fontsize=9.0)
    for law in LAWS:
        for lookahead, colour in zip(LOOKAHEADS, COLOURS[law], strict=True):
            found = outcome.dataset["offset"].sel(law=law, lookahead=lookahead).values
            ax.plot(np.degrees(beta), found, "o", color=colour, markersize=2.6, alpha=0.6, markeredgewidth=0.0)
    for lookahead in LOOKAHEADS:
        line = lookahead * np.tan(fine)
        ax.plot(np.degrees(fine), line, color="black", linewidth=0.9, linestyle=(0, (4, 3)))
        ax.annotate(f"Δ = {lookahead:g} m", (np.degrees(fine[-1]), line[-1]), (4, -4), textcoords="offset points")
    ax.text(-13.0, -5.4, "LOS, on the lines Δ tan β", color=REFERENCE, fontweight="bold")
    ax.text(16.0, -1.6, "ILOS", color=ACTUAL, fontweight="bold")
    ax.set(title="Steady offset from the first leg", xlabel="drift angle β from the current, °", ylabel="offset, m")


def _errors(ax: Axes, outcome: Outcome) -> None:
    for law in LAWS:
        for lookahead, colour in zip(LOOKAHEADS, COLOURS[law], strict=True):
            found = np.sort(outcome.dataset["error"].sel(law=law, lookahead=lookahead).values)
            share = 100.0 * np.arange(1, found.size + 1) / found.size
            ax.step(found, share, where="post", color=colour, label=f"{law}, {lookahead:g} m")
    ax.set(title="Cross-track error of a run", xlabel="RMS, m", ylabel="runs with less, %")
    ax.set(xlim=(0.0, None), ylim=(0.0, 100.0))
    ax.legend(loc="lower right", ncols=2)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the study, print its table, write the figure."""
    options = argparse.ArgumentParser(description="LOS and ILOS of an Otter in uncertain currents")
    options.add_argument("--members", type=int, default=6000, metavar="N", help="runs, in sixes (default: 6000)")
    options.add_argument("--output", type=Path, default=Path(), metavar="DIR", help="where files go (default: here)")
    options.add_argument("--workers", type=int, metavar="N", help="threads (default: all cores)")
    options.add_argument("--table", choices=("csv", "parquet", "nc"), help="write a row for each run too")
    given = options.parse_args(arguments)
    for name in ("members", "workers"):
        if getattr(given, name) is not None and getattr(given, name) < 1:
            options.error(f"argument --{name}: must be at least 1, not {getattr(given, name)}")
    try:
        _go(given)
    except KeelblocksError as problem:
        options.exit(1, f"{problem}\n")
    except OSError as problem:
        options.exit(1, f"cannot write into {given.output}: {problem.strerror}; --output names another folder\n")


def _go(given: Any) -> None:
    given.output.mkdir(parents=True, exist_ok=True)
    made = study(-(-given.members // (len(LAWS) * len(LOOKAHEADS))))
    began = time.perf_counter()
    outcome = made.run(workers=given.workers, progress=sys.stderr.isatty())
    console = Console()
    console.print(f"{outcome.summary()}, in {time.perf_counter() - began:.1f} s")
    console.print(table(outcome))
    if given.table:
        outcome.save(given.output / f"monte_carlo_los.{given.table}")
    with rc_context(SETTINGS):
        figure(outcome).savefig(given.output / "monte_carlo_los.png")


if __name__ == "__main__":
    main()
