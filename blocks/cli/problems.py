"""Problems on a terminal: in words, with the line of the file and a caret. For a file or a pipe, a line each."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from rich.cells import cell_len
from rich.text import Text

from blocks.cli import console
from blocks.errors import KeelblocksError
from blocks.problems import Problem
from blocks.yaml.reading import decode

_TAB = "    "
_NARROWEST = 40


def show(problems: Iterable[Problem], text: str | None = None) -> None:
    """Say what is wrong or improbable on standard error; text: that of the file, which is read if it is not given."""
    texts: dict[str, str] = {}
    for problem in problems:
        if not sys.stderr.isatty():
            print(f"{problem.severity.capitalize()}: {problem}", file=sys.stderr)
            continue
        out = console.messages()
        if text is None and problem.file not in texts:
            texts[problem.file] = _read(problem.file)
        head, *lines = terminal_lines(problem, texts[problem.file] if text is None else text, out.width)
        out.print(head, soft_wrap=True)
        for line in lines:
            out.print(line, no_wrap=True, overflow="crop", crop=True)


def tell(fault: KeelblocksError, more: str = "") -> None:
    """Say an error: with the lines of its file on a terminal, if it knows any, and in its own words otherwise.

    more: what is to be said behind it.
    """
    if sys.stderr.isatty() and all(problem.column for problem in fault.problems):
        show(fault.problems)
        if more:
            console.messages().print(more, soft_wrap=True, markup=False)
    else:
        console.error(f"{fault}; {more}" if more else str(fault))


def warn(problem: Problem) -> None:
    """Say what is improbable."""
    show((problem,))


def terminal_lines(problem: Problem, text: str, width: int) -> list[Text]:
    """What a terminal shows of a problem in a file's text: what it is, the line, and a caret."""
    return [_headed(problem), *excerpt(text, problem, width)]


def _headed(problem: Problem) -> Text:
    colour = "red" if problem.severity == "error" else "yellow"
    head = Text(problem.severity.capitalize(), style=f"bold {colour}")
    head.append(f" {problem.code}", style=colour)
    where = f" {problem.place}:{problem.column}" if problem.line and problem.column else f" {problem.place}"
    return head.append(f"{where.rstrip()}: {problem.text}", style="default")


def excerpt(text: str, problem: Problem, width: int) -> list[Text]:
    """The line at fault and a caret under its characters, cut to a width; nothing where there is no line."""
    lines = text.split("\n")
    if problem.line is None or problem.column is None or not 0 < problem.line <= len(lines):
        return []
    line = lines[problem.line - 1].rstrip("\r")
    ends = problem.end_column if problem.end_line == problem.line and problem.end_column else len(line) + 1
    before, fault = _plain(line[: problem.column - 1]), _plain(line[problem.column - 1 : ends - 1])
    after = _plain(line[ends - 1 :])
    gutter = f" {problem.line} │ "
    room = max(width, _NARROWEST) - len(gutter) - 1
    if cell_len(before) > room // 2 and cell_len(before + fault + after) > room:
        before = "…" + _last(before, max(room // 2, room - cell_len(fault) - 2))
    shown = _first(before + fault + after, room)
    marks = max(1, min(cell_len(fault), room - cell_len(before)))
    blank = " " * (len(gutter) - 2) + "│ "
    colour = "red" if problem.severity == "error" else "yellow"
    return [
        Text(gutter, style="dim").append(shown, style="default"),
        Text(blank, style="dim").append(" " * cell_len(before) + "^" * marks, style=f"bold {colour}"),
    ]


def _plain(text: str) -> str:
    """Text without what moves the cursor."""
    return "".join(char if char.isprintable() else "\ufffd" for char in text.replace("\t", _TAB))


def _first(text: str, room: int) -> str:
    if cell_len(text) <= room:
        return text
    while cell_len(text) > room - 1:
        text = text[:-1]
    return text + "…"


def _last(text: str, room: int) -> str:
    while cell_len(text) > room:
        text = text[1:]
    return text


def _read(file: str) -> str:
    """The text of a file, if it can be read still."""
    try:
        return decode(Path(file).read_bytes(), file)
    except (OSError, ValueError, KeelblocksError):
        return ""
