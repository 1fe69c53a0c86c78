"""Room for more: arrays of parameters that may grow while a plan runs, such as waypoints."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from blocks.errors import ParameterError, did_you_mean
from blocks.plan.flatten import Flat, Leaf

MOST_ROWS = 100_000
"""The greatest capacity: more is a slip of the pen, and would fill the memory."""


def make_room(flat: Flat, capacities: Mapping[str, int]) -> None:
    """Note on each block how many rows its arrays are to have room for, by names such as "guidance.n".

    The one block of a plan without a diagram may be left out: "n". Raises ParameterError for sizes that are not there
    or decide more than the length of parameters, for less room than there are rows, and for more than memory is for.
    """
    alone = not any("." in name for name in capacities) and len(flat.leaves) == 1
    known: dict[str, tuple[Leaf, str, list[str]]] = {
        size if alone else f"{leaf.name}.{size}": (leaf, size, names)
        for leaf in flat.leaves
        for size, names in leaf.block.resizable_sizes().items()
    }
    for name, capacity in capacities.items():
        if name not in known:
            near = did_you_mean(name, known) if known else "; there is none here"
            raise ParameterError(f"no size '{name}' that can grow{near}")
        leaf, size, names = known[name]
        rows = leaf.sizes[size]
        if isinstance(capacity, bool) or not isinstance(capacity, (int, np.integer)) or capacity < rows:
            raise ParameterError(
                f"the capacity of {name} must be a whole number of at least {rows}, as many as "
                f"{' and '.join(f'{leaf.name}.{parameter}' for parameter in names)} has now, not {capacity!r}"
            )
        if capacity > MOST_ROWS:
            raise ParameterError(f"the capacity of {name} must be at most {MOST_ROWS}, not {capacity!r}")
        leaf.capacities[size] = int(capacity)
