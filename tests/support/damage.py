"""Damaged files, by seed: cut off, with bits turned over, with blocks of zeros or of noise, with parts repeated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def damaged(content: bytes, seed: int) -> bytes:
    """A content with one to four faults, another for every seed."""
    generator = np.random.default_rng(seed)
    data = bytearray(content)
    for _ in range(1 + seed % 4):
        _FAULTS[int(generator.integers(len(_FAULTS)))](data, generator)
    return bytes(data)


def _place(data: bytearray, generator: Any) -> int:
    """Half of them in the first tenth, where most of what says what a file is stands."""
    size = max(1, len(data) // (10 if generator.random() < 0.5 else 1))
    return int(generator.integers(size))


def _cut(data: bytearray, generator: Any) -> None:
    del data[_place(data, generator) :]


def _turn_over(data: bytearray, generator: Any) -> None:
    for _ in range(int(generator.integers(1, 9))):
        if data:
            data[_place(data, generator)] ^= 1 << int(generator.integers(8))


def _set(data: bytearray, generator: Any) -> None:
    first = _place(data, generator)
    width = min(int(generator.choice([1, 2, 4, 8])), len(data) - first)
    data[first : first + width] = bytes([int(generator.choice([0, 1, 127, 128, 255]))]) * width


def _blank(data: bytearray, generator: Any) -> None:
    first = _place(data, generator)
    width = min(int(generator.integers(1, 65)), len(data) - first)
    data[first : first + width] = bytes(width)


def _noise(data: bytearray, generator: Any) -> None:
    first = _place(data, generator)
    width = min(int(generator.integers(1, 65)), len(data) - first)
    data[first : first + width] = generator.bytes(width)


def _repeat(data: bytearray, generator: Any) -> None:
    first, second = sorted((_place(data, generator), _place(data, generator)))
    data[second:second] = data[first:second][:4096]


_FAULTS: list[Callable[[bytearray, Any], None]] = [_cut, _turn_over, _turn_over, _set, _set, _blank, _noise, _repeat]
