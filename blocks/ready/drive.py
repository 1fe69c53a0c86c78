"""A drive: the blocks between the controllers and the hull."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from blocks.ready.text import Piece

SHARE = 0.7
"""Of the greatest angle, so that one axis leaves something for the other."""
MOST_RUDDER = math.radians(35.0)
"""No ready drive puts a rudder further over: beyond it they stall, and ships do not go there."""
Wires = list[tuple[str, str]]
Limits = dict[str, tuple[float, float]]


@dataclass
class Drive:
    """The blocks between the controllers and the vessel, and what goes in and out."""

    pieces: list[Piece]
    wires: Wires
    takes: dict[str, str]
    """The port that each component of the wrench goes to."""
    force: str
    limits: Limits
    """What each component may be at most, with all others 0."""
    power: str = ""
    shown: dict[str, str] = field(default_factory=dict)
    """Outputs of the scenario."""
    damping: dict[str, float] = field(default_factory=dict)
    """What fins add to the damping of the hull, N m s."""
    steers_under_way: bool = False
    """Whether it steers by the water that passes, or by thrust that it needs for going ahead."""


def wanted(comment: str = "") -> Piece:
    return Piece("wanted", "control.ComposeWrench", comment=comment)


def components(limits: Limits) -> dict[str, str]:
    return {axis: f"wanted.{axis}" for axis in limits}
