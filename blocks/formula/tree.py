"""The tree of a formula: what the grammar reads, and what shapes and units are written to.

Operators are calls, too: `a + b` is Call("add", (a, b)), `a if c else b` is Call("where", (c, a, b)), `a < b < c` is
Call("and", (Call("less", …), Call("less", …))). All that can be called is in `blocks.formula.functions`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

Shape = tuple[int, ...]
"""() of a number, (n,) of a vector, (n, m) of a matrix, row by row."""

Role = Literal["input", "parameter", "state", "discrete state", "time", "helper", "constant"]


@dataclass(frozen=True)
class Place:
    """Where something stands in what the user wrote: characters first … last of the text of `part`.

    `part` is the path within the block: "outputs.force", "states.x", "let.drag", "initial.x", "update.n".
    """

    part: str
    text: str
    first: int
    last: int

    @property
    def shown(self) -> str:
        """The piece of text."""
        return self.text[self.first : self.last]


@dataclass(frozen=True)
class Symbol:
    """What a name in an expression stands for. `unit` is None where it may be any, "1" of a pure number."""

    name: str
    role: Role
    shape: Shape = ()
    unit: str | tuple[str, ...] | None = "1"
    labels: tuple[str, ...] = ()


@dataclass(eq=False)
class Node:
    """A piece of an expression. Shape and unit (in SI, None if unknown, per element where they differ) come later."""

    place: Place
    shape: Shape = field(default=(), init=False)
    unit: str | tuple[str | None, ...] | None = field(default=None, init=False)


@dataclass(eq=False)
class Number(Node):
    """A number as it stands in the text: pure, but 0 fits every unit."""

    value: float


@dataclass(eq=False)
class Name(Node):
    """A name, and what it stands for once that is known."""

    name: str
    symbol: Symbol | None = None


@dataclass(eq=False)
class Call(Node):
    """A function or operator of `blocks.formula.functions` with its arguments."""

    function: str
    arguments: tuple[Node, ...]


@dataclass(eq=False)
class Vector(Node):
    """[a, b, c], or the rows of a matrix: [[a, b], [c, d]]."""

    items: tuple[Node, ...]


@dataclass(eq=False)
class Item(Node):
    """Elements of a vector or matrix: nu[0], nu[u], nu[0:2], A[1, 2]; an index for each dimension that is left."""

    of: Node
    index: tuple[str | int | tuple[int | None, int | None], ...]


def children(node: Node) -> tuple[Node, ...]:
    """What a node is made of."""
    if isinstance(node, Call):
        return node.arguments
    if isinstance(node, Vector):
        return node.items
    return (node.of,) if isinstance(node, Item) else ()


def walk(root: Node) -> Iterator[Node]:
    """All nodes, each once, and behind those that it is made of."""
    seen: set[int] = set()
    waiting = [(root, False)]
    while waiting:
        node, done = waiting.pop()
        if done:
            yield node
        elif id(node) not in seen:
            seen.add(id(node))
            waiting.append((node, True))
            waiting += [(child, False) for child in reversed(children(node))]


@dataclass(frozen=True)
class Equations:
    """All equations of a block, read, with shapes and units: what becomes a program, a picture and dependences.

    `helpers` stand in an order in which each uses only those before it. `outputs`, `derivatives` and `updates` are
    by the name of the output or state; symbols by their names, in the order of the block's declaration within a role.
    `period` is True for a sampled block: its relations need no events.
    """

    symbols: dict[str, Symbol]
    helpers: dict[str, Node]
    outputs: dict[str, Node]
    derivatives: dict[str, Node]
    updates: dict[str, Node]
    sampled: bool
