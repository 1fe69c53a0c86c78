"""From a graph to its finished geometry.

The steps, each in a file of its own: which wires run back (cycles), columns (layers), order within them (ordering),
heights (placement), lanes for turns (routing), and here the widths, from the innermost frame outward; then the
boxes that a person moved (placed), and the wires around them (maze).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil

from . import metrics
from .geometry import BoundaryPort, Box, Layout, Point, PortPoint, Rectangle, Wire, joined_at
from .graph import Graph, Node
from .layers import Item, Kind, Level, Link, Net, Pin, build_level
from .ordering import order_level
from .placed import with_places
from .placement import place_level
from .routing import Channel, route_channel
from .text import header_width, text_width, title_width

__all__ = ["layout"]


def layout(graph: Graph, *, depth: int | None = None) -> Layout:
    """Lay the graph out.

    `depth` is how many levels of subsystems are opened: 0 leaves all closed, None opens all.
    """
    if depth is not None and depth < 0:
        raise ValueError(f"depth must be None or at least 0, but is {depth}")
    level = build_level(graph, "", depth)
    order_level(level)
    height = place_level(level) * metrics.GRID
    columns = _measure(level, title_width(graph))
    frame = Rectangle(metrics.MARGIN, metrics.MARGIN, columns.width, height)
    drawing = _Drawing()
    drawing.add_level(columns, frame)
    laid = Layout(
        graph,
        frame.right + metrics.MARGIN,
        frame.bottom + metrics.MARGIN,
        frame,
        drawing.boxes,
        tuple(drawing.boundary),
        tuple(drawing.wires),
        {},
    )
    return with_places(laid)


@dataclass
class _Columns:
    """The horizontal measures of one level, from the left side of its frame."""

    level: Level
    channels: list[Channel]
    layer_x: list[float]
    layer_width: list[float]
    lane_x: list[float]  # of the first lane of each channel
    width: float
    widths: dict[Item, float]
    insides: dict[Item, _Columns]


def _measure(level: Level, header: float) -> _Columns:
    insides = {
        item: _measure(item.inside, header_width(item.node)) for item in level.boxes() if item.inside and item.node
    }
    widths = {
        item: insides[item].width if item in insides else _width(item) for layer in level.layers for item in layer
    }
    channels = [route_channel(links) for links in level.channels]
    layer_x, layer_width, lane_x = [], [], []
    x = 0.0
    for i, layer in enumerate(level.layers):
        layer_x.append(x)
        layer_width.append(max((widths[item] for item in layer), default=0.0))
        x += layer_width[-1]
        if i < len(channels):
            before, width = _channel_width(level, i, channels[i])
            lane_x.append(x + before)
            x += width
    missing = header + 2 * metrics.BOX_PADDING - x
    if missing > 0:  # the title is wider than what it stands over: spread the columns
        gap = ceil(missing / len(channels))
        layer_x = [left + i * gap for i, left in enumerate(layer_x)]
        lane_x = [left + i * gap + gap // 2 for i, left in enumerate(lane_x)]
        x += len(channels) * gap
    return _Columns(level, channels, layer_x, layer_width, lane_x, x, widths, insides)


def _channel_width(level: Level, index: int, channel: Channel) -> tuple[float, float]:
    """The distance from the layer on the left to the first lane, and the width of the whole channel."""
    links = level.channels[index]
    if not links and not (level.layers[index] and level.layers[index + 1]):  # between a frame and what is in it
        return 0.0, metrics.FRAME_PADDING
    starting = (link.net.label for link in links if link.a is link.net.pin)
    arriving = (
        label
        for net in {link.net: None for link in links}
        for label, route in zip(net.sink_labels, net.routes, strict=True)
        if route[-1].channel == index
    )
    before, after = _label_room(starting), _label_room(arriving)
    if not channel.lanes:
        return before, max(metrics.EMPTY_CHANNEL, before + after + metrics.ARROW_MARGIN)
    before += metrics.CHANNEL_MARGIN
    return before, before + (channel.lanes - 1) * metrics.LANE + metrics.ARROW_MARGIN + after


def _label_room(labels: Iterable[str]) -> float:
    """What has to be added to a channel for the labels that stand in it one above the other."""
    widths = [ceil(text_width(label, metrics.WIRE_LABEL_SIZE)) for label in labels if label]
    return max(widths, default=0) + metrics.LABEL_MARGIN if widths else 0.0


def _width(item: Item) -> float:
    """The width of a box or boundary port, by the texts in it."""
    if item.kind is Kind.PASS:
        return 0.0
    labels = [
        max((text_width(pin.port.text, metrics.PORT_SIZE) for pin in side if pin.port), default=0.0)
        for side in (item.west, item.east)
    ]
    if item.node is None:
        return float(ceil(sum(labels) + 2 * metrics.LABEL_PADDING))
    name = text_width(item.node.name, metrics.NAME_SIZE, bold=True) + 2 * metrics.BOX_PADDING
    title = text_width(item.node.title, metrics.TYPE_SIZE) + 2 * metrics.BOX_PADDING
    ports = sum(labels) + 2 * metrics.LABEL_PADDING + (metrics.LABEL_GAP if all(labels) else 0)
    return float(ceil(max(name, title, ports, metrics.MIN_BOX_WIDTH)))


class _Drawing:
    """Collects the geometry level by level, outermost first."""

    def __init__(self) -> None:
        self.boxes: dict[str, Box] = {}
        self.boundary: list[BoundaryPort] = []
        self.wires: list[Wire] = []

    def add_level(self, columns: _Columns, frame: Rectangle) -> None:
        level = columns.level
        rectangles = {
            item: _rectangle(columns, item, frame)
            for layer in level.layers
            for item in layer
            if item.kind is not Kind.PASS
        }
        for item, rectangle in rectangles.items():
            if item.node is None:
                self._add_boundary(level, item, rectangle)
            else:
                path = f"{level.path}.{item.node.name}" if level.path else item.node.name
                self.boxes[path] = _box(path, item, item.node, rectangle)
        for net in level.nets:
            self.wires.append(_wire(columns, net, rectangles, frame))
        for item, inside in columns.insides.items():
            self.add_level(inside, rectangles[item])

    def _add_boundary(self, level: Level, item: Item, rectangle: Rectangle) -> None:
        is_input = item.kind is Kind.INPUT
        pin = (item.east if is_input else item.west)[0]
        assert pin.port is not None
        point = _point(pin, rectangle)
        self.boundary.append(BoundaryPort(level.path, pin.port, rectangle, point, is_input, bool(pin.links)))


def _height(y: float) -> float:
    return metrics.MARGIN + y * metrics.GRID


def _rectangle(columns: _Columns, item: Item, frame: Rectangle) -> Rectangle:
    room = columns.layer_width[item.layer] - columns.widths[item]
    if item.kind is Kind.BOX:
        wired_west = any(pin.links for pin in item.west)
        wired_east = any(pin.links for pin in item.east)
        shift = room // 2 if wired_west == wired_east else 0.0 if wired_west else room
        top, height = _height(item.top), (item.bottom - item.top) * metrics.GRID
    else:
        shift = 0.0 if item.kind is Kind.INPUT else room
        height = metrics.PORT_HEIGHT
        top = _height((item.west or item.east)[0].y) - height / 2
    return Rectangle(frame.x + columns.layer_x[item.layer] + shift, top, columns.widths[item], height)


def _point(pin: Pin, rectangle: Rectangle) -> Point:
    return (rectangle.right if pin in pin.item.east else rectangle.x, _height(pin.y))


def _box(path: str, item: Item, node: Node, rectangle: Rectangle) -> Box:
    west, east = (
        tuple(PortPoint(pin.port, _point(pin, rectangle), bool(pin.links)) for pin in side if pin.port)
        for side in (item.west, item.east)
    )
    return Box(path, node, rectangle, west, east, item.inside is not None)


def _wire(columns: _Columns, net: Net, rectangles: dict[Item, Rectangle], frame: Rectangle) -> Wire:
    def along(route: list[Link]) -> Iterator[Point]:
        yield _point(net.pin, rectangles[net.pin.item])
        for link in route:
            for lane, y in columns.channels[link.channel].corners(link):
                yield frame.x + columns.lane_x[link.channel] + lane * metrics.LANE, _height(y)
        yield _point(route[-1].b, rectangles[route[-1].b.item])

    branches = tuple(tuple(along(route)) for route in net.routes)
    return Wire(
        columns.level.path, net.source, net.sinks, branches, joined_at(branches), net.label, net.sink_labels,
        tuple(net.labels.values()), net.marks,
    )  # fmt: skip
