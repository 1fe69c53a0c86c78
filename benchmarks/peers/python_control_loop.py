"""The benchmark model in python-control: `nlsys` systems wired by `interconnect`, run by `input_output_response`."""

from time import perf_counter
from typing import Any

import control
import numpy as np
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
Parameters = dict[str, Any]


def _heading_output(t: float, z: Vector, u: Vector, params: Parameters) -> float:
    heading, psi, r = u.tolist()
    return heading_moment(heading_error(heading, psi), z.item(), r)


def _speed_output(t: float, w: Vector, u: Vector, params: Parameters) -> float:
    return speed_force(speed_error(u.item()), w.item())


def _limit(bound: float, wanted: str, limited: str) -> control.NonlinearIOSystem:
    return control.nlsys(
        None,
        lambda t, x, u, params: min(bound, max(-bound, u.item())),
        inputs=[wanted],
        outputs=[limited],
        name=f"{limited}_limit",
    )


def build() -> control.InterconnectedSystem:
    """Return the closed loop: its states are those of the vessel, of the heading PID and of the speed PI."""
    vessel = control.nlsys(
        lambda t, x, u, params: vessel_rate(x, *u.tolist()),
        lambda t, x, u, params: x,
        inputs=["force", "moment"],
        outputs=list(STATE_NAMES),
        states=6,
        name="vessel",
    )
    guidance = control.nlsys(
        None,
        lambda t, x, u, params: desired_heading(*u.tolist()),
        inputs=["x", "y"],
        outputs=["heading"],
        name="guidance",
    )
    heading = control.nlsys(
        lambda t, z, u, params: heading_error(u.item(0), u.item(1)),
        _heading_output,
        inputs=["heading", "psi", "r"],
        outputs=["wanted_moment"],
        states=1,
        name="heading_pid",
    )
    speed = control.nlsys(
        lambda t, w, u, params: speed_error(u.item()),
        _speed_output,
        inputs=["u"],
        outputs=["wanted_force"],
        states=1,
        name="speed_pi",
    )
    force_limit = _limit(FORCE_LIMIT, "wanted_force", "force")
    moment_limit = _limit(MOMENT_LIMIT, "wanted_moment", "moment")
    return control.interconnect(
        [vessel, guidance, heading, speed, force_limit, moment_limit],
        inputs=None,
        outputs=list(STATE_NAMES),
        name="loop",
    )


def run(end: float) -> Outcome:
    """Simulate the benchmark model to `end` [s] in python-control."""
    system = build()
    begin = perf_counter()
    response = control.input_output_response(
        system,
        timepts=[0.0, end],
        initial_state=[*START, 0.0, 0.0],
        evaluation_times=None,
        solve_ivp_kwargs={"method": FixedStepRK4, "max_step": STEP},
    )
    seconds = perf_counter() - begin
    x, y, psi, u, v, r = response.states[:6, -1].tolist()
    return Outcome(seconds, len(response.time) - 1, (x, y, psi, u, v, r))
