"""What is drawn: boxes with ports, and wires between the ports, nested to any depth.

These classes know nothing of blocks or diagrams, so the drawing can be tested on any graph, and anything that has
boxes and wires can be drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from blocks.signal import Signal

__all__ = ["BOUNDARY", "Edge", "Graph", "Mark", "Node", "Port"]

Mark = Literal["", "added", "removed", "changed"]
"""What became of a part, where a drawing shows how two diagrams differ."""

#: The node name that means "the graph's own boundary" in an edge's endpoint.
BOUNDARY = ""

Endpoint = tuple[str, str]


@dataclass(frozen=True)
class Port:
    """One input or output. `label` is what is drawn (the name when empty), `title` what a tooltip says.

    `signal` is what it carries and `width` how many elements that has, where these are known.
    """

    name: str
    label: str = ""
    title: str = ""
    signal: Signal | None = None
    width: int | None = None

    @property
    def text(self) -> str:
        """What is drawn."""
        return self.label or self.name


@dataclass(frozen=True)
class Node:
    """One box: `name` in bold, `title` (the block's type) under it, and a `kind` (its family) that gives its colour.

    With `children` the box is a subsystem: drawn as a frame around its inside, or closed. Its ports are then the
    boundary ports of the inside, by name.

    `type` is what a file calls its block, `note` a further line of the tooltip, and `place` the column and row of the
    grid where a person put its upper left corner; None where the layout is to find a place.
    """

    name: str
    title: str = ""
    kind: str = "basic"
    inputs: tuple[Port, ...] = ()
    outputs: tuple[Port, ...] = ()
    children: Graph | None = None
    type: str = ""
    place: tuple[int, int] | None = None
    mark: Mark = ""
    note: str = ""

    def __post_init__(self) -> None:
        where = f"node {self.name!r}"
        if not self.name or "." in self.name:
            raise ValueError(f"{where}: a node's name must not be empty nor contain '.', which separates a path")
        _check_unique(where, "input", (port.name for port in self.inputs))
        _check_unique(where, "output", (port.name for port in self.outputs))
        if self.children is None:
            return
        for side, mine, inner in (
            ("inputs", self.inputs, self.children.inputs),
            ("outputs", self.outputs, self.children.outputs),
        ):
            outside, inside = {port.name for port in mine}, {port.name for port in inner}
            if outside != inside:
                raise ValueError(f"{where}: its {side} are {sorted(outside)}, but its inside has {sorted(inside)}")


@dataclass(frozen=True)
class Edge:
    """A wire from one source to its sinks. An endpoint is (node, port); node `BOUNDARY` is the graph's own port.

    The label is written on the wire. Where edges of one source have different labels (they carry different elements
    of it, say), each is written where it arrives.
    """

    source: Endpoint
    sinks: tuple[Endpoint, ...]
    label: str = ""
    mark: Mark = ""


@dataclass(frozen=True)
class Graph:
    """Boxes, wires and boundary ports: inputs on the left side of the frame, outputs on the right.

    Several edges may leave one source; they are drawn as one wire. A sink takes one source only.

    Raises
    ------
    ValueError
        When names repeat, an edge ends at something that is not there, or a sink has two sources.
    """

    name: str
    title: str = ""
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    inputs: tuple[Port, ...] = ()
    outputs: tuple[Port, ...] = ()

    def __post_init__(self) -> None:
        where = f"graph {self.name!r}"
        _check_unique(where, "node", (node.name for node in self.nodes))
        _check_unique(where, "input", (port.name for port in self.inputs))
        _check_unique(where, "output", (port.name for port in self.outputs))
        sources = {(BOUNDARY, port.name) for port in self.inputs}
        sources.update((node.name, port.name) for node in self.nodes for port in node.outputs)
        sinks = {(BOUNDARY, port.name) for port in self.outputs}
        sinks.update((node.name, port.name) for node in self.nodes for port in node.inputs)
        driven: dict[Endpoint, Endpoint] = {}
        for edge in self.edges:
            if edge.source not in sources:
                raise ValueError(f"{where}: an edge starts at {_text(edge.source)}, which is no output of a node here")
            for sink in edge.sinks:
                if sink not in sinks:
                    raise ValueError(f"{where}: an edge ends at {_text(sink)}, which is no input of a node here")
                if driven.setdefault(sink, edge.source) != edge.source:
                    raise ValueError(
                        f"{where}: {_text(sink)} has two sources, {_text(driven[sink])} and {_text(edge.source)}"
                    )


def _text(endpoint: Endpoint) -> str:
    node, port = endpoint
    return repr(port if node == BOUNDARY else f"{node}.{port}")


def _check_unique(where: str, what: str, names: Iterable[str]) -> None:
    repeated = sorted(name for name, count in Counter(names).items() if count > 1)
    if repeated:
        raise ValueError(f"{where}: {what} names must be unique, but {', '.join(map(repr, repeated))} repeat")
