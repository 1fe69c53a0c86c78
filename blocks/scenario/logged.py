"""Logged data as inputs of scenarios: who reads a file, by its ending."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from blocks.errors import KeelblocksError, PackageError, ScenarioError, did_you_mean
from blocks.files.writing import is_file, is_folder
from blocks.packages import INPUTS, named, reason

_OF_FOLDERS = "mcap"


def logged(file: str, topic: str | None, value: str | None) -> tuple[Any, Any]:
    """Times and values in a file, or a folder, with logged data.

    Raises ScenarioError if nothing reads such files, what their reader raises, and PackageError if that fails.
    """
    path = Path(file)
    if not is_file(path) and not is_folder(path):
        beside = [other.name for other in path.parent.iterdir()] if is_folder(path.parent) else []
        near = did_you_mean(path.name, beside)
        raise ScenarioError(f"there is no file {path}{near if near.endswith('?') else ''}")
    stamp = path.stat()
    return _read(file, topic, value, stamp.st_mtime_ns, stamp.st_size)


@functools.lru_cache(maxsize=8)
def _read(file: str, topic: str | None, value: str | None, *stamp: int) -> tuple[Any, Any]:
    """What is read, once as long as the file does not change."""
    offered = named(INPUTS, ())
    ending = _OF_FOLDERS if is_folder(Path(file)) else Path(file).suffix.removeprefix(".").lower()
    if ending not in offered:
        endings = ", ".join(f".{name}" for name in offered) or "none"
        raise ScenarioError(f"{file}: no files with this ending can be an input; those that can: {endings}")
    try:
        times, values = offered[ending].load()(file, topic, value)
    except (KeelblocksError, OSError):
        raise
    except Exception as problem:  # whatever the package raises
        raise PackageError(f"{offered[ending]} cannot read {file}: {reason(problem)}") from problem
    return times, values
