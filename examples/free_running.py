"""Coefficients of a ship from a free-running model test that was published: fit, and hold-out.

    python examples/free_running.py --data FRT-DS-ESSO/data

The files are those of the Esso Osaka, 3 m long, of Osaka University; docs/identification_free_running.md says where
they are. They are not part of Keelblocks: without `--data` stand-ins in the same form are simulated, with noise, with a
rudder that is late, a gyro that is off, and stamps in whole seconds. What comes out then says nothing of that ship.
Writes `free_running.png`, `free_running_residuals.png`.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np

from blocks import Diagram, Simulator
from blocks.basic import Formula
from blocks.dynamics import Vessel3DOF
from blocks.lab.identification import Identified, Log, fit_figure, identify, residual_figure, what_next

MASS, LENGTH, X_G = 244.6, 3.0, 0.094  # kg, m, m, of the data set; the radius of gyration is not there: a usual one
YAW_INERTIA = MASS * ((0.25 * LENGTH) ** 2 + X_G**2)  # kg m², about midship
ADDED = {"X,u": 0.05 * MASS, "Y,v": 0.8 * MASS, "N,r": 0.6 * YAW_INERTIA}  # usual ones of a full ship
RATE = 10.0  # Hz
FITTED = ("zigzag/zigzag_31-Jul-2020_14_03_39.csv", "turning/turn_14-Sep-2020_13_39_32.csv")
HELD_OUT = "zigzag/zigzag_31-Jul-2020_13_29_19.csv"
COLUMNS = {"u": "u_velo", "v": "vm_velo", "r": "r_angvelo", "psi": "psi_hat", "n": "n_prop", "delta": "delta_rudder"}
NOISE = {"u": 0.004, "v": 0.004, "r": 0.001, "psi": 0.004}  # m/s, rad/s and rad, of the stand-ins
TRUTH = {
    "vessel.nonlinear_damping[X_|u|u]": 9.0, "vessel.linear_damping[Y,v]": 60.0, "vessel.linear_damping[N,v]": -50.0,
    "vessel.linear_damping[N,r]": 60.0, "vessel.added_mass[Y,v]": 215.0, "vessel.added_mass[N,r]": 75.0,
    "drive.k": 0.0125, "drive.c": 0.009,
}  # fmt: skip
DELAY, BIAS, DURATION = 0.3, 0.0015, 80.0  # s, of the rudder, rad/s, of the gyro, and s, of the stand-ins


def ship() -> Diagram:
    """The ship about midship: inputs n and delta. Damping, added mass, propeller and rudder are guesses.

    X = k n² - F δ,  Y = -F,  N = 0.48 L F,  F = c n² δ: a rudder in the race of the propeller, behind midship.
    """
    diagram = Diagram("ship")
    vessel = diagram.add("vessel", Vessel3DOF(
        mass=MASS, yaw_inertia=YAW_INERTIA, centre_of_gravity=[X_G, 0.0], added_mass=np.diag([*ADDED.values()]),
        linear_damping=[[0, 0, 0], [0, 90, 0], [0, 0, 90]], nonlinear_damping=[12.0, *[0.0] * 9],
    ))  # fmt: skip
    drive = diagram.add("drive", Formula(
        {"tau": "[k*n**2 - F*delta, -F, 0, 0, 0, lever*F]"}, inputs={"n": "rev/s", "delta": "rad"},
        parameters={"k": "0.02 N*s^2", "c": "0.01 N*s^2", "lever": f"{0.48 * LENGTH} m"},
        let={"F": "c*n**2*delta"}, units={"tau": "Wrench"},
    ))  # fmt: skip
    diagram.connect(drive.tau, vessel.force)
    diagram.inputs(n=drive.n, delta=drive.delta)
    return diagram


def read(file: Path) -> Log:
    """A file of the data set: units are in its headings; samples are taken at 10 Hz, which its stamps may not tell."""
    return Log.read(file, columns=COLUMNS, rate=f"{RATE} Hz", interpolation={"n": "hold", "delta": "hold"})


def fit(folder: Path) -> Identified:
    """Of a zigzag and a turn, with another zigzag held out."""
    return identify(
        ship(), [read(folder / name) for name in FITTED], hold_out=read(folder / HELD_OUT),
        inputs={"n": "n", "delta": "delta"},
        outputs={"vessel.nu[u]": "u", "vessel.nu[v]": "v", "vessel.nu[r]": "r", "vessel.eta[psi]": "psi"},
        parameters=dict.fromkeys(TRUTH), delay={"delta": (0.0, 2.0)}, bias=["r"],
    )  # fmt: skip


def stand_in(folder: Path) -> None:
    """Files with the names and the form of those of the data set, from a simulation."""
    plans = {FITTED[0]: (12.0, 20.0, 20.0), FITTED[1]: (10.0, 35.0, None), HELD_OUT: (12.0, 15.0, 15.0)}
    for seed, (name, (n, angle, turn)) in enumerate(plans.items(), start=300):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, n, np.radians(angle), None if turn is None else np.radians(turn), seed)


def _write(path: Path, n: float, angle: float, turn: float | None, seed: int) -> None:
    """One run: from the speed of its propeller on it zigzags with a rudder of 10°/s, or turns."""
    truth = ship()
    truth.blocks()["drive"].set(k=TRUTH["drive.k"], c=TRUTH["drive.c"])
    vessel = {name.partition(".")[2]: value for name, value in TRUTH.items()}
    truth.blocks()["vessel"].set(
        nonlinear_damping=[vessel["nonlinear_damping[X_|u|u]"], *[0.0] * 9],
        linear_damping=[[0, 0, 0], [0, vessel["linear_damping[Y,v]"], 0],
                        [0, vessel["linear_damping[N,v]"], vessel["linear_damping[N,r]"]]],
        initial_nu=[n * np.sqrt(TRUTH["drive.k"] / TRUTH["vessel.nonlinear_damping[X_|u|u]"]), *[0.0] * 5],
        added_mass=np.diag([ADDED["X,u"], vessel["added_mass[Y,v]"], vessel["added_mass[N,r]"]]),
    )  # fmt: skip
    random, rows, rudder = np.random.default_rng(seed), [], [0.0]
    late, begin = round(DELAY * RATE), round(5.0 * RATE)
    with Simulator(truth, step=0.1, record=[]) as simulator:
        simulator["n"], simulator["delta"] = n, 0.0
        simulator.start()
        side, before = 1.0, 0.0
        for k in range(round(DURATION * RATE) + 1):
            eta, nu = simulator["vessel.eta"], simulator["vessel.nu"]
            if k == begin:
                before = eta[5]
            if turn is not None and side * (eta[5] - before) >= turn:
                side = -side
            wanted = side * angle if k >= begin else 0.0
            rudder.append(rudder[-1] + float(np.clip(wanted - rudder[-1], -np.radians(1.0), np.radians(1.0))))
            now = {"u": nu[0], "v": nu[1], "r": nu[5] + BIAS, "psi": eta[5]}
            noisy = {key: value + NOISE[key] * random.normal() for key, value in now.items()}
            rows.append(
                [k // round(RATE), eta[0], noisy["u"], eta[1], noisy["v"], noisy["psi"], noisy["r"], n, rudder[-1]]
            )
            simulator["delta"] = rudder[max(len(rudder) - 1 - late, 0)]
            simulator.advance(1.0 / RATE)
    heading = ("t [s],x_position_mid [m],u_velo [m/s],y_position_mid [m],vm_velo [m/s],psi_hat [rad],r_angvelo [rad/s],"
               "n_prop [rps],delta_rudder [rad]")  # fmt: skip
    np.savetxt(path, rows, delimiter=",", header=heading, comments="", fmt="%.5f")


def main(data: Path | None) -> None:
    """Fit, and say what comes out."""
    with tempfile.TemporaryDirectory() as made:
        folder = data or Path(made)
        if data is None:
            stand_in(folder)
        found = fit(folder)
    print(found)
    print()
    print(what_next(found, drive="n", steer="delta"))
    fit_figure(found, title="Free-running model test").savefig("free_running.png")
    residual_figure(found, title="Free-running model test: what is left over").savefig("free_running_residuals.png")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the folder `data` of the data set")
    main(parser.parse_args().data)
