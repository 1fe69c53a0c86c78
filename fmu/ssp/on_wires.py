"""Blocks that stand for what a connection of a system does: units, transformations, putting arrays together.

`read_ssp` makes them, and an export writes connections in their place. Elsewhere they are the blocks that they are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from blocks.basic import Constant, Gain, LookupTable1D, Mux, Sum
from blocks.block import Block
from fmu.ssp.changes import Change, Linear, Table


class OnWire:
    """A block that is part of a wire."""

    @classmethod
    def type_name(cls) -> str:
        """The name in scenario files, where it is a block as any other."""
        return str(cls.__mro__[2].type_name())  # type: ignore[attr-defined]


def _on_wire(block: type[Block]) -> Any:
    return type(block.__name__, (OnWire, block), {"__doc__": block.__doc__, "__module__": __name__}, abstract=True)


WireConstant, WireGain, WireMux, WireSum, WireTable = (
    _on_wire(block) for block in (Constant, Gain, Mux, Sum, LookupTable1D)
)


def change_of(block: Block) -> Change | None:
    """What a block of a wire does to a value at its first input; None if no connection can do it."""
    if isinstance(block, Gain):
        return (Linear(float(block.gain)),) if np.ndim(block.gain) == 0 else None
    if isinstance(block, LookupTable1D):
        pairs = zip(np.asarray(block.breakpoints), np.asarray(block.table), strict=True)
        return (Table(tuple((float(x), float(y)) for x, y in pairs if x != y)),)
    return None
