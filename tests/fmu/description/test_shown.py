"""Which variables an FMU shows: all, those that can be set or connected, or its interface alone."""

from __future__ import annotations

import fmpy
import pytest
from fmpy.fmi1 import FMICallException
from fmpy.validation import validate_fmu
from foreign_checks import complaints

import fmu
from blocks import Diagram
from blocks.basic import FirstOrderLag, Product
from blocks.dynamics import Vessel3DOF
from blocks.errors import ExportError
from blocks.guidance import LineOfSight

INTERFACE = {"input", "output", "independent"}


def shown(component, tmp_path, **how):
    """The variables by name, of an FMU with which nothing is wrong."""
    path = fmu.export(component, tmp_path / "m.fmu", step=0.02, **how)
    assert validate_fmu(str(path)) == []
    assert complaints(path) == []
    return {v.name: v for v in fmpy.read_model_description(path).modelVariables}


def kinds(found):
    return {(v.causality, v.variability) for v in found.values()}


@pytest.mark.parametrize("fmi", ["2.0", "3.0"])
def test_the_interface_alone_is_inputs_and_outputs(models, tmp_path, fmi):
    for make in (models.mixed, models.guided_vessel):
        full = shown(make(), tmp_path, fmi=fmi)
        found = shown(make(), tmp_path, fmi=fmi, interfaces="cs", only_interface=True)
        assert {v.causality for v in found.values()} <= INTERFACE
        assert [*found] == [name for name, v in full.items() if v.causality in INTERFACE]


@pytest.mark.parametrize("fmi", ["2.0", "3.0"])
def test_what_model_exchange_needs_stays(models, tmp_path, fmi):
    full = shown(models.mixed(), tmp_path, fmi=fmi)
    found = shown(models.mixed(), tmp_path, fmi=fmi, only_interface=True)
    assert [*found] == [
        name for name, v in full.items()
        if v.causality in INTERFACE or (v.causality == "local" and v.variability != "constant")
    ]  # fmt: skip
    assert {"lag.x", "der(lag.x)"} <= {name.replace("lag.x[1]", "lag.x") for name in found}


def test_an_fmu_for_co_simulation_shows_nothing_that_is_calculated(models, tmp_path):
    """But for locals on request; with model exchange, and by `only_interface=False`, it is there."""
    diagram = Diagram("two")
    diagram.add("vessel", Vessel3DOF(mass=23.8, yaw_inertia=1.76))  # has a mass matrix
    diagram.add("autopilot", models.guided_vessel()["autopilot"].copy())  # has constants
    diagram.connect("autopilot.force", "vessel.force")
    diagram.connect("vessel.eta", "autopilot.eta")
    diagram.connect("vessel.nu", "autopilot.nu")
    diagram.outputs(eta="vessel.eta")
    by_default = shown(diagram, tmp_path, interfaces="cs")
    assert {v.causality for v in by_default.values()} == {"output", "parameter"}
    calculated = {("calculatedParameter", "tunable"), ("local", "constant")}
    for how in ({}, {"interfaces": "cs", "local_variables": True}, {"interfaces": "cs", "only_interface": False}):
        found = shown(diagram, tmp_path, **how)
        assert calculated <= kinds(found)
        assert [n for n, v in found.items() if v.causality in ("output", "parameter")] == [*by_default]
    assert ("local", "continuous") not in kinds(found)


def test_parameters_are_shown_by_name_by_block_and_by_pattern(models, tmp_path):
    def named(*wanted, **how):
        found = shown(models.guided_vessel(), tmp_path, interfaces="cs", parameters=wanted, **how)
        return [name for name, v in found.items() if v.causality == "parameter"]

    for name in ("autopilot.heading.lower", "autopilot.heading.lower[1]"):
        assert named(name, only_interface=True) == ["autopilot.heading.lower[1]"]
    assert named("autopilot.guidance") == [
        f"autopilot.guidance.{name}" for name in ("course", "lookahead", "origin[1]", "origin[2]")
    ]
    assert named("*.lower", "autopilot.cruise.*")[:2] == ["autopilot.heading.lower[1]", "autopilot.speed.lower[1]"]
    assert len(named("plant", "autopilot")) == len(named("*"))
    assert named(only_interface=True) == named() == []
    one = shown(models.guided_vessel(), tmp_path, interfaces="cs", parameters="autopilot.heading.lower")
    assert "autopilot.heading.lower[1]" in one


def test_parameters_that_do_not_exist_are_refused(models, tmp_path):
    for wanted in ("autopilot.heading.lowr", "autopilot.heading.*r.*"):
        with pytest.raises(
            ExportError, match=r"no parameter 'autopilot\.heading.*' to show: name one, a block for all"
        ):
            shown(models.guided_vessel(), tmp_path, parameters=[wanted])
    with pytest.raises(ExportError, match=r"did you mean 'autopilot\.heading\.lower'"):
        shown(models.guided_vessel(), tmp_path, parameters=["autopilot.heading.lowr"])
    with pytest.raises(ExportError, match=r"by their names, such as 'heading\.integral_gain', not 3"):
        shown(models.guided_vessel(), tmp_path, parameters=[3])


def test_sizes_go_with_what_they_count(tmp_path):
    block = LineOfSight(waypoints=[[0, 0, 0], [9, 3, 1]], acceptance_radius=1.0, cruise_speed=1.0)
    how = {"fmi": "3.0", "interfaces": "cs", "only_interface": True}
    assert {"n", "waypoints"} <= {*shown(block, tmp_path, **how, parameters="waypoints", capacities={"n": 5})}
    assert "n" not in shown(block, tmp_path, **how, parameters="cruise_speed")
    with pytest.raises(ExportError, match="'n' has a capacity and is not shown: show what it counts, waypoints"):
        shown(block, tmp_path, **how, capacities={"n": 5})


def test_what_is_not_shown_can_neither_be_read_nor_set(models, tmp_path, tool):
    how = {"step": models.step, "interfaces": "cs"}
    whole = tool(fmu.export(models.mixed(), tmp_path / "whole.fmu", **how)).begin()
    bare = fmu.export(models.mixed(), tmp_path / "bare.fmu", **how, only_interface=True, parameters="lag")
    one = tool(bare).begin()
    hidden = whole.references("wave.amplitude[1]")
    for call in (one.slave.getReal, lambda those: one.slave.setReal(those, [1.0])):
        with pytest.raises(FMICallException):
            call(hidden)
        assert f"there is no variable with value reference {hidden[0]}" in one.messages[-1]
    for other in (whole, one):
        other.set({"lag.time_constant[1]": 0.3})
    names = one.outputs()
    assert one.run(40, *names) == whole.run(40, *names)
    state = one.slave.getFMUstate()
    ahead = one.run(20, *names, first=40)
    one.slave.setFMUstate(state)
    assert one.run(20, *names, first=40) == ahead
    one.slave.freeFMUstate(state)


def test_messages_name_what_is_not_shown(tmp_path, tool):
    diagram = Diagram("hidden")
    diagram.add("inverse", Product("/"))
    diagram.add("lag", FirstOrderLag(0.5))
    diagram.connect("inverse.y", "lag.u")
    diagram.inputs(u="inverse.in1")
    diagram.outputs(y="lag.y")
    one = tool(fmu.export(diagram, tmp_path / "m.fmu", step=0.02, interfaces="cs", only_interface=True))
    assert [*one.variables] == ["u", "y"]
    one.begin(inputs={"u": 2.0})
    one.set({"u": 0.0})
    with pytest.raises(FMICallException):
        one.step(0.0)
    assert "inverse: output y is not a finite number" in one.messages[-1]


def test_a_diagram_without_outputs_shows_nothing_but_says_so(tmp_path):
    diagram = Diagram("closed")
    diagram.add("lag", FirstOrderLag(0.5))
    diagram.inputs(u="lag.u")
    with pytest.warns(fmu.ExportWarning, match="'closed' has no outputs: nothing is seen"):
        assert [*shown(diagram, tmp_path, interfaces="cs", only_interface=True)] == ["u"]
    with pytest.warns(fmu.ExportWarning, match="only local variables|local variables, which"):
        assert "lag.y" in {name.partition("[")[0] for name in shown(diagram, tmp_path, interfaces="cs")}
