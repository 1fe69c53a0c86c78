"""Levels of factors as people read them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from blocks.errors import ParameterError, did_you_mean
from blocks.lab.comparison.errors import ComparisonError
from blocks.units import to_unit

if TYPE_CHECKING:
    from blocks.study import Study
    from blocks.study.columns import Column

_FOR_PEOPLE = {"rad": ("°", 180.0 / math.pi), "rev/s": ("rpm", 60.0)}


@dataclass(frozen=True)
class Axis:
    """A factor with levels: its name, and what each level is called."""

    name: str
    labels: tuple[str, ...]
    values: tuple[Any, ...]
    unit: str = ""

    def index(self, level: Any) -> int:
        """The number of a level. Raises ComparisonError."""
        for number, (label, value) in enumerate(zip(self.labels, self.values, strict=True)):
            if str(level) in (label, str(value)) or _equal(level, value, self.unit):
                return number
        raise ComparisonError(
            f"show: levels: factor '{self.name}' has no level '{level}'{did_you_mean(str(level), self.labels)}"
        )

    @property
    def listed(self) -> str:
        """All labels, told apart where they have commas."""
        return ("; " if any("," in label for label in self.labels) else ", ").join(self.labels)

    @property
    def families(self) -> tuple[str, ...]:
        """What labels say before a comma, "LOS, Δ 4 m"; the labels themselves where they say no more."""
        return tuple(label.partition(",")[0] for label in self.labels)


def _equal(level: Any, value: Any, unit: str) -> bool:
    try:
        given = to_unit(level, unit) if isinstance(level, str) and unit else float(level)
        return math.isclose(given, float(value), rel_tol=1e-9)
    except (TypeError, ValueError, ParameterError):
        return False


def axes_of(study: Study) -> dict[str, Axis]:
    """The factors with levels, in their order."""
    return {
        column.name: Axis(
            column.name,
            tuple(level_text(column, value) for value in column.values),
            tuple(column.values),
            column.unit or "",
        )
        for column in study.columns
        if column.dimension == column.name
    }


def level_text(column: Column, value: Any) -> str:
    """A level: a number with its unit, angles in degrees, or a label."""
    if isinstance(value, str):
        return value
    unit, factor = _FOR_PEOPLE.get(column.unit, (f" {column.unit}" if column.unit else "", 1.0))
    return f"{float(value) * factor:.5g}{unit}"


def named(name: str, unit: str) -> str:
    """A metric with its unit."""
    return name if unit in ("", "1") else f"{name}, {unit}"


def number_text(value: float, digits: int = 4) -> str:
    """A number with so many digits, large ones without exponent."""
    if not math.isfinite(value):
        return "–"
    return f"{value:,.0f}" if 10.0**digits <= abs(value) < 1e9 else f"{value:.{digits}g}"
