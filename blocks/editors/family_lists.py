"""What editors and type checkers have to know of a family before it is imported: `blocks/control/__init__.pyi`.

The build writes these lists; `blocks.model.family` finds the same names at run time.
"""

from __future__ import annotations

import importlib

from blocks.editors.stubs import PACKAGE, family_modules
from blocks.model.block import FAMILIES
from blocks.model.family import of_module


def write_lists() -> None:
    """Write the list of each family, where it has changed."""
    for family in FAMILIES:
        lines, names = ["# Made by the build."], []
        for name in family_modules(family):
            if found := sorted(of_module(importlib.import_module(name))):
                lines.append(f"from {name} import {', '.join(f'{one} as {one}' for one in found)}")
                names += found
        text = "\n".join([*lines, "", f"__all__ = {sorted(names)!r}", ""])
        path = PACKAGE / family / "__init__.pyi"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
