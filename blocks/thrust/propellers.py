"""The parameters that blocks with propellers share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from blocks.block import Block
from blocks.errors import ParameterError
from blocks.model.declare import Parameter
from blocks.model.derived import Derived
from blocks.model.examples import Example
from blocks.thrust.thruster_words import AllocationMatrixParameter


class PropellerSet(Block, abstract=True):
    """n fixed-pitch propellers that are fixed in the hull."""

    examples: ClassVar[tuple[Example, ...]] = (
        {
            "allocation_matrix": [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.3, -0.2]],
            "diameter": [0.2, 0.3],
            "thrust_coefficient_forward": [-0.2, -0.3, -0.2, 0.4],
            "thrust_coefficient_reverse": [-0.2, -0.3, -0.2, 0.3],
            "advance_range_forward": [-1.0, 0.9],
            "advance_range_reverse": [-1.0, 0.9],
            "speed_limit_forward": 6.0,
            "speed_limit_reverse": 5.0,
        },
    )

    sizes = ("n",)
    aliases: ClassVar[Mapping[str, str]] = {"thrusters": "allocation_matrix"}

    allocation_matrix = AllocationMatrixParameter(
        {
            "diameter": ("diameter",),
            "max": ("speed_limit_forward", "speed_limit_reverse"),
            "reverse": ("speed_limit_reverse",),
        }
    )
    diameter = Parameter(shape=("n",), unit="m", above=0.0, doc="D")
    density = Parameter(1025.0, unit="kg/m^3", above=0.0, doc="density of the water ρ")
    thrust_coefficient_forward = Parameter(
        shape=(4,), doc="K_T(J) ahead, from the third power of J down to K_T(0)", labels=("c3", "c2", "c1", "c0")
    )
    thrust_coefficient_reverse = Parameter(
        shape=(4,), doc="K_T(J) astern, from the third power of J down to K_T(0)", labels=("c3", "c2", "c1", "c0")
    )
    advance_range_forward = Parameter(
        shape=(2,), doc="least and greatest J for which the coefficients ahead hold", labels=("min", "max")
    )
    advance_range_reverse = Parameter(
        shape=(2,), doc="least and greatest J for which the coefficients astern hold", labels=("min", "max")
    )
    loss_forward = Parameter(1.0, shape=("n",), above=0.0, doc="thrust loss factor θ ahead; 1: no loss")
    loss_reverse = Parameter(1.0, shape=("n",), above=0.0, doc="thrust loss factor θ astern; 1: no loss")
    advance_speed = Parameter(
        "axial",
        choices=("axial", "pseudo_inverse"),
        doc="v_a from ν_r: its component along each thruster, Tᵀ ν_r, or T⁺ ν_r",
    )
    wake_fraction = Parameter(0.0, shape=("n",), below=1.0, doc="w, by how much the hull slows the water down")
    speed_limit_forward = Parameter(shape=("n",), unit="rev/s", above=0.0, doc="greatest shaft speed ahead")
    speed_limit_reverse = Parameter(shape=("n",), unit="rev/s", above=0.0, doc="greatest shaft speed astern, positive")

    propellers = Derived(
        "of each the row of the matrix that takes ν_r to v_a, and ρ D⁴ θ ahead and astern: a `Propeller`",
        shape=("n", 8),
        unit=None,
    )

    def thrust_parameters(self) -> tuple[str, ...]:
        """What K_T(J) depends on, and the size of a propeller."""
        return (
            "allocation_matrix", "diameter", "density", "thrust_coefficient_forward", "thrust_coefficient_reverse",
            "advance_range_forward", "advance_range_reverse", "advance_speed", "wake_fraction",
        )  # fmt: skip

    def validate(self) -> None:
        """A column per propeller; intervals of J contain still water, and the propellers push there."""
        if np.ndim(self.allocation_matrix) != 2:
            raise ParameterError(
                f"{self._called()}.allocation_matrix must be an array of 6×n, one column per thruster, "
                f"not the single number {self.allocation_matrix:g}"
            )
        for way, push in (("forward", "ahead"), ("reverse", "astern")):
            low, high = np.asarray(self.values[f"advance_range_{way}"])
            if not low <= 0.0 <= high or low == high:
                raise ParameterError(
                    f"{self._called()}.advance_range_{way} must be an interval with J = 0 in it, such as (-0.2, 1.0), "
                    f"not ({low:g}, {high:g})"
                )
            bollard = float(np.asarray(self.values[f"thrust_coefficient_{way}"])[3])
            if bollard <= 0.0:
                raise ParameterError(
                    f"{self._called()}.thrust_coefficient_{way}[3] is K_T(0), the thrust {push} in still water, and "
                    f"must be > 0, not {bollard:g}; the coefficients begin with the third power of J"
                )
