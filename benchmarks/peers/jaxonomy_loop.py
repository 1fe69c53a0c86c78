"""The benchmark model in jaxonomy: `LeafSystem` blocks in a diagram, compiled by JAX, its own fixed-step `rk4`.

The limits are `FeedthroughBlock` clips, not the library's `Saturate`: that one declares zero crossings, which cut the
fixed step where a limit is met, so neither the method nor the end state would be that of the benchmark model.
"""

import logging
from functools import cache
from time import perf_counter
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jaxonomy import DiagramBuilder, LeafSystem, SimulatorOptions, simulate
from jaxonomy.library import FeedthroughBlock

from benchmarks.model import (
    COURSE,
    D11,
    D22,
    D33,
    DESIRED_SPEED,
    FORCE_LIMIT,
    HEADING_KD,
    HEADING_KI,
    HEADING_KP,
    LOOKAHEAD,
    M11,
    M22,
    M33,
    MOMENT_LIMIT,
    SPEED_KI,
    SPEED_KP,
    START,
    STEP,
    Outcome,
    step_count,
)

Traced: TypeAlias = Any
"""What JAX passes through a block while it traces it: an array without a value yet, or a structure of them."""


class Vessel(LeafSystem):
    """Surge force and yaw moment in, the six vessel states out as one vector."""

    def __init__(self) -> None:
        super().__init__(name="vessel")
        self.declare_input_port(name="force")
        self.declare_input_port(name="moment")
        self.declare_continuous_state(default_value=jnp.array(START), ode=self.rate)
        self.declare_continuous_state_output(name="state")

    def rate(self, time: Traced, state: Traced, force: Traced, moment: Traced) -> Traced:
        _, _, psi, u, v, r = state.continuous_state
        c, s = jnp.cos(psi), jnp.sin(psi)
        return jnp.array(
            (
                u * c - v * s,
                u * s + v * c,
                r,
                (force + M22 * v * r - D11 * u) / M11,
                (-M11 * u * r - D22 * v) / M22,
                (moment + (M11 - M22) * u * v - D33 * r) / M33,
            )
        )


class Guidance(LeafSystem):
    """Vessel state in, line-of-sight heading out."""

    def __init__(self) -> None:
        super().__init__(name="guidance")
        self.declare_input_port(name="vessel")
        self.declare_output_port(self.heading, name="heading")

    def heading(self, time: Traced, state: Traced, vessel: Traced) -> Traced:
        cross_track_error = -vessel[0] * jnp.sin(COURSE) + vessel[1] * jnp.cos(COURSE)
        return COURSE - jnp.arctan2(cross_track_error, LOOKAHEAD)


class HeadingPID(LeafSystem):
    """Desired heading and vessel state in, yaw moment out."""

    def __init__(self) -> None:
        super().__init__(name="heading_pid")
        self.declare_input_port(name="heading")
        self.declare_input_port(name="vessel")
        self.declare_continuous_state(default_value=jnp.array(0.0), ode=self.error)
        self.declare_output_port(self.moment, name="moment")

    def error(self, time: Traced, state: Traced, heading: Traced, vessel: Traced) -> Traced:
        error = heading - vessel[2]
        return error - 2.0 * jnp.pi * jnp.floor((error + jnp.pi) / (2.0 * jnp.pi))

    def moment(self, time: Traced, state: Traced, heading: Traced, vessel: Traced) -> Traced:
        error = self.error(time, state, heading, vessel)
        return HEADING_KP * error + HEADING_KI * state.continuous_state - HEADING_KD * vessel[5]


class SpeedPI(LeafSystem):
    """Vessel state in, surge force out."""

    def __init__(self) -> None:
        super().__init__(name="speed_pi")
        self.declare_input_port(name="vessel")
        self.declare_continuous_state(default_value=jnp.array(0.0), ode=self.error)
        self.declare_output_port(self.force, name="force")

    def error(self, time: Traced, state: Traced, vessel: Traced) -> Traced:
        return DESIRED_SPEED - vessel[3]

    def force(self, time: Traced, state: Traced, vessel: Traced) -> Traced:
        return SPEED_KP * self.error(time, state, vessel) + SPEED_KI * state.continuous_state


@cache
def build() -> tuple[Any, Any]:
    """Return the closed loop and its vessel, the same objects each time: jaxonomy keeps compiled code per object."""
    builder = DiagramBuilder()
    vessel, guidance, heading, speed = builder.add(Vessel(), Guidance(), HeadingPID(), SpeedPI())
    force_limit, moment_limit = builder.add(
        FeedthroughBlock(lambda force: jnp.clip(force, -FORCE_LIMIT, FORCE_LIMIT), name="force_limit"),
        FeedthroughBlock(lambda moment: jnp.clip(moment, -MOMENT_LIMIT, MOMENT_LIMIT), name="moment_limit"),
    )
    for sink in (guidance.input_ports[0], heading.input_ports[1], speed.input_ports[0]):
        builder.connect(vessel.output_ports[0], sink)
    builder.connect(guidance.output_ports[0], heading.input_ports[0])
    builder.connect(heading.output_ports[0], moment_limit.input_ports[0])
    builder.connect(speed.output_ports[0], force_limit.input_ports[0])
    builder.connect(force_limit.output_ports[0], vessel.input_ports[0])
    builder.connect(moment_limit.output_ports[0], vessel.input_ports[1])
    return builder.build(name="loop"), vessel


def run(end: float) -> Outcome:
    """Simulate the benchmark model to `end` [s] in jaxonomy: once to compile, then once for the clock."""
    jax.config.update("jax_enable_x64", True)
    logging.getLogger("jaxonomy").setLevel(logging.WARNING)
    loop, vessel = build()
    options = SimulatorOptions(
        ode_solver_method="rk4",
        max_minor_step_size=STEP,
        # A buffer that fills is thinned out, so there is room beyond one sample a step: for the start and for a last
        # step of 1e-11 s that the summed time may leave.
        buffer_length=step_count(end) + 8,
    )
    context = loop.create_context()

    def timed() -> tuple[float, Any]:
        begin = perf_counter()
        results = simulate(loop, context, (0.0, end), options, recorded_signals={"vessel": vessel.output_ports[0]})
        return perf_counter() - begin, results

    timed()
    seconds, results = timed()
    x, y, psi, u, v, r = results.outputs["vessel"][-1].tolist()
    whole_steps = int(np.count_nonzero(np.diff(results.time) > 0.5 * STEP))
    return Outcome(seconds, whole_steps, (x, y, psi, u, v, r))
