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
        if member in diagram.layout:
            group.layout[member] = diagram.layout.pop(member)
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
        if source.component is None and source.start is None:  # elements of an input are wired, not declared
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


def unnest(diagram: Diagram, name: str) -> None:
    """Put what a sub-diagram holds in its place; wires by its inputs and outputs lead straight on."""
    owner, last = diagram._owner(name)
    group = owner.components[last]
    if owner is not diagram or not isinstance(group, Diagram):
        raise WiringError(f"unnest: {name} is no sub-diagram of {diagram._called()}")
    taken = [inner for inner in group.components if inner in diagram.components and inner != name]
    if taken:
        raise WiringError(f"unnest {name}: {diagram._called()} already has a component '{taken[0]}'")
    wires, inside = dict(diagram.wires), dict(group.wires)

    def origin(source: Source) -> Source | None:
        """Where a wire starts in the end; None: at an input of the sub-diagram that nothing feeds."""
        while source.component is group:
            ref = group._outputs[source.port]
            source = _part_of(Source(ref.block, ref.name, ref.start, ref.stop), source)
        return source

    def within(source: Source) -> Source | None:
        if source.component is not None:
            return source
        outer = wires.get((group, source.port))
        return None if outer is None else origin(_part_of(outer, source))

    components: dict[str, Component] = {}
    for own, component in diagram.components.items():
        components |= group.components if component is group else {own: component}
    inputs = {
        port: tuple(inner for ref in refs for inner in (group._inputs[ref.name] if ref.block is group else (ref,)))
        for port, refs in diagram._inputs.items()
    }
    outputs = {port: origin(Source(ref.block, ref.name, ref.start, ref.stop)) for port, ref in diagram._outputs.items()}
    diagram.wires = {}
    for sink, source in wires.items():
        if sink[0] is group:
            through = [end for end, start in inside.items() if start.component is None and start.port == sink[1]]
            found = {end: within(inside[end]) for end in through}
        else:
            found = {sink: origin(source)}
        diagram.wires |= {end: start for end, start in found.items() if start is not None}
    diagram.wires |= {end: start for end, start in inside.items() if start.component is not None}
    diagram.components, diagram._inputs = components, inputs
    for own, component in group.components.items():
        component.name, component.parent = own, diagram
    group.parent = None
    group.components = {}
    diagram.layout.pop(name, None)
    diagram._outputs = {port: diagram._port_ref(start) for port, start in outputs.items() if start is not None}


def _part_of(whole: Source, part: Source) -> Source:
    """The elements `part` of what `whole` takes."""
    if part.start is None or part.stop is None:
        return whole
    first = whole.start or 0
    return Source(whole.component, whole.port, first + part.start, first + part.stop)


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
    other.layout = dict(diagram.layout)
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
