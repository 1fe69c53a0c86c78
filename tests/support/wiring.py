"""Short ways to wire and read small diagrams, for the tests of engine and solvers."""

from __future__ import annotations

from typing import Any

from blocks import Block, Diagram
from blocks.basic import Gain, UnitDelay, ZeroOrderHold
from blocks.plan import Plan, make_plan
from cython_kernels import engine as native


def wired(blocks: dict[str, Block], *wires: tuple[str, ...]) -> Diagram:
    """A diagram of these blocks; each wire is a source and its sinks."""
    diagram = Diagram()
    for name, block in blocks.items():
        diagram.add(name, block)
    for source, *sinks in wires:
        diagram.connect(source, *sinks)
    return diagram


def external() -> tuple[Plan, native.Engine]:
    """An engine with one input `u` that leads to a delay and a hold, both sampled, and a gain."""
    diagram = wired({"hold": UnitDelay(period=0.1), "through": ZeroOrderHold(period=0.1), "gain": Gain(2.0)})
    diagram.inputs(u=["hold.u", "through.u", "gain.u"])
    plan = make_plan(diagram, step=0.05)
    return plan, plan.engine()


def set_input(engine: native.Engine, plan: Plan, value: float) -> None:
    """Give the input `u` a value, as a host does between steps."""
    engine.values[plan.inputs["u"].slice] = value
    engine.inputs_changed()


def read(engine: native.Engine, plan: Plan, name: str) -> Any:
    """The present value of an input, an output or a state."""
    place = {**plan.outputs, **plan.inputs, **plan.states}[name]
    values = engine.values[place.slice]
    return values.item() if place.count == 1 else values.copy()
