"""The stopping test: how far a vessel goes on after full astern is ordered."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from blocks.lab.measures import measure
from blocks.lab.motion import Motion
from blocks.lab.trial import ManoeuvreError, Trial


@dataclass(frozen=True)
class Stopping:
    """The standard measures of a stopping test, from the position of the engine order and the heading there.

    execute_time: of the order, s. approach_speed: over ground at the order, m/s. track_reach: the path until the vessel
    stands still, m. head_reach: the same along the approach heading, and lateral_deviation: across it, positive to
    starboard, m. time: until then, s. heading_change: by then, positive to starboard, rad.

    A vessel stands still when its speed ahead, over ground and along its heading, becomes negative. In a current that
    is not its speed through the water.

    Sources: IMO (2002), Resolution MSC.137(76), Standards for ship manoeuvrability, and MSC/Circ.1053, Explanatory
    notes to them; ITTC (2017), Recommended Procedures 7.5-04-02-01, Full scale manoeuvring trials.
    """

    execute_time: float = measure("execute", "s")
    approach_speed: float = measure("approach speed", "m/s")
    track_reach: float = measure("track reach", "m")
    head_reach: float = measure("head reach", "m")
    lateral_deviation: float = measure("lateral deviation", "m")
    time: float = measure("time to stop", "s")
    heading_change: float = measure("heading change", "rad")


def measure_stopping(trial: Trial) -> Stopping:
    """Measure a stopping test: see `Stopping`.

    The test begins where the trial's `engine` order first changes. Between samples, heading and position are cubic
    splines.

    Raises ManoeuvreError if the trial has no engine orders, if the vessel was not going ahead, or if it still does at
    the end.
    """
    index = engine_order(trial)
    motion = Motion(trial, index, len(trial.time), 1.0)
    ordered = f"at {motion.begin:g} s, when the engine was ordered from {trial.engine[0]:g} to {trial.engine[index]:g}"  # type: ignore[index]
    if motion.ahead_speed(motion.begin) <= 0.0:
        raise ManoeuvreError(f"the vessel was not going ahead {ordered}: there is nothing to stop")
    stop = stands_still(motion)
    if stop is None:
        raise ManoeuvreError(
            f"the stopping test is too short: the vessel still goes ahead at "
            f"{float(motion.ahead_speed(motion.end)):.3g} m/s at {motion.end:g} s, {motion.end - motion.begin:.4g} s "
            f"after the order. Go on longer, or order astern what stops it"
        )
    psi, way = motion.heading[0], motion.position(stop) - trial.position[index]
    return Stopping(
        execute_time=motion.begin,
        approach_speed=float(motion.speed(motion.begin)),
        track_reach=motion.distance(motion.begin, stop),
        head_reach=float(way[0] * np.cos(psi) + way[1] * np.sin(psi)),
        lateral_deviation=float(way[1] * np.cos(psi) - way[0] * np.sin(psi)),
        time=stop - motion.begin,
        heading_change=float(motion.turned_at(stop)),
    )


def engine_order(trial: Trial) -> int:
    """The sample at which the engine is first ordered otherwise. Raises ManoeuvreError."""
    if trial.engine is None:
        raise ManoeuvreError("a stopping test needs the orders to the engine: Trial(…, engine=…)")
    index = int(np.flatnonzero(np.diff(trial.engine))[0]) + 1
    if len(trial.time) - index < 4:
        raise ManoeuvreError(
            f"only {len(trial.time) - index} samples follow the engine order at {trial.time[index]:g} s, and at least "
            f"4 are needed"
        )
    return index


def stands_still(motion: Motion) -> float | None:
    """When the speed ahead becomes negative; None: never."""

    def ahead(t: float) -> float:
        return float(motion.ahead_speed(t))

    speed = motion.ahead_speed(motion.time)
    astern = np.flatnonzero(speed <= 0.0)
    if not astern.size:
        return None
    i = int(astern[0])
    if i == 0:
        return float(motion.time[0])
    low, high = float(motion.time[i - 1]), float(motion.time[i])
    if ahead(low) > 0.0 > ahead(high):
        return float(scipy.optimize.brentq(ahead, low, high, xtol=1e-12))
    return high if ahead(low) > 0.0 else low  # at a sample, or by rounding of what is next to nothing
