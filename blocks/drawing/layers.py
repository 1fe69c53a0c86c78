"""From a graph to layers: which column each box stands in, and where a wire passes other columns.

Layer 0 holds the graph's own inputs, the last layer its outputs (either may be empty), the boxes stand in between.
A wire that passes a layer gets an item of its own there, so that it takes room and nothing can stand in its way. Layers
are divided by channels, where the wires turn; the links are what the wires connect within a channel.

        layer 0   channel 0   layer 1   channel 1   layer 2   channel 2   layer 3
        inputs   ───────────  boxes    ───────────  boxes    ───────────  outputs

A wire that runs back leaves its source to the right, turns in that channel, passes its own source's layer and all
others down to its sink's layer, and turns again into the sink from the left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from math import ceil, sqrt

from .cycles import forward_order
from .graph import BOUNDARY, Edge, Endpoint, Graph, Mark, Node, Port
from .simplex import Arc, network_simplex

__all__ = ["Item", "Kind", "Level", "Link", "LinkKind", "Net", "Pin", "build_level"]


class Kind(Enum):
    """What stands in a layer."""

    BOX = "box"
    INPUT = "input"  # a boundary port of the graph
    OUTPUT = "output"
    PASS = "pass"  # a wire that passes a layer


class LinkKind(Enum):
    """Between which sides of a channel a link runs."""

    THROUGH = "through"  # from the right side of a layer to the left side of the next
    LEFT = "left"  # both ends on the right side of the layer to the left of the channel
    RIGHT = "right"  # both ends on the left side of the layer to the right of the channel


@dataclass(eq=False)
class Pin:
    """Where a wire can end on one side of an item."""

    item: Item
    port: Port | None = None
    declared: int = 0  # index among the ports of the side, as declared
    links: list[Link] = field(default_factory=list)
    y: int = 0  # in grid steps


@dataclass(eq=False)
class Item:
    """Something that stands in a layer: a box, a boundary port, or a wire that passes."""

    kind: Kind
    layer: int
    node: Node | None = None
    inside: Level | None = None  # of an open subsystem
    backward: bool = False  # of a passing wire
    rigid: bool = False  # of an open subsystem: its ports are to stay in their order
    west: list[Pin] = field(default_factory=list)
    east: list[Pin] = field(default_factory=list)
    top: int = 0  # in grid steps
    bottom: int = 0


@dataclass(eq=False)
class Link:
    """A piece of a wire within one channel; `a` is nearer to the wire's source."""

    net: Net
    kind: LinkKind
    a: Pin
    b: Pin
    channel: int
    left: Pin = field(init=False)  # of a THROUGH link, the end on the left side of the channel
    right: Pin = field(init=False)

    def __post_init__(self) -> None:
        self.left, self.right = (self.a, self.b) if self.a.item.layer <= self.b.item.layer else (self.b, self.a)


@dataclass(eq=False)
class Net:
    """Everything one source drives."""

    source: Endpoint
    pin: Pin
    labels: dict[Endpoint, str]  # by sink
    marks: tuple[Mark, ...] = ()
    links: list[Link] = field(default_factory=list)
    #: For every sink the links from the source to it.
    routes: list[list[Link]] = field(default_factory=list)
    ahead: list[Item] = field(default_factory=list)  # the passing items of the part that runs forward, in order
    back: list[Item] = field(default_factory=list)  # and of the part that runs back

    @property
    def sinks(self) -> tuple[Endpoint, ...]:
        return tuple(self.labels)

    @property
    def label(self) -> str:
        """The label of the whole: that which all its edges have, or none."""
        labels = set(self.labels.values())
        return labels.pop() if len(labels) == 1 else ""

    @property
    def sink_labels(self) -> tuple[str, ...]:
        """What is written at each sink: its own label where not all are the same."""
        return ("",) * len(self.labels) if self.label else tuple(self.labels.values())


@dataclass(eq=False)
class Level:
    """One graph in layers, with the insides of its open subsystems."""

    graph: Graph
    path: str
    layers: list[list[Item]]
    channels: list[list[Link]]
    nets: list[Net]

    def boxes(self) -> Iterator[Item]:
        """The boxes of this level, not of those inside."""
        return (item for layer in self.layers for item in layer if item.kind is Kind.BOX)


def build_level(graph: Graph, path: str, depth: int | None) -> Level:
    """The graph in layers; subsystems are opened down to `depth` levels, None for all."""
    layer_of = _assign_layers(graph)
    last = max(layer_of.values(), default=1) + 1
    layers: list[list[Item]] = [[] for _ in range(last + 1)]
    outgoing: dict[Endpoint, Pin] = {}
    incoming: dict[Endpoint, Pin] = {}
    for i, port in enumerate(graph.inputs):
        item = Item(Kind.INPUT, 0)
        outgoing[BOUNDARY, port.name] = pin = Pin(item, port, i)
        item.east.append(pin)
        layers[0].append(item)
    for i, port in enumerate(graph.outputs):
        item = Item(Kind.OUTPUT, last)
        incoming[BOUNDARY, port.name] = pin = Pin(item, port, i)
        item.west.append(pin)
        layers[last].append(item)
    for node in graph.nodes:
        item = Item(Kind.BOX, layer_of[node.name], node)
        if node.children is not None and (depth is None or depth > 0):
            inner = f"{path}.{node.name}" if path else node.name
            item.inside = build_level(node.children, inner, None if depth is None else depth - 1)
        for i, port in enumerate(node.inputs):
            incoming[node.name, port.name] = pin = Pin(item, port, i)
            item.west.append(pin)
        for i, port in enumerate(node.outputs):
            outgoing[node.name, port.name] = pin = Pin(item, port, i)
            item.east.append(pin)
        layers[item.layer].append(item)
    level = Level(graph, path, layers, [[] for _ in range(last)], [])
    for source, edges in _merged_edges(graph).items():
        labels = {sink: edge.label for sink, edge in edges.items()}
        net = Net(source, outgoing[source], labels, tuple(edge.mark for edge in edges.values()))
        level.nets.append(net)
        _link(level, net, [incoming[sink] for sink in labels])
    return level


def _merged_edges(graph: Graph) -> dict[Endpoint, dict[Endpoint, Edge]]:
    """The sinks of every source that has any, and the edge to each."""
    merged: dict[Endpoint, dict[Endpoint, Edge]] = {}
    for edge in graph.edges:
        for sink in edge.sinks:
            merged.setdefault(edge.source, {}).setdefault(sink, edge)
    return merged


def _assign_layers(graph: Graph) -> dict[str, int]:
    """Layers from 1 on, such that wires are short; wires that run back count as if they ran forward."""
    names = [node.name for node in graph.nodes]
    index = {name: i for i, name in enumerate(names)}
    order = forward_order(graph)
    start, end = len(names), len(names) + 1
    arcs = []
    wired: set[int] = set()
    for edge in graph.edges:
        for sink in {node: None for node, _ in edge.sinks}:
            source = edge.source[0]
            a = start if source == BOUNDARY else index[source]
            b = end if sink == BOUNDARY else index[sink]
            wired.update((a, b))
            if a < start and b < start and order[source] > order[sink]:
                a, b = b, a
            if a != b:
                arcs.append(Arc(a, b, 1, 1))
    chained = [i for i in range(len(names)) if i in wired]
    for i in chained:
        arcs.append(Arc(start, i, 1, 0))
        arcs.append(Arc(i, end, 1, 0))
    values = network_simplex(len(names) + 2, arcs)
    first = min((values[i] for i in chained), default=1)
    layer_of = {names[i]: values[i] - first + 1 for i in chained}
    # Boxes without any wire: side by side rather than one tall stack.
    loose = [name for name in names if name not in layer_of]
    columns = max(max(layer_of.values(), default=0), ceil(sqrt(len(loose))), 1)
    layer_of.update((name, i % columns + 1) for i, name in enumerate(loose))
    return layer_of


def _link(level: Level, net: Net, sinks: list[Pin]) -> None:
    """Lead the net through channels and layers to its sinks: one trunk forward and one back, shared by all sinks."""
    home = net.pin.item.layer
    came_by: dict[Pin, Link] = {}

    def connect(a: Pin, b: Pin, channel: int, kind: LinkKind) -> None:
        link = Link(net, kind, a, b, channel)
        came_by[b] = link
        net.links.append(link)
        level.channels[channel].append(link)
        a.links.append(link)
        b.links.append(link)

    def passing(layer: int, backward: bool) -> Item:
        item = Item(Kind.PASS, layer, backward=backward)
        item.west, item.east = [Pin(item)], [Pin(item)]
        level.layers[layer].append(item)
        return item

    through: dict[Pin, Pin] = {}  # of passing items: the pin where the wire leaves → where it came in
    ahead = [pin for pin in sinks if pin.item.layer > home]
    tip = net.pin
    for layer in range(home + 1, max((pin.item.layer for pin in ahead), default=home) + 1):
        for pin in ahead:
            if pin.item.layer == layer:
                connect(tip, pin, layer - 1, LinkKind.THROUGH)
        if any(pin.item.layer > layer for pin in ahead):
            item = passing(layer, False)
            net.ahead.append(item)
            connect(tip, item.west[0], layer - 1, LinkKind.THROUGH)
            tip = item.east[0]
            through[tip] = item.west[0]
    behind = [pin for pin in sinks if pin.item.layer <= home]
    tip = net.pin
    for layer in range(home, min((pin.item.layer for pin in behind), default=home + 1) - 1, -1):
        item = passing(layer, True)
        net.back.append(item)
        connect(tip, item.east[0], layer, LinkKind.LEFT if layer == home else LinkKind.THROUGH)
        tip = item.west[0]
        through[tip] = item.east[0]
        for pin in behind:
            if pin.item.layer == layer:
                connect(tip, pin, layer - 1, LinkKind.RIGHT)
    for pin in sinks:
        route: list[Link] = []
        end = pin
        while end is not net.pin:
            route.append(came_by[end])
            end = through.get(route[-1].a, route[-1].a)
        net.routes.append(route[::-1])
