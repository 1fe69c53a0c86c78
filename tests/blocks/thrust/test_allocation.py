"""ThrustAllocation: what is asked for is what the thrusters then give."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import lsq_linear

from blocks.errors import ParameterError
from blocks.thrust import PropellerThrusters, ThrustAllocation

Array = NDArray[np.float64]
Ahead = Callable[[float], Array]


@pytest.fixture
def hull(pair: dict[str, Any]) -> dict[str, Any]:
    """Five thrusters that reach all but pitch."""
    columns = [
        [0, 1, 0, 0, 0, 0.2],
        [0, 0, 1, 0.2, 0, 0],
        [0, 0, 1, -0.2, 0, 0],
        [0.98, -0.17, 0, 0, 0, 0.3],
        [0.98, 0.17, 0, 0, 0, -0.3],
    ]
    return pair | {
        "allocation_matrix": np.array(columns, dtype=float).T,
        "diameter": [0.19, 0.22, 0.22, 0.22, 0.22],
        "loss_forward": [1.04, 0.58, 0.58, 0.72, 0.72],
        "loss_reverse": [1.04, 0.58, 0.58, 0.53, 0.53],
        "speed_limit_reverse": 20.0,
    }


@pytest.mark.parametrize("seed", range(20))
def test_thrusters_give_the_wrench_that_was_wanted(hull: dict[str, Any], seed: int) -> None:
    random = np.random.default_rng(seed)
    wanted = random.uniform(-1.0, 1.0, 6) * [60.0, 30.0, 60.0, 4.0, 5.0, 12.0]
    nu_r = random.uniform(-0.1, 0.1, 6)
    allocation, thrusters = ThrustAllocation(**hull, inversion_floor=0.01), PropellerThrusters(**hull)
    asked = allocation.evaluate(force=wanted, nu_r=nu_r).outputs
    given = thrusters.evaluate(command=asked["command"], nu_r=nu_r).outputs
    np.testing.assert_allclose(given["thrust"], asked["thrust"], rtol=1e-11, atol=1e-11)
    reached = wanted * [1, 1, 1, 1, 0, 1]  # no thruster for pitch
    np.testing.assert_allclose(given["force"], reached, rtol=1e-10, atol=1e-10)


def test_thrusts_are_those_of_the_pseudo_inverse(hull: dict[str, Any]) -> None:
    wanted = np.array([10.0, -5.0, 20.0, 1.0, 3.0, -2.0])
    found = ThrustAllocation(**hull).evaluate(force=wanted).outputs["thrust"]
    np.testing.assert_allclose(found, np.linalg.pinv(hull["allocation_matrix"]) @ wanted, rtol=1e-11, atol=1e-12)


def test_weights_shift_the_load_between_thrusters_that_do_the_same(pair: dict[str, Any]) -> None:
    # Least w_1 f_1^2 + w_2 f_2^2 with f_1 + f_2 = 12 is f_1 / f_2 = w_2 / w_1.
    side_by_side = pair | {"allocation_matrix": [[1.0, 1.0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0]]}
    surge_of_12 = np.array([12.0, 0, 0, 0, 0, 0])
    alike = ThrustAllocation(**side_by_side).evaluate(force=surge_of_12).outputs["thrust"]
    np.testing.assert_allclose(alike, [6.0, 6.0], rtol=1e-13)
    unlike = ThrustAllocation(**side_by_side, weights=[1.0, 3.0]).evaluate(force=surge_of_12).outputs["thrust"]
    np.testing.assert_allclose(unlike, [9.0, 3.0], rtol=1e-13)


def test_bollard_revolutions_by_hand(pair: dict[str, Any]) -> None:
    # sqrt(|f| / (rho D^4 theta K_T(0)))
    found = ThrustAllocation(**pair).evaluate(force=[0.0, 0, 0, 0, 0, 0.6 * 5.0]).outputs
    np.testing.assert_allclose(found["thrust"], [5.0, -5.0], rtol=1e-13)
    expected = [np.sqrt(5.0 / (1000 * 0.2**4 * 0.9 * 0.24)), -np.sqrt(5.0 / (1000 * 0.25**4 * 0.6 * 0.15))]
    np.testing.assert_allclose(found["command"], expected, rtol=1e-12)


def test_without_relative_velocity_bollard_pull_is_assumed(pair: dict[str, Any]) -> None:
    block = ThrustAllocation(**pair)
    force = np.array([20.0, 0, 0, 0, 0, 0])
    np.testing.assert_array_equal(
        block.evaluate(force=force).outputs["command"], block.evaluate(force=force, nu_r=np.zeros(6)).outputs["command"]
    )


@pytest.mark.parametrize("speed", [-0.8, -0.1, 0.0, 0.3, 1.5])
def test_revolutions_are_continuous_in_thrust_and_rise_with_it(
    pair: dict[str, Any], surge: Ahead, speed: float
) -> None:
    block = ThrustAllocation(**pair)
    forces = np.linspace(-3.0, 3.0, 601)
    commands = np.array(
        [block.evaluate(force=[f, 0, 0, 0, 0, 0], nu_r=surge(speed)).outputs["command"] for f in forces]
    )
    assert np.all(np.diff(commands, axis=0) > 0.0)
    assert np.all(np.abs(commands[300]) == 0.0)
    # like a square root at zero: a hundredth of a newton apart, at most twice the bollard revolutions for it
    step = np.sqrt(0.01 / (1000 * 0.2**4 * 0.8 * 0.15))
    assert np.max(np.diff(commands, axis=0)) < 2.0 * step


def test_small_thrusts_at_speed_turn_out_smaller_never_greater(pair: dict[str, Any], surge: Ahead) -> None:
    allocation, thrusters = ThrustAllocation(**pair), PropellerThrusters(**pair)
    for force in (1.0, 5.0, 20.0, 60.0):
        asked = allocation.evaluate(force=[force, 0, 0, 0, 0, 0], nu_r=surge(0.6)).outputs
        given = thrusters.evaluate(command=asked["command"], nu_r=surge(0.6)).outputs["thrust"]
        assert np.all(given <= asked["thrust"] * (1.0 + 1e-12))
    np.testing.assert_allclose(given, asked["thrust"], rtol=1e-11)  # with 60 N K_T is above the floor again


def test_commands_stay_within_the_limits_and_thrust_says_what_was_wanted(pair: dict[str, Any]) -> None:
    block = ThrustAllocation(**pair)
    ahead = block.evaluate(force=[1e5, 0, 0, 0, 0, 0]).outputs
    np.testing.assert_array_equal(ahead["command"], [20.0, 20.0])
    np.testing.assert_allclose(ahead["thrust"], [5e4, 5e4], rtol=1e-12)
    astern = block.evaluate(force=[-1e5, 0, 0, 0, 0, 0]).outputs
    np.testing.assert_array_equal(astern["command"], [-15.0, -10.0])


def test_a_wrench_that_is_not_a_number_is_not_hidden_by_the_limits(pair: dict[str, Any]) -> None:
    for inputs in ({"force": [np.nan, 0, 0, 0, 0, 0]}, {"force": [9.0, 0, 0, 0, 0, 0], "nu_r": np.full(6, np.nan)}):
        for limits in ("clip", "bounded"):
            found = ThrustAllocation(**pair, limits=limits).evaluate(**inputs).outputs
            assert np.all(np.isnan(found["command"]))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"weights": [1.0, 0.0]}, r"weights\[1\] must be > 0, not 0"),
        ({"weights": [1.0, 1.0, 1.0]}, r"weights has 3 entries, \w+ has 2|\w+ has 2 entries, weights has 3"),
        ({"inversion_floor": 0.0}, "inversion_floor must be > 0 and ≤ 1"),
        ({"thrust_coefficient_forward": [0, 0, 0.2, 0]}, r"thrust_coefficient_forward\[3\] is K_T\(0\)"),
        (
            {"allocation_matrix": 1.0},
            r"allocation_matrix must be an array of 6×n, one column per thruster, not the single",
        ),
    ],
)
def test_bad_parameters_are_refused(pair: dict[str, Any], changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        ThrustAllocation(**(pair | changes))


def bounds_of(block: ThrustAllocation, nu_r: Array) -> tuple[Array, Array]:
    """What each thruster gives at its limits."""
    names = [n for n in block.values if n in PropellerThrusters.parameters]
    thrusters = PropellerThrusters(**{n: block.values[n] for n in names})
    count = len(block.diameter)
    lower = thrusters.evaluate(command=np.full(count, -1e9), nu_r=nu_r).outputs["thrust"]
    upper = thrusters.evaluate(command=np.full(count, 1e9), nu_r=nu_r).outputs["thrust"]
    return np.minimum(lower, 0.0), np.maximum(upper, 0.0)


@pytest.mark.parametrize("seed", range(40))
def test_thrusts_within_limits_are_those_of_scipy(hull: dict[str, Any], seed: int) -> None:
    random = np.random.default_rng(seed)
    weights = random.uniform(0.5, 2.0, 5)
    block = ThrustAllocation(**hull, limits="bounded", weights=weights)
    wanted = random.uniform(-1.0, 1.0, 6) * [900.0, 300.0, 900.0, 40.0, 5.0, 120.0] * random.choice([0.3, 1.0])
    nu_r = random.uniform(-0.2, 0.2, 6)
    matrix = np.asarray(hull["allocation_matrix"])
    lower, upper = bounds_of(block, nu_r)
    found = block.evaluate(force=wanted, nu_r=nu_r).outputs["thrust"]
    assert np.all(found >= lower)
    assert np.all(found <= upper)
    slightly = 1e-8 * np.max(np.sum(matrix**2, axis=0) / weights)
    stacked = np.vstack([matrix, np.diag(np.sqrt(slightly * weights))])
    expected = lsq_linear(stacked, np.append(wanted, np.zeros(5)), (lower, upper), method="bvls", tol=1e-14).x

    def missed(thrusts: Array) -> float:
        return float(np.sum((stacked @ thrusts - np.append(wanted, np.zeros(5))) ** 2))

    assert missed(found) <= missed(expected) * (1.0 + 1e-9) + 1e-12
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-4)


def simple_set(matrix: Array, ahead: Array, astern: Array) -> dict[str, Any]:
    """Propellers that give 0.64 n² ahead and 0.48 n² astern at any speed."""
    return {
        "allocation_matrix": matrix,
        "diameter": np.full(len(ahead), 0.2),
        "density": 1000.0,
        "thrust_coefficient_forward": [0, 0, 0, 0.4],
        "thrust_coefficient_reverse": [0, 0, 0, 0.3],
        "advance_range_forward": [-1.0, 1.0],
        "advance_range_reverse": [-1.0, 1.0],
        "speed_limit_forward": ahead,
        "speed_limit_reverse": astern,
    }


@pytest.mark.parametrize("spread", [0.0, 4.0])
def test_no_thrusts_within_limits_come_nearer_than_those_of_scipy(spread: float) -> None:
    """Of few and many thrusters, of any rank, with columns twice, with weights that are far apart."""
    random = np.random.default_rng(11)
    for _ in range(60):
        count, rank = int(random.integers(1, 13)), int(random.integers(1, 7))
        matrix = random.normal(size=(6, rank)) @ random.normal(size=(rank, count))
        matrix[:, random.integers(count)] = matrix[:, 0]
        ahead, astern = random.uniform(0.5, 10.0, count), random.uniform(0.5, 10.0, count)
        weights = 10.0 ** random.uniform(-0.5 * spread, 0.5 * spread, count)
        wanted = random.normal(size=6) * 10.0 ** random.uniform(-1.0, 3.0)
        block = ThrustAllocation(**simple_set(matrix, ahead, astern), weights=weights, limits="bounded")
        found = block.evaluate(force=wanted).outputs["thrust"]
        lower, upper = -0.48 * astern**2, 0.64 * ahead**2
        assert np.all(found >= lower * (1.0 + 1e-12))
        assert np.all(found <= upper * (1.0 + 1e-12))
        nearest = lsq_linear(matrix, wanted, (lower, upper), method="bvls", tol=1e-15, max_iter=500).x
        missed = np.linalg.norm(matrix @ found - wanted) - np.linalg.norm(matrix @ nearest - wanted)
        assert missed <= 2e-6 * np.linalg.norm(wanted)


def test_weights_decide_between_thrusters_that_are_within_limits() -> None:
    """Three alike, the first at its limit: the others share what is left as their weights say."""
    matrix = np.zeros((6, 3))
    matrix[0] = 1.0
    block = ThrustAllocation(
        **simple_set(matrix, np.array([1.0, 20.0, 20.0]), np.full(3, 20.0)), weights=[1.0, 1.0, 3.0], limits="bounded"
    )
    found = block.evaluate(force=[10.64, 0, 0, 0, 0, 0]).outputs["thrust"]
    np.testing.assert_allclose(found, [0.64, 7.5, 2.5], rtol=1e-6)


def test_within_reach_limits_change_nothing(hull: dict[str, Any]) -> None:
    wanted, nu_r = np.array([10.0, -5.0, 20.0, 1.0, 3.0, -2.0]), np.array([0.2, 0, 0, 0, 0, 0])
    one = ThrustAllocation(**hull).evaluate(force=wanted, nu_r=nu_r).outputs
    other = ThrustAllocation(**hull, limits="bounded").evaluate(force=wanted, nu_r=nu_r).outputs
    np.testing.assert_array_equal(other["thrust"], one["thrust"])
    np.testing.assert_array_equal(other["command"], one["command"])


def test_what_one_thruster_cannot_give_another_does(pair: dict[str, Any]) -> None:
    side_by_side = pair | {
        "allocation_matrix": [[1.0, 1.0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0]],
        "speed_limit_forward": [5.0, 20.0],
    }
    most = 1000 * 0.2**4 * 0.9 * 0.24 * 25.0
    found = ThrustAllocation(**side_by_side, limits="bounded").evaluate(force=[60.0, 0, 0, 0, 0, 0]).outputs
    assert found["thrust"] == pytest.approx([most, 60.0 - most], rel=1e-6)
    assert found["command"][0] == pytest.approx(5.0, rel=1e-12)


def test_too_many_thrusters_for_bounds_are_refused(pair: dict[str, Any]) -> None:
    many = pair | {"allocation_matrix": np.ones((6, 25))}
    for name in ("diameter", "loss_forward", "loss_reverse", "speed_limit_forward", "speed_limit_reverse"):
        many[name] = 1.0
    ThrustAllocation(**many)
    with pytest.raises(ParameterError, match=r"limits='bounded' takes at most 24 thrusters, not 25; limits='clip'"):
        ThrustAllocation(**many, limits="bounded")
