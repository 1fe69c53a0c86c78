"""Paths that are given, and writing files so that a failure never leaves half of one, nor takes away what was there."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from blocks.errors import KeelblocksError, shown


def path_of(given: object, what: str, error: type[KeelblocksError]) -> Path:
    """The path of `what`, such as "a scenario", as it was given. Raises `error` for what cannot be a path."""
    text = os.fspath(given) if isinstance(given, (str, os.PathLike)) else given
    if not isinstance(text, str):
        raise error(f"the path of {what} must be text or a pathlib.Path, not {shown(given)}")
    if not text:
        raise error(f"the path of {what} is empty")
    try:
        possible = b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        possible = False
    if not possible:
        raise error(f"the path of {what} has a character that no path can have: {shown(text)}")
    return Path(text)


def is_file(path: Path) -> bool:
    """Whether there is a plain file. Where a name cannot be that of a file, one too long say, there is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Whether there is a folder; as `is_file`."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


@contextlib.contextmanager
def replacing(target: Path, *, lasting: bool = True) -> Iterator[Path]:
    """A path to write to instead of `target`; it takes the target's place if nothing fails. Raises OSError.

    lasting: only once it is on the disk, so that a loss of power leaves the one file or the other too.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    part = _beside(target)
    try:
        part.touch(exist_ok=False)
        yield part
        if lasting:
            _keep(part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def write_together(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files that belong together: after a failure all are as they were. Raises OSError."""
    parts: dict[Path, Path] = {}
    kept: dict[Path, Path] = {}
    complete = False
    try:
        for name, content in files.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            part = parts[target] = _beside(target)
            part.write_bytes(content)
            _keep(part)
        for target in filter(Path.exists, parts):
            kept[target] = _beside(target)
            _named_too(target, kept[target])
        complete = True
        for target, part in parts.items():
            part.replace(target)
    except BaseException:
        for target in (target for target, part in parts.items() if complete and not part.exists()):
            if target in kept:
                kept[target].replace(target)
            else:
                target.unlink(missing_ok=True)
        raise
    finally:
        for leftover in (*parts.values(), *kept.values()):
            leftover.unlink(missing_ok=True)


def _named_too(target: Path, before: Path) -> None:
    """Let the file that stands there have another name as well, by which it can be put back."""
    try:
        os.link(target, before)
    except OSError:  # not every file system has links
        shutil.copy2(target, before)


def _beside(target: Path) -> Path:
    return target.with_name(f".{target.stem}-{secrets.token_hex(4)}{target.suffix}")


def _keep(path: Path) -> None:
    """Wait until what was written is on the disk, and not only on its way there."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())
