"""The diagram of a page, as it is drawn elsewhere: closed diagrams one by one, with what each wire carries."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from blocks.diagram import Diagram
from blocks.drawing import BOUNDARY, Drawing, drawing, render_drawing
from blocks.drawing.drawing import DrawnSink, DrawnWire
from blocks.errors import KeelblocksWarning
from blocks.model.component import Component
from blocks.plan import Plan
from blocks.plan.flatten import feeds_of
from studio.quantities import shown

_LEAST_ROOM = 34.0
"""Pixels of straight wire beside which a value can be read."""


def pictures(diagram: Diagram, plan: Plan) -> list[dict[str, Any]]:
    """Each diagram: its dotted name, its SVG, its nested diagrams, and the values on its wires."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KeelblocksWarning)  # a place of the layout that cannot be kept, as at `draw`
        outer = drawing(diagram, depth=0)
    return [_picture(one, diagram, plan) for one in _all(outer)]


def _all(outer: Drawing) -> Iterator[Drawing]:
    yield outer
    for inner in outer.diagrams.values():
        yield from _all(inner)


def _picture(drawn: Drawing, top: Diagram, plan: Plan) -> dict[str, Any]:
    values = [value for wire in drawn.wires if (value := _value(wire, top, plan)) is not None]
    return {
        "path": drawn.path,
        "title": drawn.title or drawn.name,
        "svg": render_drawing(drawn),
        "nested": [block.path for block in drawn.blocks if block.nested],
        "values": values,
    }


def _value(wire: DrawnWire, top: Diagram, plan: Plan) -> dict[str, Any] | None:
    """What a wire carries: the first of its numbers in the plan, how many, and where a text can stand."""
    owner = top[wire.diagram] if wire.diagram else top
    assert isinstance(owner, Diagram)
    found = _source(wire, owner, top, plan)
    if found is None:
        return None
    first, count = found
    carries = wire.carries
    x, y, room = _room(wire.sinks)
    if room < _LEAST_ROOM:
        return None
    labels = list(carries.elements) if len(carries.elements) == count else []
    unit = tuple(carries.unit) if isinstance(carries.unit, (list, tuple)) else carries.unit
    if isinstance(unit, tuple) and len(unit) != count:
        unit = None
    return {
        "first": first, "count": count, "labels": labels, "units": shown(unit, count), "x": x, "y": y, "room": room,
        "name": wire.port if wire.block == BOUNDARY else f"{wire.block}.{wire.port}",
    }  # fmt: skip


def _source(wire: DrawnWire, owner: Diagram, top: Diagram, plan: Plan) -> tuple[int, int] | None:
    """Where the numbers of a wire stand, and how many they are."""
    names: dict[Component, str] = {leaf.block: leaf.name for leaf in plan.flat.leaves}
    if wire.block == BOUNDARY:
        if owner is top:
            place = plan.inputs.get(wire.port)
            return None if place is None else (place.first, place.count)
        feed = feeds_of(owner, top, plan.flat).get(wire.port)
        if feed is None:
            return None
        place = plan.inputs.get(feed.port) if feed.block is None else plan.outputs.get(f"{feed.block.name}.{feed.port}")
        start, stop = feed.start, feed.stop
    else:
        component, port, start, stop = owner.components[wire.block], wire.port, None, None
        while isinstance(component, Diagram):
            ref = component.boundary_outputs[port]
            if ref.start is not None and ref.stop is not None:
                base = ref.start
                start, stop = (base, ref.stop) if start is None or stop is None else (base + start, base + stop)
            component, port = ref.block, ref.name
        place = plan.outputs.get(f"{names.get(component, '')}.{port}")
    if place is None:
        return None
    return (place.first, place.count) if start is None or stop is None else (place.first + start, stop - start)


def _room(sinks: tuple[DrawnSink, ...]) -> tuple[float, float, float]:
    """The middle of the longest level piece of a wire, and its length; the first of equal ones."""
    best = (0.0, 0.0, 0.0)
    for sink in sinks:
        for (x, y), (to, down) in pairwise(sink.points):
            if y == down and abs(to - x) > best[2] + 1e-9:
                best = ((x + to) / 2, y, abs(to - x))
    return best
