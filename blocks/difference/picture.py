"""How two scenarios differ, drawn: one diagram with what was added, removed and changed marked in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from os import PathLike

from blocks.difference.facts import DiagramFacts
from blocks.difference.renaming import new_names
from blocks.difference.scenarios import Change, Version, difference_of, version_of
from blocks.drawing import BOUNDARY, Drawing, Edge, Graph, Node, Port, graph_of, render_drawing
from blocks.drawing.drawing import drawing_of
from blocks.drawing.graph import Endpoint, Mark
from blocks.errors import ScenarioError
from blocks.scenario import Scenario

__all__ = ["draw_difference", "drawn_difference"]

_BEFORE = " (before)"
"""After the name of what stands beside its successor."""

_Wires = dict[Endpoint, Edge]
"""The wire to each sink."""


def draw_difference(
    before: Scenario | str | PathLike[str], after: Scenario | str | PathLike[str], *, depth: int | None = None
) -> str:
    """How two scenarios, or the scenarios in two files, differ, as SVG.

    What was added is green with a plus, what was removed red, dashed and with a minus, what was changed amber with ≠;
    an input that has another source now stands twice. `depth` limits how many levels of nested diagrams are opened.
    Raises ScenarioError where a file is no scenario, or its diagram cannot be built.
    """
    return render_drawing(drawn_difference(version_of(before), version_of(after), depth))


def drawn_difference(before: Version, after: Version, depth: int | None = None) -> Drawing:
    """The second scenario's diagram with what the first had besides, and marks.

    Raises ScenarioError for one whose diagram cannot be built.
    """
    for version in (before, after):
        if version.scenario is None:
            raise ScenarioError(f"there is nothing to draw: {version.problem}")
    assert before.scenario is not None
    assert after.scenario is not None
    notes = _notes(difference_of(before, after).changes)
    one, other = (graph_of(version.scenario.diagram) for version in (before, after) if version.scenario)
    merged = _merged(one, other, before.facts.diagram, after.facts.diagram, notes, "")
    return drawing_of(merged, depth=depth)


def _notes(changes: Iterable[Change]) -> dict[str, list[str]]:
    """What was changed of each block, by its dotted name."""
    notes: dict[str, list[str]] = {}
    for change in changes:
        if change.what in ("parameter", "formula"):  # hull.k, hull.outputs.drag
            block = change.path.rsplit(".", 1 if change.what == "parameter" else 2)[0]
            notes.setdefault(block, []).append(str(change))
        elif change.what in ("block", "diagram") and change.kind in ("changed", "renamed"):
            notes.setdefault(change.path, []).append(str(change))
    return notes


def _merged(
    one: Graph, other: Graph, before: DiagramFacts, after: DiagramFacts, notes: dict[str, list[str]], path: str
) -> Graph:
    """Both graphs in one."""
    new = new_names(before, after)
    names = {
        old: name
        for old, name in new.items()
        if isinstance(before.blocks[old], DiagramFacts) == isinstance(after.blocks[name], DiagramFacts)
    }
    taken = {node.name for node in other.nodes}
    here_now = {old: names.get(old, old + _BEFORE * (old in taken)) for old in before.blocks}
    old_nodes = {here_now[node.name]: node for node in one.nodes}
    nodes = []
    for node in other.nodes:
        here = f"{path}{node.name}"
        old = old_nodes.pop(node.name, None)
        if old is None:
            nodes.append(_marked(node, "added"))
            continue
        if node.children is not None and old.children is not None:
            old_name = next(name for name, now in names.items() if now == node.name)
            inner, outer = before.blocks[old_name], after.blocks[node.name]
            assert isinstance(inner, DiagramFacts)
            assert isinstance(outer, DiagramFacts)
            inside = _merged(old.children, node.children, inner, outer, notes, f"{here}.")
            node = replace(node, children=inside, inputs=inside.inputs, outputs=inside.outputs)
        else:
            node = replace(node, inputs=_union(node.inputs, old.inputs), outputs=_union(node.outputs, old.outputs))
        mine = notes.get(here, ())
        changed = bool(mine) or (node.children is not None and _has_marks(node.children))
        nodes.append(replace(node, mark="changed", note="\n".join(mine)) if changed else node)
    nodes += (_marked(replace(node, name=name, place=None), "removed") for name, node in old_nodes.items())
    graph = replace(
        other, nodes=tuple(nodes), edges=(), inputs=_union(other.inputs, one.inputs),
        outputs=_union(other.outputs, one.outputs),
    )  # fmt: skip
    return _wired(graph, _wires(one, here_now), _wires(other, {}))


def _has_marks(graph: Graph) -> bool:
    return any(node.mark for node in graph.nodes) or any(edge.mark for edge in graph.edges)


def _marked(node: Node, mark: Mark) -> Node:
    """A node and all that is in it, with a mark."""
    inside = node.children
    if inside is not None:
        nodes = tuple(_marked(each, mark) for each in inside.nodes)
        inside = replace(inside, nodes=nodes, edges=tuple(replace(edge, mark=mark) for edge in inside.edges))
    return replace(node, mark=mark, children=inside)


def _union(first: tuple[Port, ...], second: tuple[Port, ...]) -> tuple[Port, ...]:
    names = {port.name for port in first}
    return (*first, *(port for port in second if port.name not in names))


def _wires(graph: Graph, names: dict[str, str]) -> _Wires:
    def named(end: Endpoint) -> Endpoint:
        return names.get(end[0], end[0]), end[1]

    return {named(sink): Edge(named(edge.source), (), edge.label) for edge in graph.edges for sink in edge.sinks}


def _wired(graph: Graph, before: _Wires, after: _Wires) -> Graph:
    """The graph with the wires of both. An input that has another source now is drawn twice: as it was, and is."""
    edges: list[Edge] = []
    twice: set[Endpoint] = set()
    for sink, edge in after.items():
        same = before.get(sink) == edge
        edges.append(replace(edge, sinks=(sink,), mark="" if same else "added"))
    for sink, edge in before.items():
        if after.get(sink) == edge:
            continue
        end = (sink[0], sink[1] + _BEFORE) if sink in after else sink
        if sink in after:
            twice.add(sink)
        edges.append(replace(edge, sinks=(end,), mark="removed"))
    nodes = tuple(_with_inputs(node, {port for name, port in twice if name == node.name}) for node in graph.nodes)
    outputs = tuple(_doubled(graph.outputs, {port for name, port in twice if name == BOUNDARY}))
    return replace(graph, nodes=nodes, edges=tuple(edges), outputs=outputs)


def _with_inputs(node: Node, twice: set[str]) -> Node:
    if not twice:
        return node
    inputs = tuple(_doubled(node.inputs, twice))
    inside = node.children and replace(node.children, inputs=inputs)
    return replace(node, inputs=inputs, children=inside)


def _doubled(ports: tuple[Port, ...], twice: set[str]) -> Iterator[Port]:
    for port in ports:
        yield port
        if port.name in twice:
            yield replace(port, name=port.name + _BEFORE, label=port.text + _BEFORE)
