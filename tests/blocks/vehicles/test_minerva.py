"""The data set of the ROV Minerva: complete, consistent, and what the vehicle then does."""

import importlib
from typing import Any

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant
from blocks.block import library
from blocks.dynamics import Vessel6DOF
from blocks.thrust import PropellerThrusters, ThrustAllocation
from blocks.vehicles.vehicle import describe, list_vehicles

for family in ("control", "dynamics", "guidance", "thrust"):
    importlib.import_module(f"blocks.{family}")


@pytest.mark.parametrize("name", list_vehicles())
def test_every_section_of_every_vehicle_suits_its_block_and_is_cited(name: str) -> None:
    vehicle = describe(name)
    for section, content in vehicle.sections.items():
        cls = library()[content.type]
        given = {cls.parameter_name(written) for written in content.parameters}
        missing = {p: d for p, d in cls.all_parameters().items() if d.required and p not in given}
        added: dict[str, Any] = {p: {"waypoints": [[0, 0, 0], [1, 0, 0]]}[p] for p in missing}
        block = cls.from_vehicle(name, section, **added)
        assert set(block.sources) == given
        assert all(block.sources.values())


def test_masses_and_buoyancy_are_those_of_the_publication() -> None:
    vessel = Vessel6DOF.from_vehicle("minerva")
    mass = np.asarray(vessel.rigid_body_inertia) + np.asarray(vessel.added_mass)
    np.testing.assert_allclose(np.diag(mass), [753.0, 762.0, 786.0, 157.26, 156.02, 107.31], rtol=1e-15)
    assert np.count_nonzero(mass - np.diag(np.diag(mass))) == 0
    assert vessel.buoyancy == pytest.approx(1025.0 * 0.49 * 9.807, rel=1e-12)
    assert vessel.weight == vessel.buoyancy
    assert vessel.sources["weight"].startswith("enricoande/uuv")


def test_the_neutral_vehicle_stays_at_depth_and_rights_itself() -> None:
    vessel = Vessel6DOF.from_vehicle("minerva", initial_eta=[0, 0, 20.0, 0.2, -0.2, 0])
    at_rest = vessel.evaluate().outputs["restoring_force"]
    np.testing.assert_allclose(at_rest[:3], 0.0, atol=1e-9)
    assert at_rest[3] > 0.0 > at_rest[4]  # on the left of the equation: against heel to starboard and against bow down
    assert vessel.evaluate().outputs["acceleration"][3] < 0.0


def test_thrusters_and_allocation_speak_of_the_same_propellers() -> None:
    thrusters, allocation = PropellerThrusters.from_vehicle("minerva"), ThrustAllocation.from_vehicle("minerva")
    for name in PropellerThrusters.__mro__[1].parameters:  # those of PropellerSet
        np.testing.assert_array_equal(np.asarray(thrusters.values[name]), np.asarray(allocation.values[name]), name)


def test_advance_ranges_end_where_thrust_stops_falling_with_advance_speed() -> None:
    block = PropellerThrusters.from_vehicle("minerva")
    for way, sign in (("forward", 1.0), ("reverse", -1.0)):
        cubic = np.poly1d(block.values[f"thrust_coefficient_{way}"])
        low, high = block.values[f"advance_range_{way}"]
        slope = sign * cubic.deriv()(np.linspace(low, high, 200))
        assert np.all(slope < 1e-3)  # thrust f = ±K_T n^2 falls, or is level at the rounded ends
    ahead, astern = (np.poly1d(block.values[f"thrust_coefficient_{way}"]) for way in ("forward", "reverse"))
    assert np.min(np.abs(ahead.deriv().roots - 1.04)) < 1e-3
    assert np.min(np.abs(ahead.deriv().roots + 0.16)) < 1e-3
    assert np.min(np.abs(astern.deriv().roots - 0.317)) < 1e-3


def test_bollard_pull_ahead_by_hand() -> None:
    # both main thrusters at 20 rev/s: 2 * 0.985 * 1025 * 0.22^4 * 0.72 * 0.24 * 20^2
    found = PropellerThrusters.from_vehicle("minerva").evaluate(command=[0.0, 0.0, 0.0, 20.0, 20.0]).outputs
    assert found["force"][0] == pytest.approx(2 * 0.985 * 1025.0 * 0.22**4 * 0.72 * 0.24 * 400.0, rel=1e-13)
    np.testing.assert_allclose(found["force"][1:], 0.0, atol=1e-12)
    assert 600.0 < found["power"][3] < 700.0


def test_speed_limits_of_the_controllers_can_be_met_together() -> None:
    # Full surge force with full yaw moment, either way, and full heave, without a thruster at its limit.
    allocation, thrusters = ThrustAllocation.from_vehicle("minerva"), PropellerThrusters.from_vehicle("minerva")
    sections = describe("minerva").sections
    limits = {
        axis: [sections[axis].parameters[end].value for end in ("lower", "upper")]
        for axis in ("surge", "depth", "heading")
    }
    for x in limits["surge"]:
        for z in limits["depth"]:
            for n in limits["heading"]:
                wanted = [x, 0.0, z, 0.0, 0.0, n]
                command = allocation.evaluate(force=wanted).outputs["command"]
                np.testing.assert_allclose(thrusters.evaluate(command=command).outputs["force"], wanted, atol=1e-9)


def test_open_loop_surge_ends_where_thrust_equals_drag() -> None:
    diagram = Diagram()
    vessel = diagram.add("vessel", Vessel6DOF.from_vehicle("minerva"))
    thrusters = diagram.add("thrusters", PropellerThrusters.from_vehicle("minerva"))
    command = diagram.add("command", Constant([0.0, 0.0, 0.0, 12.0, 12.0]))
    diagram.connect(command.y, thrusters.command)
    diagram.connect(thrusters.force, vessel.force)
    diagram.connect(vessel.nu_r, thrusters.nu_r)
    run = simulate(diagram, 200.0, step=0.05)
    u = run.values("vessel.nu")[-1, 0]
    j = 0.985 * u / (12.0 * 0.22)
    thrust = 1025.0 * 0.22**4 * 0.72 * (0.5 * j**3 - 0.66 * j**2 - 0.25 * j + 0.24) * 144.0
    assert 2.0 * 0.985 * thrust == pytest.approx(29.0 * u + 292.0 * u**2, rel=1e-6)
    assert 0.3 < u < 0.7
