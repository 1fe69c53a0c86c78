"""What is wrong with a formula, and a caret under its place in the text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from blocks.errors import ParameterError
from blocks.formula.tree import Node, Place
from blocks.problems import Problem

_WIDEST = 100
"""Characters of a line that are shown."""


class FormulaError(ParameterError):
    """An expression that cannot be what it is meant for. `where`: the place in its text, None of several errors in one.

    As text it ends with the line of the expression and a caret; its `problems` have the words alone.
    """

    code = "bad-formula"
    where: Place | None = None

    def __init__(
        self,
        message: str,
        *,
        place: Place | None = None,
        code: str = "",
        wrong: str = "",
        valid: Iterable[str] | None = None,
        hint: str = "",
        problems: tuple[Problem, ...] = (),
    ) -> None:
        super().__init__(message, code=code, wrong=wrong, valid=valid, hint=hint, problems=problems)
        self.where = place

    def __str__(self) -> str:
        words = super().__str__()
        return words if self.where is None else f"{self._begin}{words}\n{pointed(self.where)}"

    @property
    def _begin(self) -> str:
        return f"{self.where.part}: " if self.where is not None and self.where.part else ""

    def _problem(self) -> Problem:
        found, where = super()._problem(), self.where
        if where is None:
            return found
        words = super().__str__()
        message = words.removesuffix(f"; {self.hint}") if self.hint else words
        return replace(
            found,
            message=f"{self._begin}{message}",
            hint=self.hint if message != words else "",
            part=where.part,
            within=(where.first, where.last),
        )


def pointed(place: Place) -> str:
    """The line of a text that a place is in, and carets under it."""
    begins = place.text.rfind("\n", 0, place.first) + 1
    ends = place.text.find("\n", place.first)
    line = place.text[begins:] if ends < 0 else place.text[begins:ends]
    first, last = place.first - begins, min(place.last - begins, len(line))
    marks = max(1, min(last - first, _WIDEST))
    start = 0 if len(line) <= _WIDEST else max(0, min(first - (_WIDEST - marks) // 2, len(line) - _WIDEST))
    stop = max(start + _WIDEST, first + marks)
    shown = "".join(char if char.isprintable() else " " for char in line[start:stop])
    before, behind = "…" * (start > 0), "…" * (stop < len(line))
    return f"    {before}{shown}{behind}\n    {' ' * (first - start + len(before))}{'^' * marks}"


def brief(node: Node) -> str:
    """The text of a node in one line, without the middle of a long one."""
    text = " ".join(node.place.shown.split())
    return text if len(text) <= 40 else f"{text[:22]} … {text[-14:]}"
