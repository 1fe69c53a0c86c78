"""Damage to files of arrays under a checksum that fits, so that it is their reader that has to see it."""

from __future__ import annotations

import io
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from blocks.files.arrays import _DIGEST, write_arrays
from fuzzing.mutate.archive import archive
from fuzzing.mutate.text import text

_NUMBERS = (np.nan, np.inf, -np.inf, -1.0, 0.0, 1e308, 5e-324, 1e18, 2.0**53, -(2.0**63), 127, 255, 256)
_TYPES = ("<f8", "<i8", "<i4", "|u1", "|b1", "<f4", "<U3", "<u8", "|i1")


def sealed(random: Random, content: bytes, alike: Sequence[bytes]) -> bytes:
    """One to three arrays with other numbers, text, type or shape, left out or exchanged; else damage to the zip."""
    if random.random() < 0.2:
        return archive(random, content, alike)
    with np.load(io.BytesIO(content)) as stored:
        arrays: dict[str, Any] = {name: stored[name] for name in stored.files if name != _DIGEST}
    for _ in range(random.choice((1, 1, 2, 3))):
        name = random.choice(sorted(arrays))
        arrays[name] = random.choice((_number, _number, _number, _type, _shape, _exchanged))(random, arrays, name)
        if arrays[name].dtype.kind == "U" and arrays[name].ndim == 0 and random.random() < 0.7:
            said = str(arrays[name]).encode()
            arrays[name] = np.array(text(random, said, [said]).decode("utf-8", "replace").replace("\0", ""))
    if random.random() < 0.1:
        del arrays[random.choice(sorted(arrays))]
    written = io.BytesIO()
    write_arrays(written, arrays)
    return written.getvalue()


def _number(random: Random, arrays: dict[str, Any], name: str) -> Any:
    array = np.array(arrays[name])
    if array.size and array.dtype.kind in "biuf":
        with np.errstate(all="ignore"):
            array.flat[random.randrange(array.size)] = np.array(random.choice(_NUMBERS)).astype(array.dtype)
    return array


def _type(random: Random, arrays: dict[str, Any], name: str) -> Any:
    array = np.array(arrays[name])
    with np.errstate(all="ignore"):
        return array.astype(random.choice(_TYPES)) if array.dtype.kind in "biuf" else np.zeros(3)


def _shape(random: Random, arrays: dict[str, Any], name: str) -> Any:
    array = np.array(arrays[name])
    flat = array.reshape(-1)
    return random.choice((array[None], flat, flat[:-1], np.tile(array, 2), array.T, flat[:0]))


def _exchanged(random: Random, arrays: dict[str, Any], name: str) -> Any:
    return arrays[random.choice(sorted(arrays))]
