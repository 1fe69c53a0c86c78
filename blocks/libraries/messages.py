"""What Cython and C compilers say of the user's files: problems with file, line and column."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from blocks.errors import LibraryError
from blocks.libraries.package import Library
from blocks.problems import Problem

_CYTHON = re.compile(
    r"^(?P<file>[^\n:]+\.p[yx][xdi]|[A-Za-z]:[^\n:]+\.p[yx][xdi]):(?P<line>\d+):(?P<column>\d+): (?P<what>.*)$", re.M
)
_C = re.compile(r"^(?P<file>[^\n:]+):(?P<line>\d+):(?:(?P<column>\d+):)? (?:fatal )?error: (?P<what>.*)$", re.M)


def refuse_cython(said: str, library: Library) -> NoReturn:
    """Raise LibraryError for what Cython said."""
    found = [
        problem(library, match["file"], int(match["line"]), match["what"], int(match["column"]))
        for match in _CYTHON.finditer(said)
        if not match["what"].startswith("warning")
    ]
    refuse(found, "Cython cannot translate the kernels", said)


def refuse_c(said: str, library: Library, compiler: str) -> NoReturn:
    """Raise LibraryError for what a C compiler said."""
    found = [problem(library, match["file"], int(match["line"]), match["what"]) for match in _C.finditer(said)]
    refuse(found, f"{compiler} cannot compile the kernels", said)


def refuse(found: Iterable[Problem], what: str, said: str) -> NoReturn:
    """Raise LibraryError with these problems; what was said, if there are none."""
    problems = tuple(dict.fromkeys(found))
    if not problems:
        raise LibraryError(f"{what}:\n{said.strip()}")
    raise LibraryError("\n".join(map(str, problems)), problems=problems)


def problem(library: Library, file: str, line: int, what: str, column: int | None = None) -> Problem:
    """What is wrong in a line of a file, as seen from the library's root; without a column in all of the line."""
    path = library.root / file
    try:
        text = path.read_text(encoding="utf-8").splitlines()[line - 1]
    except (OSError, ValueError, IndexError):
        return Problem("error", "bad-library", what, file=shown_path(path), line=line)
    first = len(text) - len(text.lstrip()) + 1
    word = re.compile(r"\w+|.").match(text, column - 1) if column and column <= len(text) else None
    start, end = (word.start() + 1, word.end() + 1) if word else (first, len(text.rstrip()) + 1)
    return Problem(
        "error", "bad-library", what,
        file=shown_path(path), line=line, column=start, end_line=line, end_column=max(end, start + 1),
    )  # fmt: skip


def shown_path(path: Path) -> str:
    """A path as people want to read it: as seen from where they are, if it is there."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
