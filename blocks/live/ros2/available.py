"""Whether there is a ROS 2 that can be used, and what to do if there is none."""

from __future__ import annotations

import importlib
from typing import Any

from blocks.errors import SimulationError

INSTALL = "pip install 'keelblocks[ros2]' (CPython 3.11 and 3.12 on Linux, x86_64)"


class Ros2Error(SimulationError):
    """The ROS 2 node cannot be made as it is wanted, or it cannot go on."""


def missing() -> str:
    """Why there is no ROS 2 that can be used; empty if there is one."""
    try:
        importlib.import_module("rclpy")
    except ImportError as problem:
        if isinstance(problem, ModuleNotFoundError) and problem.name == "rclpy":
            return f"there is no rclpy: source the setup file of a ROS 2 of this Python, or {INSTALL}"
        reason = str(problem).splitlines()[0]
        return (
            f"rclpy is there and cannot be used: {reason}; what is sourced must be a whole ROS 2 of this Python, with a "
            f"middleware, or {INSTALL}"
        )
    return ""


def require() -> None:
    """Raise Ros2Error, with what to do, if there is no ROS 2."""
    reason = missing()
    if reason:
        raise Ros2Error(f"ROS 2: {reason}")


def message_type(name: str) -> Any:
    """The class of a type of messages, "nav_msgs/Odometry". Raises Ros2Error if its package is not there."""
    package, _, kind = name.partition("/")
    if name == "tf2_msgs/TFMessage":
        return _transforms()
    try:
        return getattr(importlib.import_module(f"{package}.msg"), kind)
    except (ImportError, AttributeError):
        raise Ros2Error(
            f"messages of type {name} need the package {package} of ROS 2: apt install ros-$ROS_DISTRO-"
            f"{package.replace('_', '-')}, or {INSTALL}"
        ) from None


def _transforms() -> Any:
    try:
        return getattr(importlib.import_module("tf2_msgs.msg"), "TFMessage")  # noqa: B009  # a module without types
    except ImportError:
        from blocks.live.ros2.transform_type import transform_type

        return transform_type()
