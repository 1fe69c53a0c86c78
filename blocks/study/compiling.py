"""Which plans of a study its workers go on with by compiled code, and why."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from blocks.compiled.choice import Asked, Choice, Choosing
from blocks.compiled.possible import can_go_together, why_not
from blocks.run.pieces import usable_cores
from blocks.study.program import Program
from blocks.study.programs import Case


def choose(
    cases: Sequence[Case], wanted: Asked, pending: NDArray[np.bool_], seconds: float, workers: int, here: bool
) -> str:
    """Decide for each plan, and say what was chosen; "" where nothing was asked for.

    seconds: what a member takes by the engine. here: workers share the cache of this machine, into which plans are
    compiled now; elsewhere each worker compiles them when it first needs them. Raises SimulationError where a plan is
    to be compiled and cannot be.
    """
    for case in cases:
        case.program.compiled = ""
    if not wanted:
        return ""
    if wanted is True:
        return str(_all(cases, here))
    chosen = [_by_time(case, pending, seconds, workers) for case in cases]
    by_code = sum(choice.compiled for choice in chosen)
    if len(chosen) == 1:
        return str(chosen[0])
    told = next(choice for choice in chosen if choice.compiled == (by_code > 0))
    return f"{told} (the first of {by_code or len(chosen)} such plans, of {len(chosen)})"


def refuse(cases: Sequence[Case]) -> None:
    """Raise SimulationError for plans that no machine can compile."""
    for case in cases:
        if (problem := why_not(case.plan)) is not None:
            raise problem


def _all(cases: Sequence[Case], here: bool) -> Choice:
    for case in cases:
        case.program.compiled = "always"
        case.program.together = can_go_together(case.plan) and len(case.members) > 1
    if not here:
        return Choice(True, "by each worker, on its machine")
    with ThreadPoolExecutor(usable_cores()) as pool:
        spent = list(pool.map(_opened, [case.program for case in cases]))
    made = sum(seconds > 0.0 for seconds in spent)
    of_them = "" if len(cases) == 1 else f"{made} of {len(cases)} plans "
    return Choice(True, f"{of_them}in {sum(spent):.2g} s" if made else "kept from an earlier run")


def _opened(program: Program) -> float:
    """Have the code of a program; how long it took to compile, s."""
    program.code = program.opened()
    return float(program.code.seconds)


def _by_time(case: Case, pending: NDArray[np.bool_], seconds: float, workers: int) -> Choice:
    count = int(np.count_nonzero(pending[case.members]))
    choosing = Choosing(case.plan, "auto", count)
    choosing.look()
    choosing.weigh(seconds * count / min(workers, max(count, 1)))
    if choosing.code is not None:
        case.program.compiled, case.program.code = "if possible", choosing.code
        case.program.together = choosing.together
    return choosing.decided("nothing of it is left to do")
