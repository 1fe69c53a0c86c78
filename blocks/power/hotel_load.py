"""What is consumed while the vehicle is on, whatever it does."""

from __future__ import annotations

from typing import ClassVar

from blocks.block import Block
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import each, whole
from blocks.signal import Number, Powers


class HotelLoad(Block):
    """What computers, sensors, lights and radios consume, whatever the vehicle does.

    power_i = a P_i

    P_i: `consumption` of each of n consumers, W, n; a: `on`, 1 if not connected; 0 switches all of them off, and what
    is between is a duty cycle; `power`: W, n, positive where consumed.

    Raises ParameterError if a consumption is negative.

    Definition: the part of the power that does not depend on the motion; P_static of Touzout (2021), Energy consumption
    modelling of marine drones, doctoral thesis, UMBB, eq. 4.20.
    """

    examples = ({"consumption": [5.0, 2.0]},)

    kernel = "hotel_load"
    sizes: ClassVar[tuple[str, ...]] = ("n",)
    positional = ("consumption",)

    on = Input(Number, "a, 1: on, 0: off", default=1.0)
    power = Output(Powers, "powers, positive where consumed", depends=each("consumption") | whole("on"), nominal=10.0)
    consumption = Parameter(shape=("n",), unit="W", at_least=0.0, doc="P_i, consumption of each")
