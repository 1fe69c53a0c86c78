"""The benchmark model in bdsim: three blocks with states of our own, its `FUNCTION` and `CLIP` blocks."""

from time import perf_counter
from typing import Any, ClassVar

import bdsim
import numpy as np
from bdsim import BDSim
from bdsim.block import ContinuousBlock
from numpy.typing import NDArray

from benchmarks.model import FORCE_LIMIT, MOMENT_LIMIT, START, STATE_NAMES, STEP, Outcome
from benchmarks.peers.equations import (
    desired_heading,
    heading_error,
    heading_moment,
    speed_error,
    speed_force,
    vessel_rate,
)
from benchmarks.peers.fixed_step_rk4 import FixedStepRK4

Vector = NDArray[np.float64]


class Vessel(ContinuousBlock):
    """Surge force and yaw moment in, the six vessel states out as one vector."""

    nin: ClassVar = 2
    nout: ClassVar = 1

    def __init__(self, **options: Any) -> None:
        super().__init__(x0=START, snames=list(STATE_NAMES), **options)

    def output(self, t: float, u: list[Any], x: Vector) -> list[Any]:
        return [x]

    def deriv(self, t: float, u: list[Any], x: Vector) -> Vector:
        return vessel_rate(x, *u)


class HeadingPID(ContinuousBlock):
    """Desired heading and vessel state in, yaw moment out."""

    nin: ClassVar = 2
    nout: ClassVar = 1

    def __init__(self, **options: Any) -> None:
        super().__init__(nstates=1, feedthrough=True, **options)

    def output(self, t: float, u: list[Any], x: Vector) -> list[Any]:
        heading, vessel = u
        return [heading_moment(heading_error(heading, vessel.item(2)), x.item(), vessel.item(5))]

    def deriv(self, t: float, u: list[Any], x: Vector) -> Vector:
        heading, vessel = u
        return np.array((heading_error(heading, vessel.item(2)),))


class SpeedPI(ContinuousBlock):
    """Vessel state in, surge force out."""

    nin: ClassVar = 1
    nout: ClassVar = 1

    def __init__(self, **options: Any) -> None:
        super().__init__(nstates=1, feedthrough=True, **options)

    def output(self, t: float, u: list[Any], x: Vector) -> list[Any]:
        return [speed_force(speed_error(u[0].item(3)), x.item())]

    def deriv(self, t: float, u: list[Any], x: Vector) -> Vector:
        return np.array((speed_error(u[0].item(3)),))


def build() -> tuple[BDSim, bdsim.BlockDiagram]:
    """Return the simulator and the compiled closed loop."""
    simulator = BDSim(banner=False, toolboxes=False, sysargs=False, quiet=True, progress=False, graphics=False)
    diagram = simulator.blockdiagram()
    vessel = Vessel(name="vessel", bd=diagram)
    guidance = diagram.FUNCTION(lambda state: desired_heading(state.item(0), state.item(1)), name="guidance")
    heading = HeadingPID(name="heading", bd=diagram)
    speed = SpeedPI(name="speed", bd=diagram)
    force_limit = diagram.CLIP(-FORCE_LIMIT, FORCE_LIMIT, name="force_limit")
    moment_limit = diagram.CLIP(-MOMENT_LIMIT, MOMENT_LIMIT, name="moment_limit")
    diagram.connect(vessel, guidance, heading[1], speed)
    diagram.connect(guidance, heading[0])
    diagram.connect(heading, moment_limit)
    diagram.connect(speed, force_limit)
    diagram.connect(force_limit, vessel[0])
    diagram.connect(moment_limit, vessel[1])
    diagram.compile()
    return simulator, diagram


def run(end: float) -> Outcome:
    """Simulate the benchmark model to `end` [s] in bdsim."""
    simulator, diagram = build()
    begin = perf_counter()
    results = simulator.run(diagram, T=end, max_step=STEP, solver_args={"method": FixedStepRK4}, block=False)
    seconds = perf_counter() - begin
    x, y, psi, u, v, r = (float(results.x[-1, results.xnames.index(name)]) for name in STATE_NAMES)
    return Outcome(seconds, len(results.t) - 1, (x, y, psi, u, v, r))
