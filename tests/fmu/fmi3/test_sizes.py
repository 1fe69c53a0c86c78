"""Structural parameters of FMI 3: the number of waypoints of an FMU can be changed."""

from __future__ import annotations

import numpy as np
import pytest
from fmpy.fmi1 import FMICallException

from blocks import simulate
from blocks.guidance import LineOfSight

PATH = [[0.0, 0.0, 0.0], [20.0, 0.0, 0.0], [20.0, 30.0, 2.0], [0.0, 30.0, 2.0]]


def guidance(waypoints):
    return LineOfSight(waypoints=waypoints, acceptance_radius=1.0, cruise_speed=1.0)


@pytest.fixture(scope="module", params=[False, pytest.param(True, marks=pytest.mark.slow)], ids=["", "compiled"])
def route(request, export, tmp_path_factory):
    """Guidance along four waypoints with room for eight."""
    path = tmp_path_factory.mktemp("route") / "route.fmu"
    return export(guidance(PATH), path, capacities={"n": 8}, compiled=request.param)


def resize(one, n):
    one.slave.enterConfigurationMode()
    one.slave.setUInt64(one.references("n"), [n])
    one.slave.exitConfigurationMode()


def test_the_size_is_a_structural_parameter(route, tool):
    one = tool(route).instantiate()
    size = one.variables["n"]
    assert (size.causality, size.type, size.start) == ("structuralParameter", "UInt64", "4")
    assert one.slave.getUInt64(one.references("n")) == [4]
    assert one.get("waypoints", count=12) == [value for row in PATH for value in row]


@pytest.mark.parametrize("n", [2, 3, 6, 8])
def test_an_array_has_as_many_rows_as_its_size_says(route, tool, n):
    one = tool(route).instantiate()
    resize(one, n)
    assert one.slave.getUInt64(one.references("n")) == [n]
    points = [float(value) for value in range(3 * n)]
    one.slave.setFloat64(one.references("waypoints"), points)
    assert one.get("waypoints", count=3 * n) == points
    for wrong in (3 * n - 3, 3 * n + 3):
        with pytest.raises(FMICallException):
            one.get("waypoints", count=wrong)
        assert one.messages[-1] == f"fmi3GetFloat64: waypoints has {3 * n} elements, but nValues is {wrong}"
    one.initialize()
    assert one.get("waypoints", count=3 * n) == points


def test_a_resized_fmu_is_the_model_of_that_size(route, tool):
    for points in ([[0, 0, 0], [10, 10, 0]], [[0, 5, 0], [9, 5, 0], [9, 9, 0], [0, 9, 0], [0, 0, 1]]):
        one = tool(route).instantiate()
        resize(one, len(points))
        one.slave.setFloat64(one.references("waypoints"), [float(v) for row in points for v in row])
        names = one.outputs()
        one.set({"eta": [1.0, 2.0, 0.0, 0.0, 0.0, 0.3]})
        one.initialize()
        inputs = {"eta": [1.0, 2.0, 0.0, 0.0, 0.0, 0.3], "nu": np.zeros(6)}
        result = simulate(guidance(points), 1.0, step=0.02, record=names, inputs=inputs)
        rows = [one.get(*names), *one.run(50, *names)]
        wanted = np.column_stack([result.values(name).reshape(len(result), -1) for name in names])
        np.testing.assert_array_equal(rows, wanted)


def test_reset_brings_the_exported_size_back(route, tool):
    one = tool(route).instantiate()
    resize(one, 2)
    one.initialize()
    one.slave.reset()
    assert one.slave.getUInt64(one.references("n")) == [4]
    assert one.get("waypoints", count=12) == [value for row in PATH for value in row]


def test_the_size_belongs_to_the_saved_state(route, tool):
    one = tool(route).instantiate()
    resize(one, 6)
    one.initialize()
    stored = one.slave.serializeFMUState(one.slave.getFMUState())
    other = tool(route).instantiate()
    state = other.slave.deserializeFMUState(stored)
    other.slave.setFMUState(state)
    assert other.slave.getUInt64(other.references("n")) == [6]
    assert len(other.get("waypoints", count=18)) == 18
    other.slave.freeFMUState(state)


@pytest.mark.parametrize("n", [0, 1, 9, 2**40, 2**64 - 1])
def test_sizes_keep_their_range(route, tool, n):
    one = tool(route).instantiate()
    one.slave.enterConfigurationMode()
    with pytest.raises(FMICallException) as refused:
        one.slave.setUInt64(one.references("n"), [n])
    assert refused.value.status == 2
    assert "fmi3SetUInt64: n must be >= 2 and <= 8, not" in one.messages[-1]
    one.slave.exitConfigurationMode()
    assert one.slave.getUInt64(one.references("n")) == [4]


def test_sizes_are_set_in_configuration_mode_only(route, tool):
    one = tool(route).instantiate()
    with pytest.raises(FMICallException):
        one.slave.setUInt64(one.references("n"), [3])
    assert one.messages[-1] == (
        "fmi3SetUInt64: n is a structural parameter and can be set in configuration mode only: "
        "the instance is instantiated"
    )
    one.slave.enterConfigurationMode()
    for call in (
        lambda: one.set({"eta": [0.0] * 6}),
        lambda: one.initialize(),
        lambda: one.slave.enterConfigurationMode(),
    ):
        with pytest.raises(FMICallException):
            call()
        assert one.messages[-1].endswith("is not allowed now: the instance is in configuration mode")
    one.slave.exitConfigurationMode()
    one.initialize()
    with pytest.raises(FMICallException):
        one.slave.enterConfigurationMode()
    assert one.messages[-1] == (
        "fmi3EnterConfigurationMode: this FMU has no structural parameters that may be changed after initialization"
    )


def test_without_sizes_there_is_no_configuration_mode(exported, tool):
    one = tool(exported("fragile")).instantiate()
    with pytest.raises(FMICallException):
        one.slave.enterConfigurationMode()
    assert one.messages[-1] == "fmi3EnterConfigurationMode: this FMU has no structural parameters"
