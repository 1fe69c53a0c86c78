"""Turning circles: perfect circles have known measures, and what is none says why."""

from __future__ import annotations

import math
from dataclasses import astuple

import numpy as np
import pytest

from blocks.lab import ManoeuvreError, Trial, measure_turning_circle, table


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_perfect_circle_has_its_radius_in_all_measures(circle, side: float) -> None:
    """Sampled every 5° or so, at instants that are not those of 90° and 180°."""
    found = measure_turning_circle(circle(radius=4.0, speed=1.5, side=side))
    assert found.side == ("starboard" if side > 0.0 else "port")
    assert found.rudder_angle == pytest.approx(math.radians(35.0))
    assert found.execute_time == pytest.approx(100.0)
    assert found.approach_speed == pytest.approx(1.5, rel=1e-4)
    assert [found.advance, found.transfer, found.tactical_diameter] == pytest.approx([4.0, 4.0, 8.0], rel=1e-6)
    assert [found.time_to_90, found.time_to_180] == pytest.approx([2.0 * math.pi / 1.5, 4.0 * math.pi / 1.5], rel=1e-9)
    steady = found.steady
    assert steady is not None
    assert [steady.diameter, steady.yaw_rate, steady.speed] == pytest.approx([8.0, 0.375, 1.5], rel=1e-6)
    assert [steady.speed_loss, steady.drift_angle] == pytest.approx([0.0, 0.0], abs=1e-4)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_distances_are_along_and_across_the_heading_and_drift_is_inwards(circle, side: float) -> None:
    """With the bow β inside the circle, the chords (R, R) and (0, 2 R) of the track are seen turned by β."""
    beta = math.radians(12.0)
    found = measure_turning_circle(circle(radius=4.0, side=side, drift=beta))
    assert found.advance == pytest.approx(4.0 * (math.cos(beta) + math.sin(beta)), rel=1e-6)
    assert found.transfer == pytest.approx(4.0 * (math.cos(beta) - math.sin(beta)), rel=1e-6)
    assert found.tactical_diameter == pytest.approx(8.0 * math.cos(beta), rel=1e-6)
    assert found.steady is not None
    assert found.steady.drift_angle == pytest.approx(beta, abs=1e-5)


def test_measures_do_not_depend_on_where_and_which_way_the_approach_was(circle) -> None:
    one, other = (measure_turning_circle(circle(bearing=bearing)) for bearing in (0.0, -2.2))
    assert astuple(one)[3:-1] == pytest.approx(astuple(other)[3:-1], rel=1e-9)


def test_crossings_are_interpolated_better_the_finer_the_samples(circle) -> None:
    """At least by third order."""
    errors = [abs(measure_turning_circle(circle(step=step)).transfer - 4.0) for step in (1.0, 0.5, 0.25)]
    assert errors[0] > 8.0 * errors[1] > 64.0 * errors[2] > 0.0


def test_less_than_one_and_a_half_turns_has_no_steady_part(circle) -> None:
    assert measure_turning_circle(circle(turned=9.2)).steady is None
    found = measure_turning_circle(circle(turned=9.6))
    assert found.steady is not None
    assert "steady" not in table({"short": measure_turning_circle(circle(turned=9.2))})
    lines = table({"long": found, "short": measure_turning_circle(circle(turned=9.2))}).splitlines()
    (row,) = (line for line in lines if line.startswith("steady diameter"))
    assert row.split()[-3:] == ["8.00", "m", "-"]


def test_the_turn_ends_where_the_rudder_is_ordered_elsewhere(circle) -> None:
    trial = circle(turned=11.0)
    order = np.where(trial.time > 105.0, 0.0, trial.order)  # 107° have been turned
    with pytest.raises(ManoeuvreError, match=r"had changed by 107\.4° at 105 s, and 180° are needed"):
        measure_turning_circle(Trial(trial.time, trial.position, trial.heading, order))


def test_too_short_a_turn_says_how_far_it_got(circle) -> None:
    expected = (
        r"the turning circle is too short: with the rudder ordered 35° to starboard at 100 s the heading had changed "
        r"by 171\.9° at 108 s, and 180° are needed for the tactical diameter, 540° for the steady turn\. Go on longer"
    )
    with pytest.raises(ManoeuvreError, match=expected):
        measure_turning_circle(circle(turned=3.0))


def test_a_vessel_that_does_not_turn_or_turns_the_other_way_is_told(circle) -> None:
    trial = circle()
    straight = Trial(trial.time, trial.position, np.full_like(trial.time, 0.3), trial.order)
    with pytest.raises(
        ManoeuvreError, match=r"never turned: with the rudder ordered 35° to starboard at 100 s the head"
    ):
        measure_turning_circle(straight)
    wrong = Trial(trial.time, trial.position, trial.heading, -trial.order)
    with pytest.raises(
        ManoeuvreError, match=r"wrong way: with the rudder ordered 35° to port .* to starboard\. Orders"
    ):
        measure_turning_circle(wrong)


def test_an_order_at_the_very_end_is_told(circle) -> None:
    trial = circle()
    late = np.where(trial.time >= trial.time[-2], trial.order, 0.0)
    with pytest.raises(ManoeuvreError, match=r"only 2 samples follow the rudder order at \d+"):
        measure_turning_circle(Trial(trial.time, trial.position, trial.heading, late))


def test_a_turn_from_rest_has_lost_no_speed(circle) -> None:
    trial = circle(turned=11.0)
    late = np.maximum(trial.time - 101.0, 0.0)  # off after the first samples, and ever faster
    position = np.column_stack([late**2, np.zeros_like(late)])
    found = measure_turning_circle(Trial(trial.time, position, trial.heading, trial.order))
    assert found.steady is not None
    assert found.steady.speed_loss is None
    row = next(line for line in table({"from rest": found}).splitlines() if line.startswith("speed loss"))
    assert row.split()[-1] == "-"
