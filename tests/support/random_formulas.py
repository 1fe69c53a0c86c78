"""Random expressions of a wanted unit and shape, and what they are worth, by numpy."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from blocks.formula.functions import CONSTANTS
from blocks.formula.shapes import elements
from blocks.formula.tree import Call, Item, Name, Node, Number, Symbol, Vector

SYMBOLS: Mapping[str, Symbol] = {
    symbol.name: symbol
    for symbol in (
        Symbol("u", "input", (), "m/s"),
        Symbol("w", "input", (), "m/s"),
        Symbol("F", "input", (), "N"),
        Symbol("psi", "input", (), "rad"),
        Symbol("r", "input", (), "rad/s"),
        Symbol("nu", "input", (4,), ("m/s", "m/s", "rad/s", "N"), ("surge", "sway", "yaw", "push")),
        Symbol("v", "input", (3,), "m/s"),
        Symbol("A", "parameter", (3, 3), "kg/s"),
        Symbol("a", "parameter", (), "1"),
        Symbol("b", "parameter", (), "1"),
        Symbol("L", "parameter", (), "m"),
        Symbol("k", "parameter", (), "kg/m"),
        Symbol("T", "parameter", (), "s"),
    )
}

_LEAVES = {
    "m/s": ("u", "w", "nu[0]", "nu[surge]", "v[1]", "L/T", "(v@A/k*T/L)[2]", "norm(v)", "v[0:2][1]"),
    "N": ("F", "k*u**2", "nu[push]", "A[1, 2]*w", "(A@v)[0]", "k*dot(v, v)", "sum(A@v)", "k*cross(v, v + 2*v)[1]"),
    "1": ("a", "b", "2", "0.5", "pi", "1e-3", "t/T", "u*T/L", "u/w", "wrap(psi)/pi", "sign(F)", "(F > 2*k*u*w)"),
    "rad/s": ("r", "nu[yaw]", "psi/T", "atan2(u, w)/T"),
    "m^2/s^2": ("u*w", "u**2", "F/k", "dot(v, v)", "L**2/T**2"),
}


class Random:
    """Texts of expressions."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def pick(self, *these: str) -> str:
        return these[self.random.integers(len(these))]

    def text(self, unit: str, depth: int) -> str:
        """An expression of a number in a unit."""
        if depth <= 0:
            return self.pick(*_LEAVES[unit])

        def one(of: str = unit) -> str:
            return self.text(of, depth - 1 - int(self.random.integers(2)))

        own = {
            "1": lambda: self.pick(
                f"{self.pick('exp', 'expm1', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'tanh', 'sinh')}({one()})",
                f"log(1 + abs({one()}))",
                f"({one('N')})/({one('N')})",
                f"({one()})**({one()})",
                f"round({one()})",
                f"floor({one()})",
                f"({one()} {self.pick('and', 'or')} not ({one()}))",
                f"mod({one('m/s')}, {one('m/s')})/({one('m/s')})",
            ),
            "m/s": lambda: self.pick(
                f"sqrt(abs({one('m^2/s^2')}))",
                f"cbrt(({one()})**3)",
                f"abs({one('m^2/s^2')})**0.5",
                f"norm([{one()}, {one()}, 0])",
                f"hypot({one()}, {one()})",
            ),
            "N": lambda: f"k*({one('m^2/s^2')})",
            "m^2/s^2": lambda: self.pick(f"({one('m/s')})*({one('m/s')})", f"({one('m/s')})**2", f"-({one('N')})/k"),
            "rad/s": lambda: f"r*cos({one('1')})",
        }[unit]
        make: list[Callable[[], str]] = [
            own,
            own,
            lambda: f"{one()} {self.pick('+', '-')} {one()}",
            lambda: f"-({one()})",
            lambda: f"({one()})*({one('1')})",
            lambda: f"({one('1')})*({one()})",
            lambda: f"({one()})/({one('1')})",
            lambda: f"{self.pick('min', 'max')}({one()}, {one()}, 0)",
            lambda: f"clip({one()}, {one()}, {one()})",
            lambda: f"({one()} if {one('N')} < {one('N')} <= {one('N')} else {one()})",
            lambda: f"where({one('m/s')} != 0, {one()}, {one()})",
            lambda: f"[{one('m/s')}, {one()}][1]",
            lambda: f"abs({one()})",
            lambda: f"({one()}) % ({one()})",
        ]
        return make[self.random.integers(len(make))]()


_WORTH: Mapping[str, Callable[..., Any]] = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide, "negative": np.negative,
    "power": np.power, "less": np.less, "less_equal": np.less_equal, "greater": np.greater,
    "greater_equal": np.greater_equal, "equal": np.equal, "not_equal": np.not_equal, "or": np.logical_or,
    "and": np.logical_and, "not": np.logical_not, "where": np.where, "min": lambda *x: np.min(x, axis=0),
    "max": lambda *x: np.max(x, axis=0), "clip": lambda x, low, high: np.minimum(np.maximum(x, low), high),
    "abs": np.abs, "sqrt": np.sqrt, "cbrt": np.cbrt, "exp": np.exp, "expm1": np.expm1, "log": np.log,
    "hypot": lambda x, y: np.sqrt(x * x + y * y), "sinh": np.sinh, "tanh": np.tanh, "sin": np.sin, "cos": np.cos,
    "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2,
    "wrap": lambda x: x - 2.0 * np.pi * np.floor((x + np.pi) / (2.0 * np.pi)), "sign": np.sign, "floor": np.floor,
    "round": np.round, "mod": lambda x, y: x - y * np.floor(x / y), "sum": np.sum,
    "norm": lambda x: np.sqrt(np.sum(x * x)), "dot": np.dot, "cross": np.cross, "matmul": np.matmul,
}  # fmt: skip


def worth(node: Node, values: Mapping[str, Any]) -> Any:
    """The value of a tree."""
    if isinstance(node, Number):
        return np.float64(node.value)
    if isinstance(node, Name):
        return np.float64(CONSTANTS[node.name]) if node.name in CONSTANTS else values[node.name]
    if isinstance(node, Vector):
        return np.array([worth(item, values) for item in node.items])
    if isinstance(node, Item):
        return np.ravel(worth(node.of, values))[list(elements(node))].reshape(node.shape)
    assert isinstance(node, Call)
    return np.asarray(_WORTH[node.function](*(worth(each, values) for each in node.arguments)), dtype=np.float64)


def values_in(scales: Mapping[str, float], seed: int) -> dict[str, Any]:
    """A value for each symbol, in units of which each base unit of SI has so many."""
    random = np.random.default_rng(seed)
    found: dict[str, Any] = {"t": np.float64(1.25) * scales["s"]}
    for symbol in SYMBOLS.values():
        units = symbol.unit if isinstance(symbol.unit, tuple) else (symbol.unit,) * math.prod(symbol.shape)
        numbers = (
            random.uniform(-2.0, 2.0, len(units)) if symbol.role == "input" else random.uniform(0.5, 2.0, len(units))
        )
        factors = [factor(str(unit), scales) for unit in units]
        found[symbol.name] = (numbers * factors).reshape(symbol.shape)
    return found


def factor(unit: str, scales: Mapping[str, float]) -> float:
    """By what a number in a unit of SI is multiplied."""
    from blocks.unit_products import dimensions

    return math.prod(scales.get(base, 1.0) ** float(power) for base, power in dimensions(unit))
