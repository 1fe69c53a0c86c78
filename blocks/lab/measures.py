"""Measures with their names and units, and tables of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, fields, is_dataclass
from typing import Any

import numpy as np

from blocks.lab.trial import ManoeuvreError, unit_text

_FOR_PEOPLE = {"rad": ("°", 180.0 / np.pi, 2), "rad/s": ("°/s", 180.0 / np.pi, 2), "1": ("%", 100.0, 1)}
"""Units as a table shows them, by what values are multiplied, and decimals."""
ORDER = "order"
"""The unit of a measure that is an order: what the field `order_unit` beside it says, rad of a rudder angle."""


def measure(label: str, unit: str = "", *, as_it_is: bool = False) -> Any:
    """A field of a dataclass of measures: what it is in words, and its unit ("1": a share, shown in %).

    as_it_is: shown in its unit, not in that for people: a frequency in rad/s.
    """
    return field(metadata={"label": label, "unit": unit, "as_it_is": as_it_is})


def items(measures: Any) -> Iterator[tuple[str, str]]:
    """Label and value with unit of every measure of a dataclass, in words."""
    for place in fields(measures):
        value = getattr(measures, place.name)
        if is_dataclass(value):
            yield from items(value)
        elif "label" in place.metadata:
            label, unit = place.metadata["label"], place.metadata["unit"]
            if unit == ORDER:
                unit = measures.order_unit
                label = label if unit == "rad" else label.replace("rudder angle", "order")
            yield label, _text(value, unit, as_it_is=place.metadata["as_it_is"])


def table(measures: Mapping[str, Any], more: Mapping[str, Mapping[str, str]] | None = None) -> str:
    """Dataclasses of measures side by side, a column each, as text; what one has not measured is a dash.

    more: further rows, label and text, by the names of the columns.

    Raises ManoeuvreError if they have no names.
    """
    check_named(measures, "table", "measures")
    further = more or {}
    columns = {name: dict(items(one)) | dict(further.get(name, {})) for name, one in measures.items()}
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


def _text(value: Any, unit: str, *, as_it_is: bool) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    shown, factor, decimals = (unit, 1.0, 3) if as_it_is else _FOR_PEOPLE.get(unit, (unit, 1.0, 2))
    numbers = value if isinstance(value, tuple) else (value,)
    space = "" if shown.startswith("°") else " "
    rounded = (round(factor * one, decimals) + 0.0 for one in numbers)  # no -0.00
    return (", ".join(f"{one:.{decimals}f}" for one in rounded) + space + unit_text(shown)).rstrip()
