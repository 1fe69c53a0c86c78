"""modelDescription.xml of FMI 2.0: valid by FMPy's judgement, complete, and true."""

from __future__ import annotations

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
    assert (heading.unit, heading.displayUnit, heading.declaredType.quantity) == ("rad", "deg", "Angle")
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
    assert [item.name for item in variable.declaredType.items] == ["hold", "loop_"]
    assert variable.declaredType.items[int(variable.start) - 1].name == "loop_"


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


def test_a_diagram_without_outputs_shows_its_inside_and_says_so(tmp_path, tool):
    diagram = Diagram("closed")
    diagram.add("source", Constant(3.0))
    with pytest.warns(fmu.ExportWarning, match=r"'closed' has no outputs: .*local.*outputs.y='source.y'"):
        one = tool(fmu.export(diagram, tmp_path / "closed.fmu")).begin()
    assert one.get("source.y") == [3.0] or one.get("source.y[1]") == [3.0]


def test_parts_of_a_diagram_know_the_types_of_what_is_wired_to_them(exported):
    """`nu` of the autopilot feeds selectors only, which take any signal."""
    found = {v.name: v for v in fmpy.read_model_description(exported("autopilot")).modelVariables}
    assert [found[f"nu[{i}]"].unit for i in (1, 6)] == ["m/s", "rad/s"]
    assert "nu[7]" not in found


def test_an_fmu_is_for_both_interfaces_or_for_one(models, tmp_path):
    def described(*interfaces):
        path = fmu.export(models.mixed(), tmp_path / "m.fmu", interfaces=interfaces)
        assert validate_fmu(str(path)) == []
        return fmpy.read_model_description(path)

    both, cs, me = described("cs", "me"), described("cs"), described("me")
    assert (both.modelExchange is None, both.coSimulation is None) == (False, False)
    assert (cs.modelExchange is None, cs.coSimulation is None) == (True, False)
    assert (me.modelExchange is None, me.coSimulation is None) == (False, True)
    assert both.numberOfEventIndicators == me.numberOfEventIndicators > cs.numberOfEventIndicators == 0
    assert (both.numberOfContinuousStates, cs.numberOfContinuousStates) == (2, 0)


def test_capabilities(plant):
    assert plant.coSimulation.canInterpolateInputs
    assert plant.coSimulation.canHandleVariableCommunicationStepSize
    for interface in (plant.coSimulation, plant.modelExchange):
        assert interface.providesDirectionalDerivative
        assert interface.canSerializeFMUstate
    assert plant.modelExchange.needsCompletedIntegratorStep


def test_states_and_derivatives_refer_to_each_other(plant, variables):
    pairs = [(u.variable.name, u.variable.derivative.name) for u in plant.derivatives]
    assert pairs == [(f"der(vessel.{s}[{i}])", f"vessel.{s}[{i}]") for s in ("eta", "nu") for i in range(1, 7)]
    assert (variables["der(vessel.nu[6])"].unit, variables["der(vessel.nu[1])"].unit) == ("rad/s2", "m/s2")
    for i in range(1, 7):  # the output is the state
        assert variables[f"vessel.nu[{i}]"].valueReference == variables[f"nu[{i}]"].valueReference


def test_dependencies_know_states_and_start_values_by_element(plant):
    outputs = {u.variable.name: u for u in plant.outputs}
    assert [v.name for v in outputs["eta[6]"].dependencies] == ["vessel.eta[6]"]
    assert outputs["eta[6]"].dependenciesKind == ["constant"]
    derivatives = {u.variable.name: [v.name for v in u.dependencies] for u in plant.derivatives}
    assert derivatives["der(vessel.eta[6])"] == ["vessel.nu[6]"]  # 3 degrees of freedom: the yaw rate
    assert "force[6]" in derivatives["der(vessel.nu[6])"]
    assert "force[1]" not in derivatives["der(vessel.nu[6])"]
    initial = {u.variable.name: u for u in plant.initialUnknowns}
    assert [v.name for v in initial["vessel.eta[2]"].dependencies] == ["vessel.initial_eta[2]"]
    assert initial["vessel.eta[2]"].dependenciesKind == ["constant"]


def test_initial_unknowns_are_in_the_order_of_the_variables(plant):
    place = {v.name: i for i, v in enumerate(plant.modelVariables)}
    order = [place[u.variable.name] for u in plant.initialUnknowns]
    assert order == sorted(order)


def test_a_calculated_parameter_depends_on_what_it_is_calculated_from(tmp_path):
    block = Vessel3DOF(mass=23.8, yaw_inertia=1.76)
    described = fmpy.read_model_description(fmu.export(block, tmp_path / "v.fmu"))
    found = {v.name: v for v in described.modelVariables}["mass_matrix[1,1]"]
    assert (found.causality, found.variability, found.start) == ("calculatedParameter", "tunable", None)
    known = {u.variable.name: {v.name for v in u.dependencies} for u in described.initialUnknowns}
    assert "mass" in known["mass_matrix[1,1]"]
    assert not any(name.startswith("linear_damping") for name in known["mass_matrix[1,1]"])


def test_who_made_a_model_and_its_terms(models, tmp_path):
    notes = {"author": "A. Sailor", "version": "1.2", "copyright": "© 2026 & Co", "license": "<CC BY 4.0>"}
    described = fmpy.read_model_description(fmu.export(models.mixed(), tmp_path / "m.fmu", **notes))
    assert {name: getattr(described, name) for name in notes} == notes


def test_text_that_xml_cannot_hold_is_replaced(tmp_path):
    diagram = Diagram("odd", title='A "vessel"\x07 & <more>\nthan one line')
    diagram.add("source", Constant(3.0))
    diagram.outputs(y="source.y")
    described = fmpy.read_model_description(fmu.export(diagram, tmp_path / "m.fmu"))
    assert described.description == 'A "vessel"\N{REPLACEMENT CHARACTER} & <more> than one line'


def test_a_block_alone_takes_inputs_of_the_shape_that_is_wanted(tmp_path):
    path = fmu.export(Gain(2.0), tmp_path / "gain.fmu", input_shapes={"u": 3})
    assert validate_fmu(str(path)) == []
    names = [v.name for v in fmpy.read_model_description(path).modelVariables]
    assert {"u[1]", "u[3]", "y[3]"} <= set(names)
    assert "u[4]" not in names
