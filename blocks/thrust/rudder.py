"""A rudder with its steering gear."""

from __future__ import annotations

from typing import Any

from blocks.block import Sizes
from blocks.declare import Input, Output, Parameter, State
from blocks.dependence import Pattern, Sources, between, elements, rows, whole
from blocks.errors import ParameterError
from blocks.signal import Angle, BodyVelocity, Force, Wrench
from blocks.thrust.foils import FoilSet

_REACHED = "X Y K M N"


def _has_lag(block: Any) -> bool:
    return bool(block.response != "instant")


class Rudder(FoilSet):
    """An upright foil that is turned by a steering gear.

    τ, L, D, α: as of a `Foil` with a cant of 0, and from the same kernel
    dδ/dt = (δ_c - δ)/T, within ±`rate_limit`

    δ: `angle`, rad; δ_c: `command` within ±`angle_limit`, rad; T: `time_constant`, s.

    **Signs.** δ > 0 behind the origin turns a vessel that goes ahead to starboard, N > 0, as a positive gain of
    Nomoto's model has it. With δ > 0 the force is to port and aft.

    **Response** is as of `PropellerThrusters`: the rudder follows at once (`response="instant"`), by first order
    ("first_order"), or by first order within the rate ("rate_limited"). Ships have to turn the rudder from 35° on one
    side to 30° on the other within 28 s, 2.3 °/s (SOLAS, ch. II-1, reg. 29); small craft are faster.

    The slipstream of a propeller ahead is not counted: take an area and coefficients that were identified with it.

    Raises ParameterError if a parameter is out of range, or `initial_angle` beyond the limit.

    Sources: as of `Foil`; Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., sec. 9.5
    (rudder and steering machine).
    """

    command = Input(Angle, "wanted angle δ_c")
    nu_r = Input(BodyVelocity, "ν_r, velocity of the hull through the water")

    force = Output(Wrench, "τ, on the hull about the body origin")
    lift = Output(Force, "L, positive for positive α")
    drag = Output(Force, "D, against the motion")
    angle_of_attack = Output(Angle, "α, within ±π")
    angle = Output(Angle, "δ")

    response = Parameter(
        "instant",
        choices=("instant", "first_order", "rate_limited"),
        structural=True,
        doc="how the rudder follows its command",
    )
    time_constant = Parameter(0.1, unit="s", above=0.0, doc="T; not used if instant")
    rate_limit = Parameter(0.04, unit="rad/s", above=0.0, doc="of dδ/dt; used if rate-limited only")
    angle_state = State(Angle, "δ", when=_has_lag, name="angle")

    @property
    def kernel(self) -> str:  # type: ignore[override]
        """Without a state if the response is instant."""
        return "rudder_lag" if _has_lag(self) else "rudder"

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """The command counts at once only if the response is instant."""
        own = () if output == "angle" else ("nu_r",)
        return own if _has_lag(self) else ("command", *own)

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """The angle and the flow at the rudder."""
        angle = ("angle",) if _has_lag(self) else ("command", "angle_limit")
        if output == "angle":
            return whole(*angle)
        flow = (*angle, "position")
        if output == "angle_of_attack":
            return whole(*flow) | {"nu_r": elements("u v p q r")}
        if output in ("lift", "drag"):
            return whole(*flow, "area", "density", f"{output}_coefficient") | {"nu_r": elements("u v p q r")}
        own = (*flow, "area", "density", "lift_coefficient", "drag_coefficient")
        force: dict[str, Pattern] = dict.fromkeys(own, rows(_REACHED))
        return force | {"nu_r": between({_REACHED: "u v p q r"})}

    def state_sources(self, state: str, sizes: Sizes) -> Sources:
        """The steering gear on its command."""
        limit = ("rate_limit",) if self.response == "rate_limited" else ()
        return whole("command", "angle_limit", "angle", "time_constant", *limit)

    def validate(self) -> None:
        """The initial angle has to be within the limit."""
        if abs(self.initial_angle) > self.angle_limit:
            raise ParameterError(
                f"{self._called()}.initial_angle must be within ±{self.angle_limit:g} rad, the limit of the angle, "
                f"not {self.initial_angle:g}"
            )
