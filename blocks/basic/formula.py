"""`Formula`: a block from text, run by the engine without a compiler."""

from __future__ import annotations

from typing import ClassVar

from blocks.block import Block, Sizes
from blocks.formula.machine import INSTRUCTIONS
from blocks.formula.program import Program
from blocks.model.dependence import Sources


class Formula(Block, abstract=True):
    """Equations as text, run by the engine."""

    kernels = ("formula", "formula_states", "formula_sampled")
    by_number = "uypwxzg"
    enumerations: ClassVar = {"instruction": tuple(INSTRUCTIONS)}

    program: ClassVar[Program]

    def kernel_sizes(self, sizes: Sizes) -> list[int]:
        """The program."""
        return list(self.program.numbers)

    def work_size(self, sizes: Sizes) -> int:
        """Constants, and what follows from parameters alone."""
        return self.program.work

    def crossing_count(self, sizes: Sizes) -> int:
        """Of relations and of kinks."""
        return self.program.crossings

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """The inputs that the text of the output leads to."""
        return self.program.feedthrough[output]

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """Element by element, as the text has it."""
        return self.program.sources["output", output]

    def state_sources(self, state: str, sizes: Sizes) -> Sources:
        """Element by element, as the text has it."""
        found = self.program.sources
        return found["update", state] if ("update", state) in found else found["derivative", state]
