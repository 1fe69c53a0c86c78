"""What expressions can call: operators and functions, in one table.

The grammar reads from it what is written and how it binds, `shapes` and `units` what becomes of both, the program its
instruction, the picture and the documentation its name and words. All of it is what the engine computes itself, with
the same bits everywhere. What has no value (x/0, the log of what is not positive, the root of what is negative, asin
and acos beyond 1, mod by 0) is not a number, which stops a run at its place.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

UnitRule = Literal[
    "same",  # all arguments agree; so is the result
    "keeps",  # that of the only argument, or of all its elements
    "drops",  # any; the result is a number
    "number",  # numbers; so is the result
    "condition",  # conditions, which are numbers; so is the result
    "compares",  # the arguments agree; the result is a number
    "chooses",  # a condition, then what agrees
    "angle",  # an angle or a number; the result is a number
    "turns",  # an angle or a number; the result is an angle
    "gives angle",  # numbers; the result is an angle
    "direction",  # the arguments agree; the result is an angle
    "product",
    "quotient",
    "power",
    "square root",
    "cube root",
]
ShapeRule = Literal[
    "elements",  # element by element; numbers go with each element
    "sum",  # a vector or matrix becomes a number
    "norm",  # a vector becomes a number
    "dot",  # two vectors of one length become a number
    "cross",  # two vectors of three elements become one
    "matrix product",  # (n,m)@(m,), (n,m)@(m,k), (n,)@(n,m), (n,)@(n,)
    "transpose",
]
Group = Literal["arithmetic", "comparison", "logic", "choice", "elementary", "angles", "rounding", "vectors"]
Kind = Literal["smooth", "kink", "jump"]


@dataclass(frozen=True)
class Function:
    """An operator or function.

    arity: the least and the most arguments, None for any number. sign: how an operator is written between its sides
    (before its only one), and `binding` how closely; `called`: it can be written as name(…). kind: whether its value
    jumps or has kinks, so that a run in continuous time has to find the instants. opcode: the instruction for one
    element, "" where it is made of others (a dot product of products and sums).
    """

    name: str
    arity: tuple[int, int | None]
    units: UnitRule
    shapes: ShapeRule
    group: Group
    doc: str
    kind: Kind = "smooth"
    opcode: str = ""
    sign: str = ""
    binding: int = 0
    called: bool = True

    @property
    def shown(self) -> str:
        """As it is written, without what it is of: its sign or its name."""
        return self.sign if self.sign and not self.called else self.name

    @property
    def usage(self) -> str:
        """How it is written: "a + b", "clip(x, low, high)"."""
        least, most = self.arity
        if not self.called:
            space = " " * self.sign.isalpha()
            return f"a {self.sign} b" if least == 2 else f"{self.sign}{space}a"
        if self.doc.startswith(f"{self.name}("):
            return self.doc[: self.doc.index(")") + 1]
        return f"{self.name}({'a, b, …' if most is None else 'x, y' if least == 2 else 'x'})"

    @property
    def words(self) -> str:
        """What it gives, and how else it is written, without its usage."""
        return self.doc.removeprefix(self.usage).lstrip(":, ")

    @property
    def wanted(self) -> str:
        """How many arguments it takes, in words."""
        least, most = self.arity
        if most is None:
            return f"{least} or more arguments"
        return f"{least} argument{'s' if least != 1 else ''}"


CHOICE, OR, AND, NOT, COMPARISON, SUM, PRODUCT, SIGN, POWER, PRIMARY = range(1, 11)
"""How closely operators bind, as in Python: -x**2 is -(x**2), not a < b is not (a < b)."""


def _operator(
    name: str, sign: str, binding: int, units: UnitRule, group: Group, doc: str, kind: Kind = "smooth", count: int = 2
) -> Function:
    return Function(name, (count, count), units, "elements", group, doc, kind, name, sign, binding, called=False)


def _plain(
    name: str, units: UnitRule, group: Group, doc: str, kind: Kind = "smooth", least: int = 1, most: int | None = 1
) -> Function:
    return Function(name, (least, most), units, "elements", group, doc, kind, name)


_ALL = (
    _operator("add", "+", SUM, "same", "arithmetic", "sum"),
    _operator("subtract", "-", SUM, "same", "arithmetic", "difference"),
    _operator("multiply", "*", PRODUCT, "product", "arithmetic", "product, element by element"),
    _operator("divide", "/", PRODUCT, "quotient", "arithmetic", "quotient, element by element"),
    _operator("negative", "-", SIGN, "keeps", "arithmetic", "the negative", count=1),
    _operator("power", "**", POWER, "power", "arithmetic", "power; of what has a unit, by a number as it stands"),
    _operator("less", "<", COMPARISON, "compares", "comparison", "1 where it holds, else 0", "jump"),
    _operator("less_equal", "<=", COMPARISON, "compares", "comparison", "1 where it holds, else 0", "jump"),
    _operator("greater", ">", COMPARISON, "compares", "comparison", "1 where it holds, else 0", "jump"),
    _operator("greater_equal", ">=", COMPARISON, "compares", "comparison", "1 where it holds, else 0", "jump"),
    _operator("equal", "==", COMPARISON, "compares", "comparison", "1 where it holds, else 0", "jump"),
    _operator("not_equal", "!=", COMPARISON, "compares", "comparison", "1 where it holds, else 0", "jump"),
    _operator("or", "or", OR, "condition", "logic", "1 where one of both is not 0, else 0", "jump"),
    _operator("and", "and", AND, "condition", "logic", "1 where none of both is 0, else 0", "jump"),
    _operator("not", "not", NOT, "condition", "logic", "1 where it is 0, else 0", "jump", count=1),
    Function(
        "where", (3, 3), "chooses", "elements", "choice",
        "where(c, a, b), also a if c else b: a where c is not 0, else b", "jump", "where", "if", CHOICE,
    ),
    _plain("min", "same", "choice", "the least of two or more", "kink", 2, None),
    _plain("max", "same", "choice", "the greatest of two or more", "kink", 2, None),
    _plain("clip", "same", "choice", "clip(x, low, high): x held between two limits", "kink", 3, 3),
    _plain("abs", "keeps", "elementary", "magnitude", "kink"),
    _plain("sqrt", "square root", "elementary", "square root"),
    _plain("cbrt", "cube root", "elementary", "cube root"),
    _plain("exp", "number", "elementary", "e to the power of x"),
    _plain("expm1", "number", "elementary", "exp(x) - 1, exact for small x"),
    _plain("log", "number", "elementary", "natural logarithm"),
    _plain("log10", "number", "elementary", "logarithm to the base of 10"),
    _plain("hypot", "same", "elementary", "√(x² + y²)", least=2, most=2),
    _plain("sinh", "number", "elementary", "hyperbolic sine"),
    _plain("cosh", "number", "elementary", "hyperbolic cosine"),
    _plain("tanh", "number", "elementary", "hyperbolic tangent"),
    _plain("sin", "angle", "angles", "sine"),
    _plain("cos", "angle", "angles", "cosine"),
    _plain("tan", "angle", "angles", "tangent"),
    _plain("asin", "gives angle", "angles", "inverse sine, rad"),
    _plain("acos", "gives angle", "angles", "inverse cosine, rad"),
    _plain("atan", "gives angle", "angles", "inverse tangent, rad"),
    _plain("atan2", "direction", "angles", "atan2(y, x): angle of a point, rad", least=2, most=2),
    _plain("wrap", "turns", "angles", "the same angle within -π … π, rad", "jump"),
    _plain("sign", "drops", "rounding", "-1, 0 or 1", "jump"),
    _plain("floor", "keeps", "rounding", "the whole number below", "jump"),
    _plain("ceil", "keeps", "rounding", "the whole number above", "jump"),
    _plain("round", "keeps", "rounding", "the nearest whole number, halves away from 0", "jump"),
    Function(
        "mod", (2, 2), "same", "elements", "rounding", "mod(x, y), also x % y: x - y floor(x/y), with the sign of y",
        "jump", "mod", "%", PRODUCT,
    ),
    Function("sum", (1, 1), "keeps", "sum", "vectors", "sum of the elements"),
    Function("norm", (1, 1), "keeps", "norm", "vectors", "root of the sum of squares of the elements"),
    Function("dot", (2, 2), "product", "dot", "vectors", "sum of the products of the elements"),
    Function("cross", (2, 2), "product", "cross", "vectors", "vector product of three elements each"),
    Function("transpose", (1, 1), "keeps", "transpose", "vectors", "matrix with rows and columns exchanged"),
    Function(
        "matmul", (2, 2), "product", "matrix product", "vectors", "matrix times vector, or times matrix",
        sign="@", binding=PRODUCT, called=False,
    ),
)  # fmt: skip

FUNCTIONS: Mapping[str, Function] = MappingProxyType({function.name: function for function in _ALL})
"""By name, in the order of the documentation. The tree calls operators by these names, too."""

VOCABULARY: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        group: tuple((one.usage, one.words) for one in _ALL if one.group == group)
        for group in dict.fromkeys(one.group for one in _ALL)
    }
)
"""By groups, how each is written and what it is: for people."""

CONSTANTS: Mapping[str, float] = MappingProxyType({"pi": math.pi, "true": 1.0, "false": 0.0})
"""Numbers that have names. `e` is none, as that is what errors of control are called: write exp(1)."""

TIME = "t"
"""The name of the time, s."""

CHANGE = Function("change", (1, 1), "keeps", "elements", "choice", "by how much x has changed since the last action")
"""What `environment:` has besides."""
