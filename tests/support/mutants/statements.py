"""Statements of Python and of Cython, and which part of each may be given a second form beside the first.

A changed form is compiled in beside the original and chosen by number when a test runs, so that one build has all of
them. Of a simple statement that is `if _mutant(7): changed` and `else: original`, of a condition or a declaration a
conditional expression. What can have no second form, such as the head of a function, is left out.
"""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

_NO_SECOND_FORM = {
    "def", "class", "@", "from", "import", "cimport", "else", "try", "except", "finally", "cpdef", "ctypedef", "with",
    "global", "nonlocal", "match", "case", "async", "include", "DEF", "IF", "lambda", "yield",
}  # fmt: skip
_OPEN, _CLOSE = "([{", ")]}"


@dataclass(frozen=True)
class Token:
    """A token and where it stands in the text of its statement."""

    text: str
    kind: int
    start: int
    end: int
    depth: int


@dataclass(frozen=True)
class Statement:
    """A statement, without its indentation and what follows a head such as `if …:`.

    form: "simple"; "condition", of which the tokens are those between `if` and `:`; "value", what a `cdef` is given;
    "arguments", those of a loop over a `range` of Cython; "iterable", what another loop goes over.
    """

    path: str
    line: int
    start: int
    end: int
    indent: int
    text: str
    form: str
    tokens: tuple[Token, ...]
    scope: str
    in_function: bool
    cython: bool


def statements(path: str, text: str) -> Iterator[Statement]:
    """Those of a file that can have a second form."""
    cython = not path.endswith(".py")
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    blocks: list[tuple[int, str, str]] = []  # indentation, what it is, name
    for raw in _logical_lines(text):
        first, last = raw[0], raw[-1]
        indent = first.start[1]
        start, end = starts[first.start[0] - 1] + indent, starts[last.end[0] - 1] + last.end[1]
        while blocks and blocks[-1][0] >= indent:
            blocks.pop()
        said = text[start:end]
        words = [token.string for token in raw]
        within = blocks[-1][1] if blocks else ""
        if words[-1] == ":" and words[0] in {"def", "cdef", "cpdef", "class", "ctypedef", "async"}:
            kind = "function" if "(" in words and words[0] != "class" else "declarations"
            if words[0] == "class":
                kind = "class"
            blocks.append((indent, kind, _name(words)))
            continue
        in_function = any(kind == "function" for _, kind, _ in blocks)
        if within == "declarations" or (cython and not in_function) or ";" in words or "lambda" in words:
            continue
        tokens = _tokens(raw, starts, start)
        scope = ".".join(name for *_, name in blocks)
        found = _form(tokens, words, cython=cython)
        if found is not None:
            form, chosen = found
            line = first.start[0]
            yield Statement(path, line, start, end, indent, said, form, chosen, scope, in_function, cython)


def _name(words: list[str]) -> str:
    if words[0] == "class":
        return words[1]
    return words[words.index("(") - 1] if "(" in words else words[-2]


def _logical_lines(text: str) -> Iterator[list[tokenize.TokenInfo]]:
    line: list[tokenize.TokenInfo] = []
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NEWLINE:
            if line:
                yield line
            line = []
        elif token.type not in skipped:
            line.append(token)


def _tokens(raw: list[tokenize.TokenInfo], starts: list[int], begin: int) -> tuple[Token, ...]:
    made, depth = [], 0
    for token in raw:
        if token.string in _CLOSE and token.type == tokenize.OP:
            depth -= 1
        start, end = (starts[row - 1] + column - begin for row, column in (token.start, token.end))
        made.append(Token(token.string, token.type, start, end, depth))
        if token.string in _OPEN and token.type == tokenize.OP:
            depth += 1
    return tuple(made)


def _form(tokens: tuple[Token, ...], words: list[str], *, cython: bool) -> tuple[str, tuple[Token, ...]] | None:
    first = words[0]
    if first in _NO_SECOND_FORM or "TYPE_CHECKING" in words or "__all__" in words:
        return None
    if words[:2] == ["examples", "="]:  # of a block: what tests are given
        return None
    if first in ("if", "elif", "while"):
        colon = next((i for i, token in enumerate(tokens) if token.text == ":" and token.depth == 0), None)
        return None if colon is None or ":=" in words else ("condition", tokens[1:colon])
    if first == "for":
        if "in" not in words or words[-1] != ":":
            return None
        rest = tokens[words.index("in") + 1 : -1]
        if not cython:
            return "iterable", rest
        return ("arguments", rest[2:-1]) if rest and rest[0].text == "range" else None
    if first == "cdef":
        commas = any(token.text == "," and token.depth == 0 for token in tokens)
        if commas or "=" not in words:
            return None
        return "value", tokens[words.index("=") + 1 :]
    if len(tokens) == 1 and tokens[0].kind == tokenize.STRING:  # a docstring
        return None
    return "simple", tokens


def with_second_form(statement: Statement, edit: tuple[int, int, str], number: int) -> list[tuple[int, int, str]]:
    """What to replace in the file so that the statement has the edited form, too, where mutant `number` is chosen."""
    begin, text = statement.start, statement.text
    start, end, new = edit
    changed = text[:start] + new + text[end:]
    if statement.form == "simple":
        pad = " " * statement.indent
        return [(begin, statement.end, f"if _mutant({number}): {changed}\n{pad}else: {text}")]
    first, last = statement.tokens[0].start, statement.tokens[-1].end
    if statement.form == "arguments":  # each by itself, so that it is a loop over a range still
        for first, last in _arguments(statement.tokens):
            if first <= start and end <= last:
                break
    was, now = text[first:last], text[first:start] + new + text[end:last]
    return [(begin + first, begin + last, f"(({now}) if _mutant({number}) else ({was}))")]


def _arguments(tokens: tuple[Token, ...]) -> Iterator[tuple[int, int]]:
    outer = min(token.depth for token in tokens)
    group: list[Token] = []
    for token in tokens:
        if token.text == "," and token.depth == outer:
            yield group[0].start, group[-1].end
            group = []
        else:
            group.append(token)
    if group:
        yield group[0].start, group[-1].end
