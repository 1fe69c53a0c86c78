"""What was wanted of each controller: where the references of controllers come from, as a run recorded them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blocks.plan.flatten import Feed, Flat, Leaf
from blocks.report.ran import HasBlocks, flat_of
from blocks.run.result import Result

Array = NDArray[np.float64]

_ELEMENTS = {
    ("eta", 2): "depth", ("eta", 3): "roll", ("eta", 4): "pitch", ("eta", 5): "heading",
    ("nu", 0): "speed", ("nu_r", 0): "speed",
}  # fmt: skip
"""What a controller keeps, by the element of a vessel's output that it measures."""
QUANTITIES = ("depth", "heading", "speed", "roll", "pitch")
"""Names of ports that say what a controller keeps: its input wants it, or it wants it of the next one."""


@dataclass(frozen=True)
class Reference:
    """What a controller is to keep, over time, SI."""

    quantity: str
    source: str
    """The block that wants it, by its own name."""
    values: Array


def references(result: Result, diagram: HasBlocks) -> list[Reference]:
    """What was wanted of the controllers of a diagram, as far as it was recorded; each series once."""
    flat = flat_of(diagram)
    found: list[Reference] = []
    for quantity, feed in wanted_of(flat):
        values = recorded(result, feed)
        if values is None or values.ndim != 1 or not np.isfinite(values).all():
            continue
        source = feed.block.name.rpartition(".")[2] if feed.block else feed.port
        if not any(one.quantity == quantity and np.array_equal(one.values, values) for one in found):
            found.append(Reference(quantity, source.replace("_", " "), values))
    return found


def recorded(result: Result, feed: Feed) -> Array | None:
    """What an input reads over time, if that was recorded: a series, or a row for each point."""
    name = feed.port if feed.block is None else f"{feed.block.name}.{feed.port}"
    if name not in result:
        return None
    table = result.values(name).reshape(len(result), -1)
    if feed.start is not None:
        table = table[:, feed.start : feed.stop]
    return table[:, 0] if table.shape[1] == 1 else table


def feeds_of(diagram: HasBlocks) -> dict[str, dict[str, Feed]]:
    """What feeds each input of each block, by their names."""
    flat = flat_of(diagram)
    return {leaf.name: dict(flat.feeds[leaf]) for leaf in flat.leaves}


def wanted_of(flat: Flat) -> Iterator[tuple[str, Feed]]:
    """What is wanted of all controllers, and where that comes from."""
    for leaf in flat.leaves:
        if leaf.block.family != "control":
            continue
        feeds = flat.feeds[leaf]
        for name in QUANTITIES:
            if name in feeds:
                yield name, feeds[name]
            elif name in leaf.outputs:
                yield name, Feed(leaf, name)
        if "pose" in feeds and feeds["pose"].start is None:
            yield "heading", Feed(feeds["pose"].block, feeds["pose"].port, 5, 6)
        if "reference" in feeds and "measurement" in feeds:
            kept = _kept(feeds["measurement"])
            if kept:
                yield kept, feeds["reference"]


def _kept(measured: Feed) -> str | None:
    """What a controller keeps that measures this."""
    if measured.start is None:
        return measured.port if measured.port in QUANTITIES else None
    if measured.stop != measured.start + 1 or not isinstance(measured.block, Leaf):
        return None
    return _ELEMENTS.get((measured.port, measured.start))
