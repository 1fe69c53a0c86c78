"""The search for an order of one level in which little crosses.

Barycentre sweeps from several starts, then from the best order found so far, disturbed; local moves after each.
Crossings come first. Among equals, ports keep their declared order and wires that run back stay under the boxes.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Collection
from random import Random

from .arrangement import Arrangement, Cost
from .layers import Level

__all__ = ["search_order"]

# By the number of items of a level: how many starts, and how many attempts without success before giving up.
_SIZES = (40, 80, 150)
_STARTS_AND_PATIENCE = ((10, 20), (10, 12), (10, 12), (6, 4))


def search_order(level: Level, fixed: Collection[int] = ()) -> Cost:
    """Order one level, and say what the order costs; the layers whose numbers are in `fixed` stay as they are."""
    random = Random(0)  # of its own and always the same: a drawing must not change by itself
    starts, patience = _STARTS_AND_PATIENCE[bisect(_SIZES, sum(map(len, level.layers)))]
    movable = [i for i in range(len(level.layers)) if i not in fixed]
    sizes = {i: len(level.layers[i]) for i in movable if len(level.layers[i]) > 1}
    order = Arrangement(level, fixed)
    begin = order.snapshot
    best, least = begin, order.cost
    attempt = last_gain = 0
    while least > (0, 0) and (attempt < starts or attempt - last_gain <= patience):
        if attempt < starts:
            order.restore(begin)
            _start(order, movable, attempt, random)
            order.sweep(attempt % 2 == 1)
        else:
            order.restore(best)
            _kick(order, sizes, random)
        order.improve()
        cost = order.cost
        if cost < least:
            best, least, last_gain = order.snapshot, cost, max(attempt, starts)
        attempt += 1
    order.restore(best)
    order.apply()
    return least


def _start(order: Arrangement, movable: list[int], attempt: int, random: Random) -> None:
    """The attempts differ first in where the wires run back, for sweeps do not change that, and then in everything."""
    layers = order.layers
    if attempt > 1:
        for i in movable:
            random.shuffle(layers[i])
    ways = order.ways_back
    if attempt > 3:
        random.shuffle(ways)
    for way in ways:
        over = attempt in (2, 3) or (attempt > 3 and random.random() < 0.5)
        for i, item in way:
            layers[i].remove(item)
            layers[i].insert(0 if over else len(layers[i]), item)
    order.layers = layers


def _kick(order: Arrangement, sizes: dict[int, int], random: Random) -> None:
    """Move one item at random and, mostly, let the layers on both sides follow, with or without their ports."""
    if not sizes:
        return
    centre = random.choice(list(sizes))
    target, origin = random.randrange(sizes[centre]), random.randrange(sizes[centre])
    order.move(centre, origin, target)
    follow, with_ports = random.random() < 0.7, random.random() < 0.5
    if follow:
        order.follow(centre, with_ports)
