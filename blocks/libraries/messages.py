"""What Cython and C compilers say of the user's files: problems with file, line and column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NoReturn

from blocks.errors import LibraryError
from blocks.libraries.package import Library
from blocks.model.package import BUILT
from blocks.problems import Problem

_CYTHON = re.compile(r"^(?P<file>.+\.p[yx][xdi]):(?P<line>\d+):(?P<column>\d+): (?P<what>.*)$", re.M)
_C = re.compile(r"^(?P<file>.+?):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<what>.*)$", re.M)
_C_OF_USER = re.compile(
    r"^library\.c:\d+:(?:\d+:)? (?:fatal )?error: (?P<what>.*)\n(?: *\d+ \|)? *(?:#include *)?(?P<text>\S.*?) *$", re.M
)
"""C that stands in a kernel file as it is, in `cdef extern from`: the compiler quotes the line."""
_UNDEFINED = re.compile(r"undefined (?:reference to|symbol:) [`']?_?(\w+)")
_NEEDS_PYTHON = re.compile(r"\bgil\b", re.I)
_TELLING = ("Calling gil-requiring function", "Accessing Python global or builtin")
_PLACE = re.compile(r" \((?P<file>[^()]+\.pxd), line (?P<line>\d+)\)")
_MOST = 10


def refuse_cython(said: str, library: Library) -> NoReturn:
    """Raise LibraryError for what Cython said: the first thing of each line, without what only follows from another."""
    found = [match for match in _CYTHON.finditer(said) if "warning:" not in match[0]]
    found = [match for match in found if BUILT not in match["file"]] or found
    first: dict[tuple[str, str], re.Match[str]] = {}
    for match in [m for m in found if not _NEEDS_PYTHON.search(m["what"])] or sorted(found, key=_telling):
        first.setdefault((match["file"], match["line"]), match)
    refuse(
        [
            problem(library.root / match["file"], int(match["line"]), _words(match["what"]), int(match["column"]) + 1)
            for match in sorted(first.values(), key=lambda match: match.start())
        ],
        f"Cython cannot translate the kernels:\n{said.strip()}",
    )


def _telling(match: re.Match[str]) -> bool:
    return not match["what"].startswith(_TELLING)


def _words(what: str) -> str:
    python = "; a kernel can use numbers, C functions and other kernels' functions only, no Python"
    return what + python if _NEEDS_PYTHON.search(what) else what


def refuse_c(said: str, library: Library, compiler: str) -> NoReturn:
    """Raise LibraryError for what a C compiler said."""
    found = [
        problem(library.root / match["file"], int(match["line"]), match["what"])
        for match in _C.finditer(said)
        if match["file"].endswith((".pxd", ".pxi"))
    ]
    for match in () if found else _C_OF_USER.finditer(said):
        found += [
            problem(path, line, match["what"], column) for path, line, column in _places_of(match["text"], library)
        ]
    for name in dict.fromkeys(_UNDEFINED.findall(said)):
        what = f"'{name}' is nowhere: a kernel can call what .pxd files define, and the C library"
        found += [problem(path, line, what, column) for path, line, column in _places_of(name, library)]
    refuse(found, f"{compiler} cannot compile the kernels:\n{said.strip() or 'it does not say why'}")


def _places_of(name: str, library: Library) -> Iterator[tuple[Path, int, int]]:
    """Where a name, or a line of C, first stands in the kernels."""
    for path in sorted(library.folder.rglob("*.pxd")):
        text = path.read_text(encoding="utf-8")
        match = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
        if match and BUILT not in path.parts:
            yield path, text.count("\n", 0, match.start()) + 1, match.start() - text.rfind("\n", 0, match.start())


def refuse(found: Iterable[Problem], otherwise: str = "") -> NoReturn:
    """Raise LibraryError with these problems, the first ten; with other words if there are none."""
    problems = tuple(dict.fromkeys(found))[:_MOST]
    if not problems:
        raise LibraryError(otherwise)
    raise LibraryError("\n".join(map(str, problems)), problems=problems)


def placed(library: Library, message: str) -> Problem:
    """A message that has its place in it, " (my_blocks/drag.pxd, line 3)", as a problem there."""
    match = _PLACE.search(message)
    if match is None:
        return Problem("error", LibraryError.code, message)
    what = message[: match.start()] + message[match.end() :]
    return problem(library.root / match["file"], int(match["line"]), what)


def problem(path: Path, line: int, what: str, column: int | None = None, end: int | None = None) -> Problem:
    """What is wrong in a line of a file: at a column the word there, or up to an end; without one all of the line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return Problem("error", LibraryError.code, what, file=shown_path(path), line=line)
    if line > len(lines):  # behind the end: of what is not closed, say
        line, column = max(1, len("\n".join(lines).rstrip().splitlines())), None
    text = lines[line - 1] if lines else ""
    word = _word(text, column)
    start = column if column and end else (word[0] if word else len(text) - len(text.lstrip())) + 1
    ends = end or (word[1] if word else len(text.rstrip())) + 1
    return Problem(
        "error",
        LibraryError.code,
        what,
        file=shown_path(path),
        line=line,
        column=start,
        end_line=line,
        end_column=max(ends, start + 1),
    )


def _word(text: str, column: int | None) -> tuple[int, int] | None:
    """Where the word at a column begins and ends."""
    spans = (match.span() for match in re.finditer(r"\w+|\S", text))
    found = next((span for span in spans if column and span[0] < column <= span[1]), None)
    return found or ((column - 1, column) if column and column == len(text) + 1 else None)


def shown_path(path: Path) -> str:
    """A path as people want to read it: as seen from where they are, if it is there."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
