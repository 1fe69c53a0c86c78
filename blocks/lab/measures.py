"""Measures with their names and units, and tables of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, fields, is_dataclass
from typing import Any

import numpy as np

from blocks.lab.trial import ManoeuvreError

_FOR_PEOPLE = {"rad": ("°", 180.0 / np.pi, 2), "rad/s": ("°/s", 180.0 / np.pi, 2), "1": ("%", 100.0, 1)}
"""Units as a table shows them, by what values are multiplied, and decimals."""


def measure(label: str, unit: str = "") -> Any:
    """A field of a dataclass of measures: what it is in words, and its unit ("1": a share, shown in %)."""
    return field(metadata={"label": label, "unit": unit})


def items(measures: Any) -> Iterator[tuple[str, str]]:
    """Label and value with unit of every measure of a dataclass, in words."""
    for place in fields(measures):
        value = getattr(measures, place.name)
        if is_dataclass(value):
            yield from items(value)
        elif "label" in place.metadata:
            yield place.metadata["label"], _text(value, place.metadata["unit"])


def table(measures: Mapping[str, Any]) -> str:
    """Dataclasses of measures side by side, a column each, as text; what one has not measured is a dash.

    Raises ManoeuvreError if they have no names.
    """
    check_named(measures, "table", "measures")
    columns = {name: dict(items(one)) for name, one in measures.items()}
    labels = list(dict.fromkeys(label for column in columns.values() for label in column))
    rows = [("", *columns)] + [(label, *(column.get(label, "-") for column in columns.values())) for label in labels]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for first, *others in rows:
        cells = [f"{text:>{width}}" for text, width in zip(others, widths[1:], strict=True)]
        lines.append("  ".join([f"{first:{widths[0]}}", *cells]))
    return "\n".join(lines)


def check_named(given: Any, function: str, what: str) -> None:
    """Raise ManoeuvreError unless the trials or measures that a function takes have names."""
    if not isinstance(given, Mapping) or not given:
        form = "an empty one" if isinstance(given, Mapping) else type(given).__name__
        raise ManoeuvreError(f"{function} takes {what} by name, such as {{'35° to starboard': …}}, not {form}")


def _text(value: Any, unit: str) -> str:
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    shown, factor, decimals = _FOR_PEOPLE.get(unit, (unit, 1.0, 2))
    numbers = value if isinstance(value, tuple) else (value,)
    space = "" if shown.startswith("°") else " "
    return (", ".join(f"{factor * one:.{decimals}f}" for one in numbers) + space + shown).rstrip()
