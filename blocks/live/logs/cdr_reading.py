"""Bytes of messages as arrays: the way back from `messages/cdr.py`, for all messages of a topic at once.

Definitions are those of Keelblocks: what a bag says of its types is not used, since a library that makes decoders of
it runs text of the bag as a program.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.live.messages.cdr import PRIMITIVES
from blocks.live.messages.contents import Message, MessageError
from blocks.live.messages.definitions import fields

Bytes = NDArray[np.uint8]

_HEADER = 4
_MOST_KINDS = 200
"""Messages of one topic that differ in the lengths of their strings or sequences."""
_MOST_ITEMS = 10_000
"""Of a sequence of messages in a message."""


def deserialize(name: str, content: Bytes, sizes: NDArray[np.int64]) -> Message:
    """The numbers in messages of one type, as `messages` has them, with a leading dimension; text is left out.

    content: the bytes of all messages, one behind the other, of these sizes. Raises MessageError if they are not of
    that type.
    """
    ends = np.cumsum(sizes)
    waiting = np.arange(len(sizes))
    groups: list[tuple[NDArray[np.intp], Message]] = []
    while len(waiting):
        if len(groups) == _MOST_KINDS:
            raise MessageError(f"the lengths of its strings or arrays change more than {_MOST_KINDS} times")
        first = waiting[0]
        alike = waiting[sizes[waiting] == sizes[first]]
        rows = content[(ends[alike] - sizes[first])[:, None] + np.arange(sizes[first])]
        reader = _Rows(rows)
        found = reader.message(name)
        groups.append((alike[reader.like_the_first], found))
        waiting = np.setdiff1d(waiting, groups[-1][0], assume_unique=True)
    if len(groups) == 1:
        return groups[0][1]
    order = np.argsort(np.concatenate([numbers for numbers, _ in groups]))
    return dict(_joined([found for _, found in groups], order, ""))


def _joined(parts: list[Any], order: NDArray[np.intp], path: str) -> Any:
    """The same field of messages of different lengths, in their order."""
    if isinstance(parts[0], dict):
        return {key: _joined([part[key] for part in parts], order, f"{path}.{key}") for key in parts[0]}
    if isinstance(parts[0], list) or len({part.shape[1:] for part in parts}) > 1:
        return _Changing(path.removeprefix("."))
    return np.concatenate(parts)[order]


class _Changing:
    """A field whose length changes from message to message. Whoever wants its numbers is told so."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __array__(self, *args: Any, **named: Any) -> Any:
        raise MessageError(f"the length of '{self.path}' changes from message to message")


class _Rows:
    """Reads messages of one size, a row each, field by field; those whose lengths are as in the first row."""

    def __init__(self, rows: Bytes) -> None:
        if rows.shape[1] < _HEADER:
            raise MessageError("it is shorter than the four bytes that each message begins with")
        self.rows = rows
        self.like_the_first: NDArray[np.bool_] = np.ones(len(rows), dtype=bool)
        self.at = _HEADER
        if rows[:, 0].any() or (rows[:, 1] != 1).any():
            raise MessageError("it is not encoded as CDR in little-endian order")

    def message(self, name: str) -> Message:
        """All fields; the rows that differ in a length from the first are left out of all of them at the end."""
        return dict(_picked(self._message(name), self.like_the_first))

    def _message(self, name: str) -> Message:
        found: Message = {}
        for kind, field in fields(name):
            if kind == "string":
                length = self._length()
                self.at += length
            else:
                found[field] = self._value(kind)
        return found

    def _value(self, kind: str) -> Any:
        bare, array, length = kind.partition("[")
        length = length.removesuffix("]")
        if not array:
            return self._numbers(bare, None) if bare in PRIMITIVES else self._message(bare)
        count = int(length) if length else self._length()
        if bare in PRIMITIVES:
            return self._numbers(bare, count)
        if count > _MOST_ITEMS:
            raise MessageError(f"it holds {count:,} times {bare}")
        return [self._message(bare) for _ in range(count)]

    def _length(self) -> int:
        lengths = self._numbers("uint32", None)
        self.like_the_first &= lengths == lengths[0]
        return int(lengths[0])

    def _numbers(self, kind: str, count: int | None) -> NDArray[Any]:
        made = np.dtype(PRIMITIVES[kind])
        if count == 0:
            return np.zeros((len(self.rows), 0), made)
        first = self.at + -(self.at - _HEADER) % made.itemsize
        end = first + made.itemsize * (count or 1)
        if end > self.rows.shape[1]:
            raise MessageError(f"it has {self.rows.shape[1]} bytes, and more are wanted")
        self.at = end
        part = np.ascontiguousarray(self.rows[:, first:end]).view(made)
        return part[:, 0] if count is None else part


def _picked(content: Any, rows: NDArray[np.bool_]) -> Any:
    if isinstance(content, dict):
        return {key: _picked(item, rows) for key, item in content.items()}
    if isinstance(content, list):
        return [_picked(item, rows) for item in content]
    return content[rows]
