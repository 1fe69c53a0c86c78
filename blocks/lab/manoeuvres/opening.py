"""Diagrams opened for a test: inputs and outputs of blocks inside become those of the diagram."""

from __future__ import annotations

import numpy as np

from blocks.basic import Constant
from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import did_you_mean
from blocks.lab.trial import Array, ManoeuvreError
from blocks.model.diagram import Source
from blocks.plan.flatten import instance_name


def diagram_of(craft: Diagram | Block) -> Diagram:
    """A copy of a diagram, or a diagram with a copy of a block, whose inputs are the diagram's."""
    if isinstance(craft, Diagram):
        return craft.copy()
    if not isinstance(craft, Block):
        raise ManoeuvreError(f"a manoeuvre needs a diagram or a block, not {type(craft).__name__}")
    diagram = Diagram()
    block = diagram.add(craft.name or instance_name(craft), craft.copy())
    diagram.inputs(**{port: block.input_port(port) for port in block.input_ports})
    return diagram


def open_input(diagram: Diagram, name: str) -> str:
    """Make the input "rudder.command" of a block one of the diagram, instead of what fed it; its name there.

    Raises ManoeuvreError, with the nearest names, if there is none.
    """
    first, _, rest = name.partition(".")
    if not rest:
        if name in diagram.input_ports:
            return name
        raise ManoeuvreError(f"there is no input '{name}'{did_you_mean(name, input_names(diagram))}")
    if first not in diagram.components:
        raise ManoeuvreError(f"there is no input '{name}'{did_you_mean(name, input_names(diagram))}")
    component = diagram.components[first]
    port = open_input(component, rest) if isinstance(component, Diagram) else rest
    if port not in component.input_ports:
        raise ManoeuvreError(f"there is no input '{name}'{did_you_mean(name, input_names(diagram))}")
    sink = component.input_port(port)
    fed = diagram.wires.get((component, port))
    if fed is not None and fed.component is None and len(diagram.boundary_inputs[fed.port]) == 1:
        return fed.port
    if fed is not None:
        diagram.disconnect(sink)
    opened = free(diagram, f"{first}_{port}")
    diagram.inputs(**{opened: sink})
    return opened


def constant_at(diagram: Diagram, name: str) -> Array | None:
    """The value of the `basic.Constant` that feeds the input "shaft.command" of a block inside; None without one."""
    source = _source(diagram, name)
    if source is None or not isinstance(source.component, Constant):
        return None
    return np.atleast_1d(np.asarray(source.component.values["value"], dtype=np.float64))[source.start : source.stop]


def _source(diagram: Diagram, name: str) -> Source | None:
    """What feeds an input of a block inside."""
    first, _, rest = name.partition(".")
    component = diagram.components.get(first)
    if not rest or component is None:
        return None
    port = rest
    if isinstance(component, Diagram):
        inner = _source(component, rest)
        if inner is None or inner.component is not None:
            return inner
        port = inner.port
    return diagram.wires.get((component, port))


def open_output(diagram: Diagram, name: str) -> str:
    """Let the output "plant.vessel.eta" of a block be seen in the outermost diagram; what to connect there."""
    first, _, rest = name.partition(".")
    component = diagram.components[first]
    if not isinstance(component, Diagram):
        return name
    inner = open_output(component, rest)
    for port, ref in component.boundary_outputs.items():
        if f"{ref.block.name}.{ref.name}" == inner and ref.start is None:
            return f"{first}.{port}"
    opened = free(component, inner.replace(".", "_"))
    component.outputs(**{opened: inner})
    return f"{first}.{opened}"


def input_names(diagram: Diagram) -> list[str]:
    """Inputs of the diagram, and of the blocks inside."""
    inside = [f"{name}.{port}" for name, block in diagram.blocks().items() for port in block.input_ports]
    return [*diagram.input_ports, *inside]


def free(diagram: Diagram, wanted: str) -> str:
    """A name that is neither a component nor a port of a diagram."""
    taken = {*diagram.components, *diagram.boundary_inputs, *diagram.boundary_outputs}
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    return name
