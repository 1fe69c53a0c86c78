"""What is changed in a statement: one thing at a time."""

from __future__ import annotations

import tokenize
from collections.abc import Callable, Iterator
from itertools import pairwise

from mutants.statements import Statement, Token

Edit = tuple[int, int, str]
"""Start and end in the text of the statement, and what stands there then."""

_KEYWORDS = {"and", "or", "not", "in", "is", "if", "else", "return", "for", "yield", "raise", "assert", "lambda", "del"}
_ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "//": "*", "%": "*"}
_ASSIGNED = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "|=": "=", "&=": "="}
_BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_OTHER_WAY = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_WORDS = {
    "and": "or", "or": "and", "True": "False", "False": "True", "min": "max", "max": "min", "fmin": "fmax",
    "fmax": "fmin", "sin": "cos", "cos": "sin", "floor": "ceil", "ceil": "floor", "any": "all", "all": "any",
    "break": "continue", "continue": "break",
}  # fmt: skip


def edits(statement: Statement) -> Iterator[tuple[str, Edit]]:
    """Every change of a statement, with the name of its kind."""
    for operator in _OPERATORS:
        for edit in operator(statement):
            yield operator.__name__.strip("_").replace("_", " "), edit


def _arithmetic(statement: Statement) -> Iterator[Edit]:
    """+ and -, * and /, in expressions and assignments."""
    for before, token, _ in _around(statement):
        swap = _ASSIGNED.get(token.text) or (_ARITHMETIC.get(token.text) if _is_operand(before) else None)
        if swap and not _in_type(statement, token):
            yield token.start, token.end, swap


def _sign(statement: Statement) -> Iterator[Edit]:
    """Without a minus that stands before a number or a name."""
    for before, token, after in _around(statement):
        if token.text == "-" and not _is_operand(before) and after is not None:
            yield token.start, token.end, ""


def _comparison(statement: Statement) -> Iterator[Edit]:
    """A boundary that belongs to the other side, and the other side."""
    for before, token, _ in _around(statement):
        if token.text in _BOUNDARY and _is_operand(before) and not _is_cast(statement, token):
            yield token.start, token.end, _BOUNDARY[token.text]
            if token.text in _OTHER_WAY:
                yield token.start, token.end, _OTHER_WAY[token.text]


def _word(statement: Statement) -> Iterator[Edit]:
    """and and or, min and max, sine and cosine …"""
    for before, token, after in _around(statement):
        if token.kind == tokenize.NAME and token.text in _WORDS and (before is None or before.text != "."):
            named = after is not None and after.text == "=" and token.depth > 0  # an argument of that name
            strict = statement.text[: token.start].endswith("strict=")  # of zip: a check that never fails
            if not named and not strict:
                yield token.start, token.end, _WORDS[token.text]


def _negation(statement: Statement) -> Iterator[Edit]:
    """Without a `not`; `is` and `in` turned round; a condition that is the opposite."""
    for before, token, after in _around(statement):
        if token.text == "not" and after is not None:
            yield token.start, after.start, ""
        elif token.text == "is" and after is not None and after.text != "not":
            yield token.start, token.end, "is not"
        elif token.text == "in" and statement.form == "condition" and (before is None or before.text != "not"):
            yield token.start, token.end, "not in"
    if statement.form == "condition" and statement.text.split(" ", 1)[0] != "while":
        first, last = statement.tokens[0], statement.tokens[-1]
        yield first.start, last.end, f"not ({statement.text[first.start : last.end]})"


def _constant(statement: Statement) -> Iterator[Edit]:
    """A whole number, such as an index, one more or one less; a real one a tenth more."""
    for _, token, _ in _around(statement):
        if token.kind != tokenize.NUMBER or _in_type(statement, token):
            continue
        if token.text.isdigit():
            number = int(token.text)
            yield token.start, token.end, str(number + 1)
            if number > 0:
                yield token.start, token.end, str(number - 1)
        elif token.text[:2] not in ("0x", "0b", "0o") and "_" not in token.text and token.text[-1] not in "jJ":
            number_ = float(token.text)
            yield token.start, token.end, "1.0" if number_ == 0.0 else repr(1.1 * number_)


def _arguments(statement: Statement) -> Iterator[Edit]:
    """Two neighbours among the arguments of a call in each other's place."""
    tokens = statement.tokens
    for at, token in enumerate(tokens):
        called = at > 0 and tokens[at - 1].kind == tokenize.NAME and tokens[at - 1].text not in _KEYWORDS
        if token.text != "(" or not called:
            continue
        spans: list[tuple[int, int, bool]] = []
        group: list[Token] = []
        for one in tokens[at + 1 :]:
            if (one.depth == token.depth + 1 and one.text == ",") or one.depth == token.depth:
                if group:
                    plain = not any(t.text in ("=", "for", "*", "**") and t.depth == token.depth + 1 for t in group)
                    spans.append((group[0].start, group[-1].end, plain))
                group = []
                if one.depth == token.depth:
                    break
            else:
                group.append(one)
        for left, right in pairwise(spans):
            a, b = statement.text[left[0] : left[1]], statement.text[right[0] : right[1]]
            if left[2] and right[2] and a != b:
                yield left[0], right[1], b + statement.text[left[1] : right[0]] + a


def _removal(statement: Statement) -> Iterator[Edit]:
    """A statement of a function that is left out: an assignment, a call, an error that is raised."""
    first = statement.tokens[0].text
    if statement.form != "simple" or not statement.in_function or first in ("pass", "break", "continue", "assert"):
        return
    if first == "return" and (statement.cython or len(statement.tokens) == 1):
        return
    yield 0, len(statement.text), "pass"


_OPERATORS: tuple[Callable[[Statement], Iterator[Edit]], ...] = (
    _arithmetic, _sign, _comparison, _word, _negation, _constant, _arguments, _removal,
)  # fmt: skip


def _around(statement: Statement) -> Iterator[tuple[Token | None, Token, Token | None]]:
    tokens = statement.tokens
    for at, token in enumerate(tokens):
        yield tokens[at - 1] if at else None, token, tokens[at + 1] if at + 1 < len(tokens) else None


def _is_operand(token: Token | None) -> bool:
    """Whether an operator behind this token has it on its left."""
    if token is None:
        return False
    if token.kind == tokenize.NAME:
        return token.text not in _KEYWORDS
    return token.kind in (tokenize.NUMBER, tokenize.STRING) or token.text in (")", "]", "}")


def _is_cast(statement: Statement, token: Token) -> bool:
    """Whether this is the end of `<double*>`; its begin has no operand on the left."""
    text = statement.text[: token.start]
    return statement.cython and token.text == ">" and text.rstrip()[-1:] == "*"


def _in_type(statement: Statement, token: Token) -> bool:
    """Whether it stands in `<double*>`, or in an annotation."""
    if statement.cython:
        behind = statement.text[token.end :].lstrip()[:1]
        before = statement.text[: token.start]
        return token.text == "*" and (behind == ">" or (before.rfind("<") > before.rfind(">") and ">" in behind))
    head = statement.tokens[1].text if len(statement.tokens) > 1 else ""
    equals = next((one.start for one in statement.tokens if one.text == "=" and one.depth == 0), len(statement.text))
    return head == ":" and token.start < equals
