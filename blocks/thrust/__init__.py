"""Thrust: from commands to the wrench on the hull, and from a wanted wrench back to commands."""

from blocks.thrust import all_blocks
from blocks.thrust.all_blocks import *  # noqa: F403

__all__ = all_blocks.__all__
