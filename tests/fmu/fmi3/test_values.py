"""Getting and setting arrays of FMI 3: types, numbers of elements, limits, and what may be read or set when."""

from __future__ import annotations

import math

import pytest
from fmpy.fmi1 import FMICallException

from blocks import Diagram
from blocks.basic import GaussianNoise, Integrator
from blocks.control import PID
from blocks.guidance import LineOfSight


@pytest.fixture
def survey(export, tmp_path):
    """Guidance, noise and a controller: enumerations, switches and numbers that may be set."""
    diagram = Diagram("survey")
    guidance = diagram.add(
        "guidance", LineOfSight(waypoints=[[0, 0, 0], [20, 0, 5]], acceptance_radius=1.0, cruise_speed=1.0)
    )
    noise = diagram.add("noise", GaussianNoise(period=0.1, seed=3))
    total = diagram.add("total", Integrator())
    control = diagram.add("control", PID(2.0, 0.1, derivative="none"))
    diagram.connect(noise.y, total.u, control.measurement)
    diagram.connect(guidance.heading, control.reference)
    diagram.inputs(eta=guidance.eta, nu=guidance.nu)
    diagram.outputs(depth=guidance.depth, noise=noise.y, total=total.y, command=control.output)
    return export(diagram, tmp_path / "survey.fmu")


def refused(one, call, status=3):
    with pytest.raises(FMICallException) as error:
        call()
    assert error.value.status == status
    return one.messages[-1]


def test_a_vector_is_one_variable(exported, tool):
    one = tool(exported("fragile")).instantiate()
    one.set({"u": 4.0})
    one.initialize()
    one.set({"v": [1.0, -1.0]})
    assert one.get("mixed") == [-1.0, -1.0, -1.0]
    one.set({"v": [1.0, 0.0], "u": 0.5})
    assert one.get("y", "mixed", "v") == [2.0, 1.0, 3.0, 5.0, 1.0, 0.0]


def test_a_matrix_goes_row_by_row(exported, tool):
    one = tool(exported("fragile")).instantiate()
    assert one.get("mixer.matrix") == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    one.set({"u": 1.0, "v": [0.0, 1.0], "mixer.matrix": [1, 20, 3, 40, 5, 60]})
    one.initialize()
    assert one.get("mixed") == [20.0, 40.0, 60.0]


@pytest.mark.parametrize("given", [1, 5, 7])
def test_the_number_of_values_is_that_of_the_elements(exported, tool, given):
    one = tool(exported("fragile")).instantiate()
    matrix = one.references("mixer.matrix")
    told = f"mixer.matrix has 6 elements, but nValues is {given}"
    assert told in refused(one, lambda: one.slave.getFloat64(matrix, nValues=given))
    assert told in refused(one, lambda: one.slave.setFloat64(matrix, [0.0] * given))
    assert one.get("mixer.matrix") == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    several = one.references("u", "v")
    told = refused(one, lambda: one.slave.setFloat64(several, [0.0] * 4))
    assert told == "fmi3SetFloat64: the 2 variables have 3 elements together, but nValues is 4"


def test_time_is_a_variable(models, export, tool, tmp_path):
    one = tool(export(models.mixed(), tmp_path / "late.fmu", start=5.0)).instantiate()
    assert one.variables["time"].causality == "independent"
    assert one.get("time") == [5.0]
    one.initialize(start=2.0)
    assert one.get("time") == [2.0]
    one.step(2.0)
    assert one.get("time", "push") == [2.02, 0.0]
    assert "time cannot be set" in refused(one, lambda: one.set({"time": 0.0}))


def test_derivatives_can_be_read_at_any_time(exported, tool):
    one = tool(exported("mixed")).instantiate()
    one.slave.enterInitializationMode()
    one.set({"position.initial_x": 0.5})
    assert one.get("der(position.x)") == one.get("lag.x")
    one.slave.exitInitializationMode()
    one.set({"push": 3.0})
    for k in range(5):
        one.step(k * 0.02)
        assert one.get("der(position.x)") == one.get("lag.x")
        (x,) = one.get("lag.x")
        one.set({"push": 3.0 + k})
        (load,) = one.get("der(lag.x)")
        one.set({"push": 4.0 + k})
        assert one.get("der(lag.x)") == [pytest.approx(load + 1.0 / 0.4)]
        assert one.get("lag.x") == [x]


def test_before_initialization_start_values_can_be_read(exported, tool):
    one = tool(exported("mixed")).instantiate()
    assert one.get("push", "lag.time_constant", "position.initial_x") == [0.0, 0.4, 0.25]
    one.set({"lag.time_constant": 0.3})
    assert one.get("lag.time_constant") == [0.3]
    assert refused(one, lambda: one.get("position")) == (
        "fmi3GetFloat64: position has no value before initialization: the instance is instantiated"
    )


def test_fixed_parameters_keep_their_values_after_initialization(exported, tool):
    one = tool(exported("guided_vessel")).instantiate()
    one.set({"plant.vessel.initial_eta": [0, 3, 0, 0, 0, 1]})
    one.initialize()
    assert one.get("eta")[1] == 3.0
    assert refused(one, lambda: one.set({"plant.vessel.initial_eta": [0.0] * 6})) == (
        "fmi3SetFloat64: plant.vessel.initial_eta is a fixed parameter and cannot be set after initialization"
    )


def test_setting_a_fixed_parameter_to_its_own_value_is_no_change(exported, tool):
    one, other = (tool(exported("guided_vessel")).begin() for _ in range(2))
    own = one.get("plant.vessel.initial_eta")
    one.set({"plant.vessel.initial_eta": own, "plant.vessel.linear_damping": one.get("plant.vessel.linear_damping")})
    assert one.run(20, "eta", "nu") == other.run(20, "eta", "nu")
    before = one.get("plant.vessel.linear_damping")
    assert "is a fixed parameter" in refused(
        one,
        lambda: one.set({"plant.vessel.linear_damping": [9.0] * 3, "plant.vessel.initial_eta": [*own[:5], 0.5]}),
    )
    assert one.get("plant.vessel.linear_damping") == before


def test_tunable_parameters_change_the_run_from_there(exported, tool):
    usual, changed = (tool(exported("guided_vessel")).begin() for _ in range(2))
    usual.run(50, "eta")
    assert changed.run(50, "eta")[-1] == usual.get("eta")
    changed.set({"plant.vessel.linear_damping": [30.0, 10.193, 4.63]})
    assert changed.run(100, "nu", first=50)[-1][0] < usual.run(100, "nu", first=50)[-1][0] - 0.01


@pytest.mark.parametrize("name", ["position", "der(lag.x)", "lag.x"])
def test_what_is_computed_cannot_be_set(exported, tool, name):
    one = tool(exported("mixed")).begin()
    told = refused(one, lambda: one.set({name: 1.0}))
    assert told == f"fmi3SetFloat64: {name} cannot be set: it is neither an input nor a parameter"


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_values_that_are_not_finite_are_refused(exported, tool, value):
    one = tool(exported("fragile")).instantiate()
    one.set({"u": 1.0, "v": [1.0, 2.0]})
    one.initialize()
    told = refused(one, lambda: one.set({"u": 5.0, "v": [3.0, value]}), status=2)
    assert told.startswith("fmi3SetFloat64: v, element 2, must be a finite number, not ")
    assert one.get("u", "v") == [1.0, 1.0, 2.0]


def test_parameters_keep_their_ranges(exported, tool):
    one = tool(exported("mixed")).begin()
    told = refused(one, lambda: one.set({"push": 3.0, "lag.time_constant": 0.0}), status=2)
    assert told == "fmi3SetFloat64: lag.time_constant must be > 0, not 0"
    assert one.categories[-1] == "logStatusDiscard"
    assert one.get("push", "lag.time_constant") == [0.0, 0.4]


def test_enumerations_count_from_one(survey, tool):
    one = tool(survey).instantiate()
    switching = one.references("guidance.switching")
    assert one.slave.getInt64(switching) == [1]
    one.slave.setInt64(switching, [2])
    told = refused(one, lambda: one.slave.setInt64(switching, [3]), status=2)
    assert "guidance.switching must be" in told
    assert one.slave.getInt64(switching) == [2]
    one.initialize()
    assert one.slave.getInt64(switching) == [2]
    one.slave.setInt64(switching, [1])
    assert one.slave.getInt64(switching) == [1]
    constant = one.references("guidance.depth_reference")  # it decides the feedthrough
    assert "neither an input nor a parameter" in refused(one, lambda: one.slave.setInt64(constant, [1]))


def test_booleans(survey, tool):
    one = tool(survey).instantiate()
    names = [n for n, v in one.variables.items() if v.type == "Boolean" and v.causality == "parameter"]
    switches = one.references(*names)
    assert one.slave.getBoolean(switches) == [one.variables[name].start == "true" for name in names]
    one.slave.setBoolean(switches, [True] * len(names))
    assert one.slave.getBoolean(switches) == [True] * len(names)


def test_types_do_not_mix(survey, tool):
    one = tool(survey).begin()
    reals, choices = one.references("total"), one.references("guidance.switching")
    assert refused(one, lambda: one.slave.getFloat64(choices)) == (
        "fmi3GetFloat64: guidance.switching is not of type Float64 but of type Enumeration (Int64)"
    )
    absent = ("Float32", "Int8", "UInt8", "Int16", "UInt16", "UInt32")
    for kind in (*absent, "Int32", "UInt64", "Boolean", "String", "Binary"):
        told = refused(one, lambda kind=kind: getattr(one.slave, f"get{kind}")(reals))
        assert told == f"fmi3Get{kind}: total is not of type {kind} but of type Float64"
    for kind in absent:
        told = refused(one, lambda kind=kind: getattr(one.slave, f"set{kind}")(reals, [0]))
        assert told == f"fmi3Set{kind}: total is not of type {kind} but of type Float64"
    assert "is not of type Clock" in refused(one, lambda: one.slave.setClock(reals, [True]))


def test_unknown_value_references_are_refused_by_number(exported, tool):
    one = tool(exported("mixed")).begin()
    last = max(v.valueReference for v in one.variables.values())
    for reference in (last + 1, 4000000000):
        for call in (
            lambda reference=reference: one.slave.getFloat64([1, reference]),
            lambda reference=reference: one.slave.setFloat64([reference], [0.0]),
            lambda reference=reference: one.slave.getUInt64([reference]),
            lambda reference=reference: one.slave.getDirectionalDerivative([reference], [1], [1.0]),
        ):
            assert f"there is no variable with value reference {reference}" in refused(one, call)


def test_every_variable_of_the_description_can_be_read_in_its_type(survey, exported, tool):
    for path in (survey, exported("guided_vessel"), exported("mixed")):
        one = tool(path).begin()
        for name, variable in one.variables.items():
            kind = {"Enumeration": "Int64"}.get(variable.type, variable.type)
            if kind == "Clock":
                continue
            values = getattr(one.slave, f"get{kind}")(one.references(name), nValues=one.count(name))
            assert len(values) == one.count(name)


def test_what_is_not_offered_says_so(exported, tool):
    one = tool(exported("mixed")).begin()
    slave = one.slave
    for call, text in (
        (lambda: slave.getOutputDerivatives([2], [1]), 'maxOutputDerivativeOrder="0"'),
        (lambda: slave.fmi3ActivateModelPartition(slave.component, 0, 0.0), "nothing of ScheduledExecution"),
    ):
        assert text in refused(one, call)
    assert slave.getOutputDerivatives([], []) == []


def test_reading_an_output_that_is_not_finite_is_an_error(exported, tool):
    one = tool(exported("fragile")).instantiate()
    one.set({"u": 1.0})
    one.initialize()
    one.set({"u": 0.0})
    assert "inverse: output y" in refused(one, lambda: one.get("mixed", "y"))
    assert "the instance is in error" in refused(one, lambda: one.step(0.0))
