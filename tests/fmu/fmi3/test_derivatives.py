"""Directional and adjoint derivatives of arrays in FMI 3, against what is known of the models."""

from __future__ import annotations

import numpy as np
import pytest
from fmpy.fmi1 import FMICallException

from blocks.basic import StateSpace

A = np.array([[-1.0, 2.0], [0.5, -3.0]])
B = np.array([[1.0, 0.0, 2.0], [0.0, -4.0, 1.0]])
C = np.array([[1.0, 2.0], [0.0, 3.0]])
D = np.array([[0.5, 0.0, 0.0], [0.0, 0.0, 7.0]])


@pytest.fixture(scope="module")
def linear(export, tmp_path_factory):
    """dx = A x + B u, y = C x + D u, whose derivatives are its matrices."""
    return export(StateSpace(A, B, C, D), tmp_path_factory.mktemp("linear") / "linear.fmu")


def derivatives(one, unknowns, knowns, seed):
    count = sum(map(one.count, unknowns))
    return one.slave.getDirectionalDerivative(one.references(*unknowns), one.references(*knowns), list(seed), count)


def adjoints(one, unknowns, knowns, seed):
    count = sum(map(one.count, knowns))
    return one.slave.getAdjointDerivative(one.references(*unknowns), one.references(*knowns), list(seed), count)


PARTS = {("y", "u"): D, ("y", "x"): C, ("der(x)", "u"): B, ("der(x)", "x"): A}


@pytest.mark.parametrize("interface", ["cs", "me"])
@pytest.mark.parametrize(("unknown", "known"), PARTS)
def test_derivatives_of_a_linear_system_are_its_matrices(linear, tool, interface, unknown, known):
    one = tool(linear)
    (one.exchange() if interface == "me" else one.instantiate()).initialize()
    matrix = PARTS[unknown, known]
    rows, columns = matrix.shape
    for k in range(columns):
        np.testing.assert_allclose(derivatives(one, [unknown], [known], np.eye(columns)[k]), matrix[:, k], atol=1e-10)
    for k in range(rows):
        np.testing.assert_allclose(adjoints(one, [unknown], [known], np.eye(rows)[k]), matrix[k], atol=1e-10)


def test_several_variables_go_one_after_the_other(linear, tool):
    one = tool(linear).begin()
    seed = [1.0, -2.0, 0.5, 3.0, -1.0]
    whole = np.block([[D, C], [B, A]])
    np.testing.assert_allclose(derivatives(one, ["y", "der(x)"], ["u", "x"], seed), whole @ seed, atol=1e-9)
    weights = [1.0, 2.0, -1.0, 0.5]
    np.testing.assert_allclose(adjoints(one, ["y", "der(x)"], ["u", "x"], weights), whole.T @ weights, atol=1e-9)


def test_nothing_is_changed_by_it(exported, tool):
    one, other = (tool(exported("guided_vessel")).begin() for _ in range(2))
    one.run(20, "eta")
    other.run(20, "eta")
    before = one.get("eta", "nu", "force")
    rates = derivatives(one, ["der(plant.vessel.nu)", "force"], ["plant.vessel.eta", "plant.vessel.nu"], [1.0] * 12)
    assert any(rates)
    assert one.get("eta", "nu", "force") == before
    assert one.run(20, "eta", "nu", first=20) == other.run(20, "eta", "nu", first=20)


def test_what_does_not_fit_is_refused(linear, tool):
    one = tool(linear).begin()
    for call, text in (
        (lambda: derivatives(one, ["y"], ["u"], [1.0]), "u has 3 elements, but nSeed is 1"),
        (lambda: adjoints(one, ["y"], ["u"], [1.0]), "y has 2 elements, but nSeed is 1"),
        (
            lambda: one.slave.getDirectionalDerivative(one.references("y"), one.references("u"), [1.0] * 3, 5),
            "y has 2 elements, but nSensitivity is 5",
        ),
        (lambda: derivatives(one, ["y"], ["y"], [1.0] * 2), "cannot be what is differentiated by"),
        (lambda: derivatives(one, ["y"], ["time"], [1.0]), "there are no derivatives by time"),
    ):
        with pytest.raises(FMICallException) as refused:
            call()
        assert refused.value.status == 3
        assert text in one.messages[-1]
