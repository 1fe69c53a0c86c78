"""Files of the lab: messages that name the line."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from blocks.errors import KeelblocksError, ScenarioError
from blocks.yaml.places import ItemPath
from blocks.yaml.reading import Document

_EXACT = 1_000_000
"""Better than any length."""


@contextlib.contextmanager
def naming_lines(document: Document, otherwise: ItemPath = ()) -> Iterator[None]:
    """Give errors the line of the key, or of the text, that they are about."""
    try:
        yield
    except ScenarioError as problem:
        if str(problem).startswith(document.file):
            raise
        raise document.error(_about(document, str(problem), otherwise), str(problem)) from None
    except KeelblocksError as problem:
        raise document.error(_about(document, str(problem), otherwise), str(problem)) from None


def given(entry: BaseModel) -> dict[str, Any]:
    """What a part of a file says, without what is left out."""
    return {key: value for key, value in entry.model_dump().items() if value not in (None, {}, [])}


def _about(document: Document, message: str, otherwise: ItemPath) -> ItemPath:
    """The item that a message is about: its name, and a colon, is how the message begins; or the message quotes its
    key or text; or that is the longest that the message has; or has what the message quotes; or else `otherwise`."""
    said = re.split(r"; did you mean |; valid: ", message)[0]
    first = re.split(r"\W", said, maxsplit=1)[0]
    named: ItemPath = (first,) if (first,) in document else ()
    if named and said.startswith(f"{first}:"):
        return named
    quoted = re.search(r"'([^']+)'", said)
    wanted = quoted[1] if quoted is not None else "'"
    scores: list[tuple[int, bool, int, ItemPath]] = []
    for number, (item, value) in enumerate(document.items()):
        near = bool(otherwise) and item[: len(otherwise)] == otherwise
        for word in (item[-1] if len(item) > 1 else None, value):
            if word == wanted:
                scores.append((_EXACT, near, -number, item))
            elif isinstance(word, str) and len(word) > 2 and word in said:
                scores.append((len(word), near, -number, item))
            elif isinstance(word, str) and re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", word):
                scores.append((1, near, -number, item))
    return max(scores)[3] if scores else named or otherwise
