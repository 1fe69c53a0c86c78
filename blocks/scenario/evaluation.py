"""Expressions evaluated by numpy, for all vehicles at once: the tree of a formula becomes functions one in the other.

A number is an array over the vehicles, several are a row each. Elementary functions are the engine's own, and what is
made of others (powers, norms, mod, wrap) is made in the same order, so that numbers are those of the block `Formula`,
and the same for one vehicle and for many. What has no value is not finite: 1/0 is inf, as in numpy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from blocks.formula.functions import CHANGE, FUNCTIONS, Function
from blocks.formula.tree import Call, Item, Name, Node, Number, Vector
from cython_kernels import elementary

Evaluate = Callable[[Sequence[Any], Sequence[Any]], Any]
"""From the values of signals, and of changes, to the value of the expression."""

VOCABULARY: Mapping[str, Function] = {
    name: function for name, function in FUNCTIONS.items() if name not in ("matmul", "transpose")
} | {CHANGE.name: CHANGE}
"""What expressions can call. Signals are vectors and no matrices."""

_LOGICAL = ("comparison", "logic")


def total(x: Any) -> Any:
    """The sum of the elements, one by one, so that it has the same bits for one vehicle and for many."""
    if np.ndim(x) < 2:
        return x
    found = x[0]
    for row in x[1:]:
        found = found + row
    return found


def wrap(angle: Any) -> Any:
    """An angle within -π … π, rad."""
    turns = np.floor((angle + math.pi) / (2.0 * math.pi))
    if not turns.any():
        return angle
    beyond = (angle < -math.pi) | (angle >= math.pi)  # a sum may round up to a whole turn
    return angle - 2.0 * math.pi * (turns * beyond)


def rounded(x: Any) -> Any:
    """The nearest whole number, halves away from 0."""
    whole = np.trunc(x)
    return whole + np.copysign(np.abs(x - whole) >= 0.5, x)


def cross(a: Any, b: Any) -> Any:
    """Vector product; ValueError for other than three elements."""
    if np.shape(a)[:1] != (3,) or np.shape(b)[:1] != (3,) or np.ndim(a) < 2 or np.ndim(b) < 2:
        raise ValueError("three elements are wanted")
    return np.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def _repeated(function: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def of(first: Any, second: Any, *rest: Any) -> Any:
        found = function(first, second)
        for one in rest:
            found = function(found, one)
        return found

    return of


_CALLED: Mapping[str, Callable[..., Any]] = {
    **{name: getattr(np, name) for name in (
        "add", "subtract", "multiply", "divide", "negative", "less", "less_equal", "greater", "greater_equal", "equal",
        "not_equal", "abs", "sqrt", "sign", "floor", "ceil", "where",
    )},
    **{name: getattr(elementary, name) for name in (
        "cbrt", "exp", "expm1", "log", "log10", "sinh", "cosh", "tanh", "sin", "cos", "tan", "asin", "acos", "atan",
        "atan2",
    )},
    "power": elementary.pow, "or": np.logical_or, "and": np.logical_and, "not": np.logical_not,
    "min": _repeated(np.minimum), "max": _repeated(np.maximum), "round": rounded, "wrap": wrap, "cross": cross,
    "clip": lambda x, low, high: np.minimum(np.maximum(x, low), high),
    "hypot": lambda x, y: np.sqrt(x * x + y * y),
    "mod": lambda x, y: x - y * np.floor(x / y),
    "sum": total,
    "norm": lambda x: np.sqrt(total(x * x)),
    "dot": lambda x, y: total(x * y),
}  # fmt: skip
_POWERS: Mapping[float, Callable[[Any], Any]] = {
    0.5: np.sqrt, 1.0: lambda x: x, 2.0: np.square, 3.0: lambda x: x * x * x, 4.0: lambda x: x * x * x * x,
    -1.0: lambda x: 1.0 / x, -2.0: lambda x: 1.0 / (x * x), -3.0: lambda x: 1.0 / (x * x * x),
    -4.0: lambda x: 1.0 / (x * x * x * x),
}  # fmt: skip


def evaluation(
    root: Node, signals: Mapping[int, int], changes: Mapping[int, int], constants: Mapping[str, float]
) -> Evaluate:
    """The function of a tree. signals, changes: numbers of the values of nodes, by their id."""

    def made(node: Node) -> Evaluate:
        place = id(node)
        if place in signals:
            return _nth_signal(signals[place])
        if place in changes:
            return _nth_change(changes[place])
        if isinstance(node, Number):
            return _constant(np.float64(node.value))
        if isinstance(node, Name):
            return _constant(np.float64(constants[node.name]))
        if isinstance(node, Vector):
            return folded([element(item) for item in node.items], _stacked)
        if isinstance(node, Item):
            index = node.index[0]
            assert not isinstance(index, str)
            chosen = slice(*index) if isinstance(index, tuple) else index
            return folded([made(node.of)], lambda x: _element(x, chosen))
        assert isinstance(node, Call)
        return called(node)

    def element(node: Node) -> Evaluate:
        """Of a relation 1 or 0: numpy has truth values, whose sum is one."""
        if isinstance(node, Call) and VOCABULARY[node.function].group in _LOGICAL:
            return folded([made(node)], lambda x: np.multiply(x, 1.0))
        return made(node)

    def called(node: Call) -> Evaluate:
        name, arguments = node.function, node.arguments
        if name == "power" and (fixed := _POWERS.get(_number(arguments[1]))) is not None:
            return folded([element(arguments[0])], fixed)
        if VOCABULARY[name].group == "logic":
            return folded([made(argument) for argument in arguments], _CALLED[name])
        if name == "where":
            return folded([made(arguments[0]), *map(element, arguments[1:])], np.where)
        return folded([element(argument) for argument in arguments], _CALLED[name])

    def folded(parts: list[Evaluate], function: Callable[..., Any]) -> Evaluate:
        """A function of values; at once where all of them are constants."""
        known = [getattr(part, "value", None) for part in parts]
        if all(value is not None for value in known):
            with np.errstate(all="ignore"):
                return _constant(function(*known))
        return _composed(function, parts, known)

    return made(root)


def _number(node: Node) -> float:
    """The value of a number with its sign, NaN of anything else."""
    if isinstance(node, Call) and node.function == "negative":
        return -_number(node.arguments[0])
    return node.value if isinstance(node, Number) else math.nan


def _nth_signal(number: int) -> Evaluate:
    return lambda s, d: s[number]


def _nth_change(number: int) -> Evaluate:
    return lambda s, d: d[number]


def _constant(value: Any) -> Evaluate:
    def found(s: Sequence[Any], d: Sequence[Any]) -> Any:
        return value

    found.value = value  # type: ignore[attr-defined]
    return found


def _composed(function: Callable[..., Any], parts: list[Evaluate], known: list[Any]) -> Evaluate:
    """A function of parts, those that are known without a call."""
    if len(parts) == 1:
        (first,) = parts
        return lambda s, d: function(first(s, d))
    if len(parts) == 2:
        first, second = parts
        a, b = known
        if a is not None:
            return lambda s, d: function(a, second(s, d))
        if b is not None:
            return lambda s, d: function(first(s, d), b)
        return lambda s, d: function(first(s, d), second(s, d))
    return lambda s, d: function(*[part(s, d) for part in parts])


def _stacked(*items: Any) -> Any:
    """A row for each; ValueError for what has several already."""
    if any(np.ndim(item) > 1 for item in items):
        raise ValueError("an element is one number")
    return np.stack(np.broadcast_arrays(*map(np.atleast_1d, items)))


def _element(x: Any, chosen: int | slice) -> Any:
    """A row, or several; ValueError where there is none."""
    rows = np.atleast_2d(x)
    if isinstance(chosen, int):
        if chosen >= len(rows):
            raise ValueError("no such element")
        return rows[chosen]
    found = rows[chosen]
    if not len(found):
        raise ValueError("no such elements")
    return found[0] if len(found) == 1 else found
