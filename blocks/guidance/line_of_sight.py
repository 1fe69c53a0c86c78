"""Line-of-sight guidance along the legs between waypoints."""

from __future__ import annotations

import math

from blocks.block import Sizes
from blocks.declare import Input, Output, Parameter, State
from blocks.dependence import Sources, elements, whole
from blocks.guidance.waypoints import LEG, WaypointGuidance
from blocks.signal import Angle, BodyVelocity, Length, Number, Speed, Time


class LineOfSight(WaypointGuidance):
    """Line-of-sight guidance along straight legs between waypoints, proportional (LOS) or with integral action (ILOS).

    Path:     x_e = (x - x_k) cos α_k + (y - y_k) sin α_k,  y_e = -(x - x_k) sin α_k + (y - y_k) cos α_k
    Heading:  ψ_d = α_k - atan((y_e + κ y_int)/Δ) - β,  dy_int/dt = Δ y_e/(Δ² + (y_e + κ y_int)²)
    Sideslip: β = asin(v/V), V = √(u² + v²), times V/V_β where V < V_β; 0 without `sideslip_compensation`
    Speed:    u_d = U max(0, 1 - |e_ψ|/ψ_t), e_ψ = ψ_d - ψ the short way round; U without `speed_taper`
    Depth:    z_d = z_{k+1} ("waypoint"), or on the straight line from z_k to z_{k+1} abeam of the vehicle ("leg")

    x, y, ψ of `eta` and u, v of `nu` (over ground); α_k: course of the leg from waypoint k to k + 1, L its horizontal
    length, m; x_e, y_e: distance along the leg and from it, m; y_e is positive to starboard of the path; Δ:
    `lookahead`, m; κ: `integral_gain`, m/s, 0 for plain LOS; y_int: state `cross_track_integral`, s; U:
    `cruise_speed`, m/s; ψ_t: `taper_angle`, rad; V_β: `sideslip_speed`, m/s; ψ_d: `heading`, rad in [-π, π).

    **Legs.** The first leg leads from waypoint 1 to waypoint 2. A leg is done, and the next one active, when
    √((x_{k+1} - x)² + (y_{k+1} - y)²) ≤ R ("circle"), or L - x_e ≤ R ("along_track"), R: `acceptance_radius`, m. The
    second also holds abeam of the circle, so that a vehicle which misses a waypoint does not turn back for it. A
    vehicle that starts within reach of waypoint 2 goes for waypoint 3 at once. Legs never become active again, except
    on the next lap of a loop. A leg whose ends differ in depth only is a dive or an ascent on the spot: the heading is
    kept, the speed is 0, and the leg is done when |z_{k+1} - z| ≤ R. There y_e is the offset to starboard of the
    waypoint as seen along the heading that is kept.

    **At the end** `at_end="hold"` sets speed 0 and keeps the last heading and the last waypoint's depth; `"loop"` goes
    on from the last waypoint to the first (nothing is needed to close a path whose last waypoint is its first).

    **Sideslip.** The published form of the Simulink library for the ROV Minerva, β = asin(v/U) with the fixed desired
    speed U, has no value when |v| > U and is wrong while the vehicle gathers way. With the speed V over ground it
    always has one; as β still jumps about when V is next to nothing, it is faded out there. Use it either with
    `sideslip_compensation` or with integral action: both counter a current. κ must stay below the speed through the
    water less the current for the loop to be stable (Børhaug et al. 2008).

    Raises ParameterError for fewer than two waypoints, for consecutive waypoints that coincide, and for values out of
    range.

    Sources: Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 10.3.2 (lookahead-based
    steering, both switching rules); Børhaug, Pavlov and Pettersen (2008), Integral LOS control for path following of
    underactuated marine surface vessels in the presence of constant ocean currents, 47th IEEE CDC (integral action);
    uuv (2017), a Simulink library for unmanned underwater vehicles, github.com/enricoande/uuv, "Theory" (speed taper,
    depth of the next waypoint).
    """

    kernel = "line_of_sight"

    nu = Input(BodyVelocity, "velocity over ground; used for the sideslip only")

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
    integral_gain = Parameter(0.0, unit="m/s", at_least=0.0, doc="κ; 0 for plain LOS")
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
    depth_reference = Parameter(
        "waypoint",
        choices=("waypoint", "leg"),
        structural=True,
        doc="depth of the next waypoint at once, or linearly along the leg",
    )

    cross_track_integral = State(
        Time,
        "y_int",
        depends=LEG | {"eta": elements("x y")} | whole("cross_track_integral", "lookahead", "integral_gain"),
    )

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
            leg = LEG | {"eta": elements("x y")}
            return leg if self.depth_reference == "leg" else whole("waypoints", "active_waypoint")
        if output == "speed" and not self.speed_taper:
            return LEG | whole("cruise_speed")
        if output not in ("heading", "speed"):
            return super().output_sources(output, sizes)
        found = LEG | {"eta": elements("x y psi")} | whole("lookahead", "integral_gain", "cross_track_integral")
        if self.sideslip_compensation:
            found |= {"nu": elements("u v")} | whole("sideslip_speed")
        return found | (whole("cruise_speed", "taper_angle") if output == "speed" else whole("kept_heading"))
