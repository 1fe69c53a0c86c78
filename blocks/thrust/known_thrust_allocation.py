"""Allocation of a wanted wrench to thrusters of known thrust."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from blocks.block import Sizes
from blocks.model.declare import Output
from blocks.model.dependence import Sources, whole
from blocks.model.examples import variants
from blocks.signal import Forces
from blocks.thrust.bounded_allocation import BoundedAllocation
from blocks.thrust.known_thrusters import KnownThrusterSet


def _side_by_side(given: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers of a `DifferentialThrust`. Only surge and yaw count: pitch is what surge makes of it."""
    arm, depth = 0.5 * given["spacing"], given.get("depth", 0.0)
    thrusters = [{"at": [0.0, y, depth], "along": [1.0, 0.0, 0.0]} for y in (-arm, arm)]
    limits = {name: [given[name]] * 2 for name in ("thrust_limit_forward", "thrust_limit_reverse")}
    return {"allocation_matrix": thrusters, "priority": [1.0, 0.0, 0.0, 0.0, 0.0, 1.0], **limits}


class KnownThrustAllocation(KnownThrusterSet, BoundedAllocation):
    """Allocation of a wanted wrench to thrusters that take the thrust that they are to give: `KnownThrusters` and
    `DifferentialThrust`.

    f minimises (T f - τ)ᵀ P (T f - τ) within the limits and, where that leaves a choice, fᵀ W f
    -a_i F_min,i ≤ f_i ≤ a_i F_max,i

    τ: `force`, N and N·m, 6; f: `command` and `thrust`, N, n; a: `available`, n, within 0 and 1; P: diagonal,
    `priority` of X, Y, Z, K, M, N; W: diagonal, `weights`, n; what is not given: `missing` = τ - T f; T, F_max, F_min
    and `thrusters`, which says where they are in words, as of `KnownThrusters`.

    **Failed thrusters.** Where `available` falls to 0 during a run the others take over at once, as well as they can.
    With values between, a thruster gives that part of its limits.

    **Priority** counts where not all of τ can be given: newtons and newton metres alike unless it is set. A component
    of 0 does not count: what a vessel rights itself in, or leaves to other thrusters.

    The method is that of `ThrustAllocation` with `limits="bounded"`; weights should be within a factor of 10⁴, what
    counts of `priority` within 10⁶.

    Raises ParameterError if a thruster has no direction, a limit is out of range, weights are more than a factor of
    10⁶ apart or priorities 10⁸, or for more than 24 thrusters.

    Sources: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 11; Stark and Parker
    (1995), Bounded-variable least-squares: an algorithm and applications, Computational Statistics 10.
    """

    kernel = "known_thrust_allocation"
    examples = variants(
        KnownThrusterSet.examples[0],
        {"priority": [1.0, 2.0, 0.5, 0.3, 1.5, 4.0], "weights": [1.0, 2.0, 1.5]},
    )
    sections_taken: ClassVar = {"thrust.KnownThrusters": dict, "thrust.DifferentialThrust": _side_by_side}

    command = Output(Forces, "f, the wanted thrusts, within the limits")

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """Every thrust on all of the wrench."""
        limits = ("thrust_limit_forward", "thrust_limit_reverse")
        return whole("force", "available", "allocation_matrix", "weights", "priority", *limits)
