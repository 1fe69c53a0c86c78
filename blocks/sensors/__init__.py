"""Sensors: what instruments on board say of where a vehicle is and how it moves."""

from blocks.sensors import all_blocks
from blocks.sensors.all_blocks import *  # noqa: F403

__all__ = all_blocks.__all__
