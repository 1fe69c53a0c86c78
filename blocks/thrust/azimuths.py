"""The parameters that blocks with azimuth thrusters share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from blocks.basic.common import check_limits
from blocks.block import Block
from blocks.errors import ParameterError
from blocks.model.declare import Parameter
from blocks.model.examples import Example
from blocks.thrust.thruster_words import PositionsParameter


class AzimuthSet(Block, abstract=True):
    """n thrusters in horizontal planes of the hull, each at an angle that is fixed or turns within a range."""

    examples: ClassVar[tuple[Example, ...]] = (
        {
            "positions": [[-0.42, -0.08, 0.1], [0.28, 0.05, -0.2]],
            "thrust_coefficient": [[0.01, 0.2, 0.05], [3.5, 0.1, 0.3]],
            "speed_limit_forward": [6.0, 3.0],
            "speed_limit_reverse": [5.0, 2.0],
            "angle_min": [-2.0, -1.5],
            "angle_max": [2.0, 1.5],
        },
    )

    sizes = ("n",)
    aliases: ClassVar[Mapping[str, str]] = {"thrusters": "positions"}

    positions = PositionsParameter(
        {
            "max": ("speed_limit_forward", "speed_limit_reverse"),
            "reverse": ("speed_limit_reverse",),
            "angle_min": ("angle_min",),
            "angle_max": ("angle_max",),
        }
    )
    thrust_coefficient = Parameter(
        shape=("n", 3), unit=None, doc="c_1, c_2, c_3 of each thrust curve: N per rev/s, per (rev/s)², per (rev/s)³"
    )
    speed_limit_forward = Parameter(
        shape=("n",), unit="rev/s", above=0.0, doc="greatest speed ahead; 1 where the command is normalised"
    )
    speed_limit_reverse = Parameter(
        shape=("n",), unit="rev/s", at_least=0.0, doc="greatest speed astern, positive; 0: not reversible"
    )
    angle_min = Parameter(-math.pi, shape=("n",), unit="rad", doc="least angle; equal to angle_max: fixed")
    angle_max = Parameter(math.pi, shape=("n",), unit="rad", doc="greatest angle")

    def validate(self) -> None:
        """Matrices have a row per thruster, and ranges their ends in order."""
        for name in ("positions", "thrust_coefficient"):
            if np.ndim(self.values[name]) != 2:
                raise ParameterError(
                    f"{self._called()}.{name} must be an array of n×3, one row per thruster, "
                    f"not the single number {self.values[name]:g}"
                )
        check_limits(self, "angle_min", "angle_max")
