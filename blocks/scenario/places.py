"""Where blocks and wires of a diagram stand in its file."""

from __future__ import annotations

from typing import Any

from blocks.yaml.places import ItemPath
from blocks.yaml.reading import Document


def item_of(document: Document, block: str, port: str = "") -> ItemPath:
    """The place of a block by its dotted name; with a port, of the wire that ends there, or the block if there is none.

    The place of what is not in the file is that of the nearest around it.
    """
    names = block.split(".") if block else []
    item: ItemPath = ("diagram",)
    for number, name in enumerate(names):
        if number:
            item = (*item, "diagram")
        around, item = item, (*item, "blocks", name)
    if port and names:
        return _wire(document, around, f"{names[-1]}.{port}") or item
    return item if names else ("diagram",)


def _wire(document: Document, diagram: ItemPath, sink: str) -> ItemPath | None:
    """The entry of a diagram that names a sink."""
    entry: Any = document.data
    for part in diagram:
        entry = entry.get(part) if isinstance(entry, dict) else None
    for section in ("connections", "inputs"):
        found = entry.get(section) if isinstance(entry, dict) else None
        for source, sinks in found.items() if isinstance(found, dict) else ():
            if sinks == sink:
                return (*diagram, section, source)
            if isinstance(sinks, list) and sink in sinks:
                return (*diagram, section, source, sinks.index(sink))
    return None
