"""Events of a formula in continuous time: what jumps is held until the instant is found, kinks are found as well.

A relation, sign, floor, ceil, round or turns of something that changes continuously is held in a mode: outputs and
derivatives read the mode, `update` computes it anew, and a crossing says when that gives another value, as those of
`basic.Compare` and `basic.Rounding` do. abs, min and max have a crossing where they have their kink. Whether a relation
of the time and parameters alone changes is known ahead: its jump is for fixed steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from blocks.formula.dependence import Leaves
from blocks.formula.scalars import Graph

RELATIONS = frozenset(("less", "less_equal", "greater", "greater_equal", "equal", "not_equal"))
JUMPS = RELATIONS | {"sign", "floor", "ceil", "round", "turns"}
_KINKS = frozenset(("abs", "min", "max"))
_FROM_THEN_ON = {"greater": "greater_equal", "less_equal": "less"}
"""What a relation of the time is at the instant itself: what it will be from then on."""

MODE = "mode"


@dataclass(frozen=True)
class Events:
    """What the functions of a block compute, with modes read where something is held.

    held: of each node what stands for it in outputs and derivatives. modes: what each mode is to be. crossings, and
    for each of these the jump: t less its instant, or 1. timed: whether there is any such instant.
    """

    held: Mapping[int, int]
    modes: tuple[int, ...] = ()
    crossings: tuple[int, ...] = ()
    jumps: tuple[int, ...] = ()
    timed: bool = False


def without_events(graph: Graph, roots: Iterable[int]) -> Events:
    """Of a sampled block, which computes at its hits only."""
    return Events({node: node for node in graph.reached(roots)})


def events_of(graph: Graph, roots: Iterable[int]) -> Events:
    """Of a block in continuous time whose equations are `roots`."""
    finder = _Finder(graph, graph.reached(roots))
    return finder.events()


class _Finder:
    def __init__(self, graph: Graph, nodes: Sequence[int]) -> None:
        self.graph = graph
        self.nodes = nodes
        self.leaves = Leaves(graph)
        self.moving = self.leaves.among("input", "state", "time")
        self.held: dict[int, int] = {}
        self.modes: list[int] = []
        self.crossings: dict[int, int] = {}  # and their jumps

    def events(self) -> Events:
        for node in self.nodes:
            self._hold(node)
        jumps = tuple(self.crossings.values())
        one = self.graph.number(1.0)
        return Events(self.held, tuple(self.modes), tuple(self.crossings), jumps, any(jump != one for jump in jumps))

    def _hold(self, node: int) -> None:
        graph, one = self.graph, self.graph.nodes[node]
        moving = bool(self.leaves.masks[node] & self.moving)
        if one.operation in JUMPS and moving:
            level = graph.leaf(MODE, MODE, len(self.modes))
            self.held[node] = level
            self._held(node, level)
            return
        arguments = tuple(self.held[argument] for argument in one.arguments)
        now = graph.add(one.operation, *arguments, place=graph.places[node]) if arguments != one.arguments else node
        self.held[node] = now
        if one.operation in _KINKS and moving:
            self._kink(one.operation, arguments)

    def _held(self, node: int, level: int) -> None:
        """The mode, and the crossing where it changes."""
        graph, one = self.graph, self.graph.nodes[node]
        operation, jump = one.operation, graph.number(1.0)
        instant = self._instant(node)
        if instant is not None:
            time, other = instant
            jump = graph.add("subtract", time, other)
            if one.arguments[0] == time:
                operation = _FROM_THEN_ON.get(operation, operation)
            elif operation in ("less", "greater_equal"):  # c < t
                operation = "less_equal" if operation == "less" else "greater"
        place = graph.places[node]
        self.modes.append(graph.add(operation, *one.arguments, place=place))
        arguments = [self.held[argument] for argument in one.arguments]
        if operation in RELATIONS:
            distance = graph.add("subtract", *arguments, place=place)
        else:
            distance = arguments[0] if operation == "sign" else graph.number(1.0)
        fresh = graph.add(operation, *arguments, place=place)
        self.crossings.setdefault(graph.add("side", distance, fresh, level, place=place), jump)

    def _instant(self, node: int) -> tuple[int, int] | None:
        """The time, and what it is compared with, of a relation of these two where the other one does not change."""
        one = self.graph.nodes[node]
        if one.operation not in RELATIONS - {"equal", "not_equal"}:
            return None
        for time, other in (one.arguments, one.arguments[::-1]):
            if self.graph.nodes[time].operation == "time" and not self.leaves.masks[other] & self.moving:
                return time, other
        return None

    def _kink(self, operation: str, arguments: tuple[int, ...]) -> None:
        graph = self.graph
        zero = graph.number(0.0)
        distance = arguments[0] if operation == "abs" else graph.add("subtract", *arguments)
        above = graph.add("greater_equal", distance, zero)
        self.crossings.setdefault(graph.add("side", distance, above, zero), graph.number(1.0))
