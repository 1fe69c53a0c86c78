"""Flatten a diagram: every block with its dotted name, what feeds each of its inputs, and all sizes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from blocks.errors import WiringError
from blocks.model import wiring
from blocks.model.block import Block
from blocks.model.component import Component
from blocks.model.declare import Input, Output, State
from blocks.model.diagram import Diagram
from blocks.signal import AnySignal, Signal


@dataclass(frozen=True)
class Feed:
    """What an input reads: elements of an output of a block, or (block None) of an external input."""

    block: Leaf | None
    port: str
    start: int | None = None
    stop: int | None = None

    def __str__(self) -> str:
        part = "" if self.start is None or self.stop is None else f"[{self.start}:{self.stop}]"
        if part and self.stop == self.start + 1:  # type: ignore[operator]
            part = f"[{self.start}]"
        return f"{self.block.name}.{self.port}{part}" if self.block else f"input '{self.port}{part}'"


@dataclass(eq=False)
class Leaf:
    """One block of a flattened diagram."""

    name: str
    block: Block
    feeds: dict[str, Feed] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    capacities: dict[str, int] = field(default_factory=dict)
    """Of sizes that may grow while the plan runs: how far."""

    @cached_property
    def inputs(self) -> Mapping[str, Input]:
        """Its input ports. Taken from the block once, as some make them anew each time."""
        return self.block.input_ports

    @cached_property
    def outputs(self) -> Mapping[str, Output]:
        """Its output ports."""
        return self.block.output_ports

    @cached_property
    def states(self) -> Mapping[str, State]:
        """Its states."""
        return self.block.states

    def state_of(self, output: str) -> str | None:
        """The continuous state that an output simply is."""
        return self._state_outputs.get(output)

    @cached_property
    def _state_outputs(self) -> dict[str, str]:
        return {name: state for name in self.outputs if (state := self.block.state_of(name)) is not None}

    @property
    def room(self) -> dict[str, int]:
        """The sizes that arrays are laid out for."""
        return self.sizes | self.capacities

    def shape(self, signal: Signal) -> tuple[int | str, ...]:
        """The shape of a port as far as sizes are known. A port for any signal that carries one number is a scalar."""
        shape = tuple(self.sizes.get(d, d) if isinstance(d, str) else d for d in signal.shape)
        return () if shape == (1,) and signal == AnySignal else shape

    def width(self, signal: Signal) -> int:
        """How many elements a port has, once sizes are known."""
        return wiring.width(self.shape(signal))


@dataclass
class External:
    """An input of the outermost diagram."""

    name: str
    signal: Signal
    doc: str
    default: object
    shape: tuple[int | str, ...]


@dataclass
class Flat:
    """A flattened diagram."""

    leaves: list[Leaf]
    externals: dict[str, External]
    outputs: dict[str, Feed]


def flatten(
    component: Block | Diagram,
    input_shapes: Mapping[str, tuple[int, ...]] | None = None,
    input_signals: Mapping[str, Signal] | None = None,
) -> Flat:
    """Flatten a diagram, or a block alone with all its inputs external. Raises WiringError.

    `input_shapes` and `input_signals` say more about external inputs than the ports that they feed.
    """
    flat = _alone(component) if isinstance(component, Block) else _inside(component)
    for name, signal in (input_signals or {}).items():
        flat.externals[name].signal = signal
        flat.externals[name].shape = signal.shape
    for name, shape in (input_shapes or {}).items():
        external = flat.externals[name]
        if len(shape) == len(external.shape):
            external.shape = tuple(n if isinstance(d, str) else d for n, d in zip(shape, external.shape, strict=True))
    from blocks.plan.sizes import resolve_sizes

    resolve_sizes(flat)
    return flat


def _inside(component: Diagram) -> Flat:
    leaves: dict[int, Leaf] = {}
    _collect(component, "", leaves)
    if not leaves:
        raise WiringError(f"{component._called()} has no blocks")
    externals = {
        name: External(name, port.signal, port.doc, port.default, port.signal.shape)
        for name, port in component.input_ports.items()
    }
    for leaf in leaves.values():
        for name, port in leaf.inputs.items():
            feed = _trace_input(component, leaf.block, name, leaves)
            if feed is not None:
                leaf.feeds[name] = feed
            elif port.default is None:
                raise WiringError(
                    f"{leaf.name}.{name} {wiring.describe(port.signal)} is not connected; it needs a source"
                    f"{': ' + port.doc if port.doc else ''}"
                )
    outputs = {
        name: _trace_output(ref.block, ref.name, ref.start, ref.stop, leaves)
        for name, ref in component.boundary_outputs.items()
    }
    return Flat(list(leaves.values()), externals, outputs)


def _alone(block: Block) -> Flat:
    leaf = Leaf(block.name or instance_name(block), block, sizes=block.known_sizes())
    for name in block.input_ports:
        leaf.feeds[name] = Feed(None, name)
    externals = {
        name: External(name, port.signal, port.doc, port.default, port.signal.shape)
        for name, port in block.input_ports.items()
    }
    return Flat([leaf], externals, {name: Feed(leaf, name) for name in block.output_ports})


def instance_name(block: Block) -> str:
    """A name for a block that is in no diagram: its class name in snake case."""
    return re.sub(r"(?<=[a-z])(?=[A-Z\d])", "_", type(block).__name__).lower()


def _collect(diagram: Diagram, prefix: str, leaves: dict[int, Leaf]) -> None:
    for name, component in diagram.components.items():
        if isinstance(component, Diagram):
            _collect(component, f"{prefix}{name}.", leaves)
        elif isinstance(component, Block):
            leaves[id(component)] = Leaf(prefix + name, component, sizes=component.known_sizes())


def _trace_input(top: Diagram, component: Component, port: str, leaves: dict[int, Leaf]) -> Feed | None:
    """Follow a wire back from an input, out of nested diagrams and into others, to where its values come from."""
    owner = component.parent
    if not isinstance(owner, Diagram):
        return None
    source = owner.wires.get((component, port))
    if source is None:
        return None
    if source.component is not None:
        return _trace_output(source.component, source.port, source.start, source.stop, leaves)
    if owner is top:
        return Feed(None, source.port, source.start, source.stop)
    outer = _trace_input(top, owner, source.port, leaves)
    return None if outer is None else _narrow(outer, source.start, source.stop)


def _trace_output(
    component: Component, port: str, start: int | None, stop: int | None, leaves: dict[int, Leaf]
) -> Feed:
    if isinstance(component, Diagram):
        ref = component.boundary_outputs[port]
        return _narrow(_trace_output(ref.block, ref.name, ref.start, ref.stop, leaves), start, stop)
    return Feed(leaves[id(component)], port, start, stop)


def _narrow(feed: Feed, start: int | None, stop: int | None) -> Feed:
    """A selection of a selection."""
    if start is None or stop is None:
        return feed
    base = feed.start or 0
    return Feed(feed.block, feed.port, base + start, base + stop)
