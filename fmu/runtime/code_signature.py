"""Renew the ad-hoc signature of a changed Mach-O file.

macOS runs code for Apple's processors only if the hashes of its pages are those of the signature.

The form is that of <kern/cs_blobs.h> of macOS. Nothing of Keelblocks is imported here, because the build uses this file
before anything is installed.
"""

import hashlib
import struct

_MACH_O_64 = 0xFEEDFACF
_CODE_SIGNATURE = 0x1D  # the load command
_SUPER_BLOB, _CODE_DIRECTORY = 0xFADE0CC0, 0xFADE0C02
_SHA256 = 2
_BLOB = struct.Struct(">III")  # magic, length, number of entries
_ENTRY = struct.Struct(">II")  # kind, place
_DIRECTORY = struct.Struct(">9I4B")
"""Magic, length, version, flags; places of the hashes and of the identifier; how many hashes of other things stand
before them and how many of pages there are; where the code ends; size and kind of a hash, platform, log2 of a page."""


def signature_place(content: bytes) -> int | None:
    """Where the signature of a Mach-O file begins; None if it has none, and for any other file."""
    if content[:4] != struct.pack("<I", _MACH_O_64):
        return None
    place = 32
    for _ in range(struct.unpack_from("<I", content, 16)[0]):
        command, size, data = struct.unpack_from("<III", content, place)
        if command == _CODE_SIGNATURE:
            return int(data)
        place += size
    return None


def can_be_signed(content: bytes) -> bool:
    """Whether `signed` makes of an unchanged file, signed by its linker, the same file."""
    try:
        return signed(content) == content
    except ValueError:
        return False


def signed(content: bytes) -> bytes:
    """A file with the hashes of its pages as they are now. Raises ValueError for a signature of another form."""
    start = signature_place(content)
    if start is None:
        return content
    magic, _, count = _BLOB.unpack_from(content, start)
    entries = [_ENTRY.unpack_from(content, start + _BLOB.size + i * _ENTRY.size) for i in range(count)]
    places = [start + at for _, at in entries if struct.unpack_from(">I", content, start + at)[0] == _CODE_DIRECTORY]
    if magic != _SUPER_BLOB or len(places) != 1:
        raise ValueError("the signature of a Mach-O file has not one directory")
    _, _, _, _, hashes, _, _, pages, end, size, kind, _, page = _DIRECTORY.unpack_from(content, places[0])
    if kind != _SHA256 or size != hashlib.sha256().digest_size:
        raise ValueError(f"the hashes in the signature of a Mach-O file are of kind {kind}, not SHA-256")
    starts = range(0, pages << page, 1 << page)
    found = b"".join(hashlib.sha256(content[at : min(at + (1 << page), end)]).digest() for at in starts)
    first = places[0] + hashes
    return content[:first] + found + content[first + len(found) :]
