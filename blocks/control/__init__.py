"""Control: from references and measurements to forces, and putting forces together."""

from blocks.control import all_blocks
from blocks.control.all_blocks import *  # noqa: F403

__all__ = all_blocks.__all__
