"""Types of messages by their names."""

from __future__ import annotations

import importlib
from typing import Any

from blocks.live.ros2.available import INSTALL, Ros2Error
from blocks.live.ros2.transform_type import transform_type


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
        return transform_type()
