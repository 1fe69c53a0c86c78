"""The path that a guidance block was given, as it is drawn and measured."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blocks.block import Block
from blocks.guidance.path_guidance import PathGuidance

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Planned:
    """Straight legs or a curve: waypoints, the line through them, and circles of acceptance, m in NED."""

    waypoints: Array
    line: Array
    """Points of the curve, or the ends of all legs, of a loop with the one that closes it."""
    circles: Array
    """The waypoints with a circle of acceptance: all of a path of straight legs, the last one of a curve."""
    radius: float
    curved: bool
    loops: bool

    @classmethod
    def of(cls, guidance: Block) -> Planned:
        """The path of a block that has waypoints."""
        waypoints: Array = np.asarray(guidance.values["waypoints"], dtype=np.float64)
        radius = float(guidance.values.get("acceptance_radius", 0.0))
        loops = guidance.values.get("at_end") == "loop"
        if isinstance(guidance, PathGuidance):
            return cls(waypoints, guidance.points(), waypoints[:0] if loops else waypoints[-1:], radius, True, loops)
        line = np.vstack([waypoints, waypoints[:1]]) if loops else waypoints
        return cls(waypoints, line, waypoints, radius, False, loops)

    @property
    def length(self) -> float:
        """The length of all legs, or of the curve that is followed; of a loop one lap."""
        return float(np.linalg.norm(np.diff(self.line, axis=0), axis=1).sum())

    def is_drawn_like(self, other: Planned) -> bool:
        """Whether both give the same picture."""
        return self.radius == other.radius and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in ("waypoints", "line", "circles")
        )
