"""Contents of messages as bytes, all messages of a topic at once: CDR, little-endian, as ROS 2 writes it.

Where strings and the lengths of sequences do not change from message to message, every number stands in the same place
in all of them: what is written once for the first is an array of records for all.

Source: OMG (2021), DDS-XTypes 1.3, sec. 7.4.3 (XCDR1: alignment, strings, sequences); OMG (2022), DDSI-RTPS 2.5,
sec. 10.2 (the four bytes before it).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.live.messages.contents import Message
from blocks.live.messages.definitions import fields

_NUMBERS = {
    "bool": "?", "int8": "i1", "uint8": "u1", "int16": "<i2", "uint16": "<u2", "int32": "<i4", "uint32": "<u4",
    "float32": "<f4", "float64": "<f8",
}  # fmt: skip
_HEADER = 4
"""Bytes before the content, to which its alignment is counted."""


def serialize(name: str, message: Message, count: int) -> NDArray[np.void]:
    """`count` messages of one type, a record of bytes each; numbers in the content are single, or as many.

    `serialize(…).tobytes()` of one message, or of slices of them, is what a log stores.
    """
    layout = _Layout(count)
    layout.number(np.frombuffer(b"\0\1\0\0", np.uint8), "u1", 4)
    layout.message(name, message)
    kind = np.dtype(
        {"names": layout.names, "formats": layout.formats, "offsets": layout.offsets, "itemsize": layout.size}
    )
    records = np.zeros(count, kind)
    for each, value in zip(layout.names, layout.values, strict=True):
        records[each] = value
    return records.view(f"V{layout.size}")


class _Layout:
    """Where each number of a message stands, and its values."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.names: list[str] = []
        self.formats: list[Any] = []
        self.offsets: list[int] = []
        self.values: list[Any] = []
        self.size = 0

    def message(self, name: str, content: Message) -> None:
        for kind, field in fields(name):
            self.value(kind, content[field])

    def value(self, kind: str, content: Any) -> None:
        """One field: a number, text, another message, or several of them."""
        bare, array, length = kind.partition("[")
        length = length.removesuffix("]")
        if array and bare in _NUMBERS:
            values = np.asarray(content)
            if not length:
                self.number(values.shape[-1], "<u4")
            self.number(values, _NUMBERS[bare], values.shape[-1])
        elif array:
            self.number(len(content), "<u4")
            for item in content:
                self.message(bare, item)
        elif kind == "string":
            text = content.encode() + b"\0"
            self.number(len(text), "<u4")
            self.number(np.frombuffer(text, np.uint8), "u1", len(text))
        elif kind in _NUMBERS:
            self.number(content, _NUMBERS[kind])
        else:
            self.message(kind, content)

    def number(self, value: Any, kind: str, length: int | None = None) -> None:
        """A number, or `length` of them in the last dimension, behind as many bytes as alignment wants."""
        if length == 0:
            return
        width = np.dtype(kind).itemsize
        if self.size:
            self.size += -(self.size - _HEADER) % width
        self.names.append(f"f{len(self.names)}")
        self.formats.append(kind if length is None else (kind, (length,)))
        self.offsets.append(self.size)
        self.values.append(value)
        self.size += width * (1 if length is None else length)
