"""The order from top to bottom in all layers and on all sides of boxes, through all levels of nesting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from .crossings import Cost, order_cost
from .layers import Level, Pin
from .searching import Snapshot, restore, search_order, snapshot

__all__ = ["order_level"]


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
    asked = [snapshot(each) for each in levels]
    best: list[Snapshot] = []
    least: Cost | None = None
    choices = [frames, *([item] for item in frames if len(frames) > 1), []]
    for rigid in choices[::-1] if frames else [[]]:
        for each, snapshot in zip(levels, asked, strict=True):
            restore(each, snapshot)
        for item in frames:
            item.rigid = item in rigid
        search_order(level)
        _pass_on(level)
        costs = [order_cost(each) for each in levels]
        cost = sum(crossings for crossings, _ in costs), sum(untidy for _, untidy in costs)
        if least is None or cost < least:
            best, least = [snapshot(each) for each in levels], cost
        if not rigid and all(p.declared < q.declared for f in frames for s in (f.west, f.east) for p, q in pairwise(s)):
            break  # nothing was changed
    for each, snapshot in zip(levels, best, strict=True):
        restore(each, snapshot)


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
            search_order(inner, fixed=(0, len(inner.layers) - 1))
            _pass_on(inner)


def _name(pin: Pin) -> str:
    return pin.port.name if pin.port else ""
