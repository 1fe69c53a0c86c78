"""Find the damping and added mass of an Otter again, from four short trials that are logged with noise.

The boat pushes and coasts, zigzags, and turns about at several rates: in each of them other coefficients show. Commands
are held from one sample to the next, as an autopilot gives them. What the model knows of the coefficients is forgotten
before, and an evasive manoeuvre, which is not fitted, tells how well they were found.
Writes `identify_otter.png` and `identify_otter_residuals.png`; with `--logs FOLDER` only the trials, as CSV.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from blocks import simulate
from blocks.dynamics import Vessel3DOF
from blocks.lab.identification import Log, fit_figure, identify, residual_figure

OTTER = Vessel3DOF.from_vehicle("otter")
INTERVAL = 0.1  # s, from sample to sample
NOISE = {"u": 0.005, "v": 0.005, "r": np.radians(0.3)}  # of a Doppler log, m/s, and of a gyro, rad/s
UNITS = {"thrust": "N", "moment": "N*m", "u": "m/s", "v": "m/s", "r": "rad/s"}
TRUTH = {
    "linear_damping[X,u]": OTTER.linear_damping[0, 0],
    "linear_damping[Y,v]": OTTER.linear_damping[1, 1],
    "linear_damping[N,r]": OTTER.linear_damping[2, 2],
    "nonlinear_damping[N_|r|r]": OTTER.nonlinear_damping[9],
    "added_mass[X,u]": OTTER.added_mass[0, 0],
    "added_mass[Y,v]": OTTER.added_mass[1, 1],
    "added_mass[N,r]": OTTER.added_mass[2, 2],
}


def square(time: np.ndarray, period: float) -> np.ndarray:
    """1 and -1 by turns; at the instant of a change, whatever rounding makes of it, what comes then."""
    return np.where((time + 1e-6) % period < 0.5 * period, 1.0, -1.0)


def trials() -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """By name the time, thrust, N, and moment, N·m, of each trial."""
    short, long = np.arange(0.0, 60.05, INTERVAL), np.arange(0.0, 120.05, INTERVAL)
    steps = np.array([4.0, -4.0, 8.0, -8.0, 30.0, -30.0])[np.minimum((long + 1e-6) // 20.0, 5).astype(int)]
    return {
        "push and coast": (long, 75.0 * (1.0 + square(long, 12.0)), 0.0 * long),
        "zigzag": (long, 0.0 * long + 110.0, 25.0 * square(long + 4.0, 16.0)),
        "turns": (long, 0.0 * long + 60.0, steps),
        "evasion": (short, 60.0 + 50.0 * square(short, 24.0), 20.0 * square(short + 2.0, 10.0) * (short > 4.95)),
    }


def logged(name: str, noise: float, random: np.random.Generator) -> Log:
    """One trial, as a logger would have it."""
    time, thrust, moment = trials()[name]
    force = np.zeros((len(time), 6))
    force[:, 0], force[:, 5] = thrust, moment
    rest = {"current": np.zeros(3), "disturbance": np.zeros(6)}
    run = simulate(OTTER, time[-1], step=INTERVAL, inputs={"force": (time, force, "hold"), **rest})
    columns = {"time": time, "thrust": thrust, "moment": moment}
    for column, deviation in NOISE.items():
        values = run.values(f"vessel_3dof.nu[{column}]")
        columns[column] = values + noise * deviation * random.normal(size=len(values))
    return Log.of(columns, UNITS, name=name)


def forgetful() -> Vessel3DOF:
    """The model before: its damping and added mass are guesses."""
    vessel = OTTER.copy()
    vessel.set(linear_damping=np.diag([50.0, 100.0, 100.0]), added_mass=np.diag([20.0, 50.0, 10.0]))
    vessel.set(nonlinear_damping=np.zeros(10))
    return vessel


def write_logs(folder: Path, seed: int = 1) -> None:
    """All trials as CSV, every second sample, yaw rates in degrees: those of `examples/identification`."""
    random = np.random.default_rng(seed)
    for name in trials():
        log = logged(name, 1.0, random)
        table = np.column_stack([log.time, *(log.columns[column] for column in UNITS)])[::2]
        table[:, -1] = np.degrees(table[:, -1])
        heading = "time [s],thrust [N],moment [N*m],u [m/s],v [m/s],r [deg/s]"
        path, formats = folder / f"{name.replace(' ', '_')}.csv", ["%.1f", "%g", "%g", "%.4f", "%.4f", "%.3f"]
        np.savetxt(path, table, delimiter=",", header=heading, comments="", fmt=formats)


def main() -> None:
    """Identify, and say how far it is from the truth."""
    random = np.random.default_rng(1)
    logs = [logged(name, 1.0, random) for name in trials()]
    found = identify(
        forgetful(),
        logs[:3],
        inputs={"force[X]": "thrust", "force[N]": "moment"},
        outputs={f"nu[{column}]": column for column in NOISE},
        parameters=dict.fromkeys(TRUTH),
        hold_out=logs[3],
    )
    print(found)
    print()
    for name, truth in TRUTH.items():
        low, high = found.intervals[name]
        error, inside = found.values[name] / truth - 1.0, "within" if low <= truth <= high else "outside"
        print(f"{name:26} true {truth:8.3f}, found {100 * error:+5.2f} %, {inside} the interval")
    fit_figure(found, title="Otter: three trials that are fitted, and one that is not").savefig("identify_otter.png")
    residual_figure(found, title="Otter: what is left over").savefig("identify_otter_residuals.png")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--logs", metavar="FOLDER", type=Path, help="only write the trials as CSV, into this folder")
    given = parser.parse_args()
    if given.logs is None:
        main()
    else:
        write_logs(given.logs)
