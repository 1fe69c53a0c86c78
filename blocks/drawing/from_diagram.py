"""From a diagram to what is drawn of it."""

from __future__ import annotations

from collections.abc import Mapping

from blocks.model.block import Block
from blocks.model.component import Component
from blocks.model.declare import Input, Output
from blocks.model.diagram import Diagram
from blocks.model.wiring import describe
from blocks.signal import Signal

from .graph import BOUNDARY, Edge, Graph, Node, Port
from .svg import render_svg

__all__ = ["draw", "graph_of"]

Wired = set[tuple[str, str]]


def draw(diagram: Diagram, depth: int | None = None) -> str:
    """A diagram as SVG; `depth` limits how many levels of nested diagrams are opened, 0 leaves all closed."""
    return render_svg(graph_of(diagram), depth=depth)


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
        tuple(_node(key, component, sources, sinks) for key, component in diagram.components.items()),
        tuple(edges),
        tuple(_port(key, port.signal, port.doc) for key, port in diagram.input_ports.items()),
        tuple(_port(key, port.signal, port.doc) for key, port in diagram.output_ports.items()),
    )


def _node(name: str, component: Component, sources: Wired, sinks: Wired) -> Node:
    if isinstance(component, Diagram):
        inside = graph_of(component, name)
        return Node(name, component.title, "basic", inside.inputs, inside.outputs, inside)
    assert isinstance(component, Block)
    inputs = {key: port for key, port in component.input_ports.items() if (name, key) in sinks or port.default is None}
    outputs = {key: port for key, port in component.output_ports.items() if (name, key) in sources}
    return Node(
        name, type(component).__name__, _kind(component), _ports(inputs), _ports(outputs or component.output_ports)
    )


def _kind(block: Block) -> str:
    """The family, which gives the colour; allocation has one of its own."""
    return "allocation" if "Allocation" in type(block).__name__ else type(block).family or "basic"


def _ports(ports: Mapping[str, Input] | Mapping[str, Output]) -> tuple[Port, ...]:
    return tuple(_port(name, port.signal, port.doc) for name, port in ports.items())


def _port(name: str, signal: Signal, doc: str) -> Port:
    return Port(name, title=f"{describe(signal)} {doc}".strip())


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
