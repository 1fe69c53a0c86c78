"""Sea trials of a boat with a rudder: turning circles to both sides and zigzag tests, with the standard figures.

The boat is that of usv_sim, 1.06 m long with one propeller; see `blocks/vehicles/usv_rudder_boat.yaml` for what was
published of it. How fast its rudder turns was not, and no manoeuvre was measured. Writes `turning_circle.png` and
`zigzag.png`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from blocks import Diagram
from blocks.basic import Sum
from blocks.dynamics import Vessel6DOF
from blocks.lab import turning_circle_figure, zigzag_figure
from blocks.lab.manoeuvres import turning_circle, zigzag
from blocks.thrust import AzimuthThrusters, Rudder

VEHICLE = "usv_rudder_boat"
RUDDER_RATE = np.radians(30.0)  # rad/s: that of a ship's steering gear, 2.3°/s, on the time scale of this boat
FULL_AHEAD: dict[str, Any] = {"inputs": {"throttle": 1.0}, "rudder": "rudder.angle", "approach": 10.0, "length": 1.06}


def rudder_boat() -> Diagram:
    """The boat with its propeller and rudder: inputs `throttle` and `rudder`, from the speed of full thrust."""
    boat = Diagram("rudder_boat", title="A boat with a propeller and a rudder")
    vessel = boat.add("vessel", Vessel6DOF.from_vehicle(VEHICLE, initial_nu=[1.0097, 0, 0, 0, 0, 0]))
    thruster = boat.add("thruster", AzimuthThrusters.from_vehicle(VEHICLE))
    gear = {"response": "rate_limited", "time_constant": 0.05, "rate_limit": RUDDER_RATE}
    rudder = boat.add("rudder", Rudder.from_vehicle(VEHICLE, **gear))
    total = boat.add("total", Sum("++"))
    boat.connect(vessel.nu_r, thruster.nu_r, rudder.nu_r)
    boat.connect(thruster.force, "total.in1")
    boat.connect(rudder.force, "total.in2")
    boat.connect(total.y, vessel.force)
    boat.inputs(throttle=thruster.command, rudder=rudder.command)
    return boat


boat = rudder_boat()
turns = [turning_circle(boat, "35 deg", **FULL_AHEAD), turning_circle(boat, "20 deg", sides="starboard", **FULL_AHEAD)]
zigzags = [zigzag(boat, angle, **FULL_AHEAD) for angle in ("10 deg", "20 deg")]
circles = {name: trial for turn in turns for name, trial in turn.trials.items()}
tests = {name: trial for test in zigzags for name, trial in test.trials.items()}
changes = {name: test.measures[name].heading_change for test in zigzags for name in test.measures}
for done in (*turns, *zigzags):
    print(done.table(), end="\n\n")
title = "The rudder boat of usv_sim"
turning_circle_figure(circles, length=1.06, title=f"{title}: turning circles").savefig("turning_circle.png")
zigzag_figure(tests, heading_change=changes, title=f"{title}: zigzag tests").savefig("zigzag.png")
