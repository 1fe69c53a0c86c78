"""A diagram as a node of ROS 2: topics, parameters, services, and the clock.

rclpy is imported when a node is opened; see `blocks.live.ros2.available` for what can be done where there is none.
"""

from blocks.live.ros2.available import Ros2Error, missing
from blocks.live.ros2.node import Ros2Node

__all__ = ["Ros2Error", "Ros2Node", "missing"]
