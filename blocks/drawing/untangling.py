"""Small moves that take crossings out of an order: each is kept only when it makes the order better."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from .crossings import Cost, crossings_between, links_of, rank, tangle_of, tangle_of_neighbours, untidy
from .layers import Item, Level, Pin

__all__ = ["sift_items", "sift_ports", "swap_neighbours"]


def swap_neighbours(level: Level, fixed: Collection[int]) -> bool:
    """Let neighbours change places, in layers and on sides of boxes, until that helps no more."""
    changed, again = False, True
    while again:
        again = False
        for i, layer in enumerate(level.layers):
            if i not in fixed:
                for j in range(len(layer) - 1):
                    again |= _swap_items(layer, j)
            for side in _flexible_sides(layer):
                for j in range(len(side) - 1):
                    again |= _swap_ports(side, j)
        changed |= again
    return changed


def _flexible_sides(layer: list[Item]) -> Iterator[list[Pin]]:
    return (side for item in layer if not item.rigid for side in (item.west, item.east))


def _swap_items(layer: list[Item], j: int) -> bool:
    above, below = layer[j], layer[j + 1]
    change = untidy(below, above) - untidy(above, below)
    before = tangle_of_neighbours(above, below)
    if (before, -change) <= (0, 0):
        return False
    layer[j], layer[j + 1] = below, above
    rank(layer)
    if (tangle_of_neighbours(above, below) - before, change) < (0, 0):
        return True
    layer[j], layer[j + 1] = above, below
    rank(layer)
    return False


def _swap_ports(side: list[Pin], j: int) -> bool:
    above, below = side[j], side[j + 1]
    change = 1 if above.declared < below.declared else -1
    before = crossings_between(above.links, below.links)
    if (before, -change) <= (0, 0):
        return False
    above.rank, below.rank = below.rank, above.rank
    if (crossings_between(above.links, below.links) - before, change) < (0, 0):
        side[j], side[j + 1] = below, above
        return True
    above.rank, below.rank = below.rank, above.rank
    return False


def sift_items(level: Level, fixed: Collection[int]) -> bool:
    """Move single items to where they cross least (sifting: Matuszewski, Schönfeld & Molitor 1999)."""
    changed = False
    for i, layer in enumerate(level.layers):
        if i in fixed or len(layer) < 3:
            continue
        for item in list(layer):
            links = links_of(item.west) + links_of(item.east)
            best = here = layer.index(item)
            least = tangle_of(links, level)
            if not least:
                continue
            layer.pop(here)
            for place in range(len(layer) + 1):
                layer.insert(place, item)
                rank(layer)
                tangled = tangle_of(links, level)
                if tangled < least:
                    least, best = tangled, place
                layer.pop(place)
            layer.insert(best, item)
            rank(layer)
            changed |= best != here
    return changed


def sift_ports(level: Level) -> bool:
    """The same for ports on their side of a box: a port may pass others, without wires say, that are in its way."""
    changed = False
    for layer in level.layers:
        for side in _flexible_sides(layer):
            if len(side) > 2:
                for pin in list(side):
                    changed |= _sift_port(side, pin)
    return changed


def _sift_port(side: list[Pin], pin: Pin) -> bool:
    first, here = min(other.rank for other in side), side.index(pin)
    others = [other for other in side if other is not pin]
    links = links_of(others)

    def put(place: int) -> Cost:
        side[:] = [*others[:place], pin, *others[place:]]
        for i, each in enumerate(side):
            each.rank = first + i
        inversions = sum((other.declared > pin.declared) == (i < place) for i, other in enumerate(others))
        return crossings_between(pin.links, links), inversions

    best, least = here, put(here)
    for place in range(len(side)):
        cost = put(place)
        if cost < least:
            best, least = place, cost
    put(best)
    return best != here
