"""A checksum behind the content of a file: it says that Keelblocks wrote the file, and that it is as it was written.

HDF5 knows where its content ends and does not mind what follows. The checksum tells damage and later changes; it is no
signature.
"""

from __future__ import annotations

import hashlib
import re
from os import PathLike
from pathlib import Path

_CHECKSUM_LINE = re.compile(rb"\nkeelblocks sha256 ([0-9a-f]{64})\n")
_LENGTH = 84


def seal(content: bytes | memoryview) -> bytes:
    """What to write behind the content."""
    return b"\nkeelblocks sha256 " + hashlib.sha256(content).hexdigest().encode() + b"\n"


class ChecksumMismatch(Exception):
    """A file does not match its checksum."""


def own_content(path: str | PathLike[str]) -> bytes | None:
    """The content of a file that matches its checksum; None if it has none. Raises ChecksumMismatch, and OSError."""
    with Path(path).open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _LENGTH))
        found = _CHECKSUM_LINE.fullmatch(file.read())
        if found is None:
            return None
        file.seek(0)
        content = file.read(size - _LENGTH)
    if hashlib.sha256(content).hexdigest().encode() != found[1]:
        raise ChecksumMismatch
    return content
