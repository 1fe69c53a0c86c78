"""Damage to stored plans under a checksum that fits, so that it is the loader that has to see it."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from random import Random

from cython_kernels import engine
from fuzzing.mutate.raw import EXTREMES, raw

_CHECKSUM = 16


def plan(random: Random, content: bytes, alike: Sequence[bytes]) -> bytes:
    """Numbers made extreme, exchanged or changed a little; half of the time in the header."""
    if random.random() < 0.1:
        return raw(random, content, alike)
    data = bytearray(content)
    for _ in range(random.choice((1, 1, 2, 5))):
        most = engine.HEADER_SIZE if random.random() < 0.5 else len(data)
        place = 4 * random.randrange(most // 4)
        (old,) = struct.unpack_from("<i", data, place)
        other = struct.unpack_from("<i", data, 4 * random.randrange(len(data) // 4))[0]
        new = random.choice((old + random.randrange(-4, 5), random.choice(EXTREMES), -random.choice(EXTREMES), other))
        struct.pack_into("<I", data, place, new % 2**32)
    data[_CHECKSUM : _CHECKSUM + 8] = struct.pack("<Q", engine.fnv1a_hash(bytes(data[engine.CHECKED_FROM_BYTE :])))
    return bytes(data)
