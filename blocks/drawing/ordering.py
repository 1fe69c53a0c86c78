"""The order from top to bottom in all layers and on all sides of boxes, through all levels of nesting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from .arrangement import Arrangement, Cost
from .layers import Item, Level, Pin
from .searching import search_order

__all__ = ["order_level"]

_Order = list[tuple[list[Item], list[tuple[list[Pin], list[Pin]]]]]


def order_level(level: Level) -> None:
    """Order the level and the insides of its open subsystems.

    The insides say first in which order they would like their boundary ports. To change that may save crossings
    outside and cost some inside, so both are tried, for each subsystem and for all at once.
    """
    frames = [item for item in level.boxes() if item.inside is not None]
    for item in frames:
        assert item.inside is not None
        order_level(item.inside)
        _adopt(item.west, (inner.east[0] for inner in item.inside.layers[0]))
        _adopt(item.east, (inner.west[0] for inner in item.inside.layers[-1]))
    if not frames:
        search_order(level)
        return
    levels = list(_levels(level))
    asked = list(map(_order_of, levels))
    best, least = asked, None
    for rigid in ([], *([item] for item in frames if len(frames) > 1), frames):
        _restore_all(levels, asked)
        for item in frames:
            item.rigid = item in rigid
        search_order(level)
        as_asked = not any(map(_turned, frames))
        _pass_on(level)
        cost = _total(Arrangement(each).cost for each in levels)
        if least is None or cost < least:
            best, least = list(map(_order_of, levels)), cost
        if as_asked and not rigid:
            break  # both sides have what they want
    for item in frames:
        item.rigid = False
    _restore_all(levels, best)


def _levels(level: Level) -> Iterator[Level]:
    yield level
    for item in level.boxes():
        if item.inside is not None:
            yield from _levels(item.inside)


def _order_of(level: Level) -> _Order:
    """The present order of a level, to come back to."""
    return [(list(layer), [(list(item.west), list(item.east)) for item in layer]) for layer in level.layers]


def _restore_all(levels: list[Level], orders: list[_Order]) -> None:
    for level, order in zip(levels, orders, strict=True):
        for layer, (items, sides) in zip(level.layers, order, strict=True):
            layer[:] = items
            for item, (west, east) in zip(items, sides, strict=True):
                item.west[:], item.east[:] = west, east


def _total(costs: Iterable[Cost]) -> Cost:
    crossings, untidy = zip(*costs, strict=True)
    return sum(crossings), sum(untidy)


def _turned(frame: Item) -> bool:
    """Whether the ports of a frame are in another order than its inside asked for."""
    return any(p.declared > q.declared for side in (frame.west, frame.east) for p, q in pairwise(side))


def _adopt(pins: list[Pin], like: Iterable[Pin]) -> None:
    place = {_name(pin): i for i, pin in enumerate(like)}
    pins.sort(key=lambda pin: place[_name(pin)])
    for i, pin in enumerate(pins):
        pin.declared = i


def _pass_on(level: Level) -> None:
    """Give the insides of open subsystems the order of ports that their frames have."""
    for item in level.boxes():
        inner = item.inside
        if inner is None:
            continue
        followed = _follow(inner.layers[0], [_name(pin) for pin in item.west])
        followed |= _follow(inner.layers[-1], [_name(pin) for pin in item.east])
        if followed:
            search_order(inner, fixed=(0, len(inner.layers) - 1))
            _pass_on(inner)


def _follow(layer: list[Item], names: list[str]) -> bool:
    """Put the boundary ports of a layer into the order of the names; says whether that changed anything."""
    by_name = {_name((item.west or item.east)[0]): item for item in layer}
    before = list(layer)
    layer[:] = [by_name[name] for name in names]
    return layer != before


def _name(pin: Pin) -> str:
    return pin.port.name if pin.port else ""
