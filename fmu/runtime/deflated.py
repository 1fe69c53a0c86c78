"""Deflate streams without an end, so that one can follow another (RFC 1951): an FMU's libraries are put together of
parts that were deflated when they were built, which takes longer than all the rest of an export.

Nothing of Keelblocks is imported here, because the build uses this file before anything is installed.
"""

import functools
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

_END = b"\x03\x00"  # a last block, with nothing in it


@dataclass(frozen=True)
class Library:
    """A library, and what it deflates to."""

    content: bytes
    deflated: bytes


@functools.lru_cache(maxsize=64)
def deflate(content: bytes, level: int = 6, memory: int = 8) -> bytes:
    """The deflate stream of a content, without an end, which needs nothing of what stands before it.

    level, memory: as zlib has them, of which `memory` says how much has a code of its own.
    """
    compressor = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS, memory)
    return compressor.compress(content) + compressor.flush(zlib.Z_FULL_FLUSH)


def inflate(stream: bytes) -> bytes:
    """The content of a stream."""
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(stream)


def joined(parts: Iterable[tuple[bytes, bytes]]) -> Library:
    """One file of parts, each with its stream."""
    contents, streams = zip(*parts, strict=True)
    return Library(b"".join(contents), b"".join(streams) + _END)
