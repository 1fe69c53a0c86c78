"""Between the axes of Keelblocks and those of ROS: the one place where signs and orders of axes change.

Keelblocks has north, east, down (NED) in the world and forward, starboard, down (FRD) in the body; ROS has east, north,
up (ENU) and forward, left, up (FLU). All functions take arrays with any number of leading dimensions, and none changes
units: SI and radians on both sides.

Sources: ROS REP 103, Standard Units of Measure and Coordinate Conventions; REP 105, Coordinate Frames for Mobile
Platforms; Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, ch. 2 (NED, body axes, zyx Euler
angles).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cython_kernels import elementary

Array = NDArray[np.float64]

_FLU = np.array([1.0, -1.0, -1.0])
_FLU_6 = np.array([1.0, -1.0, -1.0, 1.0, -1.0, -1.0])
_ENU = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])


def ned_to_enu(vector: ArrayLike) -> Array:
    """A vector (…, 3) in NED, in ENU: east, north, up."""
    given = np.asarray(vector, dtype=np.float64)
    turned = np.empty_like(given)
    turned[..., 0] = given[..., 1]
    turned[..., 1] = given[..., 0]
    turned[..., 2] = -given[..., 2]
    return turned


def enu_to_ned(vector: ArrayLike) -> Array:
    """A vector (…, 3) in ENU, in NED: the same exchange of axes."""
    return ned_to_enu(vector)


def frd_to_flu(vector: ArrayLike) -> Array:
    """A vector in body axes (…, 3), or a velocity or wrench (…, 6) of two, with left and up positive."""
    given = np.asarray(vector, dtype=np.float64)
    return np.asarray(given * (_FLU_6 if given.shape[-1] == 6 else _FLU))


def flu_to_frd(vector: ArrayLike) -> Array:
    """A vector (…, 3), or a velocity or wrench (…, 6), with starboard and down positive: the same change of signs."""
    return frd_to_flu(vector)


def quaternion_of_euler(angles: ArrayLike) -> Array:
    """The scalar-first quaternion (…, 4) of zyx Euler angles φ, θ, ψ (…, 3): body axes in NED."""
    half = 0.5 * np.asarray(angles, dtype=np.float64)
    c, s = elementary.cos(half), elementary.sin(half)
    cf, ct, cp = c[..., 0], c[..., 1], c[..., 2]
    sf, st, sp = s[..., 0], s[..., 1], s[..., 2]
    made = np.empty((*half.shape[:-1], 4))
    made[..., 0] = cf * ct * cp + sf * st * sp
    made[..., 1] = sf * ct * cp - cf * st * sp
    made[..., 2] = cf * st * cp + sf * ct * sp
    made[..., 3] = cf * ct * sp - sf * st * cp
    return made


def euler_of_quaternion(quaternion: ArrayLike) -> Array:
    """zyx Euler angles φ, θ, ψ (…, 3), ψ in [-π, π], of a scalar-first quaternion (…, 4) of any length but 0."""
    q = np.asarray(quaternion, dtype=np.float64)
    w, x, y, z = np.moveaxis(q, -1, 0)
    length = np.sqrt(w * w + x * x + y * y + z * z)
    w, x, y, z = w / length, x / length, y / length, z / length
    angles = np.empty((*q.shape[:-1], 3))
    angles[..., 0] = elementary.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    angles[..., 1] = elementary.asin(np.clip(2.0 * (w * y - z * x), -1.0, 1.0))
    angles[..., 2] = elementary.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    return angles


def ros_quaternion(attitude: ArrayLike) -> Array:
    """The attitude of FLU axes in ENU, x, y, z, w (…, 4), of zyx Euler angles (…, 3) or a scalar-first quaternion
    (…, 4) of FRD axes in NED.

    A vessel on an even keel that heads north has yaw π/2 in ROS.
    """
    given = np.asarray(attitude, dtype=np.float64)
    if given.shape[-1] == 3:
        given = quaternion_of_euler(given)
    w, x, y, z = np.moveaxis(given, -1, 0)
    return math.sqrt(0.5) * np.stack([x + y, x - y, w - z, w + z], axis=-1)


def ned_quaternion(orientation: ArrayLike) -> Array:
    """The scalar-first quaternion (…, 4) of FRD axes in NED, of what ROS says: x, y, z, w of FLU in ENU."""
    x, y, z, w = np.moveaxis(np.asarray(orientation, dtype=np.float64), -1, 0)
    return math.sqrt(0.5) * np.stack([w + z, x + y, x - y, w - z], axis=-1)


def ned_euler(orientation: ArrayLike) -> Array:
    """zyx Euler angles φ, θ, ψ (…, 3) in NED, of what ROS says: x, y, z, w of FLU in ENU."""
    return euler_of_quaternion(ned_quaternion(orientation))


def heading_to_yaw(heading: ArrayLike) -> Array:
    """Yaw from east, counter-clockwise, in (-π, π], of a heading from north, clockwise."""
    return _quarter_turn_less(heading)


def yaw_to_heading(yaw: ArrayLike) -> Array:
    """Heading from north, clockwise, in (-π, π], of a yaw from east, counter-clockwise."""
    return _quarter_turn_less(yaw)


def _quarter_turn_less(angle: ArrayLike) -> Array:
    turned = 0.5 * math.pi - np.asarray(angle, dtype=np.float64)
    return np.asarray(math.pi - np.mod(math.pi - turned, 2.0 * math.pi))


def covariance_to_enu(covariance: ArrayLike) -> Array:
    """A covariance (…, 3, 3) of a vector in NED, or (…, 6, 6) of a position and a rotation about fixed axes, in ENU.

    Applied twice it is as it was: it is also the way back.
    """
    given = np.asarray(covariance, dtype=np.float64)
    matrix = _ENU if given.shape[-1] == 3 else np.kron(np.eye(2), _ENU)
    return np.asarray(matrix @ given @ matrix.T)


def covariance_to_flu(covariance: ArrayLike) -> Array:
    """A covariance (…, 3, 3) or (…, 6, 6) of vectors in FRD body axes, in FLU; also the way back."""
    given = np.asarray(covariance, dtype=np.float64)
    signs = _FLU if given.shape[-1] == 3 else _FLU_6
    return np.asarray(given * np.multiply.outer(signs, signs))


def rotation_covariance(covariance: ArrayLike, angles: ArrayLike) -> Array:
    """The covariance (…, 6, 6) of a pose with its rotation about the fixed axes of NED, as ROS has it, of that of a
    pose η, with Euler angles; `angles` (…, 3) are φ, θ, ψ around which they vary by little.

    A small change of φ, θ, ψ turns the body by δφ about its longitudinal axis, δθ about the axis to starboard of the
    heading, δψ about the vertical.
    """
    given, euler = np.asarray(covariance, dtype=np.float64), np.asarray(angles, dtype=np.float64)
    theta, psi = euler[..., 1], euler[..., 2]
    jacobian = np.zeros((*euler.shape[:-1], 6, 6))
    jacobian[..., :3, :3] = np.eye(3)
    jacobian[..., 3, 3] = elementary.cos(theta) * elementary.cos(psi)
    jacobian[..., 4, 3] = elementary.cos(theta) * elementary.sin(psi)
    jacobian[..., 5, 3] = -elementary.sin(theta)
    jacobian[..., 3, 4] = -elementary.sin(psi)
    jacobian[..., 4, 4] = elementary.cos(psi)
    jacobian[..., 5, 5] = 1.0
    turned: Any = jacobian @ given @ np.swapaxes(jacobian, -1, -2)
    return np.asarray(turned)
