"""What it takes to turn a propeller, from its torque coefficient."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from blocks.block import Block
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import each, whole
from blocks.signal import Powers, Revolutions, Speeds, Torques

_COEFFICIENTS = ("c3", "c2", "c1", "c0")


class ShaftPower(Block):
    """Torque and power at the shafts of n propellers whose torque coefficient is known.

    Q = ρ D⁵ K_Q(J) |n| n,  P = 2π n Q,  J = v_a/(|n| D)

    n: `speed`, rev/s, n, negative astern; v_a: `advance_speed` of the water along the shaft, positive where it comes
    from ahead, m/s, n; D: `diameter`, m, n; ρ: `density`, kg/m³; K_Q: `torque_coefficient_forward` for n > 0,
    `torque_coefficient_reverse` for n < 0, cubic in J, with J held within `advance_range_forward` and
    `advance_range_reverse`; Q: `torque`, N·m, n, of the sign of n where the shaft is driven; P: `power`, W, n.

    P > 0 where the shaft has to be driven, ahead and astern alike; P < 0 where K_Q(J) < 0: the water drives it.

    `PropellerThrusters` gives its shaft power itself; this is for thrusters that do not.

    Raises ParameterError if numbers of propellers disagree or J = 0 is not within an advance range.

    Source: Carlton (2018), Marine Propellers and Propulsion, 4th ed., ch. 6.
    """

    examples = (
        {
            "diameter": [0.2, 0.3],
            "torque_coefficient_forward": [-0.02, -0.03, -0.02, 0.04],
            "torque_coefficient_reverse": [-0.02, -0.03, -0.02, 0.03],
        },
    )

    kernel = "shaft_power"
    sizes: ClassVar[tuple[str, ...]] = ("n",)

    speed = Input(Revolutions, "shaft speeds n, negative astern")
    advance_speed = Input(Speeds, "v_a, positive where the water comes from ahead", default=0.0)

    torque = Output(
        Torques,
        "Q, on the shaft by its motor",
        depends=each("speed", "advance_speed", "diameter")
        | whole(
            "density", "torque_coefficient_forward", "torque_coefficient_reverse", "advance_range_forward",
            "advance_range_reverse",
        ),
    )  # fmt: skip
    power = Output(Powers, "P, negative where the water drives the shaft", depends=torque.depends, nominal=100.0)

    diameter = Parameter(shape=("n",), unit="m", above=0.0, doc="D")
    density = Parameter(1025.0, unit="kg/m^3", above=0.0, doc="density of the water ρ")
    torque_coefficient_forward = Parameter(
        shape=(4,), doc="K_Q(J) ahead, from the third power of J down to K_Q(0)", labels=_COEFFICIENTS
    )
    torque_coefficient_reverse = Parameter(
        shape=(4,), doc="K_Q(J) astern, from the third power of J down to K_Q(0)", labels=_COEFFICIENTS
    )
    advance_range_forward = Parameter(
        (-1.0, 1.0), shape=(2,), doc="least and greatest J for which K_Q ahead holds", labels=("min", "max")
    )
    advance_range_reverse = Parameter(
        (-1.0, 1.0), shape=(2,), doc="least and greatest J for which K_Q astern holds", labels=("min", "max")
    )

    def validate(self) -> None:
        """Intervals of J contain still water."""
        for name in ("advance_range_forward", "advance_range_reverse"):
            low, high = np.asarray(self.values[name])
            if not low <= 0.0 <= high or low == high:
                raise ParameterError(
                    f"{self._called()}.{name} must be an interval with J = 0 in it, such as (-0.2, 1.0), "
                    f"not ({low:g}, {high:g})"
                )
