"""YAML text as a tree of nodes, however it is made: bounded in bytes, depth and nodes before anything is built of it.

The composer of libyaml's binding calls itself for every bracket and ends the process on deep text. Here the tree is
composed from the parser's events, which come one by one, and what aliases repeat is counted without repeating it.
"""

from __future__ import annotations

import re
from typing import Any, NoReturn

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from blocks.errors import ScenarioError
from blocks.yaml.failing import located_at
from blocks.yaml.scalars import MAPPING, SEQUENCE, TEXT, tag_of

MOST_BYTES = 32 * 1024 * 1024
MOST_NODES = 1_000_000
DEEPEST = 128
"""More than any file needs: what is larger would fill the memory, and what is deeper the stack."""

_Parser = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_HANDLES = re.compile(r"^%TAG\b", re.MULTILINE)
"""Short names for tags. None of these tags would be read, and the parser takes the square of their number."""

_NOT_SPECIFIC = (None, "!")


class Alias(yaml.Node):
    """An alias; its value is the node that it stands for."""

    def __init__(self, node: yaml.Node, start_mark: Any, end_mark: Any) -> None:
        self.tag, self.value = node.tag, node
        self.start_mark, self.end_mark = start_mark, end_mark


def compose(text: str, file: str) -> yaml.Node | None:
    """The root of the only document in a text, None if there is none.

    Raises ScenarioError, with file and line, for what is no YAML or beyond the bounds, or contains itself.
    """
    check_size(len(text) if text.isascii() else len(text.encode("utf-8", "replace")), file)
    if found := _HANDLES.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise ScenarioError(f"{file}:{line}: the directive %TAG is not allowed: these files are plain data")
    try:
        return _Composer(_Parser(text), file).document()
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        if "maximum nesting" in (problem.problem or ""):  # libyaml, from 0.2.6 on, which reads ahead of its events
            raise located_at(file, mark, _TOO_DEEP, code="not-yaml") from None
        said = ", ".join(part for part in (problem.context, problem.problem) if part)
        hint = "; within { } text with one of [ ] { } , needs quotes" if "expected ',' or '}'" in said else ""
        raise located_at(file, mark, f"not valid YAML: {said}{hint}", code="not-yaml") from None
    except (yaml.YAMLError, ValueError) as problem:
        raise ScenarioError(f"{file} is not valid YAML: {str(problem).splitlines()[0]}") from None


def check_size(size: int, file: str) -> None:
    """Raise ScenarioError if a file has too many bytes."""
    if size > MOST_BYTES:
        raise ScenarioError(
            f"{file} is larger than {MOST_BYTES // 1024**2} MB: let blocks with large tables take them from a file, by "
            f"from_file in Python or 'file' in a scenario"
        )


class _Composer:
    def __init__(self, parser: Any, file: str) -> None:
        self.parser, self.file = parser, file
        self.anchors: dict[str, tuple[yaml.Node, int, int]] = {}
        """The nodes that have names: how many nodes each holds with itself, and how deep they go."""

    def document(self) -> yaml.Node | None:
        """The root. Anything but scalars and aliases opens a frame, which its end closes."""
        event = self.parser.get_event
        frames: list[tuple[yaml.Node, str | None, list[Any], int, int]] = []
        items: list[Any] = []  # of the collection that is open: of a mapping, keys and values in turn
        node: Any
        count, deepest = 0, 0  # nodes so far; how deep those of the open collection go
        documents = 0
        while True:
            now = event()
            kind = type(now)
            if kind is ScalarEvent:
                count += 1
                tag = now.tag
                if tag in _NOT_SPECIFIC:
                    tag = tag_of(now.value) if now.implicit[0] else TEXT
                node = yaml.ScalarNode(tag, now.value, now.start_mark, now.end_mark, style=now.style)
                items.append(node)
                deepest = deepest or 1
                if now.anchor is not None:
                    self.name(now, node, 1, 1)
            elif kind is SequenceStartEvent or kind is MappingStartEvent:
                count += 1
                if len(frames) >= DEEPEST:
                    self.fail(now, _TOO_DEEP)
                of = yaml.SequenceNode if kind is SequenceStartEvent else yaml.MappingNode
                tag = (SEQUENCE if kind is SequenceStartEvent else MAPPING) if now.tag in _NOT_SPECIFIC else now.tag
                node = of(tag, [], now.start_mark, None, flow_style=now.flow_style)
                items.append(node)
                if now.anchor is not None:
                    self.name(now, node, 0, 0)
                frames.append((node, now.anchor, items, deepest, count))
                items, deepest = node.value, 0
            elif kind is SequenceEndEvent or kind is MappingEndEvent:
                node, anchor, outer, depth, before = frames.pop()
                if kind is MappingEndEvent:
                    node.value = list(zip(items[::2], items[1::2], strict=True))
                node.end_mark = now.end_mark
                if anchor is not None:
                    self.anchors[anchor] = (node, count - before + 1, deepest + 1)
                items, deepest = outer, max(depth, deepest + 1)
            elif kind is AliasEvent:
                node, more, depth = self.named(now)
                if len(frames) + depth > DEEPEST:
                    self.fail(now, _TOO_DEEP)
                count += more
                deepest = max(deepest, depth)
                items.append(Alias(node, now.start_mark, now.end_mark))
            elif kind is DocumentStartEvent:
                documents += 1
                if documents > 1:
                    self.fail(now, "not valid YAML: expected a single document in the stream, but found another one")
            elif kind is StreamEndEvent:
                return items[0] if items else None
            if count > MOST_NODES:
                self.fail(now, f"more than {MOST_NODES} items, counting what aliases repeat")

    def name(self, event: Any, node: yaml.Node, count: int, depth: int) -> None:
        """Note an anchor; `count` 0 as long as its node is open."""
        if event.anchor in self.anchors:
            line = self.anchors[event.anchor][0].start_mark.line + 1
            self.fail(event, f"the anchor '{event.anchor}' stands here twice; the first is on line {line}")
        self.anchors[event.anchor] = (node, count, depth)

    def named(self, event: Any) -> tuple[yaml.Node, int, int]:
        """The node that an alias stands for."""
        if event.anchor not in self.anchors:
            self.fail(event, f"not valid YAML: found undefined alias '{event.anchor}'")
        found = self.anchors[event.anchor]
        if found[1] == 0:
            self.fail(event, f"an alias to something that contains it, '{event.anchor}'")
        return found

    def fail(self, event: Any, message: str) -> NoReturn:
        raise located_at(self.file, event.start_mark, message, code="not-yaml", end=event.end_mark)


_TOO_DEEP = f"nested more than {DEEPEST} deep, counting what aliases repeat"
