"""Parameters that kernels calculate: their values, where they stand, and what is said of misuse."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from blocks import Diagram, Output
from blocks.basic import Gain
from blocks.cli.commands import cli
from blocks.dynamics import Vessel3DOF, Vessel6DOF
from blocks.errors import DeclarationError
from blocks.model.calculated import CalculatedParameter
from blocks.plan import make_plan
from blocks.thrust import ThrustAllocation

RIGID = np.diag([20.0, 20.0, 20.0, 3.0, 4.0, 5.0])


def added() -> np.ndarray:
    """Not symmetric, so that rows and columns can be told apart."""
    return np.random.default_rng(3).uniform(0.0, 0.5, (6, 6)) + np.diag([5.0, 15.0, 20.0, 1.0, 2.0, 3.0])


@pytest.mark.parametrize("attitude", ["euler", "quaternion"])
def test_mass_matrix_of_six_degrees_of_freedom(attitude):
    vessel = Vessel6DOF(rigid_body_inertia=RIGID, added_mass=added(), attitude=attitude)
    np.testing.assert_array_equal(vessel.mass_matrix, RIGID + added())
    force = np.arange(1.0, 7.0)
    acceleration = vessel.evaluate(force=force).outputs["acceleration"]
    np.testing.assert_allclose(vessel.mass_matrix @ acceleration, force, rtol=1e-12)


def test_mass_matrix_in_the_plane():
    """Fossen (2021), sec. 6.5: M_RB about an origin that is not the centre of gravity."""
    vessel = Vessel3DOF(
        mass=20.0, yaw_inertia=8.0, centre_of_gravity=[0.3, 0.1],
        added_mass=[[2.0, 0.0, 0.0], [0.0, 9.0, 0.7], [0.0, 0.4, 1.5]],
    )  # fmt: skip
    np.testing.assert_allclose(vessel.mass_matrix, [[22.0, 0.0, -2.0], [0.0, 29.0, 6.7], [-2.0, 6.4, 9.5]], rtol=1e-15)


def test_pseudo_inverse_of_an_allocation(make_sample):
    allocation = make_sample("thrust.ThrustAllocation")
    assert isinstance(allocation, ThrustAllocation)
    effort = allocation.pseudo_inverse
    assert effort.shape == (2, 6)
    np.testing.assert_allclose(effort, np.linalg.pinv(allocation.allocation_matrix), atol=1e-12)
    wanted = np.array([3.0, -1.0, 0.0, 0.0, 0.0, 0.5])
    np.testing.assert_allclose(effort @ wanted, allocation.evaluate(force=wanted).outputs["thrust"], rtol=1e-12)


def test_it_follows_its_parameters():
    vessel = Vessel6DOF(rigid_body_inertia=RIGID)
    vessel.set(added_mass=added())
    np.testing.assert_array_equal(vessel.mass_matrix, RIGID + added())


def test_where_it_stands_in_a_plan(make_sample):
    """Behind the constants of other blocks, and made anew when a parameter is set."""
    diagram = Diagram()
    for name in ("thrust.ThrustAllocation", "dynamics.Vessel6DOF"):
        block = diagram.add(name.partition(".")[2].lower(), make_sample(name))
        diagram.inputs(**{f"{block.name}_{port}": block.input_port(port) for port in block.input_ports})
    plan = diagram.plan()
    assert list(plan.calculated) == ["thrustallocation.pseudo_inverse", "vessel6dof.mass_matrix"]
    place = plan.calculated["vessel6dof.mass_matrix"]
    assert plan.regions.work <= place.first
    assert place.first + place.count <= plan.regions.x
    assert place.calculated is Vessel6DOF.mass_matrix
    engine = plan.engine()
    engine.start(0.0)
    before = engine.values[place.slice].reshape(place.shape).copy()
    np.testing.assert_array_equal(before, diagram["vessel6dof"].mass_matrix)
    engine.values[plan.parameters["vessel6dof.added_mass"].first] += 2.0
    engine.parameters_changed()
    engine.refresh()
    after = engine.values[place.slice].reshape(place.shape)
    assert after[0, 0] == before[0, 0] + 2.0
    np.testing.assert_array_equal(after[1:], before[1:])


def test_every_one_is_declared_in_full(sample):
    block = sample()
    for name, parameter in block.calculated_parameters.items():
        assert parameter.doc
        assert parameter.depends
        assert set(parameter.depends) <= set(type(block).parameters)
        assert np.any(getattr(block, name)), f"{name} is never written"


def test_every_one_follows_from_all_that_it_says_and_nothing_else(sample):
    block = sample()
    one_way = not any(p.choices or p.switch for p in block.parameters.values())  # else some count in other ways only
    for name, parameter in block.calculated_parameters.items():
        plan = make_plan(block)
        engine = plan.engine()
        place = plan.calculated[f"{plan.flat.leaves[0].name}.{name}"]
        engine.start(0.0)
        before = engine.values[place.slice].copy()
        for other in type(block).parameters:
            part = plan.parameters[f"{plan.flat.leaves[0].name}.{other}"].slice
            old = engine.values[part].copy()
            engine.values[part] += 0.015625 * np.arange(1, len(old) + 1)
            engine.parameters_changed()
            engine.refresh()
            changed = not np.array_equal(before, engine.values[place.slice])
            assert other in parameter.depends or not changed, f"{name} and {other}"
            assert changed or other not in parameter.depends or not one_way, f"{name} and {other}"
            engine.values[part] = old


def test_it_cannot_be_set():
    vessel = Vessel6DOF(rigid_body_inertia=RIGID)
    with pytest.raises(
        AttributeError,
        match=r"Vessel6DOF.mass_matrix is calculated from rigid_body_inertia, added_mass: set those",
    ):
        vessel.mass_matrix = RIGID


def test_one_that_no_setup_computes_is_refused():
    class Forgetful(Gain, abstract=True):
        """A Gain with a constant that its kernel does not have."""

        square = CalculatedParameter(doc="K squared", depends=("gain",))

    with pytest.raises(
        DeclarationError, match=r"Forgetful declares the derived constants square, but its kernel 'gain' has no setup"
    ):
        make_plan(Forgetful(2.0))


def test_show_lists_them():
    data = json.loads(CliRunner().invoke(cli, ["show", "Vessel3DOF", "--json"]).stdout)
    (shown,) = data["calculated"]
    assert shown["name"] == "mass_matrix"
    assert shown["shape"] == [3, 3]
    assert shown["from"] == ["mass", "yaw_inertia", "centre_of_gravity", "added_mass"]
    text = CliRunner().invoke(cli, ["show", "Vessel3DOF"]).stdout
    assert "Calculated parameters" in text
    assert "mass_matrix" in text


def test_nominal_values_are_those_declared():
    class Loud(Gain, abstract=True):
        """A Gain that is known to be large."""

        y = Output(Gain.declared_outputs["y"].signal, "K u", nominal=(10.0, 20.0, 30.0))

    diagram = Diagram()
    loud = diagram.add("loud", Loud([1.0, 2.0, 3.0]))
    diagram.inputs(u=loud.u)
    diagram.outputs(all=loud.y, last=loud.y[1:3], one=loud.y[0])
    plan = diagram.plan()
    found = {name: plan.external_outputs[name].nominals.tolist() for name in ("all", "last", "one")}
    assert found == {"all": [10.0, 20.0, 30.0], "last": [20.0, 30.0], "one": [10.0]}
    assert plan.inputs["u"].nominals.tolist() == [1.0, 1.0, 1.0]


def test_nominal_values_of_states(make_sample):
    meter = make_plan(make_sample("power.EnergyMeter"))
    assert [place.nominals.tolist() for place in meter.states.values()] == [[1000.0]]
    assert meter.outputs["energy_meter.energy"].nominals.tolist() == [1000.0]
    vessel = make_plan(make_sample("dynamics.Vessel6DOF"))
    assert all(np.array_equal(place.nominals, np.ones(6)) for place in vessel.states.values())
