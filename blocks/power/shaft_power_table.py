"""What it takes to turn a propeller, from a measured curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from blocks.basic.common import check_increasing
from blocks.block import Block
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import each, whole
from blocks.signal import Powers, Revolutions, Torques


class ShaftPowerTable(Block):
    """Torque and power at the shafts of n equal propellers from a measured curve of torque over speed.

    Q = Q_k + (Q_{k+1} - Q_k) (n - n_k)/(n_{k+1} - n_k),  P = 2π n Q

    n: `speed`, rev/s, n, negative astern; (n_k, Q_k): `speeds`, rev/s, and `torques`, N·m, m points of the curve, both
    astern and ahead; beyond its ends the torque stays what it is there; Q: `torque`, N·m, n; P: `power`, W, n.

    P > 0 where the shaft has to be driven, ahead and astern alike, so torques astern are negative as speeds are.

    Raises ParameterError if there are fewer than two speeds, if they do not increase, or if numbers of points disagree.

    Definition: power is torque times angular velocity.
    """

    examples = ({"speeds": [-2.0, 0.0, 1.0, 3.0], "torques": [-0.8, 0.0, 0.3, 2.0]},)

    kernel = "shaft_power_table"
    sizes: ClassVar[tuple[str, ...]] = ("n", "m")
    positional = ("speeds", "torques")
    least_sizes: ClassVar[Mapping[str, int]] = {"m": 2}

    speed = Input(Revolutions, "shaft speeds n, negative astern")

    torque = Output(Torques, "Q, on the shaft by its motor", depends=each("speed") | whole("speeds", "torques"))
    power = Output(
        Powers,
        "P, negative where the water drives the shaft",
        depends=each("speed") | whole("speeds", "torques"),
        nominal=100.0,
    )

    speeds = Parameter(shape=("m",), unit="rev/s", doc="increasing shaft speeds n_k of the curve")
    torques = Parameter(shape=("m",), unit="N*m", doc="torques Q_k there")

    def validate(self) -> None:
        """Increasing speeds."""
        check_increasing(self, "speeds", at_least=2)
