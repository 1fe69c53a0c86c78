"""The lines of an entry of a block mapping, to be put elsewhere."""

from __future__ import annotations

from typing import Any

import yaml

from blocks.errors import ScenarioError
from blocks.yaml.layout_of_text import Text
from blocks.yaml.nodes import Alias, compose
from blocks.yaml.places import ItemPath
from blocks.yaml.plain import same
from blocks.yaml.reading import Document, plain_data


def excerpt(document: Document, item: ItemPath, data: Any) -> list[str] | None:
    """The lines of an entry with the comments above it, from the column of its key on; None if they cannot stand
    elsewhere, or do not say `data`."""
    around: Any = document.root
    key: Any = None
    value: Any = document.root
    for part in item:
        around = value
        pairs = around.value if isinstance(around, yaml.MappingNode) else ()
        found = next((pair for pair in pairs if pair[0].value == part and not isinstance(pair[0], Alias)), None)
        if found is None:
            return None
        key, value = found
    text = Text(document.text)
    start = text.span(key).start
    if around.flow_style or not text.begins_line(start):
        return None
    region = text.region(key, value)
    column = text.column(start)
    lines = document.text[region.start : region.end].splitlines()
    if any(line[:column].strip(" ") and not line.lstrip().startswith("#") for line in lines):
        return None
    shifted = [line[column:] if not line[:column].strip(" ") else line.lstrip() for line in lines]
    if "&" in "".join(shifted) or "*" in "".join(shifted):
        return None
    try:
        node = compose("\n".join(shifted) + "\n", document.file)
        same_again = node is not None and same(plain_data(node, document.file), {item[-1]: data})
    except ScenarioError:
        return None
    return shifted if same_again else None
