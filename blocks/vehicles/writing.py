"""Pieces of the text of a vehicle file, in the form of those of the library."""

from __future__ import annotations

import json
import textwrap

WIDTH = 118


def folded(key: str, words: str, indent: int) -> str:
    """An entry with a text of any length, folded."""
    pad = " " * (indent + 2)
    lines = textwrap.wrap(words, WIDTH, initial_indent=pad, subsequent_indent=pad, break_long_words=False)
    return f"{' ' * indent}{key}: >-\n" + "\n".join(lines) + "\n"


def unit_and_source(unit: str, source: str) -> str:
    """What stands under the value of a parameter; no unit if it is empty."""
    pad = " " * 8
    said = f"{pad}unit: {json.dumps(unit) if unit == '1' else unit}\n" if unit else ""
    return f"{said}{pad}source: {source}\n"
