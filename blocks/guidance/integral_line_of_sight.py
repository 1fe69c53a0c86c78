"""Line-of-sight guidance with integral action."""

from __future__ import annotations

from blocks.guidance.line_of_sight_law import PLACE, LineOfSightLaw
from blocks.model.declare import Output, Parameter, State
from blocks.model.dependence import Sources, whole
from blocks.model.derived import Derived
from blocks.signal import Time


class IntegralLineOfSight(LineOfSightLaw):
    """Line-of-sight guidance with integral action (ILOS), against a current that is not known.

    ψ_d = α_k - atan((y_e + κ y_int)/Δ) - β,  dy_int/dt = Δ y_e/(Δ² + (y_e + κ y_int)²)

    y_e: `cross_track_error`, m, positive to starboard; Δ: `lookahead`, m; κ: `integral_gain`, m/s; y_int: state and
    output `cross_track_integral`, s; ψ_d: `heading`, rad in [-π, π). Everything else, from the course α_k of the leg to
    speed, depth and switching, is as `LineOfSight` has it.

    κ = 0 is plain LOS, and so in effect is a very small κ: near the leg errors of the integral fade with the natural
    frequency √(U κ)/Δ and the damping ratio √(U/κ)/2, so that κ = U/4 is critical damping. κ must stay below the speed
    through the water less the current for the loop to be stable (Børhaug et al. 2008). In a steady current y_int
    settles where κ y_int = Δ tan β. The form of dy_int/dt takes in little while y_e is large, which is the published
    protection against windup; y_int is kept from leg to leg, and at rest where there is no leg to follow.

    `sideslip_limit`, β_max in rad, holds |κ y_int| below Δ tan β_max, and slows y_int down over the last hundredth of
    that; with the default of π/2 it is free, as published.

    Raises ParameterError for fewer than two waypoints, for consecutive waypoints that coincide, and for values out of
    range.

    Source: Børhaug, Pavlov and Pettersen (2008), Integral LOS control for path following of underactuated marine
    surface vessels in the presence of constant ocean currents, 47th IEEE CDC.
    """

    examples = (LineOfSightLaw.examples[0] | {"integral_gain": 0.3, "sideslip_limit": 0.3},)

    kernel = "integral_line_of_sight"

    cross_track_integral = Output(Time, "y_int", state="cross_track_integral", depends=whole("cross_track_integral"))

    integral_gain = Parameter(0.1, unit="m/s", at_least=0.0, doc="κ; 0 for plain LOS")

    integral_state = State(
        Time,
        "y_int",
        depends=PLACE | whole("cross_track_integral", "lookahead", "integral_gain", "sideslip_limit"),
        name="cross_track_integral",
    )

    integral_limit = Derived("greatest |κ y_int|/Δ, tan β_max")

    def law_sources(self) -> Sources:
        """The integral counts, too."""
        return whole("lookahead", "integral_gain", "cross_track_integral")
