"""Values and texts as Modelica writes them."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Sequence

from blocks.errors import ExportError

_WIDTH = 110
_LARGEST_WHOLE = 1e6
"""Numbers of more digits are written as numbers that are not whole: tools have Integers of 32 bits."""
_ESCAPED = str.maketrans({"\\": "\\\\", '"': '\\"'})


def string(text: str) -> str:
    """A string."""
    return f'"{text.translate(_ESCAPED)}"'


def comment(text: str) -> str:
    """The comment behind a declaration, with the blank before it; nothing if there is no text."""
    plain = " ".join(text.split())
    return f" {string(plain)}" if plain else ""


def real(value: float) -> str:
    """A number that is read as the same one. Raises ExportError if it is not finite."""
    if not math.isfinite(value):
        raise ExportError(f"a parameter or a start value is {value:g}, and Modelica has finite ones: give one")
    whole = value == int(value) and abs(value) < _LARGEST_WHOLE
    return str(int(value)) if whole else repr(float(value)).replace("e+", "e")


def integer(value: float) -> str:
    """A whole number."""
    return str(int(value))


def boolean(value: float) -> str:
    """A truth."""
    return "true" if value else "false"


def array(values: Sequence[float], shape: tuple[int, ...], text: Callable[[float], str] = real) -> str:
    """A scalar, vector or matrix, given row by row; what is the same everywhere by `fill`."""
    if not shape:
        return text(values[0])
    same = len(values) > 1 and all(value == values[0] for value in values)
    if same:
        return f"fill({text(values[0])}, {', '.join(map(str, shape))})"
    return nested([text(value) for value in values], shape)


def nested(texts: Sequence[str], shape: tuple[int, ...]) -> str:
    """Texts in the braces of an array."""
    if len(shape) == 1:
        return f"{{{', '.join(texts)}}}"
    row = len(texts) // shape[0]
    return f"{{{', '.join(nested(texts[i * row : (i + 1) * row], shape[1:]) for i in range(shape[0]))}}}"


def sizes(shape: tuple[int, ...]) -> str:
    """The dimensions behind a name: nothing of a scalar."""
    return f"[{', '.join(map(str, shape))}]" if shape else ""


def wrapped(statement: str, indent: str) -> str:
    """A declaration or an equation in lines that are not too long, broken outside of strings."""
    if len(indent) + len(statement) <= _WIDTH:
        return f"{indent}{statement}\n"
    kept = _hidden(statement)
    lines = textwrap.wrap(
        kept, _WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ", break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
    return "".join(f"{line}\n" for line in lines).translate(_SHOWN)


_KEPT = {" ": "\x00", "\n": "\x01", "\t": "\x02"}
"""What separates words, and what stands for it in strings, where it stays as it is."""
_SHOWN = {ord(hidden): shown for shown, hidden in _KEPT.items()}


def _hidden(statement: str) -> str:
    """The same with blanks in strings replaced, so that nothing is broken there."""
    parts, inside, escaped = [], False, False
    for character in statement:
        if character == '"' and not escaped:
            inside = not inside
        escaped = character == "\\" and not escaped
        parts.append(_KEPT.get(character, character) if inside else character)
    return "".join(parts)
