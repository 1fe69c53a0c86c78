"""Trajectories in time through waypoints, as smooth as can be."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from blocks.basic.common import ModeBlock, check_increasing
from blocks.block import Sizes
from blocks.errors import ParameterError
from blocks.guidance.waypoint_parameter import WaypointParameter
from blocks.model.calculated import CalculatedParameter
from blocks.model.declare import Output, Parameter, State
from blocks.model.dependence import TIME, Sources, rows, whole
from blocks.model.derived import Crossing, Derived
from blocks.signal import (
    Angle,
    AngularRate,
    BodyAcceleration,
    BodyVelocity,
    Length,
    Number,
    Pose,
    Position,
    Signal,
    Speed,
    Velocity,
)

Acceleration = Signal("Acceleration", (3,), "m/s^2", "ned", ("north", "east", "down"))


class MinimumSnapTrajectory(ModeBlock):
    """A trajectory in time through waypoints in three dimensions, whose snap is as small as can be.

    p(t) is of degree 7 from one waypoint to the next, p(t_k) = p_k, and ∫ |d⁴p/dt⁴|² dt is the least that there is with
    dp/dt = v_1 and v_n and without acceleration and jerk at both ends.

    p_k: `waypoints`, n, north, east, down, m; t_k: `start_time` and `times`, s; v_1, v_n: `start_velocity` and
    `end_velocity`, at rest unless given, m/s; p: `position`, m, 3; its derivatives: `velocity`, m/s, and
    `acceleration`, m/s², north, east, down, 3. At inner waypoints p is continuous up to its 6th derivative. A single
    leg from rest to rest is p_1 + (p_2 - p_1)(35 τ⁴ - 84 τ⁵ + 70 τ⁶ - 20 τ⁷), τ = (t - t_1)/(t_2 - t_1); its greatest
    speed is 35/16 of the mean one.

    **Times.** Either `times` are given, one per waypoint, or they are allotted (`timing`, "given" as soon as there are
    times): t_k is then when a point passes that goes straight from waypoint to waypoint, from rest to rest, with
    `cruise_acceleration` a up to the speed `cruise_speed` U and down again: T = L/U + U/a in all for a way of L, or
    2 √(L/a) if that is too short to reach U. U is the mean speed between inner waypoints, not a limit: the trajectory
    is slower at the one end of a leg and faster at the other. `duration` is t_n - t_1.

    **As a reference.** For heading and speed control `heading` is the course, atan2(dy/dt, dx/dt), rad in [-π, π],
    `course_rate` its rate of change, rad/s, `speed` the horizontal one, m/s, and `depth` z, m. For dynamic positioning
    `eta_d` is (p, 0, 0, heading), `nu_d` (speed, 0, dz/dt, 0, 0, course rate) and `nu_dot_d` its rate of change. Where
    the velocity is nil the course is the one to which it tends: at the start that with which the vehicle will set off,
    at the end that with which it arrives. Where it turns back on itself the course steps by π. Straight down it is 0.

    **Before the start and after the end** it goes on straight at the velocity it has there, which is mostly none.
    `waypoint` is the number of the waypoint ahead, 1 before the start.

    Raises ParameterError for fewer than two waypoints, for times that do not increase or are not one per waypoint, and
    for consecutive waypoints that coincide while times are allotted.

    Sources: Mellinger and Kumar (2011), Minimum snap trajectory generation and control for quadrotors, IEEE
    International Conference on Robotics and Automation; Richter, Bry and Roy (2013), Polynomial trajectory planning for
    aggressive quadrotor flight in dense indoor environments, International Symposium of Robotics Research (derivatives
    at the waypoints as unknowns).
    """

    examples = (
        {
            "waypoints": [[0.0, 0.0, 0.0], [4.0, 1.0, 1.0], [6.0, 5.0, 3.0], [2.0, 8.0, 2.0]],
            "times": [0.0, 0.8, 2.1, 3.5],
        },
        {
            "waypoints": [[0.0, 0.0, 0.0], [4.0, 1.0, 1.0], [6.0, 5.0, 3.0], [2.0, 8.0, 2.0]],
            "cruise_speed": 4.0,
            "cruise_acceleration": 6.0,
        },
    )

    kernel = "minimum_snap_trajectory"
    sizes = ("n",)
    least_sizes: ClassVar[Mapping[str, int]] = {"n": 2}
    positional = ("waypoints", "times")
    uses_time = True
    faults = ("the times of the waypoints do not increase",)

    position = Output(Position, "p", feedthrough=False)
    velocity = Output(Velocity, "dp/dt", feedthrough=False)
    acceleration = Output(Acceleration, "d²p/dt²", feedthrough=False)
    heading = Output(Angle, "course over ground, in [-π, π]", feedthrough=False)
    course_rate = Output(AngularRate, "rate of change of the course", feedthrough=False)
    speed = Output(Speed, "horizontal speed", feedthrough=False)
    depth = Output(Length, "depth z", feedthrough=False)
    eta_d = Output(Pose, "position with the course as heading, without roll and pitch", feedthrough=False)
    nu_d = Output(BodyVelocity, "velocity in axes along the course", feedthrough=False)
    nu_dot_d = Output(BodyAcceleration, "rate of change of nu_d", feedthrough=False)
    waypoint = Output(Number, "number of the waypoint ahead, counted from 1", feedthrough=False)
    finished = Output(Number, "1 when the last waypoint has been reached, else 0", feedthrough=False)

    waypoints = WaypointParameter()
    timing = Parameter(
        "allotted",
        choices=("allotted", "given"),
        structural=True,
        doc="whether times follow from speed and acceleration or are given; given where there are any",
    )
    times = Parameter(0.0, shape=("n",), unit="s", doc="when each waypoint is to be reached, counted from start_time")
    cruise_speed = Parameter(1.0, unit="m/s", above=0.0, doc="mean speed U on the way, where times are allotted")
    cruise_acceleration = Parameter(
        0.1, unit="m/s^2", above=0.0, doc="a, by which the time to gather and lose way is allotted"
    )
    start_velocity = Parameter(0.0, shape=(3,), unit="m/s", frame="ned", doc="velocity v_1 at the first waypoint")
    end_velocity = Parameter(0.0, shape=(3,), unit="m/s", frame="ned", doc="velocity v_n at the last waypoint")
    start_time = Parameter(0.0, unit="s", doc="when it starts, added to all times")

    reached = State(Number, "how many waypoints have been reached", discrete=True, private=True)

    duration = CalculatedParameter(
        unit="s",
        doc="time from the first waypoint to the last",
        depends=("waypoints", "timing", "times", "cruise_speed", "cruise_acceleration"),
    )

    arrivals = Derived("when each waypoint is reached", shape=("n",), unit="s")
    nodes = Derived(
        "of each waypoint: Taylor coefficients of orders 0 to 6, for each axis, and of order 7 on the leg after it",
        shape=("n", 24),
        unit=None,
    )
    next_arrival = Crossing("time since the next waypoint is due", unit="s")

    def set(self, **given: Any) -> None:
        """Change parameters; with times, timing is "given"."""
        if np.ndim(given.get("times", 0.0)) and "timing" not in given:
            given["timing"] = "given"
        super().set(**given)

    def validate(self) -> None:
        """At least two waypoints, and increasing times."""
        points, called = np.asarray(self.waypoints), self._called()
        if points.ndim != 2 or len(points) < 2:
            found = f"only {len(points)}" if points.ndim == 2 else "a single number"
            raise ParameterError(f"{called}.waypoints: a trajectory needs at least two waypoints; given: {found}")
        if self.timing == "given":
            check_increasing(self, "times", at_least=2)
        elif np.ndim(self.times) == 0 and np.any(self.times):
            raise ParameterError(
                f"{called}.times must be an array, with one time in s for each waypoint, not the single number "
                f"{float(self.times):g}; to begin later, give start_time"
            )
        elif np.any(self.times):
            raise ParameterError(
                f"{called}.times are given, but with timing='allotted' they would have no effect: leave one of them out"
            )
        else:
            for k, (here, there) in enumerate(pairwise(points), start=1):
                if np.array_equal(here, there):
                    place = ", ".join(f"{x:g}" for x in here)
                    raise ParameterError(
                        f"{called}.waypoints: waypoints {k} and {k + 1} coincide at ({place}) m, and no time can be "
                        f"allotted to a leg of no length; leave one out, or give times"
                    )

    def known_sizes(self) -> dict[str, int]:
        """One time per waypoint."""
        if np.ndim(self.times) == 1 and np.ndim(self.waypoints) == 2 and len(self.times) != len(self.waypoints):
            raise ParameterError(
                f"{self._called()}.times must be one per waypoint: {len(self.waypoints)} for as many waypoints, not "
                f"{len(self.times)}"
            )
        return super().known_sizes()

    def _timing_sources(self) -> Sources:
        timed = whole("times") if self.timing == "given" else whole("waypoints", "cruise_speed", "cruise_acceleration")
        return {**timed, **whole("start_time", TIME)}

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """The motion on all that shapes it; what is counted on the count."""
        if output in ("waypoint", "finished"):
            return whole("reached")
        motion = {**self._timing_sources(), **whole("waypoints", "start_velocity", "end_velocity")}
        moving = {"eta_d": "x y z psi", "nu_d": "u w r", "nu_dot_d": "u_dot w_dot r_dot"}.get(output)
        return dict.fromkeys(motion, rows(moving)) if moving else motion

    def state_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """What is reached is decided by the times."""
        return self._timing_sources()

    def start_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """As at any later instant."""
        return self._timing_sources()
