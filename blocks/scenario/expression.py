"""Expressions over signals, as `environment:` has them: "-0.1 * abs(guidance.cross_track_error)".

They are arithmetic and nothing else: what is read here is a tree of known nodes, and no name reaches Python.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ScenarioError, did_you_mean, shorten

Array = NDArray[np.float64]
Element = str | int | slice | None
Evaluate = Callable[[Sequence[Any], Sequence[Any]], Any]
"""From the values of signals, and of changes, to the value of the expression."""

MOST_CHARACTERS = 1000
CHANGE = "change"
CONSTANTS = {"pi": math.pi, "true": 1.0, "false": 0.0}


def wrap(angle: Any) -> Any:
    """An angle within -π … π, rad."""
    return angle - 2.0 * np.pi * np.round(angle / (2.0 * np.pi))


def total(x: Any) -> Any:
    """The sum of the elements, one by one, so that it has the same bits for one vehicle and for many."""
    if np.ndim(x) < 2:
        return x
    found = x[0]
    for row in x[1:]:
        found = found + row
    return found


FUNCTIONS: Mapping[str, tuple[Callable[..., Any], int, str]] = {
    "abs": (np.abs, 1, "magnitude"),
    "sqrt": (np.sqrt, 1, "square root"),
    "exp": (np.exp, 1, "e to the power of x"),
    "log": (np.log, 1, "natural logarithm"),
    "sin": (np.sin, 1, "sine"),
    "cos": (np.cos, 1, "cosine"),
    "tan": (np.tan, 1, "tangent"),
    "tanh": (np.tanh, 1, "hyperbolic tangent"),
    "atan2": (np.arctan2, 2, "angle of a point, atan2(y, x), rad"),
    "hypot": (np.hypot, 2, "√(x² + y²)"),
    "min": (np.minimum, 2, "the lesser of two"),
    "max": (np.maximum, 2, "the greater of two"),
    "sign": (np.sign, 1, "-1, 0 or 1"),
    "clip": (lambda x, low, high: np.minimum(np.maximum(x, low), high), 3, "x held between two limits"),
    "where": (np.where, 3, "where(condition, x, y): x where it holds, else y"),
    "wrap": (wrap, 1, "an angle within -π … π"),
    "sum": (total, 1, "sum of the elements of a signal"),
    "norm": (lambda x: np.sqrt(total(np.square(x))), 1, "root of the sum of squares of the elements of a signal"),
    CHANGE: (np.subtract, 1, "by how much x has changed since the last action"),
}
"""By name: the function, how many arguments it takes, and what it gives."""

_BINARY: Mapping[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.Pow: "power",
}
_COMPARISONS: Mapping[type[ast.cmpop], str] = {
    ast.Lt: "less", ast.LtE: "less_equal", ast.Gt: "greater", ast.GtE: "greater_equal", ast.Eq: "equal",
    ast.NotEq: "not_equal",
}  # fmt: skip
_NUMPY: dict[str, Any] = {name: getattr(np, name) for name in (*_BINARY.values(), *_COMPARISONS.values())} | {
    "negative": np.negative, "square": np.square, "logical_not": np.logical_not, "logical_and": np.logical_and,
    "logical_or": np.logical_or,
}  # fmt: skip
_CALLED = {f"_{name}": function for name, function in _NUMPY.items()} | {
    f"_f_{name}": function for name, (function, _, _) in FUNCTIONS.items()
}


@dataclass(frozen=True)
class Reference:
    """A signal as an expression names it: "vessel.eta" and "psi" of vessel.eta[psi]."""

    name: str
    element: str | int | tuple[int | None, int | None] | None = None

    def __str__(self) -> str:
        if isinstance(self.element, tuple):
            first, last = ("" if end is None else end for end in self.element)
            return f"{self.name}[{first}:{last}]"
        return self.name if self.element is None else f"{self.name}[{self.element}]"


class Expression:
    """An expression, read and ready to be evaluated. Raises ScenarioError for what it cannot be.

    `references` are the signals that it is of; `changes` the expressions whose change since the last action it takes.
    """

    def __init__(self, text: str | float) -> None:
        self.text = str(text)
        self.references: list[Reference] = []
        self.changes: list[Expression] = []
        try:
            self.evaluate = self._compiled()
        except RecursionError:
            raise ScenarioError(f"'{shorten(self.text, 100)}' is not an expression: it nests too deep") from None

    def _compiled(self) -> Evaluate:
        reader = _Reader(self)
        whole = ast.parse("lambda _s, _d: 0", mode="eval")
        assert isinstance(whole.body, ast.Lambda)
        whole.body.body = reader.node(_parsed(self.text))
        names = _CALLED | {"_c": tuple(reader.constants), "__builtins__": {}}
        made: Evaluate = eval(compile(ast.fix_missing_locations(whole), "expression", "eval"), names)
        return made

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"


def check(text: Any) -> None:
    """Raise ScenarioError for a text that is no expression."""
    Expression(text)


def names_in(expressions: Iterable[Expression]) -> list[Reference]:
    """All signals that expressions are of, those within `change` too, each once."""
    found: dict[Reference, None] = {}
    for expression in expressions:
        found |= dict.fromkeys(expression.references)
        found |= dict.fromkeys(names_in(expression.changes))
    return list(found)


def _parsed(text: str) -> ast.expr:
    if len(text) > MOST_CHARACTERS:
        raise ScenarioError(f"an expression has {MOST_CHARACTERS} characters at most, not {len(text)}")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError) as problem:
        said = getattr(problem, "msg", None) or "it nests too deep"
        hint = "; numbers are in SI and have no units here" if _has_unit(text) else ""
        raise ScenarioError(f"'{shorten(text, 100)}' is not an expression: {said}{hint}") from None


def _has_unit(text: str) -> bool:
    """Whether a number is followed by a word."""
    return re.search(r"\d\s*(m|s|N|W|J|V|A|deg|rad|rev|kn|kg|h|min)\b", text) is not None


class _Reader:
    """Turns the tree of a text into one of calls of numpy, and notes the signals."""

    def __init__(self, expression: Expression) -> None:
        self.expression = expression
        self.constants: list[np.float64] = []

    def node(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Constant):
            return self.constant(node)
        if isinstance(node, ast.BinOp):
            return self.binary(node)
        if isinstance(node, ast.UnaryOp):
            return self.unary(node)
        if isinstance(node, ast.BoolOp):
            name = "_logical_and" if isinstance(node.op, ast.And) else "_logical_or"
            return self.chain(name, [self.node(value) for value in node.values])
        if isinstance(node, ast.Compare):
            return self.compare(node)
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            return self.signal(node)
        raise self.error(node, "is not arithmetic")

    def error(self, node: ast.AST, what: str) -> ScenarioError:
        shown = ast.unparse(node)
        where = "" if shown == self.expression.text else f" in '{shorten(self.expression.text, 100)}'"
        return ScenarioError(f"'{shorten(shown, 100)}'{where} {what}")

    def constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, str):
            hint = "a number with a unit is not possible here: write it in SI, without quotes"
            raise self.error(node, f"is text; {hint}")
        if not isinstance(node.value, (bool, int, float)):
            raise self.error(node, "is not a number")
        try:
            self.constants.append(np.float64(node.value))
        except OverflowError:
            raise self.error(node, "is too large") from None
        return _item("_c", len(self.constants) - 1)

    def binary(self, node: ast.BinOp) -> ast.expr:
        if type(node.op) not in _BINARY:
            hint = "; powers are written **" if isinstance(node.op, ast.BitXor) else ""
            raise self.error(node, f"has an operator that is not known{hint}; there are + - * / **")
        left = self.node(node.left)
        if isinstance(node.op, ast.Pow) and isinstance(node.right, ast.Constant) and node.right.value == 2:
            return _call("_square", left)
        return _call(f"_{_BINARY[type(node.op)]}", left, self.node(node.right))

    def unary(self, node: ast.UnaryOp) -> ast.expr:
        inner = self.node(node.operand)
        if isinstance(node.op, ast.UAdd):
            return inner
        if isinstance(node.op, ast.USub):
            return _call("_negative", inner)
        if isinstance(node.op, ast.Not):
            return _call("_logical_not", inner)
        raise self.error(node, "has an operator that is not known")

    def compare(self, node: ast.Compare) -> ast.expr:
        sides = [node.left, *node.comparators]
        parts = []
        for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
            if type(operator) not in _COMPARISONS:
                raise self.error(node, "compares in a way that is not known; there are < <= > >= == !=")
            parts.append(_call(f"_{_COMPARISONS[type(operator)]}", self.node(left), self.node(right)))
        return self.chain("_logical_and", parts)

    def chain(self, name: str, parts: list[ast.expr]) -> ast.expr:
        made = parts[0]
        for part in parts[1:]:
            made = _call(name, made, part)
        return made

    def call(self, node: ast.Call) -> ast.expr:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in FUNCTIONS:
            raise self.error(node.func, f"is not a function{did_you_mean(name, FUNCTIONS, every=30)}")
        _, count, _ = FUNCTIONS[name]
        if node.keywords or len(node.args) != count or any(isinstance(item, ast.Starred) for item in node.args):
            raise self.error(node, f"must have {count} argument{'s' if count > 1 else ''}")
        if name == CHANGE:
            return self.change(node)
        return _call(f"_f_{name}", *(self.node(item) for item in node.args))

    def change(self, node: ast.Call) -> ast.expr:
        inner = Expression(ast.unparse(node.args[0]))
        if inner.changes:
            raise self.error(node, "takes the change of a change")
        self.expression.changes.append(inner)
        return _item("_d", len(self.expression.changes) - 1)

    def signal(self, node: ast.expr) -> ast.expr:
        element: Any = None
        whole = node
        if isinstance(node, ast.Subscript):
            element, node = self.element(node), node.value
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            raise self.error(whole, "is not a signal; signals are like vessel.eta[psi]")
        name = ".".join([node.id, *reversed(parts)])
        if element is None and name in CONSTANTS:
            self.constants.append(np.float64(CONSTANTS[name]))
            return _item("_c", len(self.constants) - 1)
        reference = Reference(name, element)
        if reference not in self.expression.references:
            self.expression.references.append(reference)
        return _item("_s", self.expression.references.index(reference))

    def element(self, node: ast.Subscript) -> str | int | tuple[int | None, int | None]:
        index = node.slice
        if isinstance(index, ast.Name):
            return index.id
        if isinstance(index, ast.Constant) and type(index.value) is int:
            return index.value
        if isinstance(index, ast.Slice) and index.step is None:
            ends = [end.value if isinstance(end, ast.Constant) else end for end in (index.lower, index.upper)]
            if all(end is None or type(end) is int for end in ends):
                return ends[0], ends[1]  # type: ignore[return-value]
        raise self.error(node, "names no element; write its label, its number, or first:last")


def _item(name: str, number: int) -> ast.expr:
    return ast.Subscript(ast.Name(name, ast.Load()), ast.Constant(number), ast.Load())


def _call(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])
