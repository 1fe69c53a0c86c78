"""Where compiled plans stand: in the user's cache, each with its checksum; in a folder of the process if that fails."""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from blocks.files.cache import cache_folder, keep

MOST = 500
"""Plans that are kept, of some 50 to 200 kB each; those go that have not been used for longest."""

_beside: dict[str, Path] = {}
"""What this process could not write into the cache, by name."""
_folders: list[tempfile.TemporaryDirectory[str]] = []


def find(name: str) -> Path | None:
    """The file, if it is there and whole: what was cut short would bring the process down that opens it."""
    if name in _beside:
        return _beside[name]
    path = cache_folder() / "plans" / name
    try:
        if _sum_of(path.read_bytes()) != _checksum(path).read_text(encoding="ascii"):
            return None
    except (OSError, ValueError):
        return None
    with suppress(OSError):  # a cache may be there to be read only
        os.utime(path)
    return path


def put(name: str, content: bytes) -> Path:
    """Keep a file; its path. Raises OSError if it can be written nowhere."""
    told = f"plans/{_checksum(Path(name)).name}"
    path = keep(f"plans/{name}", content)
    if path is None or keep(told, _sum_of(content).encode("ascii")) is None:
        folder = tempfile.TemporaryDirectory(prefix="keelblocks-")
        _folders.append(folder)  # as long as the process
        path = _beside[name] = Path(folder.name, name)
        path.write_bytes(content)
        return path
    _tidy(path.parent)
    return path


def drop(name: str) -> None:
    """Let a file go."""
    _beside.pop(name, None)
    path = cache_folder() / "plans" / name
    for one in (path, _checksum(path)):
        with suppress(OSError):
            one.unlink()


def _checksum(path: Path) -> Path:
    return path.with_suffix(".sha256")


def _sum_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _tidy(folder: Path) -> None:
    with suppress(OSError):
        plans = sorted(folder.glob("*.sha256"))
        if len(plans) > MOST:
            libraries = [path for path in folder.iterdir() if path.suffix not in (".sha256", ".json")]
            for path in sorted(libraries, key=lambda path: path.stat().st_mtime)[: len(libraries) - MOST]:
                drop(path.name)
