"""Line-of-sight guidance in space, by heading and pitch."""

from __future__ import annotations

import math
from typing import Any

from blocks.block import Sizes
from blocks.guidance.line_of_sight_law import PLACE, LineOfSightLaw
from blocks.guidance.waypoints import LEG
from blocks.model.declare import Output, Parameter, State
from blocks.model.dependence import Pattern, Sources, elements, whole
from blocks.model.derived import Derived
from blocks.signal import Angle, Length

_SPACE = LEG | {"eta": elements("x y z")}


def _is_adaptive(block: Any) -> bool:
    return bool(block.adaptive)


class LineOfSight3D(LineOfSightLaw):
    """Line-of-sight guidance in space for vehicles that dive by pitching, such as AUVs; with `adaptive` 3-D ALOS.

    Path:    (x_e, y_e, z_e) = R_y(α_v)ᵀ R_z(α_h)ᵀ (p - p_k),  α_v = atan((z_k - z_{k+1})/L)
    Heading: ψ_d = α_h - β̂ - atan(y_e/Δ) - β
    Pitch:   θ_d = α_v + α̂ + atan(z_e/Δ_v) + α, within ±θ_max
    Drift:   dβ̂/dt = γ Δ y_e/√(Δ² + y_e²),  dα̂/dt = γ_v Δ_v z_e/√(Δ_v² + z_e²); both 0 without `adaptive`

    p = (x, y, z) of `eta`; α_h: course of the leg from p_k to p_{k+1}, L its horizontal length, m; α_v: its slope,
    positive up, as pitch is; y_e: `cross_track_error`, m, positive to starboard; z_e: `vertical_track_error`, m, at
    right angles to the leg, positive below it; Δ: `lookahead`, Δ_v: `vertical_lookahead`, m; γ: `adaptation_gain`, γ_v:
    `vertical_adaptation_gain`, 1/(m s); β̂, α̂: states and outputs `sideslip_estimate` and `angle_of_attack_estimate`,
    rad, there with `adaptive` only, each within `sideslip_limit` as `AdaptiveLineOfSight` has it; θ_max: `pitch_limit`,
    rad; ψ_d: `heading`, rad in [-π, π); θ_d: `pitch`, rad. Speed and depth are as `LineOfSight` has them, so that a
    vehicle that does not pitch may follow, too.

    **Drift measured.** With `sideslip_compensation` ψ_d and θ_d are turned by where the vehicle moves as `nu` has it:
    α = atan(w'/u), β = atan(v'/(u cos θ + w' sin θ)), v' = v cos φ - w sin φ, w' = v sin φ + w cos φ, both faded out
    below V_β as in `LineOfSight`.

    **Legs** are done within a sphere of R about the waypoint ("circle"), or when the distance left along the leg is R
    ("along_track"), R: `acceptance_radius`, m. On a dive or an ascent on the spot and at the end θ_d is 0; all else is
    as `LineOfSight` has it.

    Raises ParameterError for fewer than two waypoints, for consecutive waypoints that coincide, and for values out of
    range.

    Source: Fossen and Aguiar (2024), A uniform semiglobal exponential stable adaptive line-of-sight (ALOS) guidance law
    for 3-D path following, Automatica 163, 111556.
    """

    kernels = ("line_of_sight_3d", "adaptive_line_of_sight_3d")
    examples = (
        LineOfSightLaw.examples[0] | {"pitch_limit": 0.6, "switching": "along_track", "at_end": "loop"},
        LineOfSightLaw.examples[0]
        | {
            "adaptive": True,
            "adaptation_gain": 0.02,
            "vertical_adaptation_gain": 0.03,
            "sideslip_limit": 0.3,
            "sideslip_compensation": True,
        },
    )

    pitch = Output(Angle, "desired pitch θ_d, positive bow up")
    vertical_track_error = Output(
        Length,
        "z_e, positive below the path",
        feedthrough=("eta",),
        depends=LEG | whole("kept_heading") | {"eta": elements("x y z psi")},
    )

    sideslip_estimate = Output(
        Angle,
        "β̂; if adaptive only",
        state="sideslip_estimate",
        when=_is_adaptive,
        depends=whole("sideslip_estimate"),
    )
    angle_of_attack_estimate = Output(
        Angle,
        "α̂; if adaptive only",
        state="angle_of_attack_estimate",
        when=_is_adaptive,
        depends=whole("angle_of_attack_estimate"),
    )

    vertical_lookahead = Parameter(10.0, unit="m", above=0.0, doc="lookahead distance Δ_v of the pitch")
    pitch_limit = Parameter(
        math.pi / 2, unit="rad", above=0.0, at_most=math.pi / 2, doc="greatest pitch up or down θ_max"
    )
    adaptive = Parameter(False, structural=True, doc="learn sideslip and angle of attack")
    adaptation_gain = Parameter(0.001, unit="1/(m*s)", at_least=0.0, doc="γ, of the sideslip; if adaptive only")
    vertical_adaptation_gain = Parameter(
        0.001, unit="1/(m*s)", at_least=0.0, doc="γ_v, of the angle of attack; if adaptive only"
    )

    sideslip_state = State(
        Angle,
        "β̂",
        when=_is_adaptive,
        depends=PLACE | whole("sideslip_estimate", "lookahead", "adaptation_gain", "sideslip_limit"),
        name="sideslip_estimate",
    )
    angle_of_attack_state = State(
        Angle,
        "α̂",
        when=_is_adaptive,
        depends=_SPACE
        | whole("angle_of_attack_estimate", "vertical_lookahead", "vertical_adaptation_gain", "sideslip_limit"),
        name="angle_of_attack_estimate",
    )

    slopes = Derived("angle up from the horizontal [rad] of each leg, its cosine and sine", shape=("n", 3), unit=None)

    @property
    def kernel(self) -> str:  # type: ignore[override]
        """With states only where something is learnt."""
        return "adaptive_line_of_sight_3d" if self.adaptive else "line_of_sight_3d"

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """Of the pitch as of the heading."""
        return super().feedthrough("heading" if output == "pitch" else output)

    def law_sources(self) -> Sources:
        """With adaptation the estimate counts, too."""
        return whole("lookahead", "sideslip_estimate") if self.adaptive else whole("lookahead")

    def sideslip_sources(self) -> Sources:
        """Where the vehicle moves in the horizontal plane, from all of its velocity."""
        return {"nu": elements("u v w")} | whole("sideslip_speed")

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """The pitch, of the vertical plane."""
        if output != "pitch":
            return super().output_sources(output, sizes)
        found = {**_SPACE, **whole("vertical_lookahead", "pitch_limit")}
        if self.adaptive:
            found |= whole("angle_of_attack_estimate")
        if self.sideslip_compensation:
            found |= {**self.sideslip_sources(), "eta": elements("x y z phi")}
        return found

    def state_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """The heading that is kept depends on the whole attitude where the heading does."""
        found = super().state_sources(state, sizes)
        if state == "kept_heading" and found is not None and self.sideslip_compensation:
            return {**found, "eta": elements("x y z phi theta psi")}
        return found

    def _pose(self) -> Pattern:
        return elements("x y phi theta psi" if self.sideslip_compensation else "x y psi")
