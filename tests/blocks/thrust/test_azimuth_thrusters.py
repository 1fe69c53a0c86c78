"""AzimuthThrusters: the wrench of thrust at an angle, with the published numbers of the tug Tito Neri."""

from typing import Any

import numpy as np
import pytest

from blocks import simulate
from blocks.errors import ParameterError
from blocks.thrust import AzimuthThrusters

# Two aft azimuths and a bow thruster across the hull: RAS-Delft/TurtleBoat, commit 33a2359 (2024).
TITO_NERI: dict[str, Any] = {
    "positions": [[-0.42, -0.08, 0.0], [-0.42, 0.08, 0.0], [0.28, 0.0, 0.0]],
    "thrust_coefficient": [[1.061e-2, 0.0, 1.925e-5], [1.061e-2, 0.0, 1.925e-5], [3.575, 0.0, 0.0]],
    "speed_limit_forward": [60.0, 60.0, 1.0],
    "speed_limit_reverse": [60.0, 60.0, 1.0],
    "angle_min": [-2.356194, -2.356194, np.pi / 2],
    "angle_max": [2.356194, 2.356194, np.pi / 2],
}


@pytest.fixture
def tug() -> AzimuthThrusters:
    return AzimuthThrusters(**TITO_NERI)


def wrench(block: AzimuthThrusters, command: Any, angle: Any = 0.0, **others: Any) -> np.ndarray:
    angles = np.broadcast_to(np.asarray(angle, dtype=float), np.shape(command))
    return block.evaluate(command=command, angle=angles, **others).outputs["force"]


def test_full_ahead_of_the_tug(tug: AzimuthThrusters) -> None:
    found = tug.evaluate(command=[60.0, 60.0, 0.0]).outputs
    assert found["thrust"][:2] == pytest.approx([4.7946, 4.7946], rel=1e-12)
    np.testing.assert_allclose(found["force"], [2 * 4.7946, 0, 0, 0, 0, 0], rtol=1e-12, atol=1e-15)


def test_bow_thruster_pushes_to_starboard_and_turns_the_bow_there(tug: AzimuthThrusters) -> None:
    """Its angle is fixed: the command of an angle does not count."""
    for angle in (0.0, -1.0):
        found = wrench(tug, [0.0, 0.0, 0.5], angle)
        np.testing.assert_allclose(found, [0, 3.575 / 2, 0, 0, 0, 0.28 * 3.575 / 2], atol=1e-15)


def test_the_wrench_is_that_of_forces_at_their_places() -> None:
    random = np.random.default_rng(3)
    positions, angles = random.uniform(-1.0, 1.0, (4, 3)), random.uniform(-3.0, 3.0, 4)
    block = AzimuthThrusters(
        positions=positions,
        thrust_coefficient=random.uniform(0.1, 1.0, (4, 3)),
        speed_limit_forward=9.0,
        speed_limit_reverse=9.0,
    )
    found = block.evaluate(command=[3.0, -2.0, 1.0, 8.0], angle=angles).outputs
    forces = found["thrust"][:, None] * np.stack([np.cos(angles), np.sin(angles), np.zeros(4)], axis=1)
    expected = np.concatenate([forces.sum(axis=0), np.cross(positions, forces).sum(axis=0)])
    np.testing.assert_allclose(found["force"], expected, rtol=1e-13, atol=1e-13)


def test_port_and_starboard_are_mirror_images(tug: AzimuthThrusters) -> None:
    one = wrench(tug, [40.0, -20.0, 0.3], [0.4, 1.1, 0.0])
    other = wrench(tug, [-20.0, 40.0, -0.3], [-1.1, -0.4, 0.0])
    np.testing.assert_allclose(other, one * [1, -1, 1, -1, 1, -1], rtol=1e-13, atol=1e-14)


def test_the_thrust_curve_is_odd(tug: AzimuthThrusters) -> None:
    ahead = tug.evaluate(command=[33.0, 7.0, 0.2]).outputs["thrust"]
    astern = tug.evaluate(command=[-33.0, -7.0, -0.2]).outputs["thrust"]
    np.testing.assert_array_equal(astern, -ahead)


def test_commands_are_held_within_limits(tug: AzimuthThrusters) -> None:
    found = tug.evaluate(command=[99.0, -99.0, 3.0], angle=[9.0, -9.0, 0.0]).outputs
    np.testing.assert_array_equal(found["speed"], [60.0, -60.0, 1.0])
    np.testing.assert_allclose(found["azimuth"], [2.356194, -2.356194, np.pi / 2], rtol=1e-15)


def test_water_from_ahead_of_the_thruster_takes_thrust() -> None:
    """T = T_nn |n| n - T_nv |n| v_a, with v_a at the thruster and along it: here from sway and yaw."""
    block = AzimuthThrusters(
        positions=[[-2.0, 0.0, 0.0]],
        thrust_coefficient=[[0.0, 0.5, 0.0]],
        inflow_coefficient=0.25,
        power_coefficient=0.1,
        speed_limit_forward=20.0,
        speed_limit_reverse=20.0,
    )
    found = block.evaluate(command=[4.0], angle=[np.pi / 2], nu_r=[9.0, 1.5, 0, 0, 0, 0.25]).outputs
    assert found["thrust"][0] == pytest.approx(0.5 * 16.0 - 0.25 * 4.0 * (1.5 - 2.0 * 0.25), rel=1e-14)
    assert found["power"][0] == pytest.approx(0.1 * 64.0)
    assert block.evaluate(command=[-4.0]).outputs["power"][0] == pytest.approx(0.1 * 64.0)


def test_speed_and_angle_follow_at_their_rates() -> None:
    """120 rev/s^2 and 2.199 rad/s, as published: full ahead after half a second, the stop after 1.07 s."""
    block = AzimuthThrusters(
        **TITO_NERI,
        response="rate_limited",
        rate_limit=[120.0, 120.0, 2.0],
        angle_rate_limit=[2.19911, 2.19911, 0.0],
        time_constant=0.01,
        angle_time_constant=0.01,
    )
    run = simulate(block, 1.5, step=0.005, inputs={"command": [60.0, 30.0, -1.0], "angle": [3.0, 0.5, 0.0]})
    speed, azimuth = run.values("azimuth_thrusters.speed"), run.values("azimuth_thrusters.azimuth")
    at = {t: round(t / 0.005) for t in (0.2, 0.6, 1.5)}
    np.testing.assert_allclose(speed[at[0.2]], [24.0, 24.0, -0.4], rtol=1e-9)
    np.testing.assert_allclose(speed[at[1.5]], [60.0, 30.0, -1.0], rtol=1e-6)
    assert azimuth[at[0.6]][0] == pytest.approx(0.6 * 2.19911, rel=1e-9)
    assert azimuth[at[1.5]][:2] == pytest.approx([2.356194, 0.5], rel=1e-6)
    assert np.ptp(azimuth[:, 2]) == 0.0


def test_first_order_response_is_exponential() -> None:
    block = AzimuthThrusters(**TITO_NERI, response="first_order", time_constant=0.5, angle_time_constant=0.25)
    run = simulate(block, 1.0, step=0.01, inputs={"command": [60.0, 0.0, 0.0], "angle": [1.0, 0.0, 0.0]})
    assert run.values("azimuth_thrusters.speed")[-1, 0] == pytest.approx(60.0 * (1.0 - np.exp(-2.0)), rel=1e-8)
    assert run.values("azimuth_thrusters.azimuth")[-1, 0] == pytest.approx(1.0 - np.exp(-4.0), rel=1e-8)


@pytest.mark.parametrize("response", ["first_order", "rate_limited"])
def test_without_stops_the_shorter_way_is_taken(response: str) -> None:
    """From 170° to -170°: 20° on, not 340° back; -170° and 190° are one direction. Those with stops turn back."""
    changes = {"angle_min": [-np.pi, -3.0, np.pi / 2], "angle_max": [np.pi, 3.0, np.pi / 2]}
    block = AzimuthThrusters(
        **TITO_NERI | changes, full_turn="endless", response=response, angle_rate_limit=1.0, angle_time_constant=0.1,
        initial_azimuth=np.radians([170.0, 170.0, 90.0]),
    )  # fmt: skip
    inputs = {"command": [10.0, 10.0, 0.0], "angle": np.radians([-170.0, -170.0, 0.0])}
    run = simulate(block, 8.0, step=0.02, inputs=inputs)
    azimuth = np.degrees(run.values("azimuth_thrusters.azimuth"))
    assert azimuth[-1] == pytest.approx([190.0, -170.0, 90.0], abs=1e-3)
    assert azimuth[:, 0].min() == pytest.approx(170.0)
    assert azimuth[:, 1].min() < -169.0
    end, straight = run.values("azimuth_thrusters.force")[-1], wrench(block, [0, 0, 0])
    assert end.shape == straight.shape
    one = AzimuthThrusters(**TITO_NERI | {"angle_min": -np.pi, "angle_max": np.pi})
    np.testing.assert_allclose(end, wrench(one, [10.0, 10.0, 0.0], inputs["angle"]), atol=1e-4)


def test_power_by_figure_of_merit_is_that_of_an_actuator_disc() -> None:
    """At bollard T^(3/2)/√(2 ρ A)/FM; under way T times the speed through the disc; nothing if driven by the water."""
    block = AzimuthThrusters(
        positions=[[0.0, 0.0, 0.0]], thrust_coefficient=[[0.0, 0.5, 0.0]], inflow_coefficient=0.25,
        speed_limit_forward=20.0, speed_limit_reverse=20.0,
        power_model="figure_of_merit", diameter=0.2, density=1000.0, figure_of_merit=0.5,
    )  # fmt: skip
    area = np.pi * 0.2**2 / 4.0
    for command in (10.0, -10.0):
        found = block.evaluate(command=[command]).outputs
        assert found["power"][0] == pytest.approx(50.0**1.5 / np.sqrt(2.0 * 1000.0 * area) / 0.5, rel=1e-13)
    found = block.evaluate(command=[10.0], angle=[np.pi / 2], nu_r=[0, 2.0, 0, 0, 0, 0]).outputs
    through = found["power"][0] * 0.5 / found["thrust"][0]
    assert 2.0 * 1000.0 * area * through * (through - 2.0) == pytest.approx(found["thrust"][0], rel=1e-12)
    astern = block.evaluate(command=[-10.0], nu_r=[2.0, 0, 0, 0, 0, 0]).outputs
    assert astern["thrust"][0] == pytest.approx(-55.0)
    assert astern["power"][0] < block.evaluate(command=[10.0], nu_r=[-2.0, 0, 0, 0, 0, 0]).outputs["power"][0] * 1.001
    assert block.evaluate(command=[1.0], nu_r=[9.0, 0, 0, 0, 0, 0]).outputs["power"][0] == 0.0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"positions": 1.0}, r"positions must be an array of n×3, one row per thruster, not the single number 1"),
        ({"positions": [[0.0, 0.0, 0.0]]}, r"positions has 1 entries, thrust_coefficient has 3"),
        ({"angle_min": [0.0, 3.0, 0.0]}, r"angle_min\[1\] must not exceed angle_max\[1\]: 3 is above 2.35619"),
        ({"response": "first_order", "initial_speed": [0.0, 70.0, 0.0]},
         r"initial_speed\[1\] must be within -60 and 60 rev/s, the limits of the speed, not 70"),
        ({"thrust_coefficients": 1.0}, r"did you mean 'thrust_coefficient'"),
        ({"power_model": "figure_of_merit", "diameter": [0.1, 0.0, 0.1]},
         r"diameter\[1\] is wanted with power_model='figure_of_merit', in m; where it is not known, choose .*'cubic'"),
    ],
)  # fmt: skip
def test_bad_parameters_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        AzimuthThrusters(**(TITO_NERI | changes))
