"""Control: from references and measurements to forces, and putting forces together."""

from blocks.control.depth_controller import DepthController
from blocks.control.dive_plane_controller import DivePlaneController
from blocks.control.dynamic_positioning import DynamicPositioning
from blocks.control.gain_scheduled_pid import GainScheduledPID
from blocks.control.heading_autopilot import HeadingAutopilot
from blocks.control.integral_sliding_mode import IntegralSlidingMode
from blocks.control.pid import PID
from blocks.control.speed_controller import SpeedController
from blocks.control.wrench import ComposeWrench

__all__ = [
    "PID",
    "ComposeWrench",
    "DepthController",
    "DivePlaneController",
    "DynamicPositioning",
    "GainScheduledPID",
    "HeadingAutopilot",
    "IntegralSlidingMode",
    "SpeedController",
]
