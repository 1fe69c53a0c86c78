"""Axes of Keelblocks and of ROS, both ways, beside SciPy's rotations and what REP 103 says of them."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from blocks.live import frames

RNG = np.random.default_rng(14)
ANGLES = RNG.uniform([-np.pi, -1.5, -np.pi], [np.pi, 1.5, np.pi], (200, 3))
VECTORS = RNG.normal(size=(200, 3))
ENU_OF_NED = Rotation.from_matrix([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
FLU_OF_FRD = Rotation.from_matrix(np.diag([1.0, -1.0, -1.0]))
FRD_IN_NED = Rotation.from_euler("ZYX", ANGLES[:, ::-1])


def test_vectors_are_turned_as_rotations_turn_them():
    np.testing.assert_allclose(frames.ned_to_enu(VECTORS), ENU_OF_NED.apply(VECTORS), atol=1e-15)
    np.testing.assert_allclose(frames.frd_to_flu(VECTORS), FLU_OF_FRD.apply(VECTORS), atol=1e-15)
    six = np.hstack([VECTORS, VECTORS[::-1]])
    assert np.array_equal(
        frames.frd_to_flu(six), np.hstack([frames.frd_to_flu(part) for part in (VECTORS, VECTORS[::-1])])
    )


def test_vectors_come_back_to_the_bit():
    assert frames.enu_to_ned(frames.ned_to_enu(VECTORS)).tobytes() == VECTORS.tobytes()
    assert frames.flu_to_frd(frames.frd_to_flu(VECTORS)).tobytes() == VECTORS.tobytes()


@pytest.mark.parametrize("attitude", [ANGLES, FRD_IN_NED.as_quat(scalar_first=True)], ids=["euler", "quaternion"])
def test_an_attitude_turns_body_vectors_of_ros_as_those_of_keelblocks(attitude):
    flu_in_enu = Rotation.from_quat(frames.ros_quaternion(attitude))
    there = flu_in_enu.apply(frames.frd_to_flu(VECTORS))
    np.testing.assert_allclose(there, frames.ned_to_enu(FRD_IN_NED.apply(VECTORS)), atol=1e-14)


def test_attitudes_come_back():
    orientation = frames.ros_quaternion(ANGLES)
    np.testing.assert_allclose(frames.ned_euler(orientation), ANGLES, atol=1e-11)
    quaternion = frames.quaternion_of_euler(ANGLES)
    np.testing.assert_allclose(frames.ned_quaternion(orientation), quaternion, atol=1e-15)
    np.testing.assert_allclose(frames.ned_euler(3.0 * orientation), ANGLES, atol=1e-11)  # of any length


def test_east_is_yaw_zero_and_north_a_quarter_turn():
    """REP 103: x forward, y left, z up; yaw 0 is east, increases counter-clockwise, and north is π/2."""
    for heading, yaw in ((0.0, np.pi / 2), (np.pi / 2, 0.0), (np.pi, -np.pi / 2), (-np.pi / 2, np.pi)):
        np.testing.assert_allclose(frames.heading_to_yaw(heading), yaw, atol=1e-15)
        x, y, z, w = frames.ros_quaternion([0.0, 0.0, heading])
        np.testing.assert_allclose([x, y], 0.0, atol=1e-15)
        np.testing.assert_allclose(np.exp(2j * np.arctan2(z, w)), np.exp(1j * yaw), atol=1e-15)
    headings = np.linspace(-3.0, 3.0, 50)
    np.testing.assert_allclose(frames.yaw_to_heading(frames.heading_to_yaw(headings)), headings, atol=1e-15)
    assert frames.heading_to_yaw(100.0).max() <= np.pi


def test_bow_down_and_starboard_down_have_the_signs_of_rep_103():
    """θ < 0 puts the bow down, which is a positive pitch about the axis to the left; roll is about the same axis."""
    roll, pitch, yaw = 0.2, -0.3, 0.7
    got = Rotation.from_quat(frames.ros_quaternion([roll, pitch, yaw])).as_euler("ZYX")
    np.testing.assert_allclose(got, [np.pi / 2 - yaw, -pitch, roll], atol=1e-15)


@pytest.mark.parametrize("size", [3, 6])
def test_covariances_are_those_of_what_is_turned(size):
    root = RNG.normal(size=(size, size))
    given = root @ root.T
    samples = RNG.normal(size=(50, size)) @ root.T
    for turn_covariance, turn in (
        (frames.covariance_to_enu, frames.ned_to_enu),
        (frames.covariance_to_flu, frames.frd_to_flu),
    ):
        turned = np.hstack([turn(samples[:, i : i + 3]) for i in range(0, size, 3)])
        np.testing.assert_allclose(turn_covariance(np.cov(samples.T)), np.cov(turned.T), atol=1e-12)
        np.testing.assert_allclose(turn_covariance(turn_covariance(given)), given, atol=1e-12)


def test_small_changes_of_euler_angles_are_rotations_about_fixed_axes():
    for angles in ANGLES[:20]:
        small = 1e-6 * np.eye(3)
        attitude = Rotation.from_euler("ZYX", angles[::-1])
        turned = (Rotation.from_euler("ZYX", (angles + small)[:, ::-1]) * attitude.inv()).as_rotvec() / 1e-6
        deviations = np.diag([1.0, 2.0, 3.0, 0.1, 0.2, 0.3])
        full = np.block([[np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), turned.T]]) @ deviations
        np.testing.assert_allclose(
            frames.rotation_covariance(deviations @ deviations, angles), full @ full.T, atol=1e-5
        )
