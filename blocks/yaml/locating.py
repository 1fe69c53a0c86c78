"""Where in a text a problem stands, to the character, and the mend of a name that was misspelt."""

from __future__ import annotations

import re
from dataclasses import replace

from blocks.errors import nearest
from blocks.problems import Problem
from blocks.replacement import Replacement, Span
from blocks.yaml.places import Spot


def located(problem: Problem, text: str, spot: Spot, key: bool, exact: bool = True, value: object = None) -> Problem:
    """A problem with lines, columns and, where it names a wrong word and what that may be meant for, the mend.

    key: the key is at fault, not the value. exact: the spot is that of the item itself, not of one around it. value:
    what the text there says, of which the problem may be about some characters.
    """
    span = span_at_fault(text, spot, key)
    if problem.within is not None and isinstance(value, str) and not key:
        span = inner(text, spot.value, value, problem.within) or span
        spot = Spot(span, None)
    change = None
    if problem.wrong and exact:
        last = problem.code in _SECOND
        either = (span,) if key or spot.key is None else (span, spot.key)
        span = next((one for one in either if word(text, one, problem.wrong, last)), span)
        right = nearest(problem.wrong, problem.near)
        change = respelt(text, span, problem.wrong, right, last) if right else None
    found = pointing(problem, text, span)
    return found if change is None else with_mend(found, text, f"write '{change.text}'", change)


_SECOND = ("unknown-port", "unknown-element")
"""Problems of what stands behind a dot or in brackets, where the same word may stand before it."""


def with_mend(problem: Problem, text: str, title: str, *changes: Replacement) -> Problem:
    """A problem with the changes of the text that mend it."""
    now = tuple(text[change.span.start : change.span.end] for change in changes)
    return replace(problem, title=title, replacements=changes, instead_of=now)


def pointing(problem: Problem, text: str, span: Span) -> Problem:
    """A problem with the lines and columns of a span, from 1; the end is behind the last character."""
    (line, column), (end_line, end_column) = _line_and_column(text, span.start), _line_and_column(text, span.end)
    return replace(problem, line=line, column=column, end_line=end_line, end_column=end_column)


def _line_and_column(text: str, at: int) -> tuple[int, int]:
    begins = text.rfind("\n", 0, at) + 1
    column = at - begins + 1
    return text.count("\n", 0, at) + 1, column - 1 if begins == 0 and text.startswith("\ufeff") else column


def span_at_fault(text: str, spot: Spot, key: bool) -> Span:
    """The scalar to point at: the value, or the key where that is at fault, or the value holds others."""
    value, name = spot
    if name is not None and (key or value.start == value.end or "\n" in text[value.start : value.end]):
        return name
    if "\n" in text[value.start : value.end]:  # an item of a list with keys of its own: its first line
        return Span(value.start, text.index("\n", value.start))
    return value


def word(text: str, span: Span, wrong: str, last: bool = False) -> Span | None:
    """Where a word stands within a span, by itself; the last or the first time. None if it does not."""
    if not wrong:
        return None
    found = [
        Span(span.start + match.start(), span.start + match.end())
        for match in re.finditer(rf"(?<!\w){re.escape(wrong)}(?!\w)", text[span.start : span.end])
    ]
    return found[-1 if last else 0] if found else None


def inner(text: str, span: Span, value: str, within: tuple[int, int]) -> Span | None:
    """Where characters of a value stand, of which the scalar within a span is the text: plain, quoted or a block, its
    lines folded or not. None if it says them by escapes."""
    at = span.start
    if text[at] in "|>":
        at = text.find("\n", at, span.end) + 1
    elif text[at] in "'\"":
        at += 1
    found: list[int] = []
    for i, char in enumerate(value[: within[1]]):
        if char.isspace():
            continue
        while at < span.end and text[at].isspace():
            at += 1
        if text[at : at + 1] != char:
            return None
        if i >= within[0]:
            found.append(at)
        at += 1
    return Span(found[0], found[-1] + 1) if found else Span(at, at)


def respelt(text: str, span: Span, wrong: str, right: str, last: bool = False) -> Replacement | None:
    """The change that writes a name as it was meant, in the quotes that there are. None if it cannot be found."""
    place = word(text, span, wrong, last)
    if place is None or not re.fullmatch(r"[\w.\- ]+", right):
        return None
    return Replacement(place, right)


def quoted(text: str, span: Span) -> Replacement:
    """The change that makes a plain scalar text."""
    return Replacement(span, '"' + text[span.start : span.end].replace("\\", "\\\\").replace('"', '\\"') + '"')
