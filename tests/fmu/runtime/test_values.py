"""Getting and setting variables: inputs, tunable and fixed parameters, constants, ranges and wrong references."""

from __future__ import annotations

import math

import numpy as np
import pytest
from fmpy.fmi1 import FMICallException

import fmu
from blocks import Diagram, simulate
from blocks.basic import GaussianNoise, Integrator
from blocks.guidance import LineOfSight


def test_a_set_input_is_seen_by_outputs_at_once(exported, tool):
    one = tool(exported("fragile")).instantiate()
    one.set({"u": 4.0})
    one.initialize()
    one.set({"v[1]": 1.0, "v[2]": -1.0})
    assert one.get("mixed[1]", "mixed[2]", "mixed[3]") == [-1.0, -1.0, -1.0]
    one.set({"v[2]": 0.0, "u": 0.5})
    assert one.get("mixed[1]", "mixed[2]", "mixed[3]", "y") == [1.0, 3.0, 5.0, 2.0]


def test_matrix_parameters_are_named_by_row_and_column(exported, tool):
    one = tool(exported("fragile")).instantiate()
    one.set({"u": 1.0, "v[2]": 1.0, "mixer.matrix[3,2]": 60.0})
    one.initialize()
    assert one.get("mixed[1]", "mixed[2]", "mixed[3]") == [2.0, 4.0, 60.0]
    assert one.variables["mixer.matrix[2,1]"].start == "3.0"


def test_a_tunable_parameter_changes_the_run_from_there(models, exported, tool):
    one = tool(exported("guided_vessel")).begin()
    one.run(50, "eta[1]")
    one.set({"plant.vessel.linear_damping[1]": 30.0})
    changed = one.run(200, "nu[1]", first=50)[-1][0]
    usual = simulate(models.guided_vessel(), 5.0, step=models.step, record="nu").values("nu")[-1, 0]
    assert changed < usual - 0.01


def test_a_fixed_parameter_keeps_its_value_after_initialization(exported, tool):
    one = tool(exported("guided_vessel")).instantiate()
    one.set({"plant.vessel.initial_eta[2]": 3.0})
    one.initialize()
    assert one.get("eta[2]") == [3.0]
    with pytest.raises(FMICallException) as refused:
        one.set({"plant.vessel.initial_eta[2]": 4.0})
    assert refused.value.status == 3
    assert one.messages[-1] == (
        "fmi2SetReal: plant.vessel.initial_eta[2] is a fixed parameter and cannot be set after initialization"
    )


def test_setting_a_fixed_parameter_to_its_own_value_is_no_change(exported, tool):
    """As tools do that set all parameters after the initialization, or that write them with 15 digits."""
    one, other = (tool(exported("guided_vessel")).instantiate() for _ in range(2))
    for each in (one, other):
        each.set({"plant.vessel.initial_eta[2]": 1.0 / 3.0})
        each.initialize()
        each.run(3, "nu[1]")
    names = ("plant.vessel.initial_eta[1]", "plant.vessel.initial_eta[2]", "plant.vessel.linear_damping[1]")
    one.set(dict(zip(names, (0.0, float(f"{1.0 / 3.0:.15g}"), *one.get(names[2])), strict=True)))
    assert one.get(*names) == other.get(*names)
    assert one.run(20, "eta[1]", "nu[1]", first=3) == other.run(20, "eta[1]", "nu[1]", first=3)
    held = one.get(names[2])
    with pytest.raises(FMICallException):
        one.set({names[2]: 2.0 * held[0], names[1]: 1.0 / 3.0 + 1e-9})
    assert one.get(names[2]) == held  # all are checked before any is set
    assert "is a fixed parameter" in one.messages[-1]


@pytest.mark.parametrize("name", ["position", "limited"])
def test_outputs_cannot_be_set(exported, tool, name):
    one = tool(exported("mixed")).begin()
    with pytest.raises(FMICallException):
        one.set({name: 1.0})
    assert "cannot be set: it is neither an input nor a parameter" in one.messages[-1]


def test_an_unknown_value_reference_is_refused_by_its_number(exported, tool):
    one = tool(exported("mixed")).begin()
    for call in (lambda: one.slave.getReal([0, 4000000000]), lambda: one.slave.setReal([4000000000], [0.0])):
        with pytest.raises(FMICallException) as refused:
            call()
        assert refused.value.status == 3
        assert "there is no variable with value reference 4000000000" in one.messages[-1]


def test_only_variables_of_the_description_can_be_read(exported, tool):
    one = tool(exported("guided_vessel")).begin()
    known = {v.valueReference for v in one.variables.values() if v.type == "Real"}
    for reference in range(max(known) + 50):
        if reference in known:
            one.slave.getReal([reference])
        else:
            with pytest.raises(FMICallException):
                one.slave.getReal([reference])


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_values_that_are_not_finite_are_refused(exported, tool, value):
    one = tool(exported("mixed")).begin()
    before = one.get("push", "position")
    with pytest.raises(FMICallException) as refused:
        one.set({"push": value})
    assert refused.value.status == 2
    assert "fmi2SetReal: push must be a finite number, not" in one.messages[-1]
    assert one.get("push", "position") == before


def test_parameters_keep_their_ranges(exported, tool):
    one = tool(exported("mixed")).begin()
    constant = "lag.time_constant[1]"
    with pytest.raises(FMICallException) as refused:
        one.set({constant: 0.0})
    assert refused.value.status == 2
    assert one.messages[-1] == f"fmi2SetReal: {constant} must be > 0, not 0"
    assert one.categories[-1] == "logStatusDiscard"
    assert one.get(constant) == [0.4]
    one.set({constant: 1e-3})


def test_of_several_values_either_all_are_set_or_none(exported, tool):
    one = tool(exported("mixed")).begin()
    with pytest.raises(FMICallException):
        one.set({"push": 3.0, "lag.time_constant[1]": -1.0})
    assert one.get("push") == [0.0]


def test_types_do_not_mix(exported, tool):
    one = tool(exported("guided_vessel")).begin()
    enumeration = one.references("autopilot.heading.derivative")
    assert one.slave.getInteger(enumeration) == [3]  # the third choice
    with pytest.raises(FMICallException):
        one.slave.getReal(enumeration)
    assert "autopilot.heading.derivative is not a variable of type Real" in one.messages[-1]
    with pytest.raises(FMICallException):
        one.slave.getBoolean(one.references("eta[1]"))
    with pytest.raises(FMICallException):
        one.slave.getString(one.references("eta[1]"))


@pytest.fixture
def survey(tmp_path):
    """Guidance and noise: enumerations, switches and whole numbers that may be set."""
    diagram = Diagram("survey")
    guidance = diagram.add(
        "guidance", LineOfSight(waypoints=[[0, 0, 0], [20, 0, 5]], acceptance_radius=1.0, cruise_speed=1.0)
    )
    noise = diagram.add("noise", GaussianNoise(period=0.1, seed=3))
    total = diagram.add("total", Integrator())
    diagram.connect(noise.y, total.u)
    diagram.inputs(eta=guidance.eta, nu=guidance.nu)
    diagram.outputs(depth=guidance.depth, waypoint=guidance.waypoint, noise=noise.y, total=total.y)
    return fmu.export(diagram, tmp_path / "survey.fmu", step=0.02)


def test_enumerations_and_switches_that_shape_nothing_are_tunable_parameters(survey, tool):
    one = tool(survey)
    kinds = {name: (v.causality, v.variability, v.type) for name, v in one.variables.items()}
    assert kinds["guidance.switching"] == ("parameter", "tunable", "Enumeration")
    assert kinds["guidance.depth_reference"] == ("local", "constant", "Enumeration")  # it decides the feedthrough
    assert kinds["guidance.lookahead"] == ("parameter", "tunable", "Real")
    assert kinds["guidance.waypoints[2,1]"] == ("parameter", "tunable", "Real")
    assert kinds["noise.period"] == ("local", "constant", "Real")
    assert kinds["noise.seed"] == ("parameter", "tunable", "Real")  # to 2³² - 1, more than FMI's Integer holds

    one.instantiate()
    one.slave.setInteger(one.references("guidance.switching"), [2])
    with pytest.raises(FMICallException) as refused:
        one.slave.setInteger(one.references("guidance.switching"), [3])
    assert refused.value.status == 2
    with pytest.raises(FMICallException):
        one.slave.setInteger(one.references("guidance.depth_reference"), [2])
    one.initialize()
    assert one.slave.getInteger(one.references("guidance.switching")) == [2]
    one.slave.setInteger(one.references("guidance.switching"), [1])
    assert one.slave.getInteger(one.references("guidance.switching")) == [1]


def test_a_seed_gives_another_realisation(survey, tool):
    one = tool(survey).begin()
    first = np.array(one.run(30, "noise"))
    one.slave.reset()
    one.set({"noise.seed": 4})
    one.initialize()
    assert not np.any(np.array(one.run(30, "noise")) == first)
