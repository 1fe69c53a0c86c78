"""What formulas are to give, by another way: the tree walked in Python, number by number, and random expressions."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping

import numpy as np

from blocks.formula.tree import Call, Name, Node, Number
from cython_kernels import elementary

NAN = math.nan


def _handed_on(function: Callable[..., float]) -> Callable[..., float]:
    return lambda *numbers: NAN if any(map(math.isnan, numbers)) else function(*numbers)


def _divided(a: float, b: float) -> float:
    with np.errstate(all="ignore"):
        return float(np.float64(a) / np.float64(b)) if b != 0.0 else NAN


def _power(x: float, y: float) -> float:
    return NAN if x == 0.0 and y < 0.0 else float(elementary.pow(x, y))


def _square_sum(a: float, b: float) -> float:
    return math.sqrt(a * a + b * b) if not math.isnan(a + b) else NAN


def _half_away(x: float) -> float:
    return math.copysign(math.floor(abs(x) + 0.5) if abs(x) < 2**52 else abs(x), x)


def _whole(function: Callable[[float], float]) -> Callable[[float], float]:
    return lambda x: math.copysign(function(x), x) if math.isfinite(x) and function(x) == 0 else (
        float(function(x)) if math.isfinite(x) else x)  # fmt: skip


def _mod(a: float, b: float) -> float:
    quotient = _divided(a, b)
    return a - b * FUNCTIONS["floor"](quotient)


def _wrap(x: float) -> float:
    if -math.pi <= x < math.pi:
        return x
    return x - 2.0 * math.pi * FUNCTIONS["floor"]((x + math.pi) / (2.0 * math.pi))


FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": _divided,
    "negative": lambda a: -a,
    "less": _handed_on(lambda a, b: float(a < b)),
    "less_equal": _handed_on(lambda a, b: float(a <= b)),
    "greater": _handed_on(lambda a, b: float(a > b)),
    "greater_equal": _handed_on(lambda a, b: float(a >= b)),
    "equal": _handed_on(lambda a, b: float(a == b)),
    "not_equal": _handed_on(lambda a, b: float(a != b)),
    "and": lambda a, b: NAN if math.isnan(a) else 0.0 if a == 0.0 else NAN if math.isnan(b) else float(b != 0.0),
    "or": lambda a, b: NAN if math.isnan(a) else 1.0 if a != 0.0 else NAN if math.isnan(b) else float(b != 0.0),
    "not": _handed_on(lambda a: float(a == 0.0)),
    "where": lambda c, a, b: NAN if math.isnan(c) else a if c != 0.0 else b,
    "min": _handed_on(lambda a, b: b if b < a else a),
    "max": _handed_on(lambda a, b: b if b > a else a),
    "clip": _handed_on(lambda x, low, high: FUNCTIONS["min"](FUNCTIONS["max"](x, low), high)),
    "abs": abs,
    "sqrt": lambda x: math.sqrt(x) if x >= 0.0 else NAN,
    "log": lambda x: float(elementary.log(x)) if x > 0.0 else NAN,
    "log10": lambda x: float(elementary.log10(x)) if x > 0.0 else NAN,
    "hypot": _square_sum,
    "sign": _handed_on(lambda x: float(x > 0.0) - float(x < 0.0)),
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "round": _whole(_half_away),
    "wrap": _wrap,
    "mod": _mod,
    **{
        name: (lambda function: lambda *numbers: float(function(*numbers)))(getattr(elementary, name))
        for name in (
            "cbrt",
            "exp",
            "expm1",
            "sinh",
            "cosh",
            "tanh",
            "sin",
            "cos",
            "tan",
            "asin",
            "acos",
            "atan",
            "atan2",
        )
    },
}
"""Of numbers, one operation each."""


def value(tree: Node, numbers: Mapping[str, float]) -> float:
    """The value of a tree of numbers."""
    match tree:
        case Number(value=found):
            return found
        case Name(name=name):
            return numbers[name]
        case Call(function="power", arguments=(base, exponent)):
            return _powered(base, exponent, numbers)
        case Call(function=name, arguments=arguments):
            return FUNCTIONS[name](*(value(argument, numbers) for argument in arguments))
    raise TypeError(tree)


def _powered(base: Node, exponent: Node, numbers: Mapping[str, float]) -> float:
    x, y = value(base, numbers), value(exponent, numbers)
    literal = isinstance(exponent, Number) or (
        isinstance(exponent, Call) and exponent.function == "negative" and isinstance(exponent.arguments[0], Number)
    )
    if literal and y == 0.5:
        return FUNCTIONS["sqrt"](x)
    if literal and y == int(y) and 1 <= abs(y) <= 4:
        product = x
        for _ in range(int(abs(y)) - 1):
            product = product * x
        return product if y > 0 else _divided(1.0, product)
    return NAN if math.isnan(x) or math.isnan(y) else _power(x, y)


_BINARY = ("+", "-", "*", "*", "+", "-", "/", "**", "%")
_RELATIONS = ("<", "<=", ">", ">=", "==", "!=")
_OF_ONE = (
    "abs", "sqrt", "cbrt", "exp", "expm1", "log", "log10", "sinh", "cosh", "tanh", "sin", "cos", "tan", "asin", "acos",
    "atan", "wrap", "sign", "floor", "ceil", "round",
)  # fmt: skip
_OF_TWO = ("min", "max", "atan2", "hypot")


def expression(chance: random.Random, names: tuple[str, ...], depth: int) -> str:
    """A random expression of numbers, sums and products being the most frequent."""
    if depth == 0 or chance.random() < 0.12:
        return chance.choice(names) if chance.random() < 0.8 else f"{chance.choice((0.0, 0.5, 1.0, 2.0, 3.7))}"

    def one() -> str:
        return expression(chance, names, depth - 1)

    kind = chance.random()
    if kind < 0.62:
        return f"({one()} {chance.choice(_BINARY[:6])} {one()})"
    if kind < 0.68:
        return f"({one()} {chance.choice(_BINARY)} {one()})"
    if kind < 0.71:
        return f"({one()})**{chance.choice((2, 3, 4, -1, -2, 0.5, 2.5, 5))}"
    if kind < 0.85:
        return f"{chance.choice(_OF_ONE)}({one()})"
    if kind < 0.90:
        return f"{chance.choice(_OF_TWO)}({one()}, {one()})"
    if kind < 0.93:
        return f"clip({one()}, {one()}, {one()})"
    if kind < 0.97:
        return f"({one()} if {condition(chance, names, depth - 1)} else {one()})"
    return f"(-{one()})"


def condition(chance: random.Random, names: tuple[str, ...], depth: int) -> str:
    """A random relation, or several."""
    relation = (
        f"({expression(chance, names, max(depth - 1, 0))} {chance.choice(_RELATIONS)} "
        f"{expression(chance, names, max(depth - 1, 0))})"
    )
    kind = chance.random()
    if depth <= 0 or kind < 0.6:
        return relation
    if kind < 0.7:
        return f"(not {relation})"
    return f"({relation} {chance.choice(('and', 'or'))} {condition(chance, names, depth - 1)})"
