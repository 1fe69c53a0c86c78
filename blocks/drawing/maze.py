"""Wires around boxes that stand anywhere, found by search on a grid of tracks.

Wires of different sources may cross, but never lie on each other. Each is a tree that grows from its source to one sink
after the other, by the cheapest way (Lee 1961, An algorithm for path connections and its applications, IRE Trans.
Electron. Comput. EC-10; with A*). A wire that finds no way takes that of others, which are then laid again, and what is
contested becomes dearer each time (McMurchie & Ebeling 1995, PathFinder, ACM FPGA).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from itertools import pairwise

from .geometry import Point, Polyline, Rectangle
from .tracks import Ends, Grid, make_grid

__all__ = ["route"]

_BEND, _CROSSING, _LABEL, _CONTESTED = 16.0, 10.0, 300.0, 2000.0
_ATTEMPTS = 12  # per wire
_PATIENCE = 4  # how often a place may be contested before a finer grid is tried
_FINEST = 3
_RIGHT, _LEFT, _BELOW, _ABOVE = range(4)


def route(area: Rectangle, boxes: Sequence[Rectangle], wires: Sequence[Ends]) -> list[tuple[Polyline, ...]]:
    """Lead every wire from its source to each of its sinks: as many lines as it has sinks, from left to right.

    Boxes must be apart. Wires that have their lines keep them unless others find no way. Where there is too little room
    between boxes, some wires may lie on each other.
    """
    best: list[tuple[Polyline, ...]] = []
    least = -1
    for finer in range(_FINEST):
        patience = _PATIENCE if finer + 1 < _FINEST else _ATTEMPTS
        router = _Router(make_grid(area, boxes, wires, finer), wires, patience)
        contested = router.route()
        if least < 0 or contested < least:
            best, least = [router.lines(number) for number in range(len(wires))], contested
        if not contested:
            break
    return best


class _Router:
    def __init__(self, grid: Grid, wires: Sequence[Ends], patience: int) -> None:
        self.grid = grid
        self.most = patience * _CONTESTED
        self.wires = wires
        self.wide = len(grid.xs)
        self.starts = [grid.leaving(wire.source) for wire in wires]
        self.ends = [[grid.arriving(sink) for sink in wire.sinks] for wire in wires]
        self.before: list[dict[int, int]] = [{} for _ in wires]  # node → the one before it on the way from the source
        # By node: the wires that run along it from left to right, or up and down.
        self.across: defaultdict[int, set[int]] = defaultdict(set)
        self.down: defaultdict[int, set[int]] = defaultdict(set)
        self.history: defaultdict[tuple[bool, int], float] = defaultdict(float)
        self.walled_in = 0  # ends to which there is no way
        self.kept: dict[int, int] = {}  # nodes where the ends of a wire are
        self.given = {number: wire.lines for number, wire in enumerate(wires) if wire.lines}  # and not taken up
        for number, lines in self.given.items():
            for node, across in (place for line in lines for place in grid.along(line)):
                (self.across if across else self.down)[node].add(number)
        for number in range(len(wires)):
            for node in (self.starts[number], *self.ends[number]):
                self.kept.setdefault(node, number)

    def route(self) -> int:
        """Lay all wires; returns how many nodes are contested in the end; ends without a way count more."""
        waiting = sorted((number for number in range(len(self.wires)) if number not in self.given), key=self._length)
        left = _ATTEMPTS * len(waiting)
        while waiting and left and max(self.history.values(), default=0.0) < self.most:
            number = waiting.pop(0)
            left -= 1
            self._lay(number)
            disturbed = self._disturbed(number)
            for other in disturbed:
                self._take_up(other)
            waiting.extend(other for other in disturbed if other not in waiting)
        for number in waiting:
            self._lay(number)
        contested = sum(len(users) > 1 for place in (self.across, self.down) for users in place.values())
        return contested + 1000 * self.walled_in

    def lines(self, number: int) -> tuple[Polyline, ...]:
        """The lines of a wire from its source to each of its sinks."""
        wire = self.wires[number]
        return self.given.get(number) or tuple(
            self._line(wire.source, self._way(number, end), sink)
            for sink, end in zip(wire.sinks, self.ends[number], strict=True)
        )

    def _length(self, number: int) -> float:
        wire = self.wires[number]
        (x, y), ends = wire.source, wire.sinks
        straight = len(ends) == 1 and ends[0][1] == y and ends[0][0] > x
        return 0.0 if straight else max(abs(end[0] - x) + 2 * abs(end[1] - y) for end in ends)

    def _way(self, number: int, end: int) -> list[int]:
        way = [end]
        while way[-1] != self.starts[number]:
            way.append(self.before[number][way[-1]])
        return way[::-1]

    def _line(self, source: Point, way: Iterable[int], sink: Point) -> Polyline:
        points = [source, *map(self.grid.point, way), sink]
        turns = [
            here
            for before, here, after in zip(points, points[1:], points[2:], strict=False)
            if not (before[0] == here[0] == after[0] or before[1] == here[1] == after[1])
        ]
        return (source, *turns, sink)

    # --- laying and taking up --------------------------------------------------------------------------------------

    def _lay(self, number: int) -> None:
        before = self.before[number]
        before.clear()
        tree = {self.starts[number]}
        nearest = sorted(self.ends[number], key=lambda end: self._apart(self.starts[number], end))
        for end in nearest:
            way = self._search(number, tree, end)
            for one, other in pairwise(way):
                before[other] = one
            tree.update(way)
        for node in (self.starts[number], *self.ends[number]):
            self.across[node].add(number)
        for node, previous in before.items():
            users = self.across if abs(node - previous) == 1 else self.down
            users[node].add(number)
            users[previous].add(number)

    def _take_up(self, number: int) -> None:
        for node, across in (place for line in self.given.pop(number, ()) for place in self.grid.along(line)):
            (self.across if across else self.down)[node].discard(number)
        for users in (self.across, self.down):
            for node in (self.starts[number], *self.ends[number], *self.before[number], *self.before[number].values()):
                users[node].discard(number)
        self.before[number].clear()

    def _disturbed(self, number: int) -> list[int]:
        """The other wires on which this one lies; what is contested becomes dearer."""
        found: set[int] = set()
        for flag, users in ((True, self.across), (False, self.down)):
            for node in {self.starts[number], *self.ends[number], *self.before[number], *self.before[number].values()}:
                if number in users[node] and len(users[node]) > 1:
                    found |= users[node]
                    self.history[flag, node] += _CONTESTED
        return sorted(found - {number})

    def _apart(self, one: int, other: int) -> float:
        (ax, ay), (bx, by) = self.grid.point(one), self.grid.point(other)
        return abs(ax - bx) + abs(ay - by)

    # --- search ----------------------------------------------------------------------------------------------------

    def _search(self, number: int, tree: set[int], end: int) -> list[int]:
        """The cheapest way from any node of a wire's tree to one of its ends."""
        if end in tree:
            return [end]
        xs, ys, wide = self.grid.xs, self.grid.ys, self.wide
        goal_x, goal_y = self.grid.point(end)
        start = self.starts[number]
        heap: list[tuple[float, float, int, int]] = []
        costs: dict[tuple[int, int], float] = {}
        for node in sorted(tree):
            x, y = self.grid.point(node)
            for way in range(4) if node != start else (_RIGHT,):
                costs[node, way] = 0.0
                heappush(heap, (abs(x - goal_x) + abs(y - goal_y), 0.0, node, way))
        came: dict[tuple[int, int], tuple[int, int]] = {}
        while heap:
            _, cost, node, way = heappop(heap)
            if costs.get((node, way), cost) < cost:
                continue  # a cheaper way came here since
            if node == end:
                if way == _LEFT:
                    continue  # the wire goes on to the right from here
                return self._back(came, (node, way))
            row, column = divmod(node, wide)
            for onward in range(4):
                if onward == way ^ 1:
                    continue
                step = self._step(node, onward, row, column)
                if step < 0 or step in tree:
                    continue
                price = self._price(number, node, step, onward)
                length = abs(xs[step % wide] - xs[column]) + abs(ys[step // wide] - ys[row])
                bends = (onward != way) + (step == end and onward != _RIGHT)
                total = cost + length + price + bends * _BEND
                key = (step, onward)
                if total < costs.get(key, float("inf")):
                    costs[key] = total
                    came[key] = (node, way)
                    rest = abs(xs[step % wide] - goal_x) + abs(ys[step // wide] - goal_y)
                    heappush(heap, (total + rest, total, step, onward))
        self.walled_in += 1
        return [start, end]  # a straight line, so that something is drawn

    @staticmethod
    def _back(came: dict[tuple[int, int], tuple[int, int]], state: tuple[int, int]) -> list[int]:
        way = [state[0]]
        while state in came:
            state = came[state]
            way.append(state[0])
        return way[::-1]

    def _step(self, node: int, way: int, row: int, column: int) -> int:
        """The next node that way, or -1."""
        wide = self.wide
        if way == _RIGHT:
            return -1 if column + 1 == wide or self.grid.closed_right[node] else node + 1
        if way == _LEFT:
            return -1 if column == 0 or self.grid.closed_right[node - 1] else node - 1
        if way == _BELOW:
            return -1 if row + 1 == len(self.grid.ys) or self.grid.closed_below[node] else node + wide
        return -1 if row == 0 or self.grid.closed_below[node - wide] else node - wide

    def _price(self, number: int, node: int, step: int, way: int) -> float:
        """What a step costs besides its length: for others that run there or across, and for labels."""
        flat = way in (_RIGHT, _LEFT)
        along, athwart = (self.across, self.down) if flat else (self.down, self.across)
        price = 0.0
        for place in (node, step):
            users = along.get(place)
            if users and users != {number}:
                price += _CONTESTED + self.history[flat, place]
            elif flat and self.kept.get(place, number) != number:
                price += _CONTESTED
        others = athwart.get(step)
        if others and others != {number}:
            price += _CROSSING
        first = min(node, step)
        if first in (self.grid.dear_right if flat else self.grid.dear_below):
            price += _LABEL
        return price
