"""Line-of-sight guidance that learns the sideslip."""

from __future__ import annotations

from blocks.guidance.line_of_sight_law import PLACE, LineOfSightLaw
from blocks.model.declare import Output, Parameter, State
from blocks.model.dependence import Sources, whole
from blocks.signal import Angle


class AdaptiveLineOfSight(LineOfSightLaw):
    """Adaptive line-of-sight guidance (ALOS): it learns the angle at which the vehicle drifts.

    ψ_d = α_k - β̂ - atan(y_e/Δ) - β,  dβ̂/dt = γ Δ y_e/√(Δ² + y_e²)

    y_e: `cross_track_error`, m, positive to starboard; Δ: `lookahead`, m; γ: `adaptation_gain`, 1/(m s); β̂: state and
    output `sideslip_estimate`, rad; ψ_d: `heading`, rad in [-π, π). Everything else, from the course α_k of the leg to
    speed, depth and switching, is as `LineOfSight` has it.

    Near the leg the error of the estimate fades with the natural frequency √(U γ) and the damping ratio √(U/γ)/(2 Δ),
    so that γ = U/(4 Δ²) is critical damping, and γ = κ/Δ² does what κ does in `IntegralLineOfSight`. In a steady
    current β̂ settles at the sideslip β. It is kept from leg to leg, and at rest where there is no leg to follow.

    `sideslip_limit`, β_max in rad, holds |β̂| below it by projection: dβ̂/dt is multiplied by
    min(1, (β_max² - β̂²)/(β_max² - (0.99 β_max)²)), not less than 0, where it would make |β̂| grow.

    Raises ParameterError for fewer than two waypoints, for consecutive waypoints that coincide, and for values out of
    range.

    Sources: Fossen (2023), An adaptive line-of-sight (ALOS) guidance law for path following of aircraft and marine
    craft, IEEE Transactions on Control Systems Technology; Fossen and Aguiar (2024), A uniform semiglobal exponential
    stable adaptive line-of-sight (ALOS) guidance law for 3-D path following, Automatica 163, 111556.
    """

    examples = (LineOfSightLaw.examples[0] | {"adaptation_gain": 0.02, "sideslip_limit": 0.3},)

    kernel = "adaptive_line_of_sight"

    sideslip_estimate = Output(Angle, "β̂", state="sideslip_estimate", depends=whole("sideslip_estimate"))

    adaptation_gain = Parameter(0.001, unit="1/(m*s)", at_least=0.0, doc="γ; 0 for plain LOS")

    estimate_state = State(
        Angle,
        "β̂",
        depends=PLACE | whole("sideslip_estimate", "lookahead", "adaptation_gain", "sideslip_limit"),
        name="sideslip_estimate",
    )

    def law_sources(self) -> Sources:
        """The estimate counts, too."""
        return whole("lookahead", "sideslip_estimate")
