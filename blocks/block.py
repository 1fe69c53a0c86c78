"""What the authors of blocks import: `Block`, and the blocks that there are."""

from blocks.model.block import FAMILIES, Block, Sizes
from blocks.model.library import library

__all__ = ["FAMILIES", "Block", "Sizes", "library"]
