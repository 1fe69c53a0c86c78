"""Whether an ELF library is whole: a process that loads one dies where the file ends before it should."""

from __future__ import annotations

import struct
from pathlib import Path

_LOAD = 1
_CLASSES = {1: ("HHIIIIIHHHHHH", "IIIIIIII", 4), 2: ("HHIQQQIHHHHHH", "IIQQQQQQ", 5)}
"""Of 32 and 64 bits: the header after its first 16 bytes, a program header, and where the size in the file is there."""


def is_cut_off(path: Path) -> bool:
    """True if the file is an ELF library that ends before what it says it holds."""
    size = path.stat().st_size
    with path.open("rb") as file:
        start = file.read(64)
        if start[:4] != b"\x7fELF":
            return False  # the loader says what is wrong with it
        if len(start) < 52 or start[4] not in _CLASSES or start[5] not in (1, 2):
            return True
        order = "<" if start[5] == 1 else ">"
        head_format, segment_format, size_at = _CLASSES[start[4]]
        try:
            head = struct.unpack_from(order + head_format, start, 16)
            table, width, count = head[4], head[8], head[9]
            if table + width * count > size:
                return True
            file.seek(table)
            for _ in range(count):
                segment = struct.unpack_from(order + segment_format, file.read(width))
                offset = segment[1] if size_at == 4 else segment[2]
                if segment[0] == _LOAD and offset + segment[size_at] > size:
                    return True
        except struct.error:
            return True
    return False
