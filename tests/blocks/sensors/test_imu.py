"""The inertial measurement unit against a moving body, and its errors."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from blocks.sensors import Imu

ARM = np.array([0.8, -0.3, 0.5])


def place(t: float) -> np.ndarray:
    """Of the body origin, north, east, down, of a vehicle that moves in all ways."""
    return np.array([2.0 * t + np.sin(0.9 * t), np.cos(1.3 * t), 0.4 * np.sin(1.7 * t + 0.3)])


def attitude(t: float) -> Rotation:
    """Of the same vehicle."""
    return Rotation.from_euler("ZYX", [0.5 * t + 0.2 * np.sin(t), 0.3 * np.sin(1.1 * t), 0.4 * np.cos(0.7 * t)])


def velocity(t: float, h: float = 1e-3) -> np.ndarray:
    """ν by central differences of the fourth order."""

    def ahead(step: float) -> np.ndarray:
        turned = (attitude(t - step).inv() * attitude(t + step)).as_rotvec() / (2.0 * step)
        return np.concatenate([attitude(t).inv().apply(place(t + step) - place(t - step)) / (2.0 * step), turned])

    return (4.0 * ahead(h) - ahead(2.0 * h)) / 3.0


def test_specific_force_is_what_a_mass_on_a_spring_feels():
    """Second differences of the place of the unit in space, less gravity, in body axes."""
    imu = Imu(lever_arm=ARM, gravity=9.82, period=0.1)

    def unit(t: float) -> np.ndarray:
        return place(t) + attitude(t).apply(ARM)

    h = 2e-3
    for t in (0.3, 1.1, 2.6):
        second = (-unit(t + 2 * h) + 16 * unit(t + h) - 30 * unit(t) + 16 * unit(t - h) - unit(t - 2 * h)) / (
            12 * h * h
        )
        expected = attitude(t).inv().apply(second - [0.0, 0.0, 9.82])
        acceleration = (velocity(t + h) - velocity(t - h)) / (2.0 * h)
        eta = [*place(t), *attitude(t).as_euler("ZYX")[::-1]]
        found = imu.evaluate(eta=eta, nu=velocity(t), acceleration=acceleration).outputs
        np.testing.assert_allclose(found["specific_force"], expected, atol=2e-5)
        np.testing.assert_allclose(found["angular_rate"], velocity(t)[3:], atol=1e-15)


def test_at_rest_it_feels_the_deck_push_up():
    level = Imu(period=0.1).evaluate(eta=np.zeros(6), nu=np.zeros(6), acceleration=np.zeros(6)).outputs
    assert level["specific_force"].tolist() == [0.0, 0.0, -9.81]
    heeled = Imu(period=0.1).evaluate(eta=[0, 0, 0, 0.3, 0, 0], nu=np.zeros(6), acceleration=np.zeros(6)).outputs
    np.testing.assert_allclose(heeled["specific_force"], [0, -9.81 * np.sin(0.3), -9.81 * np.cos(0.3)], atol=1e-15)


def test_scale_misalignment_and_bias():
    matrices = (
        np.eye(3) + 0.05 * np.sin(np.arange(9.0)).reshape(3, 3),
        np.eye(3) - 0.02 * np.cos(np.arange(9.0)).reshape(3, 3),
    )
    exact, faulty = (
        Imu(period=0.1, **more).evaluate(
            eta=[0, 0, 0, 0.1, 0.2, 0.3], nu=[1, 2, 3, 0.4, 0.5, 0.6], acceleration=[1, 2, 3, 4, 5, 6]
        ).outputs
        for more in (
            {},
            {
                "accelerometer_matrix": matrices[0],
                "gyro_matrix": matrices[1],
                "accelerometer_bias": [0.1, 0.2, 0.3],
                "gyro_bias": [0.01, 0.02, 0.03],
            },
        )
    )  # fmt: skip
    force = matrices[0] @ exact["specific_force"] + [0.1, 0.2, 0.3]
    rate = matrices[1] @ exact["angular_rate"] + [0.01, 0.02, 0.03]
    np.testing.assert_allclose(faulty["specific_force"], force, atol=1e-14)
    np.testing.assert_allclose(faulty["angular_rate"], rate, atol=1e-15)
    assert faulty["specific_force"] != pytest.approx(exact["specific_force"], abs=1e-3)
