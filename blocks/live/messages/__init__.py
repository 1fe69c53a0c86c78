"""Messages of ROS 2: between signals and the contents of messages, as plain dictionaries with the fields' names.

Nothing here knows a transport: the ROS 2 node publishes these contents, logs store them. Numbers are arrays with any
number of leading dimensions, so that one call makes one message or all those of a run; `plain` turns the contents of
one message into numbers of Python.
"""

from blocks.live.messages.contents import MessageError, field, plain, stamp_of, stamp_of_nanoseconds
from blocks.live.messages.definitions import DEFINITIONS, definition
from blocks.live.messages.entries import input_entries, topic_entries
from blocks.live.messages.geometry import (
    pose_stamped,
    tf_message,
    transform_stamped,
    twist,
    twist_stamped,
    wrench_stamped,
)
from blocks.live.messages.incoming import Subscription, subscriptions
from blocks.live.messages.navigation import odometry
from blocks.live.messages.outgoing import Publication, publications
from blocks.live.messages.sensors import battery_state, imu, nav_sat_fix
from blocks.live.messages.standard import clock, float64, float64_multi_array

__all__ = [
    "DEFINITIONS",
    "MessageError",
    "Publication",
    "Subscription",
    "battery_state",
    "clock",
    "definition",
    "field",
    "float64",
    "float64_multi_array",
    "imu",
    "input_entries",
    "nav_sat_fix",
    "odometry",
    "plain",
    "pose_stamped",
    "publications",
    "stamp_of",
    "stamp_of_nanoseconds",
    "subscriptions",
    "tf_message",
    "topic_entries",
    "transform_stamped",
    "twist",
    "twist_stamped",
    "wrench_stamped",
]
