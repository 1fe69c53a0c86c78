"""The parameters that foils share."""

from __future__ import annotations

import math
from typing import ClassVar

from blocks.block import Block
from blocks.model.declare import Parameter
from blocks.model.examples import Example


class FoilSet(Block, abstract=True):
    """A foil with lift and drag in the relative flow at its centre of pressure."""

    examples: ClassVar[tuple[Example, ...]] = (
        {
            "position": [-0.8, 0.1, 0.2],
            "area": 0.05,
            "lift_coefficient": 0.8,
            "drag_coefficient": 0.6,
            "angle_limit": 0.6,
        },
    )

    position = Parameter(
        shape=(3,), unit="m", frame="body", labels=("x", "y", "z"), doc="r, centre of pressure from the body origin"
    )
    area = Parameter(unit="m^2", above=0.0, doc="A, of one side")
    lift_coefficient = Parameter(1.0, at_least=0.0, doc="k_l, lift coefficient at an angle of attack of 45°")
    drag_coefficient = Parameter(1.0, at_least=0.0, doc="k_d, half the drag coefficient across the flow")
    density = Parameter(1025.0, unit="kg/m^3", above=0.0, doc="density of the water ρ")
    angle_limit = Parameter(
        math.pi / 2.0, unit="rad", at_least=0.0, at_most=math.pi, doc="greatest angle δ to either side"
    )
