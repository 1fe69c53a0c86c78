"""What was built of the TypeScript in `studio/web`: the parts of which a page is put together."""

from __future__ import annotations

import functools
from pathlib import Path

from studio.errors import ShareError

ASSETS = Path(__file__).resolve().parent / "assets"
PARTS = ("page.js", "worker.js", "attitude.js", "page.css", "licences.txt")


def is_built() -> bool:
    """Whether the parts of a page are here: releases have them, and `make studio` makes them."""
    return all((ASSETS / name).is_file() for name in PARTS)


def asset(name: str) -> str:
    """A part as text. Raises ShareError if it was not built."""
    if not is_built():
        raise ShareError(
            "the pages were not built here: build them with `make studio`, which takes Node.js 20 or later, and its "
            "npm; releases have them"
        )
    path = ASSETS / name
    return _read(path, path.stat().st_mtime_ns)


@functools.lru_cache(maxsize=16)
def _read(path: Path, _time: int) -> str:
    return path.read_text(encoding="utf-8")
