"""modelDescription.xml: valid by FMPy's judgement, complete, and true."""

from __future__ import annotations

from zipfile import ZipFile

import fmpy
import numpy as np
import pytest
from fmpy.validation import validate_fmu

import fmu
from blocks import Diagram
from blocks.basic import Constant, Gain, TransferFunction
from blocks.control import PID
from blocks.dynamics import Vessel3DOF, Vessel6DOF
from blocks.environment import UniformCurrent
from blocks.guidance import LineOfSight
from blocks.power import EnergyMeter


def single_blocks():
    """Blocks whose FMUs are exported alone."""
    return [
        Gain([1.0, 2.0]),
        TransferFunction([1.0], [1.0, 2.0, 1.0]),
        PID(1.0, 0.1, 2.0),
        LineOfSight(waypoints=[[0, 0, 0], [9, 3, 1]], acceptance_radius=1.0, cruise_speed=1.0),
        UniformCurrent(),
        EnergyMeter(),
        Vessel3DOF(mass=23.8, yaw_inertia=1.76),
        Vessel6DOF(rigid_body_inertia=np.diag([10.0, 10, 10, 1, 1, 1])),
    ]


@pytest.mark.parametrize("name", ["guided_vessel", "plant", "autopilot", "mixed", "fragile"])
def test_descriptions_of_diagrams_are_valid(exported, name):
    assert validate_fmu(str(exported(name))) == []


@pytest.mark.parametrize("block", single_blocks(), ids=lambda block: type(block).__name__)
def test_descriptions_of_blocks_are_valid(block, tmp_path):
    assert validate_fmu(str(fmu.export(block, tmp_path / "block.fmu"))) == []


@pytest.fixture(scope="module")
def plant(exported):
    return fmpy.read_model_description(exported("plant"))


@pytest.fixture(scope="module")
def variables(plant):
    return {v.name: v for v in plant.modelVariables}


def test_names_say_where_a_variable_belongs(variables):
    assert {"force[1]", "eta[6]", "vessel.inertia[3]", "vessel.initial_eta[6]"} <= set(variables)


def test_units_displays_and_descriptions(plant, variables):
    heading = variables["eta[6]"]
    assert (heading.unit, heading.displayUnit, heading.quantity) == ("rad", "deg", "Angle")
    assert heading.description.endswith(": psi (ned)")
    assert variables["force[6]"].unit == "N.m"
    assert variables["force[1]"].unit == "N"
    defined = {unit.name: unit for unit in plant.unitDefinitions}
    assert (defined["N"].baseUnit.kg, defined["N"].baseUnit.m, defined["N"].baseUnit.s) == (1, 1, -2)
    assert {d.name for d in defined["m/s"].displayUnits} == {"kn", "km/h"}
    assert all(v.description for v in plant.modelVariables)


def test_start_values_and_ranges(variables):
    assert float(variables["vessel.initial_eta[2]"].start) == 10.0
    assert float(variables["vessel.inertia[1]"].start) == 9.75
    assert variables["eta[1]"].start is None
    assert float(variables["force[1]"].start) == 0.0


def test_ranges_become_min_and_max(exported):
    found = {v.name: v for v in fmpy.read_model_description(exported("mixed")).modelVariables}
    assert float(found["lag.time_constant[1]"].min) == 0.0
    assert found["lag.time_constant[1]"].max is None
    assert found["push"].min is None


def test_causality_variability_and_initial(exported):
    found = {v.name: v for v in fmpy.read_model_description(exported("mixed")).modelVariables}
    kinds = {name: (v.causality, v.variability) for name, v in found.items()}
    assert kinds["push"] == ("input", "continuous")
    assert kinds["position"] == ("output", "continuous")
    assert kinds["delayed"] == ("output", "discrete")
    assert kinds["count"] == ("output", "discrete")
    assert kinds["lag.time_constant[1]"] == ("parameter", "tunable")
    assert kinds["position.initial_x[1]"] == ("parameter", "fixed")
    assert kinds["delayed.period"] == ("local", "constant")


def test_equal_values_share_a_reference_and_others_do_not(exported):
    for name in ("guided_vessel", "mixed", "fragile"):
        described = fmpy.read_model_description(exported(name))
        settable = [v.valueReference for v in described.modelVariables if v.causality in ("input", "parameter")]
        assert len(set(settable)) == len(settable)


def test_an_enumeration_has_its_type(tmp_path):
    block = LineOfSight(waypoints=[[0, 0, 0], [9, 3, 1]], acceptance_radius=1.0, cruise_speed=1.0, at_end="loop")
    described = fmpy.read_model_description(fmu.export(block, tmp_path / "los.fmu"))
    variable = {v.name: v for v in described.modelVariables}["at_end"]
    assert variable.type == "Enumeration"
    assert [item.name for item in variable.declaredType.items] == ["hold", "loop"]
    assert variable.declaredType.items[int(variable.start) - 1].name == "loop"


def test_the_default_experiment_is_that_of_the_export(models, tmp_path):
    path = fmu.export(models.mixed(), tmp_path / "m.fmu", step=0.05, start=1.0, end="2 min", solver="dopri5")
    experiment = fmpy.read_model_description(path).defaultExperiment
    assert (experiment.startTime, experiment.stopTime, experiment.stepSize) == ("1.0", "120.0", "0.05")
    assert float(experiment.tolerance) == 1e-6


def test_local_variables_on_request(models, tmp_path, tool):
    path = fmu.export(models.guided_vessel(), tmp_path / "m.fmu", step=models.step, local_variables=True)
    assert validate_fmu(str(path)) == []
    one = tool(path).begin()
    one.run(10, "eta[1]")
    assert one.get("plant.vessel.eta[6]") == one.get("eta[6]")
    assert one.variables["autopilot.speed.output"].causality == "local"


def test_a_diagram_without_outputs_shows_its_inside(tmp_path, tool):
    diagram = Diagram("closed")
    diagram.add("source", Constant(3.0))
    one = tool(fmu.export(diagram, tmp_path / "closed.fmu")).begin()
    assert one.get("source.y") == [3.0] or one.get("source.y[1]") == [3.0]


def test_parts_of_a_diagram_know_the_types_of_what_is_wired_to_them(exported):
    """`nu` of the autopilot feeds selectors only, which take any signal."""
    found = {v.name: v for v in fmpy.read_model_description(exported("autopilot")).modelVariables}
    assert [found[f"nu[{i}]"].unit for i in (1, 6)] == ["m/s", "rad/s"]
    assert "nu[7]" not in found


def test_documentation_tells_about_blocks_and_variables(exported):
    with ZipFile(exported("guided_vessel")) as archive:
        page = archive.read("documentation/index.html").decode()
    for text in ("A vessel that follows a course line", "guidance.CourseLine", "ψ_d = χ - atan(y_e/Δ)", "eta[6]"):
        assert text in page
