"""Derived constants and zero-crossing functions of a block, by name: what its kernel writes into w and g."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from blocks.errors import DeclarationError
from blocks.model.declare import Named
from blocks.signal import Dimension

_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//"}


class _Hidden(Named):
    """What the kernel sees and a user does not: on a block there is no attribute of that name."""

    def __get__(self, instance: object | None, owner: type) -> Any:
        if instance is None:
            return self
        raise AttributeError(self.name)


class Derived(_Hidden):
    """A constant that the kernel's setup derives from the parameters, for its other functions: `b.w.name[i]`.

    `shape` holds numbers, names of sizes, and sums, products and quotients of these: "n+1", "3*n", "(n+7)//8*8". A
    matrix stands row by row. Where `when` says no, an instance does not have it; those come last.
    """

    def __init__(
        self,
        doc: str = "",
        *,
        shape: tuple[Dimension, ...] = (),
        unit: str | tuple[str, ...] | None = "1",
        when: Callable[[Any], bool] | None = None,
        name: str = "",
    ) -> None:
        self.shape = shape
        self.unit = unit
        self.doc = doc
        self.when = when
        self.name = name


class Crossing(_Hidden):
    """A function of time, inputs, states and parameters whose change of sign is an event: `b.g.name[i]`.

    The kernel's crossings compute it, or its jumps. `shape` and `when` are as of `Derived`.
    """

    def __init__(
        self,
        doc: str = "",
        *,
        shape: tuple[Dimension, ...] = (),
        unit: str | tuple[str, ...] | None = "1",
        when: Callable[[Any], bool] | None = None,
        name: str = "",
    ) -> None:
        self.shape = shape
        self.unit = unit
        self.doc = doc
        self.when = when
        self.name = name


_Item = TypeVar("_Item", Derived, Crossing)


def present(items: Iterable[_Item], block: Any) -> Iterator[_Item]:
    """Those that an instance has."""
    return (item for item in items if item.when is None or item.when(block))


def number(dimension: Dimension, sizes: Mapping[str, int]) -> int:
    """What a dimension is when the sizes are known."""
    if isinstance(dimension, int):
        return dimension
    return _value(_parsed(dimension), dimension, sizes)


def extent(shape: Iterable[Dimension], sizes: Mapping[str, int]) -> int:
    """How many numbers a shape has."""
    return math.prod(number(dimension, sizes) for dimension in shape)


def in_c(dimension: Dimension, size: str) -> str:
    """A dimension as an expression of Cython and C; `size` is written before the name of each size: "b.n."."""
    if isinstance(dimension, int):
        return str(dimension)
    return _text(_parsed(dimension), dimension, size)


def names_in(dimension: Dimension) -> list[str]:
    """The sizes that a dimension is made of. Raises DeclarationError if it is no such expression."""
    if isinstance(dimension, int):
        return []
    tree = _parsed(dimension)
    _text(tree, dimension, "")
    return [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]


def _parsed(dimension: str) -> ast.expr:
    try:
        return ast.parse(dimension, mode="eval").body
    except SyntaxError:
        raise _no_dimension(dimension) from None


def _value(node: ast.expr, dimension: str, sizes: Mapping[str, int]) -> int:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.Name):
        if node.id not in sizes:
            raise DeclarationError(
                f"there is no size '{node.id}' for '{dimension}'", code="unknown-name", wrong=node.id, valid=sizes
            )
        return sizes[node.id]
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _value(node.left, dimension, sizes), _value(node.right, dimension, sizes)
        match node.op:
            case ast.Add():
                return left + right
            case ast.Sub():
                return left - right
            case ast.Mult():
                return left * right
            case _:
                return left // right
    raise _no_dimension(dimension)


def _text(node: ast.expr, dimension: str, size: str, inner: bool = False) -> str:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return str(node.value)
    if isinstance(node, ast.Name):
        return f"{size}{node.id}"
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = (_text(side, dimension, size, inner=True) for side in (node.left, node.right))
        text = f"{left} {_OPERATORS[type(node.op)]} {right}"
        return f"({text})" if inner else text
    raise _no_dimension(dimension)


def _no_dimension(dimension: str) -> DeclarationError:
    return DeclarationError(
        f"'{dimension}' is no dimension: take whole numbers and names of sizes, with +, -, * and // between them"
    )
