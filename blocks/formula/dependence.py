"""What each element of an equation depends on, element by element, as blocks declare it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from blocks.formula.scalars import Graph
from blocks.formula.tree import Symbol
from blocks.model.dependence import TIME, Sources, matrix

Key = tuple[str, int]
"""The name of a symbol and the number of an element."""

_COUNTED = frozenset(("input", "parameter", "state", "discrete", "mode", "time"))


class Leaves:
    """The leaves under each node of a graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.keys: list[tuple[str, Key]] = []
        self.masks: list[int] = []
        known: dict[tuple[str, Key], int] = {}
        for node in graph.nodes:
            mask = 0
            if node.operation in _COUNTED and node.key is not None:
                leaf = (node.operation, node.key)
                mask = 1 << known.setdefault(leaf, len(known))
            for argument in node.arguments:
                mask |= self.masks[argument]
            self.masks.append(mask)
        self.keys = [*known]

    def among(self, *roles: str) -> int:
        """The mask of all leaves of these roles."""
        return sum(1 << i for i, (role, _) in enumerate(self.keys) if role in roles)

    def under(self, node: int) -> list[tuple[str, Key]]:
        """Role, and name and element, of the leaves that a node depends on."""
        mask = self.masks[node]
        return [leaf for i, leaf in enumerate(self.keys) if mask >> i & 1]


def sources_of(leaves: Leaves, nodes: Sequence[int], counts: Mapping[str, int]) -> Sources:
    """What the elements of an output or state depend on. `counts`: elements of each input, state and parameter."""
    tables: dict[str, list[list[bool]]] = {}
    for i, node in enumerate(nodes):
        for role, (name, element) in leaves.under(node):
            if role == "time":
                name, element = TIME, 0
            elif role == "parameter":
                element = 0
            columns = 1 if role in ("time", "parameter") else counts[name]
            table = tables.setdefault(name, [[False] * columns for _ in nodes])
            table[i][element] = True
    return {name: matrix(table) for name, table in tables.items()}


def inputs_of(leaves: Leaves, nodes: Iterable[int], order: Iterable[str]) -> tuple[str, ...]:
    """The inputs that nodes lead to, in the order of the declaration."""
    found = {name for node in nodes for role, (name, _) in leaves.under(node) if role == "input"}
    return tuple(name for name in order if name in found)


def counts_of(symbols: Mapping[str, Symbol]) -> dict[str, int]:
    """How many elements each symbol has."""
    return {name: math.prod(symbol.shape) for name, symbol in symbols.items()}
