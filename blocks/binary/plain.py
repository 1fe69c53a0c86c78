"""Plain data as a text and bytes, for the way out of a process that cannot be trusted: nothing in it can be run."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import numpy as np

MOST_NESTING = 20
_ALIGNED = 16
_KINDS = re.compile(r"[<>|=](?:[biufcSU]\d+|[mM]8(?:\[\w+\])?)")


Part = bytes | memoryview


def pack(value: Any) -> tuple[str, list[Part]]:
    """Mappings with text as keys, lists, numbers, text, bytes and arrays of numbers or text; others raise TypeError."""
    parts: list[Part] = []
    packed = _packed(value, parts, 0)
    return json.dumps(packed), parts


def _packed(value: Any, parts: list[Part], depth: int) -> Any:
    if depth > MOST_NESTING:
        raise TypeError("it is nested too deeply")
    if value is None or (isinstance(value, (bool, int, float, str)) and not isinstance(value, np.generic)):
        return value
    if isinstance(value, dict):
        return {"map": [[str(key), _packed(item, parts, depth + 1)] for key, item in value.items()]}
    if isinstance(value, (list, tuple)):
        return [_packed(item, parts, depth + 1) for item in value]
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        if array.dtype.kind == "O":
            texts = [t.decode("utf-8", "replace") if isinstance(t, bytes) else t for t in array.ravel().tolist()]
            if not all(isinstance(text, str) for text in texts):
                raise TypeError(f"it holds {next(type(t).__name__ for t in texts if not isinstance(t, str))}")
            return {"texts": texts, "shape": array.shape}
        data = np.ascontiguousarray(array).reshape(-1).view(np.uint8) if array.nbytes else np.zeros(0, np.uint8)
        parts += [data.data, bytes(-array.nbytes % _ALIGNED)]
        return {"array": array.dtype.str, "shape": array.shape, "size": array.nbytes}
    raise TypeError(f"it holds {type(value).__name__}")


def unpack(text: str, content: bytearray) -> Any:
    """What was packed; arrays are views of the content, without dimensions NumPy's scalars.

    Raises ValueError if that is not what it is.
    """
    reader = _Reader(content)
    try:
        found = reader.read(json.loads(text), 0)
    except (KeyError, TypeError, AttributeError, RecursionError, OverflowError) as problem:
        raise ValueError(f"it is no plain data: {problem}") from None
    if reader.first != len(content):
        raise ValueError("it is not whole")
    return found


class _Reader:
    def __init__(self, content: bytearray) -> None:
        self.content, self.first = content, 0

    def read(self, packed: Any, depth: int) -> Any:
        if depth > MOST_NESTING:
            raise ValueError("it is nested too deeply")
        if isinstance(packed, list):
            return [self.read(item, depth + 1) for item in packed]
        if not isinstance(packed, dict):
            return packed
        if "map" in packed:
            return {str(key): self.read(item, depth + 1) for key, item in packed["map"]}
        if "bytes" in packed:
            return bytes.fromhex(packed["bytes"])
        shape = tuple(packed["shape"])
        if not all(type(n) is int and n >= 0 for n in shape):
            raise ValueError(f"the shape {shape} cannot be")
        if "texts" in packed:
            texts = packed["texts"]
            if len(texts) != math.prod(shape) or not all(isinstance(text, str) for text in texts):
                raise ValueError("an array of text is incomplete")
            filled = np.empty(len(texts), dtype=object)
            filled[:] = texts
            return filled.reshape(shape) if shape else texts[0]
        return self._array(packed, shape)

    def _array(self, packed: dict[str, Any], shape: tuple[int, ...]) -> Any:
        if not _KINDS.fullmatch(packed["array"]):
            raise ValueError(f"an array cannot be of {packed['array']!r}")
        kind = np.dtype(packed["array"])
        size = packed["size"]
        if type(size) is not int or size != math.prod(shape) * kind.itemsize or self.first + size > len(self.content):
            raise ValueError("an array is not whole")
        count = size // kind.itemsize if kind.itemsize else 0
        array = np.frombuffer(self.content, kind, count, self.first) if size else np.empty(math.prod(shape), kind)
        self.first += size + -size % _ALIGNED
        return array.reshape(shape) if shape else array[0]
