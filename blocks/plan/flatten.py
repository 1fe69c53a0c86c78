"""Flatten a diagram: every block with its dotted name, and what feeds each of its inputs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from blocks.errors import KeelblocksError, WiringError, raise_all
from blocks.model import wiring
from blocks.model.block import Block
from blocks.model.component import Component
from blocks.model.declare import Input, Output, State
from blocks.model.diagram import Diagram
from blocks.signal import Signal


@dataclass(frozen=True, eq=False)
class Leaf:
    """One block of a flattened diagram, with the ports and states that it had when that was made.

    What passes find out about it stands in tables of theirs, such as `Sized.sizes`.
    """

    number: int
    """Counted in the order of the diagram, from 0."""
    name: str
    """Dotted, "plant.vessel"."""
    block: Block
    inputs: Mapping[str, Input]
    outputs: Mapping[str, Output]
    states: Mapping[str, State]

    def state_of(self, output: str) -> str | None:
        """The continuous state that an output simply is."""
        return self._states_shown.get(output)

    @cached_property
    def _states_shown(self) -> dict[str, str]:
        return {name: state for name in self.outputs if (state := self.block.state_of(name)) is not None}


Node = tuple[Leaf, str]
"""An output of a block."""


@dataclass(frozen=True)
class Feed:
    """What an input reads: elements of an output of a block, or (block None) of an external input."""

    block: Leaf | None
    port: str
    start: int | None = None
    stop: int | None = None

    @property
    def node(self) -> Node | None:
        """The output, if it is one."""
        return None if self.block is None else (self.block, self.port)

    def __str__(self) -> str:
        part = "" if self.start is None or self.stop is None else f"[{self.start}:{self.stop}]"
        if part and self.stop == self.start + 1:  # type: ignore[operator]
            part = f"[{self.start}]"
        return f"{self.block.name}.{self.port}{part}" if self.block else f"input '{self.port}{part}'"


@dataclass(frozen=True)
class External:
    """An input of the outermost diagram, as it is declared."""

    name: str
    signal: Signal
    doc: str
    default: object


@dataclass(frozen=True)
class Flat:
    """A flattened diagram."""

    leaves: tuple[Leaf, ...]
    feeds: Mapping[Leaf, Mapping[str, Feed]]
    """What each input reads, by its name; an input that is not there has a default."""
    externals: Mapping[str, External]
    outputs: Mapping[str, Feed]
    """Where the outputs of the outermost diagram come from."""


def flatten(component: Block | Diagram, input_signals: Mapping[str, Signal] | None = None) -> Flat:
    """Flatten a diagram, or a block alone with all its inputs external.

    `input_signals` are the types of external inputs, where the ports that they feed leave them open.
    Raises WiringError for a diagram without blocks, for an input without a source, and for one that is not there.
    """
    flat, faults = flatten_as_is(component, input_signals)
    raise_all(faults)
    return flat


def flatten_as_is(
    component: Block | Diagram, input_signals: Mapping[str, Signal] | None = None
) -> tuple[Flat, list[KeelblocksError]]:
    """A flattened diagram, and its inputs without a source, which are then left out of it.

    What comes from a component that is neither block nor diagram, which stands for one that could not be made, is an
    external input of its own.
    """
    given = input_signals or {}
    check_inputs(given, component.input_ports)
    externals = {
        name: External(name, given.get(name, port.signal), port.doc, port.default)
        for name, port in component.input_ports.items()
    }
    return (_alone(component, externals), []) if isinstance(component, Block) else _inside(component, externals)


def check_inputs(names: Iterable[str], known: Mapping[str, object]) -> None:
    """Raise WiringError for a name that none of the inputs of a diagram has."""
    for name in names:
        if name not in known:
            raise WiringError(f"no input '{name}'", code="unknown-input", wrong=name, valid=known)


def _alone(block: Block, externals: Mapping[str, External]) -> Flat:
    leaf = _leaf(0, block.name or instance_name(block), block)
    feeds = {name: Feed(None, name) for name in leaf.inputs}
    return Flat((leaf,), {leaf: feeds}, externals, {name: Feed(leaf, name) for name in leaf.outputs})


def _inside(diagram: Diagram, externals: dict[str, External]) -> tuple[Flat, list[KeelblocksError]]:
    leaves: dict[Component, Leaf] = {}
    for number, (name, block) in enumerate(diagram.blocks().items()):
        leaves[block] = _leaf(number, name, block)
    if not leaves and all(isinstance(component, Diagram) for component in diagram.all_components()):
        raise WiringError(f"{diagram._called()} has no blocks", code="no-blocks")
    feeds: dict[Leaf, dict[str, Feed]] = {leaf: {} for leaf in leaves.values()}
    faults: list[KeelblocksError] = []
    for leaf in leaves.values():
        for name, port in leaf.inputs.items():
            feed = _trace_input(diagram, leaf.block, name, leaves)
            if feed is not None and feed.block is None and feed.port not in externals:
                unknown = f"{leaf.name}.{name}"
                externals[unknown] = External(unknown, port.signal, port.doc, port.default)
                feed = Feed(None, unknown)
            if feed is not None:
                feeds[leaf][name] = feed
            elif port.default is None:
                faults.append(_unconnected(leaf, name, port))
    outputs = {
        name: _trace_output(ref.block, ref.name, ref.start, ref.stop, leaves)
        for name, ref in diagram.boundary_outputs.items()
    }
    return Flat(
        tuple(leaves.values()), feeds, externals, {n: feed for n, feed in outputs.items() if feed.block}
    ), faults


def _unconnected(leaf: Leaf, name: str, port: Input) -> WiringError:
    return WiringError(
        f"{leaf.name}.{name} {wiring.describe(port.signal)} is not connected; it needs a source"
        f"{': ' + port.doc if port.doc else ''}",
        code="unconnected-input",
        block=leaf.name,
        port=name,
    )


def feeds_of(component: Component, top: Diagram, flat: Flat) -> dict[str, Feed]:
    """What the inputs of a block or diagram within `top` read, as far as they are wired. flat: that of `top`."""
    leaves: dict[Component, Leaf] = {leaf.block: leaf for leaf in flat.leaves}
    feeds = {name: _trace_input(top, component, name, leaves) for name in component.input_ports}
    return {name: feed for name, feed in feeds.items() if feed is not None}


def _leaf(number: int, name: str, block: Block) -> Leaf:
    return Leaf(number, name, block, block.input_ports, block.output_ports, block.states)


def instance_name(block: Block) -> str:
    """A name for a block that is in no diagram: its class name in snake case."""
    return re.sub(r"(?<=[a-z])(?=[A-Z\d])", "_", type(block).__name__).lower()


def _trace_input(top: Diagram, component: Component, port: str, leaves: Mapping[Component, Leaf]) -> Feed | None:
    """Follow a wire back from an input, out of nested diagrams and into others, to where its values come from."""
    owner = component.parent
    if not isinstance(owner, Diagram):
        return None
    source = owner.wires.get((component, port))
    if source is None:
        return None
    if source.start is not None and source.start == source.stop:
        return Feed(None, "?")
    if source.component is not None:
        return _trace_output(source.component, source.port, source.start, source.stop, leaves)
    if owner is top:
        return Feed(None, source.port, source.start, source.stop)
    outer = _trace_input(top, owner, source.port, leaves)
    return None if outer is None else _narrow(outer, source.start, source.stop)


def _trace_output(
    component: Component, port: str, start: int | None, stop: int | None, leaves: Mapping[Component, Leaf]
) -> Feed:
    if isinstance(component, Diagram):
        ref = component.boundary_outputs[port]
        return _narrow(_trace_output(ref.block, ref.name, ref.start, ref.stop, leaves), start, stop)
    if component not in leaves:
        return Feed(None, f"{component.path}.{port}")
    return Feed(leaves[component], port, start, stop)


def _narrow(feed: Feed, start: int | None, stop: int | None) -> Feed:
    """A selection of a selection."""
    if start is None or stop is None:
        return feed
    base = feed.start or 0
    return Feed(feed.block, feed.port, base + start, base + stop)
