"""Channels: the outputs of controllers and guidance at which loops can be opened."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from blocks.lab.analysis.elements import elements_of
from blocks.model.python_block import PythonBlock
from blocks.plan import Plan
from blocks.plan.flatten import Flat, Leaf

_GAIN = re.compile(r"(^|_)k[pid]$")
_MEASURES = ("error", "sliding")
"""Outputs of controllers that tell what they see, not what they do."""


@dataclass(frozen=True)
class Channel:
    """One number by which a controller, or guidance, acts on what follows it.

    name: of the output, with its element where it has several; output: without; block: whose it is. steers: for
    guidance and for a controller that another one follows, which asks instead of acting.
    """

    name: str
    output: str
    block: str
    place: int
    unit: str
    steers: bool


def is_controller(leaf: Leaf) -> bool:
    """Whether a block closes loops by gains: of the family `control`, with an error or with gains, or made like one."""
    block = leaf.block
    gains = any(_GAIN.search(name) for name in block.all_parameters())
    if getattr(type(block), "acting", None) and gains:
        return True
    return block.family == "control" and ("error" in leaf.outputs or gains)


def channels_of(plan: Plan, also: Collection[str] = ()) -> tuple[Channel, ...]:
    """What controllers and guidance say to other blocks, number by number, in the order of the diagram.

    also: blocks that count as controllers, a gain alone say.
    """
    flat, found = plan.flat, []
    sinks = sinks_of(flat)
    for leaf in flat.leaves:
        controller = leaf.name in also or is_controller(leaf)
        if not controller and leaf.block.family != "guidance":
            continue
        for port in leaf.outputs:
            readers = sinks.get((leaf, port), ())
            place = plan.outputs.get(f"{leaf.name}.{port}")
            if (controller and port in _MEASURES) or not readers or place is None:
                continue
            steers = not controller or any(is_controller(reader) for reader in readers)
            found += [
                Channel(one.name, place.name, leaf.name, one.place, one.unit, steers) for one in elements_of(place)
            ]
    return tuple(found)


def sinks_of(flat: Flat) -> dict[tuple[Leaf, str], list[Leaf]]:
    """Which blocks read each output."""
    found: dict[tuple[Leaf, str], list[Leaf]] = {}
    for leaf, feeds in flat.feeds.items():
        for feed in feeds.values():
            if feed.node is not None:
                found.setdefault(feed.node, []).append(leaf)
    return found


def held_within(flat: Flat, blocks: set[str]) -> tuple[str, ...]:
    """Sampled blocks through which loops of some blocks go: a linear system, in which they are held, lacks these."""
    after: dict[Leaf, set[Leaf]] = {leaf: set() for leaf in flat.leaves}
    before: dict[Leaf, set[Leaf]] = {leaf: set() for leaf in flat.leaves}
    for leaf, feeds in flat.feeds.items():
        for feed in feeds.values():
            if feed.block is not None:
                after[feed.block].add(leaf)
                before[leaf].add(feed.block)
    found: dict[str, None] = {}
    for leaf in flat.leaves:
        if leaf.name in blocks:
            around = _reached(leaf, after) & _reached(leaf, before)
            found |= {one.name: None for one in flat.leaves if one in around and _is_held(one)}
    return tuple(found)


def _is_held(leaf: Leaf) -> bool:
    discrete = any(state.discrete for state in leaf.states.values())
    return leaf.block.sampled or (isinstance(leaf.block, PythonBlock) and discrete)


def _reached(start: Leaf, ways: Mapping[Leaf, set[Leaf]]) -> set[Leaf]:
    found, ahead = set(), [start]
    while ahead:
        for leaf in ways[ahead.pop()]:
            if leaf not in found:
                found.add(leaf)
                ahead.append(leaf)
    return found
