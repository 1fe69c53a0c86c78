"""Pull-out, stopping and spiral tests measured in recordings with known rates, and what is no such test."""

from __future__ import annotations

import numpy as np
import pytest

from blocks.lab import ManoeuvreError, Trial, measure_pull_out, measure_spiral, measure_stopping

TIME = np.arange(0.0, 200.5, 0.5)


def recording(order: np.ndarray, rate: np.ndarray, **more: np.ndarray) -> Trial:
    """A point that goes 2 m/s along its heading, which changes at a rate."""
    heading = np.concatenate([[0.0], np.cumsum(0.25 * (rate[1:] + rate[:-1]))])
    way = np.cumsum(np.column_stack([np.cos(heading), np.sin(heading)]), axis=0)
    return Trial(TIME, way, heading, order, **more)


def pulled_out(side: float, rest: float, decay: float = 8.0, end: float = 60.0) -> Trial:
    """0.1 rad/s until `end`, then exponentially to a rest."""
    order = side * np.where((TIME > 0.0) & (end > TIME), 0.3, 0.0)
    rate = np.where(end > TIME, side * 0.1, rest + (side * 0.1 - rest) * np.exp(-(TIME - end).clip(0.0) / decay))
    return recording(order, rate)


def test_a_pull_out_has_its_residual_rates() -> None:
    found = measure_pull_out(pulled_out(1.0, 0.02), pulled_out(-1.0, -0.03))
    assert (found.residual_starboard, found.residual_port) == pytest.approx((0.02, -0.03), rel=1e-3)
    assert found.loop_height == pytest.approx(0.05, rel=1e-3)
    assert (found.stable, found.rudder_angle) == (False, 0.3)


def test_a_vessel_that_always_veers_to_one_side_is_stable_if_it_does_so_after_both_turns() -> None:
    assert measure_pull_out(pulled_out(1.0, 0.02), pulled_out(-1.0, 0.02)).stable
    alone = measure_pull_out(pulled_out(1.0, 0.02))
    assert (alone.stable, alone.loop_height, alone.residual_port) == (False, None, None)


def test_what_is_no_pull_out_is_told() -> None:
    with pytest.raises(ManoeuvreError, match=r"too short: 140 s after the order amidships the yaw rate still changes"):
        measure_pull_out(pulled_out(1.0, 0.0, decay=60.0))
    with pytest.raises(ManoeuvreError, match=r"both pull-out tests are to port; one to each side"):
        measure_pull_out(pulled_out(-1.0, 0.0), pulled_out(-1.0, 0.0))
    with pytest.raises(ManoeuvreError, match=r"ordered to starboard at 0\.5 s, is not put amidships again until 200 s"):
        measure_pull_out(pulled_out(1.0, 0.0, end=300.0))
    again = np.where(TIME > 150.0, -0.3, pulled_out(1.0, 0.0).order)
    with pytest.raises(ManoeuvreError, match=r"the rudder is put to port at 150\.5 s: in a pull-out test it stays"):
        measure_pull_out(recording(again, np.where(TIME < 60.0, 0.1, 0.0)))
    with pytest.raises(ManoeuvreError, match=r"never turned: with the rudder ordered 17\.2° to starboard at 0\.5 s"):
        measure_pull_out(recording(pulled_out(1.0, 0.0).order, np.zeros_like(TIME)))


def stopped(heading: float) -> Trial:
    """4 m/s, and from 50 s on 0.1 m/s² less, on a straight track that is not north."""
    late = (TIME - 50.0).clip(0.0)
    way = 4.0 * TIME - 0.05 * late**2
    track = way[:, np.newaxis] * [np.cos(heading), np.sin(heading)]
    return Trial(TIME, track, np.full_like(TIME, heading), 0.0 * TIME, engine=np.where(TIME < 50.0, 100.0, -40.0))


def test_a_stop_has_its_reach() -> None:
    found = measure_stopping(stopped(2.0))
    assert (found.time, found.track_reach, found.head_reach) == pytest.approx((40.0, 80.0, 80.0), rel=1e-5)
    assert (found.execute_time, found.approach_speed) == pytest.approx((50.0, 4.0))
    assert found.lateral_deviation == pytest.approx(0.0, abs=1e-9)


def test_what_is_no_stop_is_told() -> None:
    trial = stopped(0.0)
    with pytest.raises(ManoeuvreError, match=r"needs the orders to the engine: Trial\(…, engine=…\)"):
        measure_stopping(pulled_out(1.0, 0.0))
    with pytest.raises(ManoeuvreError, match=r"the engine is never ordered otherwise: its order is 100 from 0 s"):
        Trial(TIME, trial.position, trial.heading, trial.order, engine=np.full_like(TIME, 100.0))
    with pytest.raises(
        ManoeuvreError, match=r"was not going ahead at 50 s, when the engine was ordered from 100 to -40"
    ):
        measure_stopping(Trial(TIME, -trial.position, trial.heading, trial.order, engine=trial.engine))
    early = slice(0, 140)
    short = (array[early] for array in (TIME, trial.position, trial.heading, trial.order))
    with pytest.raises(ManoeuvreError, match=r"still goes ahead at 2\.05 m/s at 69\.5 s, 19\.5 s after the order"):
        measure_stopping(Trial(*short, engine=trial.engine[early]))


def stepped(orders: list[float], rates: list[float]) -> Trial:
    """Orders of 10 s each, with their rates."""
    number = np.minimum((TIME / 10.0).astype(int), len(orders) - 1)
    return recording(np.array(orders)[number], np.array(rates)[number])


ORDERS = [0.2, 0.1, 0.0, -0.1, -0.2, -0.1, 0.0, 0.1, 0.2]


def test_a_loop_is_measured_between_the_changes_of_sign() -> None:
    """There the rate changes sign half way from -0.1 to -0.2, back half way from 0.1 to 0.2."""
    found = measure_spiral(stepped(ORDERS, [0.04, 0.03, 0.02, 0.01, -0.01, -0.03, -0.02, -0.01, 0.01]))
    assert (found.loop_width, found.loop_height) == pytest.approx((0.3, 0.04), rel=1e-6)
    assert (found.stable, found.gain, found.turning_back) == (False, None, 4)
    assert found.orders == pytest.approx(ORDERS)


def test_a_rate_that_is_none_at_an_order_is_where_the_sign_changes() -> None:
    """A stable ship that does not turn at an order of 0, there and back; then one that does not at 0.1."""
    rates = np.array([0.04, 0.02, 0.0, -0.02, -0.04, -0.02, 0.0, 0.02, 0.04])
    found = measure_spiral(stepped(ORDERS, [*rates]))
    assert (found.stable, found.loop_width) == (True, pytest.approx(0.0, abs=1e-9))
    assert found.gain == pytest.approx(0.2, rel=1e-6)
    moved = measure_spiral(stepped(ORDERS, [*(rates - 0.02)]))
    assert moved.gain == pytest.approx(0.2, rel=1e-6)


def test_what_is_no_spiral_is_told() -> None:
    with pytest.raises(
        ManoeuvreError, match=r"goes in steps from one side to the other and back, and the orders are 11"
    ):
        measure_spiral(stepped([0.2, 0.1, 0.0], [0.02, 0.01, 0.0]))
    with pytest.raises(ManoeuvreError, match=r"the yaw rate never changes sign: it is 2\.29 °/s at the first order"):
        measure_spiral(stepped(ORDERS, [0.04, 0.03, 0.02, 0.02, 0.01, 0.02, 0.02, 0.03, 0.04]))
    with pytest.raises(ManoeuvreError, match=r"never turned: with the rudder ordered up to 11\.5°"):
        measure_spiral(stepped(ORDERS, [0.0] * 9))
    trial = stepped(ORDERS, [0.04, 0.02, 0.0, -0.02, -0.04, -0.02, 0.0, 0.02, 0.04])
    drifting = trial.heading + 0.01 * np.cos(TIME)
    with pytest.raises(
        ManoeuvreError, match=r"not steady: at the order 11\.5° it still changed by .* Hold every order"
    ):
        measure_spiral(Trial(TIME, trial.position, drifting, trial.order))
