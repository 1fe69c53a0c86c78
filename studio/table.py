"""The table of a page of many runs: factors, metrics and how each member ended, with units for people."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from blocks.study import Outcome, Study
from blocks.study.members import REPLICATE, SAMPLE
from blocks.units import for_people
from studio.cases import plain

_DIGITS = 7
"""Of a number in the table: more than is shown, and enough to tell rows apart."""

Cells = list[list[float | int | str | None]]


def table_of(study: Study, outcome: Outcome, best: Mapping[str, str]) -> tuple[list[dict[str, Any]], Cells]:
    """The columns, and the cells of each member; best: "least" or "greatest" of metrics that somebody judges by."""
    members = np.arange(len(study))
    places = dict(
        zip(outcome.dimensions, np.unravel_index(members, outcome.shape) if outcome.shape else (), strict=True)
    )
    columns: list[dict[str, Any]] = []
    cells: list[list[float | int | str | None]] = []

    def add(kind: str, name: str, unit: str, values: Any, **more: Any) -> None:
        shown, factor = for_people(unit or "1")
        columns.append({"name": name, "unit": shown, "factor": factor, "kind": kind} | more)
        cells.append([_cell(value) for value in values])

    for column in outcome.columns:
        add("factor", column.name, column.unit, column.values[places[column.dimension]].tolist())
    for name in (SAMPLE, REPLICATE):
        if name in places:
            add("factor", name, "", places[name].tolist())
    for name, unit in outcome.units.items():
        more = {"best": best[name]} if name in best else {}
        add("metric", name, unit, outcome.values(name).reshape(-1).tolist(), **more)
    end_time = outcome.records.end_time
    if not any(np.array_equal(outcome.values(name).reshape(-1), end_time, equal_nan=True) for name in outcome.units):
        add("metric", "end_time", "s", end_time.tolist())
    return columns, [list(row) for row in zip(*cells, strict=True)]


def _cell(value: Any) -> float | int | str | None:
    """A value of the table: short, text for what is infinite, and nothing for what is not there."""
    if isinstance(value, str):
        return value
    number = float(value)
    if math.isnan(number):
        return None
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    return plain(number) if number.is_integer() else float(f"{number:.{_DIGITS}g}")
