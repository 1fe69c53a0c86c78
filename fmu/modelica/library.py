"""The blocks of the library as models of a package, each with the parameters of its example."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from blocks.block import Block, library
from blocks.errors import KeelblocksError
from blocks.trials.samples import plan_alone, samples_of
from fmu.foreign.within import fmu_blocks


@dataclass(frozen=True)
class LibraryBlock:
    """A block of the library. family: as scenario files name it; shapes: of inputs that take any."""

    name: str
    family: str
    block: Block
    shapes: Mapping[str, tuple[int, ...]]


def library_blocks() -> list[LibraryBlock]:
    """All blocks that can leave as C: not those written in Python, nor FMUs."""
    found = []
    for name, block_class in library().items():
        family, _, own = name.rpartition(".")
        try:
            block = samples_of(block_class)[0]()
            plan, free = plan_alone(block)
        except KeelblocksError:  # its example needs a file or a package that is not here
            continue
        if not plan.python_blocks and not plan.digests and not fmu_blocks(block):
            found.append(LibraryBlock(own, family, block, free))
    return found
