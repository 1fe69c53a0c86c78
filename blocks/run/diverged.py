"""Whether the numbers of a run grew beyond all that can be, so that it cannot be trusted though it came to its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.plan import Plan
from blocks.plan.place import Place

_ANYTHING = 1e20
"""No quantity in SI gets there: energies in J, areas in m² and counts of ns stay below for a lifetime."""
_FAST = 1e3
"""m/s and rad/s, of a craft."""


def diverged(plan: Plan, values: NDArray[np.float64], columns: Mapping[str, slice], table: NDArray[np.float64]) -> str:
    """What grew without bound, and how far: of states as they ended, else of outputs as recorded; "" if nothing.

    values: all numbers of the plan at the end; table: those recorded, a row for each time, and their columns. What was
    as large from the start, as a limit that is none, did not grow.
    """
    found = max(_states(plan, values), default=None) or max(_outputs(plan, columns, table), default=None)
    if found is None:
        return ""
    _, name, size, unit = found
    return f"{name} grew to {size:.2g}{f' {unit}' if unit not in ('', '1') else ''}"


_Grown = tuple[float, str, float, str]
"""By how much too large, what, how large, and its unit."""


def _states(plan: Plan, values: NDArray[np.float64]) -> Iterator[_Grown]:
    moving = {leaf.name for leaf in plan.flat.leaves if leaf.block.family == "dynamics"}
    for name, place in plan.states.items():
        if not place.discrete:
            owner, _, state = name.rpartition(".")
            limit = _FAST if owner in moving and state == "nu" else _ANYTHING
            yield from _beyond(name, place, np.abs(values[place.slice]), limit)


def _outputs(plan: Plan, columns: Mapping[str, slice], table: NDArray[np.float64]) -> Iterator[_Grown]:
    if not len(table):
        return
    sizes = np.maximum(table.max(axis=0), -table.min(axis=0))
    grown = np.where(np.abs(table[0]) > _ANYTHING, 0.0, sizes)
    for name, column in columns.items():
        if name in plan.outputs:
            yield from _beyond(name, plan.outputs[name], grown[column], _ANYTHING)


def _beyond(name: str, place: Place, sizes: NDArray[np.float64], limit: float) -> Iterator[_Grown]:
    if not bool((sizes > limit).any()):
        return
    k = int(np.argmax(sizes))
    labels = place.signal.labels if place.signal is not None else ()
    element = f"[{labels[k] if k < len(labels) else k}]" if place.count > 1 else ""
    unit: Any = place.unit[k] if isinstance(place.unit, tuple) else place.unit
    yield float(sizes[k]) / limit, f"{name}{element}", float(sizes[k]), unit or ""
