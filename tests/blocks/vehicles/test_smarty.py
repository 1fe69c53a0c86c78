"""Where the numbers of SMARTY count from: its source has other axes, and a centre of gravity that cannot be."""

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant
from blocks.dynamics import FloatingVehicle
from blocks.thrust import AzimuthThrusters

PUBLISHED = np.array(  # forward from the aft end, to port, up from the waterline
    [[0.065, -0.085, -0.0485], [0.235, -0.085, -0.0485], [0.235, 0.085, -0.0485], [0.065, 0.085, -0.0485]]
)


def test_the_centre_of_gravity_is_in_the_hull_and_the_thrusters_are_turned_and_moved_to_it() -> None:
    vessel, thrusters = FloatingVehicle.from_vehicle("smarty"), AzimuthThrusters.from_vehicle("smarty")
    centre = np.asarray(vessel.centre_of_gravity)
    assert 0.0 < centre[2] < vessel.draught
    turned = PUBLISHED * [1.0, -1.0, -1.0]
    np.testing.assert_allclose(thrusters.positions, turned - centre, atol=1e-15)


def test_thrust_below_the_waterline_and_above_the_centre_of_gravity_bows_it_down_a_little() -> None:
    force = AzimuthThrusters.from_vehicle("smarty").evaluate(command=np.ones(4)).outputs["force"]
    np.testing.assert_allclose(force, [1.0, 0.0, 0.0, 0.0, -0.0015, 0.0], atol=1e-12)


def test_it_heaves_at_the_frequency_of_its_water_plane() -> None:
    """Small heave without drag: omega^2 = K_33 / M_33."""
    vessel = FloatingVehicle.from_vehicle("smarty", initial_eta=[0.0, 0.0, 1e-4, 0.0, 0.0, 0.0])
    diagram = Diagram()
    diagram.add("vessel", vessel)
    diagram.connect(diagram.add("push", Constant(np.zeros(6))).y, vessel.force)
    period = 2.0 * np.pi / np.sqrt(710.763739 / 14.4202981)
    depth = simulate(diagram, period, step=period / 200.0)["vessel.eta"][:, 2]
    assert float(depth[100]) == pytest.approx(-1e-4, rel=1e-3)
    assert float(depth[-1]) == pytest.approx(1e-4, rel=2e-3)  # less what the quadratic drag takes


def test_a_centre_of_gravity_beside_the_hull_is_refused() -> None:
    with pytest.raises(
        ValueError, match=r"FloatingVehicle.centre_of_gravity is at x = -0.15 m, .* off the water plane"
    ):
        FloatingVehicle.from_vehicle("smarty", centre_of_gravity=[-0.15, 0.0, 0.05])
    with pytest.raises(ValueError, match=r"y = 0.2 m, off the water plane of 0.3 m by 0.3 m: x counts forward from"):
        FloatingVehicle.from_vehicle("smarty", centre_of_gravity=[0.15, 0.2, 0.05])
