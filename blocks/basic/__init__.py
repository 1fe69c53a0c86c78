"""The general blocks that any diagram needs: sources, mathematics, continuous, discrete, discontinuities, routing."""

from blocks.basic import all_blocks
from blocks.basic.all_blocks import *  # noqa: F403

__all__ = all_blocks.__all__
