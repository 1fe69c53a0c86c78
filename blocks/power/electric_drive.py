"""A drive that is known by its efficiency."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from blocks.basic.common import check_increasing
from blocks.block import Block
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import each, whole
from blocks.signal import Powers


class ElectricDrive(Block):
    """The power that n drives of known efficiency take: motors with their electronics, gears, converters.

    P = L/η(L/P_r) + P_0 for L ≥ 0,  P = η_r L + P_0 for L < 0

    L: `load`, what they have to deliver, at the shaft say, W, n; P: `power` that they take, W, n; P - L: `loss`, W, n;
    P_r: `rated_power`, W, n; η: `efficiency` at `load_points`, fractions of the rated power, m, linear in between and
    constant beyond; one number is an efficiency that does not depend on load; P_0: `idle_power`, W, n; η_r:
    `regeneration`, n.

    P > 0 where power is taken. L < 0 is power that comes back from the water; η_r of it arrives: with 0, as of most
    small thrusters, none does and all of it is loss.

    Raises ParameterError if an efficiency is not above 0 and up to 1, if load points do not increase, or if numbers of
    points disagree.

    Definition: efficiency is the power delivered over the power taken.
    """

    examples = (
        {"rated_power": 2.0, "load_points": [0.1, 0.5, 1.0], "efficiency": [0.3, 0.8, 0.7], "regeneration": 0.4},
    )

    kernel = "electric_drive"
    sizes: ClassVar[tuple[str, ...]] = ("n", "m")
    least_sizes: ClassVar[Mapping[str, int]] = {"m": 2}

    load = Input(Powers, "L, what the drives have to deliver; negative where power comes back")

    power = Output(
        Powers,
        "P, what the drives take; negative where they give back",
        depends=each("load", "rated_power", "idle_power", "regeneration") | whole("load_points", "efficiency"),
        nominal=100.0,
    )
    loss = Output(
        Powers,
        "P - L",
        depends=each("load", "rated_power", "idle_power", "regeneration") | whole("load_points", "efficiency"),
        nominal=10.0,
    )

    rated_power = Parameter(1.0, shape=("n",), unit="W", above=0.0, doc="P_r, what load points are fractions of")
    load_points = Parameter((0.0, 1.0), shape=("m",), doc="increasing fractions of the rated power")
    efficiency = Parameter(1.0, shape=("m",), above=0.0, at_most=1.0, doc="η at the load points")
    idle_power = Parameter(0.0, shape=("n",), unit="W", at_least=0.0, doc="P_0, taken at any load")
    regeneration = Parameter(
        0.0, shape=("n",), at_least=0.0, at_most=1.0, doc="η_r, part of a negative load that arrives"
    )

    def validate(self) -> None:
        """Increasing load points."""
        check_increasing(self, "load_points", at_least=2)
