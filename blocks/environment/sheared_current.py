"""Currents that change with the depth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from blocks.basic.common import check_increasing
from blocks.block import Block
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import between, rows
from blocks.model.derived import Derived
from blocks.signal import Pose, Velocity

_HORIZONTAL = "north east"


class ShearedCurrent(Block):
    """A current that changes with the depth as a table says, steady and the same at all places of equal depth.

    current = (V_c cos β_c, V_c sin β_c, 0),  V_c and β_c at the depth z

    z: depth of the vehicle, from `eta`, m; V_c: straight between `speeds`, m, m/s; β_c: straight between `directions`
    that the water flows **to**, m, from north, clockwise, rad, the shorter way around; at m increasing `depths`, m.
    Above the first and below the last depth the current is what it is there. `current`: velocity of the water, north,
    east, down, 3, m/s.

    Raises ParameterError if there are fewer than two depths, if they do not increase, if a speed is negative, or if
    tables have different lengths.

    Definition: of this library, with a table by the user, as current meters and profilers give it.
    """

    examples = ({"depths": [-1.0, 0.2, 0.8, 2.0], "speeds": [0.6, 0.5, 0.2, 0.1], "directions": [0.7, 0.3, 6.1, 5.0]},)

    kernel = "sheared_current"
    sizes = ("m",)
    least_sizes: ClassVar[Mapping[str, int]] = {"m": 2}
    positional = ("depths", "speeds", "directions")

    eta = Input(Pose, "η; the depth counts")
    current = Output(
        Velocity,
        "velocity of the water",
        depends={"eta": between({_HORIZONTAL: "z"})}
        | dict.fromkeys(("depths", "speeds", "directions"), rows(_HORIZONTAL)),
    )
    depths = Parameter(shape=("m",), unit="m", doc="increasing depths z, positive down")
    speeds = Parameter(shape=("m",), unit="m/s", at_least=0.0, doc="V_c at each depth")
    directions = Parameter(0.0, shape=("m",), unit="rad", doc="where the water flows to at each depth, β_c")

    headings = Derived("β_c, each within half a turn of the one before", shape=("m",), unit="rad")

    def validate(self) -> None:
        """Increasing depths."""
        check_increasing(self, "depths", at_least=2)


class PowerLawCurrent(Block):
    """A current that decreases from the surface to the bottom by a power law, as tidal currents do.

    current = V(z) (cos β_c, sin β_c, 0),  V(z) = V_0 (1 - z/h)^α

    V_0: `speed` at the surface, m/s; β_c: `direction` that the water flows **to**, from north, clockwise, rad; h:
    `depth` of the water, m; α: `exponent`; z: depth of the vehicle, from `eta`, m; `current`: velocity of the water,
    north, east, down, 3, m/s. Above the surface it is what it is there, below the bottom zero.

    Raises ParameterError if a number is out of range.

    Source: DNV-RP-C205 (2010), Environmental Conditions and Environmental Loads, ch. 4 (tidal currents: α = 1/7).
    """

    examples = ({"speed": 0.4, "direction": 0.7, "depth": 3.0},)

    kernel = "power_law_current"
    positional = ("speed", "direction", "depth")

    eta = Input(Pose, "η; the depth counts")
    current = Output(
        Velocity,
        "velocity of the water",
        depends={"eta": between({_HORIZONTAL: "z"})}
        | dict.fromkeys(("speed", "direction", "depth", "exponent"), rows(_HORIZONTAL)),
    )
    speed = Parameter(unit="m/s", at_least=0.0, doc="speed at the surface V_0")
    direction = Parameter(0.0, unit="rad", doc="where the water flows to, β_c, from north, clockwise")
    depth = Parameter(unit="m", above=0.0, doc="depth of the water h")
    exponent = Parameter(1.0 / 7.0, above=0.0, at_most=10.0, doc="α")

    surface = Derived("velocity at the surface, north, east", shape=(2,), unit="m/s")
