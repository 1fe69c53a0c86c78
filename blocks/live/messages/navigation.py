"""nav_msgs/Odometry."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from blocks.live import frames
from blocks.live.messages.contents import Message, header
from blocks.live.messages.geometry import pose, twist


def odometry(
    stamp: Message,
    frame_id: str,
    child_frame_id: str,
    *,
    eta: ArrayLike,
    nu: ArrayLike,
    pose_covariance: ArrayLike | None = None,
    twist_covariance: ArrayLike | None = None,
) -> Message:
    """nav_msgs/Odometry of η and ν (…, 6): the pose in ENU, the velocity in FLU body axes.

    Covariances (…, 6, 6) are those of η, whose angles are φ, θ, ψ, and of ν in FRD; 0 where nothing is known.
    """
    angles = np.asarray(eta, dtype=np.float64)[..., 3:]
    of_pose, of_twist = np.zeros(36), np.zeros(36)
    if pose_covariance is not None:
        turned = frames.covariance_to_enu(frames.rotation_covariance(pose_covariance, angles))
        of_pose = turned.reshape(*turned.shape[:-2], 36)
    if twist_covariance is not None:
        turned = frames.covariance_to_flu(twist_covariance)
        of_twist = turned.reshape(*turned.shape[:-2], 36)
    return {
        "header": header(stamp, frame_id),
        "child_frame_id": child_frame_id,
        "pose": {"pose": pose(eta), "covariance": of_pose},
        "twist": {"twist": twist(nu), "covariance": of_twist},
    }
