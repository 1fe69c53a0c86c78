"""Where items stand in a YAML text: from its path, such as ("run", "end"), to the characters of key and value."""

from __future__ import annotations

from typing import NamedTuple

import yaml

from blocks.replacement import Span
from blocks.yaml.nodes import Alias
from blocks.yaml.scalars import MERGE

ItemPath = tuple[str | int, ...]
"""The way to an item: keys of mappings and numbers of list items."""


class Spot(NamedTuple):
    """Where an item stands: its value, without what follows it on the line, and its key, if it has one.

    An alias stands where it is itself; what is in it, or comes by a merge, where it was written.
    """

    value: Span
    key: Span | None


def spot(text: str, root: yaml.Node | None, item: ItemPath) -> Spot | None:
    """Where an item stands in the text that `root` was composed of; None if it is not there."""
    node, key = root, None
    for part in item:
        step = _step(node, part)
        if step is None:
            return None
        key, node = step
    return None if node is None else Spot(span_of(text, node), None if key is None else span_of(text, key))


def _step(node: yaml.Node | None, part: str | int) -> tuple[yaml.Node | None, yaml.Node] | None:
    """The key and the value of an item of a collection."""
    node = node.value if isinstance(node, Alias) else node
    if isinstance(node, yaml.SequenceNode):
        return (None, node.value[part]) if isinstance(part, int) and 0 <= part < len(node.value) else None
    if not isinstance(node, yaml.MappingNode) or not isinstance(part, str):
        return None
    merged: list[yaml.Node] = []
    for key, value in node.value:
        if key.tag == MERGE:
            value = value.value if isinstance(value, Alias) else value
            merged += value.value if isinstance(value, yaml.SequenceNode) else [value]
        elif key.value == part or (isinstance(key, Alias) and key.value.value == part):
            return key, value
    return next((step for one in merged if (step := _step(one, part)) is not None), None)


def span_of(text: str, node: yaml.Node) -> Span:
    """The characters of a node, without what follows it on its line."""
    # The parser of libyaml does not count a byte order mark.
    skipped = 1 if text.startswith("\ufeff") else 0
    start, end = int(node.start_mark.index) + skipped, int(_last(node).end_mark.index) + skipped
    if getattr(_last(node), "style", None) in ("|", ">"):  # runs on over empty lines to the next token
        end = start + len(text[start:end].rstrip())
    return Span(start, end)


def _last(node: yaml.Node) -> yaml.Node:
    """The node that ends where a node ends: the parser's end of a block collection runs on to the next token."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        node = node.value[-1][1] if isinstance(node, yaml.MappingNode) else node.value[-1]
    return node
