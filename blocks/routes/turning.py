"""How tightly a craft turns, from a turning circle that it is sent on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.lab.manoeuvres import ManoeuvreError, turning_circle
from blocks.lab.manoeuvres.conditions import Conditions
from blocks.lab.manoeuvres.craft import Reference

if TYPE_CHECKING:
    from typing_extensions import Unpack


def turning_radius(
    craft: Diagram | Block,
    order: float | str = "35 deg",
    *,
    helm: Reference = "rudder",
    **conditions: Unpack[Conditions],
) -> float:
    """The radius of the steady turn of a craft with the helm put over, m, to the side to which it turns wider.

    By `blocks.lab.manoeuvres.turning_circle`, whose arguments these are: craft: a diagram with an input that takes the
    order; order: in its unit; helm: its name; conditions: what other inputs are held at, …. A route for a craft that
    is to follow it under control takes more than that: a controller needs helm in reserve, and the beginning of a
    turn takes time. Half as much again is usual.

    Raises ManoeuvreError if the craft does not turn, or not steadily.
    """
    done = turning_circle(craft, order, helm=helm, **conditions)
    steady = [measured.steady for measured in done.measures.values()]
    if any(one is None for one in steady):
        raise ManoeuvreError(
            "the craft did not come to a steady turn; give it a longer time, longest=, or a larger turn="
        )
    return float(max(0.5 * one.diameter for one in steady if one is not None))
