"""Sail and AirFan: signs in the apparent wind, and where the energy comes from."""

from typing import Any

import numpy as np
import pytest

from blocks.environment import UniformCurrent
from blocks.errors import ParameterError
from blocks.thrust import AirFan, Sail

SAIL: dict[str, Any] = {
    "position": [0.2, 0.0, -1.0],
    "area": 2.0,
    "lift_coefficient": 1.0,
    "drag_coefficient": 1.0,
    "density": 1.2,
}
FAN: dict[str, Any] = {
    "position": [-0.8, 0.0, -0.5],
    "thrust_limit_forward": 40.0,
    "diameter": 0.6,
    "figure_of_merit": 0.5,
    "density": 1.2,
}
REST = np.zeros(6)


def blown(wind: Any, command: float, nu: Any = REST, psi: float = 0.0) -> Any:
    eta = np.array([0, 0, 0, 0, 0, psi])
    return Sail(**SAIL).evaluate(command=command, eta=eta, nu=nu, wind=wind).outputs


def test_wind_from_starboard_drives_ahead_to_leeward_and_heels() -> None:
    found = blown([0.0, -5.0, 0.0], np.pi / 4)
    assert found["apparent_wind_angle"] == pytest.approx(np.pi / 2)
    assert found["apparent_wind_speed"] == pytest.approx(5.0)
    assert found["angle"] == pytest.approx(np.pi / 4)  # the boom to port
    pressure = 0.5 * 1.2 * 2.0 * 25.0
    np.testing.assert_allclose(found["force"][:3], [pressure, -pressure, 0.0], rtol=1e-13)
    assert found["force"][3] < 0.0  # to port


def test_a_long_sheet_lets_the_sail_flag() -> None:
    found = blown([-4.0, -3.0, 0.0], 1.5)
    assert found["angle"] == pytest.approx(np.arctan2(3.0, 4.0))
    np.testing.assert_allclose(found["force"], 0.0, atol=1e-13)


def test_no_sail_drives_straight_into_the_wind() -> None:
    for sheet in np.linspace(0.0, 1.5, 16):
        assert blown([-6.0, 0.0, 0.0], sheet)["force"][0] <= 1e-12


def test_a_following_wind_drives_ahead() -> None:
    found = blown([6.0, 0.0, 0.0], np.pi / 2)
    assert found["force"][0] == pytest.approx(0.5 * 1.2 * 2.0 * 36.0 * 2.0, rel=1e-12)
    assert found["force"][1] == pytest.approx(0.0, abs=1e-10)


def test_tacks_are_mirror_images() -> None:
    nu = np.array([1.0, 0.1, 0.0, 0.05, 0.0, 0.1])
    one = blown([-3.0, -4.0, 0.0], 0.4, nu)
    other = blown([-3.0, 4.0, 0.0], 0.4, nu * [1, -1, 1, -1, 1, -1])
    np.testing.assert_allclose(other["force"], one["force"] * [1, -1, 1, -1, 1, -1], rtol=1e-12)
    assert other["angle"] == pytest.approx(-one["angle"])


def test_only_the_wind_past_the_boat_counts() -> None:
    """Wind from the north at 3 m/s, boat to the east at 4 m/s: 5 m/s from 36.9 degrees to port of the bow."""
    found = blown([-3.0, 0.0, 0.0], 0.3, [4.0, 0, 0, 0, 0, 0], psi=np.pi / 2)
    assert found["apparent_wind_speed"] == pytest.approx(5.0)
    assert found["apparent_wind_angle"] == pytest.approx(-np.arctan2(3.0, 4.0))


@pytest.mark.parametrize("seed", range(10))
def test_the_sail_takes_energy_from_the_wind_only(seed: int) -> None:
    random = np.random.default_rng(seed)
    nu, wind = random.uniform(-2.0, 2.0, 6), np.append(random.uniform(-6.0, 6.0, 2), 0.0)
    found = blown(wind, random.uniform(0.0, 1.5), nu)
    through_air = nu[:3] + np.cross(nu[3:], SAIL["position"]) - wind
    assert found["force"][:3] @ through_air == pytest.approx(-found["drag"] * found["apparent_wind_speed"], rel=1e-10)
    assert found["drag"] >= 0.0


def test_air_at_rest_brakes() -> None:
    assert blown(np.zeros(3), 0.1, [2.0, 0.5, 0, 0, 0, 0])["force"] @ [2.0, 0.5, 0, 0, 0, 0] < 0.0


def test_winds_and_currents_are_velocities_of_one_kind() -> None:
    """Any velocity in NED can be wired to `wind`."""
    assert Sail(**SAIL).wind.signal == UniformCurrent(speed=1.0, direction=0.0).current.signal


def test_a_fan_behind_turns_away_from_its_thrust() -> None:
    found = AirFan(**FAN).evaluate(command=10.0, angle=-0.3).outputs
    force = 10.0 * np.array([np.cos(0.3), -np.sin(0.3), 0.0])
    np.testing.assert_allclose(found["force"], [*force, *np.cross(FAN["position"], force)], rtol=1e-13, atol=1e-14)
    assert found["force"][5] > 0.0
    assert found["force"][4] < 0.0  # bow down


def test_fan_at_rest_takes_the_power_of_an_actuator_disc() -> None:
    found = AirFan(**FAN, full_speed=50.0).evaluate(command=10.0).outputs
    assert found["power"] == pytest.approx(10.0**1.5 / np.sqrt(2 * 1.2 * np.pi * 0.3**2) / 0.5, rel=1e-12)
    assert found["speed"] == pytest.approx(25.0)


def test_air_from_ahead_costs_power_whoever_moves() -> None:
    fan = AirFan(**FAN)
    disc = 2 * 1.2 * np.pi * 0.3**2
    expected = 10.0 * (2.5 + np.sqrt(2.5**2 + 10.0 / disc)) / 0.5
    moving = fan.evaluate(command=10.0, nu=[5.0, 0, 0, 0, 0, 0]).outputs["power"]
    blown_at = fan.evaluate(command=10.0, wind=[0.0, -5.0, 0.0], eta=[0, 0, 0, 0, 0, np.pi / 2]).outputs["power"]
    assert moving == pytest.approx(expected, rel=1e-12)
    assert blown_at == pytest.approx(expected, rel=1e-12)
    # Pushing astern, air from ahead helps.
    reversing = AirFan(**FAN, thrust_limit_reverse=40.0)
    assert reversing.evaluate(command=-10.0, nu=[5.0, 0, 0, 0, 0, 0]).outputs["power"] == pytest.approx(
        expected - 2 * 2.5 * 10.0 / 0.5, rel=1e-12
    )


def test_fan_keeps_its_limits() -> None:
    found = AirFan(**FAN, angle_limit=0.5).evaluate(command=99.0, angle=2.0).outputs
    assert (found["thrust"], found["azimuth"]) == (40.0, 0.5)
    astern = AirFan(**FAN).evaluate(command=-9.0).outputs
    assert astern["thrust"] == astern["power"] == 0.0


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"figure_of_merit must be > 0 and ≤ 1, not 1.5"):
        AirFan(**FAN | {"figure_of_merit": 1.5})
    with pytest.raises(ParameterError, match=r"Sail.density must be > 0 kg/m\^3, not 0"):
        Sail(**SAIL | {"density": 0.0})
