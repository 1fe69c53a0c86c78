"""Propellers and rudders of the MMG standard method: its equations, limits, two screws and what lies beyond."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blocks import simulate
from blocks.dynamics import MMGVessel
from blocks.errors import ParameterError
from blocks.thrust import MMGPropulsion

TANKER = "kvlcc2_l7"
SHARED: dict[str, Any] = dict(MMGPropulsion.examples[0])


def tanker(**given: Any) -> MMGPropulsion:
    return MMGPropulsion.from_vehicle(TANKER, response="instant", angle_limit=1.0, **given)


def act(block: MMGPropulsion, n: float, delta: float, u: float, v: float = 0.0, r: float = 0.0) -> dict[str, Any]:
    nu = [u, v, 0.0, 0.0, 0.0, r]
    return block.evaluate(command=[n], rudder=[delta], nu_r=nu).outputs


@pytest.mark.parametrize("law", ["exponential", "gaussian"])
@pytest.mark.parametrize(
    ("n", "delta", "u", "v", "r"),
    [
        (11.86, 0.0, 1.18, 0.0, 0.0),
        (10.0, 0.4, 0.8, -0.2, 0.09),
        (12.0, -0.3, 1.0, 0.15, -0.05),
        (6.0, 0.2, 1.1, 0, 0.1),
    ],
)
def test_forces_are_the_published_equations(law: str, n: float, delta: float, u: float, v: float, r: float) -> None:
    """Yasukawa and Yoshimura (2015), with J and the square root of 8 K_T/(π J²) as they are printed."""
    length, d, rho, area = 7.0, 0.216, 1000.0, 0.0539
    speed, beta, turn = np.hypot(u, v), np.arctan2(-v, u), r * length / np.hypot(u, v)
    beta_p, beta_r = beta + 0.48 * turn, beta + 0.710 * turn
    if law == "gaussian":
        wake = 1 - 0.40 * np.exp(-4 * beta_p**2)
    else:
        wake = 0.60 * (1 + (1 - np.exp(-2.0 * abs(beta_p))) * ((1.6 if beta_p > 0 else 1.1) - 1))
    j = u * wake / (n * d)
    k_t = 0.2931 - 0.2753 * j - 0.1385 * j**2
    thrust = rho * n**2 * d**4 * k_t
    eta, kappa = 0.216 / 0.345, 0.50
    u_r = 1.09 * u * wake * np.sqrt(eta * (1 + kappa * (np.sqrt(1 + 8 * k_t / (np.pi * j**2)) - 1)) ** 2 + 1 - eta)
    v_r = speed * (0.640 if beta_r > 0 else 0.395) * beta_r
    normal = 0.5 * rho * area * (u_r**2 + v_r**2) * 2.747 * np.sin(delta - np.arctan(v_r / u_r))
    x = 0.78 * thrust - (1 - 0.387) * normal * np.sin(delta)
    y = -1.312 * normal * np.cos(delta)
    yaw = -(-0.5 + 0.312 * -0.464) * length * normal * np.cos(delta)
    found = act(tanker(wake_law=law), n, delta, u, v, r)
    assert found["thrust"] == pytest.approx([thrust], rel=1e-12)
    assert found["normal_force"] == pytest.approx([normal], rel=1e-12, abs=1e-12)
    np.testing.assert_allclose(found["force"], [x, y, 0, 0, 0, yaw], rtol=1e-12, atol=1e-12)


def test_the_straight_run_balances_at_known_revolutions() -> None:
    """11.86 rev/s drive the 7 m KVLCC2 at 15.5 kn full scale: the known self-propulsion point of these numbers."""
    hull = MMGVessel.from_vehicle(TANKER)
    speed = 15.5 * 1852 / 3600 * np.sqrt(7 / 320)
    drag = hull.evaluate(states={"nu": [speed, 0, 0, 0, 0, 0]}, force=np.zeros(6)).outputs["damping_force"][0]
    assert act(tanker(), 11.86, 0.0, speed)["force"][0] == pytest.approx(drag, rel=2e-3)


def test_two_screws_are_mirror_images() -> None:
    """Port and starboard, with coefficients that are; the rudder that is deeper rolls the ship."""
    given = SHARED | {
        "diameter": 0.1,
        "positions": [[-1.4, -0.1, 0.1], [-1.4, 0.1, 0.1]],
        "wake_fraction": 0.35,
        "wake_gain": [[1.3, 1.1], [1.1, 1.3]],
        "rudder_area": 0.01,
        "rudder_positions": [[-1.5, -0.1, 0.09], [-1.5, 0.1, 0.09]],
        "flow_straightening": [[0.6, 0.4], [0.4, 0.6]],
    }
    block = MMGPropulsion(**given)
    mirror = np.array([1, -1, 1, -1, 1, -1])
    nu = np.array([0.9, -0.1, 0, 0, 0, 0.1])
    one = block.evaluate(command=[10.0, 8.0], rudder=[0.3, 0.2], nu_r=nu).outputs
    other = block.evaluate(command=[8.0, 10.0], rudder=[-0.2, -0.3], nu_r=mirror * nu).outputs
    np.testing.assert_allclose(other["force"], mirror * one["force"], rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(other["thrust"], one["thrust"][::-1], rtol=1e-13)
    assert one["force"][3] == pytest.approx(-0.09 * one["force"][1], rel=1e-12)
    ahead = block.evaluate(command=[10.0, 6.0], rudder=[0, 0], nu_r=[0.5, 0, 0, 0, 0, 0]).outputs["force"]
    assert ahead[5] > 0.0  # more thrust to port turns to starboard


def test_stopped_reversed_and_going_astern_stay_sensible() -> None:
    """A stopped propeller gives no thrust and no slipstream, a rudder still steers; nothing jumps at n = 0 or u = 0."""
    block = tanker(
        thrust_coefficient_reverse=[0, 0, -0.2, 0.2], advance_range_reverse=[-0.5, 0.8], speed_limit_reverse=8.0
    )
    stopped = act(block, 0.0, 0.3, 1.0)
    assert stopped["thrust"] == [0.0]
    u_r = 1.09 * 0.6
    assert stopped["normal_force"] == pytest.approx([0.5 * 1000 * 0.0539 * 2.747 * u_r**2 * np.sin(0.3)])
    assert act(block, -6.0, 0.3, 1.0)["normal_force"] == stopped["normal_force"]
    assert act(block, -6.0, 0.0, 0.0)["thrust"] == pytest.approx([-0.2 * 1000 * 0.216**4 * 36])
    assert act(block, 8.0, 0.3, 0.0)["normal_force"][0] > 0.0  # in the slipstream at zero speed
    assert act(block, 0.0, 0.3, -1.0)["normal_force"][0] < 0.0
    for n, u in ((0.0, 1.0), (0.0, -1.0), (9.0, 0.0), (-5.0, 0.0)):
        around = [act(block, n + dn, 0.3, u + du, 0.1, 0.05)["force"] for dn in (-1e-9, 1e-9) for du in (-1e-9, 1e-9)]
        np.testing.assert_allclose(around, around[0] + np.zeros((4, 6)), atol=1e-5)
    assert np.isfinite(act(block, 5.0, 0.3, 0.0, 0.0, 0.2)["force"]).all()


def test_rudder_follows_within_its_rate() -> None:
    gear = {"response": "rate_limited", "rate_limit": "10 deg/s", "time_constant": 0.01, "angle_limit": "20 deg"}
    block = MMGPropulsion.from_vehicle(TANKER, **gear)
    inputs = {"command": [5.0], "rudder": [1.0], "nu_r": np.zeros(6)}
    run = simulate(block, 3.0, step=0.01, inputs=inputs)
    angle = np.degrees(run.values("mmgpropulsion.angle")[:, 0])
    assert angle[100] == pytest.approx(10.0, abs=0.01)
    assert angle[-1] == pytest.approx(20.0, abs=1e-6)


def test_power_by_coefficients_and_by_the_disc() -> None:
    """The model propeller's K_Q as tested, to 0.4 %; without one an ideal disc over its figure of merit."""
    n, d, u = 10.0, 0.216, 0.75 / 0.6
    j = 0.6 * u / (n * d)
    found = act(tanker(), n, 0.0, u)
    assert j == pytest.approx(0.347, abs=1e-3)
    assert found["torque"][0] / (1000 * n**2 * d**5) == pytest.approx(0.02276 + (0.35 - j) * 0.036, rel=5e-3)
    assert found["power"] == pytest.approx(2 * np.pi * n * found["torque"])
    thrust = found["thrust"][0]
    disc = 0.5 * 0.75 + np.sqrt(0.25 * 0.75**2 + 2 * thrust / (np.pi * 1000 * d**2))
    assert act(tanker(torque_coefficient=np.zeros(4)), n, 0.0, u)["power"] == pytest.approx([thrust * disc / 0.6])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"positions": -1.4}, "positions must be an array of n×3, one row per propeller, not the single number -1.4"),
        ({"advance_range_forward": [0.2, 1.0]}, "must be an interval with J = 0 in it, such as (0, 0.8)"),
        (
            {"thrust_coefficient_forward": [0.3, 0, 0, 0]},
            "and must be > 0, not 0; the coefficients begin with the third",
        ),
        ({"thrust_coefficient_reverse": np.zeros(4)}, "leave speed_limit_reverse at 0: commands end there"),
        ({"rudder_positions": [[1.5, 0, 0], [-1.5, 0, 0]]}, "rudder_positions[0]: the rudder must be aft of midship"),
        ({"diameter": [0.1, 0.1, 0.1]}, "must have the same number"),
        ({"response": "first_order", "initial_angle": [0.8, 0.0]}, "initial_angle must be within ±0.7 rad"),
    ],
)
def test_mistakes_are_explained(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        MMGPropulsion(**SHARED | given)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rudder_positions": [[-0.5, 0.0, 0.0]]}, "a rudder is -0.5 m forward of midship, of a ship of 230 m"),
        ({"positions": [[10.0, 0.0, 0.0]]}, "a propeller is 10 m forward of midship"),
        ({"speed_limit_forward": 115.0}, "speed_limit_forward is 115 rev/s, at which the tips"),
        ({"diameter": [79.0], "speed_limit_forward": 0.2}, "diameter is 79 m, of a ship of 230 m"),
    ],
)
def test_primes_other_origins_and_other_units_are_told(given: dict[str, Any], message: str) -> None:
    assert not list(MMGPropulsion.from_vehicle("kcs").improbable())
    (told,) = MMGPropulsion.from_vehicle("kcs", **given).improbable()
    assert message in told.message
