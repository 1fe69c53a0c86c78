"""Discontinuities: limits hold exactly, and what happens at them is found."""

from __future__ import annotations

import numpy as np
import pytest

from blocks.basic import Clock, Constant, DeadZone, Quantizer, RateLimiter, Saturation, Sine, Step, TimeSeries
from blocks.errors import ParameterError


def output(block, **inputs):
    return block.evaluate(**inputs).outputs["y"]


def test_saturation():
    block = Saturation(lower=[-1.0, -2.0, 0.0, 0.0], upper=[1.0, 2.0, 0.0, 3.0])
    np.testing.assert_array_equal(output(block, u=[-5.0, 1.5, 7.0, 4.0]), [-1.0, 1.5, 0.0, 3.0])


def test_saturation_on_one_side_only():
    np.testing.assert_array_equal(output(Saturation(lower=0.0), u=[-5.0, 1e200]), [0.0, 1e200])


def test_dead_zone():
    u = [-3.0, -1.0, -0.5, 0.0, 2.0, 2.5]
    np.testing.assert_array_equal(output(DeadZone(-1.0, 2.0), u=u), [-2.0, 0.0, 0.0, 0.0, 0.0, 0.5])


def test_saturation_and_dead_zone_share_out_a_signal():
    u = np.linspace(-4.0, 4.0, 33)
    whole = output(Saturation(-1.5, 0.5), u=u) + output(DeadZone(-1.5, 0.5), u=u)
    np.testing.assert_allclose(whole, u, atol=1e-15)


@pytest.mark.parametrize("block", [Saturation, DeadZone])
def test_a_limit_is_a_crossing(block):
    inside, above, below = (block(-1.0, 1.0).evaluate(u=u).crossings for u in (0.0, 1.1, -1.1))
    assert list(np.sign(inside)) == [-1.0, -1.0]
    assert list(np.sign(above)) == [-1.0, 1.0]
    assert list(np.sign(below)) == [1.0, -1.0]


def test_integral_of_a_clipped_sine(integral, tight):
    area = integral(Saturation(upper=0.5), np.pi, u=Sine(), **tight)
    corner = np.pi / 6.0
    assert area == pytest.approx(2.0 * (1.0 - np.cos(corner)) + 0.5 * (np.pi - 2.0 * corner), abs=1e-6)


def test_quantizer_gives_the_nearest_step():
    u = [-1.3, -0.5, -0.2, 0.0, 0.24, 0.25, 0.7, 1.3]
    np.testing.assert_array_equal(output(Quantizer(0.5), u=u), [-1.5, -0.5, 0.0, 0.0, 0.0, 0.5, 0.5, 1.5])


def test_steps_of_a_quantizer_are_located(integral):
    # of a rising ramp: 0 until 0.25, 0.5 until 0.75, 1 until 1.25, 1.5 until 1.6
    area = integral(Quantizer(0.5), 1.6, u=Clock(), solver="dopri5", step=1.6)
    assert area == pytest.approx(0.25 + 0.5 + 1.5 * 0.35, abs=1e-12)


@pytest.mark.parametrize("solver", ["rk4", "dopri5"])
def test_rate_limiter_makes_ramps_of_steps(response, solver):
    source = TimeSeries([0.0, 1.0, 4.0], [0.0, 2.0, -1.0], interpolation="hold")
    t, y = response(RateLimiter(rising=1.0, falling=2.0), u=source, end=7.0, step=0.25, solver=solver)
    corners = [0.0, 1.0, 3.0, 4.0, 5.5, 7.0], [0.0, 0.0, 2.0, 2.0, -1.0, -1.0]
    np.testing.assert_allclose(y, np.interp(t, *corners), atol=1e-12)


def test_instant_at_which_a_rate_limiter_catches_up_is_located(integral, tight):
    area = integral(RateLimiter(0.731, 1.0), 2.0, u=Constant(1.0), step=2.0, **tight)
    assert area == pytest.approx(2.0 - 0.5 / 0.731, abs=1e-6)


def test_rate_limiter_lets_slow_signals_pass(response):
    t, y = response(RateLimiter(1.01, 1.01), u=Sine(), end=10.0, step=0.1)
    np.testing.assert_allclose(y, np.sin(t), atol=1e-15)


def test_rate_limiter_never_exceeds_its_rates_and_never_leads(response):
    random = np.random.default_rng(5)
    source = TimeSeries(np.sort(random.uniform(0.0, 20.0, 60)), random.normal(size=60), interpolation="hold")
    t, y = response(RateLimiter(0.8, 1.7, initial_output=0.3), u=source, end=20.0, step=0.01)
    slope = np.diff(y) / np.diff(t)
    assert y[0] == 0.3
    assert slope.max() == pytest.approx(0.8)
    assert slope.min() == pytest.approx(-1.7)
    _, u = response(Saturation(), u=source.copy(), end=20.0, step=0.01)
    resting = slope == 0.0
    np.testing.assert_array_equal(y[:-1][resting], u[:-1][resting])


def test_update_of_a_rate_limiter_at_a_frozen_instant_changes_nothing():
    block = RateLimiter(rising=[1.0, 1.0], falling=2.0)
    first = block.evaluate(t=3.0, states={"time": 2.5, "output": [0.0, 1.0]}, u=[4.0, -4.0])
    np.testing.assert_array_equal(first.outputs["y"], [0.5, 0.0])
    again = block.evaluate(t=3.0, states=first.updated, u=[4.0, -4.0])
    np.testing.assert_array_equal(again.outputs["y"], first.outputs["y"])
    for name, value in first.updated.items():
        np.testing.assert_array_equal(again.updated[name], value)


def test_rate_limiter_of_a_step_in_a_run_that_starts_late(response):
    t, y = response(RateLimiter(1.0, 1.0), u=Step(time=1001.0), start=1000.0, end=1003.0, step=0.25)
    np.testing.assert_allclose(y, np.clip(t - 1001.0, 0.0, 1.0), atol=1e-12)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Saturation(2.0, 1.0), r"Saturation\.lower must not exceed upper: 2 is above 1"),
        (
            lambda: Saturation([0.0, 2.0], [1.0, 1.0]),
            r"lower\[1\] must not exceed upper\[1\]: 2 is above 1",
        ),
        (lambda: DeadZone(lower=1.5), r"DeadZone\.lower must not exceed upper: 1\.5 is above 1"),
        (lambda: Quantizer(0.0), r"Quantizer\.interval must be > 0, not 0"),
        (lambda: RateLimiter(1.0, -1.0), r"RateLimiter\.falling must be > 0, not -1"),
        (lambda: RateLimiter([1.0, 2.0], [1.0, 2.0, 3.0]), "rising has 2 entries, falling has 3"),
    ],
)
def test_bad_parameters_are_named(make, message):
    with pytest.raises(ParameterError, match=message):
        make()
