"""A diagram as a graph to draw: what its blocks, ports and wires are called, and what their tooltips say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .graph import BOUNDARY, Edge, Endpoint, Graph, Node, Port
from .svg import render_svg

if TYPE_CHECKING:
    from blocks.block import Component
    from blocks.declare import Input, Output
    from blocks.diagram import Diagram
    from blocks.port import PortRef

__all__ = ["draw", "graph_of"]


def draw(diagram: Diagram, *, depth: int | None = None) -> str:
    """The diagram as an SVG document; `depth` is how many levels of nested diagrams are opened, None for all."""
    return render_svg(graph_of(diagram), depth=depth)


def graph_of(diagram: Diagram) -> Graph:
    """The graph of a diagram and of all diagrams in it."""
    return Graph(
        diagram.name or diagram.own_name or "diagram",
        diagram.title,
        tuple(_node(name, component) for name, component in diagram.components.items()),
        tuple(_edges(diagram)),
        tuple(_port(port) for port in diagram.input_ports.values()),
        tuple(_port(port) for port in diagram.output_ports.values()),
    )


def _node(name: str, component: Component) -> Node:
    from blocks.diagram import Diagram  # here, because diagrams draw themselves with this module

    inputs = tuple(_port(port) for port in component.input_ports.values())
    outputs = tuple(_port(port) for port in component.output_ports.values())
    if isinstance(component, Diagram):
        return Node(name, component.title, "diagram", inputs, outputs, graph_of(component))
    return Node(name, type(component).__name__, getattr(component, "family", ""), inputs, outputs)


def _port(port: Input | Output) -> Port:
    title = f"{port.name}: {port.signal}"
    return Port(port.name, title=f"{title}; {port.doc}" if port.doc else title)


def _edges(diagram: Diagram) -> Iterator[Edge]:
    for source, sinks in diagram.connections():
        start, label = _source(source)
        yield Edge(start, tuple((sink.block.name, sink.name) for sink in sinks), label)
    for name, ref in diagram.boundary_outputs.items():
        start, label = _source(ref)
        yield Edge(start, ((BOUNDARY, name),), label)


def _source(source: PortRef | str) -> tuple[Endpoint, str]:
    """Where a wire starts, and which elements of it are taken: "psi" of "vessel.eta[psi]"."""
    if isinstance(source, str):
        name, _, elements = source.partition("[")
        return (BOUNDARY, name), elements.rstrip("]")
    return (source.block.name, source.name), source.selection.strip("[]")
