"""A current that is the same everywhere and at all times."""

from __future__ import annotations

from blocks.block import Block
from blocks.model.declare import Output, Parameter
from blocks.model.dependence import rows
from blocks.model.derived import Derived
from blocks.signal import Velocity


class UniformCurrent(Block):
    """A current that is the same everywhere and at all times.

    current = (V_c cos β_c, V_c sin β_c, w_c)

    V_c: `speed`, m/s; β_c: `direction` that the water flows **to**, from north, clockwise, rad ("90 deg" flows east);
    w_c: `vertical`, positive down, m/s; `current`: velocity of the water, north, east, down, 3, m/s.

    Raises ParameterError if the speed is negative.

    Source: Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 8.3.
    """

    examples = ({"speed": 0.3, "direction": 0.7},)

    kernel = "uniform_current"
    positional = ("speed", "direction")

    current = Output(
        Velocity,
        "velocity of the water",
        feedthrough=False,
        depends={"speed": rows("north east"), "direction": rows("north east"), "vertical": rows("down")},
    )
    speed = Parameter(0.0, unit="m/s", at_least=0.0, usually_at_most=10.0, doc="horizontal speed V_c")
    direction = Parameter(0.0, unit="rad", doc="where the water flows to, β_c, from north, clockwise")
    vertical = Parameter(0.0, unit="m/s", doc="vertical velocity w_c, positive down")

    velocity = Derived("of the water, north, east, down", shape=(3,), unit="m/s")
