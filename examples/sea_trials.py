"""SMARTY in waves: a regular wave beside what a towing tank and another simulator have, and trends in irregular seas.

The vehicle is a cylinder of 0.3 m of the University of Southampton, and what it does was published by Thomas, Bossens
and Tarapore (2021), ASVLite: a high-performance simulator for autonomous surface vehicles: its motion in a wave of 6 cm
(table II), and trends over 13 significant heights, 33 headings and 100 seeds, 42 900 runs of 50 m (fig. 2). With --full
all of these are run, else a few. Writes `sea_trials_tank.png`, `sea_trials_trends.png` and `sea_trials.nc`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from blocks import Diagram, Result, simulate
from blocks.basic import Compare, Constant
from blocks.block import Block
from blocks.control import PID, ComposeWrench
from blocks.dynamics import FloatingVehicle
from blocks.environment import PiersonMoskowitzSea, RegularWave, WaveLoad
from blocks.study import Factor, Metric, Outcome, Study
from blocks.style import ACTUAL, LEGEND, REFERENCE, SERIES, SETTINGS, WAYPOINT

Array = NDArray[np.float64]

MOTIONS = {"heave": (2, -100.0, "cm"), "roll": (3, 180.0 / np.pi, "°"), "pitch": (4, 180.0 / np.pi, "°")}
"""Which element of η, and how it is shown: heave positive up, as in the source."""

STEP = 0.04  # s, as in the source
SOLVER = "rk4"  # Euler's method, as in the source, adds energy at this step; see solvers()
AMPLITUDE = 0.06  # m
SETTLED = 160.0  # s
TANK = {"heave": (-6.8, 6.8), "roll": (-17.2, 8.9), "pitch": (-11.5, 9.7)}
ASVLITE = {"heave": (-7.8, 7.6), "roll": (-13.5, 14.8), "pitch": (-4.1, 12.3)}
PERIODS = np.round(np.arange(0.8, 2.51, 0.05), 2)  # s; a wave of 6 cm breaks below 0.73 s, where its length is 0.84 m
DIRECTIONS = np.radians(np.arange(7.5, 90.0, 7.5))  # that it travels to, from the bow; all others are mirror images

THRUST = 4.0  # N, of all thrusters together
DISTANCE = 50.0  # m
TIME_LIMIT = 300.0  # s; 50 m take 90 to 120 s, so one that is still under way will not arrive
HEIGHTS = np.linspace(0.5, 2.0, 13)  # m, significant
HEADINGS = np.linspace(0.0, 360.0, 33)  # °, that waves travel to, seen from the bow: 180° is head sea
SEEDS = 100


def vehicle(sea: Block, thrust: float = 0.0) -> Diagram:
    """The vehicle in a sea, heading north. A stiff heading controller stands for the yaw that the source holds
    fixed; the published yaw moment, which turns even a round hull, is left out."""
    boat = Diagram("trial", title="SMARTY in waves")
    boat.add("sea", sea)
    load = boat.add("load", WaveLoad.from_vehicle("smarty", yaw_moment="corners"))
    vessel = boat.add("vessel", FloatingVehicle.from_vehicle("smarty"))
    # Margins: 73° of phase, any gain.
    heading = boat.add("heading", PID(kp=4.0, kd=1.0, derivative="rate", angle=True))
    wrench = boat.add("wrench", ComposeWrench())
    arrived = boat.add("arrived", Compare(">="))
    boat.add("north", Constant(0.0))
    boat.add("thrust", Constant(thrust))
    boat.add("distance", Constant(DISTANCE))
    boat.connect("sea.waves", load.waves)
    boat.connect(vessel.eta, load.eta)
    boat.connect(load.disturbance, vessel.disturbance)
    boat.connect("north.y", heading.reference)
    boat.connect(vessel.eta["psi"], heading.measurement)
    boat.connect(vessel.nu["r"], heading.rate)
    boat.connect("thrust.y", wrench.X)
    boat.connect(heading.output, wrench.N)
    boat.connect(wrench.force, vessel.force)
    boat.connect(vessel.eta["x"], arrived.u1)
    boat.connect("distance.y", arrived.u2)
    boat.outputs(eta=vessel.eta, nu=vessel.nu)
    return boat


def steady(run: Result, motion: str) -> Array:
    """A motion in the last quarter of a run, in the unit that it is shown in. Roll settles slowly: it has quadratic
    damping only, which fades with the motion."""
    element, factor, _ = MOTIONS[motion]
    return factor * run.values("vessel.eta")[3 * len(run.time) // 4 :, element]


def tank(periods: Array = PERIODS, directions: Array = DIRECTIONS) -> Outcome:
    """Amplitudes in a regular wave over its period and direction: the source says neither."""

    def amplitude(motion: str) -> Metric:
        unit = MOTIONS[motion][2].replace("°", "deg")
        return Metric(lambda run: float(np.ptp(steady(run, motion))) / 2.0, needs="vessel.eta", unit=unit)

    return Study(
        vehicle(RegularWave(AMPLITUDE, 1.0)),
        {"period": Factor(list(periods), of="sea.period"), "direction": Factor(list(directions), of="sea.direction")},
        {motion: amplitude(motion) for motion in MOTIONS},
        end=SETTLED, step=STEP, solver=SOLVER,
    ).run()  # fmt: skip


def nearest(outcome: Outcome) -> tuple[int, int]:
    """Period and direction whose three amplitudes are nearest to those of the tank, by the squares of the logarithms
    of their ratios."""
    away = sum(np.log(outcome.values(motion) / (np.ptp(TANK[motion]) / 2.0)) ** 2 for motion in MOTIONS)
    first, second = np.unravel_index(np.argmin(away), outcome.shape)
    return int(first), int(second)


def regular(period: float, direction: float) -> Result:
    """The vehicle in one regular wave."""
    wave = RegularWave(AMPLITUDE, period, direction=direction)
    return simulate(vehicle(wave), SETTLED, step=STEP, solver=SOLVER, record="vessel.eta")


def sea(height: float, **parameters: object) -> PiersonMoskowitzSea:
    """The sea that a wind has raised to a significant height, which goes with the square of its speed. Bands are of
    equal width, 15 of frequency and 5 of direction, as in the source: there are many in the tail that way, which is
    what rolls a small vehicle."""
    speed = np.sqrt(height / PiersonMoskowitzSea(1.0).significant_height)
    return PiersonMoskowitzSea(speed, frequencies=15, directions=5, bands="equal-step", **parameters)


def trends(heights: Sequence[float] | Array, headings: Sequence[float] | Array, seeds: int) -> Study:
    """Runs over the distance in irregular seas, of which significant amplitudes are kept.

    Headings are in degrees. The grid of the source has 0° as well as 360°, the same direction, with seas of their own:
    the difference between the two shows how much is left to chance, and `circular=False` says that this is meant.
    """
    factors = {
        "significant_height": {float(height): {"sea.wind_speed": sea(height).wind_speed} for height in heights},
        "heading": Factor(list(np.radians(headings)), of="sea.direction", circular=False),
    }
    metrics = {
        motion: f"significant(vessel.eta[{label}])"
        for motion, label in zip(MOTIONS, ("z", "phi", "theta"), strict=True)
    }
    return Study(
        vehicle(sea(1.0), THRUST), factors, metrics, replicates=seeds, seeds="sea.seed", seed=1,
        end=TIME_LIMIT, step=STEP, solver=SOLVER, stop="arrived.y",
    )  # fmt: skip


def means(outcome: Outcome, motion: str) -> Array:
    """Significant amplitudes, heights × headings: means over the seeds, in the unit that they are shown in."""
    return abs(MOTIONS[motion][1]) * np.nanmean(outcome.values(motion), axis=2)


def solvers(height: float = 0.5, direction: str = "90 deg") -> dict[str, dict[str, float]]:
    """Significant amplitudes in one sea by solver and step, over 100 s."""
    boat = vehicle(sea(height, direction=direction, seed=1), THRUST)
    found = {}
    for solver, step in (("euler", STEP), ("heun", STEP), ("rk4", STEP), ("rk4", STEP / 8.0)):
        eta = simulate(boat, 100.0, step=step, solver=solver, record="vessel.eta").values("vessel.eta")
        found[f"{solver}, {1000 * step:g} ms"] = {m: 2.0 * abs(k) * eta[:, i].std() for m, (i, k, _) in MOTIONS.items()}
    return found


def tank_table(run: Result) -> Table:
    """Ranges of motion: tank, ASVLite, and here."""
    table = Table("motion", "towing tank", "ASVLite", "here")
    for motion, (_, _, unit) in MOTIONS.items():
        found = steady(run, motion)
        ranges = (TANK[motion], ASVLITE[motion], (found.min(), found.max()))
        table.add_row(f"{motion}, {unit}", *(f"{least:.1f} … {most:.1f}" for least, most in ranges))
    return table


def solver_table(found: dict[str, dict[str, float]]) -> Table:
    """Significant amplitudes by solver."""
    table = Table("solver, step", *(f"{motion}, {unit}" for motion, (_, _, unit) in MOTIONS.items()))
    for name, amplitudes in found.items():
        table.add_row(name, *(f"{amplitude:.1f}" for amplitude in amplitudes.values()))
    return table


def trend_table(outcome: Outcome) -> Table:
    """Significant amplitudes, least and most over the headings, with where the most is."""
    heights, headings = (column.values for column in outcome.columns)
    table = Table("H_s, m", *(f"{motion}, {unit}" for motion, (_, _, unit) in MOTIONS.items()))
    for number, height in enumerate(heights):
        rows = [means(outcome, motion)[number] for motion in MOTIONS]
        cells = [f"{row.min():.1f} … {row.max():.1f} at {np.degrees(headings[row.argmax()]):g}°" for row in rows]
        table.add_row(f"{float(height):g}", *cells)
    return table


def effort(outcome: Outcome, seconds: float) -> str:
    """What a study took: runs, simulated time and wall time."""
    days = float(outcome.end_time.sum()) / 86400.0
    rate = len(outcome) / seconds
    return f"{len(outcome)} runs, {days:.2g} days of simulated time, in {seconds:.0f} s: {rate:.0f} runs/s"


def tank_figure(outcome: Outcome, run: Result) -> Figure:
    """Amplitudes over the period of a regular wave, and the motion in the nearest one over time."""
    periods, directions = (column.values for column in outcome.columns)
    place = nearest(outcome)
    figure = Figure(figsize=(14.0, 7.6), layout="constrained")
    degrees = np.degrees(directions[place[1]])
    figure.suptitle(
        f"SMARTY in a regular wave of 6 cm; below: {periods[place[0]]:g} s, heading {degrees:g}°", x=0.01, ha="left"
    )
    for column, (motion, (_, _, unit)) in enumerate(MOTIONS.items()):
        top, below = figure.add_subplot(2, 3, 1 + column), figure.add_subplot(2, 3, 4 + column)
        _over_periods(top, outcome, motion, place)
        top.set(title=motion.capitalize(), xlabel="period of the wave, s", ylabel=f"amplitude, {unit}")
        found = steady(run, motion)
        elapsed = run.time[: len(found)]
        shown = elapsed <= 6.0
        below.axhspan(*TANK[motion], color=REFERENCE, alpha=0.16, linewidth=0.0, label="towing tank")
        for limit, label in zip(ASVLITE[motion], ("ASVLite", None), strict=True):
            below.axhline(limit, color=WAYPOINT, linewidth=1.2, linestyle="--", label=label)
        below.plot(elapsed[shown], found[shown], color=ACTUAL, label="here")
        below.set(xlabel="time, s", ylabel=f"{motion}, {unit}")
        if column == 2:
            below.legend(**LEGEND, ncols=3)
    return figure


def _over_periods(ax: Axes, outcome: Outcome, motion: str, place: tuple[int, int]) -> None:
    periods, directions = (column.values for column in outcome.columns)
    amplitudes = outcome.values(motion)
    for colour, number in zip(SERIES, range(len(directions) // 6, len(directions), len(directions) // 3), strict=False):
        label = f"heading {np.degrees(directions[number]):g}°"
        ax.plot(periods, amplitudes[:, number], color=colour, label=label)
    ax.plot(periods[place[0]], amplitudes[place], "o", color=ACTUAL, markersize=8.0, label="shown below")
    ax.axhline(np.ptp(TANK[motion]) / 2.0, color=REFERENCE, linewidth=6.0, alpha=0.25, label="towing tank")
    ax.axhline(np.ptp(ASVLITE[motion]) / 2.0, color=WAYPOINT, linewidth=1.2, linestyle="--", label="ASVLite")
    ax.set_ylim(bottom=0.0)
    if motion == "pitch":
        ax.legend(loc="upper right")


def trend_figure(outcome: Outcome) -> Figure:
    """Significant amplitudes over the heading, a line for each significant height."""
    heights, headings = (np.asarray(column.values, dtype=np.float64) for column in outcome.columns)
    colours = ScalarMappable(Normalize(heights.min(), heights.max()), mpl.colormaps["viridis_r"])
    figure = Figure(figsize=(14.0, 4.6), layout="constrained")
    figure.suptitle(f"Significant amplitudes, means of {outcome.shape[2]} runs of {DISTANCE:g} m", x=0.01, ha="left")
    axes = figure.subplots(1, 3)
    for ax, (motion, (_, _, unit)) in zip(axes, MOTIONS.items(), strict=True):
        for height, line in zip(heights, means(outcome, motion), strict=True):
            ax.plot(np.degrees(headings), line, color=colours.to_rgba(height), linewidth=1.5)
        ax.set(
            title=motion.capitalize(),
            xlabel="heading of the waves (180°: head sea)",
            ylabel=f"significant amplitude, {unit}",
        )
        ax.set_xticks(np.arange(0.0, 361.0, 90.0))
        ax.set_ylim(bottom=0.0)
    figure.colorbar(colours, ax=axes, label="significant height, m", pad=0.01)
    return figure


def main(arguments: Sequence[str] | None = None) -> None:
    """Run both, print tables, write figures."""
    options = argparse.ArgumentParser(description="SMARTY in regular and irregular waves")
    options.add_argument("--full", action="store_true", help="all 42 900 runs of the published study, some minutes")
    full = options.parse_args(arguments).full
    console = Console()
    waves = tank()
    period, direction = (column.values[i] for column, i in zip(waves.columns, nearest(waves), strict=True))
    run = regular(period, direction)
    console.print(f"the wave nearest to the tank: {period:g} s, heading {np.degrees(direction):g}°")
    console.print(tank_table(run), solver_table(solvers()))
    study = trends(HEIGHTS, HEADINGS, SEEDS) if full else trends(HEIGHTS[::4], HEADINGS[::4], 6)
    began = time.perf_counter()
    outcome = study.run(progress=full)
    console.print(effort(outcome, time.perf_counter() - began))
    arrived = outcome.status.count("stopped")
    console.print(f"{arrived} of {len(outcome)} arrived, after {outcome.end_time.min():.0f} to "
                  f"{outcome.end_time.max():.0f} s")  # fmt: skip
    console.print(trend_table(outcome))
    outcome.save("sea_trials.nc")
    with rc_context(SETTINGS):
        tank_figure(waves, run).savefig("sea_trials_tank.png")
        trend_figure(outcome).savefig("sea_trials_trends.png")


if __name__ == "__main__":
    main()
