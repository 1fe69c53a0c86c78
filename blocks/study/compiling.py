"""Which plans of a study its workers go on with by compiled code, and why."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blocks.compiled.choice import Asked, Choice, Choosing
from blocks.compiled.possible import can_go_together, why_not
from blocks.libraries.c_compiler import end_all
from blocks.run.pieces import usable_cores
from blocks.study.cuts import beside
from blocks.study.errors import StudyError
from blocks.study.program import Program
from blocks.study.programs import Case
from blocks.study.ways import side_by_side

MOST_LANES = 8
"""Of any processor: workers elsewhere have these or a half or a quarter of them."""


def lanes_of(here: bool) -> int:
    """How many members go side by side at most: on this machine, or elsewhere."""
    from blocks.compiled.side_by_side import instructions

    return instructions()[1][0] if here else MOST_LANES


@dataclass(frozen=True)
class Workers:
    """Who runs members: how many at once, and how many members each of them takes side by side, of so many `lanes`.

    here: they share the cache of this machine, into which plans are compiled now; elsewhere each worker compiles them
    when it first needs them.
    """

    count: int
    lanes: int
    beside: int
    here: bool

    def together(self, case: Case, count: int) -> bool:
        """Whether so many members of a case go side by side: not where they are too few for that, see `beside`."""
        return self.beside > 1 and beside(count, 1, self.lanes) > 1 and can_go_together(case.plan)


def choose(
    cases: Sequence[Case],
    programs: Sequence[Program],
    wanted: Asked,
    pending: NDArray[np.bool_],
    seconds: float,
    workers: Workers,
) -> Choice | None:
    """Decide for each plan, and say what was chosen; None where nothing was asked for.

    seconds: what a member takes by the engine. Raises StudyError where a plan is to be compiled and cannot be.
    """
    if not wanted:
        return None
    counts = [int(np.count_nonzero(pending[case.members])) for case in cases]
    several = [workers.together(case, count) for case, count in zip(cases, counts, strict=True)]
    if wanted is True:
        return _all(programs, several, workers.here)
    chosen = [
        _by_time(case, program, count, seconds, workers.count, together)
        for case, program, count, together in zip(cases, programs, counts, several, strict=True)
    ]
    by_code = sum(choice.compiled for choice in chosen)
    if len(chosen) == 1:
        return chosen[0]
    first = next(choice for choice in chosen if choice.compiled == (by_code > 0))
    return Choice(first.compiled, f"{first.why} (the first of {by_code or len(chosen)} such plans, of {len(chosen)})")


def refuse(cases: Sequence[Case]) -> None:
    """Raise StudyError for plans that no machine can compile."""
    for case in cases:
        if (problem := why_not(case.plan)) is not None:
            where = f"{case.where}: " if case.where else ""
            raise StudyError(f"{where}{problem}", code=problem.code, block=problem.block)


def _all(programs: Sequence[Program], several: Sequence[bool], here: bool) -> Choice:
    for program, together in zip(programs, several, strict=True):
        program.compiled, program.together = "always", together
    if not here:
        return Choice(True, "by each worker, on its machine")
    pool = ThreadPoolExecutor(usable_cores())
    try:
        spent = list(pool.map(_opened, programs))
    except KeyboardInterrupt:
        pool.shutdown(wait=False, cancel_futures=True)
        end_all()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
    made = sum(seconds > 0.0 for seconds in spent)
    of_them = "" if len(programs) == 1 else f"{made} of {len(programs)} plans "
    return Choice(True, f"{of_them}in {sum(spent):.2g} s" if made else "kept from an earlier run")


def _opened(program: Program) -> float:
    """Have the code of a program; how long it took to compile, s."""
    code = program.for_several() if program.together else program.for_one()
    return float(code.seconds)


def _by_time(case: Case, program: Program, count: int, seconds: float, workers: int, together: bool) -> Choice:
    choosing = Choosing(case.plan, "auto", count if together else 1)
    choosing.look()
    choosing.weigh(seconds * count / min(workers, max(count, 1)))
    choice = choosing.decided("nothing of it is left to do")
    if choosing.code is None:
        return choice
    program.compiled, program.together = "if possible", together
    if not together:
        program.code = choosing.code
        return choice
    program.lanes = lanes = choosing.code
    said = side_by_side(lanes.width, lanes.instructions)  # type: ignore[union-attr]
    return Choice(True, choice.why.replace(said, ""))  # it is told of the members that went so
