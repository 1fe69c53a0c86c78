"""The direct spiral test: the steady yaw rate at every rudder angle, from one side to the other and back."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from blocks.lab.measures import ORDER, measure
from blocks.lab.motion import Motion
from blocks.lab.trial import Array, ManoeuvreError, Trial, order_text

LAST = 0.2
"""The part of the time of an order over which the steady yaw rate is the mean."""
STEADY = 0.02
"""A rate that changes by more than this part of the greatest in that time is not steady."""
SAME = 0.01
"""Rates on both ways that differ by less than this part of the greatest are the same."""


@dataclass(frozen=True)
class Spiral:
    """The steady yaw rates of a direct spiral test, and the loop that they make.

    orders: rudder angles of the test by sequence, rad, positive to starboard, or in `order_unit`; yaw_rates: steady,
    positive to starboard, rad/s, means over the last fifth of the time of each order. turning_back: which of them is
    the last of the way there.

    loop_width: from where the yaw rate changes sign on the way there to where it does so on the way back, along the
    rudder angle. Between orders rates are joined by straight lines, so it is no finer than the orders are. loop_height:
    how far both ways are apart in yaw rate in the middle of that, rad/s. stable: if that is not more than 1 % of the
    greatest rate; then there is no loop, and width and height are 0. gain: slope of the yaw rate over the rudder angle
    at the middle, 1/s, K of Nomoto's model for small angles; None where there is a loop, or the order is no angle.

    Sources: Dieudonné (1953), Collected French papers on the stability of route of ships at sea; IMO (2002),
    MSC/Circ.1053, Explanatory notes to the Standards for ship manoeuvrability; ITTC (2017), Recommended Procedures
    7.5-04-02-01, Full scale manoeuvring trials.
    """

    greatest_order: float = measure("greatest rudder angle", ORDER)
    order_unit: str = field(default="rad", kw_only=True)
    greatest_rate: float = measure("greatest yaw rate", "rad/s")
    loop_width: float = measure("loop width of rudder angle", ORDER)
    loop_height: float = measure("loop height", "rad/s")
    stable: bool = measure("stable on course")
    gain: float | None = measure("yaw rate per rudder angle, K", "1/s")
    orders: tuple[float, ...] = ()
    yaw_rates: tuple[float, ...] = ()
    turning_back: int = 0


def measure_spiral(trial: Trial) -> Spiral:
    """Measure a direct spiral test: see `Spiral`.

    The trial's rudder order goes in steps from one side to the other and back, each held until the yaw rate is steady.
    What comes before the first order that is not zero is the approach.

    Raises ManoeuvreError if the orders are not such a sequence, if a yaw rate is not steady at the end of its order, or
    if the vessel never turned.
    """
    steps = order_steps(trial)
    orders = trial.order[[first for first, _ in steps]]
    back = _turning_back(orders, trial)
    motions = [Motion(trial, first, last, 1.0) for first, last in steps]
    spread, rates = (np.array(column) for column in zip(*map(_steady_rate, motions), strict=True))
    greatest = float(np.abs(rates).max())
    if max(float(np.ptp(motion.heading)) for motion in motions) < math.radians(1.0):
        raise ManoeuvreError(
            f"the vessel never turned: with the rudder ordered up to "
            f"{order_text(float(np.abs(orders).max()), trial.order_unit)} the heading changed by less than 1°. Is the "
            f"vessel under way, the rudder connected?"
        )
    restless = np.flatnonzero(spread > STEADY * greatest)
    if restless.size:
        i = int(restless[0])
        raise ManoeuvreError(
            f"the yaw rate is not steady: at the order {order_text(float(orders[i]), trial.order_unit)} it still "
            f"changed by {math.degrees(spread[i]):.3g} °/s in the last "
            f"{LAST * (motions[i].end - motions[i].begin):.3g} s, until {motions[i].end:g} s. Hold every order longer"
        )
    there, again = slice(None, back + 1), slice(back, None)
    signs = tuple(_sign_change(orders[part], rates[part]) for part in (there, again))
    middle = 0.5 * sum(signs)
    ends = [_between(middle, orders[part], rates[part]) for part in (there, again)]
    height = abs(ends[1] - ends[0])
    loop = height > SAME * greatest
    return Spiral(
        greatest_order=float(np.abs(orders).max()),
        order_unit=trial.order_unit,
        greatest_rate=greatest,
        loop_width=abs(signs[1] - signs[0]) if loop else 0.0,
        loop_height=height if loop else 0.0,
        stable=not loop,
        gain=None if loop or trial.order_unit != "rad" else _slope(middle, orders[there], rates[there]),
        orders=tuple(map(float, orders)),
        yaw_rates=tuple(map(float, rates)),
        turning_back=back,
    )


def order_steps(trial: Trial) -> list[tuple[int, int]]:
    """First sample of each order, and that after its last one. Raises ManoeuvreError if one is next to nothing."""
    changes = np.flatnonzero(np.diff(trial.order)) + 1
    firsts = [0, *map(int, changes)] if trial.order[0] else [*map(int, changes)]
    steps = list(pairwise([*firsts, len(trial.time)]))
    for first, last in steps:
        if last - first < 5:
            raise ManoeuvreError(
                f"the order of {trial.time[first]:g} s has only {last - first} samples, and at least 5 are needed for "
                f"a steady yaw rate: in a spiral test the order goes in steps, each of which is held"
            )
    return steps


def _turning_back(orders: Array, trial: Trial) -> int:
    """The order after which the way back begins."""
    away = float(np.sign(orders[0]))
    back = int(np.argmin(away * orders))
    there, again = np.diff(away * orders[: back + 1]), np.diff(away * orders[back:])
    other_side = away * orders[back] < 0.0
    if not other_side or (there > 0.0).any() or (again < 0.0).any() or away * orders[-1] <= 0.0:
        listed = ", ".join(order_text(float(order), trial.order_unit) for order in orders[:12])
        raise ManoeuvreError(
            f"a spiral test goes in steps from one side to the other and back, and the orders are {listed}"
            f"{', …' if len(orders) > 12 else ''}"
        )
    return back


def _steady_rate(motion: Motion) -> tuple[float, float]:
    """How much the rate changes in the last part of an order, and its mean there."""
    late = motion.end - LAST * (motion.end - motion.begin)
    rates = motion.yaw_rate(motion.between(late, motion.end))
    return float(np.ptp(rates)), motion.mean(motion.yaw_rate, late, motion.end)


def _sign_change(orders: Array, rates: Array) -> float:
    """The order at which the yaw rate changes sign."""
    for (one, rate), (other, later) in pairwise(zip(orders.tolist(), rates.tolist(), strict=True)):
        if rate * later <= 0.0 and rate != later:
            return float(one + (other - one) * rate / (rate - later))
    raise ManoeuvreError(
        f"the yaw rate never changes sign: it is {math.degrees(rates[0]):.3g} °/s at the first order and "
        f"{math.degrees(rates[-1]):.3g} °/s at the last one of the way. Larger orders to the other side are needed"
    )


def _between(order: float, orders: Array, rates: Array) -> float:
    ascending = np.argsort(orders, kind="stable")
    return float(np.interp(order, orders[ascending], rates[ascending]))


def _slope(order: float, orders: Array, rates: Array) -> float:
    """Of the yaw rate at an order, by a parabola through the three points that are nearest."""
    nearest = np.argsort(np.abs(orders - order), kind="stable")[:3]
    if len(nearest) < 3:
        return float((rates[-1] - rates[0]) / (orders[-1] - orders[0]))
    return float(np.polyval(np.polyder(np.polyfit(orders[nearest] - order, rates[nearest], 2)), 0.0))
