"""The controller of roll and pitch."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from blocks.basic.common import NO_LIMIT
from blocks.block import Block, Sizes
from blocks.control.limited_controller import LimitedController
from blocks.control.operating_point import OperatingPoint
from blocks.control.pole_placement import tilt_gains, who
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import Pattern, Sources, between, elements, same, whole
from blocks.signal import Angle, AngularRate, BodyVelocity, Moment, Pose, Signal

_AXES = ("roll", "pitch")
_Errors = Signal("Angles", (2,), "rad", None, _AXES)
_Moments = Signal("Moments", (2,), "N*m", "body", _AXES)

_REFERENCES = whole("roll", "pitch")
_ERROR = _REFERENCES | {"eta": elements("phi theta")}
_LAW = ("kp", "kd", "stiffness", "lower", "upper")
_WANTED_RATES = {"roll_rate": "roll", "pitch_rate": "pitch"}


class AttitudeController(LimitedController):
    """Roll and pitch controller: PID on the tilt between the vertical that is wanted and the one that is.

    (K, M) = v within [lower, upper],  v = k_p e + k_d (ω_d - ω) + I + k s
    e = α (c_x, c_y)/|c|,  c = g_d × g,  α = atan2(|c|, g_d · g)
    dI/dt = k_i e + K_t ((K, M) - v);  dI/dt = 0 where k_i = 0
    g = (-sin θ, cos θ sin φ, cos θ cos φ);  s = (cos θ_d sin φ_d, sin θ_d)

    φ_d, θ_d: `roll`, `pitch`, what is wanted, rad; g, g_d: downwards as seen from the body, as φ, θ of `eta` and as
    φ_d, θ_d have it; e: `error`, roll and pitch, rad; ω = (p, q): of `nu`, ω_d: `roll_rate`, `pitch_rate`, rad/s,
    about the body's axes; `K`, `M`: N·m, for `ComposeWrench`; k_p, k_i, k_d: `kp`, `ki`, `kd` for roll and pitch, N·m
    per rad, rad s and rad/s; k: `stiffness`, righting moment per rad, N·m; I: state `integral`, N·m; K_t:
    `tracking_gain`, 1/s, back-calculation; 0 is no anti-windup. What is not connected of the references is 0: upright.

    **Wrap-free.** e is the shortest turn that brings the one vertical to the other, about the axes of the body. For
    small angles it is (φ_d - φ, θ_d - θ). It has no jump at θ = ±90°, where Euler angles have one, does not depend on
    the heading, and is as good upside down; right there it is a turn in roll.

    **Under way** a hull that is deeper or broader than a needle is turned across its way by the Munk moment, which
    grows with the square of the speed, and from some speed on is more than what rights it. `by_pole_placement` counts
    it for a path that stays level.

    Raises ParameterError if an upper limit is below its lower limit, and for values out of range.

    Sources: Bullo, Murray and Sarti (1995), Control on the sphere and reduced attitude stabilization, IFAC Nonlinear
    Control Systems Design (e); Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch.
    15; Åström and Hägglund (2006), Advanced PID Control, ch. 3 (anti-windup).
    """

    examples = (
        {
            "kp": [3.0, 4.0],
            "ki": [0.5, 0.7],
            "kd": [2.0, 2.5],
            "stiffness": [1.3, 1.7],
            "lower": [-4.0, -3.0],
            "upper": [4.0, 3.0],
        },
    )

    kernel = "attitude_controller"
    acting = "K"
    reads_outputs = ("error",)
    positional = ("kp", "ki", "kd")

    eta = Input(Pose, "η, of which roll φ and pitch θ count")
    nu = Input(BodyVelocity, "ν, of which the rates p and q count")
    roll = Input(Angle, "φ_d, the roll that is wanted", default=0.0)
    pitch = Input(Angle, "θ_d, the pitch that is wanted", default=0.0)
    roll_rate = Input(AngularRate, "p_d, the rate that goes with a reference that moves", default=0.0)
    pitch_rate = Input(AngularRate, "q_d, the rate that goes with a reference that moves", default=0.0)

    K = Output(Moment, "roll moment within its limits")
    M = Output(Moment, "pitch moment within its limits")
    error = Output(_Errors, "e, of roll and pitch", feedthrough=("eta", "roll", "pitch"), depends=_ERROR)

    kp = Parameter(shape=(2,), unit="N*m", labels=_AXES, doc="proportional gains k_p of roll and pitch, per rad")
    ki = Parameter(0.0, shape=(2,), unit="N*m/s", labels=_AXES, doc="integral gains k_i, per rad and s")
    kd = Parameter(0.0, shape=(2,), unit="N*m*s", labels=_AXES, doc="derivative gains k_d, per rad/s")
    stiffness = Parameter(0.0, shape=(2,), unit="N*m", labels=_AXES, doc="k, righting moments per rad")
    lower = Parameter(-NO_LIMIT, shape=(2,), unit="N*m", labels=_AXES, doc="lower limits of the moments")
    upper = Parameter(NO_LIMIT, shape=(2,), unit="N*m", labels=_AXES, doc="upper limits of the moments")
    tracking_gain = Parameter(
        1.0, shape=(2,), unit="1/s", at_least=0.0, labels=_AXES, doc="K_t of back-calculation of each"
    )

    integral = State(_Moments, "I, of roll and pitch")

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """A moment depends on the rate about its own axis."""
        other = {"K": "pitch_rate", "M": "roll_rate"}.get(output)
        return tuple(name for name in super().feedthrough(output) if name != other)

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """Both moments on the whole tilt, each on the rate about its own axis."""
        if output == "error":
            return super().output_sources(output, sizes)
        axis, rate = ("roll", "p") if output == "K" else ("pitch", "q")
        own = {"nu": elements(rate), "integral": elements(axis)}
        return {**_ERROR, **own, **whole(f"{axis}_rate", *_LAW)}

    def state_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """With anti-windup the integrals depend on all that the moments do."""
        found: dict[str, Pattern] = {**_ERROR, **whole(*_LAW, *self.integral_gains), "integral": same("roll pitch")}
        found["nu"] = between({"roll": "p", "pitch": "q"})
        return found | {name: between({axis: "*"}) for name, axis in _WANTED_RATES.items()}

    @classmethod
    def by_pole_placement(
        cls,
        vessel: Block,
        natural_frequency: ArrayLike | str,
        damping_ratio: ArrayLike | str = 1.0,
        *,
        integral_pole: ArrayLike | str | None = None,
        speed: float | str = 0.0,
        rule: str = "exact",
        **parameters: Any,
    ) -> AttitudeController:
        """The controller that gives roll and pitch of a vessel the poles of (s² + 2ζω s + ω²)(s + a).

        vessel: a block of `blocks.dynamics` that rolls and pitches; natural_frequency: ω, rad/s; damping_ratio: ζ;
        integral_pole: a, rad/s, ω/10 unless given, 0 for no integral action; each a number, or two for roll and pitch;
        speed: the surge speed U for which the gains are, m/s; rule: "exact", or "fossen" for k_p = m ω² - k, k_d =
        2ζω m - d, k_i = a m ω²; parameters: any others of the block.

        m, d and k are those of one motion with the others held. Under way the path is held, not the velocity of the
        body: a pitch of δθ comes with a heave of U δθ through the water, so that in pitch k = k_θ + U D_θw, which
        has the Munk moment in it. `stiffness` is what rights the vessel, k_φ and k_θ. Raises ParameterError if the
        vessel's own damping or stiffness is more than these poles need.
        """
        point = OperatingPoint(vessel, speed, who(cls))
        return cls(**(tilt_gains(point, natural_frequency, damping_ratio, integral_pole, rule) | parameters))
