"""Whether there is a ROS 2 that can be used, and what to do if there is none."""

from __future__ import annotations

import importlib

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
            f"rclpy is there and cannot be used: {reason}; what is sourced must be a whole ROS 2 of this Python, with "
            f"its middleware, or {INSTALL}"
        )
    return ""


def require() -> None:
    """Raise Ros2Error, with what to do, if there is no ROS 2."""
    reason = missing()
    if reason:
        raise Ros2Error(f"ROS 2: {reason}")
