"""The zigzag test: how soon a vessel answers its rudder, and how far it goes on turning when that is reversed."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise

from blocks.lab.measures import ORDER, measure
from blocks.lab.motion import Motion
from blocks.lab.trial import Execute, ManoeuvreError, Trial, side_name
from blocks.model.declare import Parameter

_HEADING_CHANGE = Parameter(unit="rad", above=0.0, below=math.pi)
_EXECUTE_TOLERANCE = 0.25
"""By which part of the heading change an execute may miss it and still belong to such a test."""


@dataclass(frozen=True)
class Zigzag:
    """The standard measures of a zigzag test δ/χ, from the first execute and the heading there.

    first_side: "starboard" or "port". rudder_angle: δ as ordered, rad, or in `order_unit` where something else than a
    rudder is ordered. heading_change: χ, rad. execute_times: s. approach_speed: over ground at the first execute, m/s.
    initial_turning_time: until the heading has changed by χ, s; initial_turning_distance: the path until then, m.
    overshoot_angles: how far the heading goes on beyond χ after the second execute, the third, …, rad. check_times:
    from those executes to the greatest heading, s. reach: from the first execute until the heading is back at the
    approach heading after the second, s; period: until it is that after the third, s; None if it was not recorded.

    Sources: IMO (2002), Resolution MSC.137(76), Standards for ship manoeuvrability, 4.2.5 to 4.2.9 and 5.3.2 (initial
    turning distance); ITTC (2017), Recommended Procedures 7.5-04-02-01, Full scale manoeuvring trials, sec. 2.2.2
    (times, reach, period).
    """

    first_side: str = measure("first to")
    rudder_angle: float = measure("rudder angle", ORDER)
    order_unit: str = field(default="rad", kw_only=True)
    approach_speed: float = measure("approach speed", "m/s")
    heading_change: float = measure("heading change", "rad")
    execute_times: tuple[float, ...] = measure("executes", "s")
    initial_turning_time: float = measure("initial turning time", "s")
    initial_turning_distance: float = measure("initial turning distance", "m")
    overshoot_angles: tuple[float, ...] = measure("overshoot angles", "rad")
    check_times: tuple[float, ...] = measure("times to check yaw", "s")
    reach: float | None = measure("reach", "s")
    period: float | None = measure("period", "s")


def measure_zigzag(trial: Trial, heading_change: float | str | None = None) -> Zigzag:
    """Measure a zigzag test: see `Zigzag`.

    heading_change: χ, rad, or text with a unit, as the test is named. Executes are then where the heading crosses χ,
    to better than a sample, and a rudder that is reversed a step late adds to the overshoot, as it does to that of the
    vessel. None: χ is what the heading had changed by at the second execute, and executes are samples. Heading and
    position between samples are cubic splines.

    Raises ManoeuvreError if the rudder is not reversed, or not at such a heading change, if the vessel turns the other
    way, or if the recording ends before the first overshoot; ParameterError if `heading_change` is not within 0 and π.
    """
    wanted = None
    if heading_change is not None:
        wanted = float(_HEADING_CHANGE.read(heading_change, "measure_zigzag: heading_change"))
    executes = trial.executes
    first = executes[0]
    motion = Motion(trial, first.index, len(trial.time), first.side)
    _check(trial, executes, motion, wanted)
    change = wanted or float(motion.turned[executes[1].index - first.index])
    times = [motion.begin, *(_execute_time(motion, e, first, change, wanted) for e in executes[1:])]
    overshoots, checks = _overshoots(trial, executes, motion, times, change)
    if not overshoots:
        raise ManoeuvreError(
            f"the zigzag test is too short: the heading still goes away at {motion.end:g} s, "
            f"{motion.end - times[1]:.3g} s after the second execute. Go on until the heading comes back"
        )
    back = motion.returns(0.0, times[1])
    forth = motion.reaches(0.0, times[2]) if len(times) > 2 else None
    return Zigzag(
        first_side=side_name(first.side),
        rudder_angle=abs(float(trial.order[first.index])),
        order_unit=trial.order_unit,
        approach_speed=float(motion.speed(motion.begin)),
        heading_change=change,
        execute_times=tuple(times),
        initial_turning_time=times[1] - times[0],
        initial_turning_distance=motion.distance(times[0], times[1]),
        overshoot_angles=tuple(overshoots),
        check_times=tuple(checks),
        reach=None if back is None else back - times[0],
        period=None if forth is None else forth - times[0],
    )


def _check(trial: Trial, executes: tuple[Execute, ...], motion: Motion, wanted: float | None) -> None:
    """The sequence of orders, and what the vessel made of the first."""
    order = f"ordered to {side_name(executes[0].side)} at {motion.begin:g} s"
    last = executes[1].index if len(executes) > 1 else len(trial.time)
    turned = motion.turned[: last - executes[0].index + 1]
    if -turned.min() > max(turned.max(), math.radians(1.0)):
        raise ManoeuvreError(
            f"the vessel turned the wrong way: with the rudder {order} the heading went "
            f"{math.degrees(-turned.min()):.4g}° to {side_name(-executes[0].side)}. Orders are positive to starboard: "
            f"reverse the sign of those that are not"
        )
    if len(executes) < 2:
        needed = "" if wanted is None else f"; {math.degrees(wanted):.4g}° are needed"
        raise ManoeuvreError(
            f"the zigzag test is too short: the rudder, {order}, is not reversed until {motion.end:g} s, and the "
            f"heading has changed by {math.degrees(turned.max()):.4g}°{needed}"
        )
    for number, (one, other) in enumerate(pairwise(executes), start=1):
        if one.side == other.side:
            raise ManoeuvreError(
                f"executes {number} and {number + 1} are both to {side_name(one.side)}, at "
                f"{trial.time[one.index]:g} s and {trial.time[other.index]:g} s: in a zigzag test they alternate"
            )
    for number, execute in enumerate(executes[1:] if wanted else (), start=2):
        assert wanted is not None
        at = _turned_at(motion, execute, executes[0])
        if abs(at - wanted) > _EXECUTE_TOLERANCE * wanted:
            raise ManoeuvreError(
                f"execute {number}, at {trial.time[execute.index]:g} s, is at a heading change of "
                f"{math.degrees(at):.4g}°, which is not the {math.degrees(wanted):.4g}° of this test"
            )


def _turned_at(motion: Motion, execute: Execute, first: Execute) -> float:
    """Heading change at an execute, positive to the side that the vessel has turned to."""
    return float(-execute.side * first.side * motion.turned[execute.index - first.index])


def _execute_time(motion: Motion, execute: Execute, first: Execute, change: float, wanted: float | None) -> float:
    """When the heading crosses χ within the sample before the order, or the sample of the order."""
    at = execute.index - first.index
    before, sample = float(motion.time[at - 1]), float(motion.time[at])
    if wanted is None:
        return sample
    toward = -execute.side * first.side
    crossed = motion.reaches(change, before) if toward > 0.0 else motion.returns(-change, before)
    return crossed if crossed is not None and crossed <= sample else sample


def _overshoots(
    trial: Trial, executes: tuple[Execute, ...], motion: Motion, times: list[float], change: float
) -> tuple[list[float], list[float]]:
    """Overshoot angles, and times from execute to the greatest heading, of those that are over."""
    overshoots, checks = [], []
    ends = [*times[2:], motion.end]
    for execute, begin, end in zip(executes[1:], times[1:], ends, strict=True):
        away = -execute.side * executes[0].side
        t, turned = motion.peak(begin, end, away)
        if t >= end:
            break
        overshoots.append(float(away * turned - change))
        checks.append(t - begin)
    return overshoots, checks
