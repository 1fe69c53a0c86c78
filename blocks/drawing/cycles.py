"""Which wires of a loop run forward, and which run back.

Every control loop is a cycle, and some wire of it must run from right to left. The fewest should, and the ones a
reader expects: the signal goes guidance → control → thrust → dynamics, and what the dynamics measures comes back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .graph import BOUNDARY, Graph, Node

__all__ = ["forward_order", "linear_order", "strong_components"]

# Where a family stands in the chain of a control loop. Families that can stand anywhere are not listed.
_CHAIN = {
    "guidance": 1.0,
    "control": 2.0,
    "allocation": 3.0,
    "environment": 3.0,
    "thrust": 4.0,
    "dynamics": 5.0,
    "power": 6.0,
    "sensors": 6.0,
    "navigation": 7.0,
}

# What it costs to draw a wire backward, by the chain positions of its ends.
_AGAINST_CHAIN, _UNKNOWN, _ALONG_CHAIN = 1, 2, 4

Weights = dict[tuple[int, int], int]


def forward_order(graph: Graph) -> dict[str, int]:
    """A position for every node: a wire runs back when its source does not stand before its sink.

    Only wires on a cycle ever run back.
    """
    names = [node.name for node in graph.nodes]
    index = {name: i for i, name in enumerate(names)}
    chain = [_chain_position(node) for node in graph.nodes]
    weights: Weights = {}
    entered, left = [False] * len(names), [False] * len(names)
    for edge in graph.edges:
        source = edge.source[0]
        for sink in sorted({node for node, _ in edge.sinks}):
            if source == BOUNDARY or sink == BOUNDARY:
                if sink != BOUNDARY:
                    entered[index[sink]] = True
                if source != BOUNDARY:
                    left[index[source]] = True
                continue
            pair = (index[source], index[sink])
            weights[pair] = weights.get(pair, 0) + _cost(chain[pair[0]], chain[pair[1]])
    order: list[int] = []
    for component in strong_components(len(names), weights):
        order.extend(_order_loop(component, weights, chain, entered, left))
    return {names[i]: position for position, i in enumerate(order)}


def _chain_position(node: Node) -> float | None:
    """The family's place in the chain; of a subsystem, the mean over what is in it."""
    if node.children is None:
        return _CHAIN.get(node.kind)
    inside = [position for child in node.children.nodes if (position := _chain_position(child)) is not None]
    return sum(inside) / len(inside) if inside else _CHAIN.get(node.kind)


def _cost(source: float | None, sink: float | None) -> int:
    if source is None or sink is None or source == sink:
        return _UNKNOWN
    return _ALONG_CHAIN if source < sink else _AGAINST_CHAIN


def _order_loop(
    members: list[int], weights: Weights, chain: list[float | None], entered: list[bool], left: list[bool]
) -> list[int]:
    if len(members) == 1:
        return members
    own = {pair: w for pair, w in weights.items() if pair[0] in set(members) and pair[1] in set(members)}
    declared = sorted(members)
    by_chain = sorted(declared, key=lambda v: (chain[v] if chain[v] is not None else 3.0, v))
    starts = [v for v in declared if entered[v]] + [v for v in declared if not entered[v]]
    candidates = [linear_order(start, own) for start in (declared, by_chain, _depth_first(starts, own))]

    def badness(order: list[int]) -> tuple[int, int]:
        position = {v: i for i, v in enumerate(order)}
        backward = sum(w for (a, b), w in own.items() if position[a] > position[b])
        # Of equally good orders, the one that begins where wires come in and ends where they go out.
        reach = sum(i for v, i in position.items() if entered[v])
        reach += sum(len(order) - 1 - i for v, i in position.items() if left[v])
        return backward, reach

    return min(candidates, key=badness)


def _depth_first(starts: Sequence[int], weights: Weights) -> list[int]:
    """Reverse postorder from the first start: along a loop, the order in which the signal passes."""
    followers: dict[int, list[int]] = {v: [] for v in starts}
    for a, b in sorted(weights):
        followers[a].append(b)
    done: list[int] = []
    seen: set[int] = set()
    for start in starts:
        if start in seen:
            continue
        seen.add(start)
        stack: list[tuple[int, Iterator[int]]] = [(start, iter(followers[start]))]
        while stack:
            v, rest = stack[-1]
            for u in rest:
                if u not in seen:
                    seen.add(u)
                    stack.append((u, iter(followers[u])))
                    break
            else:
                stack.pop()
                done.append(v)
    done.reverse()
    return done


def linear_order(initial: Sequence[int], weights: Weights) -> list[int]:
    """Improve an order until moving no single member lessens the weight of the pairs (a, b) with b before a."""
    order = list(initial)
    gain: dict[int, dict[int, int]] = {v: {} for v in order}  # gain[v][u]: cost of v before u minus v after u
    for (a, b), w in weights.items():
        if a != b and a in gain and b in gain:
            gain[a][b] = gain[a].get(b, 0) - w
            gain[b][a] = gain[b].get(a, 0) + w
    improved = True
    while improved:
        improved = False
        for v in list(order):
            here = order.index(v)
            best, target, cost = 0, here, 0
            for i in range(here - 1, -1, -1):
                cost += gain[v].get(order[i], 0)
                if cost < best:
                    best, target = cost, i
            cost = 0
            for i in range(here + 1, len(order)):
                cost -= gain[v].get(order[i], 0)
                if cost < best:
                    best, target = cost, i
            if target != here:
                order.pop(here)
                order.insert(target, v)
                improved = True
    return order


def strong_components(count: int, weights: Weights) -> list[list[int]]:
    """Strongly connected components, sources first (Tarjan 1972, without recursion)."""
    followers: list[list[int]] = [[] for _ in range(count)]
    for a, b in sorted(weights):
        followers[a].append(b)
    number: dict[int, int] = {}
    lowest: dict[int, int] = {}
    open_: list[int] = []
    is_open = [False] * count
    components: list[list[int]] = []
    for root in range(count):
        if root in number:
            continue
        stack = [(root, iter(followers[root]))]
        number[root] = lowest[root] = len(number)
        open_.append(root)
        is_open[root] = True
        while stack:
            v, rest = stack[-1]
            for u in rest:
                if u not in number:
                    number[u] = lowest[u] = len(number)
                    open_.append(u)
                    is_open[u] = True
                    stack.append((u, iter(followers[u])))
                    break
                if is_open[u]:
                    lowest[v] = min(lowest[v], number[u])
            else:
                stack.pop()
                if stack:
                    lowest[stack[-1][0]] = min(lowest[stack[-1][0]], lowest[v])
                if lowest[v] == number[v]:
                    cut = open_.index(v)
                    components.append(open_[cut:])
                    del open_[cut:]
                    for u in components[-1]:
                        is_open[u] = False
    components.reverse()
    return components
