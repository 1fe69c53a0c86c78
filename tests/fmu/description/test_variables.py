"""The variables of an FMU, before any version of FMI: names, places, and what may be done with them."""

from __future__ import annotations

import pytest

from blocks import Diagram
from blocks.basic import Constant, DiscreteIntegrator, GaussianNoise, Integrator, UnitDelay
from blocks.dynamics import Vessel3DOF
from blocks.errors import ExportError
from blocks.guidance import LineOfSight
from blocks.plan import make_plan
from blocks.thrust import PropellerThrusters
from fmu.description.catalogue import catalogue
from fmu.description.dependencies import Dependencies
from fmu.description.description3 import value_references
from fmu.description.model import Model
from fmu.description.variables import Variable
from fmu.exporting.resources import stored_variables, with_token

PROPELLERS = {
    "allocation_matrix": [[1.0], [0.0], [0.0], [0.0], [0.0], [0.3]],
    "diameter": [0.2],
    "thrust_coefficient_forward": [-0.2, -0.3, -0.2, 0.4],
    "thrust_coefficient_reverse": [-0.2, -0.3, -0.2, 0.3],
    "advance_range_forward": [-1.0, 0.9],
    "advance_range_reverse": [-1.0, 0.9],
    "speed_limit_forward": 25.0,
    "speed_limit_reverse": 20.0,
    "response": "first_order",
}


def listed(component, *, local_variables=False, continuous=True, **settings):
    """The variables of a component by name, and its plan."""
    plan = make_plan(component, **settings)
    alone = not isinstance(component, Diagram)
    found = catalogue(plan, alone=alone, local_variables=local_variables, continuous=continuous)
    return {v.name: v for v in found}, plan


def test_states_stand_where_the_plan_has_them_and_derivatives_behind(models):
    found, plan = listed(models.mixed())
    states = [v for v in found.values() if v.role == "state"]
    assert [v.name for v in states] == ["lag.x", "position.x"]
    first = plan.continuous_states.start
    assert [v.place.first for v in states] == [first, first + 1]
    assert [found[f"der({v.name})"].place.first for v in states] == [plan.regions.dx, plan.regions.dx + 1]


def test_event_indicators_follow_each_other_in_the_plan(models):
    found, plan = listed(models.mixed())
    places = [(v.name, v.place.first - plan.regions.g, v.place.count) for v in found.values() if v.role == "indicator"]
    assert places == [("limited.crossings", 0, 2), ("above.crossings", 2, 1)]


def test_without_model_exchange_there_are_no_states(models):
    found, _ = listed(models.mixed(), continuous=False)
    assert not {v.role for v in found.values()} & {"state", "derivative", "indicator"}


def test_an_output_of_a_block_alone_that_is_a_state_is_one_variable():
    found, _ = listed(Integrator())
    assert found["x"].state == ("integrator", "x")  # the state x is the output y, which has another name
    assert found["y"].state is None
    found, _ = listed(Vessel3DOF(mass=23.8, yaw_inertia=1.76))
    assert (found["eta"].causality, found["eta"].state) == ("output", ("vessel_3dof", "eta"))
    assert found["der(eta)"].state == ("vessel_3dof", "eta")


def test_a_state_that_is_not_the_output_of_its_name_has_another():
    found, _ = listed(PropellerThrusters(**PROPELLERS))
    assert found["speed"].causality == "output"
    assert found["speed_state"].role == "state"
    assert found["der(speed_state)"].state == ("propeller_thrusters", "speed")


def test_elements_of_a_derivative_have_their_index_inside():
    found, _ = listed(Vessel3DOF(mass=23.8, yaw_inertia=1.76))
    assert found["der(nu)"].elements()[:2] == ["der(nu[1])", "der(nu[2])"]
    assert found["mass_matrix"].elements()[2:4] == ["mass_matrix[1,3]", "mass_matrix[2,1]"]
    assert found["mass"].elements() == ["mass"]


def test_clocks_are_called_after_what_samples(tmp_path):
    diagram = Diagram("sampled")
    inside = diagram.add("inside", Diagram())
    for name, block in {
        "noise": GaussianNoise(period=0.1), "other": GaussianNoise(period=0.1), "slow": GaussianNoise(period=0.5),
    }.items():  # fmt: skip
        inside.add(name, block)
    inside.outputs(y="noise.y")
    diagram.add("delay", UnitDelay(period=0.2))
    diagram.add("count", DiscreteIntegrator(period=0.2))
    diagram.connect("inside.y", "delay.u", "count.u")
    found, _ = listed(diagram)
    clocks = {v.name: v.place.first for v in found.values() if v.role == "clock"}
    assert clocks == {"inside.clock": 0, "inside.slow.clock": 1, "clock": 2}
    assert [v.name for v in listed(UnitDelay(period=0.2))[0].values() if v.role == "clock"] == ["clock"]


def test_a_size_has_room_and_its_parameters_know_it():
    block = LineOfSight(waypoints=[[0, 0, 0], [9, 3, 1]], acceptance_radius=1.0, cruise_speed=1.0)
    found, plan = listed(block, capacities={"n": 5})
    size = found["n"]
    assert (size.start, size.limits.low, size.limits.high) == ([2.0], 2.0, 5.0)
    assert size.place.first == plan.numbers["line_of_sight.n"]
    waypoints = found["waypoints"]
    assert (waypoints.size, waypoints.place.shape, len(waypoints.start)) == ("n", (5, 3), 6)


def test_names_must_differ():
    diagram = Diagram("twice")
    diagram.add("gain", Integrator())
    diagram.inputs(speed="gain.u")
    diagram.outputs(speed="gain.y")
    with pytest.raises(ExportError, match="the input and the output 'speed' have the same name"):
        listed(diagram)


def test_value_references_leave_aliases_out(models):
    found, _ = listed(models.mixed(), local_variables=True)
    references = value_references(found.values())
    aliases = [v for v in found.values() if v.alias_of]
    assert [v.name for v in aliases] == ["lag.y", "position.y"]
    assert not {v.name for v in aliases} & set(references)
    assert sorted(references.values()) == list(range(len(found) - len(aliases)))


def test_stored_tables_count_what_there_is(models):
    diagram = models.mixed()
    found, plan = listed(diagram)
    variables: list[Variable] = list(found.values())
    model = Model("mixed", "mixed", "", diagram, plan, ("cs", "me"), variables)
    dependencies = Dependencies(model, value_references(variables))
    with_arrays = stored_variables(plan, variables, variables, dependencies, "token")
    without = stored_variables(plan, variables, variables, None, "token")
    rows = len(variables) * 6 * 4 + sum((1 + len(links)) * 4 * 4 for _, _, links in dependencies.table())
    assert len(with_arrays) - len(without) >= rows  # and the names that only FMI 3 shows
    assert with_arrays[:8] == b"KEELVARS"
    assert b"token\0" in with_arrays
    assert with_token(without, "other") == stored_variables(plan, variables, variables, None, "other")


def test_a_constant_has_no_states_to_show():
    found, _ = listed(Constant(3.0))
    assert {v.role for v in found.values()} == {"time", "port", "parameter"}
