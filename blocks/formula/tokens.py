"""The words of an expression: numbers, names and signs, with their places."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, NamedTuple

from blocks.formula.errors import FormulaError
from blocks.formula.hints import CHARACTERS, product_or_unit, short
from blocks.formula.tree import Place

MOST_CHARACTERS = 10_000
_LONGEST_NAME = 200

Kind = Literal["number", "name", "sign", "end"]


class Token(NamedTuple):
    """A word, characters first … last of the text. Names are in the form in which Unicode compares them (NFKC)."""

    kind: Kind
    word: str
    first: int
    last: int


_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[^\W\d]\w*)|(?P<sign>\*\*|<=|>=|==|!=|[-+*/%@<>()\[\],:.])"
)
_ATTACHED = re.compile(r"[\w.]+")


def tokens(text: str, part: str, *, dotted: bool = False) -> list[Token]:
    """The words of a text, the last of which is its end; dotted: names may have dots, as those of signals have.

    Raises FormulaError for characters that belong to none.
    """
    if len(text) > MOST_CHARACTERS:
        place = Place(part, text[:80] + "…", 0, 1)
        raise FormulaError(
            f"it has {len(text)} characters, and {MOST_CHARACTERS} is the most",
            place=place,
            hint="" if dotted else "what is used twice gets a line of its own in let",
        )
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _stranger(text, part, at, dotted=dotted)
        kind, word, at = match.lastgroup, match[0], match.end()
        if kind == "number":
            _check_number(text, part, match, dotted)
            found.append(Token("number", word, match.start(), at))
        elif kind == "name":
            name = _name(text, part, match)
            if dotted:
                while (dot := _DOTTED.match(text, at)) is not None:
                    name, at = f"{name}.{unicodedata.normalize('NFKC', dot[1])}", dot.end()
            found.append(Token("name", name, match.start(), at))
        elif kind == "sign":
            found.append(Token("sign", word, match.start(), at))
    return [*found, Token("end", "", len(text), len(text))]


_DOTTED = re.compile(r"\.([^\W\d]\w*)")


def _check_number(text: str, part: str, match: re.Match[str], dotted: bool) -> None:
    """Nothing stands at once behind a number, and it can be held."""
    behind = _ATTACHED.match(text, match.end())
    if behind is not None:
        place = Place(part, text, match.start(), behind.end())
        said = f"'{short(place.shown)}' is not a number"
        if behind[0][0] in "._" or behind[0][0].isdigit():
            raise FormulaError(said, place=place, hint="write digits with one point, such as 1200.5 or 1.2e3")
        raise FormulaError(said, place=place, hint=product_or_unit(match[0], behind[0], dotted))
    if float(match[0]) == float("inf"):
        raise FormulaError(
            "the number is too large", place=Place(part, text, *match.span()), hint="the most is 1.8e308"
        )


def _name(text: str, part: str, match: re.Match[str]) -> str:
    word = match[0]
    if not word.isidentifier():  # x², whose ² is a digit to others
        bad = next(i for i in range(1, len(word) + 1) if not word[:i].isidentifier())
        raise _stranger(text, part, match.start() + bad - 1)
    if len(word) > _LONGEST_NAME:
        raise FormulaError(
            f"a name has {len(word)} characters, and {_LONGEST_NAME} is the most",
            place=Place(part, text, *match.span()),
        )
    return unicodedata.normalize("NFKC", word)


def _stranger(text: str, part: str, at: int, *, dotted: bool = False) -> FormulaError:
    char = text[at]
    hint = CHARACTERS.get(char, "")
    if dotted and char in "'\"":
        hint = "text has no place here, and numbers are in SI: write 0.1, and not '5 deg'"
    if char.isprintable():
        called = f"'{char}'" if char != "'" else "a quotation mark"
    else:
        called = f"the character U+{ord(char):04X}"
    return FormulaError(f"{called} has no meaning in a formula", place=Place(part, text, at, at + 1), hint=hint)
