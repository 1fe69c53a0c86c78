"""The pull-out test: whether a vessel goes on turning when its rudder is amidships again."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from blocks.lab.measures import ORDER, measure
from blocks.lab.motion import Motion
from blocks.lab.trial import ManoeuvreError, Trial, side_name
from blocks.lab.turning_circle import NO_TURN

LAST = 0.2
"""The part of the time after the order amidships over which the residual rate is the mean."""
STEADY = 0.002
"""A rate that changes by more than this part of that of the turn in that time is not steady."""
SAME = 0.01
"""Residual rates that differ by less than this part of that of the turn are the same."""


@dataclass(frozen=True)
class PullOut:
    """What is left of a turn when the rudder is ordered amidships again.

    rudder_angle: of the turn before, as ordered, rad, or in `order_unit`. steady_starboard, steady_port: yaw rates at
    the order amidships, residual_starboard, residual_port: means over the last fifth of the time after it, all positive
    to starboard, rad/s; None for a side to which there was no test. loop_height: residual_starboard - residual_port,
    rad/s, the height of the loop of a spiral test at rudder amidships; None with one side. stable: if the height,
    or with one side the residual rate, is below 1 % of the rate of the turn. A stable vessel that does not run straight
    with its rudder amidships keeps the same rate after turns to both sides, so its height is 0; so does an unstable one
    whose loop lies beside rudder amidships, which `measure_spiral` tells.

    Sources: IMO (2002), MSC/Circ.1053, Explanatory notes to the Standards for ship manoeuvrability; ITTC (2017),
    Recommended Procedures 7.5-04-02-01, Full scale manoeuvring trials.
    """

    rudder_angle: float = measure("rudder angle", ORDER)
    order_unit: str = field(default="rad", kw_only=True)
    steady_starboard: float | None = measure("yaw rate to starboard", "rad/s")
    residual_starboard: float | None = measure("residual rate from starboard", "rad/s")
    steady_port: float | None = measure("yaw rate to port", "rad/s")
    residual_port: float | None = measure("residual rate from port", "rad/s")
    loop_height: float | None = measure("loop height", "rad/s")
    stable: bool = measure("stable on course")


@dataclass(frozen=True)
class _Side:
    steady: float
    residual: float


def measure_pull_out(one: Trial, other: Trial | None = None) -> PullOut:
    """Measure pull-out tests to one side or to both: see `PullOut`.

    Each trial has a turn with the rudder to one side, and after it the rudder amidships until the end. Yaw rates
    between samples are those of cubic splines through the headings.

    Raises ManoeuvreError if a vessel did not turn, if the rudder is not put amidships again, if the rate still changes
    at the end, or if both are to the same side.
    """
    trials = [one] if other is None else [one, other]
    found = {trial.executes[0].side: _side(trial) for trial in trials}
    if len(found) < len(trials):
        raise ManoeuvreError(
            f"both pull-out tests are to {side_name(one.executes[0].side)}; one to each side is needed for the height"
        )
    starboard, port = found.get(1.0), found.get(-1.0)
    height = starboard.residual - port.residual if starboard and port else None
    turning = float(np.mean([abs(side.steady) for side in found.values()]))
    left = abs(next(iter(found.values())).residual) if height is None else abs(height)
    return PullOut(
        rudder_angle=abs(float(one.order[one.executes[0].index])),
        order_unit=one.order_unit,
        steady_starboard=starboard.steady if starboard else None,
        residual_starboard=starboard.residual if starboard else None,
        steady_port=port.steady if port else None,
        residual_port=port.residual if port else None,
        loop_height=height,
        stable=left < SAME * turning,
    )


def released(trial: Trial) -> int:
    """The sample at which the rudder is ordered amidships. Raises ManoeuvreError if it never is."""
    execute = trial.executes[0]
    index = trial.until(execute)
    if len(trial.time) - index < 4:
        raise ManoeuvreError(
            f"the rudder, ordered to {side_name(execute.side)} at {trial.time[execute.index]:g} s, is not put "
            f"amidships again until {trial.time[-1]:g} s, and 4 samples after that are needed for the residual yaw rate"
        )
    if len(trial.executes) > 1:
        again = trial.executes[1]
        raise ManoeuvreError(
            f"the rudder is put to {side_name(again.side)} at {trial.time[again.index]:g} s: in a pull-out test it "
            f"stays amidships after the turn"
        )
    return index


def _side(trial: Trial) -> _Side:
    """Rates before and after, positive to starboard."""
    execute, index = trial.executes[0], released(trial)
    turn = Motion(trial, execute.index, index + 1, execute.side)
    if turn.turned.max() < NO_TURN:
        raise ManoeuvreError(
            f"the vessel never turned: with the rudder ordered {trial.ordered(execute.index)} to "
            f"{side_name(execute.side)} at {turn.begin:g} s the heading changed by at most "
            f"{math.degrees(turn.turned.max()):.2g}° until {turn.end:g} s. Is the vessel under way, the rudder "
            f"connected?"
        )
    steady = execute.side * float(turn.yaw_rate(turn.end))
    after = Motion(trial, index, len(trial.time), 1.0)
    late = after.end - LAST * (after.end - after.begin)
    rates = after.yaw_rate(after.between(late, after.end))
    if float(np.ptp(rates)) > STEADY * abs(steady):
        raise ManoeuvreError(
            f"the pull-out test is too short: {after.end - after.begin:.3g} s after the order amidships the yaw rate "
            f"still changes, from {math.degrees(rates[0]):.3g} °/s to {math.degrees(rates[-1]):.3g} °/s in the last "
            f"{after.end - late:.3g} s. Go on until it is steady"
        )
    return _Side(steady, after.mean(after.yaw_rate, late, after.end))
