"""YAML text as plain data that knows its line numbers.

Tags that stand for anything but plain data are refused, as are duplicate keys, and see `blocks.yaml.nodes` for bounds.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from typing import Any

import yaml

from blocks.errors import KeelblocksError, ScenarioError
from blocks.files.writing import path_of
from blocks.problems import Problem
from blocks.yaml.failing import located_at
from blocks.yaml.likely import likely
from blocks.yaml.locating import located
from blocks.yaml.nodes import MOST_BYTES, Alias, check_size, compose
from blocks.yaml.places import ItemPath, Spot, spot
from blocks.yaml.scalars import CORE, MAPPING, MERGE, PREFIX, SEQUENCE, TEXT, value_of

Lines = int | tuple[int, "dict[str, Lines] | list[Lines]"]
"""The line of an item; of a mapping or list with what it holds: each item is kept once, however deep it stands."""

_PLAIN_TAGS = {*CORE, TEXT, SEQUENCE, MAPPING}


@dataclass
class Document:
    """What a YAML text says, and where it says it."""

    file: str
    text: str
    data: Any = None
    lines: Lines = 1
    within: ItemPath = ()
    """The place of this part in the text, if it is a part."""
    read_as: dict[ItemPath, ItemPath] = field(default_factory=dict)
    """Items that were read as if they stood elsewhere, under a key that is not misspelt, and where they stand."""

    def line(self, item: ItemPath) -> int:
        """The line of an item, or of the nearest item around it that stands in the text."""
        found, _ = self._nearest(item)
        return found if isinstance(found, int) else found[0]

    def spot(self, item: ItemPath) -> Spot | None:
        """The characters of the text in which an item stands, and its key; None if it does not stand in the text."""
        return spot(self.text, self.root, (*self.within, *self.written(item)))

    def written(self, item: ItemPath) -> ItemPath:
        """Where an item stands that was read as if it stood elsewhere; any other itself."""
        for length in range(1, len(item) + 1) if self.read_as else ():
            item = (*self.read_as.get(item[:length], item[:length]), *item[length:])
        return item

    @cached_property
    def root(self) -> yaml.Node | None:
        """The tree of nodes of the whole text."""
        # Composed again where it is asked for: a tree of nodes takes ten times the memory of the data.
        return compose(self.text, self.file)

    def __contains__(self, item: ItemPath) -> bool:
        """Whether an item stands in the text."""
        return self._nearest(item)[1]

    def items(self) -> Iterator[tuple[ItemPath, Any]]:
        """All items with their places, those around others first, in the order of the text."""
        return _items((), self.lines, self.data)

    def part(self, item: ItemPath, data: Any) -> Document:
        """What an item holds, `data`, as a document of its own, which knows its lines."""
        return Document(self.file, self.text, data, self._nearest(item)[0], (*self.within, *item))

    def _nearest(self, item: ItemPath) -> tuple[Lines, bool]:
        """The lines of an item, or of the nearest around it, and whether they are its own."""
        found = self.lines
        for part in self.written(item):
            below = _below(found, part)
            if below is None:
                return found, False
            found = below
        return found, True

    def where(self, item: ItemPath) -> str:
        """The start of a message about an item: "file.yaml:12"."""
        return f"{self.file}:{self.line(item)}"

    def error(self, item: ItemPath, message: str, *, key: bool = False, **facts: Any) -> ScenarioError:
        """An error that begins with file and line; facts: what errors take by name, its code among them.

        key: the key of the item is at fault, not its value.
        """
        return self.located(ScenarioError(message, **facts), item, key=key)

    def located(self, fault: KeelblocksError, item: ItemPath, prefix: str = "", *, key: bool = False) -> ScenarioError:
        """A fault as an error that begins with file and line."""
        found = tuple(self.problem(one, item, prefix, key=key) for one in fault.problems)
        return ScenarioError("\n".join(map(str, found)), problems=found)

    def problem(self, found: Problem, item: ItemPath, prefix: str = "", *, key: bool = False) -> Problem:
        """A problem with its place in the text: that of an item, or of the nearest around it.

        key: the key of the item is at fault, not its value. What has a place in another file says that in its message.
        """
        if found.within is not None:  # of a formula
            item = (*item, *_steps(found.part))
            key = key or found.code in _OF_NAMES
        message = f"{prefix}{found.message}" if found.line is None else f"{prefix}{found.place}: {found.message}"
        path = (*self.within, *self.written(item))
        whole = replace(found, message=message, path=path, file=self.file, line=self.line(item) if self.text else None)
        spot, at = self.spot(item), item
        while spot is None and at:
            at, key = at[:-1], True
            spot = self.spot(at)
        if spot is None:
            return whole
        value = None if found.within is None else self._value(at)
        return located(whole, self.text, spot, key, exact=at == item, value=value)

    def _value(self, item: ItemPath) -> Any:
        """What an item says."""
        found = self.data
        for part in self.written(item):
            found = found[part]
        return found

    @contextlib.contextmanager
    def at(self, item: ItemPath, prefix: str = "", *, key: bool = False) -> Iterator[None]:
        """Give errors the line of an item."""
        try:
            yield
        except KeelblocksError as problem:
            raise self.located(problem, item, prefix, key=key) from None

    @contextlib.contextmanager
    def noting(
        self, faults: list[ScenarioError], item: ItemPath, prefix: str = "", *, key: bool = False
    ) -> Iterator[None]:
        """Add errors, with the line of an item, to a list, and go on."""
        try:
            yield
        except KeelblocksError as problem:
            faults.append(self.located(problem, item, prefix, key=key))


def read_text(path: str | PathLike[str], what: str) -> str:
    """The text of a file; `what` it is, such as "a scenario". Raises ScenarioError if it cannot be had."""
    file, noun = path_of(path, what, ScenarioError), what.partition(" ")[2]
    try:
        with file.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
    except IsADirectoryError:
        raise ScenarioError(f"{file} is a folder; name a {noun} file in it") from None
    except FileNotFoundError:
        raise ScenarioError(f"there is no {noun} {file}{likely(file, noun)}") from None
    except (OSError, ValueError) as problem:
        raise ScenarioError(f"cannot read {file}: {getattr(problem, 'strerror', None) or problem}") from None
    check_size(len(content), str(file))
    return decode(content, str(file), what)


def decode(content: bytes, file: str, what: str = "a scenario") -> str:
    """The text of a file, with a byte order mark if it has one. Raises ScenarioError if it is binary or not UTF-8."""
    if content.startswith(b"PK\x03\x04"):
        raise ScenarioError(
            f"{file} is a zip file, not {what}: an FMU is a block in a scenario, type: fmu.FmuBlock (keelblocks show "
            f"prints it); an SSP is opened in Python, with fmu.read_ssp"
        )
    if b"\0" in content:
        raise ScenarioError(f"{file} is not a text file: it holds binary data")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as problem:
        begins = content.rfind(b"\n", 0, problem.start) + 1
        found = Problem(
            "error",
            "not-utf-8",
            f"not UTF-8: {problem.reason} at byte {problem.start}; save the file as UTF-8",
            file=file,
            line=content.count(b"\n", 0, problem.start) + 1,
            column=len(content[begins : problem.start].decode("utf-8", "replace")) + 1,
        )
        raise ScenarioError(str(found), problems=(found,)) from None


def read(
    text: str, file: str, begins: str = "a scenario begins with 'keelblocks: 1'", *, keep_tree: bool = False
) -> Document:
    """Read YAML text; `begins` is told where there is none. keep_tree: the places of items will be asked for.

    Raises ScenarioError, with file and line, for anything that is not plain data or beyond the bounds.
    """
    node = compose(text, file)
    if node is None:
        raise ScenarioError(f"{file} is empty; {begins}")
    document = Document(file, text, *_Reader(file).value(node))
    if keep_tree:
        document.root = node
    return document


def plain_data(node: yaml.Node, file: str) -> Any:
    """What a node of a text says."""
    return _Reader(file).value(node)[0]


_OF_NAMES = ("bad-name", "unused-name")
"""Problems of formulas that are those of a key."""


def _steps(part: str) -> ItemPath:
    """The place within a block of what a formula calls "outputs.force[0]"."""
    if not part:
        return ()
    names, *numbers = part.replace("]", "").split("[")
    return (*names.split(".", 1), *map(int, numbers))


def _below(lines: Lines, part: str | int) -> Lines | None:
    """The lines of an item of a mapping or list, None if it has no such item."""
    inner = None if isinstance(lines, int) else lines[1]
    if isinstance(inner, dict):
        return inner.get(part) if isinstance(part, str) else None
    return inner[part] if inner and isinstance(part, int) and 0 <= part < len(inner) else None


def _items(item: ItemPath, lines: Lines, data: Any) -> Iterator[tuple[ItemPath, Any]]:
    yield item, data
    if not isinstance(lines, int):
        inner = lines[1]
        for part, below in inner.items() if isinstance(inner, dict) else enumerate(inner):
            yield from _items((*item, part), below, data[part])


class _Reader:
    """Turns YAML nodes into plain data and their lines."""

    def __init__(self, file: str) -> None:
        self.file = file

    def fail(self, node: yaml.Node, message: str, code: str = "not-plain-data") -> ScenarioError:
        return located_at(self.file, node.start_mark, message, code, node.end_mark)

    def value(self, node: yaml.Node, line: int = 0) -> tuple[Any, Lines]:
        """The value of a node and its lines; `line` is where its key stands, if it has one."""
        node = _meant(node)
        line = line or node.start_mark.line + 1
        if node.tag not in _PLAIN_TAGS:
            name = _short(node.tag.replace(PREFIX, "!!"))
            raise self.fail(node, f"the tag {name} is not allowed: these files are plain data")
        if isinstance(node, yaml.ScalarNode):
            return self.scalar(node), line
        if node.tag != (SEQUENCE if isinstance(node, yaml.SequenceNode) else MAPPING):
            kind = node.tag.rpartition(":")[2]
            raise self.fail(node, f"a list or mapping is not of the kind that its tag says ({kind})")
        if isinstance(node, yaml.MappingNode):
            found, lines = self.mapping(node)
            return found, (line, lines)
        items = [self.value(item) for item in node.value]
        return [item for item, _ in items], (line, [below for _, below in items])

    def scalar(self, node: yaml.ScalarNode) -> Any:
        try:
            return value_of(node.tag, node.value)
        except (ValueError, KeyError):
            kind = node.tag.rpartition(":")[2]
            raise self.fail(node, f"{_short(node.value)} is not of the kind that its tag says ({kind})") from None

    def mapping(self, node: yaml.MappingNode) -> tuple[dict[str, Any], dict[str, Lines]]:
        found: dict[str, Any] = {}
        lines: dict[str, Lines] = {}
        first: dict[str, int] = {}
        merged: list[yaml.Node] = []
        for key, item in node.value:
            if key.tag == MERGE:
                item = _meant(item)
                merged += item.value if isinstance(item, yaml.SequenceNode) else [item]
                continue
            key = _meant(key)
            name = self.scalar(key) if isinstance(key, yaml.ScalarNode) and key.tag in _PLAIN_TAGS else key
            if not isinstance(name, str):
                shown = repr(name) if isinstance(key, yaml.ScalarNode) else "a list or mapping"
                raise self.fail(key, f"a key must be text, not {shown}")
            line = key.start_mark.line + 1
            if name in first:
                raise self.fail(
                    key,
                    f"the key {_short(name)} stands here twice; the first is on line {first[name]}",
                    code="duplicate-key",
                )
            first[name] = line
            found[name], lines[name] = self.value(item, line)
        for item in map(_meant, merged):
            if not isinstance(item, yaml.MappingNode):
                raise self.fail(item, "'<<' takes a mapping, or a list of mappings")
            theirs, there = self.value(item)
            assert not isinstance(there, int)
            assert isinstance(there[1], dict)
            for name in [name for name in theirs if name not in found]:
                found[name], lines[name] = theirs[name], there[1][name]
        return found, lines


def _meant(node: yaml.Node) -> yaml.Node:
    """The node that an alias stands for; any other itself."""
    return node.value if isinstance(node, Alias) else node


def _short(text: str) -> str:
    return f"'{text}'" if len(text) <= 60 else f"'{text[:40]}…' ({len(text)} characters)"
