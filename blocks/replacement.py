"""Changes of a text by place: characters that others stand for afterwards, and everything else as it was."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


class Span(NamedTuple):
    """Characters of a text, text[start:end]."""

    start: int
    end: int


@dataclass(frozen=True)
class Replacement:
    """The characters of a span, and the text that is to stand there; an empty span is a place to insert at."""

    span: Span
    text: str


def replaced(text: str, changes: Iterable[Replacement]) -> str:
    """A text after several changes, whose spans are those of the text before; equal ones are made once.

    Raises ValueError if two of them overlap.
    """
    parts, at = [], 0
    for change in sorted(dict.fromkeys(changes), key=lambda change: change.span):
        if change.span.start < at:
            raise ValueError(f"changes overlap at character {change.span.start}")
        parts += [text[at : change.span.start], change.text]
        at = change.span.end
    return "".join([*parts, text[at:]])
