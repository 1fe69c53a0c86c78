"""PropellerThrusters: thrust, wrench, limits and response."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from blocks.basic import Constant
from blocks.diagram import Diagram
from blocks.errors import ParameterError
from blocks.simulation import simulate
from blocks.thrust import PropellerThrusters

Array = NDArray[np.float64]
Ahead = Callable[[float], Array]


def thrusts(block: PropellerThrusters, command: object, nu_r: Array | None = None) -> Array:
    found = block.evaluate(command=command, nu_r=np.zeros(6) if nu_r is None else nu_r).outputs["thrust"]
    return np.asarray(found)


def test_bollard_thrust(pair: dict[str, Any]) -> None:
    # rho D^4 theta K_T(0) n^2: 1000 * 0.2^4 * 0.9 * 0.24 * 10^2 and, astern, 1000 * 0.25^4 * 0.6 * 0.15 * 8^2
    assert thrusts(PropellerThrusters(**pair), [10.0, -8.0]) == pytest.approx([34.56, -22.5], rel=1e-14)


def test_thrust_at_an_advance_ratio_ahead_and_astern(pair: dict[str, Any], surge: Ahead) -> None:
    # J = 0.6 / (10 * 0.2) = 0.3 ahead; astern J = 0.6 / (8 * 0.25) = 0.3 too: its sign is that of the water
    k_t_ahead = 0.5 * 0.027 - 0.66 * 0.09 - 0.25 * 0.3 + 0.24
    k_t_astern = 0.025 * 0.027 - 0.28 * 0.09 + 0.17 * 0.3 + 0.15
    expected = [1000 * 0.2**4 * 0.9 * k_t_ahead * 100.0, -1000 * 0.25**4 * 0.6 * k_t_astern * 64.0]
    assert thrusts(PropellerThrusters(**pair), [10.0, -8.0], surge(0.6)) == pytest.approx(expected, rel=1e-13)


def test_wrench_is_that_of_the_thrusts(pair: dict[str, Any]) -> None:
    found = PropellerThrusters(**pair).evaluate(command=[10.0, -8.0]).outputs
    np.testing.assert_allclose(found["force"], np.array(pair["allocation_matrix"]) @ found["thrust"], rtol=1e-15)
    np.testing.assert_array_equal(found["speed"], [10.0, -8.0])


def test_a_thruster_off_the_centreline_advances_with_the_turn(pair: dict[str, Any], surge: Ahead) -> None:
    # Turning to starboard moves the propeller on the port side, with arm +0.3 m, ahead.
    block = PropellerThrusters(**pair)
    turning = thrusts(block, 10.0, np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0]))
    assert turning[0] == pytest.approx(thrusts(block, 10.0, surge(0.3))[0], rel=1e-14)
    assert turning[1] == pytest.approx(thrusts(block, 10.0, surge(-0.3))[1], rel=1e-14)


def test_wake_and_pseudo_inverse_scale_the_advance_speed(pair: dict[str, Any], surge: Ahead) -> None:
    full = thrusts(PropellerThrusters(**pair), 10.0, surge(0.2))
    wake = thrusts(PropellerThrusters(**pair, wake_fraction=0.5), 10.0, surge(0.4))
    np.testing.assert_allclose(wake, full, rtol=1e-14)
    shared = thrusts(PropellerThrusters(**pair, advance_speed="pseudo_inverse"), 10.0, surge(0.4))
    np.testing.assert_allclose(shared, full, rtol=1e-12)  # T+ gives each of two half the speed


def test_pseudo_inverse_is_that_of_numpy_for_a_rank_deficient_matrix(pair: dict[str, Any]) -> None:
    t = np.array(
        [
            [0.0, 0, 0, 0.985, 0.985],
            [1, 0, 0, -0.174, 0.174],
            [0, 1, 1, 0, 0],
            [0, 0.2, -0.2, 0, 0],
            [0, 0, 0, 0, 0],
            [0.166, 0, 0, 0.335, -0.335],
        ]
    )
    # With K_T = 1 - J and D = n = 1, thrust is 1 - v_a.
    block = PropellerThrusters(
        allocation_matrix=t,
        diameter=1.0,
        density=1.0,
        thrust_coefficient_forward=[0, 0, -1.0, 1.0],
        thrust_coefficient_reverse=[0, 0, 0, 1.0],
        advance_range_forward=[-50, 50],
        advance_range_reverse=[-1, 1],
        speed_limit_forward=1.0,
        speed_limit_reverse=1.0,
        advance_speed="pseudo_inverse",
    )
    nu_r = np.array([0.3, -0.2, 0.1, 0.4, 0.5, -0.6])
    np.testing.assert_allclose(1.0 - thrusts(block, np.ones(5), nu_r), np.linalg.pinv(t) @ nu_r, atol=1e-13)


@pytest.mark.parametrize("speed", [-0.8, 0.0, 0.5])
def test_thrust_vanishes_with_the_revolutions_whatever_the_speed(
    pair: dict[str, Any], surge: Ahead, speed: float
) -> None:
    # With K_T extrapolated thrust would grow with 1/n: J = 0.5 / (0.001 * 0.2) = 2500 has K_T = 8e9.
    block = PropellerThrusters(**pair)
    small = np.array([thrusts(block, n, surge(speed)) for n in (1e-3, -1e-3, 1e-2, -1e-2)])
    assert np.all(np.abs(small[:2]) < 1e-6)
    np.testing.assert_allclose(small[2:], 100.0 * small[:2], rtol=1e-9)  # as n^2
    np.testing.assert_array_equal(thrusts(block, 0.0, surge(speed)), 0.0)


def test_water_from_ahead_takes_thrust_away_ahead_and_adds_drag_astern(pair: dict[str, Any], surge: Ahead) -> None:
    block = PropellerThrusters(**pair)
    for command in (10.0, -8.0):
        found = [thrusts(block, command, surge(u)) for u in np.linspace(-0.3, 0.5, 20)]
        assert np.all(np.diff(found, axis=0) < 0.0)


def test_commands_are_limited_each_way(pair: dict[str, Any]) -> None:
    block = PropellerThrusters(**pair)
    np.testing.assert_array_equal(block.evaluate(command=[99.0, 99.0]).outputs["speed"], [20.0, 20.0])
    np.testing.assert_array_equal(block.evaluate(command=[-99.0, -99.0]).outputs["speed"], [-15.0, -10.0])


def run(block: PropellerThrusters, command: object, end: float) -> Any:
    diagram = Diagram()
    diagram.add("thrusters", block)
    source = diagram.add("command", Constant(command))
    diagram.connect(source.y, "thrusters.command")
    return simulate(diagram, end, step=0.001)


def test_first_order_response(pair: dict[str, Any]) -> None:
    block = PropellerThrusters(**pair, response="first_order", time_constant=[0.2, 0.4], initial_speed=[1.0, -2.0])
    found = run(block, [8.0, 99.0], 1.0)
    t = found.time[:, None]
    start, goal = np.array([1.0, -2.0]), np.array([8.0, 20.0])  # the second command is beyond its limit
    expected = goal + (start - goal) * np.exp(-t / [0.2, 0.4])
    np.testing.assert_allclose(found.values("thrusters.speed"), expected, rtol=1e-10)


def test_rate_limited_response(pair: dict[str, Any]) -> None:
    block = PropellerThrusters(**pair, response="rate_limited", time_constant=0.01, rate_limit=[10.0, 30.0])
    speed = run(block, [8.0, -6.0], 1.0).values("thrusters.speed")
    np.testing.assert_allclose(speed[100], [1.0, -3.0], rtol=1e-12)
    np.testing.assert_allclose(speed[-1], [8.0, -6.0], rtol=1e-6)


def test_feedthrough_follows_the_response(pair: dict[str, Any]) -> None:
    instant, lagging = PropellerThrusters(**pair), PropellerThrusters(**pair, response="first_order")
    assert set(instant.feedthrough("force")) == {"command", "nu_r"}
    assert instant.feedthrough("speed") == ("command",)
    assert lagging.feedthrough("force") == ("nu_r",)
    assert lagging.feedthrough("speed") == ()
    np.testing.assert_array_equal(lagging.evaluate(command=[5.0, 5.0]).outputs["thrust"], [0.0, 0.0])


def test_what_is_not_a_number_is_not_hidden_by_limits(pair: dict[str, Any]) -> None:
    block = PropellerThrusters(**pair)
    assert np.isnan(thrusts(block, [np.nan, 1.0])[0])
    assert np.all(np.isnan(thrusts(block, [1.0, -1.0], np.full(6, np.nan))))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"diameter": [0.2, 0.2, 0.2]},
            r"(diameter has 3 entries, \w+ has 2|\w+ has 2 entries, diameter has 3): they must have the same number",
        ),
        (
            {"advance_range_forward": [0.1, 1.0]},
            r"advance_range_forward must be an interval with J = 0 in it.*\(0.1, 1\)",
        ),
        ({"advance_range_reverse": [0.5, -0.5]}, "advance_range_reverse must be an interval"),
        (
            {"thrust_coefficient_forward": [0.24, -0.25, -0.66, 0.0]},
            r"coefficient_forward\[3\] is K_T\(0\).*must be > 0",
        ),
        ({"thrust_coefficient_reverse": [0, 0, 0, -0.1]}, r"coefficient_reverse\[3\] is K_T\(0\), the thrust astern"),
        ({"initial_speed": [0.0, -12.0]}, r"initial_speed\[1\] must be within -10 and 20 rev/s.*not -12"),
        ({"torque_model": "coefficients"}, "choose torque_model='figure_of_merit'"),
        (
            {"torque_model": "coefficients", "torque_coefficient_forward": [0, 0, 0, 0.02]},
            "torque_coefficient_reverse is wanted with torque_model='coefficients'",
        ),
        ({"allocation_matrix": 1.0}, "allocation_matrix must be an array of 6×n, one column per thruster"),
        ({"diameter": [0.2, 0.0]}, r"diameter\[1\] must be > 0 m, not 0"),
        ({"respons": "instant"}, "no parameter 'respons'.*did you mean 'response'"),
    ],
)
def test_bad_parameters_are_refused(pair: dict[str, Any], changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        PropellerThrusters(**(pair | changes))
