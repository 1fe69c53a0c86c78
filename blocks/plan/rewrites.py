"""Rewrites: what is changed in a diagram that is checked, before it is ordered.

Loops are opened: the sinks of an output read an external input instead. Room is made: arrays of parameters that may
grow while a plan runs, such as waypoints, get as many rows as they may need. Concatenation is had for nothing: sources
of a Mux write straight into its output, so that there is nothing left to copy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from blocks.errors import ParameterError, WiringError, did_you_mean
from blocks.plan.check import Checked
from blocks.plan.flatten import External, Feed, Leaf, Node

MOST_ROWS = 100_000
"""The greatest capacity: more is a slip of the pen, and would fill the memory."""

Homes = Mapping[Node, tuple[Node, int]]
"""The outputs that stand within another one: in which outermost one, and from which of its elements."""


@dataclass(frozen=True)
class Rewritten(Checked):
    """A diagram as it is going to run."""

    capacities: Mapping[Leaf, Mapping[str, int]]
    """Of blocks with sizes that may grow while the plan runs: how far."""
    homes: Homes
    elided: frozenset[Leaf]
    """Blocks that need not be called."""

    def room(self, leaf: Leaf) -> Mapping[str, int]:
        """The sizes that arrays of a block are laid out for."""
        return {**self.sizes[leaf], **self.capacities.get(leaf, {})}


def rewrite(checked: Checked, opened: Iterable[str], capacities: Mapping[str, int]) -> Rewritten:
    """Open the loops at outputs, make room by the names of sizes, and let sources write into what they are put into.

    Raises WiringError and ParameterError for names that are not there, and for capacities that cannot be.
    """
    checked = _open_loops(checked, opened)
    room = _make_room(checked, capacities)
    homes, elided = _find_homes(checked)
    return Rewritten(**vars(checked), capacities=room, homes=homes, elided=elided)


# --- loops ---------------------------------------------------------------------------------------------------------


def _open_loops(checked: Checked, names: Iterable[str]) -> Checked:
    """Let all sinks of the outputs `names` ("heading.output") read external inputs with these names instead."""
    outputs = {f"{leaf.name}.{port}": (leaf, port) for leaf in checked.leaves for port in leaf.outputs}
    feeds = dict(checked.feeds)
    externals = dict(checked.externals)
    shapes = dict(checked.input_shapes)
    for name in names:
        if name not in outputs:
            raise WiringError(
                f"cannot open the loop at '{name}': there is no such output",
                code="unknown-name",
                wrong=name,
                valid=outputs,
            )
        node = outputs[name]
        sinks = [leaf for leaf, own in feeds.items() if any(feed.node == node for feed in own.values())]
        if not sinks:
            raise WiringError(f"cannot open the loop at {name}: no input reads it")
        signal = checked.signals[node]
        externals[name] = External(name, signal, f"in place of {name}", 0.0)
        shapes[name] = checked.shape(node[0], node[0].outputs[node[1]].signal)
        for leaf in sinks:
            feeds[leaf] = {
                sink: Feed(None, name, feed.start, feed.stop) if feed.node == node else feed
                for sink, feed in feeds[leaf].items()
            }
    return replace(checked, feeds=feeds, externals=externals, input_shapes=shapes)


# --- room ----------------------------------------------------------------------------------------------------------


def _make_room(checked: Checked, capacities: Mapping[str, Any]) -> dict[Leaf, dict[str, int]]:
    """How many rows arrays are to have room for, by the names of sizes such as "guidance.n".

    The one block of a plan without a diagram may be left out: "n".
    """
    found: dict[Leaf, dict[str, int]] = {}
    if not capacities:
        return found
    alone = not any("." in name for name in capacities) and len(checked.leaves) == 1
    known: dict[str, tuple[Leaf, str, list[str]]] = {
        size if alone else f"{leaf.name}.{size}": (leaf, size, names)
        for leaf in checked.leaves
        for size, names in leaf.block.resizable_sizes().items()
    }
    for name, capacity in capacities.items():
        if name not in known:
            near = did_you_mean(name, known) if known else "; there is none here"
            raise ParameterError(f"no size '{name}' that can grow{near}")
        leaf, size, names = known[name]
        rows = checked.sizes[leaf][size]
        if isinstance(capacity, bool) or not isinstance(capacity, (int, np.integer)) or capacity < rows:
            raise ParameterError(
                f"the capacity of {name} must be a whole number of at least {rows}, as many as "
                f"{' and '.join(f'{leaf.name}.{parameter}' for parameter in names)} has now, not {capacity!r}"
            )
        if capacity > MOST_ROWS:
            raise ParameterError(f"the capacity of {name} must be at most {MOST_ROWS}, not {capacity!r}")
        found.setdefault(leaf, {})[size] = int(capacity)
    return found


# --- concatenation -------------------------------------------------------------------------------------------------


def _find_homes(checked: Checked) -> tuple[Homes, frozenset[Leaf]]:
    """For each output that can stand within the output of a concatenating block: there, and at which element.

    Also the concatenating blocks whose inputs all do so or are constant: they need not be called.
    """
    homes: dict[Node, tuple[Node, int]] = {}
    elided: set[Leaf] = set()
    for leaf in checked.leaves:
        if not leaf.block.concatenates:
            continue
        (output,) = leaf.outputs
        offset = 0
        complete = True
        for name, port in leaf.inputs.items():
            feed = checked.feeds[leaf].get(name)
            if feed is not None:
                node = feed.node if feed.start is None else None
                if node is not None and _may_move(homes, node, (leaf, output)):
                    homes[node] = ((leaf, output), offset)
                else:
                    complete = False
            offset += checked.width(leaf, port.signal)
        if complete:
            elided.add(leaf)
    return {node: _outermost(homes, node) for node in homes}, frozenset(elided)


def _may_move(homes: dict[Node, tuple[Node, int]], node: Node, whole: Node) -> bool:
    """An output may move if it has no other home, is no state and does not hold its new home within itself."""
    leaf, name = node
    return node not in homes and not leaf.state_of(name) and _outermost(homes, whole)[0] != node


def _outermost(homes: dict[Node, tuple[Node, int]], node: Node) -> tuple[Node, int]:
    """Where an output stands in the end. What lies on the way there is noted to stand there, too."""
    way = []
    while node in homes:
        way.append(node)
        node = homes[node][0]
    offset = 0
    for inner in reversed(way):
        offset += homes[inner][1]
        homes[inner] = (node, offset)
    return node, offset
