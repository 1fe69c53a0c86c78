"""AzimuthAllocation: what is asked for is what the azimuth thrusters then give."""

from typing import Any

import numpy as np
import pytest

from blocks.errors import ParameterError
from blocks.thrust import AzimuthAllocation, AzimuthThrusters

TUG: dict[str, Any] = {
    "positions": [[-0.42, -0.08, 0.0], [-0.42, 0.08, 0.0], [0.28, 0.0, 0.0]],
    "thrust_coefficient": [[1.061e-2, 0.0, 1.925e-5], [1.061e-2, 0.0, 1.925e-5], [3.575, 0.0, 0.0]],
    "speed_limit_forward": [60.0, 60.0, 1.0],
    "speed_limit_reverse": [60.0, 60.0, 1.0],
    "angle_min": [-np.pi, -np.pi, np.pi / 2],
    "angle_max": [np.pi, np.pi, np.pi / 2],
}


def given(block: AzimuthAllocation, wanted: Any) -> Any:
    """The wrench that the thrusters give when they are told what the allocation says."""
    asked = block.evaluate(force=wanted).outputs
    values = {n: v for n, v in block.values.items() if n in AzimuthThrusters.parameters}
    return AzimuthThrusters(**values).evaluate(command=asked["command"], angle=asked["angle"]).outputs["force"]


@pytest.mark.parametrize("seed", range(20))
def test_thrusters_give_the_wrench_that_was_wanted(seed: int) -> None:
    random = np.random.default_rng(seed)
    wanted = random.uniform(-1.0, 1.0, 6) * [4.0, 2.0, 0.0, 0.0, 0.0, 0.5]
    np.testing.assert_allclose(given(AzimuthAllocation(**TUG), wanted), wanted, rtol=1e-10, atol=1e-10)


def test_extended_thrusts_are_those_of_the_weighted_pseudo_inverse() -> None:
    weights, wanted = np.array([1.0, 3.0, 2.0]), np.array([3.0, 1.0, 0, 0, 0, 0.4])
    columns = [[1, 0, 0.08], [0, 1, -0.42], [1, 0, -0.08], [0, 1, -0.42], [0, 1, 0.28]]
    matrix, inverse = np.array(columns).T, np.diag(1.0 / weights[[0, 0, 1, 1, 2]])
    x1, y1, x2, y2, bow = inverse @ matrix.T @ np.linalg.inv(matrix @ inverse @ matrix.T) @ wanted[[0, 1, 5]]
    found = AzimuthAllocation(**TUG, weights=weights).evaluate(force=wanted).outputs
    np.testing.assert_allclose(found["thrust"], [np.hypot(x1, y1), np.hypot(x2, y2), bow], rtol=1e-11)
    np.testing.assert_allclose(found["angle"][:2], [np.arctan2(y1, x1), np.arctan2(y2, x2)], rtol=1e-11)
    assert found["angle"][2] == np.pi / 2


def test_all_six_axes_count_for_thrusters_at_any_depth() -> None:
    """Wrenches that three turning thrusters can give, moments of roll and pitch among them: those of random forces."""
    random = np.random.default_rng(8)
    positions = random.uniform(-1.0, 1.0, (3, 3))
    tug = TUG | {"positions": positions, "thrust_coefficient": [[0.02, 0.0, 0.0]] * 3, "speed_limit_forward": 1e3}
    tug |= {"speed_limit_reverse": 1e3, "angle_min": -np.pi, "angle_max": np.pi}
    for _ in range(5):
        forces = np.c_[random.uniform(-1.0, 1.0, (3, 2)), np.zeros(3)]
        wanted = np.r_[forces.sum(axis=0), np.cross(positions, forces).sum(axis=0)]
        np.testing.assert_allclose(given(AzimuthAllocation(**tug), wanted), wanted, atol=1e-9)


def test_out_of_range_means_astern() -> None:
    """135 degrees to either side, as the tug has: full astern is at an angle of 0 with reversed propellers."""
    limits = {"angle_min": [-2.356, -2.356, np.pi / 2], "angle_max": [2.356, 2.356, np.pi / 2]}
    block = AzimuthAllocation(**TUG | limits)
    found = block.evaluate(force=[-4.0, 0, 0, 0, 0, 0]).outputs
    np.testing.assert_allclose(found["angle"][:2], 0.0, atol=1e-14)
    np.testing.assert_allclose(found["thrust"][:2], [-2.0, -2.0], rtol=1e-12)
    np.testing.assert_allclose(given(block, [-4.0, 0, 0, 0, 0, 0]), [-4.0, 0, 0, 0, 0, 0], atol=1e-10)


@pytest.mark.parametrize(("least", "greatest", "aside", "angle"), [(3.2, 6.1, -1.0, 1.5), (-6.1, -3.2, 1.0, -1.5)])
def test_a_range_beyond_half_a_turn_is_met_by_a_turn_more(
    least: float, greatest: float, aside: float, angle: float
) -> None:
    """To port is 270° there, and to starboard -270°."""
    one = TUG | {"angle_min": [least] * 2 + [np.pi / 2], "angle_max": [greatest] * 2 + [np.pi / 2]}
    found = AzimuthAllocation(**one, weights=[1.0, 1.0, 1e9]).evaluate(force=[0, aside, 0, 0, 0, -0.42 * aside])
    np.testing.assert_allclose(found.outputs["angle"][:2], angle * np.pi, rtol=1e-6)
    assert np.all(found.outputs["thrust"][:2] > 0.0)


@pytest.mark.parametrize("thrust", [1e-3, 0.7, 3.0, 8.99, -2.0])
def test_the_speed_for_a_thrust_is_exact_where_the_curve_is_a_line(thrust: float) -> None:
    """Newton's method is there after one step, and must not be thrown back by the bisection that guards it."""
    one = {
        "positions": [[0.0, 0.0, 0.0]],
        "thrust_coefficient": [[2.5, 0.0, 0.0]],
        "speed_limit_forward": 9.0,
        "speed_limit_reverse": 9.0,
        "angle_min": 0.0,
        "angle_max": 0.0,
    }
    found = AzimuthAllocation(**one).evaluate(force=[thrust, 0, 0, 0, 0, 0]).outputs
    assert found["command"][0] == pytest.approx(thrust / 2.5, rel=4e-16)


def test_a_thruster_that_cannot_reverse_goes_to_its_stop() -> None:
    one = {
        "positions": [[0.0, 0.0, 0.0]],
        "thrust_coefficient": [[0.0, 1.0, 0.0]],
        "speed_limit_forward": 9.0,
        "speed_limit_reverse": 0.0,
        "angle_min": -1.0,
        "angle_max": 1.0,
    }
    # The yaw that starboard force gives is not wanted either way: the thruster is at the origin.
    block = AzimuthAllocation(**one)
    found = block.evaluate(force=[0.0, 2.0, 0, 0, 0, 0]).outputs
    assert found["angle"][0] == 1.0
    assert found["thrust"][0] == pytest.approx(2.0 * np.sin(1.0))
    backwards = block.evaluate(force=[-2.0, 0.0, 0, 0, 0, 0]).outputs
    assert backwards["thrust"][0] == backwards["command"][0] == 0.0


def test_angles_may_count_more_than_half_a_turn() -> None:
    block = AzimuthAllocation(**TUG | {"angle_min": [np.pi, np.pi, 1.5], "angle_max": [3 * np.pi, 3 * np.pi, 1.5]})
    found = block.evaluate(force=[2.0, 0.2, 0, 0, 0, 0]).outputs
    assert np.all(found["angle"][:2] > np.pi)
    assert np.all(found["thrust"][:2] > 0.0)


def test_speeds_stay_within_their_limits() -> None:
    found = AzimuthAllocation(**TUG).evaluate(force=[99.0, 0, 0, 0, 0, 0]).outputs
    np.testing.assert_array_equal(found["command"][:2], [60.0, 60.0])


@pytest.mark.parametrize("curve", [[0.5, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.01], [0.2, 0.1, -1e-4]])
def test_the_thrust_curve_is_inverted(curve: list[float]) -> None:
    one = {"positions": [[0.0, 0.0, 0.0]], "thrust_coefficient": [curve], "angle_min": 0.0, "angle_max": 0.0}
    block = AzimuthAllocation(**one, speed_limit_forward=30.0, speed_limit_reverse=20.0)
    for n in (-19.0, -1e-3, 1e-6, 2.0, 29.0):
        thrust = curve[0] * n + curve[1] * abs(n) * n + curve[2] * n**3
        found = block.evaluate(force=[thrust, 0, 0, 0, 0, 0]).outputs["command"][0]
        assert found == pytest.approx(n, rel=1e-9)


def test_nothing_wanted_is_nothing_done() -> None:
    found = AzimuthAllocation(**TUG).evaluate(force=np.zeros(6)).outputs
    assert not np.any(found["command"])
    assert not np.any(found["angle"][:2])


def test_a_curve_that_falls_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"thrust_coefficient\[0\] must give a thrust that rises .* limit of 60"):
        AzimuthAllocation(**TUG | {"thrust_coefficient": [[1.0, 0, -1e-3], [1.0, 0, 0], [1.0, 0, 0]]})


def missed(block: AzimuthAllocation, wanted: Any) -> float:
    return float(np.linalg.norm(given(block, wanted) - wanted))


def test_within_reach_limits_change_nothing() -> None:
    wanted = np.array([3.0, 1.0, 0, 0, 0, 0.4])
    one = AzimuthAllocation(**TUG).evaluate(force=wanted).outputs
    other = AzimuthAllocation(**TUG, limits="bounded").evaluate(force=wanted).outputs
    for name, value in one.items():
        np.testing.assert_array_equal(other[name], value)


def test_what_a_weak_thruster_cannot_give_its_neighbour_does() -> None:
    """Both at the origin, so that any share will do."""
    changes = {"positions": np.zeros((3, 3)), "speed_limit_forward": [20.0, 60.0, 1.0], "limits": "bounded"}
    block = AzimuthAllocation(**TUG | changes)
    wanted = np.array([3.0, 2.0, 0, 0, 0, 0])
    assert missed(AzimuthAllocation(**TUG | changes | {"limits": "clip"}), wanted) > 0.5
    assert missed(block, wanted) < 1e-6
    assert block.evaluate(force=wanted).outputs["command"][0] == pytest.approx(20.0)


def test_what_a_stop_forbids_the_others_do() -> None:
    """One thruster that cannot reverse nor turn to starboard, one that can do all."""
    two = {
        "positions": np.zeros((2, 3)),
        "thrust_coefficient": np.tile([0.0, 1.0, 0.0], (2, 1)),
        "speed_limit_forward": 9.0,
        "speed_limit_reverse": 0.0,
        "angle_min": [-1.0, -np.pi],
        "angle_max": [0.0, np.pi],
        "limits": "bounded",
    }
    wanted = np.array([3.0, 4.0, 0, 0, 0, 0])
    assert missed(AzimuthAllocation(**two | {"limits": "clip"}), wanted) == pytest.approx(2.0)
    assert missed(AzimuthAllocation(**two), wanted) < 1e-6


def random_set(random: np.random.Generator) -> dict[str, Any]:
    """Thrusters of all kinds: fixed, with stops, turning on; reversible or not."""
    count = int(random.integers(2, 6))
    least, most = -random.uniform(0.0, np.pi, count), random.uniform(0.0, np.pi, count)
    kind = random.integers(0, 3, count)
    return {
        "positions": np.column_stack([random.uniform(-2.0, 2.0, (count, 2)), np.zeros(count)]),
        "thrust_coefficient": np.tile([0.0, 1.0, 0.0], (count, 1)),
        "speed_limit_forward": random.uniform(1.0, 4.0, count),
        "speed_limit_reverse": np.where(random.random(count) < 0.5, 0.0, random.uniform(0.5, 3.0, count)),
        "angle_min": np.where(kind == 0, -np.pi, np.where(kind == 1, most, least)),
        "angle_max": np.where(kind == 0, np.pi, most),
    }


def test_it_never_comes_less_near_than_with_each_limit_alone() -> None:
    random, nearer = np.random.default_rng(5), 0
    for _ in range(60):
        parameters, wanted = random_set(random), np.zeros(6)
        wanted[[0, 1, 5]] = random.normal(size=3) * 10.0 ** random.uniform(-0.5, 1.5)
        clip, bounded = (AzimuthAllocation(**parameters, limits=limits) for limits in ("clip", "bounded"))
        found = bounded.evaluate(force=wanted).outputs
        thrusters = AzimuthThrusters(**parameters)
        given_by_them = thrusters.evaluate(command=found["command"], angle=found["angle"]).outputs
        np.testing.assert_allclose(given_by_them["thrust"], found["thrust"], rtol=1e-9, atol=1e-9)
        np.testing.assert_array_equal(given_by_them["azimuth"], found["angle"])  # within their ranges
        one, other = missed(clip, wanted), missed(bounded, wanted)
        assert other <= one * (1.0 + 1e-9) + 1e-9
        nearer += other < 0.9 * one
    assert nearer > 20


def test_a_wrench_that_is_not_a_number_is_not_hidden_by_the_limits() -> None:
    found = AzimuthAllocation(**TUG, limits="bounded").evaluate(force=[np.nan, 0, 0, 0, 0, 0]).outputs
    assert np.all(np.isnan(found["thrust"]))


def test_too_many_thrusters_for_bounds_are_refused() -> None:
    many = {"positions": np.zeros((13, 3)), "thrust_coefficient": np.ones((13, 3))}
    limits = {"speed_limit_forward": 1.0, "speed_limit_reverse": 1.0}
    AzimuthAllocation(**many, **limits)
    with pytest.raises(ParameterError, match=r"limits='bounded' takes at most 12 thrusters, not 13; limits='clip'"):
        AzimuthAllocation(**many, **limits, limits="bounded")
