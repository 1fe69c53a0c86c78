"""Short ways to wire and read small diagrams, for the tests of engine and solvers."""

from __future__ import annotations

from typing import Any

from blocks import Block, Diagram
from blocks.plan import Plan
from cython_kernels import engine as native


def wired(blocks: dict[str, Block], *wires: tuple[str, ...]) -> Diagram:
    """A diagram of these blocks; each wire is a source and its sinks."""
    diagram = Diagram()
    for name, block in blocks.items():
        diagram.add(name, block)
    for source, *sinks in wires:
        diagram.connect(source, *sinks)
    return diagram


def read(engine: native.Engine, plan: Plan, name: str) -> Any:
    """The present value of an input, an output or a state."""
    place = {**plan.outputs, **plan.inputs, **plan.states}[name]
    values = engine.values[place.slice]
    return values.item() if place.count == 1 else values.copy()
