"""Network simplex: whole numbers that keep given distances at the least weighted length.

Minimise  Σ w_e (y[head_e] − y[tail_e])  subject to  y[head_e] − y[tail_e] ≥ d_e  for every arc e.

The drawing asks this twice: for the layer of every box (how far apart do wires make them stand) and for the height of
every wire and box (how many wires are straight).

Source: Gansner, Koutsofios, North & Vo (1993), A technique for drawing directed graphs, IEEE TSE 19(3), section 2.3.
The cut values are kept differently: as sums over subtrees of what leaves a variable minus what enters it, which is
the same number and needs no case distinctions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

__all__ = ["Arc", "network_simplex"]

_ITERATIONS = 20  # per variable; exchanges may cycle in theory, and stopping early still leaves a feasible answer


@dataclass(frozen=True)
class Arc:
    """y[head] − y[tail] ≥ distance, and each unit of y[head] − y[tail] costs `weight` ≥ 0."""

    tail: int
    head: int
    distance: int
    weight: int


def network_simplex(count: int, arcs: Sequence[Arc]) -> list[int]:
    """The values of `count` variables; in each connected part the smallest is 0.

    Raises ValueError when the distances contradict each other (the arcs contain a cycle).
    """
    values = _feasible(count, arcs)
    incident: list[list[Arc]] = [[] for _ in range(count)]
    for arc in arcs:
        incident[arc.tail].append(arc)
        incident[arc.head].append(arc)
    placed = [False] * count
    for root in range(count):
        if placed[root]:
            continue
        tree = _Tree(root, values, incident)
        tree.optimise()
        lowest = min(values[v] for v in tree.members)
        for v in tree.members:
            placed[v] = True
            values[v] -= lowest
    return values


def _feasible(count: int, arcs: Sequence[Arc]) -> list[int]:
    """The smallest values that satisfy every arc, by longest paths; a variable with no tail goes close to its heads."""
    outgoing: list[list[Arc]] = [[] for _ in range(count)]
    waiting = [0] * count
    for arc in arcs:
        outgoing[arc.tail].append(arc)
        waiting[arc.head] += 1
    values = [0] * count
    sources = [v for v in range(count) if not waiting[v]]
    queue = list(sources)
    for v in queue:  # grows while it is read
        for arc in outgoing[v]:
            values[arc.head] = max(values[arc.head], values[v] + arc.distance)
            waiting[arc.head] -= 1
            if not waiting[arc.head]:
                queue.append(arc.head)
    if len(queue) != count:
        raise ValueError("the distances contradict each other: their arcs contain a cycle")
    for v in sources:
        if outgoing[v]:
            values[v] = min(values[arc.head] - arc.distance for arc in outgoing[v])
    return values


class _Tree:
    """A spanning tree of tight arcs over one connected part.

    `surplus[v]` is the weight of all arcs that leave the subtree of v minus that of those which enter it. Moving the
    subtree up by one changes the objective by −surplus[v], so it says which way the subtree wants to go.
    """

    def __init__(self, root: int, values: list[int], incident: list[list[Arc]]) -> None:
        self.values, self.incident = values, incident
        self.parent: dict[int, int] = {}
        self.link: dict[int, Arc] = {}  # the tight arc between a variable and its parent
        self.children: dict[int, list[int]] = {}
        self.members: list[int] = []  # parents before children
        self._grow(root)
        self.surplus: dict[int, int] = {}
        for v in reversed(self.members):
            own = sum(arc.weight if arc.tail == v else -arc.weight for arc in incident[v])
            self.surplus[v] = own + sum(self.surplus[child] for child in self.children[v])

    def _grow(self, root: int) -> None:
        """As Prim does: move what is in the tree as a whole until the nearest arc out of it is tight; that joins."""
        values, moved = self.values, 0
        unmoved: dict[int, int] = {}
        outward: list[tuple[int, int, int, Arc]] = []  # slack + moved, a unique number, who joins, the arc
        inward: list[tuple[int, int, int, Arc]] = []  # slack − moved, likewise
        number = 0

        def join(v: int) -> None:
            nonlocal number
            unmoved[v] = values[v] - moved
            self.children[v] = []
            self.members.append(v)
            for arc in self.incident[v]:
                number += 1
                if arc.tail == v:
                    if arc.head not in unmoved:
                        slack = values[arc.head] - unmoved[v] - arc.distance
                        heappush(outward, (slack, number, arc.head, arc))
                elif arc.tail not in unmoved:
                    heappush(inward, (unmoved[v] - values[arc.tail] - arc.distance, number, arc.tail, arc))

        join(root)
        while True:
            for heap in (outward, inward):
                while heap and heap[0][2] in unmoved:
                    heappop(heap)
            if outward and (not inward or outward[0][0] - moved <= inward[0][0] + moved):
                slack, _, v, arc = heappop(outward)
                moved = slack
                parent = arc.tail
            elif inward:
                slack, _, v, arc = heappop(inward)
                moved = -slack
                parent = arc.head
            else:
                break
            self.parent[v], self.link[v] = parent, arc
            self.children[parent].append(v)
            join(v)
        for v, value in unmoved.items():
            values[v] = value + moved

    def optimise(self) -> None:
        candidates = self.members[1:]
        position = 0
        for _ in range(_ITERATIONS * len(candidates)):
            for step in range(len(candidates)):
                v = candidates[(position + step) % len(candidates)]
                if (self.surplus[v] if self.link[v].tail == v else -self.surplus[v]) < 0:
                    position += step
                    self._exchange(v)
                    break
            else:
                return

    def _exchange(self, v: int) -> None:
        """Let go of v's link, move its subtree until another arc is tight, and hang the subtree up by that one."""
        values, inside = self.values, [v]
        for u in inside:  # grows while it is read
            inside.extend(self.children[u])
        subtree = set(inside)
        down = self.link[v].tail == v  # the link keeps v from rising
        best: tuple[int, int, int, Arc] | None = None
        for u in inside:
            for arc in self.incident[u]:
                far = arc.tail if down else arc.head
                if far == u or far in subtree:
                    continue
                slack = values[arc.head] - values[arc.tail] - arc.distance
                if best is None or slack < best[0]:
                    best = (slack, u, far, arc)
        assert best is not None  # a subtree that weights pull somewhere is tied to what pulls it
        slack, inner, outer, entering = best
        if slack:
            move = -slack if down else slack
            for u in inside:
                values[u] += move
        self._rehang(v, inner, outer, entering)

    def _rehang(self, v: int, inner: int, outer: int, entering: Arc) -> None:
        total = self.surplus[v]
        for start, sign in ((self.parent[v], -1), (outer, 1)):
            u: int | None = start
            while u is not None:
                self.surplus[u] += sign * total
                u = self.parent.get(u)
        # Reverse the links from `inner` up to v, so that `inner` is the root of the subtree.
        parent, link, below = outer, entering, 0
        u = inner
        while True:
            old_parent, old_link, old_surplus = self.parent[u], self.link[u], self.surplus[u]
            self.children[old_parent].remove(u)
            self.children[parent].append(u)
            self.parent[u], self.link[u] = parent, link
            self.surplus[u] = total - below
            if u == v:
                return
            parent, link, below, u = u, old_link, old_surplus, old_parent
