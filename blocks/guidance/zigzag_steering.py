"""The helm of a zigzag test."""

from __future__ import annotations

import math

from blocks.block import Block
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import TIME, elements, whole
from blocks.model.derived import Crossing
from blocks.signal import Angle, Number, Pose, Time

_INSTANT = whole("execute", "execute_time", TIME)
_TURNED = {"eta": elements("psi")} | whole("approach_heading", "last_heading", "turns")
_PAST = _TURNED | whole("execute", "finished", "first_side", "executes")
_NEXT = _INSTANT | _PAST | whole("start_time", "heading_change")


class ZigzagSteering(Block):
    """The rudder order of a zigzag test: reversed whenever the heading has changed far enough, δ/χ such as 10°/10°.

    δ_c = 0 during the approach, s_k δ after execute k, 0 when finished;  s_1 = ±1 by `first_side`, s_{k+1} = -s_k
    execute 1 at `start_time`;  execute k + 1 when s_k (ψ - ψ_0) ≥ χ;  finished when s_n (ψ - ψ_0) ≥ 0

    δ_c: `rudder`, positive to starboard as with `Rudder`, rad; δ: `rudder_angle`, rad; χ: `heading_change`, rad; ψ: of
    `eta`, rad; ψ_0: ψ at the first execute, rad; n: `executes`; k: `execute`, 0 during the
    approach. Adaptive solvers locate every execute; with a fixed step it falls on the first step at which it is due.

    ψ may wrap at ±π or go on: changes of less than half a turn per step are followed, so a vessel that does not answer
    its rudder is never taken for one that has come round the other way. IMO judges the first and second overshoot, for
    which 3 executes are enough, as ITTC has it; more show whether the overshoots repeat.

    Raises ParameterError if a parameter is out of range.

    Sources: IMO (2002), Resolution MSC.137(76), Standards for ship manoeuvrability, 4.2.5 and 4.2.6; ITTC (2017),
    Recommended Procedures 7.5-04-02-01, Full scale manoeuvring trials, sec. 2.2.2.
    """

    kernel = "zigzag_steering"
    positional = ("rudder_angle", "heading_change")

    eta = Input(Pose, "position and attitude of the vessel; the heading ψ counts")

    rudder = Output(
        Angle,
        "rudder order δ_c, positive to starboard",
        feedthrough=False,
        depends=whole("execute", "finished", "first_side", "rudder_angle"),
    )
    execute = Output(
        Number, "number of the last execute, 0 before the first", feedthrough=False, depends=whole("execute")
    )
    finished = Output(
        Number,
        "1 when the heading is back at the approach heading after the last execute, else 0",
        feedthrough=False,
        depends=whole("finished"),
    )

    rudder_angle = Parameter(math.radians(10.0), unit="rad", above=0.0, at_most=math.pi / 2, doc="δ")
    heading_change = Parameter(
        math.radians(10.0), unit="rad", above=0.0, below=math.pi, doc="χ, from ψ_0, at which the rudder is reversed"
    )
    start_time = Parameter(0.0, unit="s", doc="when the rudder is first put over")
    first_side = Parameter("starboard", choices=("starboard", "port"), doc="where the rudder is first put to")
    executes = Parameter(5, integer=True, at_least=2, at_most=1000, doc="how often the rudder is put over, n")

    execute_state = State(
        Number, "number of the last execute", discrete=True, private=True, depends=_NEXT, name="execute"
    )
    execute_time = State(Time, "time of the last execute", discrete=True, private=True, depends=_NEXT)
    finished_state = State(Number, "1 when done", discrete=True, private=True, depends=_PAST, name="finished")
    approach_heading = State(
        Angle,
        "ψ_0",
        discrete=True,
        private=True,
        depends=_INSTANT | {"eta": elements("psi")} | whole("approach_heading"),
    )
    last_heading = State(Angle, "ψ at the last step", discrete=True, private=True, depends={"eta": elements("psi")})
    turns = State(
        Number,
        "full turns that a heading which wraps has left out since the first execute",
        discrete=True,
        private=True,
        depends=_INSTANT | {"eta": elements("psi")} | whole("last_heading", "turns"),
    )

    next_execute = Crossing("how far it is beyond the next execute, or the end", unit=None)
