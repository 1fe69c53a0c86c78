"""Put another component in the place of one, with its wires: how fidelity is swapped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from blocks.errors import WiringError
from blocks.model import wiring
from blocks.model.component import Component, PortRef
from blocks.model.diagram import Diagram, Source

C = TypeVar("C", bound=Component)


def replace_component(diagram: Diagram, path: str | Component, component: C) -> C:
    """See `Diagram.replace`."""
    if not isinstance(path, str):
        path = _path(diagram, path)
    owner, name = diagram._owner(path)
    old = owner.components[name]
    owner._check_can_hold(component)
    who = f"{path}: the new {type(component).__name__}"
    for (sink, port), source in owner.wires.items():
        if sink is old:
            _must_have(component.input_ports, port, who, "input")
        if source.component is old:
            _must_have(component.output_ports, source.port, who, "output")
            _must_select(old.port(source.port), component.port(source.port), source.start, source.stop, who)
    for ref in owner.boundary_outputs.values():
        if ref.block is old:
            _must_have(component.output_ports, ref.name, who, "output")
            _must_select(old.port(ref.name), component.port(ref.name), ref.start, ref.stop, who)
    before = (owner.wires, dict(owner.components), owner._inputs, owner._outputs)
    try:
        _exchange(owner, name, old, component)
        _check_wires(owner, component)
    except WiringError:
        owner.wires, owner.components, owner._inputs, owner._outputs = before
        component.name, component.parent, old.parent = "", None, owner
        raise
    return component


def _path(diagram: Diagram, component: Component) -> str:
    """The dotted name of a component of a diagram. Raises WiringError."""
    names: list[str] = []
    place: Any = component
    while isinstance(place, Component) and place is not diagram:
        names.append(place.name or type(place).__name__)
        place = place.parent
    if place is not diagram or not names:
        given = " in ".join(names) or repr(component)
        raise WiringError(
            f"what is to be replaced must be a component of this diagram or its name, "
            f"one of {', '.join(diagram.components)}, not {given}"
        )
    return ".".join(reversed(names))


def _exchange(owner: Diagram, name: str, old: Component, new: Component) -> None:
    """Let a component take the place and the wires of another one."""
    owner.wires = {
        (new if sink is old else sink, port): replace(source, component=new) if source.component is old else source
        for (sink, port), source in owner.wires.items()
    }
    owner.components[name] = new
    new.name, new.parent = name, owner
    old.parent = None
    owner._inputs = {
        key: tuple(new.input_port(r.name) if r.block is old else r for r in refs) for key, refs in owner._inputs.items()
    }
    owner._outputs = {
        key: owner._port_ref(Source(new, r.name, r.start, r.stop)) if r.block is old else r
        for key, r in owner._outputs.items()
    }


def _check_wires(owner: Diagram, component: Component) -> None:
    """Raise WiringError if a wire of a component does not fit, or one of a diagram around it, which takes its type."""
    for (sink, port), source in owner.wires.items():
        if component in (sink, source.component):
            wiring.check(
                owner._source_signal(source),
                sink.input_ports[port].signal,
                owner._source_text(source),
                f"{sink.name}.{port}",
            )
    if isinstance(owner.parent, Diagram):
        _check_wires(owner.parent, owner)


def _must_have(ports: Mapping[str, Any], name: str, who: str, kind: str) -> None:
    if name not in ports:
        raise WiringError(f"{who} has no {kind} '{name}', which is wired", code="unknown-name", wrong=name, valid=ports)


def _must_select(old: PortRef, new: PortRef, start: int | None, stop: int | None, who: str) -> None:
    """Raise WiringError if a wire that takes some elements of a port would take others from the new one."""
    if start is None:
        return
    before, after = old.signal.labels[start:stop], new.signal.labels[start:stop]
    if before and after and before != after:
        raise WiringError(
            f"{who} has other elements in '{new.name}': ({', '.join(after)}) where ({', '.join(before)}) are wired"
        )
