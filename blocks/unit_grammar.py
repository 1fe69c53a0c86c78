"""How units are written, "kg*m^2/s", "N s2/m2" or "deg/s/√Hz": read by a grammar that knows no unit and evaluates none.

quantity = number ["*"] [unit]
unit     = ["1/" | "/"] factor {("*" | "·" | "." | " " | "/" | "per") factor}      from left to right
factor   = ("√" factor | "sqrt" group | group | name) [power]
group    = "(" unit ")"
power    = ("^" | "**") exponent, or digits alone as in "m2" and "s-1", or superscripts as in "m²"
exponent = ["-"] number, or "(" ["-"] number ["/" number] ")"
"""

from __future__ import annotations

import re
from fractions import Fraction

from blocks.errors import shorten

Factors = tuple[tuple[str, Fraction], ...]
"""Names with their exponents, in the order in which they stand."""

LONGEST = 120
"""Characters of a unit, and of a number with its unit."""
_MOST = 20
"""The largest exponent."""
_DEEPEST_NESTING = 8

_NUMBER = re.compile(r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf|nan)(?![0-9.])")
_EXPONENT = re.compile(r"[eE][+-]?[0-9]")
_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<sign>per\b)|(?P<name>Δ?[^\W\d_]\w*|Δ?°[^\W\d_]*|[%‰])|(?P<number>[0-9]+(?:\.[0-9]+)?)"
    r"|(?P<other>\*\*|.)",
    re.DOTALL,
)
_PER, _TIMES = ("/", "per"), ("*", "·", "⋅", ".")
_DIGIT = re.compile(r"(.*[^\W\d_])([2-9])")
_SUPERSCRIPT = re.compile("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_PLAIN = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


class UnitSyntaxError(ValueError):
    """Text that is no unit, and why."""


class MoreNumbersError(UnitSyntaxError):
    """A second number where one with its unit is wanted."""


def split(text: str) -> tuple[float, str]:
    """Number and unit of a quantity, "" if it has none. Raises UnitSyntaxError if it does not begin with a number."""
    if len(text) > LONGEST:
        raise UnitSyntaxError(f"it has {len(text)} characters, and {LONGEST} is the most")
    found = _NUMBER.match(text)
    if found is None:
        if text.lstrip("+-")[:1] in {*"0123456789."}:
            raise MoreNumbersError("its digits are more than one number")
        raise UnitSyntaxError("it does not begin with a number")
    rest = text[found.end() :].strip()
    if _EXPONENT.match(rest) and _NUMBER.fullmatch(found[0] + rest.split()[0]):
        raise UnitSyntaxError(f"the exponent stands apart from its number; write {found[0]}{shorten(rest, 20)}")
    if rest.startswith("*") and not rest.startswith("**"):
        rest = rest[1:].lstrip()
        if not rest:
            raise UnitSyntaxError("'*' ends it")
    return float(found[0]), rest


def factors(text: str) -> Factors:
    """What a unit is made of. Raises UnitSyntaxError."""
    if len(text) > LONGEST:
        raise UnitSyntaxError(f"it has {len(text)} characters, and {LONGEST} is the most")
    return tuple(_Parser(text).whole())


def plain(text: str) -> str:
    """A unit without superscripts: "m^2" for "m²"."""
    return _SUPERSCRIPT.sub(lambda match: f"^{match[0].translate(_PLAIN)}", text)


class _Parser:
    """Reads a unit from its tokens, the last of which is an empty one."""

    def __init__(self, text: str) -> None:
        self.tokens = [(match.lastgroup, match[0]) for match in _TOKEN.finditer(plain(text).strip())] + [("end", "")]
        self.at = 0
        self.depth = 0

    def whole(self) -> list[tuple[str, Fraction]]:
        if self.tokens[0][0] == "end":
            raise UnitSyntaxError("it is empty")
        if [token for _, token in self.tokens] == ["1", ""]:
            return []
        found = self.unit()
        if self.tokens[self.at][0] != "end":
            raise self.unexpected()
        return found

    def unit(self) -> list[tuple[str, Fraction]]:
        found: list[tuple[str, Fraction]] = []
        sign = self.first()
        while True:
            found += [(name, sign * power) for name, power in self.factor()]
            spaced = self.skip()
            kind, token = self.tokens[self.at]
            if token in _PER or token in _TIMES:
                sign = -1 if token in _PER else 1
                self.at += 1
                self.skip()
            elif spaced and (kind == "name" or token in ("√", "(")):
                sign = 1
            else:
                return found

    def first(self) -> int:
        """Take "/" or "1/" at the beginning: the sign of the first exponent."""
        start = self.at
        if self.tokens[self.at][1] == "1":
            self.at += 1
            self.skip()
        if self.tokens[self.at][1] in _PER:
            self.at += 1
            self.skip()
            return -1
        self.at = start
        return 1

    def factor(self) -> list[tuple[str, Fraction]]:
        kind, token = self.tokens[self.at]
        self.depth += 1
        if self.depth > _DEEPEST_NESTING:
            raise UnitSyntaxError(f"it is nested more than {_DEEPEST_NESTING} deep")
        if token == "√" or (token == "sqrt" and self.tokens[self.at + 1][1] == "("):
            self.at += 1
            self.skip()
            found = _raised(self.factor(), Fraction(1, 2))
        elif token == "(":
            self.at += 1
            self.skip()
            found = self.unit()
            if self.tokens[self.at][1] != ")":
                raise UnitSyntaxError("a bracket is left open" if self.tokens[self.at][0] == "end" else self.said())
            self.at += 1
        elif kind == "name":
            self.at += 1
            ended = _DIGIT.fullmatch(token)
            found = [(ended[1], Fraction(int(ended[2])))] if ended else [(token, Fraction(1))]
        else:
            raise self.unexpected()
        self.depth -= 1
        return _raised(found, self.power(signed=kind == "name"))

    def power(self, signed: bool) -> Fraction:
        """The exponent behind a factor, 1 if there is none; `signed` may be one with no sign but its minus, "s-1"."""
        if signed and self.tokens[self.at][1] == "-" and self.tokens[self.at + 1][0] == "number":
            return self.number()
        if self.tokens[self.at][1] not in ("^", "**"):
            return Fraction(1)
        self.at += 1
        if self.tokens[self.at][1] != "(":
            return self.number()
        self.at += 1
        power = self.number()
        if self.tokens[self.at][1] == "/":
            self.at += 1
            below = self.number()
            if not below:
                raise UnitSyntaxError("an exponent is divided by 0")
            power /= below
        if self.tokens[self.at][1] != ")":
            raise self.unexpected()
        self.at += 1
        return power

    def number(self) -> Fraction:
        sign = 1
        if self.tokens[self.at][1] in ("-", "+"):
            sign = -1 if self.tokens[self.at][1] == "-" else 1
            self.at += 1
        kind, token = self.tokens[self.at]
        if kind != "number":
            raise UnitSyntaxError("an exponent is missing")
        self.at += 1
        return sign * Fraction(token)

    def skip(self) -> bool:
        """Skip blanks; whether there were any."""
        spaced = self.tokens[self.at][0] == "space"
        self.at += spaced
        return spaced

    def unexpected(self) -> UnitSyntaxError:
        kind, _ = self.tokens[self.at]
        return MoreNumbersError(self.said()) if kind == "number" else UnitSyntaxError(self.said())

    def said(self) -> str:
        kind, token = self.tokens[self.at]
        return "it ends where a unit is expected" if kind == "end" else f"'{shorten(token, 20)}' does not belong there"


def _raised(found: list[tuple[str, Fraction]], power: Fraction) -> list[tuple[str, Fraction]]:
    if power == 1:
        return found
    raised = [(name, before * power) for name, before in found]
    if any(abs(after) > _MOST for _, after in raised):
        raise UnitSyntaxError(f"exponents are {_MOST} at most")
    return raised
