"""library.json: what a library was built from and for."""

from __future__ import annotations

import hashlib
from pathlib import Path

MANIFEST = "library.json"


def sources_digest(folder: Path) -> str:
    """Of the declarations and kernels in a package."""
    found = hashlib.sha256()
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.pxd")]):
        found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()
