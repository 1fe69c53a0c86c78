"""XML as text: one element below the other, attributes in the order in which they are given.

An export writes thousands of elements and wants the same bytes each time; a tree in memory would cost more than all
else together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from xml.sax.saxutils import escape

from blocks.drawing.text import printable

Attributes = Mapping[str, str]

_PLAIN = re.compile(r"[ !#-%'-;=?-~]*")
"""What may stand in an attribute as it is."""


def text_of(value: object) -> str:
    """A value as XML Schema writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def attributes(pairs: Attributes) -> str:
    """Attributes as they follow the name of an element. Text that XML cannot hold is replaced, line ends are spaces."""
    return "".join(f' {name}="{quoted(value)}"' for name, value in pairs.items())


def quoted(value: str) -> str:
    """The value of an attribute, without the quotation marks."""
    return value if _PLAIN.fullmatch(value) else escape(printable(value), {'"': "&quot;"})


class Document:
    """An XML document that is being written."""

    def __init__(self) -> None:
        self._lines = ['<?xml version="1.0" encoding="UTF-8"?>']
        self._indent = ""

    @contextmanager
    def element(self, tag: str, pairs: Attributes | None = None) -> Iterator[None]:
        """An element with what is written inside it; nothing inside makes it an empty one."""
        opening = f"{self._indent}<{tag}{attributes(pairs or {})}"
        place = len(self._lines)
        self._lines.append(f"{opening}>")
        outer, self._indent = self._indent, f"{self._indent}  "
        yield
        self._indent = outer
        if len(self._lines) == place + 1:
            self._lines[place] = f"{opening}/>"
        else:
            self._lines.append(f"{outer}</{tag}>")

    def empty(self, tag: str, pairs: Attributes) -> None:
        """An element with nothing inside."""
        self._lines.append(f"{self._indent}<{tag}{attributes(pairs)}/>")

    def line(self, text: str) -> None:
        """Elements that are written already, on a line."""
        self._lines.append(self._indent + text)

    def encoded(self) -> bytes:
        """The document in UTF-8."""
        return ("\n".join(self._lines) + "\n").encode()
