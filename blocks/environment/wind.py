"""A wind that is the same everywhere and at all times."""

from __future__ import annotations

from blocks.block import Block
from blocks.model.declare import Output, Parameter
from blocks.model.dependence import rows
from blocks.model.derived import Derived
from blocks.signal import Velocity


class UniformWind(Block):
    """A wind that is the same everywhere and at all times.

    wind = -(V_w cos β_w, V_w sin β_w, 0)

    V_w: `speed`, m/s; β_w: `direction` that the wind comes **from**, from north, clockwise, rad ("270 deg" is a west
    wind, which blows to the east); `wind`: velocity of the air, where it blows to, north, east, down, 3, m/s. Winds are
    named by where they come from and currents by where they go: a `UniformCurrent` of equal direction runs against it.

    Raises ParameterError if the speed is negative.

    Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 10.
    """

    examples = ({"speed": 5.0, "direction": 0.7},)

    kernel = "uniform_wind"
    positional = ("speed", "direction")

    wind = Output(
        Velocity,
        "velocity of the air, where it blows to",
        feedthrough=False,
        depends={"speed": rows("north east"), "direction": rows("north east")},
        nominal=10.0,
    )
    speed = Parameter(0.0, unit="m/s", at_least=0.0, usually_at_most=100.0, doc="speed of the wind V_w")
    direction = Parameter(0.0, unit="rad", doc="where the wind comes from, β_w, from north, clockwise")

    velocity = Derived("of the air, where it blows to: north, east, down", shape=(3,), unit="m/s")
