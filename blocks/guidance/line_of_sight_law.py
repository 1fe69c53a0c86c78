"""What the line-of-sight laws share, so that one can take the place of another."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

from blocks.block import Sizes
from blocks.guidance.waypoints import LEG, WaypointGuidance
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import Pattern, Sources, elements, whole
from blocks.model.examples import Example
from blocks.signal import Angle, BodyVelocity, Length, Number, Speed

PLACE = LEG | {"eta": elements("x y")}
"""What decides how far the vehicle is from its leg."""


class LineOfSightLaw(WaypointGuidance, abstract=True):
    """The base of guidance that steers for straight legs: all but the angle at which it does so.

    It declares what every law has: ports, speed, sideslip and depth, whose kernel functions are in
    `cython_kernels/guidance/steering.pxd`. A law adds parameters and states, says by `law_sources` what its angle
    depends on, and may add outputs.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        {
            "waypoints": [[0.0, 0.0, 0.0], [20.0, 0.0, 2.0], [20.0, 0.0, 6.0], [0.0, 3.0, 4.0], [0.0, 3.0, 8.0]],
            "acceptance_radius": 6.0,
            "cruise_speed": 0.8,
        },
    )

    nu = Input(BodyVelocity, "velocity over ground; needed with sideslip_compensation only", default=0.0)

    heading = Output(Angle, "desired heading ψ_d, in [-π, π)")
    speed = Output(Speed, "desired surge velocity u_d")
    depth = Output(Length, "desired depth z_d")
    cross_track_error = Output(
        Length,
        "y_e, positive to starboard of the path",
        feedthrough=("eta",),
        depends=LEG | whole("kept_heading") | {"eta": elements("x y psi")},
    )
    waypoint = Output(
        Number,
        "number of the waypoint steered for, counted from 1",
        feedthrough=False,
        depends=whole("active_waypoint"),
    )
    finished = Output(
        Number, "1 when the last waypoint has been reached, else 0", feedthrough=False, depends=whole("phase")
    )

    lookahead = Parameter(10.0, unit="m", above=0.0, doc="lookahead distance Δ: how far ahead on the leg is aimed")
    cruise_speed = Parameter(unit="m/s", at_least=0.0, doc="desired speed U on a leg")
    speed_taper = Parameter(True, structural=True, doc="slow down while the heading is not yet the desired one")
    taper_angle = Parameter(
        math.pi / 2, unit="rad", above=0.0, at_most=math.pi, doc="heading error ψ_t at which the speed is down to 0"
    )
    sideslip_compensation = Parameter(
        False, structural=True, doc="turn the heading against the drift by the sideslip β"
    )
    sideslip_speed = Parameter(
        0.05, unit="m/s", above=0.0, doc="speed over ground V_β below which the sideslip is faded out"
    )
    sideslip_limit = Parameter(
        math.pi / 2,
        unit="rad",
        above=0.0,
        at_most=math.pi / 2,
        doc="greatest sideslip β_max that a law with a memory counters; π/2: as much as there is",
    )
    depth_reference = Parameter(
        "waypoint",
        choices=("waypoint", "leg"),
        structural=True,
        doc="depth of the next waypoint at once, or linearly along the leg",
    )

    @property
    def input_ports(self) -> Mapping[str, Input]:
        """`nu` may be left open where there is no sideslip to be compensated."""
        ports = dict(self.declared_inputs)
        if self.sideslip_compensation:
            ports["nu"] = Input(BodyVelocity, ports["nu"].doc, name="nu")
        return ports

    def law_sources(self) -> Sources:
        """The parameters and states that the angle off the leg depends on."""
        return whole("lookahead")

    def sideslip_sources(self) -> Sources:
        """What the sideslip depends on, where it is compensated."""
        return {"nu": elements("u v")} | whole("sideslip_speed")

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """`nu` counts with sideslip compensation only, and depth and speed may depend on no input at all."""
        if output == "heading" or (output == "speed" and self.speed_taper):
            return ("eta", "nu") if self.sideslip_compensation else ("eta",)
        if output == "speed":
            return ()
        if output == "depth":
            return ("eta",) if self.depth_reference == "leg" else ()
        return super().feedthrough(output)

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """Heading, speed and depth depend on what the choices say."""
        if output == "depth":
            return PLACE if self.depth_reference == "leg" else whole("waypoints", "active_waypoint")
        if output == "speed" and not self.speed_taper:
            return LEG | whole("cruise_speed")
        if output not in ("heading", "speed"):
            return super().output_sources(output, sizes)
        found = {**LEG, **self.law_sources()}
        if self.sideslip_compensation:
            found |= self.sideslip_sources()
        if output == "heading":
            return found | whole("kept_heading") | {"eta": self._pose()}
        return found | whole("cruise_speed", "taper_angle") | {"eta": self._pose()}

    def _pose(self) -> Pattern:
        """The elements of the pose that the heading depends on."""
        return elements("x y psi")
