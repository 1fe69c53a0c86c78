"""Guidance: from where the vehicle is to the heading, speed and depth it should have."""

from blocks.guidance import all_blocks
from blocks.guidance.all_blocks import *  # noqa: F403

__all__ = all_blocks.__all__
