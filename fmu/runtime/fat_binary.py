"""Join Mach-O files for several processors into the one "fat" file that FMI 2.0's `darwin64` stands for.

A fat file is a table, in big-endian numbers, and the files one after the other: <mach-o/fat.h> of macOS.
"""

import struct
from collections.abc import Sequence

FAT_MAGIC = 0xCAFEBABE
MACH_O_64 = 0xFEEDFACF
_HEADER = struct.Struct(">II")  # magic, number of files
_ENTRY = struct.Struct(">IIIII")  # processor, its variant, place, size, alignment as a power of two
_ALIGNMENT = 14  # pages of 16 kB, the largest that darwin has


def join(files: Sequence[bytes]) -> bytes:
    """One fat file of thin ones, each for another processor. Raises ValueError for anything else."""
    return b"".join(before + file for before, file in zip(between(files), files, strict=True))


def between(files: Sequence[bytes]) -> list[bytes]:
    """What a fat file has before each of the thin ones: the table, and the gaps. Raises ValueError as `join` does."""
    entries: list[bytes] = []
    processors: list[int] = []
    gaps: list[bytes] = []
    place = _HEADER.size + len(files) * _ENTRY.size
    for file in files:
        magic, processor, variant = struct.unpack_from("<III", file) if len(file) >= 32 else (0, 0, 0)
        if magic != MACH_O_64:
            raise ValueError("a file to be joined is no 64-bit little-endian Mach-O file")
        if processor in processors:
            raise ValueError(f"two files to be joined are for the same processor, {processor:#x}")
        gap = -place % (1 << _ALIGNMENT)
        entries.append(_ENTRY.pack(processor, variant, place + gap, len(file), _ALIGNMENT))
        processors.append(processor)
        gaps.append(bytes(gap))
        place += gap + len(file)
    table = _HEADER.pack(FAT_MAGIC, len(files)) + b"".join(entries)
    return [table + gaps[0], *gaps[1:]] if gaps else []
