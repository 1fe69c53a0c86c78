"""Files of the lab: YAML whose first key says what it is, and messages that name the line."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from blocks.errors import KeelblocksError, ScenarioError, did_you_mean
from blocks.scenario import yaml_text
from blocks.scenario.yaml_text import Document, Place

KINDS: Mapping[str, tuple[str, str]] = {
    "keelblocks": ("a scenario", "keelblocks run"),
    "keelblocks_study": ("a study", "keelblocks study run"),
    "keelblocks_comparison": ("a comparison", "keelblocks lab compare"),
    "keelblocks_tuning": ("a tuning", "keelblocks lab tune"),
    "keelblocks_identification": ("an identification", "keelblocks lab identify"),
}
"""The first key of each kind of file: what it is, and which command takes it."""

FORMAT = 1

_EXACT = 1_000_000
"""Better than any length."""


def read_task(path: str | PathLike[str], key: str) -> Document:
    """The YAML of a file that begins with `key: 1`. Raises ScenarioError, with file and line, if it does not."""
    file, (what, _) = Path(path), KINDS[key]
    try:
        content = file.read_bytes()
    except IsADirectoryError:
        raise ScenarioError(f"{file} is a folder; name a file in it") from None
    except FileNotFoundError:
        beside = [other.name for other in file.parent.glob("*.y*ml")] if file.parent.is_dir() else []
        raise ScenarioError(f"there is no file {file}{did_you_mean(file.name, beside) if beside else ''}") from None
    except OSError as problem:
        raise ScenarioError(f"cannot read {file}: {problem.strerror or problem}") from None
    if not content.strip():
        raise ScenarioError(f"{file} is empty; {what} begins with '{key}: {FORMAT}'")
    document = yaml_text.read(yaml_text.decode(content, str(file)), str(file))
    data = document.data
    if not isinstance(data, dict) or key not in data:
        others = [KINDS[other] for other in KINDS if isinstance(data, dict) and other in data]
        hint = f"; this is {others[0][0]}, which `{others[0][1]}` takes" if others else ""
        raise document.error((), f"{what} is a mapping that begins with '{key}: {FORMAT}'{hint}")
    if data[key] != FORMAT or isinstance(data[key], bool):
        raise document.error((key,), f"the format is {data[key]!r}, but this version reads format {FORMAT} only")
    return document


@contextlib.contextmanager
def naming_lines(document: Document, otherwise: Place = ()) -> Iterator[None]:
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


def _about(document: Document, message: str, otherwise: Place) -> Place:
    """The place that a message is about: its name, and a colon, is how the message begins; or the message quotes its
    key or text; or that is the longest that the message has; or has what the message quotes; or else `otherwise`."""
    said = re.split(r"; did you mean |; valid: ", message)[0]
    first = re.split(r"\W", said, maxsplit=1)[0]
    named: Place = (first,) if (first,) in document.lines else ()
    if named and said.startswith(f"{first}:"):
        return named
    quoted = re.search(r"'([^']+)'", said)
    wanted = quoted[1] if quoted is not None else "'"
    scores: list[tuple[int, bool, int, Place]] = []
    for number, place in enumerate(filter(None, document.lines)):
        near = bool(otherwise) and place[: len(otherwise)] == otherwise
        for word in (place[-1] if len(place) > 1 else None, _value(document.data, place)):
            if word == wanted:
                scores.append((_EXACT, near, -number, place))
            elif isinstance(word, str) and len(word) > 2 and word in said:
                scores.append((len(word), near, -number, place))
            elif isinstance(word, str) and re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", word):
                scores.append((1, near, -number, place))
    return max(scores)[3] if scores else named or otherwise


def _value(data: Any, place: Place) -> Any:
    for part in place:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return None
    return data
