"""The criteria of IMO, for what was measured."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from blocks.lab.stopping import Stopping
from blocks.lab.turning_circle import TurningCircle
from blocks.lab.zigzag import Zigzag


@dataclass(frozen=True)
class Criterion:
    """A measure and its limit, in hull lengths ("L") or degrees ("°")."""

    name: str
    value: float
    limit: float
    unit: str

    @property
    def met(self) -> bool:
        """Whether it is kept."""
        return self.value <= self.limit

    def __str__(self) -> str:
        space = "" if self.unit == "°" else " "
        return f"{self.value:.2f} {'≤' if self.met else '>'} {self.limit:.4g}{space}{self.unit}"


@singledispatch
def criteria(measures: Any, length: float) -> tuple[Criterion, ...]:
    """The criteria of IMO that apply to measures, for a hull of this length between perpendiculars, m.

    turning circle with 35° of rudder or more: advance ≤ 4.5 L, tactical diameter ≤ 5 L
    zigzag 10°/10°: initial turning distance ≤ 2.5 L; first overshoot ≤ 10° for L/V < 10 s, 20° from 30 s on, 5° + ½ L/V
    between; second overshoot ≤ 25°, 40°, 17.5° + 0.75 L/V
    zigzag 20°/20°: first overshoot ≤ 25°
    stopping: track reach ≤ 15 L

    V: approach speed, m/s. Where it is no rudder that is ordered, those of the turning circle and of stopping remain.
    They are meant for ships of 100 m and more, in deep water and calm weather, at test speed.

    Source: IMO (2002), Resolution MSC.137(76), Standards for ship manoeuvrability, sec. 5.3.
    """
    del measures, length
    return ()


@criteria.register
def _(measures: TurningCircle, length: float) -> tuple[Criterion, ...]:
    if measures.order_unit == "rad" and measures.rudder_angle < math.radians(34.9):
        return ()
    return (
        Criterion("advance", measures.advance / length, 4.5, "L"),
        Criterion("tactical diameter", measures.tactical_diameter / length, 5.0, "L"),
    )


@criteria.register
def _(measures: Zigzag, length: float) -> tuple[Criterion, ...]:
    if measures.order_unit != "rad":
        return ()
    angles = [round(math.degrees(angle), 2) for angle in (measures.rudder_angle, measures.heading_change)]
    first, *others = (math.degrees(angle) for angle in measures.overshoot_angles)
    if angles == [20.0, 20.0]:
        return (Criterion("first overshoot", first, 25.0, "°"),)
    if angles != [10.0, 10.0]:
        return ()
    ratio = min(max(length / measures.approach_speed, 10.0), 30.0)  # both lines meet their ends there
    found = (
        Criterion("initial turning", measures.initial_turning_distance / length, 2.5, "L"),
        Criterion("first overshoot", first, 5.0 + 0.5 * ratio, "°"),
    )
    return (*found, Criterion("second overshoot", others[0], 17.5 + 0.75 * ratio, "°")) if others else found


@criteria.register
def _(measures: Stopping, length: float) -> tuple[Criterion, ...]:
    return (Criterion("track reach", measures.track_reach / length, 15.0, "L"),)
