"""Messages as bytes: CDR, little-endian, as ROS 2 has them on the wire and in bags.

Text and lists have the same lengths from one message of a topic to the next, so all other fields stand at fixed places:
these are found once, and then filled as arrays, for one message or for many at once.

Source: OMG Common Object Request Broker Architecture 3.3, part 2, 9.3 (CDR: primitives are aligned to their size,
counted from the beginning behind the header of 4 bytes; text and sequences begin with their lengths).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.live.messages.contents import Message
from blocks.live.messages.definitions import fields

HEADER = b"\x00\x01\x00\x00"

PRIMITIVES = {
    "float64": "<f8", "float32": "<f4", "int8": "i1", "uint8": "u1", "bool": "u1", "byte": "u1", "int16": "<i2",
    "uint16": "<u2", "int32": "<i4", "uint32": "<u4", "int64": "<i8", "uint64": "<u8",
}  # fmt: skip
"""Types of numbers, as NumPy calls them."""

_Path = tuple[str | int, ...]


class Packer:
    """Packs the contents of messages of one type, "nav_msgs/Odometry". Raises MessageError for an unknown one."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._ways = _lengths(name, ())
        self._layouts: dict[Hashable, _Layout] = {}

    def pack(self, content: Message) -> bytes:
        """One message."""
        return bytes(self._filled(content, 1)[0])

    def pack_each(self, content: Message, count: int) -> list[bytes]:
        """So many messages, whose numbers are arrays with one more dimension, the first, or the same in all.

        A text is the same in all, or a tuple of as many texts of equal length.
        """
        return [bytes(row) for row in self._filled(content, count)]

    def _filled(self, content: Message, count: int) -> NDArray[np.uint8]:
        key = (count, *(_length(content, path, text) for path, text in self._ways)) if self._ways else (count,)
        layout = self._layouts.get(key)
        if layout is None:
            layout = self._layouts[key] = _Layout(self.name, content, count)
        return layout.fill(content)


class _Layout:
    """Where the fields of messages stand whose texts and lists have these lengths."""

    def __init__(self, name: str, content: Message, count: int) -> None:
        self._bytes = bytearray(HEADER)
        self._places: list[tuple[_Path, str, int, tuple[int, ...]]] = []
        self._texts: list[tuple[int, tuple[str, ...]]] = []
        self._message(name, content, ())
        self._rows = np.tile(np.frombuffer(bytes(self._bytes), np.uint8), (count, 1))
        for offset, texts in self._texts:
            written = np.array([np.frombuffer(text.encode(), np.uint8) for text in texts])
            self._rows[:, offset : offset + written.shape[1]] = written
        self._fields = [
            (path, np.ndarray((count, *shape), kind, self._rows, offset, (len(self._bytes), *_strides(kind, shape))))
            for path, kind, offset, shape in self._places
        ]

    def fill(self, content: Message) -> NDArray[np.uint8]:
        for path, place in self._fields:
            value: Any = content
            for part in path:
                value = value[part]
            place[...] = value
        return self._rows

    def _message(self, name: str, content: Any, path: _Path) -> None:
        for kind, field in fields(name):
            self._field(kind, content[field], (*path, field))

    def _field(self, kind: str, value: Any, path: _Path) -> None:
        bare, _, size = kind.partition("[")
        if not size:
            self._one(bare, value, path)
            return
        fixed = size.removesuffix("]")
        length = int(fixed) if fixed else np.shape(value)[-1] if bare in PRIMITIVES else len(value)
        if not fixed:
            self._number(length)
        if bare in PRIMITIVES:
            if length:
                self._place(bare, path, (length,))
            return
        for number in range(length):
            self._one(bare, value[number], (*path, number))

    def _one(self, kind: str, value: Any, path: _Path) -> None:
        if kind in PRIMITIVES:
            self._place(kind, path, ())
        elif kind == "string":
            text = (value if isinstance(value, str) else value[0]).encode() + b"\x00"
            self._number(len(text))
            if not isinstance(value, str):
                self._texts.append((len(self._bytes), value))
            self._bytes += text
        else:
            self._message(kind, value, path)

    def _align(self, size: int) -> None:
        self._bytes += bytes(-(len(self._bytes) - len(HEADER)) % size)

    def _number(self, value: int) -> None:
        self._align(4)
        self._bytes += value.to_bytes(4, "little")

    def _place(self, kind: str, path: _Path, shape: tuple[int, ...]) -> None:
        dtype = np.dtype(PRIMITIVES[kind])
        self._align(dtype.itemsize)
        self._places.append((path, PRIMITIVES[kind], len(self._bytes), shape))
        self._bytes += bytes(dtype.itemsize * (shape[0] if shape else 1))


def _strides(kind: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    return (np.dtype(kind).itemsize,) if shape else ()


def _lengths(name: str, path: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Ways to what differs in length from message to message, up to the first list on each, and what it is."""
    return tuple(_find_lengths(name, path))


def _find_lengths(name: str, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    for kind, field in fields(name):
        bare, _, size = kind.partition("[")
        if kind == "string":
            yield (*path, field), "text"
        elif size == "]":
            yield (*path, field), "numbers" if bare in PRIMITIVES else bare
        elif not size and bare not in PRIMITIVES:
            yield from _find_lengths(bare, (*path, field))


def _length(content: Any, path: tuple[str, ...], kind: str) -> Hashable:
    for part in path:
        content = content[part]
    if kind == "text":
        return content  # type: ignore[no-any-return]
    if kind == "numbers":
        return int(np.shape(content)[-1])
    ways = _lengths(kind, ())
    return tuple(tuple(_length(item, way, each) for way, each in ways) for item in content)
