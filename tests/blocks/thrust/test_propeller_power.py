"""PropellerThrusters: power at the shaft."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from blocks.thrust import PropellerThrusters

Array = NDArray[np.float64]
Ahead = Callable[[float], Array]


def power(block: PropellerThrusters, command: object, nu_r: Array) -> Array:
    return np.asarray(block.evaluate(command=command, nu_r=nu_r).outputs["power"])


@pytest.mark.parametrize("command", [10.0, -8.0])
def test_bollard_power_of_an_actuator_disc(pair: dict[str, Any], surge: Ahead, command: float) -> None:
    # ideal power T^(3/2) / sqrt(2 rho A) over the figure of merit, whatever is lost at the hull
    lossless = pair | {"loss_forward": 1.0, "loss_reverse": 1.0}
    thrust = np.abs(PropellerThrusters(**lossless).evaluate(command=command).outputs["thrust"])
    area = np.pi * np.array(pair["diameter"]) ** 2 / 4.0
    expected = thrust**1.5 / np.sqrt(2.0 * 1000.0 * area) / 0.55
    for parameters in (lossless, pair):
        block = PropellerThrusters(**parameters, figure_of_merit=0.55)
        np.testing.assert_allclose(power(block, command, surge(0.0)), expected, rtol=1e-13)


def test_power_is_thrust_times_the_speed_through_the_disc(pair: dict[str, Any], surge: Ahead) -> None:
    # P = T (v_a + w) / FM with the induced speed w from T = 2 rho A (v_a + w) w
    block = PropellerThrusters(**(pair | {"loss_forward": 1.0}), figure_of_merit=0.6)
    thrust = block.evaluate(command=10.0, nu_r=surge(0.4)).outputs["thrust"]
    induced = power(block, 10.0, surge(0.4)) * 0.6 / thrust - 0.4
    area = np.pi * np.array(pair["diameter"]) ** 2 / 4.0
    np.testing.assert_allclose(2.0 * 1000.0 * area * (0.4 + induced) * induced, thrust, rtol=1e-12)


def test_figure_of_merit_of_a_b_series_propeller() -> None:
    # Polynomials of Oosterveld and van Oossanen (1975) for B4-55, P/D 0.6, at J = 0: K_T 0.2469, K_Q 0.02394
    block = PropellerThrusters(
        allocation_matrix=np.eye(6)[:, :1],
        diameter=1.0,
        density=1.0,
        thrust_coefficient_forward=[0, 0, 0, 0.2469],
        thrust_coefficient_reverse=[0, 0, 0, 0.25],
        advance_range_forward=[-1, 1],
        advance_range_reverse=[-1, 1],
        speed_limit_forward=1.0,
        speed_limit_reverse=1.0,
        figure_of_merit=0.65,
    )
    k_q = power(block, 1.0, np.zeros(6))[0] / (2.0 * np.pi)
    assert k_q == pytest.approx(0.02394, rel=5e-3)


def test_an_actuator_disc_takes_no_power_from_the_water_and_never_beats_its_figure_of_merit(
    pair: dict[str, Any], surge: Ahead
) -> None:
    block = PropellerThrusters(**(pair | {"loss_forward": 1.0, "loss_reverse": 1.0}), figure_of_merit=0.6)
    for command in (0.0, 1.0, 5.0, 20.0, -3.0, -10.0):
        for u in np.linspace(-2.0, 2.0, 21):
            found = block.evaluate(command=command, nu_r=surge(u)).outputs
            assert np.all(found["power"] >= 0.0)
            assert np.all(found["thrust"] * u <= 0.6 * found["power"] * (1.0 + 1e-12) + 1e-12) or abs(u) > 1.0


def test_torque_coefficients_and_the_sign_of_regeneration(pair: dict[str, Any], surge: Ahead) -> None:
    block = PropellerThrusters(
        **pair,
        torque_model="coefficients",
        torque_coefficient_forward=[0.0, 0.0, -0.05, 0.03],
        torque_coefficient_reverse=[0.0, 0.0, 0.02, 0.025],
    )
    # 2 pi rho D^5 K_Q(J) |n|^3, J = 0.3 for both
    expected = [
        2.0 * np.pi * 1000.0 * 0.2**5 * 0.015 * 1000.0,
        2.0 * np.pi * 1000.0 * 0.25**5 * (0.02 * 0.3 + 0.025) * 512.0,
    ]
    np.testing.assert_allclose(power(block, [10.0, -8.0], surge(0.6)), expected, rtol=1e-13)
    assert power(block, [5.0, 0.0], surge(0.8))[0] < 0.0  # J = 0.8: the water drives the propeller


def test_power_grows_with_the_cube_of_the_revolutions(pair: dict[str, Any], surge: Ahead) -> None:
    block = PropellerThrusters(**pair)
    np.testing.assert_allclose(power(block, 10.0, surge(0.4)), 8.0 * power(block, 5.0, surge(0.2)), rtol=1e-13)
