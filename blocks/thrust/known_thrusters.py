"""Thrusters of which the thrust is known, wherever they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from blocks.block import Block
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import WHOLE, each, whole
from blocks.model.examples import Example
from blocks.signal import BodyVelocity, Forces, Powers, Revolutions, Wrench
from blocks.thrust.thruster_words import AllocationMatrixParameter

_LIMITED = each("command", "thrust_limit_forward", "thrust_limit_reverse")


class KnownThrusterSet(Block, abstract=True):
    """n thrusters, fixed in the hull, with the greatest thrusts of each."""

    examples: ClassVar[tuple[Example, ...]] = (
        {
            "allocation_matrix": [
                {"at": [-0.2, -0.15, 0.1], "along": [1.0, 0.3, 0.0]},
                {"at": [-0.2, 0.15, 0.1], "along": [1.0, -0.3, 0.0]},
                {"at": [0.1, 0.0, 0.0], "along": [0.0, 0.2, 1.0]},
            ],
            "thrust_limit_forward": [0.9, 0.8, 0.7],
            "thrust_limit_reverse": [0.5, 0.6, 0.7],
        },
    )

    sizes: ClassVar[tuple[str, ...]] = ("n",)
    aliases: ClassVar[Mapping[str, str]] = {"thrusters": "allocation_matrix"}

    allocation_matrix = AllocationMatrixParameter(
        {"max": ("thrust_limit_forward", "thrust_limit_reverse"), "reverse": ("thrust_limit_reverse",)}
    )
    thrust_limit_forward = Parameter(shape=("n",), unit="N", above=0.0, doc="F_max, greatest thrust of each ahead")
    thrust_limit_reverse = Parameter(
        shape=("n",), unit="N", at_least=0.0, doc="F_min, greatest thrust of each astern, positive; 0: not reversible"
    )

    def validate(self) -> None:
        """A column per thruster."""
        super().validate()
        if np.ndim(self.allocation_matrix) != 2:
            raise ParameterError(
                f"{self._called()}.allocation_matrix must be an array of 6×n, "
                f"not the single number {self.allocation_matrix:g}"
            )


class KnownThrusters(KnownThrusterSet):
    """n thrusters, fixed in the hull, that give the thrust that is wanted, within their limits.

    τ = T f,  f_i = c_i within [-F_min,i, F_max,i]
    n_i = n_max,i sgn(f_i) √(|f_i|/F_max,i)
    P_i = f_i v_i / η where f_i v_i > 0, else η f_i v_i;  v_i = (Tᵀ ν_r)_i

    c: `command`, N, n; f: `thrust`, N, n; τ: `force`, N and N·m, 6; T: `allocation_matrix`, 6×n, or `thrusters`, see
    below; F_max, F_min: `thrust_limit_forward`, `thrust_limit_reverse`; n: `speed`, rev/s; n_max: `full_speed`; P:
    `power`, W, n; η: `efficiency`; ν_r: `nu_r`.

    **Thrusters in words.** `thrusters` is the same parameter by another name, and either takes a list that says of each
    thruster where it is and which way it pushes:

        [{at: [0.2, 0.1, 0], along: [0.7, -0.7, 0]}, {at: ["20 cm", "-10 cm", 0], along: [0.7, 0.7, 0]}]

    `at`: from the body origin, m; `along`: its direction, of any length. The column of T is then (d, r × d). `max: 40
    N` says in the same place what it gives at most, and `reverse: 30 N` how much of that astern, if it is less.

    For vehicles of which the thrust is known, but not the propellers. Speed and power are as of `DifferentialThrust`:
    the propeller law, and the power of the thrust over the efficiency of everything before it, zero at zero speed.

    Raises ParameterError if a thruster has no direction, or a limit is out of range.

    Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., sec. 11.2 (T).
    """

    kernel = "known_thrusters"

    command = Input(Forces, "wanted thrusts c, negative astern")
    nu_r = Input(BodyVelocity, "ν_r, velocity of the hull through the water", default=0.0)

    force = Output(
        Wrench,
        "τ, on the hull about the body origin",
        feedthrough=("command",),
        depends=dict.fromkeys((*_LIMITED, "allocation_matrix"), WHOLE),
    )
    thrust = Output(
        Forces,
        "f, positive ahead",
        feedthrough=("command",),
        depends=_LIMITED,
        within=("-thrust_limit_reverse", "thrust_limit_forward"),
    )
    speed = Output(Revolutions, "n, negative astern", feedthrough=("command",), depends=_LIMITED | each("full_speed"))
    power = Output(
        Powers,
        "P; negative where the water drives the thruster",
        depends=_LIMITED | whole("nu_r", "allocation_matrix", "efficiency"),
    )

    efficiency = Parameter(1.0, above=0.0, at_most=1.0, doc="η, power of the thrust over power put in")
    full_speed = Parameter(
        1.0, shape=("n",), unit="rev/s", above=0.0, doc="n_max, shaft speed at the greatest thrust ahead"
    )
