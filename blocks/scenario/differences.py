"""What a text has to say where its scenario was changed in Python: as it says it, as far as that is still so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import KeelblocksError
from blocks.model.item_words import in_words
from blocks.scenario.writing import wires_data
from blocks.yaml.places import ItemPath
from blocks.yaml.plain import same

SECTIONS = (
    "keelblocks", "name", "title", "description", "libraries", "diagram", "run", "report", "live", "environment",
)  # fmt: skip
"""The keys of a file, in the order in which they are written."""

ORDER = ("title", "doc", "blocks", "inputs", "connections", "outputs", "layout")
"""The keys of a diagram, in the order in which they are written."""


def in_line(raw: dict[str, Any], before: dict[str, Any], now: dict[str, Any]) -> None:
    """Change data as what stands for them has changed from `before` to `now`: only where these differ.

    What is new stands behind what it stands behind in `now`.
    """
    names = list(raw)
    for name, value in now.items():
        if name in before and same(before[name], value):
            continue
        inner = raw.get(name)
        if isinstance(inner, dict) and isinstance(value, dict) and isinstance(before.get(name), dict):
            in_line(inner, before[name], value)
        else:
            raw[name] = value
    for name in [name for name in before if name not in now]:
        raw.pop(name, None)
    behind = ""
    for name in now:
        if name not in names:
            names.insert(names.index(behind) + 1 if behind else 0, name)
        behind = name
    whole = dict(raw)
    raw.clear()
    raw.update({name: whole[name] for name in names if name in whole})


class Side:
    """A diagram, and what is written of it."""

    def __init__(self, diagram: Diagram, data: dict[str, Any]) -> None:
        self.diagram, self.data = diagram, data

    def words(self) -> dict[str, Any]:
        """Title and documentation."""
        return {name: self.data[name] for name in ("title", "doc") if name in self.data}

    def within(self, name: str) -> Side:
        """A diagram in this one."""
        inner = self.diagram.components[name]
        assert isinstance(inner, Diagram)
        return Side(inner, self.data["blocks"][name]["diagram"])


def diagram_in_line(
    raw: dict[str, Any], before: Side, now: Side, renamed: dict[ItemPath, str], item: ItemPath
) -> dict[str, Any]:
    """The data of a diagram, `raw`, whose text gave `before`, so that they give `now`.

    renamed: gets the keys that are called otherwise, by their place; `item` is that of the diagram.
    """
    blocks: dict[str, Any] = {}
    for name, component in now.diagram.components.items():
        old, said = before.diagram.components.get(name), raw.get("blocks", {}).get(name)
        if isinstance(component, Diagram):
            if isinstance(old, Diagram):
                here = (*item, "blocks", name, "diagram")
                inner = diagram_in_line(said["diagram"], before.within(name), now.within(name), renamed, here)
                blocks[name] = said | {"diagram": inner}
            else:
                blocks[name] = now.data["blocks"][name]
        elif isinstance(component, Block):
            blocks[name] = now.data["blocks"][name]
            if isinstance(old, Block) and old.type_name() == component.type_name():
                blocks[name] = _block_in_line(said, old, before.data["blocks"][name], blocks[name])
    said = {name: value for name, value in raw.items() if name in ("title", "doc")}
    in_line(said, before.words(), now.words())
    return ordered(said | {"blocks": blocks} | wires_in_line(raw, before.diagram, now.diagram, renamed, item), raw)


def _block_in_line(raw: dict[str, Any], old: Block, before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """The data of a block. Parameters may be written by another one of their names."""
    raw = dict(raw)
    if isinstance(raw.get("parameters"), dict):
        raw["parameters"] = dict(raw["parameters"])
        written = {old.parameter_name(name): name for name in raw["parameters"]}
        before, now = ({**data, "parameters": _by(data.get("parameters", {}), written)} for data in (before, now))
    apart = _apart(old, raw.get("parameters"), before, now)
    in_line(raw, before, now)
    if apart:
        raw["parameters"] = apart | raw["parameters"]
    if not raw.get("parameters", True):
        del raw["parameters"]
    return raw


def _apart(old: Block, raw: Any, before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """What items in words said of other parameters, where numbers take the place of these words."""
    found: dict[str, Any] = {}
    if isinstance(raw, dict):
        said, says = before["parameters"], now.get("parameters", {})
        for name, value in raw.items():
            if in_words(value) and says.get(name) != said.get(name):
                others = [other for other in old.spelled_out({name: value}) if other != name and other not in raw]
                found |= {other: says[other] for other in others if other in says}
    return found


def _by(parameters: dict[str, Any], written: dict[str, str]) -> dict[str, Any]:
    return {written.get(name, name): value for name, value in parameters.items()}


def wires_in_line(
    raw: dict[str, Any], before: Diagram, now: Diagram, renamed: dict[ItemPath, str], item: ItemPath
) -> dict[str, Any]:
    """Inputs, wires, outputs and layout of a diagram as they are now: as written, as far as that is still so."""
    canonical, old = wires_data(now), wires_data(before)
    found: dict[str, Any] = {}
    for section in ("inputs", "outputs", "layout"):
        said = raw.get(section, {})
        if same(old[section], canonical[section]) and list(old[section]) == list(canonical[section]):
            found[section] = said
        else:
            found[section] = {
                name: said[name] if name in said and same(old[section].get(name), value) else value
                for name, value in canonical[section].items()
            }
    said = {name: cell for name, cell in raw.get("layout", {}).items() if name in canonical["layout"]}
    found["layout"] = placed(said, found["layout"], list(now.components))
    found["connections"] = connections_in_line(
        raw.get("connections", {}), before, canonical["connections"], renamed, (*item, "connections")
    )
    return {name: section for name, section in found.items() if section}


def placed(said: Mapping[str, Any], more: Mapping[str, Any], blocks: list[str]) -> dict[str, Any]:
    """A layout with more cells: those that are new stand where their blocks do, the others where they stand."""
    names = list(said)
    for name in more:
        if name not in said:
            later = [other for other in names if blocks.index(other) > blocks.index(name)]
            names.insert(names.index(later[0]) if later else len(names), name)
    cells = {**said, **more}
    return {name: cells[name] for name in names}


def connections_in_line(
    raw: dict[str, Any], before: Diagram, now: dict[str, Any], renamed: dict[ItemPath, str], item: ItemPath
) -> dict[str, Any]:
    """Wires as they are now: in the order and with the names in which they are written, as far as they are there."""
    left = {source: many(sinks) for source, sinks in now.items()}
    found: dict[str, Any] = {}
    means = {written: meant(before, written) for written in raw}
    for written, sinks in raw.items():
        source = means[written]
        if source in left:
            kept = [sink for sink in many(sinks) if sink in left[source]]
            if not kept and list(means.values()).count(source) == 1:
                kept = left[source]
            if kept:
                found[written] = kept if isinstance(sinks, list) else one_or_many(kept)
                left[source] = [sink for sink in left[source] if sink not in kept]
            continue
        for other, wanted in left.items():  # the same wire from elsewhere
            if other not in means.values() and wanted and set(wanted) == set(many(sinks)):
                found[other], left[other] = sinks, []
                renamed |= {(*item, written): other}
                break
    for source, sinks in left.items():
        if sinks:
            written = next((name for name in found if means.get(name, name) == source), source)
            found[written] = one_or_many([*many(found.get(written, [])), *sinks])
    return found


def meant(diagram: Diagram, written: str) -> str:
    """A source as it is called: its elements by their names."""
    try:
        return str(diagram._source_name(diagram._source(written)))
    except KeelblocksError:
        return written


def many(ports: Any) -> list[str]:
    """One port or several as a list."""
    return list(ports) if isinstance(ports, list) else [ports]


def one_or_many(ports: list[str]) -> Any:
    """A list of ports as it is written: one alone without brackets."""
    return ports[0] if len(ports) == 1 else ports


def ordered(data: dict[str, Any], as_written: Mapping[str, Any], order: tuple[str, ...] = ORDER) -> dict[str, Any]:
    """Data of a diagram, or of a file, in the order in which they are written; what is new stands where it belongs."""
    names = [name for name in as_written if name in data]
    for name in order:
        if name in data and name not in names:
            later = [other for other in names if other in order and order.index(other) > order.index(name)]
            names.insert(names.index(later[0]) if later else len(names), name)
    return {name: data[name] for name in names}
