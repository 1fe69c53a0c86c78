"""What an earlier export has left in the folder of a package, and this one has not written: models that are no more."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Collection
from pathlib import Path

from blocks.errors import ExportError

_MARKS = (b"Written by Keelblocks", b"written by Keelblocks", b'generationTool="Keelblocks')


def remove_others(folder: Path, written: Collection[str]) -> None:
    """Remove classes that an export wrote here and that are not among the files `written`, with what belongs to them.

    What no export has written stays. Raises ExportError if a file cannot be removed.
    """
    try:
        resources = folder / "Resources"
        for path in [*folder.rglob("*.mo"), *(resources / "Include").glob("*.h")]:
            if _is_stale(path, folder, written):
                path.unlink()
                _remove_what_belongs_to(folder, path)
        for path in resources.glob("FMUs/*/modelDescription.xml"):
            if _is_stale(path, folder, written):
                shutil.rmtree(path.parent)
    except OSError as problem:
        where = problem.filename or folder
        raise ExportError(f"cannot remove what an earlier export has left, {where}: {problem.strerror}") from None


def _is_stale(path: Path, folder: Path, written: Collection[str]) -> bool:
    """Whether an export wrote it, an earlier one."""
    return path.relative_to(folder).as_posix() not in written and any(mark in path.read_bytes() for mark in _MARKS)


def _remove_what_belongs_to(folder: Path, path: Path) -> None:
    """The picture of a model; of a package its order."""
    (folder / "Resources" / "Images" / f"{path.stem}.svg").unlink(missing_ok=True)
    if path.name == "package.mo":
        (path.parent / "package.order").unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # there is something else in it
        if path.parent != folder and path.suffix == ".mo":
            path.parent.rmdir()
