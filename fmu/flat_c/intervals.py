"""What whole numbers can be at a place of the C: between which bounds, from constants and the sizes of a plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pycparser import c_ast

from fmu.flat_c.c_types import Kind, Types

Interval = tuple[int, int] | None
"""The least and the greatest; None: nothing is known."""


class Intervals:
    """The variables of a function, and the block whose kernel runs. last: what the last call returned."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self.names: dict[str, Kind] = {}
        self.known: dict[str, Interval] = {}
        self.sizes: dict[str, int] = {}
        self.numbers: tuple[int, ...] = ()
        self.returned: Interval = None
        self.returns = 0
        self.last: Interval = None
        self.blocks: dict[int, tuple[dict[str, int], tuple[int, ...]]] = {}
        self.enumerators: dict[str, int] = {}

    def _fresh(self) -> Intervals:
        other = Intervals(self.types)
        other.sizes, other.numbers, other.blocks = self.sizes, self.numbers, self.blocks
        other.enumerators = self.enumerators
        return other

    def inside(self, parameters: Sequence[Any], given: Sequence[Interval]) -> Intervals:
        """Within a function that is called with these arguments."""
        other = self._fresh()
        for number, parameter in enumerate(parameters):
            if getattr(parameter, "name", None):
                other.names[parameter.name] = self.types.of(parameter.type)
                other.known[parameter.name] = given[number] if number < len(given) else None
        return other

    def copy(self) -> Intervals:
        """The same, to be changed."""
        other = self._fresh()
        other.names, other.known = dict(self.names), dict(self.known)
        return other

    def block(self, node: Any) -> Intervals:
        """Within a statement: where that makes the view of a block of the plan, with the sizes of this."""
        found = _view_of(node)
        if found is not None:
            self.sizes, self.numbers = self.blocks.get(found, ({}, ()))
        return self

    def declare(self, node: c_ast.Decl) -> None:
        """A variable of which nothing is known."""
        self.names[node.name] = self.types.of(node.type)
        self.known[node.name] = None

    def put(self, name: str, value: Interval) -> None:
        """An assignment."""
        self.known[name] = value

    def join(self, ways: Sequence[Intervals]) -> None:
        """What is known however one came here."""
        first = ways[0]
        self.names |= first.names
        self.known = {name: _union(way.known.get(name) for way in ways) for name in first.known}

    def give(self, value: Interval) -> None:
        """A value that is returned."""
        self.returned = value if not self.returns else _union([self.returned, value])
        self.returns += 1

    def returned_of(self, ways: Iterable[Intervals]) -> None:
        """What was returned on these ways."""
        for way in ways:
            if way.returns:
                self.give(way.returned)

    def forget(self, node: Any) -> None:
        """All that a loop assigns."""
        for name in _assigned(node):
            if not (isinstance(node, c_ast.For) and name == _counter(node)):
                self.known[name] = None

    def rounds(self, node: c_ast.For) -> int | None:
        """How often a loop runs at most: one that counts up or down by a constant to a bound."""
        counter, step = _counter(node), _step(node.next)
        if not counter or not step or not isinstance(node.cond, c_ast.BinaryOp) or counter in _assigned(node.stmt):
            return None
        condition = node.cond
        while condition.op == "&&" and isinstance(condition.left, c_ast.BinaryOp):
            condition = condition.left
        if getattr(condition.left, "name", None) != counter or condition.op not in ("<", "<=", ">", ">="):
            return None
        begin, end = self.known.get(counter), self._limit(condition.right, node)
        if begin is None or end is None:
            return None
        span = end[1] - begin[0] if step > 0 else begin[1] - end[0]
        span += condition.op in ("<=", ">=")
        return max(0, -(-span // abs(step)))

    def _limit(self, node: Any, loop: c_ast.For) -> Interval:
        changed = _assigned(loop.stmt)
        return None if any(name in changed for name in _names(node)) else self.value(node)

    def within(self, node: c_ast.For) -> None:
        """The counter of a loop, in its body."""
        counter, step = _counter(node), _step(node.next)
        times = self.rounds(node)
        begin = self.known.get(counter) if counter else None
        if counter:
            far = (times or 1) - 1
            self.known[counter] = (
                None
                if times is None or begin is None or not step
                else (min(begin[0], begin[0] + step * far), max(begin[1], begin[1] + step * far))
            )

    def truth(self, node: Any) -> bool | None:
        """Whether a condition holds, where that is known."""
        if isinstance(node, c_ast.UnaryOp) and node.op == "!":
            inner = self.truth(node.expr)
            return None if inner is None else not inner
        if isinstance(node, c_ast.BinaryOp) and node.op in _DECIDES:
            left, right = self.value(node.left), self.value(node.right)
            return None if left is None or right is None else _DECIDES[node.op](left, right)
        value = self.value(node)
        return None if value is None or value[0] != value[1] else value[0] != 0

    def value(self, node: Any) -> Interval:
        """What an expression can be."""
        if isinstance(node, c_ast.Constant):
            text = node.value.rstrip("uUlL")
            return (int(text, 0),) * 2 if node.type.endswith("int") and text.lstrip("-").isalnum() else None
        if isinstance(node, c_ast.ID):
            if node.name in self.known:
                return self.known[node.name]
            number = self.enumerators.get(node.name)
            return None if number is None else (number, number)
        if isinstance(node, c_ast.Cast):
            return None if self.types.of(node.to_type).is_double else self.value(node.expr)
        if isinstance(node, c_ast.UnaryOp) and node.op == "-":
            inner = self.value(node.expr)
            return None if inner is None else (-inner[1], -inner[0])
        if isinstance(node, c_ast.TernaryOp):
            return _union([self.value(node.iftrue), self.value(node.iffalse)])
        if isinstance(node, c_ast.BinaryOp):
            left, right = self.value(node.left), self.value(node.right)
            return None if left is None or right is None else _combined(node.op, left, right)
        return self._size(node) or self._from_table(node)

    def _size(self, node: Any) -> Interval:
        """b->n->name and b->n[0]: a size of the block whose kernel runs."""
        if isinstance(node, c_ast.StructRef) and getattr(getattr(node.name, "field", None), "name", "") == "n":
            size = self.sizes.get(node.field.name)
            return None if size is None else (size, size)
        if isinstance(node, c_ast.ArrayRef) and getattr(getattr(node.name, "field", None), "name", "") == "n":
            at = self.value(node.subscript)
            if at and at[0] == at[1] < len(self.numbers):
                return (self.numbers[at[0]],) * 2
        return None

    def _from_table(self, node: Any) -> Interval:
        """An element of a table of constants."""
        while isinstance(node, c_ast.ArrayRef):
            node = node.name
        declared = self.types.globals.get(getattr(node, "name", "") or "") if isinstance(node, c_ast.ID) else None
        if declared is None or not isinstance(declared.init, c_ast.InitList):
            return None
        numbers = [self.value(item) for item in _flat(declared.init)]
        return _union(numbers) if numbers else None


_DECIDES = {
    "<": lambda a, b: True if a[1] < b[0] else False if a[0] >= b[1] else None,
    "<=": lambda a, b: True if a[1] <= b[0] else False if a[0] > b[1] else None,
    ">": lambda a, b: True if a[0] > b[1] else False if a[1] <= b[0] else None,
    ">=": lambda a, b: True if a[0] >= b[1] else False if a[1] < b[0] else None,
    "==": lambda a, b: True if a[0] == a[1] == b[0] == b[1] else False if a[1] < b[0] or a[0] > b[1] else None,
    "!=": lambda a, b: False if a[0] == a[1] == b[0] == b[1] else True if a[1] < b[0] or a[0] > b[1] else None,
}


def _combined(operator: str, a: tuple[int, int], b: tuple[int, int]) -> Interval:
    if operator == "+":
        return a[0] + b[0], a[1] + b[1]
    if operator == "-":
        return a[0] - b[1], a[1] - b[0]
    if operator == "*":
        products = [x * y for x in a for y in b]
        return min(products), max(products)
    if operator == "%" and a[0] >= 0 and b[0] > 0:
        return 0, b[1] - 1
    if operator == "/" and a[0] >= 0 and b[0] > 0:
        return a[0] // b[1], a[1] // b[0]
    return None


def _union(values: Iterable[Interval]) -> Interval:
    found = [*values]
    if not found or any(value is None for value in found):
        return None
    return min(value[0] for value in found if value), max(value[1] for value in found if value)


def _counter(node: c_ast.For) -> str | None:
    first = node.init
    if isinstance(first, c_ast.Assignment) and isinstance(first.lvalue, c_ast.ID):
        return str(first.lvalue.name)
    return None


def _step(node: Any) -> int:
    if isinstance(node, c_ast.Assignment) and node.op in ("+=", "-=") and isinstance(node.rvalue, c_ast.Constant):
        return int(node.rvalue.value) * (1 if node.op == "+=" else -1)
    if isinstance(node, c_ast.UnaryOp) and node.op in ("p++", "++", "p--", "--"):
        return 1 if "+" in node.op else -1
    return 0


def _assigned(node: Any) -> set[str]:
    """Variables that something within assigns, or hands on by their address."""
    found: set[str] = set()
    if isinstance(node, c_ast.Assignment) and isinstance(node.lvalue, c_ast.ID):
        found.add(node.lvalue.name)
    if isinstance(node, c_ast.UnaryOp) and node.op in ("&", "p++", "++", "p--", "--"):
        found |= _names(node.expr)
    for _, child in node.children() if node is not None else ():
        found |= _assigned(child)
    return found


def _names(node: Any) -> set[str]:
    found = {node.name} if isinstance(node, c_ast.ID) else set()
    for _, child in node.children():
        found |= _names(child)
    return found


def _flat(node: Any) -> list[Any]:
    return [item for one in node.exprs for item in (_flat(one) if isinstance(one, c_ast.InitList) else [one])]


def _view_of(node: Any) -> int | None:
    """The number of the block whose view is made here: it stands behind `s->faults +`, 0 without."""
    for item in (isinstance(node, c_ast.Compound) and node.block_items) or []:
        if isinstance(item, c_ast.Decl) and item.name == "b" and isinstance(item.init, c_ast.InitList):
            for part in item.init.exprs:
                left = getattr(part, "left", part)
                if isinstance(left, c_ast.StructRef) and left.field.name == "faults":
                    return int(part.right.value) if left is not part else 0
    return None
