"""What editors and type checkers have to know of a family before they import it: `blocks/control/__init__.pyi`.

    python blocks/editors/family_lists.py

The build writes them; `blocks.model.family` finds the same names at run time.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from blocks.editors.stubs import PACKAGE, family_modules, only_declarations


def write_lists() -> None:
    """Write the list of each family, where it has changed."""
    from blocks.model.block import FAMILIES
    from blocks.model.family import of_module

    for family in FAMILIES:
        lines, names = [], []
        for name in family_modules(family):
            found = sorted(of_module(importlib.import_module(name)))
            names += found
            if found:
                lines.append(f"from {name} import {', '.join(f'{one} as {one}' for one in found)}")
        text = "\n".join(["# Made by the build.", *lines, "", f"__all__ = {sorted(names)!r}", ""])
        path = PACKAGE / family / "__init__.pyi"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    only_declarations()
    write_lists()
