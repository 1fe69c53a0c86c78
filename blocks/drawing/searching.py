"""The search for an order of one level in which little crosses.

Barycentre sweeps from several starts, then from the best order found so far, disturbed; local moves after each.
Crossings come first. Among equals, ports keep their declared order and wires that run back stay under the boxes.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Collection
from random import Random

from .crossings import order_cost, rank, tangle
from .layers import Item, Level, Pin
from .rerouting import reroute_wires
from .sweeping import sort_by_barycentre, sort_ports
from .untangling import sift_items, sift_ports, swap_neighbours

__all__ = ["Snapshot", "restore", "search_order", "snapshot"]

# By the number of items of a level: how many starts, and how many attempts without success before giving up.
_SIZES = (40, 80, 150)
_STARTS_AND_PATIENCE = ((10, 20), (10, 12), (6, 4), (3, 0))
_SWEEPS = 6
_ROUNDS = 5  # of local moves

Snapshot = list[tuple[list[Item], list[tuple[list[Pin], list[Pin]]]]]


def snapshot(level: Level) -> Snapshot:
    """The present order of a level, to come back to."""
    return [(list(layer), [(list(item.west), list(item.east)) for item in layer]) for layer in level.layers]


def restore(level: Level, order: Snapshot) -> None:
    """Give the level the order of a snapshot."""
    for layer, (items, sides) in zip(level.layers, order, strict=True):
        layer[:] = items
        for item, (west, east) in zip(items, sides, strict=True):
            item.west[:], item.east[:] = west, east
        rank(layer)


def search_order(level: Level, fixed: Collection[int] = ()) -> None:
    """Order one level; the layers whose numbers are in `fixed` stay as they are."""
    random = Random(0)  # of its own and always the same: a drawing must not change by itself
    starts, patience = _STARTS_AND_PATIENCE[bisect(_SIZES, sum(map(len, level.layers)))]
    begin = snapshot(level)
    restore(level, begin)  # numbers the pins
    best, least = begin, order_cost(level)
    attempt = last_gain = 0
    while least > (0, 0) and (attempt < starts or attempt - last_gain <= patience):
        if attempt < starts:
            restore(level, begin)
            _start(level, fixed, attempt, random)
            _sweep(level, fixed, with_ports=attempt % 2 == 1)
        else:
            restore(level, best)
            _kick(level, fixed, random)
        _improve(level, fixed)
        cost = order_cost(level)
        if cost < least:
            best, least, last_gain = snapshot(level), cost, max(attempt, starts)
        attempt += 1
    restore(level, best)


def _start(level: Level, fixed: Collection[int], attempt: int, random: Random) -> None:
    """The attempts differ first in where the wires run back, for sweeps do not change that, and then in everything."""
    if attempt > 1:
        for i, layer in enumerate(level.layers):
            if i not in fixed:
                random.shuffle(layer)
    back = [net.back for net in level.nets if net.back]
    if attempt > 3:
        random.shuffle(back)
    for items in back:
        over = attempt in (2, 3) or (attempt > 3 and random.random() < 0.5)
        for item in items:
            layer = level.layers[item.layer]
            layer.remove(item)
            layer.insert(0 if over else len(layer), item)
    for layer in level.layers:
        rank(layer)


def _sweep(level: Level, fixed: Collection[int], *, with_ports: bool) -> None:
    """Sort each layer by its neighbour, forward and back, and keep the best order on the way."""
    best, least = snapshot(level), tangle(level)
    count = len(level.layers)
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        for i in range(1, count) if forward else range(count - 2, -1, -1):
            if i not in fixed:
                sort_by_barycentre(level.layers[i], forward)
            if with_ports:
                sort_ports(level.layers[i], forward)
        tangled = tangle(level)
        if tangled < least:
            best, least = snapshot(level), tangled
    restore(level, best)


def _kick(level: Level, fixed: Collection[int], random: Random) -> None:
    """Move one item at random and, mostly, let the layers on both sides follow, with or without their ports."""
    movable = [i for i, layer in enumerate(level.layers) if i not in fixed and len(layer) > 1]
    if not movable:
        return
    centre = random.choice(movable)
    layer = level.layers[centre]
    layer.insert(random.randrange(len(layer)), layer.pop(random.randrange(len(layer))))
    rank(layer)
    follow, with_ports = random.random() < 0.7, random.random() < 0.5
    if not follow:
        return
    for i in (*range(centre, len(level.layers)), *range(centre - 1, -1, -1)):
        if i != centre and i not in fixed:
            sort_by_barycentre(level.layers[i], i > centre)
        if with_ports:
            sort_ports(level.layers[i], True)
            sort_ports(level.layers[i], False)


def _improve(level: Level, fixed: Collection[int]) -> None:
    for _ in range(_ROUNDS):
        changed = swap_neighbours(level, fixed)
        changed |= reroute_wires(level)
        changed |= sift_ports(level)
        changed |= sift_items(level, fixed)
        if not changed:
            return
