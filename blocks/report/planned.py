"""The path that a guidance block was given, as it is drawn and measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.block import Block
from blocks.guidance.mission_plan import MissionPlan
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
        """The path of a block that has waypoints, or phases: those as from the origin of the axes."""
        if isinstance(guidance, MissionPlan):
            return cls.of_mission(guidance, np.zeros(3))
        waypoints: Array = np.asarray(guidance.values["waypoints"], dtype=np.float64)
        radius = float(guidance.values.get("acceptance_radius", 0.0))
        loops = guidance.values.get("at_end") == "loop"
        if isinstance(guidance, PathGuidance):
            return cls(waypoints, guidance.points(), waypoints[:0] if loops else waypoints[-1:], radius, True, loops)
        line = np.vstack([waypoints, waypoints[:1]]) if loops else waypoints
        return cls(waypoints, line, waypoints, radius, False, loops)

    @classmethod
    def of_mission(cls, plan: MissionPlan, begin: Array) -> Planned:
        """The way of a mission in phases without aborts, from where it begins."""
        waypoints, line, depth = [begin], [begin], float(begin[2])
        for row in plan.main.rows:
            depth = row.point[2] if row.depth == "given" else depth
            if row.step == "go":
                place = begin[:2] if row.place == "start" else row.point[:2]
                waypoints.append(np.array([*place, depth]))
                line.append(waypoints[-1])
            elif row.step == "circle":
                line += list(_circle(line[-1], row.point, depth, row.radius, row.turns))
        points = np.array(waypoints)
        return cls(points, np.array(line), points[1:], float(plan.acceptance_radius), False, False)

    @property
    def length(self) -> float:
        """The length of all legs, or of the curve that is followed; of a loop one lap."""
        return float(np.linalg.norm(np.diff(self.line, axis=0), axis=1).sum())

    def is_drawn_like(self, other: Planned) -> bool:
        """Whether both give the same picture."""
        return self.radius == other.radius and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in ("waypoints", "line", "circles")
        )


def _circle(before: Array, centre: Any, depth: float, radius: float, turns: float) -> Array:
    """Points of a circle from the nearest to where one comes from."""
    begin = np.arctan2(before[1] - centre[1], before[0] - centre[0])
    angles = begin + 2.0 * np.pi * turns * np.linspace(0.0, 1.0, max(24, int(48 * abs(turns))))
    around = np.column_stack([np.cos(angles), np.sin(angles)])
    return np.column_stack([np.asarray(centre[:2]) + radius * around, np.full(len(around), depth)])
