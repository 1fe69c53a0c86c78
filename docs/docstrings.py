"""Docstrings as this repository writes them, plain text with equations, turned into reStructuredText.

Their rules: `code` and **bold** are the only markup; a paragraph whose first line ends early holds equations, a line
each, which are typeset; spaces that align columns make a table; "name: …" with indented lines is a list of arguments;
all else is wrapped prose.
"""

from __future__ import annotations

import inspect
import re
import sys
from html import escape
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))  # for the module beside this one, wherever it is read from

from mathml import UnreadableError, is_equation, mathml, remark

_WIDTH = 120
"""Lines are wrapped so that they fit in here: a line that had room for the next word ends on purpose."""

_SLACK = 4
"""How much less than that whoever wrapped a line may have allowed."""

_MARKUP = re.compile(r"`[^`]+`|\*\*[^*]+\*\*")
_LETTER = r"[A-Za-zΑ-Ωα-ωϕḀ-ỿ][\u0300-\u036f]?"
_SUBSCRIPT = re.compile(rf"(?<![\w`])(d?{_LETTER})_(?:\{{([^}}]+)\}}|([A-Za-z0-9Α-Ωα-ωḀ-ỿ\u0300-\u036f]+(?:,[a-z])?))")
_ARGUMENT = re.compile(r"[a-z_]+(?:, [a-z_]+)*: ")
_INTRODUCED = re.compile(r"([A-Z][^:=`]*: )(.+)\.")
"""A sentence that ends in an equation: "A gain: y = K u."."""
_FEW_WORDS = 0.35
"""Of a line by itself that is an equation; one among others may have more."""


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
        return _columns(lines)
    if _ARGUMENT.match(lines[0]) and any(line.startswith("    ") for line in lines):
        return _arguments(lines)
    if len(lines) == 1 and (found := _INTRODUCED.fullmatch(lines[0])) and (equation := typeset(found[2])):
        return [rf"{inline(found[1])}\ :mathml:`{equation}`\ ."]
    if len(lines) == 1 and is_equation(lines[0], words=_FEW_WORDS):
        return _equations(lines)
    if len(lines) == 1 or _ends_for_want_of_room(lines[0], lines[1], width):
        return [inline(" ".join(line.strip() for line in lines))]
    return _equations(_unwrapped(lines, width))


_BREAK = re.compile(r"(?<=[,;:]) {2,}|(?<=;) ")
"""What is between equations on one line, where it may be broken, unless it is in brackets."""


def typeset(line: str) -> str:
    """A line that is an equation or several, as HTML with MathML; empty for another one, or an unreadable one."""
    if not is_equation(line):
        return ""
    clauses = []
    try:
        for clause in _clauses(line.strip().removeprefix("- ").removesuffix(".")):
            end = remark(clause)
            equation = mathml(clause[:end]) if is_equation(clause[:end]) or end == len(clause) else _html(clause[:end])
            clauses.append(f"{equation} {_html(clause[end:])}".rstrip())
    except UnreadableError:
        return ""
    return " &emsp;".join(clauses)


def _clauses(line: str) -> list[str]:
    """The equations and remarks on a line."""
    clauses, begin = [], 0
    for found in _BREAK.finditer(line):
        before = line[: found.start()]
        if sum(map(before.count, "([{")) == sum(map(before.count, ")]}")):
            clauses.append(line[begin : found.start()])
            begin = found.end()
    return [*clauses, line[begin:]]


def _equations(lines: list[str]) -> list[str]:
    """Lines one below the other, those that are equations typeset."""
    made: list[str] = []
    for line in lines:
        if equation := typeset(line):
            made += ["", ".. raw:: html", "", f'   <div class="equation">{equation}</div>', ""]
        else:
            made.append(f"| {inline(line)}")
    return made[1:] if made and not made[0] else made


_LABEL = re.compile(r"([A-Za-z]+|[a-z_]+=\"[^\"]+\"): +")
"""What a line among others that are in columns is of: "Heading:"."""


def _columns(lines: list[str]) -> list[str]:
    """Lines in columns, label, equation, remark, as a table; a line that goes on with the one above is put to it."""
    labelled = any(_LABEL.match(line) for line in lines)
    rows: list[list[str]] = []
    for line in lines:
        label = _LABEL.match(line)
        words, *remarks = re.split(r" {3,}", line[label.end() if label else 0 :].strip())
        goes_on = rows and labelled and not label and not remarks and not is_equation(words)
        if goes_on:
            rows[-1][1] += f" {words}"
        else:
            rows.append([label[1] if label else "", words, "  ".join(remarks)])
    used = [number for number in range(3) if any(row[number] for row in rows)]
    made = [".. raw:: html", "", '   <div class="equation columns"><table>']
    for row in rows:
        cells = [(typeset(row[number]) if number == 1 else "") or _html(row[number]) for number in used]
        made.append(f"   <tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    return [*made, "   </table></div>", ""]


def _html(text: str) -> str:
    """Plain text with `code` and subscripts as HTML."""
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
    return _SUBSCRIPT.sub(lambda found: f"{found[1]}<sub>{found[2] or found[3]}</sub>", marked)


def _ends_for_want_of_room(line: str, following: str, width: int) -> bool:
    return len(line) + 1 + len(following.split(" ")[0]) > width - _SLACK


def _unwrapped(lines: list[str], width: int) -> list[str]:
    """Lines joined where they were only broken for want of room."""
    pieces = [lines[0]]
    for last, line in pairwise(lines):
        if _ends_for_want_of_room(last, line, width) or last.endswith(";"):  # as rows of a matrix do
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
