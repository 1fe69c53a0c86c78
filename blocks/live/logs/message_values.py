"""What messages say, by the names and in the axes of Keelblocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.live import frames
from blocks.live.messages.contents import MessageError, elements, field
from blocks.live.messages.geometry import eta_of_pose, force_of_wrench, nu_of_twist
from blocks.signal import BodyRate, BodyVelocity, Pose, SpecificForce, Wrench

Array = NDArray[np.float64]
_Value = tuple[Callable[[Any], Any], tuple[str, ...]]


def _inside(path: str, convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda message: convert(field(message, path))


def _body(path: str) -> Callable[[Any], Any]:
    return lambda message: frames.flu_to_frd(elements(message, path))


_NU, _ETA, _FORCE = BodyVelocity.labels, Pose.labels, Wrench.labels
VALUES: Mapping[str, Mapping[str, _Value]] = {
    "geometry_msgs/Twist": {"nu": (nu_of_twist, _NU)},
    "geometry_msgs/TwistStamped": {"nu": (_inside("twist", nu_of_twist), _NU)},
    "geometry_msgs/Wrench": {"force": (force_of_wrench, _FORCE)},
    "geometry_msgs/WrenchStamped": {"force": (_inside("wrench", force_of_wrench), _FORCE)},
    "geometry_msgs/Pose": {"eta": (eta_of_pose, _ETA)},
    "geometry_msgs/PoseStamped": {"eta": (_inside("pose", eta_of_pose), _ETA)},
    "nav_msgs/Odometry": {
        "eta": (_inside("pose.pose", eta_of_pose), _ETA),
        "nu": (_inside("twist.twist", nu_of_twist), _NU),
    },
    "sensor_msgs/Imu": {
        "specific_force": (_body("linear_acceleration"), SpecificForce.labels),
        "angular_rate": (_body("angular_velocity"), BodyRate.labels),
    },
    "sensor_msgs/NavSatFix": {
        "latitude": (_inside("latitude", np.radians), ()),
        "longitude": (_inside("longitude", np.radians), ()),
        "height": (_inside("altitude", np.asarray), ()),
    },
    "sensor_msgs/Joy": {name: (_inside(name, np.asarray), ()) for name in ("axes", "buttons")},
    "std_msgs/Float32": {"data": (_inside("data", np.asarray), ())},
    "std_msgs/Float32MultiArray": {"data": (_inside("data", np.asarray), ())},
    "std_msgs/Float64": {"data": (_inside("data", np.asarray), ())},
    "std_msgs/Float64MultiArray": {"data": (_inside("data", np.asarray), ())},
}
"""What can be had of messages of each type: how, and the labels of its elements."""


def value_of(kind: str, message: Any, wanted: str | None) -> Array:
    """What messages of a type say: "nu", an element of it, "nu[u]", or with None the one thing that they do say.

    An array with the messages along its first dimension, in SI and NED or FRD. Raises MessageError.
    """
    if kind not in VALUES:
        raise MessageError(f"messages of type {kind or 'unknown'} give no input; those that do are {', '.join(VALUES)}")
    values = VALUES[kind]
    name, _, element = (wanted or "").partition("[")
    if not name and len(values) > 1:
        raise MessageError(f"say which value of {kind} is wanted: {' or '.join(values)}")
    name = name or next(iter(values))
    if name not in values:
        raise MessageError(f"{kind} has no value '{name}'", code="unknown-name", wrong=name, valid=values)
    convert, labels = values[name]
    found = np.asarray(convert(message), dtype=np.float64)
    if not element:
        return found
    count = found.shape[1] if found.ndim > 1 else 0
    label, valid = element.removesuffix("]").strip(), labels or tuple(map(str, range(count)))
    if label in labels:
        return found[:, labels.index(label)]
    if label.isdecimal() and int(label) < count:
        return found[:, int(label)]
    raise MessageError(f"'{name}' has no element '{label}'", code="unknown-element", wrong=label, valid=valid)
