"""What the words of a mission take: places, depths, headings, and numbers that may be a word."""

from __future__ import annotations

from typing import Any

import numpy as np

from blocks.errors import ParameterError, shown
from blocks.model.declare import REQUIRED, Parameter, Value, is_bare

_ROW = (list, tuple, np.ndarray)


class Point(Parameter):
    """A place: north, east and, if its depth is to be another than before, down, m."""

    def read(self, value: Any, where: str) -> Value:
        found = super().read(value, where)
        if np.shape(found) not in ((2,), (3,)):
            raise ParameterError(f"{where} must be north and east in m, or north, east and depth, not {shown(value)}")
        return found


_POINT = Point(shape=("k",), unit="m", frame="ned")


class Points(Parameter):
    """Places one after the other."""

    def read(self, value: Any, where: str) -> Any:
        rows = value if isinstance(value, _ROW) else None
        if rows is None or not len(rows) or not all(isinstance(row, _ROW) for row in rows):
            raise ParameterError(
                f"{where} must be a list of places, such as [[0, 0, 5], [50, 0, 5]], not {shown(value)}"
            )
        return [_POINT.read(row, f"{where}, waypoint {k}") for k, row in enumerate(rows, start=1)]


class Either(Parameter):
    """A word, or what a parameter takes."""

    def __init__(self, word: str, other: Parameter) -> None:
        super().__init__(shape=other.shape, unit=other.unit, doc=other.doc)
        self.word, self.other = word, other

    def read(self, value: Any, where: str) -> Any:
        if isinstance(value, str) and value.strip() == self.word:
            return self.word
        try:
            return self.other.read(value, where)
        except ParameterError as problem:
            raise ParameterError(f"{problem}, or the word '{self.word}'") from None


class Heading(Parameter):
    """From north, clockwise. A bare number of more than a turn is degrees whose unit was forgotten."""

    def __init__(self, default: Any = REQUIRED, *, doc: str) -> None:
        super().__init__(default, unit="rad", doc=f"{doc}, from north, clockwise")

    def read(self, value: Any, where: str) -> Value:
        found = super().read(value, where)
        if isinstance(found, float) and abs(found) > 2.0 * np.pi and is_bare(value):
            raise ParameterError(
                f"{where}: {found:g} rad is more than a turn", code="out-of-range",
                hint=f"in degrees it is '{found:g} deg'",
            )  # fmt: skip
        return found


class Depth(Parameter):
    """Positive down, and not above the water, as heights with the other sign would be."""

    def __init__(self, doc: str) -> None:
        super().__init__(unit="m", at_least=0.0, doc=doc)

    def read(self, value: Any, where: str) -> Value:
        try:
            return super().read(value, where)
        except ParameterError as problem:
            if problem.code != "out-of-range":
                raise
            raise ParameterError(str(problem), code="out-of-range", hint="depth is positive down") from None
