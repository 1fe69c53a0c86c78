"""Of which vessels in six degrees of freedom something is a state, an input or a parameter that may change."""

from __future__ import annotations

from typing import Any

import numpy as np


def by_euler_angles(block: Any) -> bool:
    """It integrates its pose, with Euler angles."""
    return bool(block.integrate_pose and block.attitude == "euler")


def by_quaternion(block: Any) -> bool:
    """It integrates its pose, with a quaternion."""
    return bool(block.integrate_pose and block.attitude == "quaternion")


def integrates_pose(block: Any) -> bool:
    """Position and attitude are states."""
    return bool(block.integrate_pose)


def takes_pose(block: Any) -> bool:
    """Position and attitude come in."""
    return not block.integrate_pose


def has_no_fading(block: Any) -> bool:
    """Linear damping is the same at all speeds."""
    return not np.any(block.linear_fading)


def has_no_derivatives(block: Any) -> bool:
    """There are no derivatives of second order."""
    return not np.any(block.derivatives)


def has_no_stiffness(block: Any) -> bool:
    """There is no stiffness."""
    return not np.any(block.stiffness)


def parts_waves(block: Any) -> bool:
    """It knows motions in waves apart from slow ones."""
    return bool(block.slow_motion_time > 0.0)


def parts_no_waves(block: Any) -> bool:
    """It does not."""
    return not parts_waves(block)
