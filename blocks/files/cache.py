"""What can be made again, kept between processes by all that it is made of."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from blocks.files.writing import replacing


def cache_folder() -> Path:
    """Where this user's programs keep what they can make again: $XDG_CACHE_HOME, or what the system has for that."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return (base if base.is_absolute() else Path.home() / ".cache") / "keelblocks"  # relative ones do not count, by XDG


def kept(name: str, make: Callable[[], bytes]) -> bytes:
    """What the cache has under a name, such as "webassembly/1a2b.wasm", or what is made, and then kept if it can be."""
    path = cache_folder() / name
    if path.is_file():
        return path.read_bytes()
    content = make()
    keep(name, content)
    return content


def keep(name: str, content: bytes) -> Path | None:
    """Write a file of the cache, at once; its path, or None where that is not possible: it is made again next time."""
    path = cache_folder() / name
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path, lasting=False) as part:
            part.write_bytes(content)
        return path
    return None
