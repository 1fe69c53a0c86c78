"""The order from top to bottom within every layer, and of the ports on every box: few crossings of wires.

Barycentre sweeps (Sugiyama, Tagawa & Toda 1981, IEEE Trans. SMC 11(2)) from several starts, each followed by local
search: neighbours change places, wires that run back move to the outside, single items move to where they cross least
(sifting: Matuszewski, Schönfeld & Molitor 1999). Crossings come first. Among equals, ports keep their declared order
and wires that run back stay under the boxes.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from .layers import Item, Kind, Level, Link, LinkKind, Pin

__all__ = ["count_crossings", "order_level"]

_SWEEPS = 6
_ROUNDS = 4  # of local search
_MANY_ITEMS = 150  # from here on fewer starts are tried
_STARTS, _FEW_STARTS = 30, 4

Cost = tuple[int, int]
Snapshot = list[tuple[list[Item], list[tuple[list[Pin], list[Pin]]]]]


def order_level(level: Level) -> None:
    """Order the level and the insides of its open subsystems.

    The insides say first in which order they would like their boundary ports; this level may change that where it
    saves crossings outside; then the insides live with it.
    """
    frames = [item for item in level.boxes() if item.inside is not None]
    for item in frames:
        assert item.inside is not None
        order_level(item.inside)
        _take_order(item.west, (box.east[0] for box in item.inside.layers[0]))
        _take_order(item.east, (box.west[0] for box in item.inside.layers[-1]))
    _order(level, frozenset())
    for item in frames:
        assert item.inside is not None
        inner = item.inside
        wanted = [[pin.port.name for pin in side if pin.port] for side in (item.west, item.east)]
        given = [
            [box.east[0].port.name for box in inner.layers[0] if box.east[0].port],
            [box.west[0].port.name for box in inner.layers[-1] if box.west[0].port],
        ]
        if wanted != given:
            _fix_boundary(inner, wanted[0], wanted[1])


def _take_order(pins: list[Pin], like: Iterable[Pin]) -> None:
    place = {pin.port.name: i for i, pin in enumerate(like) if pin.port}
    pins.sort(key=lambda pin: place[pin.port.name] if pin.port else 0)
    for i, pin in enumerate(pins):
        pin.declared = i


def _fix_boundary(level: Level, inputs: list[str], outputs: list[str]) -> None:
    level.layers[0].sort(key=lambda item: inputs.index(item.east[0].port.name) if item.east[0].port else 0)
    level.layers[-1].sort(key=lambda item: outputs.index(item.west[0].port.name) if item.west[0].port else 0)
    _order(level, frozenset((0, len(level.layers) - 1)))
    for item in level.boxes():
        if item.inside is not None:
            names = [[pin.port.name for pin in side if pin.port] for side in (item.west, item.east)]
            _fix_boundary(item.inside, names[0], names[1])


def _order(level: Level, fixed: frozenset[int]) -> None:
    """Order one level; the layers in `fixed` stay as they are."""
    size = sum(map(len, level.layers))
    best: Snapshot | None = None
    least: Cost = (0, 0)
    start = _snapshot(level)
    for attempt in range(_STARTS if size < _MANY_ITEMS else _FEW_STARTS):
        _restore(level, start)
        if attempt:
            random = Random(attempt)
            for i, layer in enumerate(level.layers):
                if i not in fixed:
                    random.shuffle(layer)
                    _rank(layer)
        _sweep(level, fixed)
        _swap_neighbours(level, fixed)
        _move_back_wires(level)
        cost = _cost(level)
        if best is None or cost < least:
            best, least = _snapshot(level), cost
        if least == (0, 0):
            break
    assert best is not None
    _restore(level, best)
    _improve(level, fixed)


# --- crossings -------------------------------------------------------------------------------------------------------


def _crosses(e: Link, f: Link) -> bool:
    if e.kind is LinkKind.THROUGH:
        if f.kind is LinkKind.THROUGH:
            return (e.left.rank - f.left.rank) * (e.right.rank - f.right.rank) < 0
        e, f = f, e
    low, high = e.a.rank, e.b.rank
    if low > high:
        low, high = high, low
    if f.kind is LinkKind.THROUGH:
        return low < (f.left if e.kind is LinkKind.LEFT else f.right).rank < high
    return e.kind is f.kind and (low < f.a.rank < high) != (low < f.b.rank < high)


def count_crossings(level: Level) -> int:
    """Crossings of pieces of wire of different nets, over all channels."""
    count = 0
    for links in level.channels:
        for i, e in enumerate(links):
            for f in links[:i]:
                if e.net is not f.net and _crosses(e, f):
                    count += 1
    return count


def _crossings_of(links: Iterable[Link], level: Level) -> int:
    """Crossings of these links with all others."""
    count = 0
    for e in links:
        channel = e.left.item.layer - (e.kind is LinkKind.RIGHT)
        net = e.net
        for f in level.channels[channel]:
            if f.net is not net and _crosses(e, f):
                count += 1
    return count


def _crossings_between(us: list[Link], vs: list[Link]) -> int:
    return sum(1 for e in us for f in vs if e.net is not f.net and _crosses(e, f))


def _links(item: Item) -> list[Link]:
    return [link for side in (item.west, item.east) for pin in side for link in pin.links]


# --- what is better, among orders with as many crossings ---------------------------------------------------------------


def _cost(level: Level) -> Cost:
    untidy = 0
    for layer in level.layers:
        for i, below in enumerate(layer):
            untidy += sum(_untidy(above, below) for above in layer[:i])
            for side in (below.west, below.east):
                untidy += sum(p.declared > q.declared for j, q in enumerate(side) for p in side[:j])
    return count_crossings(level), untidy


def _untidy(above: Item, below: Item) -> int:
    """1 when a wire that runs back is above a box, or two boundary ports are not in their declared order."""
    if above.kind is Kind.PASS:
        return int(above.backward and below.kind is Kind.BOX)
    if above.kind is Kind.BOX or above.kind is not below.kind:
        return 0
    return int((above.west or above.east)[0].declared > (below.west or below.east)[0].declared)


# --- moves -----------------------------------------------------------------------------------------------------------


def _rank(layer: list[Item]) -> None:
    west = east = 0
    for item in layer:
        for pin in item.west:
            pin.rank = west
            west += 1
        for pin in item.east:
            pin.rank = east
            east += 1


def _snapshot(level: Level) -> Snapshot:
    return [(list(layer), [(list(item.west), list(item.east)) for item in layer]) for layer in level.layers]


def _restore(level: Level, snapshot: Snapshot) -> None:
    for layer, (items, sides) in zip(level.layers, snapshot, strict=True):
        layer[:] = items
        for item, (west, east) in zip(items, sides, strict=True):
            item.west[:], item.east[:] = west, east
        _rank(layer)


def _sweep(level: Level, fixed: frozenset[int]) -> None:
    best, least = _snapshot(level), count_crossings(level)
    count = len(level.layers)
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        for i in range(1, count) if forward else range(count - 2, -1, -1):
            if i not in fixed:
                _by_barycentre(level.layers[i], forward)
        crossings = count_crossings(level)
        if crossings < least:
            best, least = _snapshot(level), crossings
    _restore(level, best)


def _by_barycentre(layer: list[Item], forward: bool) -> None:
    """Sort by the mean rank of what the items are wired to; items without a wire on that side keep their place."""
    wanted: dict[Item, float] = {}
    for item in layer:
        ranks = [
            (link.left if forward else link.right).rank
            for pin in (item.west if forward else item.east)
            for link in pin.links
            if link.kind is LinkKind.THROUGH
        ]
        if ranks:
            wanted[item] = sum(ranks) / len(ranks)
    movable = iter(sorted((item for item in layer if item in wanted), key=wanted.__getitem__))
    layer[:] = [next(movable) if item in wanted else item for item in layer]
    _rank(layer)


def _improve(level: Level, fixed: frozenset[int]) -> None:
    for _ in range(_ROUNDS):
        changed = _swap_neighbours(level, fixed)
        changed |= _move_back_wires(level)
        changed |= _sift(level, fixed)
        if not changed:
            return


def _swap_neighbours(level: Level, fixed: frozenset[int]) -> bool:
    changed, again = False, True
    while again:
        again = False
        for i, layer in enumerate(level.layers):
            if i not in fixed:
                for j in range(len(layer) - 1):
                    again |= _swap_items(layer, j)
            for item in layer:
                for side in (item.west, item.east):
                    for j in range(len(side) - 1):
                        again |= _swap_ports(side, j)
        changed |= again
    return changed


def _swap_items(layer: list[Item], j: int) -> bool:
    above, below = layer[j], layer[j + 1]
    untidy = _untidy(below, above) - _untidy(above, below)
    us, vs = _links(above), _links(below)
    before = _crossings_between(us, vs)
    if (before, -untidy) <= (0, 0):
        return False
    layer[j], layer[j + 1] = below, above
    _rank(layer)
    if (_crossings_between(us, vs) - before, untidy) < (0, 0):
        return True
    layer[j], layer[j + 1] = above, below
    _rank(layer)
    return False


def _swap_ports(side: list[Pin], j: int) -> bool:
    above, below = side[j], side[j + 1]
    untidy = 1 if above.declared < below.declared else -1
    before = _crossings_between(above.links, below.links)
    if (before, -untidy) <= (0, 0):
        return False
    above.rank, below.rank = below.rank, above.rank
    if (_crossings_between(above.links, below.links) - before, untidy) < (0, 0):
        side[j], side[j + 1] = below, above
        return True
    above.rank, below.rank = below.rank, above.rank
    return False


def _move_back_wires(level: Level) -> bool:
    """Try each wire that runs back under, and over, everything it passes."""
    changed = False
    for net in level.nets:
        if not net.back:
            continue
        layers = [level.layers[item.layer] for item in net.back]
        old = [list(layer) for layer in layers]
        least = (_crossings_of(net.links, level), _back_untidy(net.back, layers))
        best = old
        for place in (-1, 0):
            for item, layer in zip(net.back, layers, strict=True):
                layer.remove(item)
                layer.insert(len(layer) if place else 0, item)
                _rank(layer)
            cost = (_crossings_of(net.links, level), _back_untidy(net.back, layers))
            if cost < least:
                least, best, changed = cost, [list(layer) for layer in layers], True
        for layer, items in zip(layers, best, strict=True):
            layer[:] = items
            _rank(layer)
    return changed


def _back_untidy(items: list[Item], layers: list[list[Item]]) -> int:
    return sum(
        _untidy(item, other)
        for item, layer in zip(items, layers, strict=True)
        for other in layer[layer.index(item) + 1 :]
    )


def _sift(level: Level, fixed: frozenset[int]) -> bool:
    """Move single items to where they cross least, when that is better than where they are."""
    changed = False
    for i, layer in enumerate(level.layers):
        if i in fixed or len(layer) < 3:
            continue
        for item in list(layer):
            links = _links(item)
            here = layer.index(item)
            least = _crossings_of(links, level)
            if not least:
                continue
            best = here
            layer.pop(here)
            for place in range(len(layer) + 1):
                layer.insert(place, item)
                _rank(layer)
                crossings = _crossings_of(links, level)
                if crossings < least:
                    least, best = crossings, place
                layer.pop(place)
            layer.insert(best, item)
            _rank(layer)
            changed |= best != here
    return changed
