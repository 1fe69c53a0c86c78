"""By what the vehicles of a swarm go on: the engine, or code compiled of their plan."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from blocks.compiled.choice import Asked, Choosing, asked
from blocks.plan import Plan
from blocks.run.pace import pace
from cython_kernels import engine as native


def compile_for(
    engines: Sequence[native.Engine], plan: Plan, wanted: Asked, threads: int, whole: bool, linked: bool
) -> tuple[str, Any]:
    """Let engines that have not started go on by compiled code, if that is chosen; what was, "" if not asked for.

    And what lets them go on side by side, if they can. linked: they cannot, for each tells others what it does.
    whole: their end is known, so that the run can be weighed. Raises SimulationError where the plan is to be compiled
    and cannot be.
    """
    if not asked(wanted):
        return "", None
    choosing, settings = Choosing(plan, wanted, 1 if linked else len(engines)), plan.settings
    choosing.look()
    if whole and choosing.choice is None and math.isfinite(settings.end):
        span = (settings.end - settings.start) * len(engines) / threads
        choosing.weigh(span * pace(plan, engines[0].values))
    chosen = str(choosing.decided("it was not compiled before"))
    if choosing.together:
        return chosen, choosing.code
    if choosing.code is not None:
        for engine in engines:
            engine.run_compiled(choosing.code)
    return chosen, None
