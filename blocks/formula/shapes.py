"""The shape of every node: numbers go with each element of a vector or matrix; all else has to fit."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from blocks.formula.errors import FormulaError, brief
from blocks.formula.functions import Function
from blocks.formula.tree import Call, Item, Name, Node, Number, Shape, Vector


def words(shape: Shape) -> str:
    """A shape in words."""
    if not shape:
        return "a number"
    if len(shape) == 1:
        return f"a vector of {shape[0]}"
    return f"a matrix of {'×'.join(map(str, shape))}"


def shape_of(node: Node, functions: Mapping[str, Function]) -> Shape:
    """The shape of a node, from those of what it is made of. Raises FormulaError where they do not fit."""
    if isinstance(node, Number):
        return ()
    if isinstance(node, Name):
        assert node.symbol is not None
        return node.symbol.shape
    if isinstance(node, Item):
        return _picked(node)[0]
    if isinstance(node, Vector):
        return _displayed(node)
    assert isinstance(node, Call)
    return _RULES[functions[node.function].shapes](node, functions[node.function])


def elements(item: Item) -> tuple[int, ...]:
    """The numbers of the elements that an item takes, row by row, in what it is taken of."""
    return _picked(item)[1]


def _picked(item: Item) -> tuple[Shape, tuple[int, ...]]:
    of = item.of.shape
    if not of:
        raise FormulaError(f"'{brief(item.of)}' is a number, which has no elements", place=item.place)
    if len(item.index) > len(of):
        raise FormulaError(
            f"'{brief(item.of)}' is {words(of)}, and {len(item.index)} places are given", place=item.place
        )
    shape: list[int] = []
    found: tuple[int, ...] = (0,)
    for dimension, count in enumerate(of):
        step = math.prod(of[dimension + 1 :])
        taken: tuple[int, ...] = tuple(range(count))
        if dimension < len(item.index):
            place = item.index[dimension]
            taken = _numbers(item, place, count, len(of))
            shape += [len(taken)] if isinstance(place, tuple) else []
        else:
            shape.append(count)
        found = tuple(before + step * number for before in found for number in taken)
    return tuple(shape), found


def _numbers(item: Item, place: Any, count: int, dimensions: int) -> tuple[int, ...]:
    """The elements along one dimension."""
    symbol = item.of.symbol if isinstance(item.of, Name) else None
    labels = symbol.labels if symbol is not None and dimensions == 1 else ()
    said = f"'{brief(item.of)}' has {count} element{'s' * (count > 1)}"
    if isinstance(place, str):
        if place in labels:
            return (labels.index(place),)
        if labels:
            raise FormulaError(
                f"no element '{place}' in '{brief(item.of)}'",
                place=item.place,
                code="unknown-element",
                wrong=place,
                valid=labels,
            )
        raise FormulaError(
            f"no element '{place}' in '{brief(item.of)}', whose elements have no names",
            place=item.place,
            code="unknown-element",
            hint=f"they have numbers, 0 to {count - 1}; for one that changes from step to step, write where(…)",
        )
    if isinstance(place, int):
        if place < count:
            return (place,)
        raise FormulaError(f"{said}, 0 to {count - 1}, and no {place}", place=item.place, code="unknown-element")
    first, last = place[0] or 0, count if place[1] is None else place[1]
    if last > count or first >= last:
        given = f"{'' if place[0] is None else place[0]}:{'' if place[1] is None else place[1]}"
        raise FormulaError(
            f"{said}, and '{given}' is no range of them",
            place=item.place,
            code="unknown-element",
            hint=f"first:last ends before its last, so that 0:{count} is all",
        )
    return tuple(range(first, last))


def _displayed(vector: Vector) -> Shape:
    """Of numbers a vector, of rows a matrix."""
    first = vector.items[0].shape
    if len(first) > 1:
        raise FormulaError("a matrix is made of rows of numbers", place=vector.items[0].place, code="shape-mismatch")
    for item in vector.items:
        if item.shape != first:
            raise FormulaError(
                f"'{brief(item)}' is {words(item.shape)} and '{brief(vector.items[0])}' before it {words(first)}",
                place=item.place,
                code="shape-mismatch",
                hint="a vector is made of numbers, and a matrix of rows of one length",
            )
    return (len(vector.items), *first)


def _elements(call: Call, function: Function) -> Shape:
    """Element by element: the shape of all that are no numbers."""
    found: Node | None = None
    for argument in call.arguments:
        if not argument.shape:
            continue
        if found is None:
            found = argument
        elif argument.shape != found.shape:
            dimensions = {len(found.shape), len(argument.shape)}
            hint = ""
            if function.name == "multiply" and dimensions == {1, 2}:
                hint = "a matrix times a vector is written A @ v"
            raise FormulaError(
                f"'{brief(argument)}' is {words(argument.shape)} and '{brief(found)}' {words(found.shape)}: "
                f"{function.shown} goes element by element",
                place=argument.place,
                code="shape-mismatch",
                hint=hint,
            )
    return () if found is None else found.shape


def _summed(call: Call, function: Function) -> Shape:
    only = call.arguments[0]
    if not only.shape:
        raise _wrong(call, only, function, "a vector or matrix")
    return ()


def _length(call: Call, function: Function) -> Shape:
    only = call.arguments[0]
    if len(only.shape) != 1:
        raise _wrong(call, only, function, "a vector")
    return ()


def _dot(call: Call, function: Function) -> Shape:
    _vectors(call, function)
    return ()


def _vectors(call: Call, function: Function, count: int = 0) -> None:
    one, other = call.arguments
    for argument in call.arguments:
        if len(argument.shape) != 1 or (count and argument.shape != (count,)):
            raise _wrong(call, argument, function, f"vectors of {count}" if count else "two vectors")
    if one.shape != other.shape:
        raise _wrong(call, other, function, f"two vectors of one length, and '{brief(one)}' has {one.shape[0]}")


def _cross(call: Call, function: Function) -> Shape:
    _vectors(call, function, 3)
    return (3,)


def _transposed(call: Call, function: Function) -> Shape:
    only = call.arguments[0]
    if len(only.shape) != 2:
        raise _wrong(call, only, function, "a matrix")
    return only.shape[::-1]


def _matrix_product(call: Call, function: Function) -> Shape:
    left, right = call.arguments
    for argument in call.arguments:
        if not argument.shape:
            raise FormulaError(
                f"'{brief(argument)}' is a number, and @ is for matrices and vectors",
                place=argument.place,
                code="shape-mismatch",
                hint="a number times anything is written *",
            )
    if left.shape[-1] != right.shape[0]:
        what = "columns" if len(left.shape) == 2 else "elements"
        raise FormulaError(
            f"'{brief(left)}' is {words(left.shape)} and '{brief(right)}' {words(right.shape)}: the {left.shape[-1]} "
            f"{what} of the first meet the {right.shape[0]} {'rows' if len(right.shape) == 2 else 'elements'} of the "
            f"second",
            place=call.place,
            code="shape-mismatch",
            hint="transpose(A) exchanges rows and columns"
            if len(left.shape) == 2 and left.shape[0] == right.shape[0]
            else "",
        )
    return (*left.shape[:-1], *right.shape[1:])


def _wrong(call: Call, argument: Node, function: Function, wanted: str) -> FormulaError:
    return FormulaError(
        f"{function.name} takes {wanted}, and '{brief(argument)}' is {words(argument.shape)}",
        place=argument.place,
        code="shape-mismatch",
    )


_RULES = {
    "elements": _elements,
    "sum": _summed,
    "norm": _length,
    "dot": _dot,
    "cross": _cross,
    "matrix product": _matrix_product,
    "transpose": _transposed,
}
