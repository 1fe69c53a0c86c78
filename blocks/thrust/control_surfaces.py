"""Rudders, stern planes and fins whose derivatives are known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from blocks.block import Block, Sizes
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import Pattern, Sources, between, each, rows, whole
from blocks.model.examples import variants
from blocks.signal import BodyVelocity, Signal, Wrench

Angles = Signal("Angles", ("n",), "rad")


def _has_lag(block: Any) -> bool:
    return bool(block.response != "instant")


class ControlSurfaces(Block):
    """n control surfaces of a vehicle whose derivatives are known: rudders, stern and bow planes, fins.

    τ = Σ_i δ_i (|u| u e_i + u (b_i · ν_r) e_X) - Σ_i c_i |u| u δ_i² e_X

    τ: `force`, N and N·m, 6; δ_i: `angle`, rad, n; u: surge through the water, of `nu_r`, ν_r, m/s and rad/s, 6; e_i:
    rows of `effect`, n×6; b_i: rows of `surge_coupling`, n×6; c_i: `drag`, n; e_X: along the hull.

    For polynomials as models of submarines have them: Y_uuδ, Z_uuδ, M_uuδ, N_uuδ of each surface stand in `effect`,
    X_uvδ, X_uwδ, X_uqδ and X_urδ in `surge_coupling`, and -X_uuδδ in `drag`. One of a prime system is multiplied by
    ½ ρ L², and by L more for a moment and for each angular velocity. Angles have the signs of the source. Flow across
    the hull at the surfaces counts by the derivatives of the hull, `derivatives` of a `ComplexVessel6DOF`, not here;
    where the area and the section are known instead, take a `Foil` or a `Rudder`, which feel the flow where they are.

    **Astern** everything is as ahead with the flow turned round, |u| u: the force of a thin foil turns its sign.

    **Response** is as of `Rudder`: the surfaces follow their commands within ±`angle_limit` at once
    (`response="instant"`), by dδ/dt = (δ_c - δ)/T ("first_order"), or by the same within ±`rate_limit`
    ("rate_limited"), T: `time_constant`.

    Raises ParameterError if numbers of surfaces disagree, or if `initial_angle` is beyond the limit.

    Source: Healey and Lienard (1993), Multivariable sliding-mode control for autonomous diving and steering of unmanned
    underwater vehicles, IEEE Journal of Oceanic Engineering 18(3), 327-339; Gertler and Hagen (1967), Standard
    equations of motion for submarine simulation, NSRDC report 2510.
    """

    kernels = ("control_surfaces", "control_surfaces_lag")
    examples = variants(
        {
            "effect": [[0.0, 8.0, 0.0, 0.1, 0.0, -6.0], [0.0, 0.0, -9.0, 0.0, -6.5, 0.0]],
            "surge_coupling": [[0.0, 0.5, 0.0, 0.0, 0.0, -1.0], [0.0, 0.0, 4.0, 0.0, 2.0, 0.0]],
            "drag": [3.0, 2.5],
            "angle_limit": [0.5, 0.4],
        },
        {"response": "first_order"},
        {"response": "rate_limited"},
    )
    sizes: ClassVar[tuple[str, ...]] = ("n",)
    aliases: ClassVar[Mapping[str, str]] = {}

    command = Input(Angles, "wanted angles δ_c")
    nu_r = Input(BodyVelocity, "ν_r, velocity of the hull through the water")

    force = Output(Wrench, "τ, on the hull about the body origin")
    angle = Output(Angles, "δ", within=("-angle_limit", "angle_limit"))

    effect = Parameter(
        shape=("n", 6), unit=None, doc="e, of each surface the wrench per rad at 1 m/s: X_uuδ, Y_uuδ, … N_uuδ"
    )
    surge_coupling = Parameter(
        0.0, shape=("n", 6), unit=None, doc="b, of each surface X_uuδ, X_uvδ, X_uwδ, X_upδ, X_uqδ, X_urδ"
    )
    drag = Parameter(0.0, shape=("n",), unit="N*s^2/(m^2*rad^2)", at_least=0.0, doc="c, positive: -X_uuδδ")
    angle_limit = Parameter(shape=("n",), unit="rad", above=0.0, doc="greatest angle to either side")
    response = Parameter(
        "instant",
        choices=("instant", "first_order", "rate_limited"),
        structural=True,
        doc="how the surfaces follow their commands",
    )
    time_constant = Parameter(0.1, shape=("n",), unit="s", above=0.0, doc="T; not used if instant")
    rate_limit = Parameter(1.0, shape=("n",), unit="rad/s", above=0.0, doc="of dδ/dt; used if rate-limited only")

    angle_state = State(Angles, "δ", when=_has_lag, name="angle")

    @property
    def kernel(self) -> str:  # type: ignore[override]
        """Without states if the response is instant."""
        return "control_surfaces_lag" if _has_lag(self) else "control_surfaces"

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """The command counts at once only if the response is instant."""
        own = () if output == "angle" else ("nu_r",)
        return own if _has_lag(self) else ("command", *own)

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """An angle on its own command; the force on all of them."""
        angle = each("angle") if _has_lag(self) else each("command", "angle_limit")
        if output == "angle":
            return angle
        force: dict[str, Pattern] = whole(*angle, "effect")
        force |= dict.fromkeys(("surge_coupling", "drag"), rows("X"))
        return force | {"nu_r": between({"X": "u v w p q r", "Y Z K M N": "u"})}

    def state_sources(self, state: str, sizes: Sizes) -> Sources:
        """Each on its command."""
        limit = ("rate_limit",) if self.response == "rate_limited" else ()
        return each("command", "angle_limit", "angle", "time_constant", *limit)

    def validate(self) -> None:
        """A row per surface; the initial angles have to be within the limits."""
        if np.ndim(self.effect) != 2:
            raise ParameterError(
                f"{self._called()}.effect must be an array of n×6, one row per surface, "
                f"not the single number {self.effect:g}"
            )
        start, limit = np.broadcast_arrays(np.atleast_1d(self.values["initial_angle"]), self.angle_limit)
        for i in np.flatnonzero(np.abs(start) > limit):
            raise ParameterError(
                f"{self._called()}.initial_angle[{i}] must be within ±{limit[i]:g} rad, the limit of the angle, "
                f"not {start[i]:g}"
            )
