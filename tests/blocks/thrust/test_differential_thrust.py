"""DifferentialThrust: two thrusts, their wrench, and where the power goes."""

import numpy as np
import pytest

from blocks.errors import ParameterError
from blocks.thrust import DifferentialThrust

# Lutra Prop, Touzout (2021).
LUTRA = {"spacing": 0.16, "thrust_limit_forward": 11.5, "thrust_limit_reverse": 11.5}


def test_both_full_ahead_give_23_newtons_and_no_turn() -> None:
    found = DifferentialThrust(**LUTRA).evaluate(command=[99.0, 99.0]).outputs
    np.testing.assert_array_equal(found["force"], [23.0, 0, 0, 0, 0, 0])
    np.testing.assert_array_equal(found["speed"], [1.0, 1.0])


def test_port_ahead_and_starboard_astern_spin_to_starboard() -> None:
    found = DifferentialThrust(**LUTRA, depth=0.1).evaluate(command=[11.5, -11.5]).outputs
    np.testing.assert_allclose(found["force"], [0, 0, 0, 0, 0, 11.5 * 0.16], atol=1e-15)


def test_the_moments_are_those_of_forces_at_their_places() -> None:
    found = DifferentialThrust(**LUTRA, depth=0.1).evaluate(command=[3.0, 7.0]).outputs
    places = np.array([[-0.5, -0.08, 0.1], [-0.5, 0.08, 0.1]])
    moment = np.cross(places, np.array([[3.0, 0, 0], [7.0, 0, 0]])).sum(axis=0)
    np.testing.assert_allclose(found["force"], [10.0, 0, 0, *moment], atol=1e-15)


@pytest.mark.parametrize("seed", range(5))
def test_without_losses_the_power_is_what_the_hull_gets(seed: int) -> None:
    random = np.random.default_rng(seed)
    nu_r = random.uniform(-1.0, 1.0, 6)
    found = DifferentialThrust(**LUTRA, depth=0.2).evaluate(command=random.uniform(-10, 10, 2), nu_r=nu_r).outputs
    assert found["power"].sum() == pytest.approx(found["force"] @ nu_r, rel=1e-12)


def test_losses_are_paid_both_ways() -> None:
    lossy = DifferentialThrust(**LUTRA, efficiency=0.5)
    np.testing.assert_allclose(
        lossy.evaluate(command=[4.0, -4.0], nu_r=[1.5, 0, 0, 0, 0, 0]).outputs["power"], [12, -3]
    )


def test_speed_goes_with_the_root_of_thrust() -> None:
    block = DifferentialThrust(spacing=1.0, thrust_limit_forward=16.0, thrust_limit_reverse=8.0, full_speed=40.0)
    np.testing.assert_allclose(block.evaluate(command=[4.0, -99.0]).outputs["speed"], [20.0, -40.0 / np.sqrt(2.0)])


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"efficiency must be > 0 and ≤ 1, not 1.2"):
        DifferentialThrust(**LUTRA, efficiency=1.2)
    with pytest.raises(ParameterError, match=r"spacing must be > 0 m, not -1"):
        DifferentialThrust(**(LUTRA | {"spacing": -1.0}))
