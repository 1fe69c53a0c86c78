"""What every element of an unknown depends on, asked of the FMU and found by moving each known a little."""

from ctypes import byref, c_int, c_size_t, c_uint

import numpy as np
import pytest
from fmpy.fmi1 import FMICallException

from blocks.basic import MatrixGain
from blocks.dynamics import DiagonalVessel3DOF

CONSTANT, DEPENDENT = 1, 5


def links(one, name):
    """(element, name of what it depends on, element of that, kind), elements from 1."""
    slave, (reference,) = one.slave, one.references(name)
    count = c_size_t()
    slave.fmi3GetNumberOfVariableDependencies(slave.component, reference, byref(count))
    n = count.value
    own, other, element, kind = (c_size_t * n)(), (c_uint * n)(), (c_size_t * n)(), (c_int * n)()
    slave.fmi3GetVariableDependencies(slave.component, reference, own, other, element, kind, n)
    names = {v.valueReference: name for name, v in one.variables.items()}
    return {(own[i], names[other[i]], element[i], kind[i]) for i in range(n)}


@pytest.fixture
def vessel(export, tmp_path, tool):
    block = DiagonalVessel3DOF(
        inertia=(9.75, 10.364, 1.158), linear_damping=(16.3, 10.2, 4.6), initial_nu=(0.7, 0.2, 0, 0, 0, 0.3)
    )
    return tool(export(block, tmp_path / "vessel.fmu"))


def test_a_matrix_gain_depends_by_elements(export, tmp_path, tool):
    one = tool(export(MatrixGain([[1.0, 0.0], [0.0, 2.0], [3.0, 4.0]]), tmp_path / "gain.fmu")).begin()
    inputs = {(i, "u", j, DEPENDENT) for i in (1, 2, 3) for j in (1, 2)}  # a tunable zero may become another number
    assert {link for link in links(one, "y") if link[1] == "u"} == inputs


def test_what_is_said_is_what_happens(vessel):
    vessel.exchange().initialize()
    knowns = ("force", "disturbance", "current", "nu", "eta")
    places = [(name, i + 1, reference) for name in knowns for i in range(6)
              if i < vessel.count(name) for reference in vessel.references(name)]  # fmt: skip
    for unknown in ("acceleration", "der(nu)", "der(eta)", "nu_r"):
        said = {(e, name, i) for e, name, i, _ in links(vessel, unknown) if name in knowns}
        seen = set()
        for name, i, reference in places:
            seed = np.zeros(vessel.count(name))
            seed[i - 1] = 1.0
            found = vessel.slave.getDirectionalDerivative(
                vessel.references(unknown), [reference], seed, vessel.count(unknown)
            )
            seen |= {(e + 1, name, i) for e, value in enumerate(found) if abs(value) > 1e-9}
        assert seen <= said
        assert {pair for pair in said if pair[1] in ("force", "disturbance")} <= seen


def test_in_initialization_states_are_their_parameters(vessel):
    vessel.instantiate()
    vessel.slave.enterInitializationMode()
    assert links(vessel, "eta") == {(i, "initial_eta", i, CONSTANT) for i in range(1, 7)}
    vessel.slave.exitInitializationMode()
    assert links(vessel, "eta") == {(i, "eta", i, CONSTANT) for i in range(1, 7)}  # the output is the state


def test_what_is_computed_only_has_dependencies(vessel):
    vessel.begin()
    for name, message in (("force", "force is not among the unknowns of the model structure while the model runs"),):
        with pytest.raises(FMICallException):
            links(vessel, name)
        assert message in vessel.messages[-1]
    (reference,) = vessel.references("nu_r")
    slave, none = vessel.slave, (c_size_t * 1)()
    with pytest.raises(FMICallException):
        slave.fmi3GetVariableDependencies(slave.component, reference, none, (c_uint * 1)(), none, (c_int * 1)(), 1)
    assert "nu_r has " in vessel.messages[-1]
    assert " dependencies, not 1" in vessel.messages[-1]
    with pytest.raises(FMICallException):
        slave.fmi3GetNumberOfVariableDependencies(slave.component, 9999, byref(c_size_t()))
    assert "there is no variable with value reference 9999" in vessel.messages[-1]
