"""One run of a study in progress: hands out batches, takes in what comes back, keeps it, and reports."""

from __future__ import annotations

import contextlib
import copy
import math
import time as clock
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.compiled.choice import SAVED_TOGETHER, Asked, Choice
from blocks.study.batch import Batch
from blocks.study.compiling import Workers, choose, lanes_of, refuse
from blocks.study.cuts import batch_size, beside
from blocks.study.errors import Cancelled, ExecutorLost, StudyError
from blocks.study.executors import NAMES, executor_of
from blocks.study.outcome import Outcome, StudyInterrupted, StudyStopped
from blocks.study.program import Program
from blocks.study.programs import Case
from blocks.study.records import Records
from blocks.study.store import Store
from blocks.study.ways import Way, told
from blocks.study.work import Worker

Progress = Callable[[int, int, int], None]
"""A function of (members done, members in all, members failed)."""

_TRIAL_SECONDS = 0.2


class Running:
    """The members that are still to be run."""

    def __init__(
        self,
        cases: Sequence[Case],
        records: Records,
        store: Store | None,
        outcome: Callable[[Records, str], Outcome],
        compiled: Asked = False,
    ) -> None:
        self.cases, self.records, self.store, self._made, self._wanted = cases, records, store, outcome, compiled
        self.programs = [copy.copy(case.program) for case in cases]  # other runs may choose otherwise, at once
        self.choice: Choice | None = None
        self.ways: Counter[Way] = Counter()

    @property
    def compiled(self) -> str:
        """By what members were run and why, where `compiled` was given."""
        return told(self.choice, self.ways)

    def _outcome(self, records: Records) -> Outcome:
        return self._made(records, self.compiled)

    def go(
        self, executor: Any, workers: int | None, batch: int | None, report: Progress, patience: float = math.inf
    ) -> None:
        """Run them. Raises StudyError, and once something is done StudyStopped and StudyInterrupted, with that."""
        here = isinstance(executor, str) and executor in NAMES
        if self._wanted is True:
            refuse(self.cases)
        try:
            run, at_once = executor_of(executor, workers, patience)
            size = self._prepare(at_once, batch, here)
        except StudyError as problem:
            raise self._with_what_is_done(problem) from None
        pending = self.records.pending
        tasks = (task for number, case in enumerate(self.cases) for task in case.tasks(number, pending, size))
        batches = run(self.programs, tasks, at_once)
        try:
            for finished in batches:
                members, found = self._in_words(finished)
                if self.store is not None:
                    self.store.add(members, found)
                self.records.add(found, members)
                for one in finished:
                    self.ways.update(one.ways)
                self._report(report)
            if np.any(self.records.pending):
                raise ExecutorLost("the executor did not give back every batch")
        except KeyboardInterrupt:
            raise StudyInterrupted(self._said("interrupted"), self._outcome(self.records)) from None
        except StudyStopped:
            raise
        except ExecutorLost as problem:
            raise StudyStopped(self._said(str(problem)), self._outcome(self.records)) from None
        except StudyError as problem:
            raise self._with_what_is_done(problem) from None
        finally:
            batches.close()  # type: ignore[attr-defined]

    def _prepare(self, workers: int, batch: int | None, here: bool) -> int:
        """Choose by what members are run, and how many go to a worker at a time."""
        pending = self.records.pending
        count = int(np.count_nonzero(pending))
        lanes = lanes_of(here) if self._wanted else 1
        side_by_side = beside(count, workers, lanes) if batch is None else min(batch, lanes)
        those = Workers(workers, lanes, side_by_side, here)
        at_first = self._wanted is True and here  # elsewhere each worker compiles, and this machine need not
        seconds = 0.0
        if at_first:
            self.choice = choose(self.cases, self.programs, True, pending, seconds, those)
        if batch is None or self._wanted == "auto":
            seconds = trial(self.cases, self.programs, pending, side_by_side if at_first else 1)
        if not at_first:
            self.choice = choose(self.cases, self.programs, self._wanted, pending, seconds, those)
        if batch is not None:
            return batch
        together = any(program.together for program in self.programs)
        if together and not at_first:  # the trial was by the engine
            seconds *= 1.0 - SAVED_TOGETHER
        return batch_size(workers, count, seconds, lanes if together else 1)

    def _with_what_is_done(self, problem: StudyError) -> StudyError:
        """The same problem, with the members that were done by then, if there are any."""
        if not self.records.done:
            return problem
        return StudyStopped(self._said(str(problem)), self._outcome(self.records), problem.code)

    def _said(self, what: str) -> str:
        kept = (
            f"; they are in {self.store.folder}, from which the study goes on when it is run again"
            if self.store and self.records.done and self.store.is_there
            else ""
        )
        return f"{what}; {self.records.done:,} of {len(self.records.status):,} members are done{kept}"

    def _report(self, report: Progress) -> None:
        """Call the progress function; if it fails, what was done is not lost."""
        try:
            report(self.records.done, len(self.records.status), len(self.records.reasons))
        except (Exception, SystemExit) as problem:  # whatever the user's function raises
            message = self._said(f"the progress function failed: {type(problem).__name__}: {problem}")
            raise StudyStopped(message, self._outcome(self.records)) from problem

    def _in_words(self, batches: list[Batch]) -> tuple[NDArray[np.int64], Records]:
        """What came from workers, with reasons in words."""
        members = np.concatenate([batch.members for batch in batches])
        reasons: dict[int, str] = {}
        first = 0
        for batch in batches:
            for i, failure in batch.failures.items():
                reasons[first + i] = self._case(int(batch.members[i])).explain(int(batch.status[i]), failure)
            reasons |= {first + i: note for i, note in batch.notes.items()}
            first += len(batch.members)
        return members, Records(
            np.concatenate([batch.status for batch in batches]),
            np.concatenate([batch.end_time for batch in batches]),
            np.concatenate([batch.metrics for batch in batches]),
            reasons,
        )

    def _case(self, member: int) -> Case:
        """The case that a member belongs to."""

        def has(case: Case) -> bool:
            i = int(np.searchsorted(case.members, member))
            return i < len(case.members) and int(case.members[i]) == member

        return next(case for case in self.cases if has(case))


def trial(cases: Sequence[Case], programs: Sequence[Program], pending: NDArray[np.bool_], beside: int = 1) -> float:
    """About how long one member takes, s: by the first that are to be run, `beside` of them, in a fifth of a second."""
    number, case = next((n, case) for n, case in enumerate(cases) if np.any(pending[case.members]))
    task = next(case.tasks(number, pending, beside))
    worker = Worker(list(programs))
    began = clock.perf_counter()

    def late() -> bool:
        return clock.perf_counter() > began + _TRIAL_SECONDS

    with contextlib.suppress(Cancelled):
        worker.run(task, late)
        began = clock.perf_counter()  # the first time takes longer
        worker.run(task, late)
    start, end = case.program.start, case.program.end
    share = (worker.reached(number) - start) / (end - start)
    return (clock.perf_counter() - began) / min(max(share, 1e-6), 1.0) / len(task.members)


@contextlib.contextmanager
def reporting(progress: bool | Progress, total: int, done: int) -> Iterator[Progress]:
    """A progress bar, the user's function, or nothing."""
    if callable(progress):
        yield progress
    elif progress:
        from blocks.study.progress import StudyBar

        with StudyBar(total, done) as bar:
            yield bar.update
    else:
        yield _silent


def _silent(*numbers: Any) -> None:
    """Report nothing."""
