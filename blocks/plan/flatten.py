"""Flatten a diagram: every block with its dotted name, what feeds each of its inputs, and all sizes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from blocks.errors import WiringError
from blocks.model import wiring
from blocks.model.block import Block
from blocks.model.component import Component
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
    _resolve_sizes(flat)
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
        for name, port in leaf.block.input_ports.items():
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


def _source_shape(flat: Flat, feed: Feed) -> tuple[int | str, ...]:
    if feed.start is not None and feed.stop is not None:
        return () if feed.stop - feed.start == 1 else (feed.stop - feed.start,)
    if feed.block is None:
        return flat.externals[feed.port].shape
    return feed.block.shape(feed.block.block.output_ports[feed.port].signal)


def _resolve_sizes(flat: Flat) -> None:
    """Let sizes follow the wires: forward from sources, then backward from sinks, and 1 where nothing says more."""
    while True:
        changed = False
        for leaf in flat.leaves:
            for name, feed in leaf.feeds.items():
                port = leaf.block.input_ports[name]
                changed |= _unify(leaf, port.signal, _source_shape(flat, feed), f"{leaf.name}.{name}", str(feed))
        if changed:
            continue
        for leaf in flat.leaves:
            for name, feed in leaf.feeds.items():
                changed |= _unify_back(
                    flat, feed, leaf.shape(leaf.block.input_ports[name].signal), f"{leaf.name}.{name}"
                )
        if not changed and not _default_one_size(flat):
            break
    for leaf in flat.leaves:
        for name, feed in leaf.feeds.items():
            whole = wiring.width(_source_shape(flat, Feed(feed.block, feed.port)))
            if feed.stop is not None and feed.stop > whole:
                raise WiringError(f"{feed}, which feeds {leaf.name}.{name}: there are only {whole} elements")
            got, want = _source_shape(flat, feed), leaf.shape(leaf.block.input_ports[name].signal)
            if got != want and not wiring.width(got) == wiring.width(want) == 1:
                raise WiringError(
                    f"cannot connect {feed} to {leaf.name}.{name}: shapes {_text(got)} and {_text(want)} differ"
                )


def _text(shape: tuple[int | str, ...]) -> str:
    return "×".join(map(str, shape)) or "1"


def _unify(leaf: Leaf, signal: Signal, shape: tuple[int | str, ...], sink: str, source: str) -> bool:
    """Learn the sizes of a block from a shape that is wired to it; True if something new was learned."""
    if not shape and len(signal.shape) == 1:
        shape = (1,)
    if len(shape) != len(signal.shape):
        return False
    learned = False
    for dimension, number in zip(signal.shape, shape, strict=True):
        if isinstance(dimension, str) and isinstance(number, int) and dimension not in leaf.sizes:
            leaf.sizes[dimension] = number
            learned = True
    return learned


def _unify_back(flat: Flat, feed: Feed, shape: tuple[int | str, ...], sink: str) -> bool:
    if feed.start is not None or not all(isinstance(d, int) for d in shape):
        return False
    if feed.block is not None:
        signal = feed.block.block.output_ports[feed.port].signal
        return _unify(feed.block, signal, shape, str(feed), sink)
    external = flat.externals[feed.port]
    if all(isinstance(d, int) for d in external.shape):
        return False
    external.shape = shape
    return True


def _default_one_size(flat: Flat) -> bool:
    """Give one size that nothing decides the value 1; True if there was one."""
    for leaf in flat.leaves:
        signals = [p.signal for p in (*leaf.block.input_ports.values(), *leaf.block.output_ports.values())]
        shapes = [s.shape for s in signals] + [p.shape for p in leaf.block.all_parameters().values()]
        for shape in shapes:
            for dimension in shape:
                if isinstance(dimension, str) and dimension not in leaf.sizes:
                    leaf.sizes[dimension] = 1
                    return True
    for external in flat.externals.values():
        if not all(isinstance(d, int) for d in external.shape):
            external.shape = tuple(d if isinstance(d, int) else 1 for d in external.shape)
            return True
    return False


def signal_of(flat: Flat, leaf: Leaf, output: str, seen: Mapping[int, bool] | None = None) -> Signal:
    """The type of an output with sizes filled in, taken over from an input where it is declared `like` one."""
    port = leaf.block.output_ports[output]
    shape = leaf.shape(port.signal)
    seen = seen or {}
    if port.like and id(leaf) not in seen and port.like in leaf.feeds:
        feed = leaf.feeds[port.like]
        model = _feed_signal(flat, feed, {**seen, id(leaf): True})
        fits = model.shape == shape or wiring.width(model.shape) == wiring.width(shape)
        if fits:
            return Signal(model.name, shape, model.unit, model.frame, model.labels)
    return Signal(port.signal.name, shape, port.signal.unit, port.signal.frame, port.signal.labels)


def _feed_signal(flat: Flat, feed: Feed, seen: Mapping[int, bool]) -> Signal:
    if feed.block is None:
        external = flat.externals[feed.port]
        model = Signal(
            external.signal.name, external.shape, external.signal.unit, external.signal.frame, external.signal.labels
        )
    else:
        model = signal_of(flat, feed.block, feed.port, seen)
    if feed.start is None or feed.stop is None:
        return model
    unit = model.units(wiring.width(model.shape))[feed.start : feed.stop]
    return Signal(
        model.name,
        () if feed.stop - feed.start == 1 else (feed.stop - feed.start,),
        unit[0] if len(set(unit)) == 1 else unit,  # type: ignore[arg-type]
        model.frame,
        model.labels[feed.start : feed.stop],
    )


def check_types(flat: Flat) -> None:
    """Check units and frames once more, now that they are known through blocks that take over their input's type."""
    for leaf in flat.leaves:
        for name, feed in leaf.feeds.items():
            wiring.check(
                _feed_signal(flat, feed, {}), leaf.block.input_ports[name].signal, str(feed), f"{leaf.name}.{name}"
            )
