"""Sea trials of a boat with a rudder: turning circles to both sides and zigzag tests, with the standard figures.

The boat is that of usv_sim, 1.06 m long with one propeller; see `blocks/vehicles/usv_rudder_boat.yaml` for what was
published of it. How fast its rudder turns was not, and no manoeuvre was measured. Writes `turning_circle.png` and
`zigzag.png`.
"""

from __future__ import annotations

import numpy as np

from blocks import Block, Diagram, simulate
from blocks.basic import Constant, Step, Sum
from blocks.dynamics import Vessel6DOF
from blocks.guidance import ZigzagSteering
from blocks.lab import Trial, measure_turning_circle, measure_zigzag, table, turning_circle_figure, zigzag_figure
from blocks.thrust import AzimuthThrusters, Rudder

VEHICLE = "usv_rudder_boat"
EXECUTE = 10.0  # s, after an approach at full thrust
RUDDER_RATE = np.radians(30.0)  # rad/s: that of a ship's steering gear, 2.3°/s, on the time scale of this boat


def rudder_boat(helm: Block) -> Diagram:
    """The boat at full thrust and the speed that this gives it, steered by the output `rudder` or `y` of a block."""
    boat = Diagram("rudder_boat", title="A boat with a propeller and a rudder")
    vessel = boat.add("vessel", Vessel6DOF.from_vehicle(VEHICLE, initial_nu=[1.0097, 0, 0, 0, 0, 0]))
    thruster = boat.add("thruster", AzimuthThrusters.from_vehicle(VEHICLE))
    gear = {"response": "rate_limited", "time_constant": 0.05, "rate_limit": RUDDER_RATE}
    rudder = boat.add("rudder", Rudder.from_vehicle(VEHICLE, **gear))
    throttle = boat.add("throttle", Constant(1.0))
    total = boat.add("total", Sum("++"))
    boat.add("helm", helm)
    boat.connect(throttle.y, thruster.command)
    boat.connect(vessel.nu_r, thruster.nu_r, rudder.nu_r)
    boat.connect(thruster.force, "total.in1")
    boat.connect(rudder.force, "total.in2")
    boat.connect(total.y, vessel.force)
    if isinstance(helm, ZigzagSteering):
        boat.connect(vessel.eta, helm.eta)
        boat.connect(helm.rudder, rudder.command)
    else:
        boat.connect("helm.y", rudder.command)
    return boat


def turn(angle: float, end: float = 60.0) -> Trial:
    """A turning circle with a rudder angle, rad, positive to starboard."""
    run = simulate(rudder_boat(Step(time=EXECUTE, after=angle)), end, step=0.02)
    return Trial.of_run(run, order="helm.y", rudder="rudder.angle")


def zigzag(angle: float, first_side: str = "starboard") -> Trial:
    """A zigzag test with a rudder angle and heading change, rad."""
    helm = ZigzagSteering(angle, angle, start_time=EXECUTE, first_side=first_side)
    run = simulate(rudder_boat(helm), 60.0, solver="dopri5", step=0.02, stop="helm.finished")
    return Trial.of_run(run, order="helm.rudder", rudder="rudder.angle")


circles = {
    "35° to starboard": turn(np.radians(35.0)),
    "35° to port": turn(np.radians(-35.0)),
    "20° to starboard": turn(np.radians(20.0)),
}
changes = {"10°/10°": np.radians(10.0), "20°/20°": np.radians(20.0)}
zigzags = {name: zigzag(change) for name, change in changes.items()}
print(table({name: measure_turning_circle(trial) for name, trial in circles.items()}))
print()
print(table({name: measure_zigzag(trial, changes[name]) for name, trial in zigzags.items()}))
title = "The rudder boat of usv_sim"
turning_circle_figure(circles, length=1.06, title=f"{title}: turning circles").savefig("turning_circle.png")
zigzag_figure(zigzags, heading_change=changes, title=f"{title}: zigzag tests").savefig("zigzag.png")
