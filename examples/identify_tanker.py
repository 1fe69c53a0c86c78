"""Find sway and yaw derivatives of the tanker KVLCC2 again, from two zigzag tests of its 7 m model.

Recordings of the real tests have no licence under which they could be here, so these are simulated at 11.86 rev/s,
with the noise of a Doppler log, 5 mm/s, and of a gyro, 0.1°/s. Guesses of the four linear derivatives are 40 % to 50 %
wrong. With `--logs FOLDER` only the tests, as CSV.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from blocks import Diagram
from blocks.dynamics import MMGVessel
from blocks.lab.identification import Log, identify
from blocks.lab.manoeuvres import zigzag
from blocks.thrust import MMGPropulsion

VEHICLE, SPEED, REVOLUTIONS = "kvlcc2_l7", 1.179, 11.86
NOISE = {"u": 0.005, "v": 0.005, "r": np.radians(0.1)}
UNITS = {"rudder": "rad", "u": "m/s", "v": "m/s", "r": "rad/s"}
HULL = MMGVessel.from_vehicle(VEHICLE)
TRUTH = {
    "vessel.sway_derivatives[Y_v]": HULL.sway_derivatives[0],
    "vessel.sway_derivatives[Y_r]": HULL.sway_derivatives[1],
    "vessel.yaw_derivatives[N_v]": HULL.yaw_derivatives[0],
    "vessel.yaw_derivatives[N_r]": HULL.yaw_derivatives[1],
}


def tanker(**gear: Any) -> Diagram:
    """The ship with the inputs `revolutions` and `rudder`."""
    ship = Diagram("tanker")
    vessel = ship.add("vessel", MMGVessel.from_vehicle(VEHICLE, initial_nu=[SPEED, 0, 0, 0, 0, 0]))
    propulsion = ship.add("propulsion", MMGPropulsion.from_vehicle(VEHICLE, **gear))
    ship.connect(vessel.nu_r, propulsion.nu_r)
    ship.connect(propulsion.force, vessel.force)
    ship.inputs(revolutions=propulsion.command, rudder=propulsion.rudder)
    return ship


def logged(order: str, random: np.random.Generator) -> Log:
    """A zigzag test, as a logger would have it: the rudder as it turns, and how the ship moves."""
    held: dict[str, Any] = {"inputs": {"revolutions": [REVOLUTIONS]}, "approach": "2 s", "step": 0.1}
    run = zigzag(tanker(), order, sides="starboard", **held).run
    columns = {"time": run.time, "rudder": run.values("propulsion.angle")[:, 0]}
    for name, deviation in NOISE.items():
        columns[name] = run.values(f"vessel.nu[{name}]") + deviation * random.normal(size=len(run.time))
    return Log.of(columns, UNITS, name=f"zigzag {order}")


def write_logs(folder: Path, seed: int = 1) -> None:
    """Both tests as CSV, every third sample, angles in degrees: those of `examples/identification`."""
    random = np.random.default_rng(seed)
    for order in (10, 20):
        log = logged(f"{order} deg", random)
        table = np.column_stack([log.time, *(log.columns[name] for name in UNITS)])[::3]
        table[:, [1, 4]] = np.degrees(table[:, [1, 4]])
        heading, formats = "time [s],rudder [deg],u [m/s],v [m/s],r [deg/s]", ["%.1f", "%.3f", "%.4f", "%.4f", "%.3f"]
        np.savetxt(folder / f"tanker_{order}.csv", table, delimiter=",", header=heading, comments="", fmt=formats)


def main() -> None:
    """Identify, and say how far it is from the truth."""
    random = np.random.default_rng(1)
    guess = tanker(response="instant")  # the log has the rudder itself
    sway, yaw = np.array(HULL.sway_derivatives), np.array(HULL.yaw_derivatives)
    sway[:2] *= [0.6, 1.5]
    yaw[:2] *= [1.4, 0.6]
    guess["vessel"].set(sway_derivatives=sway, yaw_derivatives=yaw)
    found = identify(
        guess,
        [logged(order, random) for order in ("10 deg", "20 deg")],
        inputs={"rudder": "rudder", "revolutions": REVOLUTIONS},
        outputs={f"vessel.nu[{name}]": name for name in NOISE},
        parameters=dict.fromkeys(TRUTH),
    )
    print(found)
    print()
    for name, truth in TRUTH.items():
        print(f"{name:30} true {truth:7.4f}, found {100 * (found.values[name] / truth - 1.0):+5.2f} %")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--logs", metavar="FOLDER", type=Path, help="only write the tests as CSV, into this folder")
    given = parser.parse_args()
    if given.logs is None:
        main()
    else:
        write_logs(given.logs)
