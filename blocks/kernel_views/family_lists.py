"""The blocks that each family offers, in `blocks/<family>/all_blocks.py`, from which its package takes them."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from blocks.kernel_views.declarations import FAMILY_LIST, declared_blocks
from blocks.model.block import FAMILIES, REGISTERED, Block


def family_lists(root: Path) -> dict[Path, str]:
    """Each list by its path: all blocks that scenario files can name. Raises ViewError."""
    blocks = [cls for cls in declared_blocks(root) if REGISTERED.get(cls.type_name()) is cls]
    return {
        root / "blocks" / family / FAMILY_LIST: _text(
            [cls for cls in blocks if cls.__module__.startswith(f"blocks.{family}.")]
        )
        for family in FAMILIES
    }


def _text(blocks: list[type[Block]]) -> str:
    """The text of a list; `import … as …` tells type checkers that the name is offered."""
    lines = ['"""The blocks of this family. Made by the build from the modules beside this one."""', ""]
    for module, declared in groupby(blocks, key=lambda cls: cls.__module__):
        lines += [f"from {module} import {cls.__name__} as {cls.__name__}" for cls in declared]
    names = sorted(cls.__name__ for cls in blocks)
    return "\n".join([*lines, "", "__all__ = [", *(f'    "{name}",' for name in names), "]", ""])
