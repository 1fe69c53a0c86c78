"""Nomoto's and Norrbin's equations over the speed, against the formulas, and the vessels of van Amerongen."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from blocks import simulate
from blocks.dynamics import NomotoVessel
from blocks.errors import ParameterError

STEERED: dict[str, Any] = {
    "gain": 0.1,
    "time_constant": 20.0,
    "second_time_constant": 4.0,
    "lead_time_constant": 8.0,
    "rudder_moment": 2.0,
    "surge_gain": 1.0,
    "surge_time_constant": 5.0,
}


def yaw(vessel: NomotoVessel, u: float, r: float, moment: float, current: Any = 0.0) -> tuple[float, float]:
    """dr/dt, and N of f_d."""
    found = vessel.evaluate(
        states={"nu": [u, 0, 0, 0, 0, r]}, force=[0, 0, 0, 0, 0, moment], current=np.broadcast_to(current, 3)
    ).outputs
    return float(found["acceleration"][5]), float(found["damping_force"][5])


def test_norrbins_polynomial_stands_in_place_of_the_yaw_rate() -> None:
    n_0, n_1, n_2, n_3 = 0.002, -0.7, 3.0, 400.0
    vessel = NomotoVessel(**STEERED, yaw_polynomial=[n_0, n_1, n_2, n_3])
    for r in (-0.05, 0.01, 0.08):
        resistance = n_3 * r**3 + n_2 * r**2 + n_1 * r + n_0
        rate, damping = yaw(vessel, 4.0, r, 0.6)
        assert rate == pytest.approx((0.1 * 0.3 - resistance) / 20.0, rel=1e-12)
        assert damping == pytest.approx(2.0 * resistance / 0.1, rel=1e-12)


@pytest.mark.parametrize("speed", [2.0, 5.0, 8.0])
def test_gain_and_time_constant_go_with_the_speed_through_the_water(speed: float) -> None:
    """K' = K L/U and T' = T U/L are the same at all speeds; a current along the way takes no part."""
    vessel = NomotoVessel(**STEERED, schedule="speed", design_speed=5.0)
    gain, time_constant = 0.1 * speed / 5.0, 20.0 * 5.0 / speed
    expected = (gain * 0.3 - 0.02) / time_constant
    assert yaw(vessel, speed, 0.02, 0.6)[0] == pytest.approx(expected, rel=1e-12)
    assert yaw(vessel, speed + 1.0, 0.02, 0.6, [1.0, 0.0, 0.0])[0] == pytest.approx(expected, rel=1e-12)


def test_a_turn_of_one_angle_has_one_circle_at_every_speed() -> None:
    """Speed over rate, U/(K δ), is that of the hull; so is the path until it turns steadily."""
    radii = []
    for speed in (3.0, 6.0):
        vessel = NomotoVessel(
            **STEERED | {"second_time_constant": 3.0}, order="second", schedule="speed", design_speed=5.0,
            initial_nu=[speed, 0, 0, 0, 0, 0],
        )  # fmt: skip
        run = simulate(vessel, 1200.0 / speed, step=0.05, inputs={"force": [speed, 0, 0, 0, 0, 0.4]})
        radii.append(speed / run.values("nomoto_vessel.nu")[-1, 5])
    assert radii[0] == pytest.approx(5.0 / (0.1 * 0.2), rel=1e-3)
    assert radii[1] == pytest.approx(radii[0], rel=1e-3)


@pytest.mark.parametrize(
    ("name", "speed", "gain", "time_constant", "cubic"),
    [
        ("frigate", 9.0, 0.18, 27.0, 0.6),
        ("frigate", 10.5, 0.205, 24.0, 0.45),
        ("frigate", 20.0, 0.23, 21.0, 0.3),
        ("zeefakkel", 4.0, 0.37, 33.0, 0.4),
        ("zeefakkel", 5.6, 0.665, 37.0, 0.4),
        ("zeefakkel", 1.0, 0.15, 33.0, 0.4),
    ],
)
def test_vessels_of_van_amerongen_steer_by_their_tables(
    name: str, speed: float, gain: float, time_constant: float, cubic: float
) -> None:
    """Linear between the speeds of the table, and held outside."""
    vessel, r, delta = NomotoVessel.from_vehicle(name), 0.05, 0.2
    expected = (gain * delta - cubic * r**3 - r) / time_constant
    assert yaw(vessel, speed, r, 1e6 * delta)[0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"speeds": [2.0, 1.0], "schedule": "table"}, "speeds must be two or more, and ascend"),
        ({"gains": [0.0, 1.0], "schedule": "table"}, "gains must not be 0: the equations divide by it"),
        ({"gain": 0.0, "schedule": "speed"}, "gain must not be 0: give it a value"),
        ({"yaw_polynomial": [0.0, 1.0]}, "yaw_polynomial must be an array of 4"),
    ],
)
def test_what_is_wrong_is_said(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        NomotoVessel(**(STEERED | changed))


def test_the_table_does_not_need_a_gain_but_has_one_of_its_own() -> None:
    vessel = NomotoVessel(**STEERED, schedule="table", speeds=[1.0, 3.0], gains=[0.1, 0.3], time_constants=[30.0, 10.0])
    assert yaw(vessel, 2.0, 0.0, 0.6)[0] == pytest.approx(0.2 * 0.3 / 20.0, rel=1e-12)
    assert math.isfinite(yaw(vessel, 0.0, 0.0, 0.6)[0])
