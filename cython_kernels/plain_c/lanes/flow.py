"""What flows where in a body: variables split by what is read of which assignment, and whose values are needed where.

A variable that Cython uses again for something else is several: one may be one number for all members where another is
one per member. What no path reads any more may be overwritten for all members, though only some are meant.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from cython_kernels.plain_c.lanes.statements import (
    Body,
    Goto,
    If,
    Label,
    Loop,
    Return,
    Set,
    Statement,
    every,
    expressions,
)
from cython_kernels.plain_c.lanes.types import T


@dataclass(eq=False)
class Node:
    """A step: what it reads, and the variable that it writes; touched: those in memory that it may do either with."""

    uses: list[c_ast.ID] = field(default_factory=list)
    written: c_ast.ID | None = None
    next: list[Node] = field(default_factory=list)
    live: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()


class Flow:
    """The steps of a body."""

    def __init__(self, body: Body, parameters: Iterable[tuple[str, T]]) -> None:
        self.body = body
        self.types = {**dict(parameters), **body.variables}
        self.in_memory = taken(body.statements) & self.types.keys()
        self.registers = {
            name for name, kind in self.types.items() if kind.kind in "dip" and name not in self.in_memory
        }
        self.memory = self.types.keys() - self.registers
        self.nodes: list[Node] = []
        self.labels = {s.name: self._node() for s in every(body.statements) if isinstance(s, Label)}
        self.of: dict[Statement, Node] = {}
        self.behind: dict[Statement, Node] = {}
        self.other: dict[If, Node] = {}
        self.entry = self._block(body.statements, self._node())

    def _node(self, uses: Sequence[Any] = (), written: c_ast.ID | None = None) -> Node:
        found = [n for use in uses for n in expressions(use) if isinstance(n, c_ast.ID) and n.name in self.registers]
        node = Node(found, written)
        node.touched = frozenset(
            n.name for use in uses for n in expressions(use) if isinstance(n, c_ast.ID) and n.name in self.memory
        )
        self.nodes.append(node)
        return node

    def _block(self, statements: list[Statement], behind: Node) -> Node:
        for statement in reversed(statements):
            self.behind[statement] = behind
            behind = self.of[statement] = self._statement(statement, behind)
        return behind

    def _statement(self, s: Statement, behind: Node) -> Node:
        if isinstance(s, Label):
            node = self.labels[s.name]
        elif isinstance(s, Goto):
            node, behind = self._node(), self.labels[s.label]
        elif isinstance(s, Set):
            plain = isinstance(s.to, c_ast.ID) and s.to.name in self.registers
            node = self._node([s.value] if plain else [s.to, s.value], s.to if plain else None)
        elif isinstance(s, Return):
            node = self._node([s.value])
            return node
        elif isinstance(s, If):
            node = self._node([s.condition])
            self.other[s] = self._block(s.other, behind)
            node.next = [self._block(s.then, behind), self.other[s]]
            return node
        else:
            assert isinstance(s, Loop)
            node = self._node()
            behind = self._block(s.body, node)
        node.next = [behind]
        return node

    def split(self) -> None:
        """Give each variable a name of its own for each group of assignments that are read together."""
        written: list[tuple[Node | None, str]] = [(None, name) for name in sorted(self.registers)]
        written += [(node, node.written.name) for node in self.nodes if node.written is not None]
        by_name: dict[str, int] = defaultdict(int)
        own: dict[Node, int] = {}
        for i, (node, name) in enumerate(written):
            by_name[name] |= 1 << i
            if node is not None:
                own[node] = i
        reaching = self._reaching(written, by_name, own)
        group = list(range(len(written)))

        def root(i: int) -> int:
            while group[i] != i:
                group[i] = group[group[i]]
                i = group[i]
            return i

        uses: list[tuple[c_ast.ID, int]] = []
        for node in self.nodes:
            for use in node.uses:
                found = reaching[node] & by_name[use.name]
                if not found:
                    continue
                first = (found & -found).bit_length() - 1
                uses.append((use, first))
                rest = found & (found - 1)
                while rest:
                    low = rest & -rest
                    group[root(low.bit_length() - 1)] = root(first)
                    rest ^= low
        self._rename(written, root, uses, own)

    def _reaching(self, written: list[Any], by_name: dict[str, int], own: dict[Node, int]) -> dict[Node, int]:
        before: dict[Node, list[Node]] = defaultdict(list)
        for node in self.nodes:
            for following in node.next:
                before[following].append(node)
        start = (1 << len(self.registers)) - 1
        entering = dict.fromkeys(self.nodes, 0)
        leaving = dict.fromkeys(self.nodes, 0)
        entering[self.entry] = start
        ahead, visited = [self.entry], set()
        while ahead:
            node = ahead.pop()
            entering[node] = start if node is self.entry else 0
            for one in before[node]:
                entering[node] |= leaving[one]
            now = entering[node]
            if node in own:
                now = now & ~by_name[node.written.name] | 1 << own[node]  # type: ignore[union-attr]
            if now != leaving[node] or node not in visited:
                visited.add(node)
                leaving[node] = now
                ahead += node.next
        return entering

    def _rename(self, written: list[Any], root: Any, uses: list[tuple[c_ast.ID, int]], own: dict[Node, int]) -> None:
        names: dict[int, str] = {}
        count: dict[str, int] = defaultdict(int)
        for i, (_, name) in enumerate(written):
            if root(i) not in names:
                count[name] += 1
                names[root(i)] = name if count[name] == 1 else f"{name}_{count[name]}w"
        parameters_and_locals = dict(self.types)
        for use, first in uses:
            use.name = names[root(first)]
        for node, i in own.items():
            node.written.name = names[root(i)]  # type: ignore[union-attr]
        for i, (_, name) in enumerate(written):
            new = names[root(i)]
            self.types[new] = parameters_and_locals[name]
            if new != name:
                self.body.variables[new] = parameters_and_locals[name]
                self.registers.add(new)

    def find_live(self, reached: frozenset[str]) -> None:
        """Note which variables are needed from each statement on, and behind it. reached: those that always are."""
        for node in self.nodes:
            node.touched |= reached
        changed = True
        while changed:
            changed = False
            for node in self.nodes:  # made from behind, so that most is known when it is needed
                live = frozenset().union(*(n.live for n in node.next)) if node.next else frozenset()
                if node.written is not None:
                    live -= {node.written.name}
                live |= node.touched.union(use.name for use in node.uses)
                if live != node.live:
                    node.live = live
                    changed = True
        for statement, node in self.of.items():
            statement.live = node.live
            statement.after = self.behind[statement].live
        for choice, node in self.other.items():
            choice.other_live = node.live


def taken(statements: list[Statement]) -> set[str]:
    """Variables whose address is taken."""
    found = set()
    for s in every(statements):
        values = [s.condition] if isinstance(s, If) else [s.to, s.value] if isinstance(s, Set) else []
        for node in (n for value in values for n in expressions(value)):
            if isinstance(node, c_ast.UnaryOp) and node.op == "&":
                inner = node.expr
                while isinstance(inner, c_ast.StructRef | c_ast.ArrayRef):
                    inner = inner.name
                if isinstance(inner, c_ast.ID):
                    found.add(inner.name)
    return found
