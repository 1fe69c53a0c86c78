"""Components of a draft: add, remove, rename, and put another type in the place of one."""

from __future__ import annotations

from typing import Any

from blocks.block import Block, block_class
from blocks.diagram import Diagram
from blocks.errors import ScenarioError, shown
from blocks.model.component import Component
from blocks.model.library import unknown_type
from blocks.scenario.building import Builder
from blocks.scenario.edits.draft import Draft, Level, split
from blocks.scenario.edits.references import moved, port_moved
from blocks.scenario.model import DECLARED, BlockEntry
from blocks.scenario.reuse import Notation
from blocks.scenario.writing import block_data, diagram_data


def add(draft: Draft, path: str, data: dict[str, Any], after: str | None) -> None:
    """Add a component behind another one, or behind all."""
    level, name = draft.owner(path)
    if name in level.blocks:
        raise ScenarioError(f"{level.called()} already has a component '{name}'")
    if after is None:
        level.blocks[name] = data
        return
    if after not in level.blocks:
        raise level.unknown(after)
    found = dict(level.blocks)
    level.blocks.clear()
    for one, value in found.items():
        level.blocks[one] = value
        if one == after:
            level.blocks[name] = data


def entry_of(what: str | type[Block] | Component, given: dict[str, Any]) -> dict[str, Any]:
    """The entry of a component in a file: of a type and what is said of it, or of a component that there is."""
    said = {key: value for key, value in given.items() if value not in (None, {})}
    if isinstance(what, Component):
        if said:
            raise ScenarioError(f"{', '.join(said)}: the {type(what).__name__} that was given has these already")
        if isinstance(what, Diagram):
            return {"diagram": diagram_data(what, Notation(), None)}
        assert isinstance(what, Block)
        return block_data(what, Notation(), None)
    return {"type": named_type(what), **said}


def named_type(given: str | type[Block]) -> str:
    """A type by its name in files."""
    if isinstance(given, str):
        return given
    if isinstance(given, type) and issubclass(given, Block):
        return given.type_name()
    raise ScenarioError(f"a type of block is wanted, such as basic.Gain, not {shown(given)}")


def remove(draft: Draft, path: str) -> None:
    """Take a component out, with its wires and all that names it; or an input or output of a diagram."""
    level, name = draft.owner(path)
    if name not in level.blocks:
        section = port_section(level, name)
        level.drop(section, name)
        return
    if len(level.blocks) == 1:
        raise ScenarioError(
            f"'{name}' is all that {level.called()} holds; "
            + ("remove that instead" if level.path else "a scenario has at least one block")
        )
    del level.blocks[name]
    _forget_place(level, name)
    level.forget(lambda port: split(port)[0] == name and bool(split(port)[1]))
    draft.references(moved({path: None}))


def _forget_place(level: Level, name: str) -> None:
    level.put("layout", {one: cell for one, cell in level.section("layout").items() if one != name})


def port_section(level: Level, name: str) -> str:
    """Whether a name is among the inputs or the outputs of a diagram. Raises ScenarioError if it is not there."""
    for section in ("outputs", "inputs"):
        if name in level.section(section):
            return section
    raise level.unknown(name)


def rename(draft: Draft, path: str, name: str) -> None:
    """Give a component, or an input or output of a diagram, another name, wherever the file names it."""
    level, old = draft.owner(path)
    if name == old:
        return
    if old not in level.blocks:
        rename_port(draft, level, port_section(level, old), old, name)
        return
    if name in level.blocks:
        raise ScenarioError(f"{level.called()} already has a component '{name}'")

    def local(port: str) -> str:
        return name + port[len(old) :] if split(port)[0] == old and split(port)[1] else port

    level.rename_keys("blocks", {old: name})
    level.rename_keys("layout", {old: name})
    level.refer(local)
    draft.references(moved({path: level.dotted(name)}))
    draft.moved[path] = level.dotted(name)


def rename_port(draft: Draft, level: Level, section: str, old: str, name: str) -> None:
    """Give an input or output of a diagram another name."""
    if name in level.section(section):
        raise ScenarioError(f"{level.called()} already has '{name}' among its {section}")
    level.rename_keys(section, {old: name})
    if section == "inputs":
        level.refer(lambda port: name + port[len(old) :] if split(port)[:2] == (old, "") else port)
    if level.path:
        outer, own = level.outer()
        outer.refer(lambda port: f"{own}.{name}{split(port)[2]}" if split(port)[:2] == (own, old) else port)
    draft.references(port_moved({level.dotted(old): level.dotted(name)}))


def swap(draft: Draft, path: str, type_name: str, parameters: dict[str, Any], declaration: dict[str, Any]) -> None:
    """Give a block another type: it keeps the parameters and wires that the new one has too."""
    level, name, entry = draft.component(path)
    if "diagram" in entry:
        raise ScenarioError(f"{path} is a diagram, which has no type; remove it and add a block")
    cls = block_class(type_name)
    if cls is None:
        raise ScenarioError(f"no block type '{type_name}'; {unknown_type(type_name)}")
    known = cls.all_parameters()
    kept = {
        one: value
        for one, value in entry.get("parameters", {}).items()
        if cls.parameter_name(one) in known or (cls.open_ended and entry.get("type") == type_name)
    }
    rest = {key: value for key, value in entry.items() if key not in DECLARED or key in cls.declaration_keys}
    changed = {"type": type_name} | rest | declaration | {"type": type_name, "parameters": kept | parameters}
    if not changed["parameters"]:
        del changed["parameters"]
    level.blocks[name] = changed
    block = _made(draft, level, name)
    inputs, outputs = set(block.input_ports), set(block.output_ports)

    def gone(port: str, known: set[str]) -> bool:
        head, own, _ = split(port)
        return head == name and own != "" and own not in known

    sources = {name for name in level.section("connections") if gone(name, outputs)}
    sources |= {name for name in level.section("outputs").values() if gone(name, outputs)}
    level.forget(lambda port: port in sources)
    sinks = {one for given in level.sinks() for one in given if gone(one, inputs)}
    level.forget(lambda port: port in sinks)


def _made(draft: Draft, level: Level, name: str) -> Component:
    """The block that an entry of a draft makes."""
    entry = BlockEntry.model_validate(level.blocks[name])
    builder = Builder(draft.document, draft.folder)
    return builder.block(entry, (*level.item, "blocks", name), level.dotted(name))
