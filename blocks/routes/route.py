"""A route that was found, with the guidance that follows it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from blocks.block import Block
from blocks.errors import ParameterError
from blocks.guidance import DubinsPath, LineOfSight
from blocks.guidance.waypoints import WaypointGuidance
from blocks.routes.figure import route_figure
from blocks.routes.files import save_route
from blocks.routes.way import SPARE, Way, clock

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Route(Way):
    """A route from start to goal: what `Way` says of its path, and guidance along it."""

    def line_of_sight(self, **parameters: Any) -> LineOfSight:
        """Guidance along the straight legs; `parameters` are those of `LineOfSight`, and take precedence.

        Without others, the speed is that of the route, and legs are left where the arcs of the route begin.
        """
        return LineOfSight(**{**self.waypoint_parameters(), **parameters})

    def dubins_path(self, **parameters: Any) -> DubinsPath:
        """Guidance along the arcs and lines; `parameters` are those of `DubinsPath`, and take precedence.

        Raises ParameterError for a route without a turning radius.
        """
        return DubinsPath(**{**self.pose_parameters(), **parameters})

    def guidance_parameters(self, kind: type[Block]) -> dict[str, Any]:
        """What a guidance block of this class takes of the route. Raises ParameterError if it cannot follow one."""
        if issubclass(kind, DubinsPath):
            return self.pose_parameters()
        if issubclass(kind, WaypointGuidance):
            return self.waypoint_parameters()
        raise ParameterError(
            f"{kind.__name__} does not follow the path of a route: DubinsPath does, and LineOfSight and its kin follow "
            f"its straight legs"
        )

    def save(self, path: str | Path) -> None:
        """Write the route, by the ending of the path.

        .csv: what there is along the path; .geojson: path and waypoints, in longitude and latitude if the chart has an
        origin; .yaml: parameters of guidance blocks. Raises ParameterError for other endings, OSError if it cannot be
        written.
        """
        save_route(self, path)

    def figure(self) -> Figure:
        """The route on its chart."""
        return route_figure(self)

    def __str__(self) -> str:
        k = int(np.argmin(self.clearance))
        north, east = self.place[k]
        turns = len(self.corners) - 2
        lines = [
            f"{self.length:.0f} m in {clock(self.duration)}, least {self.objective}, "
            f"{turns} turn{'' if turns == 1 else 's'}",
        ]
        if np.isfinite(self.clearance[k]):
            lines.append(
                f"nearest: {self.clearance[k]:.1f} m from {self.water.nearest(self.place[k])}, at north {north:.0f} m, "
                f"east {east:.0f} m, of {self.margin:g} m wanted"
            )
        if self.turning_radius > 0.0:
            lines.append(f"turns with a radius of {SPARE * self.turning_radius:.3g} m")
        if self.stream is not None:
            over = self.length / self.duration
            lines.append(f"{over:.2f} m/s over ground in the mean, at {self.speed.mean():.2f} m/s through the water")
        if self.energy[-1] > 0.0:
            lines.append(f"energy {self.energy[-1] / 3.6e3:.3g} Wh")
        return "\n".join(lines)
