"""Gather components of a draft into a diagram of their own, and put what a diagram holds in its place."""

from __future__ import annotations

from typing import Any

from blocks.diagram import Diagram
from blocks.errors import ScenarioError
from blocks.scenario.differences import wires_in_line
from blocks.scenario.edits.draft import Draft, Level
from blocks.scenario.edits.references import moved
from blocks.scenario.writing import wires_data
from blocks.yaml.excerpt import excerpt
from blocks.yaml.rendering import Moved


def nest(draft: Draft, root: Diagram, members: list[str], name: str, title: str) -> None:
    """Move components of one diagram into a new one there."""
    if not members:
        raise ScenarioError(f"nest '{name}': name at least one component")
    level = draft.component(members[0])[0]
    inner = []
    for member in members:
        there, own, _ = draft.component(member)
        if there.path != level.path:
            raise ScenarioError(f"nest '{name}': {members[0]} and {member} are in different diagrams")
        inner.append(own)
    before = level.diagram(root)
    after = before.copy()
    group = after.nest(name, *inner, title=title)
    within = {one: _kept(draft, level, one) for one in level.blocks if one in inner}
    wires = {key: section for key, section in wires_data(group).items() if section}
    entry = ({"title": title} if title else {}) | {"blocks": within} | wires
    first = next(iter(within))
    blocks: dict[str, Any] = {}
    for one, data in level.blocks.items():
        if one == first:
            blocks[name] = {"diagram": entry}
        elif one not in inner:
            blocks[one] = data
    names = {level.dotted(one): f"{level.dotted(name)}.{one}" for one in inner}
    _become(draft, level, blocks, before, after, names)


def unnest(draft: Draft, root: Diagram, path: str) -> None:
    """Put what a diagram holds in its place; wires by its inputs and outputs lead straight on."""
    level, name, entry = draft.component(path)
    if "diagram" not in entry:
        raise ScenarioError(f"{path} is a block, which holds nothing; name a diagram")
    inside = draft.level(path)
    before = level.diagram(root)
    after = before.copy()
    ports = {
        f"{path}.{port}": level.dotted(source) for port, source in wires_data(inside.diagram(root))["outputs"].items()
    }
    after.unnest(name)
    blocks: dict[str, Any] = {}
    for one, data in level.blocks.items():
        if one == name:
            blocks |= {inner: _kept(draft, inside, inner) for inner in inside.blocks}
        else:
            blocks[one] = data
    draft.references(lambda kind, reference: ports.get(reference, reference) if kind == "signal" else reference)
    names = {f"{path}.{inner}": level.dotted(inner) for inner in inside.blocks}
    _become(draft, level, blocks, before, after, names)


def _become(
    draft: Draft, level: Level, blocks: dict[str, Any], before: Diagram, after: Diagram, names: dict[str, str]
) -> None:
    """Let a level hold other blocks, and be wired as another diagram: as it is written, as far as that is still so."""
    others = [one for one, entry in blocks.items() if entry is not level.blocks.get(one, entry)]
    draft.replaced |= {(*level.item, "blocks", one) for one in others}
    level.blocks.clear()
    level.blocks.update(blocks)
    sections = wires_in_line(level.data, before, after, draft.renamed, level.item)
    for section in ("inputs", "connections", "outputs", "layout"):
        level.put(section, sections.get(section, {}))
    draft.references(moved(dict(names)))
    draft.moved |= names


def _kept(draft: Draft, level: Level, name: str) -> dict[str, Any]:
    """An entry with the text that it has, where that can stand elsewhere."""
    data: dict[str, Any] = level.blocks[name]
    lines = excerpt(draft.document, (*level.item, "blocks", name), data)
    return data if lines is None else Moved(data, lines)
