"""Other parameters for some vehicles of a fleet: checked together, all of them set or none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ParameterError
from blocks.plan import Plan
from blocks.plan.variation import Variation
from cython_kernels import engine as native


class FleetParameters:
    """What each vehicle has: `rows`, by name a value for each, which stay from one change to the next."""

    def __init__(self, plan: Plan, rows: dict[str, list[Any]], count: int) -> None:
        self.plan, self.rows, self.count = plan, rows, count
        self._variations: dict[tuple[str, ...], Variation] = {}

    def set(self, engines: list[native.Engine], which: NDArray[np.integer], values: Mapping[str, list[Any]]) -> None:
        """Give some vehicles other values, one for each of them. Raises ParameterError."""
        names = (*self.rows, *(name for name in values if name not in self.rows))
        if names not in self._variations:
            self._variations[names] = Variation(self.plan, names)
        variation = self._variations[names]
        rows = {name: list(present) for name, present in self.rows.items()}
        for name, given in values.items():
            if name not in rows:
                owner, _, parameter = name.rpartition(".")
                rows[name] = [variation.blocks[owner].values[parameter]] * self.count
            for i, value in zip(which, given, strict=True):
                rows[name][i] = value
        changes = []
        for i in which:
            try:
                changes.append(variation.encode({name: present[i] for name, present in rows.items()}))
            except ParameterError as problem:
                del self._variations[names]
                raise ParameterError(f"vehicle {i}: {problem}") from None
        self.rows.update(rows)
        for i, change in zip(which, changes, strict=True):
            for place, row in change:
                engines[i].values[place] = row
            engines[i].parameters_changed()
        for number in self.plan.python_blocks:
            for k, i in enumerate(which):
                runner = engines[i].context(number)
                own = {n.rpartition(".")[2]: v[k] for n, v in values.items() if n.rpartition(".")[0] == runner.name}
                if own:
                    runner.set_parameters(own)
