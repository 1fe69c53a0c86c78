"""Thrusters that turn about a vertical axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from blocks.block import Sizes
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import Pattern, Sources, between, each, elements, whole
from blocks.signal import BodyVelocity, Forces, Powers, Revolutions, Signal, Wrench
from blocks.thrust.azimuths import AzimuthSet

Angles = Signal("Angles", ("n",), "rad")
Settings = Signal("Settings", ("n",))

_REACHED = "X Y K M N"


def _has_lag(block: Any) -> bool:
    return bool(block.response != "instant")


class AzimuthThrusters(AzimuthSet):
    """n thrusters that turn about a vertical axis, or stand across the hull, such as a tunnel thruster.

    τ = Σ_i (F_i, r_i × F_i),  F_i = f_i (cos α_i, sin α_i, 0)
    f_i = c_1 n_i + c_2 |n_i| n_i + c_3 n_i³ - k_i |n_i| v_a,i,  v_a,i = (v_r + ω × r_i) · (cos α_i, sin α_i, 0)
    P_i = κ_i |n_i|³, or f_i (v_a,i/2 + √(v_a,i²/4 + 2 f_i/(π ρ D_i²)))/FM with the signs of f and v_a as n > 0 has them

    n_i: `speed`, rev/s, n; α_i: `azimuth`, the direction of the thrust, right-handed about down from straight ahead,
    rad, n; τ: `force`, N and N·m, 6; f_i: `thrust`, N, n; P_i: `power`, W, n; r_i: `positions`, m, n×3; c: rows of
    `thrust_coefficient`; k: `inflow_coefficient`; κ: `power_coefficient`; D: `diameter`, m, n; ρ: `density`; FM:
    `figure_of_merit`; v_r, ω: `nu_r`.

    **Thrust curve.** An odd polynomial in the revolutions. c_2 alone is the propeller law; c_1 alone is a gain on a
    normalised command: then give the thrust at full speed, limits of 1 and commands between -1 and 1, and read
    `speed` as a fraction of full speed. k is what water that comes from ahead takes of the thrust: Fossen's
    T_|n|v |n| v_a.

    **Angles.** `angle` is held within `angle_min` and `angle_max`. A thruster that is fixed has both equal; its command
    does not count. With `full_turn="stops"` a thruster at 170° that is told -170° turns back through 0°. With
    "endless", thrusters whose range is a full turn, to 10⁻⁴ rad, have no stops: they take the shorter way, over 180°,
    and `azimuth` counts turns.

    **Limits and response** are those of `PropellerThrusters`: commands are held within the limits, then speed and angle
    follow at once (`response="instant"`), by dn/dt = (n_c - n)/T_n and dα/dt = (α_c - α)/T_α ("first_order"), or by
    the same within ±`rate_limit` and ±`angle_rate_limit` ("rate_limited").

    **Power** by `power_model="cubic"` is the propeller law of a shaft whose torque goes with n², κ = 2π Q_|n|n; where κ
    is left at 0 no power is counted. "figure_of_merit" wants the diameter only: it is the power of an actuator disc
    that gives f, over FM, as in `PropellerThrusters`, and 0 where the thruster does not push the way it turns. Neither
    is ever negative.

    Raises ParameterError if numbers of thrusters disagree, if a least angle exceeds the greatest, if `initial_speed` is
    beyond the limits, or if a diameter is wanted and not given.

    Sources: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 9 (thrust and torque
    of a propeller, with Blanke's bilinear form) and sec. 11.2 (wrench of azimuth and tunnel thrusters); Carlton (2018),
    Marine Propellers and Propulsion, 4th ed., ch. 8 (actuator disc).
    """

    kernels = ("azimuth_thrusters", "azimuth_thrusters_lag")
    examples = (
        AzimuthSet.examples[0] | {"inflow_coefficient": 0.2, "power_coefficient": 0.3, "response": "instant"},
        AzimuthSet.examples[0] | {"inflow_coefficient": 0.2, "power_coefficient": 0.3, "response": "first_order"},
        AzimuthSet.examples[0] | {"inflow_coefficient": 0.2, "power_coefficient": 0.3, "response": "rate_limited"},
        AzimuthSet.examples[0] | {"inflow_coefficient": 0.2, "power_model": "figure_of_merit", "diameter": 0.2},
        AzimuthSet.examples[0]
        | {
            "inflow_coefficient": 0.2,
            "power_model": "figure_of_merit",
            "diameter": 0.2,
            "response": "first_order",
            "full_turn": "endless",
            "angle_min": -3.2,
            "angle_max": [3.2, 1.5],
        },
    )

    command = Input(Settings, "wanted speeds n_c, rev/s or normalised, negative astern")
    angle = Input(Angles, "wanted angles α_c", default=0.0, wanted=lambda block: True)
    nu_r = Input(BodyVelocity, "ν_r, velocity of the hull through the water", default=0.0)

    force = Output(Wrench, "τ, on the hull about the body origin")
    thrust = Output(Forces, "f, positive ahead")
    speed = Output(Revolutions, "speeds n, negative astern", within=("-speed_limit_reverse", "speed_limit_forward"))
    power = Output(Powers, "P, at the shafts")
    azimuth = Output(Angles, "angles α")

    inflow_coefficient = Parameter(
        0.0, shape=("n",), unit="N*s^2/rev/m", at_least=0.0, doc="k, thrust lost per rev/s and m/s of water from ahead"
    )
    power_model = Parameter(
        "cubic",
        choices=("cubic", "figure_of_merit"),
        structural=True,
        doc="power from the speed, or from the thrust and the water that it moves",
    )
    power_coefficient = Parameter(
        0.0, shape=("n",), unit="W*s^3/rev^3", at_least=0.0, doc="κ, shaft power per cube of the speed; 0: not counted"
    )
    diameter = Parameter(
        0.0, shape=("n",), unit="m", at_least=0.0, doc="D, for the power by figure of merit; 0: not known"
    )
    figure_of_merit = Parameter(0.6, above=0.0, at_most=1.0, doc="FM, ideal over actual power at bollard pull")
    density = Parameter(1025.0, unit="kg/m^3", above=0.0, doc="density of the water ρ, for the power")
    full_turn = Parameter(
        "stops",
        choices=("stops", "endless"),
        doc="whether thrusters that can turn by 360° have stops, or turn on and take the shorter way",
    )
    response = Parameter(
        "instant",
        choices=("instant", "first_order", "rate_limited"),
        structural=True,
        doc="how speed and angle follow their commands",
    )
    time_constant = Parameter(0.1, shape=("n",), unit="s", above=0.0, doc="T_n; not used if instant")
    rate_limit = Parameter(100.0, shape=("n",), unit="rev/s^2", at_least=0.0, doc="of dn/dt; used if rate-limited only")
    angle_time_constant = Parameter(0.1, shape=("n",), unit="s", above=0.0, doc="T_α; not used if instant")
    angle_rate_limit = Parameter(
        1.0, shape=("n",), unit="rad/s", at_least=0.0, doc="of dα/dt; used if rate-limited only"
    )
    speed_state = State(Revolutions, "speeds n", when=_has_lag, name="speed")
    azimuth_state = State(
        Angles, "angles α", when=_has_lag, start=each("initial_azimuth", "angle_min", "angle_max"), name="azimuth"
    )

    @property
    def kernel(self) -> str:  # type: ignore[override]
        """Without states if the response is instant."""
        return "azimuth_thrusters_lag" if _has_lag(self) else "azimuth_thrusters"

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """Commands count at once only if the response is instant."""
        commands = {"speed": ("command",), "azimuth": ("angle",)}.get(output)
        if output == "power" and self.power_model == "cubic":
            commands = ("command",)
        if _has_lag(self):
            return () if commands else ("nu_r",)
        return commands or ("command", "angle", "nu_r")

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """A thruster on its own speed and angle and on the velocity of the hull; the force on all of them."""
        if output == "speed":
            return self._speed()
        if output == "azimuth":
            return self._angle()
        if output == "power" and self.power_model == "cubic":
            return self._speed() | each("power_coefficient")
        own = ("positions", "thrust_coefficient", "inflow_coefficient")
        if output in ("thrust", "power"):
            found = self._speed() | self._angle() | {"nu_r": elements("u v p q r")} | whole(*own)
            return found | each("diameter", "figure_of_merit", "density") if output == "power" else found
        force: dict[str, Pattern] = dict.fromkeys([*self._speed(), *self._angle(), *own], between({_REACHED: "*"}))
        return force | {"nu_r": between({_REACHED: "u v p q r"})}

    def state_sources(self, state: str, sizes: Sizes) -> Sources:
        """Each on its command."""
        limited = self.response == "rate_limited"
        if state == "speed":
            own = ("speed", "time_constant", *(("rate_limit",) if limited else ()))
            return self._commanded_speed() | each(*own)
        own = ("azimuth", "angle_time_constant", *(("angle_rate_limit",) if limited else ()))
        return self._commanded_angle() | each(*own)

    def start_sources(self, state: str, sizes: Sizes) -> Sources:
        """Angles begin within their ranges."""
        return each("initial_speed") if state == "speed" else each("initial_azimuth", "angle_min", "angle_max")

    def _speed(self) -> dict[str, Pattern]:
        return each("speed") if _has_lag(self) else self._commanded_speed()

    def _angle(self) -> dict[str, Pattern]:
        return each("azimuth") if _has_lag(self) else self._commanded_angle()

    def _commanded_speed(self) -> dict[str, Pattern]:
        return each("command", "speed_limit_forward", "speed_limit_reverse")

    def _commanded_angle(self) -> dict[str, Pattern]:
        return each("angle", "angle_min", "angle_max", "full_turn")

    def validate(self) -> None:
        """The initial speed has to be within the limits, and diameters known where power comes from them."""
        super().validate()
        for i in np.flatnonzero(np.atleast_1d(self.diameter) == 0.0) if self.power_model == "figure_of_merit" else ():
            raise ParameterError(
                f"{self._called()}.diameter[{i}] is wanted with power_model='figure_of_merit', in m; where it is not "
                f"known, choose power_model='cubic' with a power_coefficient"
            )
        start, ahead, astern = np.broadcast_arrays(
            np.atleast_1d(self.values["initial_speed"]), self.speed_limit_forward, self.speed_limit_reverse
        )
        for i in np.flatnonzero((start > ahead) | (start < -astern)):
            raise ParameterError(
                f"{self._called()}.initial_speed[{i}] must be within -{astern[i]:g} and {ahead[i]:g} rev/s, the limits "
                f"of the speed, not {start[i]:g}"
            )
