"""Guidance through a mission in phases."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from blocks.basic.common import ModeBlock
from blocks.block import Sizes
from blocks.errors import ParameterError
from blocks.guidance.mission_parameters import (
    AbortsParameter,
    PhasesParameter,
    aborts_of,
    program_in,
    vocabulary_of_phases,
)
from blocks.guidance.mission_program import (
    COLUMNS,
    DEPTHS,
    ENDINGS,
    PLACES,
    STEPS,
    UNTIL,
    Program,
    abort_program,
)
from blocks.guidance.mission_sources import MissionSources
from blocks.guidance.mission_words import CONDITIONS
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import Sources
from blocks.model.derived import Crossing, Derived
from blocks.signal import Angle, BodyVelocity, Length, Number, Pose, Position, Speed, Time, Velocity

_SOON: Mapping[str, Any] = {"at most": 1.5, "if late": "stop"}  # of an example in which every phase may be late


class MissionPlan(ModeBlock):
    """Guidance through a mission in phases: hold, dive, go along, survey, circle, follow, dock, return.

    Leg:     ψ_d = α - atan(y_e/Δ) - β,  u_d = U max(0, 1 - |e_ψ|/ψ_t),  done when d ≤ R or x_e ≥ L
    Circle:  ψ_d = φ + λ (π/2 + atan((d - ρ)/Δ)) - β,  y_e = λ (ρ - d),  done after its turns
    Hold:    ψ_d = ψ_k, u_d = 0 within R_o of the place; from there ψ_d = its bearing, u_d = U min(1, d/d_s) until d ≤ R
    Follow:  v_d = v_t - U p̃/√(|p̃|² + Δ_t²),  p̃ = p - (p_t + o);  ψ_d, u_d: its course and magnitude

    x, y, z, ψ of `eta`; α: course of a leg, L its length, x_e, y_e: distance along it and from it, m, y_e positive to
    starboard; Δ: `lookahead`, m; β: sideslip as `LineOfSight` has it, with `sideslip_compensation`; U: `speed` of the
    phase, else `cruise_speed`, m/s; e_ψ: ψ_d - ψ; ψ_t: `taper_angle`; d: distance to the end of the leg, to the centre
    of the circle or to the place, m; R: `acceptance_radius`, m; φ: bearing of the vehicle from the centre, ρ: radius of
    the circle, m; λ: 1 to starboard, -1 to port; ψ_k: the last desired heading, after a drift that on arrival; R_o:
    `drift_radius`, m; d_s: `slow_distance`, m; p_t, v_t: `target`, `target_velocity`; o: offset; Δ_t: how near the
    approach slows down, m.

    **Phases** are what the tables of words say, in a list: [{hold: 30 s}, {dive to: 5 m}, {survey: {…}}, return]. Each
    begins where the one before ended: a leg at the waypoint that was reached, else where the vehicle is. A leg is
    done, too, when the vehicle is abeam of its end; a dock that is missed is approached again. A survey runs both sides
    of its box and as many lines between them as keep the spacing. Turns are counted from where the vehicle is within
    the lookahead distance of the circle. A dive is done within `depth_tolerance`. Depths are wanted at once, or
    linearly along the leg ("leg"). At the end the vehicle holds, and `finished` is 1.

    **A vehicle that cannot stop** has a `loiter_radius`: it holds, dives and waits on a circle about the place.

    **Too late.** A phase with `at most` that takes longer is left: `if late` says whether to go on with the next one,
    to stop, or what to do instead of all that is left. **Aborts** leave the mission for good when a condition is met:
    then the vehicle does what stands there, or stops. One that stands further up may interrupt one below.

    `phase` is the number of the phase from 1, those of aborts after all others, and 0 at the end; `phase_names` has
    their names. `following` is 1 where there is a path to be off, on legs, and on circles while turns are counted;
    `aborted` is 0, the number of the abort from 1, or -1 after a phase that took too long and did not go on, or was the
    last. Adaptive
    solvers locate all changes.

    Raises ParameterError for words that mean nothing, and values out of range.

    Sources: Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 10.3.2 (legs), ch. 10
    (station keeping by a circle of acceptance); Nelson, Barber, McLain and Beard (2007), Vector field path following
    for miniature air vehicles, IEEE Transactions on Robotics 23 (circles); Breivik and Fossen (2008), Guidance laws for
    planar motion control, 47th IEEE CDC (following).
    """

    examples = (
        {
            "phases": [
                {"hold": {"for": "0.7 s", "depth": "1 m"}},
                {"dive to": "1 m"},
                {"go along": [[0, 0], [20, 0, 6], [20, 10]]},
                {"return": {"depth": "3 m"}},
            ],
            "aborts": [{"when": {"battery below": 0.2}, "then": "return"}],
            "cruise_speed": 0.5,
            "depth_tolerance": 0.5,
        },
        {
            "phases": [
                {"circle": {"around": [3, 1], "radius": 2, "turns": 0.4, "depth": 2, **_SOON}},
                {"stay until": {"time": "proceed", **_SOON}},
                {"follow": {"for": 1, "offset": [0, 1, 2], **_SOON}},
                {"go to": {"place": [2, 1, 1], **_SOON}},
                {"dock": {"at": [1, 2, 3], "heading": 0.5, "from": 3, **_SOON}},
            ],
            "aborts": [
                {"when": {"sensor lost for": 0.3}},
                {"when": {"off track by": 2}, "then": {"hold": 1}},
                {"when": {"deeper than": 5}},
                {"when": {"farther than": 9}},
                {"when": {"later than": 2.5}},
            ],
            "cruise_speed": 0.8,
            "sideslip_compensation": True,
            "depth_reference": "leg",
        },
    )

    kernel = "mission_plan"
    sizes = ("n", "m", "c")
    positional = ("phases",)
    uses_time = True
    vocabulary = vocabulary_of_phases()
    enumerations: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "column": COLUMNS,
        "step": STEPS,
        "place": PLACES,
        "depth_of": DEPTHS,
        "until": UNTIL,
        "ending": ENDINGS,
        "condition": ("never", *(word.replace(" ", "_") for word in CONDITIONS)),
    }

    eta = Input(Pose, "position and attitude of the vehicle")
    nu = Input(BodyVelocity, "velocity over ground; needed with sideslip_compensation only", default=0.0)
    target = Input(Position, "what is followed, p_t; needed by phases that follow or dock there", default=0.0)
    target_velocity = Input(Velocity, "v_t, of the target over ground", default=0.0)
    state_of_charge = Input(Number, "of the battery, 0 to 1; needed by aborts for it", default=1.0)
    sensor_valid = Input(Number, "1 while the sensors are sound; needed by aborts for them", default=1.0)
    proceed = Input(Number, "1 when a phase that stays until then may end", default=0.0)

    heading = Output(Angle, "desired heading ψ_d, in [-π, π)")
    speed = Output(Speed, "desired surge velocity u_d")
    depth = Output(Length, "desired depth z_d")
    cross_track_error = Output(
        Length, "y_e, positive to starboard of a leg or a circle; 0 where there is none to be off"
    )
    following = Output(Number, "1 where there is a path to be off, else 0", feedthrough=False)
    waypoint = Output(
        Number, "number of the waypoint steered for, or last steered for; 1 is where the mission begins",
        feedthrough=False,
    )  # fmt: skip
    phase = Output(Number, "number of the phase, from 1; 0 at the end", feedthrough=False)
    aborted = Output(
        Number, "0; the number of the abort, from 1; -1 after a phase that was late and ended it", feedthrough=False
    )
    finished = Output(Number, "1 at the end, else 0", feedthrough=False)

    phases = PhasesParameter()
    aborts = AbortsParameter()
    cruise_speed = Parameter(unit="m/s", at_least=0.0, doc="desired speed U where a phase says none")
    acceptance_radius = Parameter(2.0, unit="m", above=0.0, doc="how near a waypoint or a place is near enough, R")
    lookahead = Parameter(10.0, unit="m", above=0.0, doc="lookahead distance Δ: how far ahead on the path is aimed")
    depth_tolerance = Parameter(0.2, unit="m", above=0.0, doc="how near its depth a dive is done")
    drift_radius = Parameter(4.0, unit="m", above=0.0, doc="how far from its place a vehicle may drift that holds, R_o")
    slow_distance = Parameter(10.0, unit="m", above=0.0, doc="d_s, nearer than which a place is approached slowly")
    loiter_radius = Parameter(
        0.0, unit="m", at_least=0.0, doc="of the circle on which a vehicle holds that cannot stop; 0: it stops"
    )
    speed_taper = Parameter(True, doc="slow down while the heading is not yet the desired one")
    taper_angle = Parameter(
        math.pi / 2, unit="rad", above=0.0, at_most=math.pi, doc="heading error ψ_t at which the speed is down to 0"
    )
    sideslip_compensation = Parameter(
        False, structural=True, doc="turn the heading against the drift by the sideslip β"
    )
    sideslip_speed = Parameter(
        0.05, unit="m/s", above=0.0, doc="speed over ground V_β below which the sideslip is faded out"
    )
    depth_reference = Parameter(
        "waypoint", choices=("waypoint", "leg"), structural=True,
        doc="depth of the next waypoint at once, or linearly along the leg",
    )  # fmt: skip

    row = State(
        Number, "the row that is at work, from 0; those of aborts after the others", discrete=True, private=True
    )
    abort = State(Number, "what `aborted` says", discrete=True, private=True)
    begun = State(Number, "0 before the first step, else 1", discrete=True, private=True)
    start_time = State(Time, "time of the first step", discrete=True, private=True)
    phase_time = State(Time, "when the phase began", discrete=True, private=True)
    row_time = State(Time, "when the row began", discrete=True, private=True)
    start_place = State(Position, "where the mission began", discrete=True, private=True)
    place = State(Position, "where the row began, with the depth that was wanted then", discrete=True, private=True)
    kept_heading = State(Angle, "heading kept where there is no path", discrete=True, private=True)
    drifting = State(Number, "1 while it holds and is near enough", discrete=True, private=True)
    counting = State(Number, "1 while turns are counted", discrete=True, private=True)
    swept = State(Angle, "how far it has gone round", discrete=True, private=True)
    last_bearing = State(Angle, "from the centre at the last step", discrete=True, private=True)
    lost = State(Number, "1 while sensors are lost", discrete=True, private=True)
    lost_time = State(Time, "when they were lost", discrete=True, private=True)

    phase_count = Derived("how many phases there are without those of aborts")
    waypoint_count = Derived("how many waypoints there are without those of aborts")
    main_rows = Derived("number of the row at which the mission ends")

    to_go = Crossing("what is left of the row: distance, time or turns", unit=None)
    to_pass = Crossing("distance to where turns are counted, or the vehicle drifts", unit="m")
    time_left = Crossing("time until the phase takes too long", unit="s")
    health = Crossing("beyond half a sound sensor")
    margins = Crossing("how far each condition of an abort is", shape=("c",), unit=None)

    @property
    def main(self) -> Program:
        """The rows of the mission, and the names of its phases."""
        return program_in(str(self.values["phases"]))

    @property
    def phase_names(self) -> tuple[str, ...]:
        """The names of all phases, in the order of their numbers: the first one is phase 1."""
        names = self.main.names
        return tuple(abort_program(aborts_of(str(self.values["aborts"])), names)[1].names)

    @property
    def abort_reasons(self) -> tuple[str, ...]:
        """What each abort is for, in the words that it is given in."""
        given = json.loads(str(self.values["aborts"]))
        return tuple(f"{word} {limit}" for one in given for word, limit in one["when"].items())

    def route(self) -> NDArray[np.float64]:
        """The waypoints of the mission with aborts left out, k×3: north, east, down, m; NaN where they depend on the
        run: where the mission began, and depths that are kept."""
        rows = [row for row in self.main.rows if row.step == "go"]
        points = [[*row.point[:2], row.point[2] if row.depth == "given" else np.nan] for row in rows]
        places = np.array(points, dtype=np.float64).reshape(-1, 3)
        places[[row.place == "start" for row in rows], :2] = np.nan
        return places

    def known_sizes(self) -> dict[str, int]:
        """As many rows as the words need."""
        if "phases" not in self.values:
            return {}
        aborts = aborts_of(str(self.values["aborts"]))
        rows, _ = abort_program(aborts)
        return {"n": len(self.main.rows), "m": len(rows), "c": max(1, len(aborts))}

    @property
    def input_ports(self) -> Mapping[str, Input]:
        """What the phases and aborts need may not be left open."""
        ports = dict(self.declared_inputs)
        for name in self._sources().inputs:
            ports[name] = Input(ports[name].signal, ports[name].doc, name=name)
        return ports

    @property
    def output_ports(self) -> Mapping[str, Output]:
        """The phase says the names of its numbers."""
        ports = dict(self.declared_outputs)
        named = replace(Number, meanings=("finished", *self.phase_names))
        ports["phase"] = Output(named, ports["phase"].doc, feedthrough=False, name="phase")
        return ports

    def _sources(self) -> MissionSources:
        aborts = aborts_of(str(self.values["aborts"]))
        table = np.vstack([self.main.table(), abort_program(aborts)[0][max(1, len(aborts)) :]])

        def words(column: str, known: Sequence[str]) -> frozenset[str]:
            return frozenset(known[int(number)] for number in table[:, COLUMNS.index(column)])

        return MissionSources(
            words("step", STEPS), words("place", PLACES), words("until", UNTIL),
            frozenset(abort.condition for abort in aborts), bool(np.any(table[:, COLUMNS.index("longest")])),
            bool(self.sideslip_compensation), self.depth_reference == "leg",
        )  # fmt: skip

    def validate(self) -> None:
        """A vehicle may drift further than it has to come."""
        if not self.drift_radius > self.acceptance_radius:
            raise ParameterError(
                f"{self._called()}.drift_radius must be beyond acceptance_radius, which is {self.acceptance_radius:g} "
                f"m, not {self.drift_radius:g} m: between them a vehicle that holds may drift"
            )

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """What the phases that there are may need."""
        return self._sources().feedthrough(output)

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """By what the phases do."""
        return self._sources().of_output(output)

    def state_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """The row by all that may end one, and what a new one begins with by what was wanted then."""
        return self._sources().of_state(state)
