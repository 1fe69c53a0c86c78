"""Propellers that are fixed in the hull."""

from __future__ import annotations

from typing import Any

import numpy as np

from blocks.block import Sizes
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import WHOLE, Pattern, Sources, each, whole
from blocks.model.examples import variants
from blocks.signal import BodyVelocity, Forces, Powers, Revolutions, Torques, Wrench
from blocks.thrust.propellers import PropellerSet


def _has_lag(block: Any) -> bool:
    return bool(block.response != "instant")


def _knows_no_torque(block: Any) -> bool:
    """True if the torque model cannot be changed, because there are no coefficients for the other one."""
    return not np.any(block.torque_coefficient_forward)


class PropellerThrusters(PropellerSet):
    """n fixed-pitch propellers, fixed in the hull: from shaft speeds to the wrench on the hull.

    τ = T f,  f_i = ρ D_i⁴ θ_i K_T(J_i) |n_i| n_i,  J_i = v_a,i / (|n_i| D_i),  v_a,i = (1 - w_i) (Tᵀ ν_r)_i
    K_T(J) = c_3 J³ + c_2 J² + c_1 J + c_0, other coefficients c and θ ahead (n > 0) than astern
    P_i = 2π n_i Q_i,  Q_i = ρ D_i⁵ K_Q(J_i) |n_i| n_i

    n_i: `speed`, rev/s, n; τ: `force`, N and N·m, 6; f: `thrust`, N, n; P: `power` at the shaft, W, n; Q: `torque`,
    N·m, n, on the shaft by its motor; T: `allocation_matrix`, 6×n; D: `diameter`; ρ: `density`; w: `wake_fraction`; θ:
    `loss_forward` and `loss_reverse`.

    **Advance ratio.** J has the sign of v_a: it is positive where water comes from ahead, whichever way the propeller
    turns. Coefficients astern that are published over v_a/(n D), with n < 0, get the signs of c_3 and c_1 turned. J is
    held within `advance_range_forward` and `advance_range_reverse`, the range in which K_T was fitted. A polynomial
    that is extrapolated instead makes thrust grow with 1/n towards zero revolutions, where J has no bound; held, the
    thrust goes to zero with n².

    **Advance speed.** Tᵀ ν_r is the speed of the hull at each thruster along its axis, and Σ f_i (Tᵀ ν_r)_i = τᵀ ν_r:
    the power that the thrusters give is the power that the hull gets. `advance_speed="pseudo_inverse"` takes T⁺ ν_r,
    as the Simulink library uuv does; where k thrusters share a direction it gives each of them 1/k of the speed.

    **Limits and response.** Commands are held within -`speed_limit_reverse` and `speed_limit_forward`. The shafts then
    follow at once (`response="instant"`), by dn/dt = (n_c - n)/T_n ("first_order"), or by the same within
    ±`rate_limit` ("rate_limited"), T_n: `time_constant`.

    **Power** is positive where the shaft has to be driven; the torque then has the sign of n, as an `ElectricMotor`
    wants it. Neither contains θ: thrust that is lost at the hull is paid for. With `torque_model="coefficients"` K_Q is
    a polynomial in J like K_T, and P is negative where the water drives the propeller. Where no K_Q is known,
    "figure_of_merit" takes an actuator disc whose ideal power is the fraction FM of the power at the shaft:

    K_Q = K_T (j/2 + √(j²/4 + 2 K_T/π)) / (2π FM),  j = J sgn n; 0 where K_T ≤ 0, so no power is taken from the water

    It is best at and near bollard pull; towards zero thrust it leaves out the friction of the blades and gives too
    little power. The open four-bladed propellers of the Wageningen B-series, with a blade area ratio of 0.55, have FM
    0.65 at a pitch ratio of 0.6 (K_T(0) = 0.25), 0.62 at 0.8 and 0.52 at 1.2; small thrusters have less.

    Raises ParameterError if numbers of thrusters disagree, if J = 0 is not within an advance range, if K_T(0) is not
    positive, if a K_Q is wanted and not given, or if `initial_speed` is beyond the limits.

    Sources: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 9 (propeller) and
    11 (T); Carlton (2018), Marine Propellers and Propulsion, 4th ed., ch. 6 (K_T, K_Q) and 8 (actuator disc);
    Oosterveld and van Oossanen (1975), Further computer-analyzed data of the Wageningen B-screw series, International
    Shipbuilding Progress 22 (FM, from the polynomials at J = 0).
    """

    kernels = ("propeller_thrusters", "propeller_thrusters_lag")
    examples = variants(
        PropellerSet.examples[0],
        {"response": "first_order"},
        {"response": "rate_limited"},
        {
            "torque_model": "coefficients",
            "torque_coefficient_forward": [-0.02, -0.03, -0.02, 0.04],
            "torque_coefficient_reverse": [-0.02, -0.03, -0.02, 0.03],
        },
    )

    command = Input(Revolutions, "wanted shaft speeds n_c, negative astern")
    nu_r = Input(BodyVelocity, "ν_r, velocity of the hull through the water", default=0.0)

    force = Output(Wrench, "τ, on the hull about the body origin")
    thrust = Output(Forces, "f, positive ahead")
    speed = Output(
        Revolutions, "shaft speeds n, negative astern", within=("-speed_limit_reverse", "speed_limit_forward")
    )
    power = Output(Powers, "P, at the shafts; negative where the water drives a propeller")
    torque = Output(Torques, "Q, on the shafts by their motors, of the sign of n where they drive")

    torque_model = Parameter(
        "figure_of_merit",
        choices=("figure_of_merit", "coefficients"),
        structural=_knows_no_torque,
        doc="where K_Q comes from",
    )
    figure_of_merit = Parameter(0.6, above=0.0, at_most=1.0, doc="FM, ideal over actual power at bollard pull")
    torque_coefficient_forward = Parameter(
        0.0, shape=(4,), doc="K_Q(J) ahead, from the third power of J down", labels=("c3", "c2", "c1", "c0")
    )
    torque_coefficient_reverse = Parameter(
        0.0, shape=(4,), doc="K_Q(J) astern, from the third power of J down", labels=("c3", "c2", "c1", "c0")
    )
    response = Parameter(
        "instant",
        choices=("instant", "first_order", "rate_limited"),
        structural=True,
        doc="how the shafts follow their commands",
    )
    time_constant = Parameter(0.1, shape=("n",), unit="s", above=0.0, doc="T_n; not used if instant")
    rate_limit = Parameter(100.0, shape=("n",), unit="rev/s^2", above=0.0, doc="of dn/dt; used if rate-limited only")

    speed_state = State(Revolutions, "shaft speeds n", when=_has_lag, name="speed")

    @property
    def kernel(self) -> str:  # type: ignore[override]
        """Without states if the response is instant."""
        return "propeller_thrusters_lag" if _has_lag(self) else "propeller_thrusters"

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """The command counts at once only if the response is instant."""
        own = () if output == "speed" else ("nu_r",)
        return own if _has_lag(self) else ("command", *own)

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """A thruster on its own shaft speed and on the velocity of the hull; the force on all of them."""
        shaft = each("speed") if _has_lag(self) else self._commanded()
        if output == "speed":
            return shaft
        if output in ("power", "torque"):
            torque = ["figure_of_merit", *self.thrust_parameters()]
            if not _knows_no_torque(self):
                torque += ["torque_model", "torque_coefficient_forward", "torque_coefficient_reverse"]
            return shaft | whole("nu_r", *torque)
        per_thruster = shaft | whole("nu_r", "loss_forward", "loss_reverse", *self.thrust_parameters())
        return per_thruster if output == "thrust" else dict.fromkeys(per_thruster, WHOLE)

    def state_sources(self, state: str, sizes: Sizes) -> Sources:
        """Each shaft on its command."""
        limit = ("rate_limit",) if self.response == "rate_limited" else ()
        return self._commanded() | each("speed", "time_constant", *limit)

    def _commanded(self) -> dict[str, Pattern]:
        return each("command", "speed_limit_forward", "speed_limit_reverse")

    def validate(self) -> None:
        """The initial speed has to be within the limits."""
        super().validate()
        for way in ("forward", "reverse") if self.torque_model == "coefficients" else ():
            if not np.any(self.values[f"torque_coefficient_{way}"]):
                raise ParameterError(
                    f"{self._called()}.torque_coefficient_{way} is wanted with torque_model='coefficients'; where it "
                    f"is not known, choose torque_model='figure_of_merit'"
                )
        start, ahead, astern = np.broadcast_arrays(
            np.atleast_1d(self.values["initial_speed"]), self.speed_limit_forward, self.speed_limit_reverse
        )
        for i in np.flatnonzero((start > ahead) | (start < -astern)):
            raise ParameterError(
                f"{self._called()}.initial_speed[{i}] must be within -{astern[i]:g} and {ahead[i]:g} rev/s, the limits "
                f"of the shaft speed, not {start[i]:g}"
            )
