"""A block's docstring says what it computes, what it raises and who says so."""

from __future__ import annotations

import inspect

from blocks.block import Block
from blocks.trials.errors import TrialError

_LEAST = 10


def check_documentation(block_class: type[Block]) -> None:
    """The docstring says what the block is, what it raises and, beyond the elementary, the source of its equations."""
    name = block_class.type_name()
    text = inspect.cleandoc(block_class.__doc__ or "")
    if not text or len(text.splitlines()[0]) <= _LEAST:
        raise TrialError(f"{name} does not say what it is: begin its docstring with a sentence that does", block=name)
    if block_class.validate is not Block.validate and "Raises ParameterError" not in text:
        raise TrialError(
            f"{name} checks its parameters, but does not say what it refuses: write 'Raises ParameterError if …' into "
            f"its docstring",
            block=name,
        )
    if block_class.family != "basic" and "Source" not in text and "Definition" not in text:
        raise TrialError(
            f"{name} does not say where its equations are from: end its docstring with 'Source: author (year), title, "
            f"equation', or with 'Definition: …' where they are its own",
            block=name,
        )
