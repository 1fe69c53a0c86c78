"""PythonBlock, as everybody imports it: what `blocks.model.python_block` says, with what any `Block` offers."""

from __future__ import annotations

from blocks.block import Block
from blocks.model import python_block as model
from blocks.model.python_block import Arrays, Runner

__all__ = ["Arrays", "PythonBlock", "Runner"]


class PythonBlock(Block, model.PythonBlock, abstract=True):
    __doc__ = model.PythonBlock.__doc__
