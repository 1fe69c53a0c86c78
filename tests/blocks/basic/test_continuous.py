"""Continuous blocks against closed forms and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import linalg, signal

from blocks.basic import (
    Clock,
    Constant,
    Derivative,
    FirstOrderLag,
    Integrator,
    LimitedIntegrator,
    Pulse,
    Ramp,
    Sine,
    StateSpace,
    Step,
    Sum,
    TransferFunction,
)
from blocks.diagram import Diagram
from blocks.environment import UniformCurrent
from blocks.errors import ParameterError, WiringError
from blocks.simulation import simulate


def test_integral_of_a_sine(response):
    t, y = response(Integrator(initial_x=[2.0, -1.0]), u=Sine([1.0, 3.0], [1.0, 2.0]), end=5.0, step=0.01)
    expected = np.column_stack([3.0 - np.cos(t), 0.5 - 1.5 * np.cos(2.0 * t)])
    np.testing.assert_allclose(y, expected, atol=1e-9)


@pytest.mark.parametrize("solver", ["rk4", "dopri5"])
def test_limited_integrator_does_not_wind_up(response, solver):
    # 1 until t = 5, then -1: it stays at the limit of 2 from t = 2 to 5, and leaves it at once
    source = Step(time=5.0, before=1.0, after=-1.0)
    t, y = response(LimitedIntegrator(lower=-1.5, upper=2.0), u=source, end=12.0, step=0.1, solver=solver)
    np.testing.assert_allclose(y, np.clip(np.where(t < 5.0, t, 7.0 - t), -1.5, 2.0), atol=1e-12)


def test_limited_integrator_reaches_its_limit_at_the_right_instant(integral, tight):
    area = integral(LimitedIntegrator(upper=0.537), 1.0, u=Constant(1.0), step=1.0, **tight)
    assert area == pytest.approx(0.537**2 / 2.0 + 0.463 * 0.537, abs=1e-6)


def test_limited_integrator_with_coarse_steps_keeps_its_limits(response):
    _, y = response(LimitedIntegrator(-0.35, 0.35), u=Sine(3.0, 2.0), end=20.0, step=0.09)
    assert y.max() == 0.35
    assert y.min() == -0.35


@pytest.mark.parametrize(
    ("x", "u", "derivative"), [(2.0, 1.0, 0.0), (2.0, -1.0, -1.0), (-1.0, -1.0, 0.0), (-1.0, 1.0, 1.0), (0.5, 4.0, 4.0)]
)
def test_limited_integrator_stops_only_what_goes_further(x, u, derivative):
    block = LimitedIntegrator(lower=-1.0, upper=2.0)
    assert block.evaluate(states={"x": x}, u=u).derivatives["x"] == derivative


@pytest.mark.parametrize("solver", ["rk4", "dopri5", "LSODA"])
def test_lag_decays_exponentially(response, solver):
    settings = {"relative_tolerance": 1e-10, "absolute_tolerance": 1e-12}
    block = FirstOrderLag([0.5, 2.0], initial_x=[1.0, -3.0])
    t, y = response(block, u=Constant(0.0), end=4.0, step=0.01, solver=solver, **settings)
    np.testing.assert_allclose(y, [1.0, -3.0] * np.exp(-t[:, None] / [0.5, 2.0]), atol=1e-8)


def test_lag_passes_on_unit_and_elements():
    diagram = Diagram()
    diagram.add("water", UniformCurrent(0.5))
    diagram.add("lag", FirstOrderLag(1.0))
    diagram.connect("water.current", "lag.u")
    result = simulate(diagram, 10.0, record="lag.y")
    assert result.element_units("lag.y") == ("m/s",) * 3
    assert result.values("lag.y[north]")[-1] == pytest.approx(0.5, abs=1e-4)


def test_derivative_of_a_ramp(response):
    t, y = response(Derivative(0.2), u=Ramp(3.0), end=3.0, step=0.005)
    np.testing.assert_allclose(y, 3.0 * (1.0 - np.exp(-t / 0.2)), atol=1e-8)


def test_derivative_starts_without_a_kick_from_the_right_value(response):
    _, y = response(Derivative(0.1, initial_x=5.0), u=Constant(5.0), end=1.0)
    np.testing.assert_array_equal(y, 0.0)


SYSTEMS = [
    ([1.0], [1.0, 2.0]),
    ([2.0, 1.0], [4.0, 2.0]),
    ([3.0], [2.0, 0.6, 5.0]),
    ([1.0, -2.0], [1.0, 3.0, 3.0, 1.0]),
    ([2.0, 0.0, 1.0], [0.5, 1.0, 2.0]),
    ([0.0, 0.0, 0.0, 1.0], [1.0, 4.0]),
    ([1.0, 2.0, 3.0, 4.0], [1.0, 6.0, 11.0, 6.0, 1.0]),
]


@pytest.mark.parametrize(("numerator", "denominator"), SYSTEMS)
def test_step_response_of_a_transfer_function(response, numerator, denominator):
    t, y = response(TransferFunction(numerator, denominator), u=Constant(1.0), end=8.0, step=0.01)
    _, expected = signal.step((np.trim_zeros(numerator, "f"), denominator), T=t)
    np.testing.assert_allclose(y, expected, atol=1e-7)


def test_transfer_function_follows_a_sine(response):
    _, y = response(TransferFunction([1.0, 5.0], [1.0, 0.4, 9.0]), u=Sine(2.0, 2.5), end=10.0, step=0.002)
    fine = np.linspace(0.0, 10.0, 50_001)
    _, expected, _ = signal.lsim(([1.0, 5.0], [1.0, 0.4, 9.0]), 2.0 * np.sin(2.5 * fine), fine)
    np.testing.assert_allclose(y, expected[::10], atol=1e-6)


def test_states_of_a_transfer_function_are_the_filtered_input_and_its_derivatives(wired):
    result = simulate(wired(TransferFunction([7.0], [1.0, 3.0, 2.0]), u=Constant(1.0)), 30.0, record="block.y")
    assert result.values("block.y").ravel()[-1] == pytest.approx(3.5)
    block = TransferFunction([5.0, 7.0], [1.0, 3.0, 2.0], initial_x=[0.25, -1.0])
    evaluation = block.evaluate(u=2.0)
    assert evaluation.outputs["y"] == 7.0 * 0.25 - 5.0 * 1.0
    np.testing.assert_array_equal(evaluation.derivatives["x"], [-1.0, 2.0 + 3.0 - 0.5])


def test_only_equal_degrees_have_feedthrough():
    assert TransferFunction([1.0], [1.0, 1.0]).feedthrough("y") == ()
    assert TransferFunction([0.0, 1.0], [1.0, 1.0]).feedthrough("y") == ()
    assert TransferFunction([1.0, 0.0], [1.0, 1.0]).feedthrough("y") == ("u",)
    assert StateSpace(-1.0, 1.0, 1.0).feedthrough("y") == ()
    assert StateSpace(-1.0, 1.0, 1.0, 0.5).feedthrough("y") == ("u",)


def feedback(block):
    diagram = Diagram()
    diagram.add("reference", Constant(1.0))
    diagram.add("error", Sum("+-"))
    diagram.add("block", block)
    diagram.connect("reference.y", "error.in1")
    diagram.connect("error.y", "block.u")
    diagram.connect("block.y", "error.in2")
    return diagram


@pytest.mark.parametrize(
    "block", [TransferFunction([4.0], [1.0, 1.0]), StateSpace(-1.0, 4.0, 1.0)], ids=["transfer function", "state space"]
)
def test_a_strictly_proper_system_closes_a_loop(block):
    # 4/(s + 1) under unit feedback is 4/(s + 5)
    result = simulate(feedback(block), 2.0, step=0.002)
    expected = 0.8 * (1.0 - np.exp(-5.0 * result.time))
    np.testing.assert_allclose(result.values("block.y").ravel(), expected, atol=1e-9)


def test_feedthrough_in_a_loop_is_an_algebraic_loop():
    with pytest.raises(WiringError, match="algebraic loop"):
        simulate(feedback(TransferFunction([1.0, 4.0], [1.0, 1.0])), 1.0)


def test_free_response_of_a_state_space_is_the_matrix_exponential(response):
    a = np.array([[0.0, 1.0, 0.0], [-4.0, -0.4, 1.0], [0.5, 0.0, -1.0]])
    x0 = [1.0, 0.0, -2.0]
    t, y = response(StateSpace(a, np.zeros((3, 1)), np.eye(3), initial_x=x0), u=Constant(0.0), end=3.0, step=0.005)
    np.testing.assert_allclose(y[::50], [linalg.expm(a * s) @ x0 for s in t[::50]], atol=1e-9)


def test_state_space_with_several_inputs_and_outputs(response):
    random = np.random.default_rng(4)
    a = random.normal(size=(4, 4)) - 3.0 * np.eye(4)
    b, c, d = random.normal(size=(4, 2)), random.normal(size=(3, 4)), random.normal(size=(3, 2))
    u = np.array([1.0, -0.5])
    t, y = response(StateSpace(a, b, c, d), u=Constant(u), end=2.0, step=0.002, every=50)
    driven = [linalg.solve(a, linalg.expm(a * s) - np.eye(4)) @ b @ u for s in t]
    np.testing.assert_allclose(y, np.array(driven) @ c.T + d @ u, atol=1e-9)


def test_state_space_in_single_numbers(response):
    t, y = response(StateSpace(-2.0, 3.0, 0.5), u=Constant(1.0), end=2.0, step=0.01)
    np.testing.assert_allclose(y, 0.75 * (1.0 - np.exp(-2.0 * t)), atol=1e-8)


def test_integrator_of_a_pulse_train_is_exact_with_an_adaptive_solver(response):
    t, y = response(Integrator(), u=Pulse(period=1.0, width=0.25, delay=0.1), end=3.0, step=0.05, solver="dopri5")
    passed = np.maximum(t - 0.1, 0.0)
    expected = 0.25 * np.floor(passed + 1e-12) + np.minimum((passed + 1e-12) % 1.0, 0.25)
    np.testing.assert_allclose(y, expected, atol=1e-11)


ROW = np.zeros((1, 2))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: FirstOrderLag(0.0), r"FirstOrderLag\.time_constant must be > 0 s, not 0"),
        (lambda: LimitedIntegrator(lower=1.0, upper=0.0), r"lower must not exceed upper: 1 is above 0"),
        (lambda: LimitedIntegrator(upper=[1.0, 2.0], initial_x=1.5), r"initial_x\[0\] must not exceed upper\[0\]"),
        (
            lambda: TransferFunction([1.0, 0.0, 0.0], [1.0, 2.0]),
            "TransferFunction is not proper: its numerator is of degree 2, its denominator of degree 1",
        ),
        (lambda: TransferFunction([1.0], [0.0, 2.0]), r"denominator must not begin with 0"),
        (lambda: TransferFunction([1.0], [2.0]), r"denominator must have at least two coefficients"),
        (lambda: TransferFunction([1.0], [1.0, 2.0], initial_x=[0.0, 0.0]), "initial_x must have 1 elements"),
        (lambda: StateSpace(np.ones((2, 3)), np.ones((2, 1)), ROW), r"StateSpace\.A must be square, not 2×3"),
        (lambda: StateSpace(np.eye(2), np.ones((3, 1)), ROW), r"StateSpace\.B must have 2 rows, .* not 3"),
        (lambda: StateSpace(np.eye(2), np.ones((2, 1)), np.ones((1, 3))), r"StateSpace\.C must have 2 columns"),
        (
            lambda: StateSpace(np.eye(2), np.ones((2, 1)), ROW, np.ones((2, 2))),
            r"D must be an array of 1×1, .* not 2×2",
        ),
        (lambda: StateSpace(np.eye(2), np.ones((2, 1)), ROW, initial_x=[1.0]), "initial_x must have 2 elements"),
    ],
)
def test_bad_parameters_are_named(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


def test_clock_is_integrated_to_its_square(integral):
    assert integral(Clock(), 3.0, step=0.5) == pytest.approx(4.5, abs=1e-14)
