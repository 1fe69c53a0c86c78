"""The drawing of a model: of a diagram as it is, of a block with its ports."""

from __future__ import annotations

import functools

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.drawing import Layout, graph_of, layout, render_layout
from blocks.drawing.graph import Graph
from blocks.flatten import instance_name


def geometry(component: Diagram | Block) -> Layout:
    """Where everything is in the drawing of a model."""
    return _geometry(graph_of(component if isinstance(component, Diagram) else _around(component)))


def drawing(component: Diagram | Block) -> str:
    """A model as SVG."""
    return _drawing(geometry(component).graph)


@functools.lru_cache(maxsize=32)
def _geometry(graph: Graph) -> Layout:
    # To find an order in which little crosses takes longer than all the rest of an export, and models that are exported
    # one after the other often differ in parameters only.
    return layout(graph)


@functools.lru_cache(maxsize=32)
def _drawing(graph: Graph) -> str:
    return render_layout(_geometry(graph))


def _around(block: Block) -> Diagram:
    """A diagram of a block alone, with all its ports."""
    name = block.name or instance_name(block)
    diagram = Diagram(name)
    inside = diagram.add(name, block.copy())
    diagram.inputs(**{port: inside.input_port(port) for port in inside.input_ports})
    diagram.outputs(**{port: inside.port(port) for port in inside.output_ports})
    return diagram
