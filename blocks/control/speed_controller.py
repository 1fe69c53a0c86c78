"""The speed controller."""

from __future__ import annotations

from typing import Any

from blocks.basic.common import NO_LIMIT
from blocks.block import Block, Sizes
from blocks.control.limited_controller import LimitedController
from blocks.control.operating_point import OperatingPoint
from blocks.control.pole_placement import feedforward, speed_gains, who
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import Sources, each, elements
from blocks.signal import BodyVelocity, Force, Signal, Speed

Acceleration = Signal("Acceleration", unit="m/s^2")

_ERROR = each("speed") | {"nu": elements("u")}


class SpeedController(LimitedController):
    """Speed controller: PI with a model of surge ahead of it, from a desired speed to a surge force.

    v = m a_d + (d + d_q |u_d|) u_d + k_p e + I,  X = v within [lower, upper]
    dI/dt = k_i e + K_t (X - v),  e = u_d - u;  dI/dt = 0 where k_i = 0

    u_d: `speed`, m/s; a_d: `acceleration`, m/s², 0 unless connected; u: surge velocity of `nu`, m/s; X: `force`, N, for
    `ComposeWrench.X`; e: `error`, m/s; k_p, k_i: `kp`, `ki`, N per m/s and per m; m: `inertia`, with added mass, kg;
    d: `damping`, N·s/m, d_q: `quadratic_damping`, N·s²/m²; I: state `integral`, N; K_t: `tracking_gain`, 1/s,
    back-calculation; 0 is no anti-windup.

    **Over ground or through the water.** What is wired to `nu` decides: `nu` of a vessel is over ground, `nu_r` through
    the water. The model ahead is that of speed through the water; over ground, I makes up for the current.

    A step of u_d is overshot, by 14 % with ζ = 1, as PI control of a lag does: give u_d by a reference model, with its
    acceleration, and u follows it without error.

    Raises ParameterError if an upper limit is below its lower limit, and for values out of range.

    Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 15; Åström and
    Hägglund (2006), Advanced PID Control, ch. 3 (anti-windup).
    """

    examples = (
        {"kp": 3.0, "ki": 0.5, "inertia": 2.0, "damping": 1.0, "quadratic_damping": 0.7, "lower": -4.0, "upper": 4.0},
    )

    kernel = "speed_controller"
    acting = "force"
    reads_outputs = ("error",)
    positional = ("kp", "ki")

    speed = Input(Speed, "u_d, what is wanted")
    nu = Input(BodyVelocity, "ν over ground or ν_r through the water, of which the surge velocity counts")
    acceleration = Input(Acceleration, "a_d, the rate of change of the speed that is wanted", default=0.0)

    force = Output(Force, "X within its limits", within=("lower", "upper"))
    error = Output(Speed, "e = u_d - u", feedthrough=("speed", "nu"), depends=_ERROR)

    kp = Parameter(unit="N*s/m", doc="proportional gain k_p")
    ki = Parameter(0.0, unit="N/m", doc="integral gain k_i")
    inertia = Parameter(0.0, unit="kg", at_least=0.0, doc="m in surge, added mass included")
    damping = Parameter(0.0, unit="N*s/m", doc="d in surge")
    quadratic_damping = Parameter(0.0, unit="N*s^2/m^2", doc="d_q in surge")
    lower = Parameter(-NO_LIMIT, unit="N", doc="lower limit of the force")
    upper = Parameter(NO_LIMIT, unit="N", doc="upper limit of the force")
    tracking_gain = Parameter(1.0, unit="1/s", at_least=0.0, doc="K_t of back-calculation")

    integral = State(Force, "I")

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """The force depends on surge alone."""
        if output == "error":
            return super().output_sources(output, sizes)
        model = ("inertia", "damping", "quadratic_damping")
        return _ERROR | each("acceleration", "integral", "kp", *model, "lower", "upper")

    @classmethod
    def by_pole_placement(
        cls,
        vessel: Block,
        natural_frequency: float | str,
        damping_ratio: float | str = 1.0,
        *,
        speed: float | str = 0.0,
        rule: str = "second_order",
        **parameters: Any,
    ) -> SpeedController:
        """The controller that gives the speed of a vessel the poles that are wanted.

        k_p = 2ζω m - d,  k_i = m ω²     rule="second_order": s² + 2ζω s + ω², for d < 2ζω m
        k_p = ω m,        k_i = ω d      rule="first_order": s + ω, for vessels with more damping

        The second takes away the pole of the vessel's own damping at -d/m by the zero of the controller, so that a step
        is not overshot. vessel: a block of `blocks.dynamics`; natural_frequency: ω, rad/s; damping_ratio: ζ; speed: the
        surge speed about which damping is taken, m/s; parameters: any others of the block.

        m and d are those of surge with the other motions held; `damping` and `quadratic_damping` have the value and the
        slope that they have at this speed. Raises ParameterError if the vessel's own damping is more than poles of
        second order need.

        Source: Rivera, Morari and Skogestad (1986), Internal model control 4: PID controller design, Ind. Eng. Chem.
        Process Des. Dev. 25(1), table I ("first_order").
        """
        point = OperatingPoint(vessel, speed, who(cls))
        gains = speed_gains(point, natural_frequency, damping_ratio, rule)
        return cls(**(gains | feedforward(point, "surge") | parameters))
