"""Writing files so that a failure never leaves half of one, nor takes away what was there before."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A path to write to instead of `target`; it takes the target's place if nothing fails. Raises OSError."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.stem}-{secrets.token_hex(4)}{target.suffix}")
    part.touch(exist_ok=False)
    try:
        yield part
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
