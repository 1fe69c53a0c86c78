"""The order from top to bottom within every layer, and of the ports on every box: few crossings of wires.

Barycentre sweeps (Sugiyama, Tagawa & Toda 1981, Methods for visual understanding of hierarchical system structures,
IEEE Trans. SMC 11(2)) from several starts, and local moves after them. Crossings come first; among equals, ports keep
their declared order and wires that run back stay under the boxes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from random import Random

from .crossings import Cost, order_cost, rank, tangle
from .layers import Item, Level, LinkKind, Pin
from .rerouting import reroute_wires
from .untangling import sift_items, sift_ports, swap_neighbours

__all__ = ["order_level"]

_SWEEPS = 6
_ROUNDS = 4  # of local moves on the best order found
_MANY_ITEMS = 150  # from here on fewer starts are tried
_FRESH, _KICKS = 20,0

Snapshot = list[tuple[list[Item], list[tuple[list[Pin], list[Pin]]]]]


def order_level(level: Level) -> None:
    """Order the level and the insides of its open subsystems.

    The insides say first in which order they would like their boundary ports. To change that may save crossings
    outside and cost some inside, so both ways are tried, for all subsystems at once and for each.
    """
    frames = [item for item in level.boxes() if item.inside is not None]
    for item in frames:
        assert item.inside is not None
        order_level(item.inside)
        _adopt(item.west, (inner.east[0] for inner in item.inside.layers[0]))
        _adopt(item.east, (inner.west[0] for inner in item.inside.layers[-1]))
    levels = list(_levels(level))
    asked = [_snapshot(each) for each in levels]
    best: list[Snapshot] = []
    least: Cost | None = None
    choices = [frames, *([item] for item in frames if len(frames) > 1), []]
    for rigid in choices[::-1] if frames else [[]]:
        for each, snapshot in zip(levels, asked, strict=True):
            _restore(each, snapshot)
        for item in frames:
            item.rigid = item in rigid
        _order(level, frozenset())
        _pass_on(level)
        costs = [order_cost(each) for each in levels]
        cost = sum(crossings for crossings, _ in costs), sum(untidy for _, untidy in costs)
        if least is None or cost < least:
            best, least = [_snapshot(each) for each in levels], cost
        if not rigid and all(p.declared < q.declared for f in frames for s in (f.west, f.east) for p, q in pairwise(s)):
            break  # nothing was changed
    for each, snapshot in zip(levels, best, strict=True):
        _restore(each, snapshot)


def _levels(level: Level) -> Iterator[Level]:
    yield level
    for item in level.boxes():
        if item.inside is not None:
            yield from _levels(item.inside)


def _adopt(pins: list[Pin], like: Iterable[Pin]) -> None:
    place = {_name(pin): i for i, pin in enumerate(like)}
    pins.sort(key=lambda pin: place[_name(pin)])
    for i, pin in enumerate(pins):
        pin.declared = i


def _pass_on(level: Level) -> None:
    """Give the insides of open subsystems the order of ports that their frames have."""
    for item in level.boxes():
        if item.inside is None:
            continue
        inner = item.inside
        first, last = inner.layers[0], inner.layers[-1]
        given = [_name(box.east[0]) for box in first], [_name(box.west[0]) for box in last]
        wanted = [_name(pin) for pin in item.west], [_name(pin) for pin in item.east]
        if given != wanted:
            first.sort(key=lambda box, names=wanted[0]: names.index(_name(box.east[0])))  # type: ignore[misc]
            last.sort(key=lambda box, names=wanted[1]: names.index(_name(box.west[0])))  # type: ignore[misc]
            _order(inner, frozenset((0, len(inner.layers) - 1)))
            _pass_on(inner)


def _name(pin: Pin) -> str:
    return pin.port.name if pin.port else ""


def _order(level: Level, fixed: frozenset[int]) -> None:
    """Order one level; the layers in `fixed` stay as they are."""
    start = _snapshot(level)
    best: Snapshot = start
    least: Cost | None = None
    random = Random(0)
    many = sum(map(len, level.layers)) >= _MANY_ITEMS
    for attempt in range(_FRESH + _KICKS if not many else 6):
        fresh = attempt < (_FRESH if not many else 3)
        if fresh:
            _restore(level, start)
            if attempt > 1:
                for i, layer in enumerate(level.layers):
                    if i not in fixed:
                        random.shuffle(layer)
            backs = [net for net in level.nets if net.back]
            if attempt > 3:
                random.shuffle(backs)
            for net in backs:
                top = attempt in (2, 3) or attempt > 3 and random.random() < 0.5
                for item in net.back:
                    layer = level.layers[item.layer]
                    layer.remove(item)
                    layer.insert(0 if top else len(layer), item)
            for layer in level.layers:
                rank(layer)
            _sweep(level, fixed, with_ports=attempt % 2 == 1)
        else:
            _restore(level, best)
            _kick(level, fixed, random)
        swap_neighbours(level, fixed)
        reroute_wires(level)
        for _ in range(_ROUNDS):
            moves = (sift_ports(level), sift_items(level, fixed), swap_neighbours(level, fixed), reroute_wires(level))
            if not any(moves):
                break
        cost = order_cost(level)
        if least is None or cost <= least:
            best, least = _snapshot(level), cost
        if least == (0, 0):
            break
    _restore(level, best)

def _kick(level, fixed, random):
    """Disturb."""
    layers=[l for i,l in enumerate(level.layers) if i not in fixed and len(l)>1]
    if not layers: return
    nets=[n for n in level.nets if n.back]
    for _ in range(random.randint(1,3)):
        if nets and random.random()<.4:
            net=random.choice(nets); top=random.random()<.5
            for item in net.back:
                layer=level.layers[item.layer]; layer.remove(item); layer.insert(0 if top else len(layer),item); rank(layer)
        else:
            layer=random.choice(layers); item=layer.pop(random.randrange(len(layer))); layer.insert(random.randint(0,len(layer)),item); rank(layer)


def _snapshot(level: Level) -> Snapshot:
    return [(list(layer), [(list(item.west), list(item.east)) for item in layer]) for layer in level.layers]


def _restore(level: Level, snapshot: Snapshot) -> None:
    for layer, (items, sides) in zip(level.layers, snapshot, strict=True):
        layer[:] = items
        for item, (west, east) in zip(items, sides, strict=True):
            item.west[:], item.east[:] = west, east
        rank(layer)


def _sweep(level: Level, fixed: frozenset[int], with_ports: bool) -> None:
    """Sort each layer by its neighbour, forward and back, and keep the best order on the way."""
    best, least = _snapshot(level), tangle(level)
    count = len(level.layers)
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        for i in range(1, count) if forward else range(count - 2, -1, -1):
            if i not in fixed:
                _sort_by_barycentre(level.layers[i], forward)
            if with_ports:
                _sort_ports(level.layers[i], forward)
        tangled = tangle(level)
        if tangled < least:
            best, least = _snapshot(level), tangled
    _restore(level, best)


def _sort_by_barycentre(layer: list[Item], forward: bool) -> None:
    """Sort by the mean rank of what the items are wired to; items without a wire on that side keep their place."""
    wanted: dict[Item, float] = {}
    for item in layer:
        ranks = [rank for pin in (item.west if forward else item.east) for rank in _far_ranks(pin)]
        if ranks:
            wanted[item] = sum(ranks) / len(ranks)
    movable = iter(sorted((item for item in layer if item in wanted), key=wanted.__getitem__))
    layer[:] = [next(movable) if item in wanted else item for item in layer]
    rank(layer)


def _far_ranks(pin: Pin) -> list[float]:
    """The ranks of what the pin is wired to across the channel."""
    return [
        (link.left if link.right is pin else link.right).rank for link in pin.links if link.kind is LinkKind.THROUGH
    ]


def _sort_ports(layer: list[Item], forward: bool) -> None:
    """Sort the ports of every box likewise; those whose wire only turns go to the side where it turns to.

    Of several that turn to one side, the outermost port has the innermost wire.
    """
    for item in layer:
        side = item.west if forward else item.east
        if item.rigid or len(side) < 2:
            continue
        wanted: dict[Pin, tuple[int, float]] = {}
        for pin in side:
            ranks = _far_ranks(pin)
            turns = [(link.b if link.a is pin else link.a).rank for link in pin.links]
            if ranks:
                wanted[pin] = (1, sum(ranks) / len(ranks))
            elif turns:
                wanted[pin] = (0 if turns[0] < pin.rank else 2, -turns[0])
        movable = iter(sorted((pin for pin in side if pin in wanted), key=wanted.__getitem__))
        side[:] = [next(movable) if pin in wanted else pin for pin in side]
    rank(layer)
