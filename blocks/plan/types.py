"""Types of signals: unit, frame and labels of every output, which some blocks take over from an input, and whether the
two ends of every wire agree."""

from __future__ import annotations

from blocks.model import wiring
from blocks.plan.flatten import Feed, Flat, Leaf
from blocks.plan.sizes import source_shape
from blocks.signal import Signal

Signals = dict[tuple[Leaf, str], Signal]
"""The type of every output of every block."""


def output_signals(flat: Flat) -> Signals:
    """The type of every output with sizes filled in, taken over from an input where it is declared `like` one.

    Outputs that are like one another in a ring have the types that they declare.
    """
    found: Signals = {}
    for leaf in flat.leaves:
        for name in leaf.outputs:
            _follow(flat, (leaf, name), found)
    return found


def _follow(flat: Flat, node: tuple[Leaf, str], found: Signals) -> None:
    """Find the type of an output: go back to one that is known, and hand it on from there."""
    way: dict[tuple[Leaf, str], Feed] = {}
    while node not in found and node not in way:
        feed = _model(flat, *node)
        if feed is None:
            found[node] = _declared(*node)
            break
        way[node] = feed
        if feed.block is None:
            break
        node = (feed.block, feed.port)
    else:
        if node not in found:
            nodes = list(way)
            for member in nodes[nodes.index(node) :]:
                found[member] = _declared(*member)
                del way[member]
    for (leaf, name), feed in reversed(way.items()):
        model = feed_signal(flat, feed, found)
        shape = leaf.shape(leaf.outputs[name].signal)
        found[leaf, name] = Signal(model.name, shape, model.unit, model.frame, model.labels)


def _model(flat: Flat, leaf: Leaf, output: str) -> Feed | None:
    """What feeds the input that an output is like, if there is one of as many elements."""
    port = leaf.outputs[output]
    feed = leaf.feeds.get(port.like) if port.like else None
    if feed is None:
        return None
    theirs, own = source_shape(flat, feed), leaf.shape(port.signal)
    return feed if theirs == own or wiring.width(theirs) == wiring.width(own) else None


def _declared(leaf: Leaf, output: str) -> Signal:
    signal = leaf.outputs[output].signal
    return Signal(signal.name, leaf.shape(signal), signal.unit, signal.frame, signal.labels)


def feed_signal(flat: Flat, feed: Feed, signals: Signals) -> Signal:
    """The type of what an input reads."""
    if feed.block is None:
        external = flat.externals[feed.port]
        declared = external.signal
        model = Signal(declared.name, external.shape, declared.unit, declared.frame, declared.labels)
    else:
        model = signals[feed.block, feed.port]
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


def check_types(flat: Flat, signals: Signals) -> None:
    """Check units and frames once more, now that they are known through blocks that take over their input's type."""
    for leaf in flat.leaves:
        for name, feed in leaf.feeds.items():
            wiring.check(feed_signal(flat, feed, signals), leaf.inputs[name].signal, str(feed), f"{leaf.name}.{name}")
