"""Power and energy."""

from blocks.power import all_blocks
from blocks.power.all_blocks import *  # noqa: F403

__all__ = all_blocks.__all__
