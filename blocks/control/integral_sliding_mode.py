"""Integral sliding mode control of heading."""

from __future__ import annotations

from typing import Any

from blocks.basic.common import NO_LIMIT
from blocks.block import Block, Sizes
from blocks.control.heading_controller import HEADING_ERROR, LIMITS, YAW_MOTION, HeadingController, nomoto
from blocks.control.operating_point import OperatingPoint, number
from blocks.control.pole_placement import feedforward, who
from blocks.errors import ParameterError
from blocks.model.declare import Output, Parameter, State
from blocks.model.dependence import Sources, each, elements
from blocks.signal import AngularRate


class IntegralSlidingMode(HeadingController):
    """Integral sliding mode control of heading, from a desired heading to a yaw moment.

    r_v = r_d + 2λ e + I,  σ = r - r_v
    v = m (a_d + 2λ (r_d - r) + λ² e) + (d + d_q |r|) r_v - k_d σ - K h(σ/Φ),  N = v within [lower, upper]
    dI/dt = λ² e + K_t (N - v)/(d + k_d + K/Φ),  e = ψ_d - ψ the short way round, in [-π, π)
    h = tanh, or h(x) = x within [-1, 1]                                   boundary="tanh", or "saturation"

    ψ_d: `heading`, rad; r_d: `rate`, rad/s, and a_d: `acceleration`, rad/s², which a reference model gives, 0 unless
    connected; ψ: of `eta`; r: yaw rate of `nu`; N: `moment`, N·m, for `ComposeWrench.N`; e: `error`; σ: `sliding`,
    rad/s; λ: `bandwidth`, rad/s; k_d: `kd`, N·m·s; K: `switching_gain`, N·m; Φ: `boundary_layer`, rad/s; m: `inertia`,
    with added mass, kg·m²; d: `damping`, N·m·s, d_q: `quadratic_damping`, N·m·s²; I: state `integral`, a yaw rate,
    rad/s; K_t: `tracking_gain`, 1/s, back-calculation; 0 is no anti-windup.

    m σ̇ = -(d + d_q |r| + k_d) σ - K h(σ/Φ) + w: against a moment w that is not modelled, and stays below K h(1), which
    is K, or 0.76 K with tanh, σ comes within the boundary layer and stays there, whatever w does. On σ = 0 the error
    has two poles at -λ; the integral takes the rest away when w is steady. The wider the layer, the less the moment
    chatters and the more σ is left.
    Within it the third pole is at -(d + k_d + K/Φ)/m, which a fixed step has to resolve.

    Raises ParameterError if an upper limit is below its lower limit, if d + k_d + K/Φ is not positive, and for values
    out of range.

    Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 16 (integral sliding
    mode); Slotine and Li (1991), Applied Nonlinear Control, ch. 7 (boundary layer).
    """

    examples = (
        {
            "bandwidth": 0.6,
            "kd": 1.0,
            "switching_gain": 1.5,
            "boundary_layer": 0.7,
            "inertia": 2.0,
            "damping": 0.8,
            "quadratic_damping": 0.6,
            "lower": -2.0,
            "upper": 2.0,
        },
    )

    kernel = "integral_sliding_mode"
    integral_gains = ("tracking_gain",)

    sliding = Output(
        AngularRate,
        "σ, 0 on the sliding surface",
        feedthrough=("heading", "eta", "nu", "rate"),
        depends=HEADING_ERROR | {"nu": elements("r")} | each("rate", "integral", "bandwidth"),
    )

    bandwidth = Parameter(unit="rad/s", above=0.0, doc="λ")
    kd = Parameter(0.0, unit="N*m*s", at_least=0.0, doc="k_d, linear gain of σ")
    switching_gain = Parameter(unit="N*m", at_least=0.0, doc="K, above any moment that is not modelled")
    boundary_layer = Parameter(unit="rad/s", above=0.0, doc="Φ, half the thickness of the boundary layer")
    boundary = Parameter("tanh", choices=("tanh", "saturation"), doc="h, what takes the place of the sign of σ")
    inertia = Parameter(unit="kg*m^2", at_least=0.0, doc="m in yaw, added mass included")
    damping = Parameter(0.0, unit="N*m*s", doc="d in yaw")
    quadratic_damping = Parameter(0.0, unit="N*m*s^2", doc="d_q in yaw")
    lower = Parameter(-NO_LIMIT, unit="N*m", doc="lower limit of the moment")
    upper = Parameter(NO_LIMIT, unit="N*m", doc="upper limit of the moment")
    tracking_gain = Parameter(1.0, unit="1/s", at_least=0.0, doc="K_t of back-calculation")

    integral = State(AngularRate, "I, λ² ∫e dt")

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """The moment depends on yaw alone."""
        if output != "moment":
            return super().output_sources(output, sizes)
        own = ("bandwidth", "kd", "switching_gain", "boundary_layer", "boundary")
        return YAW_MOTION | LIMITS | each(*own, "inertia", "damping", "quadratic_damping")

    def validate(self) -> None:
        """The limits are in order, and the sliding surface attracts."""
        super().validate()
        slope = self.damping + self.kd + self.switching_gain / self.boundary_layer
        if slope <= 0.0:
            raise ParameterError(
                f"{self._called()}: damping + kd + switching_gain/boundary_layer must be positive for σ to die out, "
                f"not {slope:g} N·m·s: raise kd or switching_gain"
            )

    @classmethod
    def by_pole_placement(
        cls,
        vessel: Block,
        natural_frequency: float | str,
        switching_gain: float | str,
        *,
        boundary_layer: float | str | None = None,
        speed: float | str = 0.0,
        **parameters: Any,
    ) -> IntegralSlidingMode:
        """The controller that gives the heading error two poles at -λ, for the yaw of a vessel.

        vessel: a block of `blocks.dynamics`; natural_frequency: λ, rad/s; switching_gain: K, more than any moment that
        is not modelled, N·m; boundary_layer: Φ, rad/s, K/(m λ) unless given; speed: the surge speed about which damping
        is taken, m/s; parameters: any others of the block. k_d = m λ unless given, so that the third pole is at
        -(2λ + d/m).
        """
        name = who(cls)
        point = OperatingPoint(vessel, speed, name)
        bandwidth = number(natural_frequency, "rad/s", f"{name}: natural_frequency", above=0.0)
        gain = number(switching_gain, "N*m", f"{name}: switching_gain", above=0.0)
        yaw = feedforward(point, "yaw")
        found: dict[str, Any] = {
            "bandwidth": bandwidth,
            "kd": yaw["inertia"] * bandwidth,
            "switching_gain": gain,
            "boundary_layer": gain / (yaw["inertia"] * bandwidth) if boundary_layer is None else boundary_layer,
            "tracking_gain": bandwidth,
        }
        return cls(**(found | yaw | parameters))

    @classmethod
    def from_nomoto(
        cls,
        gain: float | str,
        time_constant: float | str,
        natural_frequency: float | str,
        switching_gain: float | str,
        *,
        rudder_moment: float | str = 1.0,
        **how: Any,
    ) -> IntegralSlidingMode:
        """The same from Nomoto's K and T: `gain`, 1/s, and `time_constant`, s, of T ṙ + r = K δ.

        rudder_moment: N_δ, N·m per rad of rudder. With the 1 that it is unless given the moment is the rudder angle in
        rad, and so are its limits and `switching_gain`, which are then given as plain numbers. how: as in
        `by_pole_placement`.
        """
        vessel = nomoto(gain, time_constant, rudder_moment)
        return cls.by_pole_placement(vessel, natural_frequency, switching_gain, **how)
