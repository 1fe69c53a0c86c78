"""What may have been meant by what is no formula, as it is written elsewhere."""

from __future__ import annotations

from collections.abc import Container
from typing import Protocol


class Word(Protocol):
    """A word of an expression."""

    @property
    def kind(self) -> str: ...

    @property
    def word(self) -> str: ...


WORDS = ("and", "or", "not", "if", "else")
"""Names that are no names."""

CHARACTERS = {
    "^": "powers are written **",
    "=": "two sides are compared by ==, and an expression says nothing but a value",
    "&": "write and",
    "|": "write or, or abs(x) for a magnitude",
    "~": "write not",
    "!": "write not, or != for what is not equal",
    "#": "an expression has no comments; they stand behind it in the file",
    ";": "an expression is one value; what is used twice gets a line of its own in let",
    "{": "vectors are written [a, b, c]",
    "}": "vectors are written [a, b, c]",
    "'": "text has no place in a formula; the transpose of a matrix is transpose(A)",
    '"': "text has no place in a formula: numbers with units are parameters",
    "`": "names stand without quotes",
    "?": "a choice is written a if c else b",
    "\u2212": "the minus sign of a keyboard is -",
    "\u2013": "the minus sign of a keyboard is -",
    "\u2014": "the minus sign of a keyboard is -",
    "\u00d7": "products are written *",
    "\u00b7": "products are written *",
    "\u22c5": "products are written *",
    "\u00f7": "quotients are written /",
    "\u2264": "write <=",
    "\u2265": "write >=",
    "\u2260": "write !=",
    "\u221a": "write sqrt(x)",
    "\u00b0": "angles are in rad",
    **dict.fromkeys("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "powers are written **, such as x**2"),
    **dict.fromkeys("₀₁₂₃₄₅₆₇₈₉", "elements are written x[0]"),
}
_PAIRS = {
    ("/", "/"): "write floor(x/y)",
    ("<", ">"): "write !=",
    ("-", ">"): "write >= or <=",
    (">", "<"): "write !=",
}
WORDS_MEANT = {
    ".": "names have no dots here",
    ":": "first:last stands in the brackets behind a vector, x[0:2]",
    "if": "a choice is written a if c else b",
    "else": "a choice is written a if c else b",
}
NO_FUNCTION = {
    "pow": "powers are written x**y",
    "ln": "the natural logarithm is log",
    "log2": "write log(x)/log(2)",
    "arctan2": "write atan2(y, x)",
    "arctan": "write atan(x)",
    "arcsin": "write asin(x)",
    "arccos": "write acos(x)",
    "fabs": "write abs(x)",
    "sgn": "write sign(x)",
    "sec": "write 1/cos(x)",
    "cot": "write 1/tan(x)",
    "square": "write x**2",
    "heaviside": "write x >= 0",
    "saturate": "write clip(x, low, high)",
    "limit": "write clip(x, low, high)",
    "clamp": "write clip(x, low, high)",
    "iif": "write where(c, a, b)",
    "length": "the length of a vector is norm(x)",
    "mean": "write sum(x)/n",
    "fmod": "write mod(x, y)",
    "degrees": "write x*180/pi",
    "radians": "write x*pi/180",
    "deg2rad": "write x*pi/180",
    "rad2deg": "write x*180/pi",
    "exp2": "write 2**x",
    "log1p": "write log(1 + x)",
    "trunc": "write sign(x)*floor(abs(x))",
    "asinh": "write log(x + sqrt(x**2 + 1))",
    "acosh": "write log(x + sqrt(x**2 - 1))",
    "atanh": "write log((1 + x)/(1 - x))/2",
    "der": "derivatives stand under states",
}


def hint(before: Word, token: Word, after: Word, functions: Container[str], *, inside: bool, dotted: bool) -> str:
    """What may have been meant by a word behind another, with the one that follows; inside: of brackets."""
    value = token.kind == "number" or (token.kind == "name" and token.word not in WORDS)
    if before.kind == "name" and before.word in functions and (value or token.word == "["):
        return f"a function stands before brackets, {before.word}(…)"
    if before.kind == "number" and value and token.kind == "name":
        return product_or_unit(before.word, token.word, dotted)
    if is_value(before) and (value or token.word == "("):
        return f"an operator{' or a comma' if inside else ''} is missing before it, such as *"
    if token.word == "." and before.kind == "name" and after.kind == "name":
        if after.word == "T":
            return f"write transpose({before.word})"
        return f"elements are written {before.word}[{after.word}]"
    if token.word == "," and before.kind == "number" and after.kind == "number":
        return f"decimals have a point, {before.word}.{after.word}"
    return _PAIRS.get((before.word, token.word)) or WORDS_MEANT.get(token.word, "")


def is_value(token: Word) -> bool:
    """Whether a value can end there."""
    return token.word in (")", "]") or token.kind == "number" or (token.kind == "name" and token.word not in WORDS)


def product_or_unit(number: str, word: str, dotted: bool) -> str:
    """What to do where a word stands behind a number."""
    instead = "they are in SI" if dotted else "one that has is a parameter"
    return f"a product needs its sign, {short(number)}*{short(word)}; numbers have no units here, and {instead}"


def short(word: str) -> str:
    """A word without the end of a very long one."""
    return word if len(word) <= 30 else f"{word[:27]}..."
