"""Allocation of a wanted wrench to thrusters that are known by a table from a test bench."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from blocks.block import Sizes
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import Sources, whole
from blocks.model.examples import variants
from blocks.signal import BodyVelocity, Signal
from blocks.thrust.bounded_allocation import BoundedAllocation
from blocks.thrust.measured_thruster import MeasuredSet

_IDLE = 0.02
"""What a bench reads of a thruster at rest, of its greatest thrust."""

_Settings = Signal("Settings", ("n",))


class MeasuredAllocation(MeasuredSet, BoundedAllocation):
    """Allocation of a wanted wrench to a `MeasuredThruster`: the thrusts, and the commands of its table for them.

    f minimises (T f - τ)ᵀ P (T f - τ) within the limits and, where that leaves a choice, fᵀ W f
    f_i = max(f(c_i) - k_i |n(c_i)| v_i, κ f(c_i)) where f(c_i) ≥ 0, with min below;  v = Tᵀ ν_r
    a_i times f_i at the first command ≤ f_i ≤ a_i times f_i at the last

    τ: `force`, N and N·m, 6; f: `thrust`, N, n; c: `command`, n, in the unit of the table; a: `available`, n, within 0
    and 1; P: diagonal, `priority` of X, Y, Z, K, M, N; W: diagonal, `weights`, n; what is not given: `missing` = τ -
    T f; f(c), n(c): the functions of the table and all else as in `MeasuredThruster`, from the same functions of the
    same kernel; κ: `inversion_floor`, as of `ThrustAllocation`.

    The table is inverted between its points, to rounding. In a dead band, where thrust stays, the middle is taken.
    Failed thrusters and `priority` are as of `KnownThrustAllocation`. Where water is not counted,
    `inflow_coefficient` 0, `speeds` do not count, either.

    Raises ParameterError as `MeasuredThruster` does, if no command of the table gives no thrust, and for more than 24
    thrusters.

    Sources: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 11; Stark and Parker
    (1995), Bounded-variable least-squares: an algorithm and applications, Computational Statistics 10.
    """

    kernel = "measured_allocation"
    examples = variants(
        {
            "allocation_matrix": [
                {"at": [-0.2, -0.15, 0.1], "along": [1.0, 0.3, 0.0]},
                {"at": [-0.2, 0.15, 0.1], "along": [1.0, -0.3, 0.1]},
            ],
            "commands": [-0.9, 0.1, 0.7, 1.3],
            "thrusts": [-2.0, 0.0, 0.9, 3.0],
            "speeds": [-5.0, 0.0, 2.0, 4.0],
            "inflow_coefficient": 0.2,
            "interpolation": "pchip",
        },
        {"interpolation": "linear"},
    )
    sections_taken: ClassVar = {"thrust.MeasuredThruster": dict}

    nu_r = Input(BodyVelocity, "ν_r, velocity of the hull through the water", default=0.0)

    command = Output(_Settings, "commands c, within the table")

    inversion_floor = Parameter(
        0.5, above=0.0, at_most=1.0, doc="κ, the least part of the thrust at rest that the inversion counts on"
    )

    def validate(self) -> None:
        """A thruster of which nothing is wanted can rest."""
        super().validate()
        thrusts = np.atleast_1d(np.asarray(self.thrusts))
        if max(thrusts[0], -thrusts[-1]) > _IDLE * np.abs(thrusts).max():
            raise ParameterError(
                f"{self._called()}.thrusts must have 0 N within them, not {thrusts[0]:g} N to {thrusts[-1]:g} N: give "
                f"the table a command at which the thruster rests"
            )

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """All of them."""
        return ("force", "available", "nu_r")

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """Every thrust on all of the wrench."""
        own = ("allocation_matrix", "weights", "priority", "thrusts", "speeds", "inflow_coefficient", "inversion_floor")
        found = whole("force", "available", "nu_r", *own)
        return found | whole("commands", "interpolation") if output == "command" else found
