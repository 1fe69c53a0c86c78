"""Guidance along Dubins paths: the shortest way between poses for a vehicle that cannot turn on the spot."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import ClassVar

import numpy as np

from blocks.errors import ParameterError
from blocks.guidance.path_guidance import PathGuidance
from blocks.model.calculated import CalculatedParameter
from blocks.model.declare import Parameter
from blocks.model.derived import Derived


class DubinsPath(PathGuidance):
    """Guidance along a Dubins path: from pose to pose by arcs of one radius and straight lines, as short as can be.

    Curve:    each leg is the shortest of the six LSL, RSR, LSR, RSL, RLR, LRL: arcs to port (L) and starboard (R) of
              radius ρ, and straight lines (S)
    Errors:   x_e = (x - x_p) cos π_p + (y - y_p) sin π_p,  y_e = -(x - x_p) sin π_p + (y - y_p) cos π_p
    Point:    dθ/dt = V_p,  V_p = u cos(ψ - π_p) - v sin(ψ - π_p) + γ x_e/√(1 + (x_e/Δ)²)
    Heading:  ψ_d = π_p - atan(y_e/Δ) - β,  r_d = κ V_p
    Sideslip: β = asin(v/V), V = √(u² + v²), times V/V_β where V < V_β; 0 without `sideslip_compensation`
    Speed:    u_d = U max(0, 1 - |e_ψ|/ψ_t), e_ψ = ψ_d - ψ the short way round; U without `speed_taper`
    Depth:    z_d linearly over the length of the leg

    A pose is a waypoint, north, east, down, m, with the course that the path has there, `headings`, from north,
    clockwise, rad; ρ: `turning_radius`, m; θ: state, the way along the path, m; π_p: course of the path at the point
    p that is followed (`position`), rad; κ: its curvature there, 1/ρ to starboard, -1/ρ to port, 0 straight ahead. The
    other symbols, what is said there about the point that is followed, and `at_end` are as in `CurvedPath`.

    Position and course of the path are continuous, its curvature is not: a vehicle that takes time to turn is beside
    the path for a while after each change. A radius somewhat larger than the least one of the vehicle leaves it room.

    Raises ParameterError for fewer than two poses, if there is not one heading for each waypoint, for consecutive poses
    that coincide, for a loop whose last pose lies above or below its first, and for values out of range.

    Sources: Dubins (1957), On curves of minimal length with a constraint on average curvature, and with prescribed
    initial and terminal positions and tangents, American Journal of Mathematics 79; Fossen (2011), Handbook of Marine
    Craft Hydrodynamics and Motion Control, sec. 10.4 (path following of curves).
    """

    examples = (
        PathGuidance.examples[0]
        | {"headings": [0.3, 1.2, 0.7, -2.0], "turning_radius": 1.5, "acceptance_radius": 15.0},
    )

    kernel = "dubins_path"
    positional = ("waypoints", "headings", "turning_radius")
    curve: ClassVar[tuple[str, ...]] = ("headings", "turning_radius")
    length_parameters: ClassVar[tuple[str, ...]] = curve

    headings = Parameter(shape=("n",), unit="rad", doc="course of the path at each waypoint, from north, clockwise")
    turning_radius = Parameter(unit="m", above=0.0, doc="radius of the arcs ρ")

    length = CalculatedParameter(
        unit="m",
        doc="length of the path",
        depends=("waypoints", "headings", "turning_radius", "at_end"),
    )

    knots = Derived("θ at the ends of all pieces, three per leg, behind one place", shape=("3*n+2",), unit="m")
    pieces = Derived(
        "of each piece: where it begins [m], dz/dθ, course [rad], its sine and cosine, and curvature [1/m]",
        shape=("3*n+1", 8),
        unit=None,
    )

    def validate(self) -> None:
        """No two poses in a row that coincide."""
        super().validate()
        points = np.asarray(self.waypoints)
        headings = np.broadcast_to(np.asarray(self.headings), len(points))
        for k, (here, there) in enumerate(pairwise(np.column_stack([points[:, :2], headings])), start=1):
            if np.array_equal(here[:2], there[:2]) and _same_course(here[2], there[2]):
                place = ", ".join(f"{x:g}" for x in here[:2])
                raise ParameterError(
                    f"{self._called()}.waypoints: waypoints {k} and {k + 1} coincide at north and east ({place}) m, "
                    f"with the same heading; leave one out"
                )

    def _closed(self) -> bool:
        """In course, too."""
        headings = np.broadcast_to(np.asarray(self.headings), len(np.asarray(self.waypoints)))
        return super()._closed() and _same_course(headings[0], headings[-1])

    def shown_points(self) -> int:
        """One at least to every tenth of a radian of an arc."""
        return int(min(max(super().shown_points(), float(self.length) / (0.1 * self.turning_radius)), 20000))


def _same_course(first: float, second: float) -> bool:
    """True if two courses differ by full turns only, to what the kernel takes for none."""
    return abs(math.remainder(second - first, 2.0 * math.pi)) < 1e-9
