"""The turning circle: what a vessel needs of room to turn about."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from blocks.lab.measures import ORDER, measure
from blocks.lab.motion import Motion
from blocks.lab.trial import Execute, ManoeuvreError, Trial, side_name

HALF_TURN, FULL_TURN = math.pi, 2.0 * math.pi
NO_TURN = math.radians(1.0)
"""A heading that changes by less has not answered the rudder."""
AT_REST = 1e-3
"""An approach slower than this part of the steady speed does not count as one: no speed loss is given."""


@dataclass(frozen=True)
class SteadyTurn:
    """The last full turn of a turning circle.

    diameter: m, the length of the path over π. yaw_rate: rad/s, and speed over ground: m/s, means over time.
    speed_loss: 1, from the speed at the execute. drift_angle: rad, from the course over ground to the heading, mean
    over time, positive where the bow points into the circle. In a current the path does not close, and the diameter
    and drift angle are not those through the water. speed_loss is None where the turn began at rest.
    """

    diameter: float = measure("steady diameter", "m")
    yaw_rate: float = measure("steady yaw rate", "rad/s")
    speed: float = measure("steady speed", "m/s")
    speed_loss: float | None = measure("speed loss", "1")
    drift_angle: float = measure("drift angle", "rad")


@dataclass(frozen=True)
class TurningCircle:
    """The standard measures of a turning circle, from the position of the rudder order and the heading there.

    side: "starboard" or "port". rudder_angle: as ordered, rad, or in `order_unit` where something else than a rudder is
    ordered. execute_time: of the order, s. approach_speed: over ground at the order, m/s. advance: along the approach
    heading, m, and transfer: across it, m, to where the heading has changed by 90°. tactical_diameter: across the
    approach heading to where it has changed by 180°, m. time_to_90, time_to_180: until then, s. steady: a `SteadyTurn`,
    or None if the heading has changed by less than 540°.

    Across is positive to the side of the turn, so port and starboard compare.

    Sources: IMO (2002), Resolution MSC.137(76), Standards for ship manoeuvrability, 4.2.2 to 4.2.4; ITTC (2017),
    Recommended Procedures 7.5-04-02-01, Full scale manoeuvring trials, sec. 2.2.1 (transfer, steady turn).
    """

    side: str = measure("turn to")
    rudder_angle: float = measure("rudder angle", ORDER)
    order_unit: str = field(default="rad", kw_only=True)
    execute_time: float = measure("execute", "s")
    approach_speed: float = measure("approach speed", "m/s")
    advance: float = measure("advance", "m")
    transfer: float = measure("transfer", "m")
    tactical_diameter: float = measure("tactical diameter", "m")
    time_to_90: float = measure("time to 90°", "s")
    time_to_180: float = measure("time to 180°", "s")
    steady: SteadyTurn | None = None


def measure_turning_circle(trial: Trial) -> TurningCircle:
    """Measure a turning circle: see `TurningCircle`.

    The turn begins at the first rudder order and ends with the next one or the recording. Between samples, heading and
    position are cubic splines.

    Raises ManoeuvreError if the vessel did not turn, turned the other way, or turned by less than 180°.
    """
    execute = trial.executes[0]
    motion = turn_of(trial, execute)
    greatest, least = math.degrees(motion.turned.max()), math.degrees(-motion.turned.min())
    order = f"ordered {trial.ordered(execute.index)} to {side_name(execute.side)} at {motion.begin:g} s"
    if motion.turned.max() < HALF_TURN:
        if max(greatest, least) < math.degrees(NO_TURN):
            raise ManoeuvreError(
                f"the vessel never turned: with the rudder {order} the heading changed by at most "
                f"{max(greatest, least):.2g}° until {motion.end:g} s. Is the vessel under way, the rudder connected?"
            )
        if least > greatest:
            raise ManoeuvreError(
                f"the vessel turned the wrong way: with the rudder {order} the heading went {least:.4g}° to "
                f"{side_name(-execute.side)}. Orders are positive to starboard: reverse the sign of those that are not"
            )
        raise ManoeuvreError(
            f"the turning circle is too short: with the rudder {order} the heading had changed by {greatest:.4g}° at "
            f"{motion.end:g} s, and 180° are needed for the tactical diameter, 540° for the steady turn. Go on longer"
        )
    quarter, half = motion.reaches(0.5 * HALF_TURN), motion.reaches(HALF_TURN)
    assert quarter is not None
    assert half is not None
    return TurningCircle(
        side=side_name(execute.side),
        rudder_angle=abs(float(trial.order[execute.index])),
        order_unit=trial.order_unit,
        execute_time=motion.begin,
        approach_speed=float(motion.speed(motion.begin)),
        advance=float(on_approach(trial, execute, motion.position(quarter))[0]),
        transfer=float(on_approach(trial, execute, motion.position(quarter))[1]),
        tactical_diameter=float(on_approach(trial, execute, motion.position(half))[1]),
        time_to_90=quarter - motion.begin,
        time_to_180=half - motion.begin,
        steady=_steady(motion),
    )


def turn_of(trial: Trial, execute: Execute) -> Motion:
    """The motion from an order to the next one. Raises ManoeuvreError if there is next to nothing of it."""
    last = trial.until(execute)
    if last - execute.index < 4:
        raise ManoeuvreError(
            f"only {last - execute.index} samples follow the rudder order at {trial.time[execute.index]:g} s, and at "
            f"least 4 are needed"
        )
    return Motion(trial, execute.index, last, execute.side)


def on_approach(trial: Trial, execute: Execute, position: np.ndarray) -> np.ndarray:
    """Positions from that of the order: along the approach heading, and across it to the side of the turn, m."""
    psi = trial.heading[execute.index]
    ahead = np.array([np.cos(psi), np.sin(psi)])
    across = execute.side * np.array([-np.sin(psi), np.cos(psi)])
    return np.asarray((position - trial.position[execute.index]) @ np.column_stack([ahead, across]))


def _steady(motion: Motion) -> SteadyTurn | None:
    """The last full turn, if the vessel had half a turn or more to settle before."""
    turned = float(motion.turned[-1])
    begin = motion.reaches(turned - FULL_TURN) if turned >= FULL_TURN + HALF_TURN else None
    if begin is None:
        return None
    path, time = motion.distance(begin, motion.end), motion.end - begin
    approach = float(motion.speed(motion.begin))
    return SteadyTurn(
        diameter=path / math.pi,
        yaw_rate=FULL_TURN / time,
        speed=path / time,
        speed_loss=1.0 - path / time / approach if approach > AT_REST * path / time else None,
        drift_angle=motion.mean(motion.drift_angle, begin, motion.end),
    )
