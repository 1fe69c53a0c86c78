"""Which FMUs a component holds."""

from __future__ import annotations

from blocks.block import Block
from blocks.diagram import Diagram
from fmu.foreign.importer import FmuBlock


def fmu_blocks(component: Diagram | Block) -> dict[str, FmuBlock]:
    """The FMUs in a component by their dotted names; "" is itself one."""
    blocks = {"": component} if isinstance(component, Block) else component.blocks()
    return {path: block for path, block in blocks.items() if isinstance(block, FmuBlock)}
