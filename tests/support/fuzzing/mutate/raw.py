"""Damage to bytes, whatever they mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

EXTREMES = (
    0,
    1,
    2,
    3,
    7,
    8,
    16,
    127,
    128,
    255,
    256,
    32767,
    65535,
    65536,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**62,
    2**63 - 1,
)


def raw(random: Random, content: bytes, alike: Sequence[bytes]) -> bytes:
    """One to four of: flip, set, insert, delete, cut short, copy, splice, an integer made extreme."""
    data = bytearray(content)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        random.choice(_WAYS)(random, data, alike)
    return bytes(data)


def span(random: Random, size: int, most: int = 64) -> tuple[int, int]:
    """Where a piece of a file begins and ends; often it is short."""
    first = random.randrange(size + 1)
    return first, min(size, first + int(most ** random.random()))


def _flip(random: Random, data: bytearray, _alike: Sequence[bytes]) -> None:
    if data:
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def _set(random: Random, data: bytearray, _alike: Sequence[bytes]) -> None:
    if data:
        data[random.randrange(len(data))] = random.choice((0, 1, 10, 34, 39, 127, 128, 255, random.randrange(256)))


def _insert(random: Random, data: bytearray, _alike: Sequence[bytes]) -> None:
    place = random.randrange(len(data) + 1)
    data[place:place] = random.randbytes(random.randrange(1, 16))


def _delete(random: Random, data: bytearray, _alike: Sequence[bytes]) -> None:
    first, last = span(random, len(data), 1000)
    del data[first:last]


def _cut(random: Random, data: bytearray, _alike: Sequence[bytes]) -> None:
    del data[random.randrange(len(data) + 1) :]


def _copy(random: Random, data: bytearray, _alike: Sequence[bytes]) -> None:
    first, last = span(random, len(data), 1000)
    place = random.randrange(len(data) + 1)
    data[place:place] = data[first:last] * random.choice((1, 1, 2, 50))


def _splice(random: Random, data: bytearray, alike: Sequence[bytes]) -> None:
    other = random.choice(alike)
    del data[random.randrange(len(data) + 1) :]
    data += other[random.randrange(len(other) + 1) :]


def _integer(random: Random, data: bytearray, _alike: Sequence[bytes]) -> None:
    width = random.choice((1, 2, 4, 8))
    if len(data) < width:
        return
    place = random.randrange(len(data) - width + 1)
    value = random.choice(EXTREMES) % (1 << 8 * width)
    data[place : place + width] = value.to_bytes(width, random.choice(("little", "big")))


_WAYS: tuple[Callable[[Random, bytearray, Sequence[bytes]], None], ...] = (
    _flip, _set, _insert, _delete, _cut, _copy, _splice, _integer, _integer,
)  # fmt: skip
