"""The waypoint schedule: what all guidance along waypoints has in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import ClassVar

import numpy as np

from blocks.block import Block, Sizes
from blocks.errors import ParameterError
from blocks.guidance.waypoint_parameter import WaypointParameter
from blocks.model.declare import Input, Parameter, State
from blocks.model.dependence import TIME, Sources, elements, whole
from blocks.model.derived import Crossing, Derived
from blocks.problems import Problem
from blocks.signal import Angle, Number, Pose, Time

LEG = whole("waypoints", "active_waypoint", "phase")
"""What tells which leg is followed and where it lies."""

_SWITCHING = LEG | {"eta": elements("x y z")} | whole("acceptance_radius", "switching", "at_end")
"""What decides when the next leg is followed."""


class WaypointGuidance(Block, abstract=True):
    """The base of guidance along straight legs between waypoints.

    It declares the schedule, whose kernel functions are in `cython_kernels/guidance/waypoints.pxd`; they rely on its
    parameters, discrete states, size and input being the first of the block. A guidance law adds its own and outputs.
    """

    sizes = ("n",)
    least_sizes: ClassVar[Mapping[str, int]] = {"n": 2}

    eta = Input(Pose, "position and attitude of the vehicle")

    waypoints = WaypointParameter()
    acceptance_radius = Parameter(unit="m", above=0.0, doc="how near a waypoint is near enough, R")
    switching = Parameter("circle", choices=("circle", "along_track"), doc="when a leg is done")
    at_end = Parameter("hold", choices=("hold", "loop"), doc="what comes after the last waypoint")

    active_waypoint = State(
        Number,
        "number of the waypoint steered for, from 1",
        initial=2.0,
        discrete=True,
        private=True,
        depends=_SWITCHING,
    )
    kept_heading = State(Angle, "heading kept where no leg gives one", discrete=True, private=True)
    phase = State(
        Number, "0 before the first step, 1 under way, 2 finished", discrete=True, private=True, depends=_SWITCHING
    )
    start_time = State(
        Time, "time of the first step", discrete=True, private=True, depends=whole("start_time", "phase", TIME)
    )

    legs = Derived(
        "course [rad], its cosine and sine, and length [m] of the leg that ends at each waypoint",
        shape=("n", 4),
        unit=None,
    )

    to_switch = Crossing("distance to the switch to the next leg", unit="m")
    to_pass = Crossing("distance to passing the waypoint", unit="m")

    def improbable(self) -> Iterator[Problem]:
        """A waypoint that is near enough before the leg to it begins."""
        yield from super().improbable()
        legs = np.linalg.norm(np.diff(np.asarray(self.waypoints)[:, :2], axis=0), axis=1)
        short = np.flatnonzero((legs > 0.0) & (legs < self.acceptance_radius))
        if len(short):
            k = int(short[0])
            yield Problem(
                "warning",
                "short-leg",
                f"{self.path}.acceptance_radius, {self.acceptance_radius:g} m, is longer than the leg from waypoint "
                f"{k + 1} to {k + 2}, {legs[k]:.3g} m",
                hint="the vehicle turns to the next leg as soon as this one begins",
                block=self.path,
                parameter="acceptance_radius",
            )

    def validate(self) -> None:
        """At least two waypoints, and no two in a row that coincide."""
        points = np.asarray(self.waypoints)
        where = f"{self._called()}.waypoints"
        if points.ndim != 2 or len(points) < 2:
            given = f"only {len(points)}" if points.ndim == 2 else "a single number"
            raise ParameterError(
                f"{where}: a path needs at least two waypoints, because its first leg leads from waypoint 1 to "
                f"waypoint 2; given: {given}"
            )
        for k, (here, there) in enumerate(pairwise(points), start=1):
            if np.array_equal(here, there):
                place = ", ".join(f"{x:g}" for x in here)
                raise ParameterError(f"{where}: waypoints {k} and {k + 1} coincide at ({place}) m; leave one out")

    def state_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """The heading that is kept is the one at the start, then the last one that the guidance law gave."""
        heading = self.output_sources("heading", sizes) if state == "kept_heading" else None
        if heading is None:
            return super().state_sources(state, sizes)
        kept = whole("kept_heading", "start_time", TIME)
        return {**_SWITCHING, **heading, **kept, "eta": elements("x y z psi")}
