"""How high everything stands: as many straight wires as possible, without crowding.

One problem for the whole drawing, insides of subsystems included, so that a wire can be straight right through a frame.
Variables are the heights of ports, passing wires, and tops and bottoms of boxes; order and gaps are their constraints;
what is minimised is the vertical length of all wires, weighted, plus a little of the heights of boxes. Boxes may thus
stretch to make a wire straight, as people do by hand.

The length alone would bring wires that turn anyway closer together at the cost of straight ones. So the problem is
solved again with less weight on the wires that came out long (reweighted ℓ1 minimisation: Candès, Wakin & Boyd 2008,
Enhancing sparsity by reweighted ℓ1 minimization, J. Fourier Anal. Appl. 14).
"""

from __future__ import annotations

from itertools import pairwise

from . import metrics
from .layers import Item, Kind, Level, Link, LinkKind, Pin
from .simplex import Arc, network_simplex

__all__ = ["place_level"]

# Weights of vertical length. A wire through several layers should be straight before all. A box may stretch to make a
# wire straight, but not to come nearer to one that turns anyway.
_INNER, _OUTER, _TURN = 60, 40, 1
_PORTS, _BOX, _FRAME = 2, 1, 1
_PASSES = 4


def place_level(level: Level) -> int:
    """Set `y`, `top` and `bottom` of all pins and boxes, in grid steps; returns the height of the whole."""
    problem = _Problem()
    top, bottom = problem.variable(), problem.variable()
    problem.add_level(level, top, bottom, {}, {})
    values = problem.solve()
    for pin, variable in problem.pins.items():
        pin.y = values[variable] - values[top]
    for item, (upper, lower) in problem.extents.items():
        item.top, item.bottom = values[upper] - values[top], values[lower] - values[top]
    return values[bottom] - values[top]


class _Problem:
    def __init__(self) -> None:
        self.count = 0
        self.arcs: list[Arc] = []
        self.wires: list[tuple[int, int, int]] = []  # two ends, and the weight of their distance
        self.pins: dict[Pin, int] = {}
        self.extents: dict[Item, tuple[int, int]] = {}

    def solve(self) -> list[int]:
        """Values of the variables, with as much weight of wires straight as any of the passes reached."""
        best: list[int] = []
        most = -1
        lengths = [0] * len(self.wires)
        for _ in range(_PASSES):
            arcs: list[tuple[int, int, int, int]] = list(self.arcs)
            for lower, ((one, other, weight), length) in enumerate(zip(self.wires, lengths, strict=True), self.count):
                # `lower` lies at the lower of both ends, so both distances to it are their distance
                share = max(1, weight // (length + 1))
                arcs += (lower, one, 0, share), (lower, other, 0, share)
            values = network_simplex(self.count + len(self.wires), arcs)
            before, lengths = lengths, [abs(values[one] - values[other]) for one, other, _ in self.wires]
            straight = sum(weight for (_, _, weight), length in zip(self.wires, lengths, strict=True) if not length)
            if straight > most:
                best, most = values, straight
            if lengths == before:
                break  # another pass would give the same
        return best

    def variable(self) -> int:
        self.count += 1
        return self.count - 1

    def below(self, upper: int, lower: int, distance: int, weight: int = 0) -> None:
        self.arcs.append(Arc(upper, lower, distance, weight))

    def add_level(self, level: Level, top: int, bottom: int, inputs: dict[str, int], outputs: dict[str, int]) -> None:
        """Between `top` and `bottom`; the boundary ports are at the variables given, by name, or at new ones."""
        smallest = metrics.FRAME_HEADER + metrics.FRAME_FOOTER
        self.below(top, bottom, smallest, _FRAME)
        for layer in level.layers:
            above: Item | None = None
            for item in layer:
                self._add_item(item, inputs, outputs)
                upper = self.extents[item][0]
                if above is None:
                    self.below(top, upper, metrics.FRAME_HEADER)
                else:
                    self.below(self.extents[above][1], upper, _gap(above, item))
                above = item
            if above is not None:
                self.below(self.extents[above][1], bottom, metrics.FRAME_FOOTER)
        for links in level.channels:
            for link in links:
                self.wires.append((self.pins[link.a], self.pins[link.b], _weight(link)))

    def _add_item(self, item: Item, inputs: dict[str, int], outputs: dict[str, int]) -> None:
        if item.kind is Kind.BOX:
            self._add_box(item)
            return
        port = (item.west or item.east)[0].port
        given = None if port is None else (inputs if item.kind is Kind.INPUT else outputs).get(port.name)
        variable = self.variable() if given is None else given
        self.extents[item] = (variable, variable)
        for pin in (*item.west, *item.east):
            self.pins[pin] = variable

    def _add_box(self, item: Item) -> None:
        top, bottom = self.extents[item] = (self.variable(), self.variable())
        for side in (item.west, item.east):
            for pin in side:
                self.pins[pin] = self.variable()
        if item.inside is not None:
            west, east = ({pin.port.name: self.pins[pin] for pin in s if pin.port} for s in (item.west, item.east))
            self.add_level(item.inside, top, bottom, west, east)
            return
        self.below(top, bottom, metrics.PORTLESS, _BOX)
        for side in (item.west, item.east):
            if side:
                variables = [self.pins[pin] for pin in side]
                self.below(top, variables[0], metrics.HEADER)
                for upper, lower in pairwise(variables):
                    self.below(upper, lower, metrics.PORT_PITCH)
                self.below(top, variables[-1], 0, _PORTS)
                self.below(variables[-1], bottom, metrics.FOOTER)


def _gap(above: Item, below: Item) -> int:
    kinds = {above.kind, below.kind}
    if kinds == {Kind.BOX}:
        return metrics.BOX_GAP
    if kinds == {Kind.PASS}:
        return metrics.WIRE_GAP
    return metrics.BOX_WIRE_GAP if Kind.BOX in kinds else metrics.PORT_PITCH


def _weight(link: Link) -> int:
    if link.kind is not LinkKind.THROUGH:
        return _TURN
    return _INNER if link.a.item.kind is link.b.item.kind is Kind.PASS else _OUTER
