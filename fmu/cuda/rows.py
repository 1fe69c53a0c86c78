"""Where the quantities of all members stand: an array of doubles, a row for each number, a column for each member.

A column is the struct of a member, in words of 8 bytes, so that neighbouring threads read neighbouring words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fmu.flat_c.export import Model
from fmu.flat_c.header import meaning
from fmu.flat_c.layout import Member
from fmu.flat_c.report import bytes_of_model

STATUS = {"ok": 0, "stopped": 2, "fault": 3, "not_finite": 4, "unsettled": 5, "contracted": 6}
"""What kernels say of a member, by number."""


@dataclass(frozen=True)
class Quantity:
    """An input, output or parameter. row: its first; unit: of each element, or of all; meaning: with its units."""

    role: str
    name: str
    row: int
    shape: tuple[int, ...]
    unit: tuple[str, ...] | str
    meaning: str


@dataclass(frozen=True)
class Rows:
    """How the members of a model stand in memory. time: the row with the instant of the outputs, s."""

    count: int
    time: int
    quantities: tuple[Quantity, ...]


def rows_of(model: Model) -> Rows:
    """The rows of a model."""
    layout = model.layout
    found = [*_of("input", layout.inputs), *_of("parameter", layout.parameters)]
    at = layout.count
    for member in layout.outputs:
        found += _of("output", [member], at)
        at += member.count
    return Rows(bytes_of_model(layout) // 8, at, tuple(found))


def _of(role: str, members: list[Member], row: int | None = None) -> Iterator[Quantity]:
    for member in members:
        if member.variable is not None:
            at = member.place if row is None else row
            yield Quantity(role, member.name, at, member.shape, member.variable.place.unit or "", meaning(member))


def rows_json(model: Model, rows: Rows) -> str:
    """The rows for programs, as JSON."""
    settings = model.layout.plan.settings
    found: dict[str, Any] = {
        "name": model.name, "title": model.title, "written_by": f"Keelblocks {model.version}".strip(),
        "step": float(settings.step), "solver": settings.solver, "rows": rows.count, "time": rows.time,
    }  # fmt: skip
    for role in ("input", "output", "parameter"):
        found[f"{role}s"] = {
            q.name: {"row": q.row, "shape": list(q.shape), "unit": q.unit, "meaning": q.meaning}
            for q in rows.quantities
            if q.role == role
        }
    found["status"] = STATUS
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"
