"""PythonBlock, as everybody imports it: what `blocks.model.python_block` says, with what any `Block` offers."""

from __future__ import annotations

from blocks.block import Block
from blocks.model import python_block as model
from blocks.model.python_block import Arrays, Runner

__all__ = ["Arrays", "PythonBlock", "Runner"]


class PythonBlock(Block, model.PythonBlock, abstract=True):
    """The base of blocks written in Python.

    Declare ports, parameters and states as for any block and write one or more of the methods below. They get the
    time in s, and the states and inputs by name as arrays that must not be changed. A call costs some microseconds
    per evaluation, where a compiled kernel costs some nanoseconds.

    The methods may be called several times for one instant and must not keep anything from call to call: what a block
    remembers is a state. Inputs through which an output has no direct feedthrough may be of an earlier instant. A
    block whose outputs do not depend on the time itself may say `uses_time = False`, which saves calls.
    """
