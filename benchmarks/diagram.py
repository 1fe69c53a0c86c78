"""The benchmark model as a Keelblocks diagram: vessel, line of sight, heading PID and speed PI, each its own block."""

import time

import numpy as np

from benchmarks import model
from benchmarks.model import Outcome, step_count
from blocks import Diagram
from blocks.basic import Constant
from blocks.compiled.opening import Compiled
from blocks.control import PID, ComposeWrench
from blocks.dynamics import Vessel3DOF
from blocks.guidance import CourseLine
from blocks.plan import Plan, make_plan

RECORDED = ["vessel.eta", "vessel.nu"]


def diagram() -> Diagram:
    """The closed loop of `benchmarks/model.py`."""
    x, y, psi, u, v, r = model.START
    loop = Diagram("benchmark")
    vessel = loop.add(
        "vessel",
        Vessel3DOF.diagonal(
            m=(model.M11, model.M22, model.M33),
            d=(model.D11, model.D22, model.D33),
            initial_eta=(x, y, 0.0, 0.0, 0.0, psi),
            initial_nu=(u, v, 0.0, 0.0, 0.0, r),
        ),
    )
    guidance = loop.add("guidance", CourseLine(course=model.COURSE, lookahead=model.LOOKAHEAD))
    heading = loop.add(
        "heading",
        PID(
            model.HEADING_KP,
            model.HEADING_KI,
            model.HEADING_KD,
            derivative="rate",
            angle=True,
            anti_windup="none",
            lower=-model.MOMENT_LIMIT,
            upper=model.MOMENT_LIMIT,
        ),
    )
    speed = loop.add(
        "speed",
        PID(
            model.SPEED_KP,
            model.SPEED_KI,
            derivative="none",
            anti_windup="none",
            lower=-model.FORCE_LIMIT,
            upper=model.FORCE_LIMIT,
        ),
    )
    desired = loop.add("desired_speed", Constant(model.DESIRED_SPEED))
    wrench = loop.add("wrench", ComposeWrench())
    loop.connect(vessel.eta, guidance.eta)
    loop.connect(guidance.heading, heading.reference)
    loop.connect(vessel.eta["psi"], heading.measurement)
    loop.connect(vessel.nu["r"], heading.rate)
    loop.connect(desired.port("y"), speed.reference)
    loop.connect(vessel.nu["u"], speed.measurement)
    loop.connect(heading.output, wrench.N)
    loop.connect(speed.output, wrench.X)
    loop.connect(wrench.force, vessel.force)
    return loop


def plan(end: float) -> Plan:
    """The plan of the closed loop for a run to `end` [s]."""
    return make_plan(diagram(), wanted=RECORDED, solver="rk4", step=model.STEP, end=end)


def run(end: float, code: Compiled | None = None) -> Outcome:
    """Simulate the benchmark model to `end` [s] through the general engine, or by compiled code of its plan."""
    made = plan(end)
    engine = made.engine()
    if code is not None:
        engine.run_compiled(code)
    steps = step_count(end)
    eta, nu = made.outputs["vessel.eta"].first, made.outputs["vessel.nu"].first
    places = np.array([eta, eta + 1, eta + 5, nu, nu + 1, nu + 5], dtype=np.intc)
    times, table = np.full(steps + 1, np.nan), np.full((steps + 1, 6), np.nan)
    engine.record(places, 1, times, table)
    began = time.perf_counter()
    engine.start(0.0)
    engine.advance(end)
    seconds = time.perf_counter() - began
    x, y, psi, u, v, r = table[-1].tolist()
    return Outcome(seconds, steps, (x, y, psi, u, v, r))
