"""Guidance: from where the vehicle is to the heading, speed and depth it should have."""

from blocks.guidance.course_line import CourseLine
from blocks.guidance.line_of_sight import LineOfSight
from blocks.guidance.zigzag_steering import ZigzagSteering

__all__ = ["CourseLine", "LineOfSight", "ZigzagSteering"]
