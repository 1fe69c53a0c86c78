"""The vehicles that are ready to go: each servo output moves them as ArduPilot means it, and files agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_ardupilot import Autopilot

from blocks.live.ardupilot import ArduPilot
from blocks.scenario import Scenario

EXAMPLES = Path(__file__).parents[4] / "examples"
VEHICLES = ["otter", "wam_v", "bluerov2", "tito_neri"]

Steer = Callable[..., dict[str, Any]]


def loaded(name: str) -> Scenario:
    return Scenario.load(EXAMPLES / f"{name}_ardupilot.yaml")


def parameters(name: str) -> dict[str, float]:
    lines = (EXAMPLES / f"{name}_ardupilot.parm").read_text().splitlines()
    pairs = [line.split() for line in lines if line and not line.startswith("#")]
    assert len({name for name, _ in pairs}) == len(pairs)
    return {name: float(value) for name, value in pairs}


@pytest.fixture
def steer() -> Iterator[Callable[[str], Steer]]:
    """For a vehicle by name: hold some outputs, 1500 µs the others, for some time; the last answer."""
    opened: list[Any] = []

    def of(name: str) -> Steer:
        scenario = loaded(name)
        vehicle = ArduPilot(scenario.simulator(), scenario.live["ardupilot"], port=0)
        autopilot = Autopilot(vehicle, rate=100)
        opened.extend((autopilot, vehicle))

        def hold(seconds: float = 2.0, **pulses: int) -> dict[str, Any]:
            outputs = [pulses.get(f"s{channel}", 1500) for channel in range(1, 17)]
            return [autopilot.frame(outputs) for _ in range(int(seconds * 100))][-1]

        return hold

    yield of
    for one in opened:
        one.close()


@pytest.mark.parametrize("name", VEHICLES)
def test_at_rest_the_accelerometer_shows_gravity(name: str, steer: Callable[[str], Steer]) -> None:
    found = steer(name)(0.05)
    assert found["imu.accel_body"] == pytest.approx([0.0, 0.0, -9.81], abs=0.2)
    assert found["battery.voltage"] > 10.0
    assert found["battery.current"] > 0.0


@pytest.mark.parametrize("name", ["otter", "wam_v"])
def test_boats_steer_by_the_difference_of_their_throttles(name: str, steer: Callable[[str], Steer]) -> None:
    """Output 1 is the left throttle: more of it turns to starboard."""
    right, left, ahead = steer(name)(s1=1900, s3=1300), steer(name)(s1=1300, s3=1900), steer(name)(s1=1900, s3=1900)
    assert right["imu.gyro"][2] > 0.1 > -0.1 > left["imu.gyro"][2]
    assert ahead["velocity"][0] > 0.5


def test_the_tug_steers_by_turning_its_thrust(steer: Callable[[str], Steer]) -> None:
    """Outputs 1 and 3 are steering and throttle; the bow thruster, on output 5, pushes the bow to starboard."""
    assert steer("tito_neri")(s1=1900, s3=1600)["imu.gyro"][2] > 0.05
    assert steer("tito_neri")(s1=1100, s3=1600)["imu.gyro"][2] < -0.05
    assert steer("tito_neri")(s3=1700)["velocity"][0] > 0.1
    assert steer("tito_neri")(s5=1900)["imu.gyro"][2] > 0.05


FACTORS = np.array(
    [  # roll, pitch, yaw, up, ahead, to starboard of motors 1 to 8
        [0, 0, 1, 0, -1, 1], [0, 0, -1, 0, -1, -1], [0, 0, -1, 0, 1, 1], [0, 0, 1, 0, 1, -1],
        [1, -1, 0, -1, 0, 0], [-1, -1, 0, -1, 0, 0], [1, 1, 0, -1, 0, 0], [-1, 1, 0, -1, 0, 0],
    ]
)  # fmt: skip
"""SUB_FRAME_VECTORED_6DOF in AP_Motors6DOF.cpp of ArduSub."""


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("axis", range(6))
def test_the_rov_is_pushed_in_all_six_directions(axis: int, sign: int) -> None:
    """What ArduSub's mixer sends for one axis is a force or a moment about it alone, but for the arm of 8.5 cm."""
    scenario = loaded("bluerov2")
    with ArduPilot(scenario.simulator(), scenario.live["ardupilot"], port=0) as vehicle:
        autopilot = Autopilot(vehicle)
        autopilot.frame([1500 + sign * round(160 * factor) for factor in FACTORS[:, axis]])
        x, y, z, roll, pitch, yaw = vehicle.simulator["thrusters.force"]
        autopilot.close()
    found = np.array([roll + 0.085 * y, pitch - 0.085 * x, yaw, -z, x, y])
    assert sign * found[axis] > 1.0
    assert np.abs(np.delete(found, axis)).max() < 1e-3 * abs(found[axis])


def test_the_altimeter_of_the_rov_is_rangefinder_1(steer: Callable[[str], Steer]) -> None:
    found = steer("bluerov2")(0.1)
    assert found["rng_1"] == pytest.approx(12.0 - found["position"][2], abs=1e-8)


@pytest.mark.parametrize("name", VEHICLES)
def test_parameter_file_and_scenario_agree(name: str) -> None:
    """Pulse widths, the rate of the samples, and what the battery is."""
    scenario, found = loaded(name), parameters(name)
    for servo in scenario.live["ardupilot"]["servos"].values():
        for key, usual in (("min", 1100), ("trim", 1500), ("max", 1900)):
            assert found.get(f"SERVO{servo['channel']}_{key.upper()}", usual) == servo.get(key, usual)
        assert f"SERVO{servo['channel']}_FUNCTION" in found
    blocks = scenario.diagram.blocks()
    assert found["SIM_RATE_HZ"] == pytest.approx(1.0 / blocks["imu"].period)
    assert scenario.plan().settings.step == blocks["imu"].period
    assert found["BATT_CAPACITY"] == pytest.approx(blocks["battery"].capacity / 3.6)
    assert found["BATT_MONITOR"] == 4


def test_the_asymmetry_of_the_otter_is_that_of_its_propellers() -> None:
    thrusters = loaded("otter").diagram.blocks()["thrusters"]
    found = parameters("otter")
    assert found["MOT_THST_ASYM"] == pytest.approx(
        thrusters.thrust_limit_forward / thrusters.thrust_limit_reverse, abs=1e-3
    )
