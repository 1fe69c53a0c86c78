"""The benchmark model in pathsim: `DynamicalSystem`, `Function` and `Clip` blocks, its own `RK4`, a `Scope`."""

from time import perf_counter

import numpy as np
from numpy.typing import NDArray
from pathsim import Connection, Simulation
from pathsim.blocks import Clip, DynamicalSystem, Function, Scope
from pathsim.solvers import RK4

from benchmarks.model import FORCE_LIMIT, MOMENT_LIMIT, START, STATE_NAMES, STEP, Outcome
from benchmarks.peers.equations import (
    desired_heading,
    heading_error,
    heading_moment,
    speed_error,
    speed_force,
    vessel_rate,
)

Vector = NDArray[np.float64]


def build() -> tuple[Simulation, Scope]:
    """Return the closed loop and the scope that records the vessel's six states."""
    vessel = DynamicalSystem(
        func_dyn=lambda x, u, t: vessel_rate(x, *u.tolist()),
        func_alg=lambda x, u, t: x,
        initial_value=np.array(START),
    )
    guidance = Function(desired_heading)
    heading = DynamicalSystem(
        func_dyn=lambda z, u, t: heading_error(u[0], u[1]),
        func_alg=_heading_output,
        initial_value=0.0,
    )
    speed = DynamicalSystem(
        func_dyn=lambda w, u, t: speed_error(u[0]),
        func_alg=lambda w, u, t: speed_force(speed_error(u[0]), w[0]),
        initial_value=0.0,
    )
    moment_limit = Clip(-MOMENT_LIMIT, MOMENT_LIMIT)
    force_limit = Clip(-FORCE_LIMIT, FORCE_LIMIT)
    scope = Scope(labels=list(STATE_NAMES))
    simulation = Simulation(
        blocks=[vessel, guidance, heading, speed, moment_limit, force_limit, scope],
        connections=[
            Connection(vessel[:6], scope[:6]),
            Connection(vessel[:2], guidance[:2]),
            Connection(vessel[2], heading[1]),
            Connection(vessel[5], heading[2]),
            Connection(vessel[3], speed[0]),
            Connection(guidance[0], heading[0]),
            Connection(heading[0], moment_limit[0]),
            Connection(speed[0], force_limit[0]),
            Connection(force_limit[0], vessel[0]),
            Connection(moment_limit[0], vessel[1]),
        ],
        dt=STEP,
        Solver=RK4,
        log=False,
    )
    return simulation, scope


def _heading_output(z: Vector, u: Vector, t: float) -> float:
    heading, psi, r = u.tolist()
    return heading_moment(heading_error(heading, psi), z[0], r)


def run(end: float) -> Outcome:
    """Simulate the benchmark model to `end` [s] in pathsim."""
    simulation, scope = build()
    begin = perf_counter()
    simulation.run(end, adaptive=False)
    seconds = perf_counter() - begin
    time, states = scope.read()
    x, y, psi, u, v, r = states[:, -1].tolist()
    return Outcome(seconds, len(time) - 1, (x, y, psi, u, v, r))
