"""Damage to arrays of numpy: the line that says type and shape, or the numbers."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from random import Random

from fuzzing.mutate.raw import raw

_HEAD = 10
_TYPES = (
    "<f8",
    "<i8",
    "<i4",
    "|u1",
    "|b1",
    "<c16",
    "|O",
    "|S0",
    "|S5",
    "<U3",
    "<M8[s]",
    "<f2",
    "|V8",
    ">f8",
    "<i",
    "x",
    "[('a', '<f8')]",
)
_SHAPES = (
    "()",
    "(0,)",
    "(1,)",
    "(3, 0)",
    "(2, 2)",
    "(1000000000000,)",
    "(-1,)",
    "(1, 1, 1, 1)",
    "(9223372036854775807,)",
    "7",
    "(1.5,)",
    "(99999, 99999)",
)
_NUMBERS = (float("nan"), float("inf"), -float("inf"), -1.0, 0.0, 1e308, 5e-324, 1e18, 2.0**53)


def npy(random: Random, content: bytes, alike: Sequence[bytes]) -> bytes:
    """Another type or shape in the header, another number, or damage to the bytes."""
    way = random.randrange(4)
    if way == 0 or len(content) < _HEAD:
        return raw(random, content, alike)
    (length,) = struct.unpack_from("<H", content, 8)
    header, data = content[_HEAD : _HEAD + length].decode("latin-1"), bytearray(content[_HEAD + length :])
    if way == 1:
        old = header.split("'")[3] if header.count("'") > 3 else ""
        header = header.replace(f"'{old}'", repr(random.choice(_TYPES)), 1)
    elif way == 2:
        first, last = header.find("("), header.find(")")
        header = header[:first] + random.choice(_SHAPES) + header[last + 1 :]
    elif len(data) >= 8:
        place = 8 * random.randrange(len(data) // 8)
        struct.pack_into("<d", data, place, random.choice(_NUMBERS))
    written = header.encode("latin-1", "replace")
    return content[:8] + struct.pack("<H", len(written) % 65536) + written + bytes(data)
