"""Opening loops: an output whose sinks no longer read it, but an external input."""

from __future__ import annotations

from collections.abc import Iterable

from blocks.errors import WiringError, did_you_mean
from blocks.plan.flatten import External, Feed, Flat, signal_of


def open_loops(flat: Flat, names: Iterable[str]) -> None:
    """Let all sinks of the outputs `names` ("heading.output") read external inputs with these names instead.

    Raises WiringError for an output that does not exist, or that nothing reads.
    """
    outputs = {f"{leaf.name}.{port}": (leaf, port) for leaf in flat.leaves for port in leaf.block.output_ports}
    for name in names:
        if name not in outputs:
            raise WiringError(f"cannot open the loop at '{name}': there is no such output{did_you_mean(name, outputs)}")
        source, port = outputs[name]
        signal = signal_of(flat, source, port)
        sinks = [
            (leaf, sink, feed)
            for leaf in flat.leaves
            for sink, feed in leaf.feeds.items()
            if feed.block is source and feed.port == port
        ]
        if not sinks:
            raise WiringError(f"cannot open the loop at {name}: no input reads it")
        flat.externals[name] = External(name, signal, f"in place of {name}", 0.0, signal.shape)
        for leaf, sink, feed in sinks:
            leaf.feeds[sink] = Feed(None, name, feed.start, feed.stop)
