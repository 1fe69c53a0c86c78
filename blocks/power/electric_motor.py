"""An electric motor with its losses."""

from __future__ import annotations

from typing import ClassVar

from blocks.block import Block
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import each
from blocks.signal import Powers, Revolutions, Torques


class ElectricMotor(Block):
    """The power that n electric motors take, with their losses.

    P = ω Q + P_Cu + P_0,  P_Cu = k_c Q²,  P_0 = k_i |ω| + k_w |ω|³ + C,  ω = 2π n

    Q: `torque` at the shaft, N·m, n; n: `speed`, rev/s, n; P: electrical `power`, W, n; P_Cu: `copper_loss`, W, n; P_0:
    `idle_loss`, W, n; k_c: `copper_coefficient`, W/(N·m)², R/k_t² of a motor of resistance R and torque constant k_t;
    k_i: `iron_coefficient`, W/(rad/s), iron and friction; k_w: `windage_coefficient`, W/(rad/s)³; C: `constant_loss`
    of the electronics, W; each n or one for all.

    P > 0 where the motor takes power. Where the shaft is driven, ω Q < 0, the losses are covered from it first: P < 0
    is what the motor gives back. The efficiency is ω Q/P.

    Raises ParameterError if a coefficient is negative.

    Source: Larminie and Lowry (2012), Electric Vehicle Technology Explained, 2nd ed., ch. 7.
    """

    examples = (
        {"copper_coefficient": 0.5, "iron_coefficient": 0.02, "windage_coefficient": 0.0001, "constant_loss": 2.0},
    )

    kernel = "electric_motor"
    sizes: ClassVar[tuple[str, ...]] = ("n",)

    torque = Input(Torques, "Q at the shaft, of the sign of the speed where the motor drives")
    speed = Input(Revolutions, "shaft speeds n, negative astern")

    power = Output(
        Powers,
        "P, electrical, negative where it is given back",
        depends=each(
            "torque", "speed", "copper_coefficient", "iron_coefficient", "windage_coefficient", "constant_loss"
        ),
        nominal=100.0,
    )
    copper_loss = Output(
        Powers, "P_Cu", feedthrough=("torque",), depends=each("torque", "copper_coefficient"), nominal=10.0
    )
    idle_loss = Output(
        Powers,
        "P_0",
        feedthrough=("speed",),
        depends=each("speed", "iron_coefficient", "windage_coefficient", "constant_loss"),
        nominal=10.0,
    )

    copper_coefficient = Parameter(0.0, shape=("n",), unit="W/(N*m)^2", at_least=0.0, doc="k_c, R/k_t²")
    iron_coefficient = Parameter(0.0, shape=("n",), unit="W*s/rad", at_least=0.0, doc="k_i, iron and friction")
    windage_coefficient = Parameter(0.0, shape=("n",), unit="W*s^3/rad^3", at_least=0.0, doc="k_w")
    constant_loss = Parameter(0.0, shape=("n",), unit="W", at_least=0.0, doc="C, of the electronics")
