"""From trees to scalars: every element of every vector as a node of one graph, in which equal nodes are one.

A node is an operation on nodes that stand before it in the graph. Sums, products and powers are written out in the
order of the text, left to right, so that they have the bits that the same expression has in C:

    sum(v)      v0 + v1 + …                 norm(v)     sqrt(v0 v0 + v1 v1 + …)
    dot(a, b)   a0 b0 + a1 b1 + …           A @ x       of each row the same
    x**n        x x x …, n up to 4          x**-n       1/(x x x …)             x**0.5      sqrt(x)
    mod(x, y)   x - y floor(x/y)            wrap(x)     x - 2 pi turns(x)
    clip        min(max(x, low), high)      hypot(x, y) sqrt(x x + y y)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product as pairs
from struct import pack

from blocks.errors import ParameterError
from blocks.formula.functions import CONSTANTS, TIME
from blocks.formula.machine import MOST_NODES
from blocks.formula.tree import Call, Equations, Item, Name, Node, Number, Place, Shape, Symbol, Vector

LEAVES = frozenset(("number", "parameter", "time", "input", "state", "discrete", "mode"))
"""Operations without operands: what is read. Of a number `value` counts, of others `key`: symbol and element."""

LOGICAL = frozenset(
    ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal", "and", "or", "not", "mode")
)
"""Operations that give 0 or 1 (or the level of a mode, which stands for one of these)."""

_MOST_FACTORS = 4
_ROLES = {"input": "input", "parameter": "parameter", "state": "state", "discrete state": "discrete"}


@dataclass(frozen=True)
class Scalar:
    """A node: an operation on others, by their numbers; of a leaf what it reads."""

    operation: str
    arguments: tuple[int, ...] = ()
    key: tuple[str, int] | None = None
    value: float = 0.0


@dataclass(frozen=True)
class Elements:
    """The nodes of a vector or matrix, row by row; of a number the only one."""

    shape: Shape
    nodes: tuple[int, ...]


@dataclass
class Graph:
    """All nodes, each after those that it is made of, and where in the text each was first written.

    Raises ParameterError as soon as there are too many.
    """

    nodes: list[Scalar] = field(default_factory=list)
    places: list[Place | None] = field(default_factory=list)
    _known: dict[object, int] = field(default_factory=dict)

    def add(self, operation: str, *arguments: int, place: Place | None = None) -> int:
        """The node of an operation."""
        return self._add(Scalar(operation, arguments), (operation, arguments), place)

    def number(self, value: float) -> int:
        """The node of a number."""
        return self._add(Scalar("number", value=value), pack("<d", value), None)

    def leaf(self, role: str, name: str, element: int, place: Place | None = None) -> int:
        """The node of an element of a symbol."""
        return self._add(Scalar(role, key=(name, element)), (role, name, element), place)

    def _add(self, node: Scalar, key: object, place: Place | None) -> int:
        found = self._known.get(key)
        if found is None:
            if len(self.nodes) == MOST_NODES:
                raise ParameterError(
                    f"the equations have more operations on numbers than the {MOST_NODES} that a formula takes: make "
                    f"several blocks of them, or write a compiled one"
                )
            found = self._known[key] = len(self.nodes)
            self.nodes.append(node)
            self.places.append(place)
        return found

    def reached(self, roots: Iterable[int]) -> list[int]:
        """The nodes that these are made of, and these, in the order of the graph."""
        found: set[int] = set()
        ahead = [*roots]
        while ahead:
            node = ahead.pop()
            if node not in found:
                found.add(node)
                ahead += self.nodes[node].arguments
        return sorted(found)


class Scalariser:
    """Makes scalars of the trees of a block's equations."""

    def __init__(self, equations: Equations) -> None:
        self.graph = Graph()
        self.symbols = equations.symbols
        self.helpers: dict[str, Elements] = {}
        for name, tree in equations.helpers.items():
            self.helpers[name] = self.of(tree)

    def of(self, tree: Node) -> Elements:
        """The elements of a tree."""
        match tree:
            case Number(value=value):
                return Elements((), (self.graph.number(value),))
            case Name():
                return self._name(tree)
            case Vector(items=items):
                return _stacked([self.of(item) for item in items])
            case Item():
                return self._item(tree)
            case Call():
                return self._call(tree)
        raise TypeError(f"no node of a formula: {tree!r}")

    def symbol(self, symbol: Symbol, place: Place | None = None) -> Elements:
        """The elements of an input, parameter or state."""
        role = _ROLES[symbol.role]
        count = math.prod(symbol.shape)
        return Elements(symbol.shape, tuple(self.graph.leaf(role, symbol.name, i, place) for i in range(count)))

    def _name(self, tree: Name) -> Elements:
        symbol = tree.symbol or self.symbols.get(tree.name)
        if tree.name in self.helpers:
            return self.helpers[tree.name]
        if symbol is not None and symbol.role in _ROLES:
            return self.symbol(symbol, tree.place)
        if tree.name == TIME:
            return Elements((), (self.graph.leaf("time", TIME, 0, tree.place),))
        return Elements((), (self.graph.number(CONSTANTS[tree.name]),))

    def _item(self, tree: Item) -> Elements:
        of = self.of(tree.of)
        symbol = tree.of.symbol or self.symbols.get(tree.of.name) if isinstance(tree.of, Name) else None
        labels = symbol.labels if symbol is not None else ()
        wanted: list[range] = []
        shape: list[int] = []
        for index, length in zip(tree.index, of.shape, strict=False):
            if isinstance(index, tuple):
                wanted.append(range(length)[slice(*index)])
                shape.append(len(wanted[-1]))
            else:
                at = labels.index(index) if isinstance(index, str) else range(length)[index]
                wanted.append(range(at, at + 1))
        for length in of.shape[len(tree.index) :]:
            wanted.append(range(length))
            shape.append(length)
        steps = [math.prod(of.shape[i + 1 :]) for i in range(len(of.shape))]
        places = (sum(at * step for at, step in zip(one, steps, strict=True)) for one in pairs(*wanted))
        return Elements(tuple(shape), tuple(of.nodes[place] for place in places))

    def _call(self, tree: Call) -> Elements:
        arguments = [self.of(argument) for argument in tree.arguments]
        whole = _WHOLE.get(tree.function)
        if whole is not None:
            return whole(_Writer(self.graph, tree.place), *arguments)
        shape = next((argument.shape for argument in arguments if argument.shape), ())
        count = math.prod(shape)
        columns = [one.nodes if one.shape else one.nodes * count for one in arguments]
        writer = _Writer(self.graph, tree.place)
        return Elements(shape, tuple(writer.call(tree.function, *each) for each in zip(*columns, strict=True)))


def _stacked(items: Sequence[Elements]) -> Elements:
    return Elements((len(items), *items[0].shape), tuple(node for item in items for node in item.nodes))


class _Writer:
    """Writes the nodes of one call."""

    def __init__(self, graph: Graph, place: Place) -> None:
        self.graph = graph
        self.place = place

    def add(self, operation: str, *arguments: int) -> int:
        return self.graph.add(operation, *arguments, place=self.place)

    def call(self, function: str, *arguments: int) -> int:
        """The node of a function of numbers."""
        made = _MADE_OF_OTHERS.get(function)
        return made(self, *arguments) if made is not None else self.add(function, *arguments)

    def folded(self, operation: str, nodes: Sequence[int]) -> int:
        """The first with the second, that with the third, and so on."""
        first, *rest = nodes
        for node in rest:
            first = self.add(operation, first, node)
        return first

    def sum_of_products(self, ones: Sequence[int], others: Sequence[int]) -> int:
        return self.folded("add", [self.add("multiply", a, b) for a, b in zip(ones, others, strict=True)])

    def number_in(self, node: int) -> float | None:
        one = self.graph.nodes[node]
        return one.value if one.operation == "number" else None

    def negative(self, x: int) -> int:
        value = self.number_in(x)
        return self.graph.number(-value) if value is not None else self.add("negative", x)

    def power(self, x: int, exponent: int) -> int:
        value = self.number_in(exponent)
        if value == 0.5:
            return self.add("sqrt", x)
        if value is not None and value == int(value) and 1 <= abs(value) <= _MOST_FACTORS:
            factors = self.folded("multiply", [x] * int(abs(value)))
            return factors if value > 0 else self.add("divide", self.graph.number(1.0), factors)
        return self.add("power", x, exponent)

    def where(self, condition: int, first: int, second: int) -> int:
        return self.add("where", self.condition(condition), first, second)

    def condition(self, node: int) -> int:
        """Whether something is not 0, as a relation, so that the instant is found at which it becomes so."""
        if self.graph.nodes[node].operation in LOGICAL:
            return node
        return self.add("not_equal", node, self.graph.number(0.0))

    def logic(self, operation: str, nodes: Sequence[int]) -> int:
        return self.folded(operation, [self.condition(node) for node in nodes])

    def mod(self, x: int, y: int) -> int:
        return self.add("subtract", x, self.add("multiply", y, self.add("floor", self.add("divide", x, y))))

    def wrap(self, x: int) -> int:
        return self.add("subtract", x, self.add("multiply", self.graph.number(2.0 * math.pi), self.add("turns", x)))


_MADE_OF_OTHERS: dict[str, Callable[..., int]] = {
    "negative": _Writer.negative,
    "power": _Writer.power,
    "where": _Writer.where,
    "and": lambda to, *nodes: to.logic("and", nodes),
    "or": lambda to, *nodes: to.logic("or", nodes),
    "not": lambda to, node: to.add("not", to.condition(node)),
    "min": lambda to, *nodes: to.folded("min", nodes),
    "max": lambda to, *nodes: to.folded("max", nodes),
    "clip": lambda to, x, low, high: to.add("min", to.add("max", x, low), high),
    "hypot": lambda to, x, y: to.add("sqrt", to.sum_of_products((x, y), (x, y))),
    "mod": _Writer.mod,
    "wrap": _Writer.wrap,
}


def _single(node: int) -> Elements:
    return Elements((), (node,))


def _cross(to: _Writer, a: Elements, b: Elements) -> Elements:
    def element(i: int, j: int) -> int:
        first = to.add("multiply", a.nodes[i], b.nodes[j])
        return to.add("subtract", first, to.add("multiply", a.nodes[j], b.nodes[i]))

    return Elements((3,), (element(1, 2), element(2, 0), element(0, 1)))


def _transposed(to: _Writer, a: Elements) -> Elements:
    if len(a.shape) < 2:
        return a
    rows, columns = a.shape
    return Elements((columns, rows), tuple(a.nodes[i * columns + j] for j in range(columns) for i in range(rows)))


def _matrix_product(to: _Writer, a: Elements, b: Elements) -> Elements:
    length = a.shape[-1]
    rows = [a.nodes[i : i + length] for i in range(0, len(a.nodes), length)]
    columns = [b.nodes[j :: math.prod(b.shape[1:])] for j in range(math.prod(b.shape[1:]))]
    return Elements(
        (*a.shape[:-1], *b.shape[1:]), tuple(to.sum_of_products(row, column) for row in rows for column in columns)
    )


_WHOLE: dict[str, Callable[..., Elements]] = {
    "sum": lambda to, a: _single(to.folded("add", a.nodes)),
    "norm": lambda to, a: _single(to.add("sqrt", to.sum_of_products(a.nodes, a.nodes))),
    "dot": lambda to, a, b: _single(to.sum_of_products(a.nodes, b.nodes)),
    "cross": _cross,
    "transpose": _transposed,
    "matmul": _matrix_product,
}
