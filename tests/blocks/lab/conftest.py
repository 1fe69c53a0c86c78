"""Recordings whose measures are known in closed form."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from blocks.lab import Trial


@pytest.fixture
def circle() -> Callable[..., Trial]:
    """A point that goes straight ahead, then round a perfect circle at the same speed.

    `side`: 1 or -1; `bearing`: of the approach; `drift`: how far the heading lies inside the course, from the start of
    the recording, which then is that of the circle.
    """

    def make(
        *, radius: float = 4.0, speed: float = 1.5, side: float = 1.0, bearing: float = 2.9, turned: float = 11.0,
        drift: float = 0.0, step: float = 0.25,
    ) -> Trial:  # fmt: skip
        begin = 0.0 if drift else -20.0 * step
        time = np.arange(round((radius * turned / speed - begin) / step) + 1) * step + begin
        angle = np.maximum(time, 0.0) * speed / radius
        ahead = np.where(time < 0.0, speed * time, radius * np.sin(angle))
        across = side * radius * (1.0 - np.cos(angle))
        north = 7.0 + ahead * math.cos(bearing) - across * math.sin(bearing)
        east = -3.0 + ahead * math.sin(bearing) + across * math.cos(bearing)
        heading = bearing + side * (angle + drift)
        wrapped = (heading + math.pi) % (2.0 * math.pi) - math.pi
        order = np.where(time >= -1e-9, side * math.radians(35.0), 0.0)
        return Trial(time + 100.0, np.column_stack([north, east]), wrapped, order)

    return make


@pytest.fixture
def sinusoid() -> Callable[..., Trial]:
    """A zigzag test in which the heading is a sine, χ + overshoot at its peaks, and the vessel goes 2 m/s."""

    def make(
        change: float, overshoot: float, *, rate: float = 0.4, cycles: float = 2.6, step: float = 0.1, side: float = 1.0
    ) -> Trial:
        time = np.arange(-30, round(cycles * 2.0 * math.pi / rate / step)) * step
        phase = np.maximum(rate * time, 0.0)
        reversed_ = math.asin(change / (change + overshoot)) + math.pi * np.arange(8)
        order = side * math.radians(10.0) * (-1.0) ** np.searchsorted(reversed_, phase, side="right")
        heading = -3.0 + side * (change + overshoot) * np.sin(phase)
        position = np.column_stack([2.0 * time, np.zeros_like(time)])
        return Trial(time + 50.0, position, heading, np.where(time < -1e-9, 0.0, order))

    return make
