"""Two published sets of one vehicle: what differs, and what must not."""

import numpy as np
import pytest

from blocks.dynamics import Vessel6DOF
from blocks.vehicles.vehicle import describe

AHEAD = 4.0 * 40.0 * np.sqrt(0.5)  # four thrusters of 40 N at 45 deg


def test_the_set_of_wu_is_that_of_its_tables() -> None:
    vessel = Vessel6DOF.from_vehicle("bluerov2_heavy_wu2018")
    mass = np.asarray(vessel.mass_matrix)
    np.testing.assert_allclose(np.diag(mass), [17.0, 24.2, 26.07, 0.28, 0.28, 0.28], rtol=1e-12)
    np.testing.assert_allclose(mass[0, 4], 11.5 * vessel.centre_of_gravity[2], rtol=1e-12)
    assert vessel.buoyancy - vessel.weight == pytest.approx(2.0)
    tilted = vessel.evaluate(states={"eta": [0.0, 0.0, 0.0, 0.1, 0.0, 0.0]}).outputs["restoring_force"]
    assert tilted[3] == pytest.approx(112.8 * 0.02 * np.sin(0.1), rel=1e-12)  # W z_g: it rights itself


@pytest.mark.parametrize(("name", "speed"), [("bluerov2_heavy", 0.848), ("bluerov2_heavy_wu2018", 2.386)])
def test_the_sets_disagree_as_their_files_say(name: str, speed: float) -> None:
    vessel = Vessel6DOF.from_vehicle(name)
    drag = vessel.evaluate(states={"nu": [speed, 0, 0, 0, 0, 0]}).outputs["damping_force"][0]
    assert drag == pytest.approx(AHEAD, rel=2e-3)
    other = {"bluerov2_heavy": "bluerov2_heavy_wu2018", "bluerov2_heavy_wu2018": "bluerov2_heavy"}[name]
    assert any(f"`{other}`" in fault for fault in describe(name).faults)
