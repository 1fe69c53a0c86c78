"""Concatenation for nothing: sources of a Mux write straight into its output, so that there is nothing left to copy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from blocks.plan.flatten import Flat, Leaf
from blocks.plan.order import Node

Homes = dict[Node, tuple[Node, int]]


def find_homes(flat: Flat) -> tuple[Homes, set[Leaf]]:
    """For each output that can stand within the output of a concatenating block: there, and at which element.

    Also the concatenating blocks whose inputs all do so or are constant: they need not be called.
    """
    homes: Homes = {}
    elided: set[Leaf] = set()
    for leaf in flat.leaves:
        if not leaf.block.concatenates:
            continue
        (output,) = leaf.block.output_ports
        offset = 0
        complete = True
        for name, port in leaf.block.input_ports.items():
            feed = leaf.feeds.get(name)
            if feed is not None:
                node = (feed.block, feed.port) if feed.block is not None and feed.start is None else None
                if node is not None and _may_move(homes, node, (leaf, output)):
                    homes[node] = ((leaf, output), offset)
                else:
                    complete = False
            offset += leaf.width(port.signal)
        if complete:
            elided.add(leaf)
    return homes, elided


def _may_move(homes: Homes, node: tuple[Leaf | None, str], whole: Node) -> bool:
    """An output may move if it has no other home, is no state and does not hold its new home within itself."""
    leaf, name = node
    if leaf is None or node in homes or leaf.block.state_of(name):
        return False
    while whole in homes:
        if whole == node:
            return False
        whole, _ = homes[whole]
    return whole != node


def concatenated_defaults(leaf: Leaf, shape: tuple[int, ...]) -> float | NDArray[np.float64]:
    """Start values of an output: where a concatenating block has an unconnected input, its default."""
    if not leaf.block.concatenates:
        return 0.0
    parts = [
        np.broadcast_to(
            0.0 if name in leaf.feeds or port.default is None else np.asarray(port.default, dtype=np.float64),
            (leaf.width(port.signal),),
        )
        for name, port in leaf.block.input_ports.items()
    ]
    return np.concatenate(parts).reshape(shape)
