"""YAML text as plain data that knows its line numbers.

Tags that stand for anything but plain data are refused, as are duplicate keys, and see `blocks.yaml.nodes` for bounds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

import yaml

from blocks.errors import ScenarioError, did_you_mean
from blocks.files import is_folder
from blocks.yaml.nodes import MOST_BYTES, check_size, compose
from blocks.yaml.scalars import CORE, MAPPING, MERGE, PREFIX, SEQUENCE, TEXT, value_of

Place = tuple[str | int, ...]
"""The way to an item: keys of mappings and numbers of list items."""

_PLAIN_TAGS = {*CORE, TEXT, SEQUENCE, MAPPING}


@dataclass
class Document:
    """What a YAML text says, and on which line it says it."""

    file: str
    text: str
    data: Any = None
    lines: dict[Place, int] = field(default_factory=dict)

    def line(self, place: Place) -> int:
        """The line of an item, or of the nearest item around it that stands in the text."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)

    def where(self, place: Place) -> str:
        """The start of a message about an item: "file.yaml:12"."""
        return f"{self.file}:{self.line(place)}"

    def error(self, place: Place, message: str) -> ScenarioError:
        """An error that begins with file and line."""
        return ScenarioError(f"{self.where(place)}: {message}")


def read_text(path: str | PathLike[str], what: str) -> str:
    """The text of a file; `what` it is, such as "a scenario". Raises ScenarioError if it cannot be had."""
    file, noun = Path(path), what.partition(" ")[2]
    try:
        with file.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
    except IsADirectoryError:
        raise ScenarioError(f"{file} is a folder; name a {noun} file in it") from None
    except FileNotFoundError:
        beside = [other.name for other in file.parent.glob("*.y*ml")] if is_folder(file.parent) else []
        near = did_you_mean(file.name, beside) if beside else ""
        raise ScenarioError(f"there is no {noun} {file}{near}") from None
    except (OSError, ValueError) as problem:
        raise ScenarioError(f"cannot read {file}: {getattr(problem, 'strerror', None) or problem}") from None
    check_size(len(content), str(file))
    return decode(content, str(file), what)


def decode(content: bytes, file: str, what: str = "a scenario") -> str:
    """The text of a file. Raises ScenarioError if it is binary, empty or in another encoding."""
    if content.startswith(b"PK\x03\x04"):
        raise ScenarioError(
            f"{file} is a zip file, not {what}: an FMU is a block in a scenario, type: fmu.FmuBlock (keelblocks show "
            f"prints it); an SSP is opened in Python, with fmu.read_ssp"
        )
    if b"\0" in content:
        raise ScenarioError(f"{file} is not a text file: it holds binary data")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise ScenarioError(
            f"{file}:{line}: not UTF-8: {problem.reason} at byte {problem.start}; save the file as UTF-8"
        ) from None


def read(text: str, file: str, begins: str = "a scenario begins with 'keelblocks: 1'") -> Document:
    """Read YAML text; `begins` is told where there is none.

    Raises ScenarioError, with file and line, for anything that is not plain data or beyond the bounds.
    """
    document = Document(file, text)
    node = compose(text, file)
    if node is None:
        raise ScenarioError(f"{file} is empty; {begins}")
    document.data = _Reader(document).value(node, ())
    return document


class _Reader:
    """Turns YAML nodes into plain data and notes their lines."""

    def __init__(self, document: Document) -> None:
        self.document, self.lines = document, document.lines

    def fail(self, node: yaml.Node, message: str) -> ScenarioError:
        return ScenarioError(f"{self.document.file}:{node.start_mark.line + 1}: {message}")

    def value(self, node: yaml.Node, place: Place) -> Any:
        self.lines.setdefault(place, node.start_mark.line + 1)
        if node.tag not in _PLAIN_TAGS:
            name = _short(node.tag.replace(PREFIX, "!!"))
            raise self.fail(node, f"the tag {name} is not allowed: these files are plain data")
        if isinstance(node, yaml.ScalarNode):
            return self.scalar(node)
        if node.tag != (SEQUENCE if isinstance(node, yaml.SequenceNode) else MAPPING):
            kind = node.tag.rpartition(":")[2]
            raise self.fail(node, f"a list or mapping is not of the kind that its tag says ({kind})")
        if isinstance(node, yaml.MappingNode):
            return self.mapping(node, place)
        return [self.value(item, (*place, i)) for i, item in enumerate(node.value)]

    def scalar(self, node: yaml.ScalarNode) -> Any:
        try:
            return value_of(node.tag, node.value)
        except (ValueError, KeyError):
            kind = node.tag.rpartition(":")[2]
            raise self.fail(node, f"{_short(node.value)} is not of the kind that its tag says ({kind})") from None

    def mapping(self, node: yaml.MappingNode, place: Place) -> dict[str, Any]:
        found: dict[str, Any] = {}
        first: dict[str, int] = {}
        merged: list[yaml.Node] = []
        for key, item in node.value:
            if key.tag == MERGE:
                merged += item.value if isinstance(item, yaml.SequenceNode) else [item]
                continue
            name = self.scalar(key) if isinstance(key, yaml.ScalarNode) and key.tag in _PLAIN_TAGS else key
            if not isinstance(name, str):
                shown = repr(name) if isinstance(key, yaml.ScalarNode) else "a list or mapping"
                raise self.fail(key, f"a key must be text, not {shown}")
            line = key.start_mark.line + 1
            if name in first:
                raise self.fail(key, f"the key {_short(name)} stands here twice; the first is on line {first[name]}")
            first[name] = line
            here: Place = (*place, name)
            self.lines[here] = line
            found[name] = self.value(item, here)
        for item in merged:
            if not isinstance(item, yaml.MappingNode):
                raise self.fail(item, "'<<' takes a mapping, or a list of mappings")
            theirs = _Reader(Document(self.document.file, ""))
            for name, value in theirs.value(item, place).items():
                found.setdefault(name, value)
            for at, line in theirs.lines.items():
                self.lines.setdefault(at, line)
        return found


def _short(text: str) -> str:
    return f"'{text}'" if len(text) <= 60 else f"'{text[:40]}…' ({len(text)} characters)"
