"""Guidance: from where the vehicle is to the heading, speed and depth it should have."""

from blocks.guidance.adaptive_line_of_sight import AdaptiveLineOfSight
from blocks.guidance.course_line import CourseLine
from blocks.guidance.curved_path import CurvedPath
from blocks.guidance.dubins_path import DubinsPath
from blocks.guidance.integral_line_of_sight import IntegralLineOfSight
from blocks.guidance.line_of_sight import LineOfSight
from blocks.guidance.line_of_sight_3d import LineOfSight3D
from blocks.guidance.minimum_snap import MinimumSnapTrajectory
from blocks.guidance.reference_model import ReferenceModel
from blocks.guidance.station_keeping import StationKeeping
from blocks.guidance.target_tracking import TargetTracking
from blocks.guidance.zigzag_steering import ZigzagSteering

__all__ = [
    "AdaptiveLineOfSight",
    "CourseLine",
    "CurvedPath",
    "DubinsPath",
    "IntegralLineOfSight",
    "LineOfSight",
    "LineOfSight3D",
    "MinimumSnapTrajectory",
    "ReferenceModel",
    "StationKeeping",
    "TargetTracking",
    "ZigzagSteering",
]
