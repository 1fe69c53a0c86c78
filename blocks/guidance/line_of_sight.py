"""Line-of-sight guidance along the legs between waypoints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from blocks.errors import ParameterError
from blocks.guidance.line_of_sight_law import PLACE, LineOfSightLaw
from blocks.model.declare import Output, Parameter, State
from blocks.model.dependence import Sources, whole
from blocks.model.derived import Derived
from blocks.model.examples import variants
from blocks.signal import Signal

Absement = Signal("Absement", unit="m*s")


def _is_pi(block: Any) -> bool:
    return bool(block.steering == "proportional_integral")


class LineOfSight(LineOfSightLaw):
    """Line-of-sight guidance along straight legs between waypoints (LOS).

    Path:     x_e = (x - x_k) cos α_k + (y - y_k) sin α_k,  y_e = -(x - x_k) sin α_k + (y - y_k) cos α_k
    Heading:  ψ_d = α_k + χ_r - β
              χ_r = -atan(y_e/Δ)                                                  steering="lookahead"
              χ_r = -asin(y_e/R_e), ∓π/2 where |y_e| ≥ R_e                                "enclosure"
              χ_r = -atan(k_p y_e + k_i ∫y_e dt)                              "proportional_integral"
    Sideslip: β = asin(v/V), V = √(u² + v²), times V/V_β where V < V_β; 0 without `sideslip_compensation`
    Speed:    u_d = U max(0, 1 - |e_ψ|/ψ_t), e_ψ = ψ_d - ψ the short way round; U without `speed_taper`
    Depth:    z_d = z_{k+1} ("waypoint"), or on the straight line from z_k to z_{k+1} abeam of the vehicle ("leg")

    x, y, ψ of `eta` and u, v of `nu` (over ground); α_k: course of the leg from waypoint k to k + 1, L its horizontal
    length, m; x_e, y_e: distance along the leg and from it, m; y_e is positive to starboard of the path; Δ:
    `lookahead`, m; R_e: `enclosure_radius`, m; k_p: `kp`, 1/m; k_i: `ki`, 1/(m s); ∫y_e dt: state
    and output `cross_track_integral`, m s, there with "proportional_integral" only; U: `cruise_speed`, m/s; ψ_t:
    `taper_angle`, rad; V_β: `sideslip_speed`, m/s; ψ_d: `heading`, rad in [-π, π).

    **Steering.** "lookahead" aims at the point of the leg Δ ahead of where the vehicle is abeam. "enclosure" aims at
    the point ahead where a circle of radius R_e about the vehicle meets the straight line through the leg; where it
    does not reach that far, at the nearest point of the line, so at right angles to it. Near the leg it is the same as
    lookahead with Δ = R_e, far from it steeper. "proportional_integral" is lookahead with Δ = 1/k_p and
    integral action. Its integral takes in all of a large y_e: |k_i ∫y_e dt| is held below tan β_max, β_max:
    `sideslip_limit`, over the last hundredth of which it slows down; with the default of π/2 it is free. It is kept
    from leg to leg, and at rest where there is no leg to follow.

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
    always has one; as β still jumps about when V is next to nothing, it is faded out there. Without compensation and
    integral action the vehicle settles beside its leg in a current, at y_e = Δ tan β. `IntegralLineOfSight` and
    `AdaptiveLineOfSight` counter the current without a measured velocity.

    Raises ParameterError for fewer than two waypoints, for consecutive waypoints that coincide, and for values out of
    range.

    Sources: Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 10.3.2 (lookahead-based and
    enclosure-based steering, the PI form, both switching rules); uuv (2017), a Simulink library for unmanned underwater
    vehicles, github.com/enricoande/uuv, "Theory" (speed taper, depth of the next waypoint).
    """

    kernels = ("line_of_sight", "line_of_sight_pi")
    examples = variants(
        LineOfSightLaw.examples[0],
        {"steering": "enclosure", "enclosure_radius": 4.0, "speed_taper": False, "depth_reference": "leg"},
        {
            "steering": "proportional_integral",
            "ki": 0.2,
            "sideslip_limit": 0.3,
            "sideslip_compensation": True,
            "switching": "along_track",
            "at_end": "loop",
        },
    )

    cross_track_integral = Output(
        Absement,
        "∫y_e dt; with steering as PI controller only",
        state="cross_track_integral",
        when=_is_pi,
        depends=whole("cross_track_integral"),
    )

    steering = Parameter(
        "lookahead",
        choices=("lookahead", "enclosure", "proportional_integral"),
        structural=True,
        doc="how the point on the leg is found that is aimed at",
    )
    enclosure_radius = Parameter(
        10.0, unit="m", above=0.0, doc="radius R_e of the circle about the vehicle; with steering by enclosure only"
    )
    kp = Parameter(0.1, unit="1/m", above=0.0, doc="proportional gain k_p; with steering as PI controller only")
    ki = Parameter(0.001, unit="1/(m*s)", at_least=0.0, doc="integral gain k_i; with steering as PI controller only")

    integral_state = State(
        Absement,
        "∫y_e dt",
        when=_is_pi,
        depends=PLACE | whole("cross_track_integral", "ki", "sideslip_limit"),
        name="cross_track_integral",
    )

    integral_limit = Derived("greatest |k_i ∫y_e dt|, tan β_max", when=_is_pi)

    @property
    def kernel(self) -> str:  # type: ignore[override]
        """With a state only where there is integral action."""
        return "line_of_sight_pi" if _is_pi(self) else "line_of_sight"

    def law_sources(self) -> Sources:
        """By the way of steering."""
        if _is_pi(self):
            return whole("kp", "ki", "cross_track_integral")
        return whole("enclosure_radius" if self.steering == "enclosure" else "lookahead")

    def _check_names(self, given: Iterable[str]) -> None:
        names = tuple(given)
        if "integral_gain" in names:
            raise ParameterError(
                f"no parameter 'integral_gain' on {self._called()}: integral action with the gain κ is the block "
                f"IntegralLineOfSight; LineOfSight has it with steering='proportional_integral' and the gain ki"
            )
        super()._check_names(names)
