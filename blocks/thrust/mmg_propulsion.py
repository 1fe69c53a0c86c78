"""Propellers and rudders behind a ship's hull, by the MMG standard method."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from blocks.block import Block, Sizes
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import Pattern, Sources, between, each, elements, rows, whole
from blocks.model.derived import Derived
from blocks.model.examples import variants
from blocks.model.improbable import doubtful
from blocks.problems import Problem
from blocks.signal import BodyVelocity, Forces, Powers, Revolutions, Torques, Wrench
from blocks.thrust.azimuth_thrusters import Angles

_REACHED = "X Y K M N"
_ASTERN = (0.3, 0.75)
"""Over the length, abaft midship, between which propellers and rudders are."""
_WIDEST = 0.15
"""Diameter of a propeller over the length of its ship; tankers have 0.03, fishing boats 0.08."""
_FASTEST_TIP = 300.0
"""m/s; tips of propellers of ships go at up to some 50 m/s."""
_EXAMPLE = {
    "length": 3.0, "diameter": [0.1, 0.11], "positions": [[-1.4, -0.1, 0.1], [-1.4, 0.12, 0.1]],
    "thrust_coefficient_forward": [-0.02, -0.14, -0.28, 0.29], "advance_range_forward": [-0.2, 1.2],
    "thrust_coefficient_reverse": [-0.02, -0.1, -0.2, 0.2], "advance_range_reverse": [-1.2, 1.2],
    "speed_limit_forward": 12.0, "speed_limit_reverse": 8.0, "wake_fraction": [0.35, 0.4],
    "wake_rate": 2.0, "wake_gain": [[1.3, 1.1], [1.1, 1.3]], "thrust_deduction": 0.2,
    "rudder_area": [0.01, 0.012], "rudder_positions": [[-1.5, -0.1, 0.08], [-1.5, 0.12, 0.09]],
    "normal_force_slope": 2.7, "steering_deduction": 0.3, "force_increase": 0.3, "increase_position": -0.45,
    "wake_ratio": 1.1, "slipstream_share": 0.7, "slipstream_gain": 0.5,
    "flow_straightening": [[0.6, 0.4], [0.4, 0.6]], "flow_lever": -0.7, "angle_limit": 0.7,
}  # fmt: skip


def _has_lag(block: Any) -> bool:
    return bool(block.response != "instant")


class MMGPropulsion(Block):
    """n propellers with a rudder behind each, and how hull, propeller and rudder act on each other.

    X = Σ (1 - t_P) T + X_R,  T = ρ n² D⁴ K_T(J),  J = u_P/(n D),  u_P = (1 - w_P) u
    K_T = c_3 J³ + c_2 J² + c_1 J + c_0
    (1 - w_P)/(1 - w_P0) = 1 + (1 - exp(-C_1 |β_P|)) (C_2 - 1), or w_P = w_P0 exp(-C_0 β_P²),  β_P = β - x_P r/U
    X_R = -(1 - t_R) F_N sin δ,  Y_R = -(1 + a_H) F_N cos δ,  N_R = -(x_R + a_H x_H) F_N cos δ
    F_N = ½ρ A_R U_R² f_α sin α_R,  α_R = δ - atan2(v_R, u_R),  U_R² = u_R² + v_R²
    u_R = ε √(η (u_P + κ (√(u_P² + 8 T/(π ρ D²)) - u_P))² + (1 - η) u_P²),  v_R = γ_R U β_R,  β_R = β - l_R' r L/U

    n: `speed`, rev/s, n, as commanded; δ: `angle`, rad, n, positive turns the ship to starboard; τ: `force`, N and N·m,
    6; T: `thrust`, N, n; F_N: `normal_force`, N, n; u, v, r: of `nu_r` at midship, U² = u² + v², β = atan2(-v, u); L:
    `length`; D: `diameter`; (x_P, y_P, z_P): `positions` of the propellers; w_P0: `wake_fraction`; C_1: `wake_rate`;
    C_2: `wake_gain`, for β_P > 0 and for β_P < 0; C_0: `gaussian_rate`; t_P: `thrust_deduction`; A_R: `rudder_area`;
    (x_R, y_R, z_R): `rudder_positions`; f_α: `normal_force_slope`; t_R: `steering_deduction`; a_H: `force_increase`;
    x_H = L times `increase_position`; ε: `wake_ratio`; η: `slipstream_share`, diameter over height of the rudder; κ:
    `slipstream_gain`; γ_R: `flow_straightening`, for β_R > 0 and for β_R < 0; l_R': `flow_lever`; ρ: `density`.

    **Wake.** `wake_law="exponential"` goes to a limit of its own on each side, as a propeller that turns one way sees
    it; "gaussian" is the older, symmetric law. With C_1 = 0 or C_2 = 1 the wake is constant.

    **Several propellers.** Each sees u - r y_P; thrusts and rudder forces off the centre plane turn the ship, and both
    sides are mirror images if γ_R and C_2 are.

    **Limits and response.** n is held within -`speed_limit_reverse` and `speed_limit_forward` and follows at once. δ is
    held within ±`angle_limit` and follows at once (`response="instant"`), by dδ/dt = (δ_c - δ)/T_δ ("first_order"), or
    by the same within ±`rate_limit` ("rate_limited"); T_δ: `time_constant`.

    **Beyond the method.** J is held within `advance_range_forward`: a propeller that slows down gives thrust with n²
    and a stopped one none, nor drag, and there u_R = ε u_P. Where T < 0 the slipstream is slower, not below rest. Going
    astern there is no wake, u_P = u, and β is that of going ahead at the same |u|; n < 0 has polynomial and range of
    its own and no slipstream at the rudder. None of this is measured. The rudder has no stall: to about 35°.

    **Power** P = 2π n Q, Q = ρ D⁵ K_Q |n| n is by `torque_coefficient` ahead, and by the actuator disc of
    `PropellerThrusters` with `figure_of_merit` where that is 0 and astern.

    Raises ParameterError if numbers of propellers disagree, if J = 0 is not within an advance range, if K_T(0) is not
    positive where it is wanted, if a rudder is ahead of midship, or for values out of range.

    Sources: Yasukawa and Yoshimura (2015), Introduction of MMG standard method for ship maneuvering predictions,
    Journal of Marine Science and Technology 20, 37-52 (all but what stands under "beyond"); Hirano (1980), J. Soc.
    Naval Arch. Japan 147 (the symmetric wake); Khanfir et al. (2011), Manoeuvring characteristics of twin-rudder
    systems: rudder-hull interaction effect on the manoeuvrability of twin-rudder ships, Journal of Marine Science and
    Technology 16, 472-490 (a rudder behind each of two propellers).
    """

    kernels = ("mmg_propulsion", "mmg_propulsion_lag")
    sizes = ("n",)
    examples = variants(
        _EXAMPLE,
        {"response": "first_order"},
        {"response": "rate_limited", "wake_law": "gaussian"},
        {"torque_coefficient": [0.0, -0.01, -0.02, 0.03]},
    )

    command = Input(Revolutions, "wanted shaft speeds n, negative astern")
    rudder = Input(Angles, "wanted rudder angles δ_c", default=0.0)
    nu_r = Input(BodyVelocity, "ν_r, velocity of the hull through the water")

    force = Output(Wrench, "τ, on the hull about the body origin, midship")
    thrust = Output(Forces, "T of the propellers, without thrust deduction")
    speed = Output(
        Revolutions, "shaft speeds n, negative astern", within=("-speed_limit_reverse", "speed_limit_forward")
    )
    power = Output(Powers, "P, at the shafts")
    torque = Output(Torques, "Q, on the shafts by their motors, of the sign of n where they drive")
    angle = Output(Angles, "rudder angles δ", within=("-angle_limit", "angle_limit"))
    normal_force = Output(Forces, "F_N of the rudders, positive to port with positive δ")

    length = Parameter(unit="m", above=0.0, doc="L of the ship, between perpendiculars")
    density = Parameter(1025.0, unit="kg/m^3", above=0.0, doc="density of the water ρ")
    diameter = Parameter(shape=("n",), unit="m", above=0.0, doc="D of the propellers")
    positions = Parameter(
        shape=("n", 3), unit="m", frame="body", labels=("x", "y", "z"), doc="(x_P, y_P, z_P) of the propellers"
    )
    thrust_coefficient_forward = Parameter(
        shape=(4,), doc="K_T(J) ahead, from the third power of J down to K_T(0)", labels=("c3", "c2", "c1", "c0")
    )
    advance_range_forward = Parameter(
        (0.0, 1.0), shape=(2,), doc="least and greatest J for which K_T ahead holds", labels=("min", "max")
    )
    thrust_coefficient_reverse = Parameter(
        0.0, shape=(4,), doc="K_T(J) astern, J > 0 where water comes from ahead", labels=("c3", "c2", "c1", "c0")
    )
    advance_range_reverse = Parameter(
        (-1.0, 1.0), shape=(2,), doc="least and greatest J for which K_T astern holds", labels=("min", "max")
    )
    torque_coefficient = Parameter(
        0.0, shape=(4,), doc="K_Q(J) ahead, as K_T; 0: not known", labels=("c3", "c2", "c1", "c0")
    )
    figure_of_merit = Parameter(0.6, above=0.0, at_most=1.0, doc="FM, ideal over actual power where K_Q is not known")
    speed_limit_forward = Parameter(shape=("n",), unit="rev/s", above=0.0, doc="greatest shaft speed ahead")
    speed_limit_reverse = Parameter(
        0.0, shape=("n",), unit="rev/s", at_least=0.0, doc="greatest shaft speed astern, positive; 0: not reversible"
    )
    wake_fraction = Parameter(shape=("n",), below=1.0, doc="w_P0, of going straight ahead")
    wake_law = Parameter(
        "exponential", choices=("exponential", "gaussian"), doc="how the wake changes with the drift at the propeller"
    )
    wake_rate = Parameter(0.0, at_least=0.0, doc="C_1 of the exponential law")
    wake_gain = Parameter(
        1.0, shape=("n", 2), at_least=0.0, labels=("+", "-"), doc="C_2 of the exponential law, β_P > 0 and β_P < 0"
    )
    gaussian_rate = Parameter(4.0, at_least=0.0, doc="C_0 of the Gaussian law")
    thrust_deduction = Parameter(0.0, below=1.0, doc="t_P")
    rudder_area = Parameter(shape=("n",), unit="m^2", at_least=0.0, doc="A_R, movable area of each; 0: no rudder")
    rudder_positions = Parameter(
        shape=("n", 3), unit="m", frame="body", labels=("x", "y", "z"), doc="(x_R, y_R, z_R) of the rudders"
    )
    normal_force_slope = Parameter(above=0.0, doc="f_α, of the normal force over sin α_R")
    steering_deduction = Parameter(0.0, below=1.0, doc="t_R")
    force_increase = Parameter(0.0, at_least=0.0, doc="a_H, what the hull adds to the lateral force of the rudder")
    increase_position = Parameter(0.0, at_least=-1.0, at_most=1.0, doc="x_H/L, where it acts")
    wake_ratio = Parameter(1.0, above=0.0, doc="ε, (1 - w) at the rudder over that at the propeller")
    slipstream_share = Parameter(1.0, at_least=0.0, at_most=1.0, doc="η, part of the rudder in the slipstream")
    slipstream_gain = Parameter(
        0.5, at_least=0.0, at_most=1.0, doc="κ, gain of speed at the rudder over that far behind"
    )
    flow_straightening = Parameter(
        1.0, shape=("n", 2), at_least=0.0, labels=("+", "-"), doc="γ_R, for β_R > 0 and for β_R < 0; 1: none"
    )
    flow_lever = Parameter(-0.5, at_least=-2.0, at_most=2.0, doc="l_R', place of the rudder for the flow, over L")
    angle_limit = Parameter(math.pi / 2, unit="rad", at_least=0.0, at_most=math.pi, doc="greatest |δ|")
    response = Parameter(
        "instant",
        choices=("instant", "first_order", "rate_limited"),
        structural=True,
        doc="how the rudders follow their commands",
    )
    time_constant = Parameter(0.1, unit="s", above=0.0, doc="T_δ; not used if instant")
    rate_limit = Parameter(0.04, unit="rad/s", above=0.0, doc="of dδ/dt; used if rate-limited only")

    torque_known = Derived("1 if there is a K_Q")

    angle_state = State(Angles, "rudder angles δ", when=_has_lag, name="angle")

    @property
    def kernel(self) -> str:  # type: ignore[override]
        """Without states if the response is instant."""
        return "mmg_propulsion_lag" if _has_lag(self) else "mmg_propulsion"

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """Rudder commands count at once only if the response is instant."""
        rudder = () if _has_lag(self) else ("rudder",)
        if output == "speed":
            return ("command",)
        if output == "angle":
            return rudder
        if output in ("thrust", "power", "torque"):
            return ("command", "nu_r")
        return ("command", *rudder, "nu_r")

    def _speed(self) -> dict[str, Pattern]:
        return each("command", "speed_limit_forward", "speed_limit_reverse")

    def _angle(self) -> dict[str, Pattern]:
        return each("angle") if _has_lag(self) else each("rudder") | whole("angle_limit")

    def _inflow(self) -> dict[str, Pattern]:
        """What J depends on beside n."""
        shared = whole("positions", "wake_law", "wake_rate", "wake_gain", "gaussian_rate")
        return each("diameter", "wake_fraction") | shared | {"nu_r": elements("u v r")}

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """Each propeller on its speed and the flow, each rudder on these and its angle; the force on all of them."""
        if output == "speed":
            return self._speed()
        if output == "angle":
            return self._angle()
        polynomials = (
            "thrust_coefficient_forward", "advance_range_forward", "thrust_coefficient_reverse",
            "advance_range_reverse", "density",
        )  # fmt: skip
        thrust = self._speed() | self._inflow() | whole(*polynomials)
        if output == "thrust":
            return thrust
        if output in ("power", "torque"):
            return thrust | whole("torque_coefficient", "figure_of_merit")
        rudder = each("rudder_area") | whole(
            "length", "flow_straightening", "flow_lever", "normal_force_slope", "wake_ratio", "slipstream_share",
            "slipstream_gain",
        )  # fmt: skip
        own = thrust | rudder | self._angle()
        astern = ("speed_limit_reverse", "thrust_coefficient_reverse", "advance_range_reverse")
        if output == "normal_force":
            return {name: pattern for name, pattern in own.items() if name not in astern}
        force: dict[str, Pattern] = dict.fromkeys(own, between({_REACHED: "*"}))
        force |= {"nu_r": between({_REACHED: "u v r"}), "thrust_deduction": rows("X M N")}
        force |= dict.fromkeys(astern, rows("X M N"))
        force |= {"steering_deduction": rows("X M N"), "force_increase": rows("Y K N"), "increase_position": rows("N")}
        return force | {"rudder_positions": rows("K M N")}

    def state_sources(self, state: str, sizes: Sizes) -> Sources:
        """Each rudder on its command."""
        limited = ("rate_limit",) if self.response == "rate_limited" else ()
        return each("rudder", "angle") | whole("angle_limit", "time_constant", *limited)

    def improbable(self) -> Iterator[Problem]:
        """Places that do not count from midship in metres, and shaft speeds in other units."""
        yield from super().improbable()
        length = float(self.length)
        for name, part in (("rudder_positions", "a rudder"), ("positions", "a propeller")):
            x = float(np.max(np.asarray(self.values[name])[:, 0]))
            if not -_ASTERN[1] * length <= x <= -_ASTERN[0] * length:
                yield doubtful(
                    self,
                    name,
                    f": {part} is {x:g} m forward of midship, of a ship of {length:g} m, and they are near her stern",
                    f"metres forward of midship, about {-0.48 * length:.3g} m here; x' is to be multiplied by L, and "
                    f"L/2 taken off what counts from the aft perpendicular",
                )
        diameter = float(np.max(np.asarray(self.diameter)))
        if diameter > _WIDEST * length:
            yield doubtful(
                self, "diameter", f" is {diameter:g} m, of a ship of {length:g} m", "in mm it is to be divided by 1000"
            )
        for way in ("forward", "reverse"):
            name = f"speed_limit_{way}"
            speed = float(np.max(np.asarray(self.values[name])))
            if np.pi * diameter * speed > _FASTEST_TIP:
                yield doubtful(
                    self,
                    name,
                    f" is {speed:g} rev/s, at which the tips of a propeller of {diameter:g} m go at "
                    f"{np.pi * diameter * speed:.3g} m/s",
                    f"if revolutions per minute are meant, write '{speed:g} rpm'",
                )

    def validate(self) -> None:
        """A row per propeller; intervals of J contain still water, and the propellers push there."""
        for name in ("positions", "rudder_positions"):
            if np.ndim(self.values[name]) != 2:
                raise ParameterError(
                    f"{self._called()}.{name} must be an array of n×3, one row per propeller, not the single number "
                    f"{self.values[name]:g}"
                )
        reverse = np.any(np.asarray(self.speed_limit_reverse) > 0.0)
        for way, wanted in (("forward", True), ("reverse", bool(reverse))):
            low, high = np.asarray(self.values[f"advance_range_{way}"])
            if not low <= 0.0 <= high or low == high:
                raise ParameterError(
                    f"{self._called()}.advance_range_{way} must be an interval with J = 0 in it, such as (0, 0.8), not "
                    f"({low:g}, {high:g})"
                )
            bollard = float(np.broadcast_to(self.values[f"thrust_coefficient_{way}"], 4)[3])
            if wanted and bollard <= 0.0:
                raise ParameterError(
                    f"{self._called()}.thrust_coefficient_{way}[3] is K_T(0), the thrust in still water, and must be "
                    f"> 0, not {bollard:g}; the coefficients begin with the third power of J"
                    + ("" if way == "forward" else ". Without them leave speed_limit_reverse at 0: commands end there")
                )
        for i, x in enumerate(np.asarray(self.rudder_positions)[:, 0]):
            if x > 0.0:
                raise ParameterError(
                    f"{self._called()}.rudder_positions[{i}]: the rudder must be aft of midship, x_R < 0, not {x:g} m"
                )
        start = np.atleast_1d(self.values["initial_angle"]) if _has_lag(self) else np.zeros(1)
        if np.any(np.abs(start) > self.angle_limit):
            raise ParameterError(
                f"{self._called()}.initial_angle must be within ±{self.angle_limit:g} rad, the limit of the angle"
            )
