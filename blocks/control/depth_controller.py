"""The depth controller of vehicles that heave."""

from __future__ import annotations

from typing import Any

from blocks.basic.common import NO_LIMIT
from blocks.block import Block, Sizes
from blocks.control.limited_controller import LimitedController
from blocks.control.operating_point import OperatingPoint
from blocks.control.pole_placement import feedforward, motion_gains, who
from blocks.control.speed_controller import Acceleration
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import Sources, each, elements
from blocks.signal import BodyVelocity, Force, Length, Pose, Speed

_ERROR = each("depth") | {"eta": elements("z")}


class DepthController(LimitedController):
    """Depth controller: nonlinear PID with a model of heave ahead of it, from a desired depth to a heave force.

    v = m a_d + (d + d_q |w_d|) w_d + k_p e + k_d (w_d - ż) + I,  Z = v within [lower, upper]
    dI/dt = k_i e + K_t (Z - v),  e = z_d - z;  dI/dt = 0 where k_i = 0
    ż = -u sin θ + v sin φ cos θ + w cos φ cos θ

    z_d: `depth`, m, down; w_d: `rate`, m/s, and a_d: `acceleration`, m/s², which a reference model gives, 0 unless
    connected; z, φ, θ: of `eta`; (u, v, w): of `nu`, m/s; Z: `force`, N, down, for `ComposeWrench.Z`; e: `error`, m;
    k_p, k_i, k_d: `kp`, `ki`, `kd`, N per m, m s and m/s; m: `inertia`, with added mass, kg; d: `damping`, N·s/m, d_q:
    `quadratic_damping`, N·s²/m²; I: state `integral`, N; K_t: `tracking_gain`, 1/s, back-calculation; 0 is no
    anti-windup.

    For vehicles with vertical thrusters that keep nearly upright: Z is along the body's axis, the depth along the
    vertical. One that dives by its pitch has a `DivePlaneController`. Of a vehicle that is lighter than water
    `initial_integral` may be what holds it down, so that it does not rise at first.

    Raises ParameterError if an upper limit is below its lower limit, and for values out of range.

    Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 15; Åström and
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
            "lower": -4.0,
            "upper": 4.0,
        },
    )

    kernel = "depth_controller"
    acting = "force"
    reads_outputs = ("error",)
    positional = ("kp", "ki", "kd")

    depth = Input(Length, "z_d, what is wanted")
    eta = Input(Pose, "η, of which depth, roll and pitch count")
    nu = Input(BodyVelocity, "ν, of which the vertical velocity counts")
    rate = Input(Speed, "w_d, the vertical speed that goes with a reference that moves", default=0.0)
    acceleration = Input(Acceleration, "a_d, its rate of change", default=0.0)

    force = Output(Force, "Z within its limits", within=("lower", "upper"))
    error = Output(Length, "e = z_d - z", feedthrough=("depth", "eta"), depends=_ERROR)

    kp = Parameter(unit="N/m", doc="proportional gain k_p")
    ki = Parameter(0.0, unit="N/(m*s)", doc="integral gain k_i")
    inertia = Parameter(0.0, unit="kg", at_least=0.0, doc="m in heave, added mass included")
    damping = Parameter(0.0, unit="N*s/m", doc="d in heave")
    quadratic_damping = Parameter(0.0, unit="N*s^2/m^2", doc="d_q in heave")
    lower = Parameter(-NO_LIMIT, unit="N", doc="lower limit of the force")
    upper = Parameter(NO_LIMIT, unit="N", doc="upper limit of the force")
    tracking_gain = Parameter(1.0, unit="1/s", at_least=0.0, doc="K_t of back-calculation")
    kd = Parameter(0.0, unit="N*s/m", doc="derivative gain k_d")

    integral = State(Force, "I")

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """The force depends on the vertical motion alone."""
        if output == "error":
            return super().output_sources(output, sizes)
        moving = {"eta": elements("z phi theta"), "nu": elements("u v w")}
        model = ("inertia", "damping", "quadratic_damping")
        return moving | each("depth", "rate", "acceleration", "integral", "kp", "kd", *model, "lower", "upper")

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
    ) -> DepthController:
        """The controller that gives the heave of a vessel the poles of (s² + 2ζω s + ω²)(s + a).

        vessel: a block of `blocks.dynamics` that heaves; natural_frequency: ω, rad/s; damping_ratio: ζ; integral_pole:
        a, rad/s, ω/10 unless given, 0 for no integral action; speed: the surge speed about which damping is taken, m/s;
        rule: "exact", or "fossen" for k_p = m ω² - k, k_d = 2ζω m - d, k_i = a m ω²; parameters: any others of the
        block.

        m, d and the stiffness k are those of heave with the other motions held; d_q is set so that the damping is right
        at 1 m/s. Raises ParameterError if the vessel's own damping or stiffness is more than these poles need.
        """
        point = OperatingPoint(vessel, speed, who(cls))
        gains = motion_gains(point, "heave", natural_frequency, damping_ratio, integral_pole, rule)
        return cls(**(gains | feedforward(point, "heave") | parameters))
