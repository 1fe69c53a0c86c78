"""Vessels: from force and current to motion. All have the same ports, so one can take another's place."""

from blocks.dynamics import all_blocks
from blocks.dynamics.all_blocks import *  # noqa: F403
from blocks.dynamics.vessel import Vessel

__all__ = ["Vessel"]
__all__ += all_blocks.__all__
