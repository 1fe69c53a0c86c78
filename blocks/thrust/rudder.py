"""A rudder with its steering gear."""

from __future__ import annotations

from typing import Any

from blocks.block import Sizes
from blocks.errors import ParameterError, WiringError
from blocks.model.component import PortRef
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import Pattern, Sources, between, elements, rows, whole
from blocks.signal import Angle, BodyVelocity, Force, Wrench
from blocks.thrust.foils import FoilSet

_REACHED = "X Y K M N"


def _has_lag(block: Any) -> bool:
    return bool(block.response != "instant")


def _has_no_propeller(block: Any) -> bool:
    return not block.propeller_diameter


class Rudder(FoilSet):
    """An upright foil that is turned by a steering gear.

    τ, L, D, α: as of a `Foil` with a cant of 0, and from the same kernel
    dδ/dt = (δ_c - δ)/T, within ±`rate_limit`
    u_R = √(s (u + k (√(u² + 8 F/(π ρ D²)) - u))² + (1 - s) u²), in place of u behind a propeller

    δ: `angle`, rad; δ_c: `command` within ±`angle_limit`, rad; T: `time_constant`, s; u: velocity of the rudder ahead
    through the water, m/s; F: `thrust` of the propeller, N; D: `propeller_diameter`, m; s, k: `slipstream_share` and
    `slipstream_gain`.

    **Signs.** δ > 0 behind the origin turns a vessel that goes ahead to starboard, N > 0, as a positive gain of
    Nomoto's model has it. With δ > 0 the force is to port and aft.

    **Response** is as of `PropellerThrusters`: the rudder follows at once (`response="instant"`), by first order
    ("first_order"), or by first order within the rate ("rate_limited"). Ships have to turn the rudder from 35° on one
    side to 30° on the other within 28 s, 2.3 °/s (SOLAS, ch. II-1, reg. 29); small craft are faster.

    **Slipstream.** With a `propeller_diameter` the rudder is behind a propeller, has an input `thrust`, and works at
    zero speed: √(u² + 8 F/(π ρ D²)) is the speed of the water far behind an actuator disc, k how much of what it gains
    there it has gained at the rudder (½ at the disc itself; models of ships find about 0.5 to 0.6), s the part of the
    rudder in it, about its diameter over the rudder's height, at most 1. F ≤ 0, a propeller that turns astern or is not
    connected, leaves u. With way astern, u < 0, the water gains as much as it does ahead. V and α then are those of the
    water at the rudder, so that lift may do work: it comes from the slipstream. The wake of the hull and the
    straightening of cross flow are not counted.

    Without it take an area and coefficients that were identified behind the propeller, or none is there.

    Raises ParameterError if a parameter is out of range, or `initial_angle` beyond the limit.

    Sources: as of `Foil`; Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 9
    (rudder and steering machine); Yasukawa and Yoshimura (2015), Introduction of MMG standard method for ship
    maneuvering predictions, Journal of Marine Science and Technology 20, 37-52 (u_R, there with η and κ for s and k and
    8 K_T/(π J²) for 8 F/(π ρ D² u²)); SOLAS (rate).
    """

    kernels = ("rudder", "rudder_lag")
    examples = (
        FoilSet.examples[0] | {"response": "instant"},
        FoilSet.examples[0] | {"response": "first_order"},
        FoilSet.examples[0] | {"response": "rate_limited"},
        FoilSet.examples[0] | {"propeller_diameter": 0.2, "slipstream_share": 0.7},
        FoilSet.examples[0] | {"propeller_diameter": 0.2, "slipstream_share": 0.7, "response": "first_order"},
    )

    command = Input(Angle, "wanted angle δ_c")
    nu_r = Input(BodyVelocity, "ν_r, velocity of the hull through the water")
    thrust = Input(
        Force,
        "F of the propeller ahead of the rudder, positive ahead; with a propeller only",
        default=0.0,
        when=lambda block: not _has_no_propeller(block),
    )

    force = Output(Wrench, "τ, on the hull about the body origin")
    lift = Output(Force, "L, positive for positive α")
    drag = Output(Force, "D, against the motion")
    angle_of_attack = Output(Angle, "α, within ±π")
    angle = Output(Angle, "δ", within=("-angle_limit", "angle_limit"))

    response = Parameter(
        "instant",
        choices=("instant", "first_order", "rate_limited"),
        structural=True,
        doc="how the rudder follows its command",
    )
    time_constant = Parameter(0.1, unit="s", above=0.0, doc="T; not used if instant")
    rate_limit = Parameter(0.04, unit="rad/s", above=0.0, doc="of dδ/dt; used if rate-limited only")
    propeller_diameter = Parameter(
        0.0, unit="m", at_least=0.0, structural=_has_no_propeller, doc="D of the propeller ahead; 0: there is none"
    )
    slipstream_share = Parameter(1.0, at_least=0.0, at_most=1.0, doc="s, part of the rudder in the slipstream")
    slipstream_gain = Parameter(
        0.55, at_least=0.0, at_most=1.0, doc="k, gain of speed at the rudder over that far behind the propeller"
    )
    angle_state = State(Angle, "δ", when=_has_lag, name="angle")

    @property
    def kernel(self) -> str:  # type: ignore[override]
        """Without a state if the response is instant."""
        return "rudder_lag" if _has_lag(self) else "rudder"

    def input_port(self, name: str) -> PortRef:
        """An input port by name. Raises WiringError, which says what the thrust wants."""
        if name == "thrust" and _has_no_propeller(self):
            raise WiringError(
                f"no port 'thrust' on {self._called()}: a rudder behind a propeller has one; say so by "
                f"propeller_diameter, in m"
            )
        return super().input_port(name)

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """The command counts at once only if the response is instant."""
        behind = ("thrust",) if self.propeller_diameter else ()
        own = () if output == "angle" else ("nu_r", *behind)
        return own if _has_lag(self) else ("command", *own)

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """The angle and the flow at the rudder."""
        angle = ("angle",) if _has_lag(self) else ("command", "angle_limit")
        if output == "angle":
            return whole(*angle)
        flow = (*angle, "position")
        if self.propeller_diameter:
            flow += ("thrust", "propeller_diameter", "slipstream_share", "slipstream_gain", "density")
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
        initial = float(self.values["initial_angle"])
        if abs(initial) > self.angle_limit:
            raise ParameterError(
                f"{self._called()}.initial_angle must be within ±{self.angle_limit:g} rad, the limit of the angle, "
                f"not {initial:g}"
            )
