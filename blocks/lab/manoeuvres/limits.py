"""Whether what is ordered can be done, by the limits of the block that takes it, before a test waits for it."""

from __future__ import annotations

import numpy as np

from blocks.block import Block
from blocks.lab.manoeuvres.craft import Array, Craft, Lever
from blocks.lab.trial import ManoeuvreError, order_text, unit_text
from blocks.model.component import PortRef


def check_astern(craft: Craft, lever: Lever, order: float) -> None:
    """Raise ManoeuvreError for an order astern of which the limits of what takes it leave nothing."""
    refused: list[tuple[Block, str]] = []
    for port, factors in lever.factors.items():
        orders = order * factors[factors != 0.0]
        leaf = craft.leaf(port)
        limits = _limits(leaf)
        if limits is None or not isinstance(leaf.block, Block):
            return
        names, low, high = limits
        if np.any(orders * np.clip(orders, np.min(low), np.max(high)) > 0.0):
            return
        refused.append((leaf.block, names[0 if np.any(orders < 0.0) else 1]))
    if order == 0.0 or not refused:
        return
    block, limit = refused[0]
    others = [name for name in block.values if name.endswith("_reverse") and name != limit]
    raise ManoeuvreError(
        f"{lever.what}: nothing comes of the order of {order:g} {unit_text(lever.unit)}, for {block.path}.{limit} is "
        f"0, and a ship that only coasts does not come to rest. Give it in the file, > 0"
        + (f", with {' and '.join(others)}" if others else "")
        + ", or name another input that stops her, throttle=…"
    )


def check_reach(craft: Craft, lever: Lever, order: float) -> None:
    """Raise ManoeuvreError for an order to a helm that goes beyond what it does to both sides."""
    for port, factors in lever.factors.items():
        leaf = craft.leaf(port)
        limits = _limits(leaf)
        if limits is None:
            continue
        names, low, high = limits
        sizes = np.abs(order * factors)
        most = np.broadcast_to(np.maximum(-low, high), sizes.shape)
        beyond = np.flatnonzero(sizes > most * (1.0 + 1e-9))
        if beyond.size:
            held, given = (order_text(float(angle), lever.unit) for angle in (most[beyond[0]], order))
            raise ManoeuvreError(
                f"{lever.what}: {leaf.block.path}.{names[1]} holds it within ±{held}, and the order is {given}: order "
                f"no more than it does"
            )


def _limits(leaf: PortRef) -> tuple[tuple[str, str], Array, Array] | None:
    """The parameters that hold the output which follows an input, and their values; None if there are none."""
    block, unit = leaf.block, leaf.signal.unit
    if isinstance(block, Block) and unit is not None:
        for output in block.output_ports.values():
            if output.within is not None and output.signal.unit == unit:
                names = tuple(limit.removeprefix("-") for limit in output.within)
                signs = [-1.0 if limit.startswith("-") else 1.0 for limit in output.within]
                low, high = (s * np.asarray(block.values[n], dtype=float) for s, n in zip(signs, names, strict=True))
                return (names[0], names[1]), low, high
    return None
