"""Solvers of different kinds agree on a block."""

from __future__ import annotations

from typing import Any

import numpy as np

from blocks.simulation import simulate
from blocks.trials.circumstances import driven
from blocks.trials.samples import Sample

_RELATIVE, _ABSOLUTE = 1e-5, 1e-6


def check_solvers(sample: Sample) -> None:
    """An explicit and an implicit method with tight tolerances agree: what they share is the block alone.

    By how much is a part of what an output usually is, its `nominal`, by which solvers scale their tolerances, too.
    """
    nominal = {name: np.max(output.nominal) for name, output in sample().output_ports.items()}
    tight: dict[str, Any] = {"relative_tolerance": 1e-9, "absolute_tolerance": 1e-10, "step": 0.1, "max_step": 0.1}
    results = [simulate(driven(sample), 1.5, solver=solver, **tight) for solver in ("dopri5", "LSODA")]
    for name in results[0]:
        one, other = (result.values(name) for result in results)
        if not np.all(np.isfinite(one)):
            raise sample.fault(f"{name} is not finite in a run of 1.5 s with a sine on every input")
        apart = np.abs(one - other) - (_ABSOLUTE * nominal.get(name.partition(".")[2], 1.0) + _RELATIVE * np.abs(other))
        if np.any(apart > 0.0):
            row = np.unravel_index(int(np.argmax(apart)), apart.shape)
            raise sample.fault(
                f"{name} is {one[row]:.9g} with dopri5 and {other[row]:.9g} with LSODA at t = "
                f"{results[0].time[row[0]]:g} s: where it jumps or bends, declare a Crossing(…); what it keeps, a State"
            )
