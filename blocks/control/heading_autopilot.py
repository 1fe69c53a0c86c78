"""The heading autopilot."""

from __future__ import annotations

from typing import Any

from blocks.basic.common import NO_LIMIT
from blocks.block import Block, Sizes
from blocks.control.heading_controller import LIMITS, YAW_MOTION, HeadingController, nomoto
from blocks.control.operating_point import OperatingPoint
from blocks.control.pole_placement import feedforward, motion_gains, who
from blocks.model.declare import Parameter, State
from blocks.model.dependence import Sources, each
from blocks.signal import Moment


class HeadingAutopilot(HeadingController):
    """Heading autopilot: nonlinear PID with a model of yaw ahead of it, from a desired heading to a yaw moment.

    v = m a_d + (d + d_q |r_d|) r_d + k_p e + k_d (r_d - r) + I,  N = v within [lower, upper]
    dI/dt = k_i e + K_t (N - v),  e = ψ_d - ψ the short way round, in [-π, π);  dI/dt = 0 where k_i = 0

    ψ_d: `heading`, rad; r_d: `rate`, rad/s, and a_d: `acceleration`, rad/s², which a reference model gives; without
    them they are 0, and a step of ψ_d does not pass through the derivative; ψ: of `eta`; r: yaw rate of `nu`; N:
    `moment`, N·m, for `ComposeWrench.N`; e: `error`; k_p, k_i, k_d: `kp`, `ki`, `kd`, N·m per rad, rad s and rad/s; m:
    `inertia`, with added mass, kg·m²; d: `damping`, N·m·s, d_q: `quadratic_damping`, N·m·s²; I: state `integral`, N·m;
    K_t: `tracking_gain`, 1/s, back-calculation; 0 is no anti-windup.

    With the m, d and d_q of the vessel the heading follows a reference without error; k_p, k_d and I are for what is
    not modelled. As I is a moment, a change of gains makes no bump in it.

    Raises ParameterError if an upper limit is below its lower limit, and for values out of range.

    Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., sec. 15.3; Åström and
    Hägglund (2006), Advanced PID Control, ch. 3 (anti-windup).
    """

    examples = (
        {
            "kp": 3.0,
            "ki": 0.5,
            "kd": 2.0,
            "inertia": 2.0,
            "damping": 1.0,
            "quadratic_damping": 0.7,
            "lower": -2.0,
            "upper": 2.0,
        },
    )

    kernel = "heading_autopilot"
    positional = ("kp", "ki", "kd")

    kp = Parameter(unit="N*m", doc="proportional gain k_p, per rad")
    ki = Parameter(0.0, unit="N*m/s", doc="integral gain k_i, per rad and s")
    inertia = Parameter(0.0, unit="kg*m^2", at_least=0.0, doc="m in yaw, added mass included")
    damping = Parameter(0.0, unit="N*m*s", doc="d in yaw")
    quadratic_damping = Parameter(0.0, unit="N*m*s^2", doc="d_q in yaw")
    lower = Parameter(-NO_LIMIT, unit="N*m", doc="lower limit of the moment")
    upper = Parameter(NO_LIMIT, unit="N*m", doc="upper limit of the moment")
    tracking_gain = Parameter(1.0, unit="1/s", at_least=0.0, doc="K_t of back-calculation")
    kd = Parameter(0.0, unit="N*m*s", doc="derivative gain k_d, per rad/s")

    integral = State(Moment, "I")

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """The moment depends on yaw alone."""
        if output == "error":
            return super().output_sources(output, sizes)
        return YAW_MOTION | LIMITS | each("kp", "kd", "inertia", "damping", "quadratic_damping")

    @classmethod
    def by_pole_placement(
        cls,
        vessel: Block,
        natural_frequency: float | str,
        damping_ratio: float | str = 1.0,
        *,
        integral_pole: float | str | None = None,
        speed: float | str = 0.0,
        rule: str = "exact",
        **parameters: Any,
    ) -> HeadingAutopilot:
        """The autopilot that gives the yaw of a vessel the poles of (s² + 2ζω s + ω²)(s + a).

        vessel: a block of `blocks.dynamics`; natural_frequency: ω, rad/s; damping_ratio: ζ; integral_pole: a, rad/s,
        ω/10 unless given, 0 for no integral action; speed: the surge speed about which damping is taken, m/s; rule:
        "exact", or "fossen" for k_p = m ω², k_d = 2ζω m - d, k_i = a m ω²; parameters: any others of the block.

        m and d are those of yaw with the other motions held; d_q is set so that the damping is right at 1 rad/s. Raises
        ParameterError if the vessel's own damping is more than these poles need.
        """
        point = OperatingPoint(vessel, speed, who(cls))
        gains = motion_gains(point, "yaw", natural_frequency, damping_ratio, integral_pole, rule)
        return cls(**(gains | feedforward(point, "yaw") | parameters))

    @classmethod
    def from_nomoto(
        cls,
        gain: float | str,
        time_constant: float | str,
        natural_frequency: float | str,
        damping_ratio: float | str = 1.0,
        *,
        rudder_moment: float | str = 1.0,
        **how: Any,
    ) -> HeadingAutopilot:
        """The same from Nomoto's K and T: `gain`, 1/s, and `time_constant`, s, of T ṙ + r = K δ.

        rudder_moment: N_δ, N·m per rad of rudder. With the 1 that it is unless given the moment is the rudder angle in
        rad, and so are its limits, which are then given as plain numbers. how: as in `by_pole_placement`.
        """
        vessel = nomoto(gain, time_constant, rudder_moment)
        return cls.by_pole_placement(vessel, natural_frequency, damping_ratio, **how)
