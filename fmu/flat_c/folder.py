"""The folder of an export as source code: nothing in it is replaced but what such an export has written."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path

from blocks.errors import ExportError
from blocks.files.writing import is_file, path_of
from fmu.exporting.archive import write_all
from fmu.notices import warn

EXAMPLE = "main.c"
"""The file that people go on with."""
_README = "README.md"
_MARKS = {
    "C": {
        ".h": "a plan in C for controllers.",
        ".c": "The engine and the kernels of Keelblocks for one plan",
    },
    "CUDA C++": {
        ".h": ".cu, in C or C++. Where inputs, outputs and parameters stand",
        ".cu": "a plan for many members in CUDA C++",
        ".json": '"written_by": "Keelblocks',
    },
}  # fmt: skip
"""What is in each file, by language and suffix, whatever the model."""
_MARK_OF_README = "a plan of Keelblocks"


def folder_of(given: str | PathLike[str], language: str) -> Path:
    """The folder that was given. Raises ExportError for what is no path, an empty one, and a file."""
    target = path_of(given, f"the folder for {language}", ExportError)
    if target.exists() and not target.is_dir():
        raise ExportError(f"cannot write {language} to {target}: it is a file, and a folder is wanted")
    return target


def write_code(folder: Path, texts: Mapping[str, str], language: str) -> None:
    """Write the files of a model, all or none. language: C or CUDA C++.

    An example that is there already stays, with an ExportWarning unless it is the same: it is there to be edited.

    Raises ExportError if another file has the place of one of these: by hand, or of an export in the other language.
    """
    for name in texts:
        if name != EXAMPLE and is_file(folder / name):
            _check_that_it_is_of_an_export(folder / name, language)
    files = {name: text.encode() for name, text in texts.items()}
    example = folder / EXAMPLE
    if EXAMPLE in files and is_file(example):
        if _read(example) != files[EXAMPLE]:
            warn(f"{example} is kept as it is, for it may be yours: take it away and export again for a new example")
        del files[EXAMPLE]
    write_all(folder, files)


def _check_that_it_is_of_an_export(path: Path, language: str) -> None:
    there = _read(path)
    mark = _MARK_OF_README if path.name == _README else _MARKS[language][path.suffix]
    if mark.encode() in there:
        return
    whose = next(
        (f"an export as {other}" for other, marks in _MARKS.items() if marks.get(path.suffix, mark).encode() in there),
        "something else",
    )
    raise ExportError(
        f"cannot write {language} to {path.parent}: {path.name} is there and of {whose}, and it would be replaced; "
        "give a folder of its own (--output) or another name, or take that file away"
    )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:
        raise ExportError(f"cannot read '{path}', which would be replaced: {problem.strerror or problem}") from None
