"""Sources: the signals are what their equations say, and their jumps are integrated as jumps."""

from __future__ import annotations

import numpy as np
import pytest

from blocks.basic import Clock, Constant, Gain, Pulse, Ramp, Sine, Step, TimeSeries
from blocks.errors import ParameterError
from blocks.simulation import simulate


def test_constant_fills_what_it_is_wired_to(wired):
    result = simulate(wired(Gain([1.0, 2.0, 3.0]), u=Constant(2.0)), 0.1)
    np.testing.assert_array_equal(result.values("block.y")[-1], [2.0, 4.0, 6.0])


def test_clock_is_the_time():
    assert Clock().evaluate(t=12.5).outputs["y"] == 12.5


@pytest.mark.parametrize(("t", "level"), [(0.0, -1.0), (1.999, -1.0), (2.0, 3.0), (5.0, 3.0)])
def test_step_changes_at_its_time(t, level):
    assert Step(time=2.0, before=-1.0, after=3.0).evaluate(t=t).outputs["y"] == level


def test_step_on_the_grid_is_integrated_exactly_by_fixed_steps(integral):
    # Were the level after the step seen by the last stage of the step before it, the error would be h/6 = 0.017.
    for solver in ("euler", "heun", "rk4"):
        assert integral(Step(time=0.5, after=2.0), 1.0, solver=solver, step=0.1) == pytest.approx(1.0, abs=1e-14)


def test_step_is_located_by_the_adaptive_solver(integral):
    assert integral(Step(time=0.537), 1.0, solver="dopri5", step=0.1) == pytest.approx(0.463, abs=1e-13)


def test_step_at_a_time_that_the_grid_meets_only_up_to_rounding(response):
    for steps in range(1, 400):
        t, y = response(Step(time=steps / 100.0), end=steps * 0.01 + 0.005, step=0.01)
        assert y[steps] == 1.0, t[steps]
        assert y[steps - 1] == 0.0


def test_ramp_starts_at_its_time(response):
    t, y = response(Ramp(2.0, start_time=0.35, offset=1.0), end=1.0, step=0.1)
    np.testing.assert_allclose(y, 1.0 + 2.0 * np.maximum(0.0, t - 0.35), rtol=1e-15)


def test_start_of_a_ramp_is_located(integral, tight):
    area = integral(Ramp(start_time=0.35), 1.0, **tight)
    assert area == pytest.approx(0.65**2 / 2.0, abs=1e-6)


def test_sine_follows_its_equation():
    block = Sine(amplitude=[1.0, 2.0], frequency=[3.0, 0.5], phase="30 deg", offset=[0.0, 1.0])
    expected = [np.sin(3.0 * 0.7 + np.pi / 6), 1.0 + 2.0 * np.sin(0.5 * 0.7 + np.pi / 6)]
    np.testing.assert_allclose(block.evaluate(t=0.7).outputs["y"], expected, rtol=1e-15)


def pulse(t, period, width, delay):
    phase = (t - delay + 1e-9) / period
    return ((phase >= 0.0) & (phase - np.floor(phase) < width)).astype(float)


@pytest.mark.parametrize(("period", "width", "delay"), [(1.0, 0.5, 0.0), (0.7, 0.3, 0.25), (0.3, 0.9, -1.0)])
@pytest.mark.parametrize("solver", ["rk4", "dopri5"])
def test_pulses_are_on_for_their_width(response, period, width, delay, solver):
    t, y = response(Pulse(period=period, width=width, delay=delay), end=5.0, step=0.01, solver=solver)
    np.testing.assert_array_equal(y, pulse(t, period, width, delay))


def test_every_edge_of_a_pulse_is_located(integral):
    area = integral(Pulse(amplitude=3.0, period=0.731, width=0.213), 7.31, solver="dopri5", step=7.31)
    assert area == pytest.approx(3.0 * 0.213 * 7.31, abs=1e-12)


def test_pulse_in_a_run_that_starts_late(response):
    _, y = response(Pulse(period=1.0, width=0.5), start=1000.75, end=1001.25, step=0.1)
    np.testing.assert_array_equal(y, [0.0, 0.0, 0.0, 1.0, 1.0, 1.0])


TIMES = [0.0, 0.5, 0.6, 2.0, 3.25]
DATA = [[0.0, 1.0], [1.0, -1.0], [-2.0, 0.0], [4.0, 0.5], [3.0, 2.0]]


@pytest.mark.parametrize("solver", ["rk4", "dopri5"])
def test_linear_time_series_agrees_with_numpy(response, solver):
    t, y = response(TimeSeries(TIMES, DATA), start=-1.0, end=4.0, step=0.05, solver=solver)
    expected = np.column_stack([np.interp(t, TIMES, column) for column in np.transpose(DATA)])
    np.testing.assert_allclose(y, expected, atol=1e-13)


@pytest.mark.parametrize("solver", ["rk4", "dopri5"])
def test_held_time_series_keeps_the_last_row(response, solver):
    t, y = response(TimeSeries(TIMES, DATA, interpolation="hold"), start=-1.0, end=4.0, step=0.05, solver=solver)
    rows = np.maximum(np.searchsorted(TIMES, t + 1e-9, side="right") - 1, 0)
    np.testing.assert_array_equal(y, np.array(DATA)[rows])


def test_integral_of_a_linear_time_series_is_that_of_trapezoids(integral, tight):
    times = np.cumsum(np.random.default_rng(2).uniform(0.05, 0.5, size=30))
    data = np.random.default_rng(3).normal(size=30)
    area = integral(TimeSeries(times, data), times[-1], **tight)
    assert area == pytest.approx(times[0] * data[0] + np.trapezoid(data, times), abs=1e-6)


def test_held_time_series_on_the_grid_is_integrated_exactly_by_fixed_steps(integral):
    data = np.random.default_rng(1).normal(size=20)
    area = integral(TimeSeries(0.1 * np.arange(20), data, interpolation="hold"), 2.0, step=0.05)
    assert area == pytest.approx(0.1 * data.sum(), abs=1e-13)


def test_a_step_over_several_rows_interpolates_in_each(integral):
    times = np.linspace(0.0, 1.0, 21)
    # Simpson's rule at 0, 0.5 and 1 of a quadratic is what one step of rk4 makes of its samples.
    assert integral(TimeSeries(times, times**2), 1.0, step=1.0) == pytest.approx(1.0 / 3.0, abs=1e-15)


def test_a_single_row_is_a_constant():
    assert TimeSeries([2.0], [[7.0]]).evaluate(t=0.0).outputs["y"] == 7.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"times": [0.0, 1.0, 1.0], "data": [1.0, 2.0, 3.0]}, r"times must increase .* \[1\] is 1 and \[2\] is 1"),
        ({"times": [0.0, 1.0], "data": [1.0, 2.0, 3.0]}, "times has 2 entries, data has 3"),
        ({"times": 1.0, "data": [1.0]}, "times must be an array of at least 1 element, not a single number"),
        ({"times": [0.0, 1.0], "data": 1.0}, "data must have a row for each of the 2 times"),
        ({"times": [0.0], "data": [1.0], "interpolation": "linaer"}, "did you mean 'linear'"),
    ],
)
def test_time_series_says_what_is_wrong(arguments, message):
    with pytest.raises(ParameterError, match=message):
        TimeSeries(**arguments)


@pytest.mark.parametrize("width", [0.0, 1.0])
def test_pulse_width_is_a_proper_part(width):
    with pytest.raises(ParameterError, match=r"Pulse\.width must be > 0 and < 1"):
        Pulse(period=1.0, width=width)
