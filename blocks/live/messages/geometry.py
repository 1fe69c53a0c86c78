"""geometry_msgs and transforms: poses, velocities and forces of Keelblocks in the axes of ROS, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from blocks.live import frames
from blocks.live.frames import Array
from blocks.live.messages.contents import Message, elements, header, vector

# --- from signals ----------------------------------------------------------------------------------------------------


def pose(eta: ArrayLike) -> Message:
    """geometry_msgs/Pose of η (…, 6)."""
    given = np.asarray(eta, dtype=np.float64)
    return {
        "position": vector(frames.ned_to_enu(given[..., :3])),
        "orientation": vector(frames.ros_quaternion(given[..., 3:]), "xyzw"),
    }


def pose_stamped(stamp: Message, frame_id: str, *, eta: ArrayLike) -> Message:
    """geometry_msgs/PoseStamped: position and attitude η (…, 6), m and rad, in ENU."""
    return {"header": header(stamp, frame_id), "pose": pose(eta)}


def twist(nu: ArrayLike) -> Message:
    """geometry_msgs/Twist of ν (…, 6), m/s and rad/s, in FLU body axes."""
    return _pair(nu, "linear", "angular")


def twist_stamped(stamp: Message, frame_id: str, *, nu: ArrayLike) -> Message:
    """geometry_msgs/TwistStamped; `frame_id` is that of the body, in whose axes it is."""
    return {"header": header(stamp, frame_id), "twist": twist(nu)}


def wrench_stamped(stamp: Message, frame_id: str, *, force: ArrayLike) -> Message:
    """geometry_msgs/WrenchStamped of forces and moments (…, 6), N and N m, in FLU body axes."""
    return {"header": header(stamp, frame_id), "wrench": _pair(force, "force", "torque")}


def transform_stamped(stamp: Message, frame_id: str, child_frame_id: str, *, eta: ArrayLike) -> Message:
    """geometry_msgs/TransformStamped: where the frame of a body is that has the pose η (…, 6)."""
    made = pose(eta)
    return {
        "header": header(stamp, frame_id),
        "child_frame_id": child_frame_id,
        "transform": {"translation": made["position"], "rotation": made["orientation"]},
    }


def tf_message(stamp: Message, frame_id: str, poses: Mapping[str, ArrayLike]) -> Message:
    """tf2_msgs/TFMessage: poses η of bodies by their frames."""
    return {"transforms": [transform_stamped(stamp, frame_id, child, eta=eta) for child, eta in poses.items()]}


def _pair(six: ArrayLike, first: str, second: str) -> Message:
    turned = frames.frd_to_flu(six)
    return {first: vector(turned[..., :3]), second: vector(turned[..., 3:])}


# --- back ------------------------------------------------------------------------------------------------------------


def eta_of_pose(message: Any) -> Array:
    """η (…, 6) of a geometry_msgs/Pose, with ψ in [-π, π]; NaN where the quaternion, left at zeros, is no attitude."""
    position = frames.enu_to_ned(elements(message, "position"))
    with np.errstate(all="ignore"):
        attitude = frames.ned_euler(elements(message, "orientation", "xyzw"))
    return np.concatenate([position, attitude], axis=-1)


def nu_of_twist(message: Any) -> Array:
    """ν (…, 6) of a geometry_msgs/Twist."""
    return _six(message, "linear", "angular")


def force_of_wrench(message: Any) -> Array:
    """Forces and moments (…, 6) in FRD of a geometry_msgs/Wrench."""
    return _six(message, "force", "torque")


def _six(message: Any, first: str, second: str) -> Array:
    return frames.flu_to_frd(np.concatenate([elements(message, first), elements(message, second)], axis=-1))
