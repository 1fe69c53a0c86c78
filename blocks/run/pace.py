"""How fast the engine runs a plan, by a short trial on an engine of its own."""

from __future__ import annotations

import time as clock

import numpy as np
from numpy.typing import NDArray

from blocks.plan import Plan
from blocks.run.pieces import PAUSED
from cython_kernels import engine as native

_SECONDS = 0.03
_STEPS = 50


def pace(plan: Plan, values: NDArray[np.float64]) -> float:
    """Seconds that the engine takes for a second of simulated time; 0 where it stops at once.

    values: the numbers of the plan before its start; they stay as they are. The plan has no blocks written in Python.
    """
    engine = native.Engine(plan.stored)
    engine.values[:] = values
    engine.inputs_changed()
    engine.parameters_changed()
    settings = plan.settings
    status = engine.start(settings.start)
    began = clock.perf_counter()
    spent, steps = 0.0, _STEPS
    while status in (0, PAUSED) and spent < _SECONDS and engine.time < settings.end:
        status = engine.advance(settings.end, steps)
        spent, steps = clock.perf_counter() - began, 2 * steps
    gone = engine.time - settings.start
    return spent / gone if gone > 0.0 else 0.0
