"""Allocation of a wanted moment to a rudder or a dive plane."""

from __future__ import annotations

from typing import Any, ClassVar

from blocks.block import Sizes
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import Sources, elements, whole
from blocks.model.derived import Derived
from blocks.model.examples import variants
from blocks.signal import Angle, BodyVelocity, Force, Moment, Wrench
from blocks.thrust.foils import FoilSet


def _has_no_propeller(block: Any) -> bool:
    return not block.propeller_diameter


class RudderAllocation(FoilSet):
    """Allocation of a wanted moment to a `Rudder`, or to a `Foil` at a cant: the angle that gives it in the flow of
    the moment.

    Q(δ) = cos γ N(δ) - sin γ M(δ) = cos γ N_d - sin γ M_d,  δ within ±`angle_limit` and α(δ) within ±45°

    N_d, M_d: yaw and pitch moments of `force`, N·m; δ: `command`, rad; Q: `moment`, what the foil gives, N·m; N(δ),
    M(δ): of the foil at the angle δ in the flow of `nu_r`, from the kernel of `Rudder` and `Foil`; γ: `cant`, rad, 0:
    upright, π/2: level; α: angle of attack; u_R behind a propeller with `propeller_diameter`, and all else, as of
    `Rudder`.

    What the foil cannot give is left: then δ is at a limit, or where the foil stalls. Its drag, and the sway and roll
    that come with the moment, are not counted.

    **Slow.** The force of a foil goes with the square of the speed, and at rest there is none. Below `least_speed` the
    flow is counted as that fast, so that the angle does not jump from stop to stop.

    Raises ParameterError if a parameter is out of range.

    Sources: as of `Foil`; Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 11.
    """

    kernel = "rudder_allocation"
    examples = variants(FoilSet.examples[0], {"cant": 0.4}, {"propeller_diameter": 0.2, "slipstream_share": 0.7})
    sections_taken: ClassVar = {"thrust.Rudder": dict, "thrust.Foil": dict}

    force = Input(Wrench, "τ, the wanted forces and moments about the body origin")
    nu_r = Input(BodyVelocity, "ν_r, velocity of the hull through the water")
    thrust = Input(
        Force,
        "F of the propeller ahead of the rudder, positive ahead; with a propeller only",
        default=0.0,
        when=lambda block: not _has_no_propeller(block),
    )

    command = Output(Angle, "wanted angle δ", within=("-angle_limit", "angle_limit"))
    moment = Output(Moment, "Q, about the axis that the foil turns the hull about")

    cant = Parameter(0.0, unit="rad", doc="γ, about the body x-axis from upright")
    propeller_diameter = Parameter(
        0.0, unit="m", at_least=0.0, structural=_has_no_propeller, doc="D of the propeller ahead; 0: there is none"
    )
    slipstream_share = Parameter(1.0, at_least=0.0, at_most=1.0, doc="s, part of the rudder in the slipstream")
    slipstream_gain = Parameter(
        0.55, at_least=0.0, at_most=1.0, doc="k, gain of speed at the rudder over that far behind the propeller"
    )
    least_speed = Parameter(0.1, unit="m/s", above=0.0, doc="the flow counts as at least this fast")

    sine = Derived("of the cant")
    cosine = Derived("of the cant")

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """The moment that is wanted, and the flow at the rudder."""
        own = ["position", "area", "density", "lift_coefficient", "drag_coefficient", "angle_limit", "cant"]
        if self.propeller_diameter:
            own += ["thrust", "propeller_diameter", "slipstream_share", "slipstream_gain"]
        return whole(*own, "least_speed", "nu_r") | {"force": elements("M N")}
