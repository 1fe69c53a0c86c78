"""Environment: what the water and the air do to a vehicle."""

from blocks.environment import all_blocks
from blocks.environment.all_blocks import *  # noqa: F403
from blocks.environment.sea import IrregularSea

__all__ = ["IrregularSea"]
__all__ += all_blocks.__all__
