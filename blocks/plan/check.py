"""Checks: the type of every output, which some blocks take over from an input, and whether all that is connected goes
together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from blocks.errors import WiringError, raise_all
from blocks.model import wiring
from blocks.plan.flatten import Feed, Leaf, Node
from blocks.plan.kernel import check_kernel
from blocks.plan.sizes import Sized
from blocks.signal import Signal

Signals = Mapping[Node, Signal]
"""The type of every output of every block."""

_MOST_NUMBERS = 100_000_000
"""In all outputs: 800 MB. The engine counts in 32 bit."""


@dataclass(frozen=True)
class Checked(Sized):
    """A diagram in which the ends of all wires go together."""

    signals: Signals


def check(sized: Sized) -> Checked:
    """Find the types of all outputs and check all wires with them: some are known only through several blocks.

    Raises WiringError for ends that do not go together, and for more numbers than an engine can hold, and
    DeclarationError for a block without a kernel that fits.
    """
    signals = find_signals(sized)
    raise_all([fault for _, fault in wire_faults(sized, signals)])
    _check_size(sized)
    for leaf in sized.leaves:
        check_kernel(leaf.block)
    return Checked(**vars(sized), signals=signals)


def wire_faults(sized: Sized, signals: Signals) -> Iterator[tuple[tuple[Leaf, str], WiringError]]:
    """The inputs whose type differs from that of what they read."""
    for leaf in sized.leaves:
        for name, feed in sized.feeds[leaf].items():
            try:
                wiring.check(
                    feed_signal(sized, feed, signals), leaf.inputs[name].signal, str(feed), f"{leaf.name}.{name}"
                )
            except WiringError as fault:
                yield (leaf, name), fault


def find_signals(sized: Sized) -> dict[Node, Signal]:
    """The type of every output with its shape, taken over from an input where it is declared `like` one.

    Outputs that are like one another in a ring have the types that they declare.
    """
    found: dict[Node, Signal] = {}
    for leaf in sized.leaves:
        for name in leaf.outputs:
            _follow(sized, (leaf, name), found)
    return found


def _follow(sized: Sized, node: Node, found: dict[Node, Signal]) -> None:
    """Find the type of an output: go back to one that is known, and hand it on from there."""
    way: dict[Node, Feed] = {}
    while node not in found and node not in way:
        feed = _model(sized, *node)
        if feed is None:
            found[node] = _declared(sized, *node)
            break
        way[node] = feed
        if feed.block is None:
            break
        node = (feed.block, feed.port)
    else:
        if node not in found:
            nodes = list(way)
            for member in nodes[nodes.index(node) :]:
                found[member] = _declared(sized, *member)
                del way[member]
    for (leaf, name), feed in reversed(way.items()):
        found[leaf, name] = _reshaped(feed_signal(sized, feed, found), sized.shape(leaf, leaf.outputs[name].signal))


def _model(sized: Sized, leaf: Leaf, output: str) -> Feed | None:
    """What feeds the input that an output is like, if that has as many elements."""
    port = leaf.outputs[output]
    feed = sized.feeds[leaf].get(port.like) if port.like else None
    same = feed is not None and wiring.width(sized.feed_shape(feed)) == sized.width(leaf, port.signal)
    return feed if same else None


def _declared(sized: Sized, leaf: Leaf, output: str) -> Signal:
    signal = leaf.outputs[output].signal
    return _reshaped(signal, sized.shape(leaf, signal))


def _reshaped(signal: Signal, shape: tuple[int, ...]) -> Signal:
    return Signal(signal.name, shape, signal.unit, signal.frame, signal.labels, signal.meanings)


def feed_signal(sized: Sized, feed: Feed, signals: Signals) -> Signal:
    """The type of what an input reads."""
    if feed.block is None:
        whole = _reshaped(sized.externals[feed.port].signal, sized.input_shapes[feed.port])
    else:
        whole = signals[feed.block, feed.port]
    return whole if feed.start is None or feed.stop is None else wiring.selected(whole, feed.start, feed.stop)


def _check_size(sized: Sized) -> None:
    """Raise WiringError for more numbers than an engine can hold."""
    counts = {leaf.name: sum(sized.width(leaf, port.signal) for port in leaf.outputs.values()) for leaf in sized.leaves}
    total = sum(counts.values())
    if total > _MOST_NUMBERS:
        largest = max(counts, key=lambda name: counts[name])
        raise WiringError(
            f"the outputs of the blocks hold {float(total):.3g} numbers, and {_MOST_NUMBERS:.0e} is the most; those of "
            f"{largest} alone are {float(counts[largest]):.3g}"
        )
