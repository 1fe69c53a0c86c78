"""Mathematics: the blocks agree with NumPy, and adaptive solvers find their jumps."""

from __future__ import annotations

import numpy as np
import pytest

from blocks.basic import (
    Atan2,
    Clock,
    Compare,
    Constant,
    Function,
    Gain,
    MatrixGain,
    MinMax,
    Product,
    Ramp,
    Rounding,
    Sign,
    Sine,
    Sum,
    WrapAngle,
    ZeroOrderHold,
)
from blocks.errors import ParameterError, SimulationError
from blocks.simulation import simulate


def output(block, **inputs):
    return block.evaluate(**inputs).outputs["y"]


def test_gain_multiplies_element_by_element():
    np.testing.assert_array_equal(output(Gain([2.0, -1.0, 0.5]), u=[1.0, 2.0, 3.0]), [2.0, -2.0, 1.5])


def test_matrix_gain_is_the_matrix_product():
    matrix = np.random.default_rng(0).normal(size=(2, 4))
    u = np.random.default_rng(1).normal(size=4)
    np.testing.assert_allclose(output(MatrixGain(matrix), u=u), matrix @ u, rtol=1e-14)


@pytest.mark.parametrize("signs", ["+", "-", "++", "+-", "+-+", "----++"])
def test_sum_takes_an_input_per_sign(signs):
    terms = np.random.default_rng(2).normal(size=(len(signs), 3))
    block = Sum(signs)
    assert list(block.input_ports) == [f"in{i + 1}" for i in range(len(signs))]
    given = {f"in{i + 1}": term for i, term in enumerate(terms)}
    factors = np.where(np.array(list(signs)) == "+", 1.0, -1.0)
    np.testing.assert_allclose(output(block, **given), factors @ terms, rtol=1e-13)


def test_product_multiplies_and_divides():
    given = {"in1": [6.0, 1.0], "in2": [4.0, -2.0], "in3": [3.0, 8.0]}
    np.testing.assert_array_equal(output(Product("*/*"), **given), [4.5, -4.0])
    np.testing.assert_array_equal(output(Product("/"), in1=[4.0, -2.0]), [0.25, -0.5])


def test_division_by_zero_stops_the_run_and_names_the_block(wired):
    with pytest.raises(SimulationError, match="block: output y is not a finite number"):
        simulate(wired(Product("/"), in1=Clock()), 1.0)


@pytest.mark.parametrize(("function", "expected"), [("min", [-3.0, 0.0]), ("max", [2.0, 5.0])])
def test_min_max_takes_the_extreme_of_each_element(function, expected):
    block = MinMax(function, count=3)
    np.testing.assert_array_equal(output(block, in1=[1.0, 5.0], in2=[2.0, 0.0], in3=[-3.0, 4.0]), expected)


def test_where_inputs_change_places_min_max_has_a_crossing(wired):
    before = MinMax("max").evaluate(in1=1.0, in2=1.5).crossings
    after = MinMax("max").evaluate(in1=2.0, in2=1.5).crossings
    assert np.all(np.sign(before) == -np.sign(after))


@pytest.mark.parametrize(
    "function",
    ["sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "abs", "square", "reciprocal", "sqrt", "log", "log10", "asin",
     "acos", "atan"],
)  # fmt: skip
def test_functions_agree_with_numpy(function):
    names = {"asin": "arcsin", "acos": "arccos", "atan": "arctan"}
    u = np.linspace(0.05, 0.95, 7)
    if function in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "abs", "square", "reciprocal", "atan"):
        u = np.linspace(-3.0, 2.9, 9)
    expected = getattr(np, names.get(function, function))(u)
    np.testing.assert_allclose(output(Function(function), u=u), expected, rtol=1e-14)


def test_integral_of_an_absolute_value(integral, tight):
    area = integral(Function("abs"), 2.0 * np.pi, u=Sine(), max_step=1.0, **tight)
    assert area == pytest.approx(4.0, abs=1e-6)


def test_function_outside_its_domain_stops_the_run(wired):
    with pytest.raises(SimulationError, match="block: output y is not a finite number"):
        simulate(wired(Function("sqrt"), u=Constant(-1.0)), 1.0)


@pytest.mark.parametrize(("north", "east", "course"), [(1, 0, 0), (0, 1, 90), (-1, 0, 180), (0, -1, -90), (1, -1, -45)])
def test_atan2_of_east_and_north_is_the_course(north, east, course):
    assert output(Atan2(), u1=east, u2=north) == pytest.approx(np.radians(course))


@pytest.mark.parametrize("turns", [-3, -1, 0, 1, 7])
def test_wrapped_angles_are_the_same_direction(turns):
    angles = np.radians([-179.0, -90.0, 0.0, 10.0, 179.0])
    np.testing.assert_allclose(output(WrapAngle(), u=angles + 2.0 * np.pi * turns), angles, atol=1e-14)
    compass = output(WrapAngle("positive"), u=angles + 2.0 * np.pi * turns)
    np.testing.assert_allclose(compass, angles % (2.0 * np.pi), atol=1e-14)


def test_wrapped_angle_includes_the_lower_end_only():
    assert output(WrapAngle(), u=np.pi) == -np.pi
    assert output(WrapAngle(), u=-np.pi) == -np.pi
    assert output(WrapAngle("positive"), u=0.0) == 0.0
    assert output(WrapAngle("positive"), u=2.0 * np.pi) == pytest.approx(0.0, abs=1e-15)


def test_integral_of_a_wrapped_angle(integral, tight):
    # a sawtooth over two and a half turns: the whole turns cancel, the half turn from 0 to π gives π²/2
    area = integral(WrapAngle(), 5.0 * np.pi, u=Ramp(), max_step=0.5, **tight)
    assert area == pytest.approx(np.pi**2 / 2.0, abs=1e-6)


def test_sign():
    np.testing.assert_array_equal(output(Sign(), u=[-2.0, 0.0, 1e-300]), [-1.0, 0.0, 1.0])


def test_jumps_of_a_sign_are_located(integral):
    # 1 over half a period, -1 over the next, and 1 for the rest
    area = integral(Sign(), 7.0, u=Sine(phase=0.3), solver="dopri5", max_step=1.0)
    first = np.pi - 0.3
    assert area == pytest.approx(first - np.pi + (7.0 - first - np.pi), abs=1e-12)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("round", [-3.0, -2.0, -1.0, 0.0, 0.0, 1.0, 2.0, 3.0]),
        ("floor", [-3.0, -2.0, -1.0, -1.0, 0.0, 0.0, 1.0, 2.0]),
        ("ceil", [-2.0, -1.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0]),
        ("truncate", [-2.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0]),
    ],
)
def test_rounding(function, expected):
    u = [-2.5, -1.5, -0.7, -0.2, 0.49999999999999994, 0.5, 1.5, 2.5]
    np.testing.assert_array_equal(output(Rounding(function), u=u), expected)


def test_jumps_of_a_floor_are_located(integral):
    assert integral(Rounding("floor"), 4.7, u=Clock(), solver="dopri5") == pytest.approx(1 + 2 + 3 + 4 * 0.7, abs=1e-12)


@pytest.mark.parametrize(
    ("relation", "expected"),
    [("<", [1, 0, 0]), ("<=", [1, 1, 0]), ("==", [0, 1, 0]), ("!=", [1, 0, 1]), (">=", [0, 1, 1]), (">", [0, 0, 1])],
)
def test_compare(relation, expected):
    np.testing.assert_array_equal(output(Compare(relation), u1=[1.0, 2.0, 3.0], u2=[2.0, 2.0, 2.0]), expected)


def test_compare_without_a_second_signal_compares_with_zero():
    np.testing.assert_array_equal(output(Compare(">"), u1=[-1.0, 0.0, 1.0]), [0.0, 0.0, 1.0])


def test_moment_at_which_a_comparison_changes_is_located(integral):
    area = integral(Compare("<"), 2.0, u1=Clock(), u2=Constant(0.7317), solver="dopri5")
    assert area == pytest.approx(0.7317, abs=1e-12)


def test_a_sampled_block_sees_the_comparison_of_its_own_instant(wired):
    diagram = wired(Compare(">="), u1=Clock(), u2=Constant(0.5))
    diagram.add("hold", ZeroOrderHold(period=0.1))
    diagram.connect("block.y", "hold.u")
    held = simulate(diagram, 1.0, step=0.1).values("hold.y").ravel()
    np.testing.assert_array_equal(held, [0.0] * 5 + [1.0] * 6)


def test_modes_in_a_row_settle_in_one_instant(wired):
    diagram = wired(Sign(), u=Constant(3.0))
    previous = "block.y"
    for i in range(20):
        diagram.add(f"sign{i}", Sign())
        diagram.connect(previous, f"sign{i}.u")
        previous = f"sign{i}.y"
    assert simulate(diagram, 0.01).values(previous)[0] == 1.0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Sum("+*"), r"Sum\.signs must be a word of the letters '\+' and '-', .* has '\*' as letter 2"),
        (lambda: Sum(""), r"Sum\.signs must be a word of the letters"),
        (lambda: Sum(2), r"Sum\.signs must be a word of the letters '\+' and '-', one per input, not 2"),
        (lambda: Product("*+"), r"Product\.operations must be a word of the letters '\*' and '/'"),
        (lambda: MinMax(count=1), r"MinMax\.count must be ≥ 2 and ≤ 1000, not 1"),
        (lambda: MatrixGain(2.0), r"MatrixGain\.matrix must be an array of rows×columns, not the single number 2"),
        (lambda: Function("sinus"), r"Function\.function must be one of .*; did you mean 'sin'"),
        (lambda: Compare("=>"), r"Compare\.relation must be one of"),
        (lambda: Gain(gian=1.0), r"no parameter 'gian' on Gain; did you mean 'gain'"),
    ],
)
def test_bad_parameters_are_named(make, message):
    with pytest.raises(ParameterError, match=message):
        make()
