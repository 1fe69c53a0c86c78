"""From a diagram to what is drawn of it."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping

from blocks.errors import KeelblocksWarning
from blocks.model.block import Block
from blocks.model.component import Component
from blocks.model.declare import Input, Output
from blocks.model.diagram import Diagram
from blocks.model.family import family_by_birth
from blocks.model.wiring import describe
from blocks.signal import Signal

from .drawing import Drawing, drawing_of
from .graph import BOUNDARY, Edge, Graph, Node, Port
from .svg import render_drawing

__all__ = ["draw", "drawing", "graph_of"]

Wired = set[tuple[str, str]]
Place = tuple[int, int]


def draw(diagram: Diagram, depth: int | None = None) -> str:
    """A diagram as SVG; `depth` limits how many levels of nested diagrams are opened, 0 leaves all closed."""
    return render_drawing(drawing(diagram, depth))


def drawing(diagram: Diagram, depth: int | None = None) -> Drawing:
    """A diagram as it is drawn, as data: places, sizes and lines, from which `draw` writes the SVG.

    Warns where a place of the diagram's layout cannot be kept.
    """
    made = drawing_of(graph_of(diagram), depth=depth)
    for note in made.notes:
        warnings.warn(note, KeelblocksWarning, stacklevel=3)
    return made


def graph_of(diagram: Diagram, name: str = "") -> Graph:
    """The graph of a diagram: a node for each component, an edge for each wire.

    Ports that nothing is wired to and that need not be wired are left out, so that the drawing shows what is used.
    """
    edges = _edges(diagram)
    sources = {edge.source for edge in edges}
    sinks = {sink for edge in edges for sink in edge.sinks}
    return Graph(
        name or diagram.own_name or "diagram",
        diagram.title,
        tuple(
            _node(key, component, diagram.layout.get(key), sources, sinks)
            for key, component in diagram.components.items()
        ),
        tuple(edges),
        _ports(diagram, diagram.input_ports),
        _ports(diagram, diagram.output_ports),
    )


def _node(name: str, component: Component, place: Place | None, sources: Wired, sinks: Wired) -> Node:
    if isinstance(component, Diagram):
        inside = graph_of(component, name)
        return Node(name, component.title, "basic", inside.inputs, inside.outputs, inside, place=place)
    assert isinstance(component, Block)
    inputs = {key: port for key, port in component.input_ports.items() if (name, key) in sinks or port.default is None}
    outputs = {key: port for key, port in component.output_ports.items() if (name, key) in sources}
    return Node(
        name, type(component).__name__, _kind(component), _ports(component, inputs),
        _ports(component, outputs or component.output_ports), type=component.type_name(), place=place,
    )  # fmt: skip


def _kind(block: Block) -> str:
    """The family, which gives the colour; allocation has one of its own."""
    return "allocation" if "Allocation" in type(block).__name__ else family_by_birth(type(block)) or "basic"


def _ports(component: Component, ports: Mapping[str, Input] | Mapping[str, Output]) -> tuple[Port, ...]:
    sizes = component.known_sizes()
    return tuple(_port(name, port.signal, port.doc, sizes) for name, port in ports.items())


def _port(name: str, signal: Signal, doc: str, sizes: Mapping[str, int]) -> Port:
    shape = [sizes.get(size) if isinstance(size, str) else size for size in signal.shape]
    width = None if None in shape else math.prod(size for size in shape if size is not None)
    return Port(name, title=f"{describe(signal)} {doc}".strip(), signal=signal, width=width)


def _edges(diagram: Diagram) -> list[Edge]:
    edges = []
    for source, sinks in diagram.connections():
        ends = tuple((sink.block.name, sink.name) for sink in sinks)
        if isinstance(source, str):
            port, _, elements = source.partition("[")
            edges.append(Edge((BOUNDARY, port), ends, elements.removesuffix("]")))
        else:
            edges.append(Edge((source.block.name, source.name), ends, source.selection.strip("[]")))
    for name, ref in diagram.boundary_outputs.items():
        edges.append(Edge((ref.block.name, ref.name), ((BOUNDARY, name),), ref.selection.strip("[]")))
    return edges
