"""Zigzag tests: a heading that is a sine has known measures, and what is no such test says why."""

from __future__ import annotations

import math

import numpy as np
import pytest

from blocks.errors import ParameterError
from blocks.lab import ManoeuvreError, Trial, measure_zigzag

CHANGE, OVERSHOOT, RATE = math.radians(10.0), math.radians(3.0), 0.4
REVERSED = math.asin(10.0 / 13.0)  # phase of the sine at which its heading is χ


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_sine_has_its_amplitude_and_period(sinusoid, side: float) -> None:
    found = measure_zigzag(sinusoid(CHANGE, OVERSHOOT, rate=RATE, side=side), CHANGE)
    assert found.first_side == ("starboard" if side > 0.0 else "port")
    assert found.rudder_angle == pytest.approx(CHANGE)
    assert found.heading_change == CHANGE
    wanted = [50.0, *(50.0 + (REVERSED + k * math.pi) / RATE for k in range(5))]
    assert found.execute_times == pytest.approx(wanted, abs=1e-6)
    assert found.initial_turning_time == pytest.approx(REVERSED / RATE, abs=1e-6)
    assert found.initial_turning_distance == pytest.approx(2.0 * REVERSED / RATE, abs=1e-5)
    assert found.overshoot_angles == pytest.approx([OVERSHOOT] * 5, abs=1e-7)
    assert found.check_times == pytest.approx([(0.5 * math.pi - REVERSED) / RATE] * 5, abs=1e-5)
    assert found.reach == pytest.approx(math.pi / RATE, abs=1e-6)
    assert found.period == pytest.approx(2.0 * math.pi / RATE, abs=1e-6)


def test_without_its_name_executes_are_where_the_order_shows_them(sinusoid) -> None:
    """By up to a sample late, and that is missing from the overshoot."""
    found = measure_zigzag(sinusoid(CHANGE, OVERSHOOT))
    late = found.execute_times[1] - 50.0 - REVERSED / RATE
    assert 0.0 < late <= 0.1
    at = math.radians(13.0) * math.sin(RATE * (found.execute_times[1] - 50.0))
    assert found.heading_change == pytest.approx(at, abs=1e-12)
    assert found.overshoot_angles[0] == pytest.approx(math.radians(13.0) - at, abs=1e-7)


def test_an_overshoot_that_is_not_over_is_left_out(sinusoid) -> None:
    trial = sinusoid(CHANGE, OVERSHOOT, cycles=0.72)  # the sine is at 259°, and at -90° it would be over
    found = measure_zigzag(trial, CHANGE)
    assert len(found.execute_times) == 3
    assert len(found.overshoot_angles) == len(found.check_times) == 1
    assert found.reach is not None
    assert found.period is None


def test_too_short_a_test_says_what_is_missing(sinusoid) -> None:
    with pytest.raises(
        ManoeuvreError,
        match=r"the rudder, ordered to starboard at 50 s, is not reversed until 51\.4 s, and the heading has changed "
        r"by 6\.905°; 10° are needed",
    ):
        measure_zigzag(sinusoid(CHANGE, OVERSHOOT, cycles=0.095), CHANGE)
    with pytest.raises(
        ManoeuvreError, match=r"still goes away at 53\.4 s, 1\.21 s after the second execute\. Go on until"
    ):
        measure_zigzag(sinusoid(CHANGE, OVERSHOOT, cycles=0.22), CHANGE)


def test_a_vessel_that_turns_the_other_way_is_told(sinusoid) -> None:
    trial = sinusoid(CHANGE, OVERSHOOT)
    with pytest.raises(
        ManoeuvreError, match=r"ordered to port at 50 s the heading went .*° to starboard\. Orders are pos"
    ):
        measure_zigzag(Trial(trial.time, trial.position, trial.heading, -trial.order), CHANGE)


def test_orders_that_do_not_alternate_are_told(sinusoid) -> None:
    trial = sinusoid(CHANGE, OVERSHOOT)
    order = np.where((trial.time > 51.0) & (trial.time < 51.5), 0.0, trial.order)
    with pytest.raises(
        ManoeuvreError, match=r"executes 1 and 2 are both to starboard, at 50 s and 51\.5 s: in a zigzag"
    ):
        measure_zigzag(Trial(trial.time, trial.position, trial.heading, order), CHANGE)


def test_another_test_than_it_is_taken_for_is_told(sinusoid) -> None:
    with pytest.raises(
        ManoeuvreError, match=r"execute 2, at 52\.\d+ s, is at a heading change of 10\.\d+°, which is not the 20°"
    ):
        measure_zigzag(sinusoid(CHANGE, OVERSHOOT), math.radians(20.0))


def test_the_heading_change_takes_text_and_is_checked(sinusoid) -> None:
    trial = sinusoid(CHANGE, OVERSHOOT)
    assert measure_zigzag(trial, f"{math.degrees(CHANGE)} deg") == measure_zigzag(trial, CHANGE)
    for wrong in (0.0, -0.1, 10.0):
        with pytest.raises(ParameterError, match=r"measure_zigzag: heading_change must be > 0 and < 3\.14159 rad, not"):
            measure_zigzag(trial, wrong)
