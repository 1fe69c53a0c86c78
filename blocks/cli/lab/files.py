"""What the commands of the lab write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from blocks.errors import ScenarioError
from blocks.files.writing import replacing


def written(path: Path, write: Callable[[Path], Any]) -> Path:
    """Write a file, and its folder if need be. Raises ScenarioError if that is not possible."""
    try:
        with replacing(path) as part:
            write(part)
    except OSError as problem:
        raise ScenarioError(f"cannot write {path}: {problem.strerror or problem}") from None
    except ValueError as problem:  # a format that matplotlib does not know
        raise ScenarioError(f"cannot write {path}: {problem}") from None
    return path


def check_folder(folder: Path) -> Path:
    """Find out before the work, and not after it, that nothing can be written. Raises ScenarioError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".keelblocks"
        probe.touch()
        probe.unlink()
    except OSError as problem:
        raise ScenarioError(f"cannot write to {folder}: {problem.strerror or problem}") from None
    return folder
