"""Guidance along a smooth curve through waypoints."""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar

import numpy as np

from blocks.errors import ParameterError
from blocks.guidance.path_guidance import PathGuidance
from blocks.model.calculated import CalculatedParameter
from blocks.model.declare import Parameter
from blocks.model.derived import Derived
from blocks.model.examples import variants


class CurvedPath(PathGuidance):
    """Guidance along a smooth curve through waypoints: a piecewise cubic, by Hermite or PCHIP.

    Curve:    p(θ) = (x, y, z), each a cubic from waypoint to waypoint with slopes m_k; θ_{k+1} - θ_k is the horizontal
              distance of waypoints k and k + 1
    Slopes:   m_k = (h_k d_{k-1} + h_{k-1} d_k)/(h_{k-1} + h_k)                                             "hermite"
              m_k = 3 (h_{k-1} + h_k)/((2 h_k + h_{k-1})/d_{k-1} + (h_k + 2 h_{k-1})/d_k), 0 at extrema       "pchip"
              h_k = θ_{k+1} - θ_k, d_k the slope of the straight line from waypoint k to k + 1; at the ends that of
              the parabola next to it, with "pchip" kept from overshooting
    Errors:   x_e = (x - x_p) cos π_p + (y - y_p) sin π_p,  y_e = -(x - x_p) sin π_p + (y - y_p) cos π_p
    Point:    dθ/dt = V_p/√(x_p'² + y_p'²),  V_p = u cos(ψ - π_p) - v sin(ψ - π_p) + γ x_e/√(1 + (x_e/Δ)²)
    Heading:  ψ_d = π_p - atan(y_e/Δ) - β,  r_d = κ V_p
    Sideslip: β = asin(v/V), V = √(u² + v²), times V/V_β where V < V_β; 0 without `sideslip_compensation`
    Speed:    u_d = U max(0, 1 - |e_ψ|/ψ_t), e_ψ = ψ_d - ψ the short way round; U without `speed_taper`
    Depth:    z_d = z_p

    x, y, ψ of `eta` and u, v of `nu` (over ground); p: `position`, the point of the path that is followed, m; π_p: its
    course there, rad; κ: its curvature there, 1/m; θ: state, m; y_e: `cross_track_error`, m, positive to starboard of
    the path; ψ_d: `heading`, rad in [-π, π); r_d: `course_rate`, rad/s; γ: `along_track_gain`, 1/s; Δ: `lookahead`, m;
    U: `cruise_speed`, m/s; ψ_t: `taper_angle`, rad; V_β: `sideslip_speed`, m/s.

    **The curve.** "hermite" takes the slope of the parabola through a waypoint and its neighbours: it turns early and
    swings wide. "pchip" never leaves the range of the two waypoints in north, in east and in depth, and so goes
    straight where these do; where north and east both have an extremum, as at the corner of a rectangle along the axes,
    it makes the corner. Course and depth are continuous elsewhere, curvature has steps at waypoints. Where waypoints
    lead straight back "pchip" makes a corner, too; "hermite" is refused, because its curve has no course there.

    **The point** of the path that is followed begins, at the first instant, as the one of the first leg that is nearest
    to the vehicle, or with `start_on="path"` as the nearest one of the whole path. From there it moves with the
    vehicle, as fast as that moves along the path, and to where the vehicle is abeam of it, this by γ Δ at most. So it
    does not jump to another part of the path that comes near; but a vehicle far off the path may cut what bends towards
    it. Before its first and after its last waypoint the path goes on straight. Round a corner the point goes once the
    vehicle is abeam of it, and never back: it waits there until the vehicle comes along on the next leg.

    **At the end** `at_end="hold"` sets speed 0, the course that the path has there for a heading, and the depth there:
    when on the last leg √((x_n - x)² + (y_n - y)²) ≤ R, R: `acceptance_radius`, m, or when the point that is followed
    has come to the last waypoint. `"loop"` closes the path smoothly, by a leg from the last waypoint to the first if
    they are not one.

    Raises ParameterError for fewer than two waypoints, for consecutive waypoints that differ in depth only, for
    waypoints that lead straight back with "hermite", for a loop whose last waypoint lies above or below its first, and
    for values out of range.

    Sources: Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 10.4 (path following of
    curves); Lapierre and Soetanto (2007), Nonlinear path-following control of an AUV, Ocean Engineering 34 (the point
    that is followed); Fritsch and Butland (1984), A method for constructing local monotone piecewise cubic
    interpolants, SIAM Journal on Scientific and Statistical Computing 5 (pchip); de Boor (1978), A Practical Guide to
    Splines, ch. IV (hermite).
    """

    examples = variants(
        PathGuidance.examples[0],
        {"interpolation": "pchip", "speed_taper": False, "sideslip_compensation": True, "start_on": "path"},
    )

    kernel = "curved_path"
    positional = ("waypoints",)
    curve: ClassVar[tuple[str, ...]] = ("interpolation",)
    place: ClassVar[tuple[str, ...]] = ("next_waypoint",)

    interpolation = Parameter("hermite", choices=("hermite", "pchip"), doc="how the slopes at waypoints are chosen")

    length = CalculatedParameter(
        unit="m",
        doc="θ at the end: the length of the straight lines between waypoints",
        depends=("waypoints", "at_end"),
    )

    pieces = Derived("of each leg: coefficients of orders 0 to 3, for each axis", shape=("n", 12), unit=None)
    column = Derived(
        "one coordinate of the waypoints, with one before the first and one after the last", shape=("n+3",), unit="m"
    )
    slopes = Derived("its derivatives with respect to θ", shape=("n+3",))

    def validate(self) -> None:
        """No two waypoints in a row at the same place in the horizontal plane, and no turning back by Hermite."""
        super().validate()
        self._check_places()
        if self.interpolation == "hermite":
            self._check_turns()

    def _check_places(self) -> None:
        for k, (here, there) in enumerate(pairwise(np.asarray(self.waypoints)), start=1):
            if np.array_equal(here[:2], there[:2]):
                place = ", ".join(f"{x:g}" for x in here[:2])
                what = "coincide" if np.array_equal(here, there) else "differ in depth only"
                raise ParameterError(
                    f"{self._called()}.waypoints: waypoints {k} and {k + 1} {what}, at north and east ({place}) m, "
                    f"where a curve has no course; leave one out, or take LineOfSight for a dive on the spot"
                )

    def _check_turns(self) -> None:
        """Straight back the parabola turns somewhere on the leg, with a course that steps there."""
        points = np.asarray(self.waypoints)[:, :2]
        count = len(points)
        numbers = list(range(count))
        if self.at_end == "loop":
            numbers = [*range(count - self._closed()), 0, 1]
        for before, at, after in zip(numbers, numbers[1:], numbers[2:], strict=False):
            there, back = points[at] - points[before], points[after] - points[at]
            along, across = there[0] * back[0] + there[1] * back[1], there[0] * back[1] - there[1] * back[0]
            if along < 0.0 and abs(across) < 1e-6 * abs(along):  # nearly the product of their lengths
                raise ParameterError(
                    f"{self._called()}.waypoints: the path turns straight back at waypoint {at + 1}, where a smooth "
                    f"curve has no course; move it aside, or take interpolation='pchip', which makes a corner there, "
                    f"DubinsPath or LineOfSight"
                )
