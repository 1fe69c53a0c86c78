"""The drawing of a model: of a diagram as it is, of a block with its ports."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.drawing import Layout, graph_of, layout, render_layout
from blocks.drawing.graph import Graph
from blocks.plan.flatten import instance_name


@dataclass(frozen=True, eq=False)
class Drawing:
    """A drawing."""

    layout: Layout

    @functools.cached_property
    def svg(self) -> str:
        """As SVG."""
        return render_layout(self.layout)


def drawing(component: Diagram | Block) -> Drawing:
    """The drawing of a model: one for all that have the same blocks, ports and wires."""
    component = _instead.get() or component
    return _drawing(graph_of(component if isinstance(component, Diagram) else _around(component)))


_instead: ContextVar[Diagram | None] = ContextVar("_instead", default=None)


@contextlib.contextmanager
def drawn_as(whole: Diagram) -> Iterator[None]:
    """Draw `whole` for whatever is exported meanwhile: a part of it that nobody knows, so that it is drawn once."""
    before = _instead.set(whole)
    try:
        yield
    finally:
        _instead.reset(before)


@functools.lru_cache(maxsize=32)
def _drawing(graph: Graph) -> Drawing:
    # To find an order in which little crosses takes as long as the rest of an export, and models that are exported one
    # after the other often differ in parameters only.
    return Drawing(layout(graph))


def _around(block: Block) -> Diagram:
    """A diagram of a block alone, with all its ports."""
    name = block.name or instance_name(block)
    diagram = Diagram(name)
    inside = diagram.add(name, block.copy())
    diagram.inputs(**{port: inside.input_port(port) for port in inside.input_ports})
    diagram.outputs(**{port: inside.port(port) for port in inside.output_ports})
    return diagram
