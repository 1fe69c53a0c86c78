"""Navigation: where a vehicle is, on the Earth and by what its instruments say."""

from blocks.navigation import all_blocks
from blocks.navigation.all_blocks import *  # noqa: F403
from blocks.navigation.local_position import local_position

__all__ = ["local_position"]
__all__ += all_blocks.__all__
