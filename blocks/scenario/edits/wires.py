"""Wires of a draft, and the inputs and outputs of its diagrams."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from blocks.diagram import Diagram
from blocks.errors import ScenarioError, did_you_mean
from blocks.model.component import PortRef
from blocks.scenario.differences import many, meant, one_or_many
from blocks.scenario.edits.draft import Draft, Level, split

Reference = str | PortRef


def connect(draft: Draft, root: Diagram, source: Reference, sinks: Iterable[Reference], replace: bool) -> None:
    """Wire a source to sinks, all by dotted names."""
    ends = [text_of(sink) for sink in sinks]
    if not ends:
        raise ScenarioError(f"connect {source}: at least one sink is needed")
    level = _around(draft, ends[0])
    start = _seen_from(level, text_of(source))
    local = [_seen_from(level, end) for end in ends]
    order = list(level.section("connections"))
    if replace:
        _unwire(level, set(local))
    for section in ("inputs", "connections"):
        for name, given in level.section(section).items():
            for end in set(many(given)) & set(local):
                words = f"input '{name}'" if section == "inputs" else name
                raise ScenarioError(
                    f"{level.dotted(end)} is already connected to {words}; an input has one source: disconnect it, or "
                    f"say replace"
                )
    data = dict(level.section("connections"))
    diagram = _built(level, root)
    wanted = start if diagram is None else meant(diagram, start)
    written = next(
        (name for name in data if name == start or (diagram is not None and meant(diagram, name) == wanted)), start
    )
    data[written] = _with(data.get(written), local)
    level.put("connections", {name: data[name] for name in dict.fromkeys((*order, *data)) if name in data})


def _with(given: Any, more: list[str]) -> Any:
    before = [] if given is None else many(given)
    return one_or_many([*before, *more]) if not isinstance(given, list) else [*before, *more]


def disconnect(draft: Draft, sink: Reference) -> None:
    """Take out the wire that ends at an input."""
    end = text_of(sink)
    level = _around(draft, end)
    local = _seen_from(level, end)
    wired = [one for given in level.sinks() for one in given]
    if local not in wired:
        raise ScenarioError(f"{end} is not connected{did_you_mean(local, wired)}")
    alone = [name for name, given in level.section("inputs").items() if many(given) == [local]]
    if alone:
        raise ScenarioError(
            f"{end} is all that input '{alone[0]}' of {level.called()} leads to; remove that input instead"
        )
    _unwire(level, {local})


def _unwire(level: Level, sinks: set[str]) -> None:
    """Take wires out by their sinks."""
    for section in ("inputs", "connections"):
        kept = {
            name: left if isinstance(given, list) else left[0]
            for name, given in level.section(section).items()
            if (left := [sink for sink in many(given) if sink not in sinks])
        }
        level.put(section, kept)


def declare_input(draft: Draft, path: str, sinks: Iterable[Reference]) -> None:
    """Let a diagram have an input, which leads to sinks in it."""
    level, name = draft.owner(path)
    ends = [_seen_from(level, text_of(sink)) for sink in sinks]
    if not ends:
        raise ScenarioError(f"input '{name}' of {level.called()} needs at least one sink")
    if name in level.section("inputs"):
        raise ScenarioError(f"{level.called()} already has an input '{name}'")
    level.put("inputs", level.section("inputs") | {name: one_or_many(ends)})


def declare_output(draft: Draft, path: str, source: Reference) -> None:
    """Let a diagram have an output, which comes from a port of a block in it."""
    level, name = draft.owner(path)
    if name in level.section("outputs"):
        raise ScenarioError(f"{level.called()} already has an output '{name}'")
    level.put("outputs", level.section("outputs") | {name: _seen_from(level, text_of(source))})


def text_of(port: Reference) -> str:
    """A port by its dotted name: "plant.vessel.eta[psi]"."""
    if isinstance(port, PortRef):
        return f"{port.block.path}.{port.name}{port.selection}" if port.block.path else f"{port.name}{port.selection}"
    if not isinstance(port, str):
        raise ScenarioError(f"a port such as plant.vessel.eta is wanted, not {port!r}")
    return port


def _around(draft: Draft, sink: str) -> Level:
    """The diagram in which a wire to a sink lies."""
    block, dot, _ = sink.rpartition(".")
    if not dot:
        raise ScenarioError(f"'{sink}' is not a port of a block; write it as block.port")
    return draft.owner(block)[0]


def _seen_from(level: Level, port: str) -> str:
    """A port as it is called within a diagram."""
    lead = f"{level.path}." if level.path else ""
    if not port.startswith(lead):
        raise ScenarioError(f"{port} is not in '{level.path}'; wires lead to another diagram by its inputs and outputs")
    local = port[len(lead) :]
    head, own, _ = split(local)
    if "." in own:
        raise ScenarioError(
            f"{port} is inside of '{level.dotted(head)}'; declare {own} as an input or output of it, and connect that"
        )
    return local


def _built(level: Level, root: Diagram) -> Diagram | None:
    """The diagram of a level as it was built last, if it was there."""
    found = root[level.path] if level.path else root
    return found if isinstance(found, Diagram) else None
