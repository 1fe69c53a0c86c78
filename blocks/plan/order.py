"""The order of evaluation: by direct feedthrough per port, and the whole path of an algebraic loop if there is none."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NoReturn

from blocks.errors import WiringError
from blocks.plan.flatten import Flat, Leaf

Node = tuple[Leaf, str]
Needs = dict[Node, list[Node]]
"""Of each output the outputs that it depends on at the same instant."""
_MOST_STEPS = 12
"""Steps of an algebraic loop that are shown."""


@dataclass(frozen=True)
class Call:
    """One call of a block's kernel and the outputs that it has to compute."""

    leaf: Leaf
    outputs: frozenset[str]


def needs(flat: Flat) -> Needs:
    """Every output of every block, with the outputs that have to be known first."""
    found: Needs = {}
    for leaf in flat.leaves:
        feeds = {name: (feed.block, feed.port) for name, feed in leaf.feeds.items() if feed.block is not None}
        for output in leaf.outputs:
            fed = [feeds[name] for name in leaf.block.feedthrough(output) if name in feeds]
            found[leaf, output] = list(dict.fromkeys(fed))
    return found


def sources(leaf: Leaf) -> list[Node]:
    """All outputs of blocks that feed this block, through feedthrough or not."""
    return [(feed.block, feed.port) for feed in leaf.feeds.values() if feed.block is not None]


def closure(start: Iterable[Node], needed: Needs) -> set[Node]:
    """These outputs and all that they depend on at the same instant."""
    found: set[Node] = set()
    waiting = list(start)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += needed[node]
    return found


def order(flat: Flat, wanted: set[Node], needed: Needs) -> list[Call]:
    """Calls that compute the wanted outputs, each after what it depends on. Raises WiringError on a loop.

    Next comes the first block in the diagram that can be called for all that is left of it, and if there is none the
    first that can be called for a part of it.
    """
    waits = {node: sum(one in wanted for one in needed[node]) for node in wanted}
    readers: dict[Node, list[Node]] = {node: [] for node in wanted}
    for node in wanted:
        for one in needed[node]:
            if one in wanted:
                readers[one].append(node)
    numbers = {leaf: number for number, leaf in enumerate(flat.leaves)}
    left = dict.fromkeys(flat.leaves, 0)
    ready: dict[Leaf, list[str]] = {leaf: [] for leaf in flat.leaves}
    for leaf, _ in wanted:
        left[leaf] += 1
    whole: list[int] = []  # heaps of blocks by their number, some of which may have been called meanwhile
    part: list[int] = []

    def is_ready(node: Node) -> None:
        leaf, output = node
        ready[leaf].append(output)
        heapq.heappush(whole if len(ready[leaf]) == left[leaf] else part, numbers[leaf])

    for node, count in waits.items():
        if not count:
            is_ready(node)
    calls: list[Call] = []
    while whole or part:
        leaf = flat.leaves[heapq.heappop(whole or part)]
        outputs = ready[leaf]
        if not outputs:
            continue
        calls.append(Call(leaf, frozenset(outputs)))
        ready[leaf] = []
        left[leaf] -= len(outputs)
        for output in outputs:
            for reader in readers[leaf, output]:
                waits[reader] -= 1
                if not waits[reader]:
                    is_ready(reader)
    missing = {node for node, count in waits.items() if count}
    if missing:
        _raise_loop(flat, missing)
    return calls


def _raise_loop(flat: Flat, missing: set[Node]) -> NoReturn:
    """Walk back along what is missing until an output comes again, and say the way port by port."""
    node = next((leaf, output) for leaf in flat.leaves for output in leaf.outputs if (leaf, output) in missing)
    way: dict[Node, int] = {}
    entries: list[str] = []
    while node not in way:
        way[node] = len(way)
        current, output = node
        name = next(
            n
            for n in current.block.feedthrough(output)
            if (f := current.feeds.get(n)) is not None and f.block is not None and (f.block, f.port) in missing
        )
        feed = current.feeds[name]
        assert feed.block is not None
        entries.append(f"{current.name}.{name}")
        node = (feed.block, feed.port)
    first = way[node]
    loop, inputs = list(way)[first:][::-1], entries[first:][::-1]
    steps = [f"{entry} → {member.name}.{output}" for (member, output), entry in zip(loop, inputs, strict=True)]
    if len(steps) > _MOST_STEPS:
        steps[_MOST_STEPS // 2 : -_MOST_STEPS // 2] = [f"… {len(steps) - _MOST_STEPS} more …"]
    text = " → ".join([f"{loop[-1][0].name}.{loop[-1][1]}", *steps])
    can_wait = list(dict.fromkeys(member.name for member, _ in loop if "feedthrough" in member.block.parameters))[:3]
    or_else = f"; or give {' or '.join(can_wait)} feedthrough=False" if can_wait else ""
    raise WiringError(
        f"algebraic loop: {text}; each of these depends on the one before at the same instant. Break it with a block "
        f"whose output does not: a UnitDelay, a FirstOrderLag or an Integrator, or a thruster or sensor with its own "
        f"dynamics{or_else}"
    )


def changing(flat: Flat) -> set[Node]:
    """The outputs that can change between major steps: not those of samples, nor what depends on constants alone."""
    found: set[Node] = set()
    waiting: list[Node] = []
    readers: dict[Node, list[Node]] = {}
    for leaf in flat.leaves:
        if leaf.block.sampled:
            continue
        moving = leaf.block.uses_time or any(not state.discrete for state in leaf.states.values())
        for output in leaf.outputs:
            node = (leaf, output)
            fed = [leaf.feeds[name] for name in leaf.block.feedthrough(output) if name in leaf.feeds]
            if moving or any(feed.block is None for feed in fed):
                waiting.append(node)
            for feed in fed:
                if feed.block is not None:
                    readers.setdefault((feed.block, feed.port), []).append(node)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += readers.get(node, ())
    return found


def steady(flat: Flat) -> set[Leaf]:
    """The blocks whose outputs depend on parameters alone, which need evaluation only when those change."""
    found: set[Leaf] = set()
    readers: dict[Leaf, list[Leaf]] = {}
    moving: dict[Leaf, int] = {}
    waiting: list[Leaf] = []
    for leaf in flat.leaves:
        block = leaf.block
        feeds = leaf.feeds.values()
        if not block.kernel or block.sampled or block.uses_time or leaf.states or any(f.block is None for f in feeds):
            continue
        moving[leaf] = len(feeds)
        if not feeds:
            waiting.append(leaf)
        for feed in feeds:
            if feed.block is not None:
                readers.setdefault(feed.block, []).append(leaf)
    while waiting:
        leaf = waiting.pop()
        found.add(leaf)
        for reader in readers.get(leaf, ()):
            moving[reader] -= 1
            if not moving[reader]:
                waiting.append(reader)
    return found
