"""Derivatives of unknowns by knowns against analytic ones, and inputs that go on by their derivatives in time."""

import math

import numpy as np
import pytest
from fmpy.fmi1 import FMICallException

import fmu
from blocks import Diagram
from blocks.basic import FirstOrderLag, Function, Integrator, Saturation
from blocks.dynamics import DiagonalVessel3DOF


def _export(tmp_path, block, step=0.01, **settings):
    return fmu.export(block, tmp_path / "model.fmu", step=step, **settings)


def test_outputs_by_inputs(exported, tool):
    one = tool(exported("fragile")).begin(inputs={"u": 2.0, "v[1]": 1.0})
    found = one.slave.getDirectionalDerivative(
        one.references("y", "mixed[1]", "mixed[2]", "mixed[3]"), one.references("u", "v[1]", "v[2]"), [1.0, 0.5, 1.0]
    )
    assert found == pytest.approx([-0.25, 2.5, 5.5, 8.5], rel=1e-11)  # d(1/u)/du = -1/u², and the matrix itself


def test_derivatives_of_states_by_states_and_inputs(tmp_path, tool):
    m, d = np.array([9.75, 10.364, 1.158]), np.array([16.296, 10.193, 4.63])
    vessel = DiagonalVessel3DOF(inertia=m, linear_damping=d, initial_nu=(0.7, 0.2, 0, 0, 0, 0.3))
    one = tool(_export(tmp_path, vessel))
    one.exchange()
    rates = one.references(*(f"acceleration[{i}]" for i in (1, 2, 6)))
    nu = one.references(*(f"nu[{i}]" for i in (1, 2, 6)))
    force = one.references(*(f"force[{i}]" for i in (1, 2, 6)))
    u, v, r = 0.7, 0.2, 0.3
    expected = np.array([  # m11 u' = X + m22 v r - d11 u, and so on round
        [-d[0] / m[0], m[1] * r / m[0], m[1] * v / m[0]],
        [-m[0] * r / m[1], -d[1] / m[1], -m[0] * u / m[1]],
        [(m[0] - m[1]) * v / m[2], (m[0] - m[1]) * u / m[2], -d[2] / m[2]],
    ])  # fmt: skip
    for column in range(3):
        by_state = one.slave.getDirectionalDerivative(rates, [nu[column]], [1.0])
        by_force = one.slave.getDirectionalDerivative(rates, [force[column]], [1.0])
        assert by_state == pytest.approx(expected[:, column], rel=1e-10, abs=1e-11)
        assert by_force == pytest.approx(np.eye(3)[column] / m, rel=1e-10, abs=1e-11)


def test_parameters_are_knowns_and_limits_keep_their_sign(tmp_path, tool):
    one = tool(_export(tmp_path, FirstOrderLag(0.001, initial_x=1.0), local_variables=True)).begin(inputs={"u": 3.0})
    state = one.slave.getDirectionalDerivative(one.references("y"), one.references("time_constant[1]"), [1.0])
    assert state == [0.0]


def test_asking_changes_nothing(exported, tool):
    one, other = tool(exported("mixed")).begin(), tool(exported("mixed")).begin()
    for k in range(50):
        t = k * 0.02
        push = math.sin(t)
        for it in (one, other):
            it.set({"push": push})
        one.slave.getDirectionalDerivative(one.references("position", "limited"), one.references("push"), [1.0])
        for it in (one, other):
            it.step(t)
        assert one.get("position", "limited", "count") == other.get("position", "limited", "count")
    states = [it.slave.serializeFMUstate(it.slave.getFMUstate()) for it in (one, other)]
    assert states[0] == states[1]


def test_a_smooth_function_is_known_to_eleven_digits(tmp_path, tool):
    path = _export(tmp_path, Function("exp"))
    for u in (-2.0, 0.0, 0.3, 3.0):
        one = tool(path).begin(inputs={"u": u})
        (found,) = one.slave.getDirectionalDerivative(one.references("y"), one.references("u"), [1.0])
        assert found == pytest.approx(math.exp(u), rel=3e-11)


def test_modes_are_held(tmp_path, tool):
    path = _export(tmp_path, Saturation(lower=-1.0, upper=1.0))
    for u, expected in ((0.5, 1.0), (2.0, 0.0)):
        one = tool(path).begin(inputs={"u": u})
        found = one.slave.getDirectionalDerivative(one.references("y"), one.references("u"), [1.0])
        assert found == pytest.approx([expected], abs=1e-11)


def test_what_cannot_be_differentiated_is_named(exported, tool):
    one = tool(exported("mixed")).begin()
    for unknown, known, message in (
        ("position", "limited", "limited cannot be what is differentiated by"),
        ("position", 99999, "there is no variable with value reference 99999"),
    ):
        reference = known if isinstance(known, int) else one.references(known)[0]
        with pytest.raises(FMICallException):
            one.slave.getDirectionalDerivative(one.references(unknown), [reference], [1.0])
        assert message in one.messages[-1]
    with pytest.raises(FMICallException) as discarded:
        one.slave.getDirectionalDerivative(one.references("position"), one.references("push"), [math.nan])
    assert discarded.value.status == 2


# --- inputs in time --------------------------------------------------------------------------------------------------


def _followed(tool, path, step, orders):
    """∫ of an input that is given at communication points with some of its derivatives; the error at t = 2."""
    one = tool(path).begin()
    derivatives = (math.cos, lambda t: -math.sin(t), lambda t: -math.cos(t))
    for k in range(round(2.0 / step)):
        t = k * step
        one.set({"u": math.sin(t)})
        for order in range(1, orders + 1):
            one.slave.setRealInputDerivatives(one.references("u"), [order], [derivatives[order - 1](t)])
        one.step(t, step)
    return abs(one.get("y")[0] - (1.0 - math.cos(2.0)))


def test_every_order_of_derivative_gains_an_order(tmp_path, tool):
    path = _export(tmp_path, Integrator(), step=0.01)
    for orders in range(4):
        coarse, fine = (_followed(tool, path, step, orders) for step in (0.2, 0.1))
        assert math.log2(coarse / fine) == pytest.approx(orders + 1, abs=0.2)


def test_an_input_is_held_again_where_no_derivative_is_given(tmp_path, tool):
    one = tool(_export(tmp_path, Integrator(), step=0.01)).begin()
    one.set({"u": 1.0})
    one.slave.setRealInputDerivatives(one.references("u"), [1], [2.0])
    one.step(0.0, 0.5)
    assert one.get("u", "y") == pytest.approx([2.0, 0.5 + 0.25])
    one.step(0.5, 0.5)
    assert one.get("u", "y") == pytest.approx([2.0, 0.75 + 1.0])


def test_outputs_that_depend_on_inputs_alone_follow_too(tmp_path, tool):
    diagram = Diagram("chain")
    diagram.add("root", Function("square"))
    diagram.add("total", Integrator())
    diagram.connect("root.y", "total.u")
    diagram.inputs(u="root.u")
    diagram.outputs(y="root.y", total="total.y")
    one = tool(_export(tmp_path, diagram)).begin()
    one.slave.setRealInputDerivatives(one.references("u"), [1], [1.0])
    one.step(0.0, 0.3)
    assert one.get("y", "total") == pytest.approx([0.09, 0.009], rel=1e-12)  # u = t: ∫t² = t³/3, exact for rk4


def test_a_saved_state_holds_what_inputs_will_do(tmp_path, tool):
    one = tool(_export(tmp_path, Integrator())).begin()
    one.set({"u": 1.0})
    one.slave.setRealInputDerivatives(one.references("u"), [1], [2.0])
    saved = one.slave.getFMUstate()
    one.step(0.0, 0.5)
    first = one.get("y")
    one.slave.setFMUstate(saved)
    one.step(0.0, 0.5)
    assert one.get("y") == first
    assert first != [0.5]


def test_wrong_derivatives_of_inputs_are_refused(exported, tool):
    one = tool(exported("mixed")).begin()
    for name, order, value, message in (
        ("position", 1, 1.0, "position is not a real input"),
        ("push", 0, 1.0, "derivatives of order 1 to 3 are taken, not of order 0 (of push)"),
        ("push", 4, 1.0, "not of order 4"),
        ("push", 1, math.inf, "the derivative of push must be a finite number, not inf"),
    ):
        with pytest.raises(FMICallException):
            one.slave.setRealInputDerivatives(one.references(name), [order], [value])
        assert message in one.messages[-1]
