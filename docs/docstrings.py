"""Docstrings as this repository writes them, plain text with equations, turned into reStructuredText.

Their rules: `code` and **bold** are the only markup; a paragraph whose first line ends early holds equations, a line
each; spaces that align columns matter; "name: …" with indented lines is a list of arguments; all else is wrapped prose.
"""

from __future__ import annotations

import inspect
import re
from itertools import pairwise

_WIDTH = 120
"""Lines are wrapped so that they fit in here: a line that had room for the next word ends on purpose."""

_SLACK = 4
"""How much less than that whoever wrapped a line may have allowed."""

_MARKUP = re.compile(r"`[^`]+`|\*\*[^*]+\*\*")
_LETTER = r"[A-Za-zΑ-Ωα-ωϕḀ-ỿ][\u0300-\u036f]?"
_SUBSCRIPT = re.compile(rf"(?<![\w`])(d?{_LETTER})_(?:\{{([^}}]+)\}}|([A-Za-z0-9Α-Ωα-ωḀ-ỿ\u0300-\u036f]+(?:,[a-z])?))")
_ARGUMENT = re.compile(r"[a-z_]+(?:, [a-z_]+)*: ")


def to_rst(docstring: str, indent: int = 4) -> list[str]:
    """The lines of a docstring in reStructuredText; `indent` is by how much it is indented in the source."""
    lines: list[str] = []
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(docstring)):
        lines += [*_paragraph(paragraph.split("\n"), _WIDTH - indent), ""]
    return lines


def inline(text: str) -> str:
    """Text with its markup, in which nothing else is taken for markup."""
    parts, done = [], 0
    for found in _MARKUP.finditer(text):
        literal = found[0].startswith("`")
        marked = f"``{found[0][1:-1]}``" if literal else f"**{_escape(found[0][2:-2])}**"
        parts += [_plain(text[done : found.start()]), rf"\ {marked}\ "]
        done = found.end()
    return "".join([*parts, _plain(text[done:])]).removeprefix(r"\ ").removesuffix(r"\ ")


def _plain(text: str) -> str:
    """Text without markup, but with subscripts of single letters: "K_T" and "z_{k+1}"."""
    parts, done = [], 0
    for found in _SUBSCRIPT.finditer(text):
        parts += [_escape(text[done : found.start()]), found[1], rf"\ :sub:`{found[2] or found[3]}`\ "]
        done = found.end()
    return "".join([*parts, _escape(text[done:])])


def _escape(text: str) -> str:
    return re.sub(r"([\\*_`|])", r"\\\1", text)


def _paragraph(lines: list[str], width: int) -> list[str]:
    if all(line.startswith("    ") for line in lines):
        return [".. code-block:: python", "", *("   " + line for line in lines)]
    if any("   " in line.strip() for line in lines):
        return [".. code-block:: text", "   :class: aligned", "", *("   " + line for line in lines)]
    if _ARGUMENT.match(lines[0]) and any(line.startswith("    ") for line in lines):
        return _arguments(lines)
    if len(lines) == 1 or _ends_for_want_of_room(lines[0], lines[1], width):
        return [inline(" ".join(line.strip() for line in lines))]
    return [f"| {inline(piece)}" for piece in _unwrapped(lines, width)]


def _ends_for_want_of_room(line: str, following: str, width: int) -> bool:
    return len(line) + 1 + len(following.split(" ")[0]) > width - _SLACK


def _unwrapped(lines: list[str], width: int) -> list[str]:
    """Lines joined where they were only broken for want of room."""
    pieces = [lines[0]]
    for last, line in pairwise(lines):
        if _ends_for_want_of_room(last, line, width):
            pieces[-1] += " " + line.strip()
        else:
            pieces.append(line)
    return pieces


def _arguments(lines: list[str]) -> list[str]:
    """A list of "name: what it is", whose items go on in indented lines."""
    items: list[str] = []
    for line in lines:
        if line.startswith("    ") or not _ARGUMENT.match(line):
            items[-1] += " " + line.strip()
        else:
            items.append(line)
    listed = []
    for item in items:
        names, _, text = item.partition(": ")
        listed.append(f"- {', '.join(f'``{name}``' for name in names.split(', '))}: {inline(text)}")
    return listed
