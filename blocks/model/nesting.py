"""Gather components of a diagram into a sub-diagram, and copy diagrams."""

from __future__ import annotations

from typing import TypeVar

from blocks.errors import WiringError
from blocks.model.component import Component
from blocks.model.diagram import Diagram, Source
from blocks.model.wiring import disagreement

D = TypeVar("D", bound=Diagram)


def nest_into(group: D, diagram: Diagram, members: tuple[str, ...]) -> D:
    """Move `members` of `diagram` into a new sub-diagram; wires across its border become ports of it."""
    name = group.own_name
    if not members:
        raise WiringError(f"nest '{name}': name at least one component")
    for member in members:
        if "." in member:
            raise WiringError(f"nest '{name}': {member} is inside of another diagram; nest it there")
        if members.count(member) > 1:
            raise WiringError(f"nest '{name}': {member} is named twice")
    inside = [diagram[member] for member in members]
    if name in diagram.components and name not in members:
        raise WiringError(f"nest: there is already a component '{name}'")
    wires = dict(diagram.wires)
    outward = dict(diagram.boundary_outputs)
    for member in members:
        component = diagram.components.pop(member)
        component.parent = None
        group.add(member, component)
    _forget(diagram, inside)
    diagram.add(name, group)
    for (sink, port), source in wires.items():
        if sink in inside and source.component in inside:
            group.wires[sink, port] = source
    entering: list[tuple[Source, list[tuple[Component, str]]]] = []
    for (sink, port), source in wires.items():
        if sink in inside and source.component not in inside:
            for other, sinks in entering:
                if other == source and _agree(sinks[0], (sink, port)):
                    sinks.append((sink, port))
                    break
            else:
                entering.append((source, [(sink, port)]))
    for source, sinks in entering:
        port = _free(group, source.port if source.component is None else sinks[0][1], sinks[0][0].name)
        group.inputs(**{port: [component.input_port(name) for component, name in sinks]})
        diagram.wires[group, port] = source
        if source.component is None:
            _feed_input(diagram, source.port, group, port)
    leaving: dict[Source, str] = {}

    def exit_port(source: Source) -> str:
        if source not in leaving:
            assert source.component is not None
            leaving[source] = _free(group, source.port, source.component.name)
            group.outputs(**{leaving[source]: group._port_ref(source)})
        return leaving[source]

    for (sink, port), source in wires.items():
        if sink not in inside and source.component in inside:
            diagram.wires[sink, port] = Source(group, exit_port(source))
    for port, ref in outward.items():
        if ref.block in inside:
            source = Source(ref.block, ref.name, ref.start, ref.stop)
            diagram._outputs[port] = group.port(exit_port(source))
    return group


def _agree(one: tuple[Component, str], other: tuple[Component, str]) -> bool:
    """Whether two sinks can share one input of a diagram: a source of any type can feed sinks that differ."""
    first, second = (component.input_ports[port].signal for component, port in (one, other))
    return not disagreement(first, second)


def _forget(diagram: Diagram, inside: list[Component]) -> None:
    """Remove every wire that touches the moved components, and the diagram's inputs' links to them."""
    diagram.wires = {
        sink: source
        for sink, source in diagram.wires.items()
        if sink[0] not in inside and source.component not in inside
    }
    diagram._inputs = {
        name: tuple(ref for ref in refs if ref.block not in inside) for name, refs in diagram._inputs.items()
    }


def _feed_input(diagram: Diagram, name: str, group: Diagram, port: str) -> None:
    diagram._inputs[name] = (*diagram._inputs[name], group.input_port(port))


def _free(group: Diagram, wanted: str, owner: str) -> str:
    """A port name that is free: the port's own name, else with its component's name before it."""
    taken = {"time", *group.boundary_inputs, *group.boundary_outputs}
    name = wanted if wanted not in taken else f"{owner}_{wanted}"
    number = 2
    while name in taken:
        name = f"{owner}_{wanted}_{number}"
        number += 1
    return name


def copy_into(other: D, diagram: Diagram) -> D:
    """Put a deep copy of what a diagram holds into another one, which is empty."""
    other.default_experiment = diagram.default_experiment
    twin: dict[int, Component] = {}
    for name, component in diagram.components.items():
        twin[id(component)] = other.add(name, component.copy())
    for (sink, port), source in diagram.wires.items():
        start = source.component if source.component is None else twin[id(source.component)]
        other.wires[twin[id(sink)], port] = Source(start, source.port, source.start, source.stop)
    for name, refs in diagram.boundary_inputs.items():
        other._inputs[name] = tuple(twin[id(ref.block)].input_port(ref.name) for ref in refs)
    for name, ref in diagram.boundary_outputs.items():
        other._outputs[name] = other._port_ref(Source(twin[id(ref.block)], ref.name, ref.start, ref.stop))
    return other
