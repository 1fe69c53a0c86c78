"""Where in a text a problem stands, to the character, and the mend of a name that was misspelt."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from blocks.errors import nearest
from blocks.problems import Problem
from blocks.replacement import Replacement, Span
from blocks.yaml.places import Spot


def located(problem: Problem, text: str, spot: Spot, key: bool, exact: bool = True) -> Problem:
    """A problem with lines, columns and, where it names a wrong word and what that may be meant for, the mend.

    key: the key is at fault, not the value. exact: the spot is that of the item itself, not of one around it.
    """
    span = span_at_fault(text, spot, key)
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


def span_within(text: str, value: Span, said: Any, within: tuple[int, int]) -> Span | None:
    """Where characters of what a scalar says stand in the text; None where it is written in another way."""
    written = text[value.start : value.end]
    if not isinstance(said, str):
        return None
    first, last = within
    quotes = 1 if written[:1] in ("'", '"') else 0
    if written[quotes : len(written) - quotes] == said:
        begin = value.start + quotes
        return Span(begin + first, begin + last)
    if not written.startswith("|"):
        return None
    number = said.count("\n", 0, first)
    line = said.split("\n")[number]
    above = "".join(written.splitlines(keepends=True)[: number + 1])
    at = written.find(line, len(above)) if line.strip() else -1
    column = first - (said.rfind("\n", 0, first) + 1)
    begin = value.start + at + column
    return None if at < 0 else Span(begin, begin + min(last - first, len(line) - column))


def keys_in(part: str) -> tuple[str | int, ...]:
    """The way to a text within its block: outputs, force and 0 of "outputs.force[0]"."""
    section, _, rest = part.partition(".")
    name, *numbers = re.split(r"\]?\[|\]$", rest)
    return (section, name, *(int(number) for number in numbers if number))


def word(text: str, span: Span, wrong: str, last: bool = False) -> Span | None:
    """Where a word stands within a span, by itself; the last or the first time. None if it does not."""
    if not wrong:
        return None
    found = [
        Span(span.start + match.start(), span.start + match.end())
        for match in re.finditer(rf"(?<!\w){re.escape(wrong)}(?!\w)", text[span.start : span.end])
    ]
    return found[-1 if last else 0] if found else None


def respelt(text: str, span: Span, wrong: str, right: str, last: bool = False) -> Replacement | None:
    """The change that writes a name as it was meant, in the quotes that there are. None if it cannot be found."""
    place = word(text, span, wrong, last)
    if place is None or not re.fullmatch(r"[\w.\- ]+", right):
        return None
    return Replacement(place, right)


def quoted(text: str, span: Span) -> Replacement:
    """The change that makes a plain scalar text."""
    return Replacement(span, '"' + text[span.start : span.end].replace("\\", "\\\\").replace('"', '\\"') + '"')
