"""Libraries that are deflated when they are built: to do that takes longer than all the rest of an export.

Beside a library lies a file of checksum and size of the library that it was made of, and a raw deflate stream (RFC
1951) without an end, so that one can follow another: a library may be a part of a larger file. Nothing of Keelblocks is
imported here, because the build uses this file before anything is installed.
"""

import functools
import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

NAME = "library.deflated"
"""Of the file beside a library."""
_HEAD = struct.Struct("<II")
_END = b"\x03\x00"  # a last block, with nothing in it
_LEVEL, _LEVEL_AHEAD = 6, 9


@dataclass(frozen=True)
class Library:
    """A library, and what it deflates to."""

    content: bytes
    deflated: bytes


@functools.lru_cache(maxsize=16)
def deflate(content: bytes, level: int = _LEVEL) -> bytes:
    """The deflate stream of a content, without an end."""
    compressor = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    return compressor.compress(content) + compressor.flush(zlib.Z_FULL_FLUSH)


def deflated_ahead(content: bytes) -> bytes:
    """What the build writes into the file beside a library with this content."""
    return _HEAD.pack(zlib.crc32(content), len(content)) + deflate(content, _LEVEL_AHEAD)


def stream_of(library: Path, content: bytes) -> bytes:
    """The stream of a library with this content: as it was deflated ahead, or if that was not done, as it is now."""
    beside = library.with_name(NAME)
    ahead = beside.read_bytes() if beside.is_file() else b""
    if ahead[: _HEAD.size] == _HEAD.pack(zlib.crc32(content), len(content)):
        return ahead[_HEAD.size :]
    return deflate(content)


def joined(parts: Iterable[tuple[bytes, bytes]]) -> Library:
    """One file of parts, each with its stream."""
    contents, streams = zip(*parts, strict=True)
    return Library(b"".join(contents), b"".join(streams) + _END)
