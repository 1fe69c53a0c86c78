"""Guidance along curved paths: what all of it has in common, whatever the curve."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from blocks.basic.common import ModeBlock
from blocks.block import Sizes
from blocks.errors import ParameterError
from blocks.guidance.waypoint_parameter import WaypointParameter
from blocks.model.calculated import CalculatedParameter
from blocks.model.declare import AT_START, Input, Output, Parameter, State
from blocks.model.dependence import TIME, Sources, elements, whole
from blocks.model.derived import Crossing, Derived
from blocks.model.examples import Example
from blocks.signal import Angle, AngularRate, BodyVelocity, Length, Number, Pose, Position, Speed, Time


class PathGuidance(ModeBlock, abstract=True):
    """The base of guidance along curved paths.

    It declares ports, the guidance law and its states, whose kernel functions are in
    `cython_kernels/guidance/path_following.pxd`. A kind of curve adds its own parameters and names those in `curve`,
    and has its own setup.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        {
            "waypoints": [[0.0, 0.0, 0.0], [4.0, 1.0, 1.0], [6.0, 5.0, 3.0], [2.0, 8.0, 2.0]],
            "acceptance_radius": 4.0,
            "cruise_speed": 0.8,
        },
    )

    sizes = ("n",)
    least_sizes: ClassVar[Mapping[str, int]] = {"n": 2}
    faults = ("two waypoints in a row coincide: a path needs a leg of some length from each to the next",)
    curve: ClassVar[tuple[str, ...]] = ()
    """The parameters that decide the curve, besides the waypoints and what comes at the end."""
    length_parameters: ClassVar[tuple[str, ...]] = ()
    """Those of them that decide how long it is."""

    place: ClassVar[tuple[str, ...]] = ()
    """The states that tell where on the curve it is, besides how far it has come."""

    eta = Input(Pose, "position and attitude of the vehicle")
    nu = Input(BodyVelocity, "velocity over ground")

    heading = Output(Angle, "desired heading ψ_d, in [-π, π)")
    speed = Output(Speed, "desired surge velocity u_d")
    depth = Output(Length, "desired depth z_d", feedthrough=False)
    cross_track_error = Output(Length, "y_e, positive to starboard of the path", feedthrough=("eta",))
    course_rate = Output(AngularRate, "rate at which the course of the path turns, r_d")
    position = Output(Position, "the point of the path that is followed, p", feedthrough=False)
    waypoint = Output(
        Number, "number of the waypoint ahead, counted from 1", feedthrough=False, depends=whole("next_waypoint")
    )
    finished = Output(Number, "1 when the end has been reached, else 0", feedthrough=False, depends=whole("phase"))

    waypoints = WaypointParameter()
    acceptance_radius = Parameter(1.0, unit="m", above=0.0, doc="how near the last waypoint is near enough, R")
    start_on = Parameter(
        "first_leg",
        choices=("first_leg", "path"),
        fixed=AT_START,
        doc="where the nearest point, to start from, is looked for",
    )
    at_end = Parameter("hold", choices=("hold", "loop"), doc="what comes after the last waypoint")
    lookahead = Parameter(10.0, unit="m", above=0.0, doc="lookahead distance Δ: how far ahead on the path is aimed")
    cruise_speed = Parameter(unit="m/s", at_least=0.0, doc="desired speed U")
    speed_taper = Parameter(True, structural=True, doc="slow down while the heading is not yet the desired one")
    taper_angle = Parameter(
        math.pi / 2, unit="rad", above=0.0, at_most=math.pi, doc="heading error ψ_t at which the speed is down to 0"
    )
    sideslip_compensation = Parameter(
        False, structural=True, doc="turn the heading against the drift by the sideslip β"
    )
    sideslip_speed = Parameter(
        0.05, unit="m/s", above=0.0, doc="speed over ground V_β below which the sideslip is faded out"
    )
    along_track_gain = Parameter(
        1.0, unit="1/s", above=0.0, doc="γ, how fast the point that is followed gets abeam of the vehicle"
    )

    path_parameter = State(Length, "how far θ has come since the start", private=True)
    begun = State(Length, "θ at the start", discrete=True, private=True)
    phase = State(Number, "0 before the first step, 1 under way, 2 finished", discrete=True, private=True)
    start_time = State(
        Time, "time of the first step", discrete=True, private=True, depends=whole("start_time", "phase", TIME)
    )
    next_waypoint = State(Number, "number of the waypoint ahead", initial=2.0, discrete=True, private=True)

    kind = Derived("0 for pieces that are cubics, 1 for arcs and straight lines")
    length = CalculatedParameter(unit="m", doc="length of the path", depends=("waypoints", "at_end"))
    legs = Derived("how many legs there are, with the one that closes a loop")
    pieces_per_leg = Derived("how many pieces a leg has")
    knots = Derived(
        "θ one piece before the start, then at the ends of all pieces: more, if a leg has several",
        shape=("n+3",),
        unit="m",
    )
    pieces = Derived(
        "what each piece of the curve is made of: more or fewer numbers, by its kind", shape=("n", 12), unit=None
    )

    to_go = Crossing("how far it is to the end", unit="m")
    next_piece = Crossing(
        "how far it is to the nearer end of the piece; its sign changes from piece to piece", unit="m"
    )

    def validate(self) -> None:
        """At least two waypoints."""
        points = np.asarray(self.waypoints)
        if points.ndim != 2 or len(points) < 2:
            given = f"only {len(points)}" if points.ndim == 2 else "a single number"
            raise ParameterError(
                f"{self._called()}.waypoints: a path needs at least two waypoints, because its first leg leads from "
                f"waypoint 1 to waypoint 2; given: {given}"
            )
        first, last = points[0], points[-1]
        if self.at_end == "loop" and self._closed() and first[2] != last[2]:
            raise ParameterError(
                f"{self._called()}.waypoints: the last waypoint of a loop lies at the first one, but at a depth of "
                f"{last[2]:g} m, not {first[2]:g} m: give both the same depth, or leave the last one out"
            )

    def _closed(self) -> bool:
        """True if the last waypoint is the first one, in the horizontal plane, so that no leg has to close a loop."""
        points = np.asarray(self.waypoints)
        return bool(np.array_equal(points[0, :2], points[-1, :2]))

    def points(self, count: int | None = None) -> NDArray[np.float64]:
        """Points of the path, evenly over θ from its beginning to its end, count×3: north, east, down, m. For plots.

        count: at least 2; as many as show every bend if it is not given. Raises ParameterError if it is less, or no
        whole number.
        """
        from blocks.run.probe import along

        if count is None:
            count = self.shown_points()
        elif isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 2:
            raise ParameterError(f"{self._called()}.points: a whole number of points from 2 is wanted, not {count!r}")
        no_corners = {"phase": 1.0, "next_waypoint": 0.0}
        thetas = np.linspace(0.0, float(self.length), int(count))
        return along(self, "path_parameter", thetas, "position", 1.0, no_corners)

    def shown_points(self) -> int:
        """How many points show every bend."""
        return max(200, 40 * len(np.asarray(self.waypoints)))

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """`nu` counts for the heading with sideslip compensation only, and the speed may depend on no input at all."""
        if output == "heading" or (output == "speed" and self.speed_taper):
            return ("eta", "nu") if self.sideslip_compensation else ("eta",)
        return () if output == "speed" else super().feedthrough(output)

    def followed_sources(self) -> Sources:
        """What decides which point of the path is followed, and where it lies."""
        return whole("waypoints", "at_end", *self.curve, "path_parameter", "begun", "phase", *self.place)

    def _heading_sources(self) -> Sources:
        found = {**self.followed_sources(), **whole("lookahead"), "eta": elements("x y")}
        if self.sideslip_compensation:
            found |= {"nu": elements("u v")} | whole("sideslip_speed")
        return found

    def _progress_sources(self) -> Sources:
        moving = {"eta": elements("x y psi"), "nu": elements("u v")}
        return {**self.followed_sources(), **moving, **whole("along_track_gain", "lookahead")}

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """All but what modes say depends on the point that is followed."""
        path = self.followed_sources()
        if output in ("depth", "position"):
            return path
        if output == "cross_track_error":
            return {**path, "eta": elements("x y")}
        if output == "course_rate":
            return self._progress_sources()
        if output == "heading":
            return self._heading_sources()
        if output == "speed":
            if not self.speed_taper:
                return whole("cruise_speed", "phase")
            return {**self._heading_sources(), **whole("cruise_speed", "taper_angle"), "eta": elements("x y psi")}
        return super().output_sources(output, sizes)

    def state_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """The first step begins at the nearest point; the end of the path is looked for after that."""
        here = {**whole("path_parameter", "begun", "phase", "start_time", TIME, *self.place), "eta": elements("x y")}
        if state == "path_parameter":
            return self._progress_sources()
        if state == "begun":
            own = whole("waypoints", "start_on", "at_end", *self.curve, "begun", "phase", "start_time", TIME)
            return {**own, "eta": elements("x y")}
        if state == "next_waypoint":
            return {**here, **whole("waypoints", "start_on", "at_end", *self.curve)}
        if state == "phase":
            return {**here, **whole("waypoints", "at_end", *self.length_parameters, "acceptance_radius")}
        return super().state_sources(state, sizes)
