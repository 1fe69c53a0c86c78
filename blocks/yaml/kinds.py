"""Kinds of files in YAML: the first key says which."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path

from blocks.yaml.reading import Document, read, read_text

KINDS: Mapping[str, tuple[str, str]] = {
    "keelblocks": ("a scenario", "keelblocks run"),
    "keelblocks_study": ("a study", "keelblocks study run"),
    "keelblocks_comparison": ("a comparison", "keelblocks lab compare"),
    "keelblocks_tuning": ("a tuning", "keelblocks lab tune"),
    "keelblocks_identification": ("an identification", "keelblocks lab identify"),
}
"""The first key of each kind of file: what it is, and which command takes it."""

FORMAT = 1


def kind_of(path: str | PathLike[str], otherwise: str = "keelblocks") -> str:
    """The key of `KINDS` that a file has, whatever else is wrong with it; `otherwise` if it has none."""
    data = read(read_text(path, KINDS[otherwise][0]), str(path)).data
    return next((kind for kind in KINDS if isinstance(data, dict) and kind in data), otherwise)


def read_kind(path: str | PathLike[str], key: str, *also: str) -> Document:
    """The YAML of a file that begins with `key: 1`, or with one of its alternative keys.

    Raises ScenarioError, with file and line, if it does not.
    """
    what, _ = KINDS[key]
    text = read_text(path, what)
    document = read(text, str(Path(path)), f"{what} begins with '{key}: {FORMAT}'")
    check_kind(document, key, *also)
    return document


def check_kind(document: Document, key: str, *also: str) -> None:
    """Raise ScenarioError, with file and line, if a document does not begin as `read_kind` says."""
    what, data = KINDS[key][0], document.data
    found = next((one for one in (key, *also) if isinstance(data, dict) and one in data), None)
    if found is None:
        others = [KINDS[other] for other in KINDS if isinstance(data, dict) and other in data]
        hint = f"; this is {others[0][0]}, which `{others[0][1]}` takes" if others else ""
        begins = f"begins with '{key}: {FORMAT}'{hint}"
        if isinstance(data, dict) and not others:
            raise document.error((), f"the key '{key}' is missing; {what} {begins}", code="unknown-format")
        raise document.error((), f"{what} is a mapping that {begins}", code="unknown-format")
    if data[found] != FORMAT or isinstance(data[found], bool):
        raise document.error(
            (found,),
            f"the format is {data[found]!r}, but this version of Keelblocks reads format {FORMAT} only",
            code="unknown-format",
        )
