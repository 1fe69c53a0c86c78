"""Sampled blocks: shifts, holds and sums are exact."""

from __future__ import annotations

import numpy as np
import pytest

from blocks.basic import (
    Clock,
    Constant,
    Delay,
    DiscreteIntegrator,
    Gain,
    GaussianNoise,
    Sine,
    Sum,
    UnitDelay,
    ZeroOrderHold,
)
from blocks.diagram import Diagram
from blocks.errors import ParameterError, WiringError
from blocks.simulation import simulate


@pytest.mark.parametrize("solver", ["rk4", "dopri5"])
def test_unit_delay_shifts_by_exactly_one_sample(wired, solver):
    block = UnitDelay(period=0.1, initial_x=[7.0, 8.0])
    diagram = wired(block, u=GaussianNoise(mean=[0.0, 1.0], period=0.1, seed=1))
    result = simulate(diagram, 5.0, step=0.1, solver=solver)
    u, y = result.values("u.y"), result.values("block.y")
    np.testing.assert_array_equal(y[0], [7.0, 8.0])
    np.testing.assert_array_equal(y[1:], u[:-1])


@pytest.mark.parametrize("samples", [1, 2, 7])
def test_delay_shifts_by_its_samples(wired, samples):
    block = Delay(samples, initial=[-1.0, -2.0], period=0.1)
    result = simulate(wired(block, u=GaussianNoise(mean=[0.0, 1.0], period=0.1, seed=1)), 5.0, step=0.1)
    u, y = result.values("u.y"), result.values("block.y")
    np.testing.assert_array_equal(y[:samples], np.tile([-1.0, -2.0], (samples, 1)))
    np.testing.assert_array_equal(y[samples:], u[:-samples])


def test_a_delay_of_one_sample_is_a_unit_delay(response):
    _, one = response(UnitDelay(period=0.2), u=Sine(), end=3.0, step=0.1)
    _, other = response(Delay(1, period=0.2), u=Sine(), end=3.0, step=0.1)
    np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("solver", ["rk4", "dopri5"])
def test_hold_keeps_the_sample(response, solver):
    t, y = response(ZeroOrderHold(period=0.5), u=Clock(), end=3.0, step=0.05, solver=solver)
    np.testing.assert_allclose(y, 0.5 * np.floor(t / 0.5 + 1e-9), atol=1e-14)


def test_first_sample_comes_at_the_offset(response):
    t, y = response(ZeroOrderHold(period=0.5, offset=0.2), u=Sine(phase=1.0), end=2.0, step=0.1)
    last = 0.2 + 0.5 * np.floor((t - 0.2) / 0.5 + 1e-9)
    np.testing.assert_allclose(y[2:], np.sin(last[2:] + 1.0), atol=1e-14)


def test_held_signal_is_integrated_as_a_staircase(integral):
    area = integral(ZeroOrderHold(period=0.25), 2.0, u=Clock(), solver="dopri5", step=2.0)
    assert area == pytest.approx(0.25 * 0.25 * np.arange(8).sum(), abs=1e-14)


@pytest.mark.parametrize("method", ["forward", "trapezoidal", "backward"])
def test_discrete_integrators_are_the_sums_of_their_rules(wired, method):
    block = DiscreteIntegrator(method, period=0.1, initial_x=2.0)
    result = simulate(wired(block, u=GaussianNoise(period=0.1, seed=3)), 4.0, step=0.1)
    u, y = result.values("u.y").ravel(), result.values("block.y").ravel()
    before = np.concatenate([[0.0], np.cumsum(u)[:-1]])
    own = {"forward": 0.0, "trapezoidal": 0.5, "backward": 1.0}[method]
    np.testing.assert_allclose(y, 2.0 + 0.1 * (before + own * u), atol=1e-13)


@pytest.mark.parametrize("method", ["trapezoidal", "backward"])
def test_rules_with_feedthrough_cannot_close_a_loop(method):
    assert DiscreteIntegrator(method, period=0.1).feedthrough("y") == ("u",)
    with pytest.raises(WiringError, match="algebraic loop"):
        simulate(decay(DiscreteIntegrator(method, period=0.1)), 1.0)


def decay(block):
    """y' = -y in samples."""
    diagram = Diagram()
    diagram.add("block", block)
    diagram.add("minus", Gain(-1.0))
    diagram.connect("block.y", "minus.u")
    diagram.connect("minus.y", "block.u")
    return diagram


def test_forward_rule_closes_a_loop():
    result = simulate(decay(DiscreteIntegrator("forward", period=0.1, initial_x=1.0)), 2.0, step=0.1)
    np.testing.assert_allclose(result.values("block.y").ravel(), 0.9 ** np.arange(21), rtol=1e-12)


def test_a_unit_delay_makes_a_counter():
    diagram = Diagram()
    diagram.add("one", Constant(1.0))
    diagram.add("sum", Sum("++"))
    diagram.add("delay", UnitDelay(period=0.5))
    diagram.connect("one.y", "sum.in1")
    diagram.connect("delay.y", "sum.in2")
    diagram.connect("sum.y", "delay.u")
    result = simulate(diagram, 10.0, step=0.1, solver="euler")
    np.testing.assert_array_equal(result.values("delay.y").ravel(), np.floor(result.time / 0.5 + 1e-9))


def test_rates_may_differ(wired):
    diagram = wired(ZeroOrderHold(period=0.2), u=Clock())
    diagram.add("slow", UnitDelay(period=0.6))
    diagram.connect("block.y", "slow.u")
    y = simulate(diagram, 2.4, step=0.2).values("slow.y").ravel()
    np.testing.assert_allclose(y, [0.0] * 6 + [0.6] * 3 + [1.2] * 3 + [1.8], atol=1e-14)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Delay(0, period=1.0), r"Delay\.samples must be ≥ 1 and ≤ 10000000, not 0"),
        (lambda: Delay(1.5, period=1.0), r"Delay\.samples must be a whole number, not 1\.5"),
        (lambda: UnitDelay(), r"UnitDelay\.period is missing"),
        (lambda: ZeroOrderHold(period=0.0), r"ZeroOrderHold\.period must be > 0 s, not 0"),
        (lambda: DiscreteIntegrator("euler", period=1.0), r"method must be one of 'forward'"),
    ],
)
def test_bad_parameters_are_named(make, message):
    with pytest.raises(ParameterError, match=message):
        make()
