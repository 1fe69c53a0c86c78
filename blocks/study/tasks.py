"""What executors share: how tasks are handed out a few at a time, and how programs get to other processes."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any

from blocks.libraries.needs import bring
from blocks.study.batch import Batch
from blocks.study.errors import StudyError
from blocks.study.program import Program
from blocks.study.work import Task

Executor = Callable[[list[Program], Iterable[Task], int], Iterator[list[Batch]]]
"""(programs, tasks, how many work at once): batches, as many at a time as happen to be done."""

AHEAD = 3
"""Tasks that wait for each worker: none is idle, and the memory stays small."""


def pickled(programs: list[Program]) -> bytes:
    """The programs for other processes. Raises StudyError for functions that these could not import."""
    needs = {need: None for program in programs for need in program.libraries}
    try:
        return pickle.dumps((tuple(needs), pickle.dumps(programs)))
    except Exception as problem:  # pickle raises many kinds
        raise StudyError(
            f"other processes cannot get this study: {problem}; functions of metrics and blocks written in Python must "
            f"stand at the top level of a module that can be imported there, not in another function or a lambda; or "
            f"take executor='threads'"
        ) from None


def unpickled(content: bytes, where: str) -> list[Program]:
    """The programs in another process, `where`, once it has the libraries that they need.

    Raises LibraryError if it cannot have them, and whatever the modules of metrics and blocks raise.
    """
    needs, inner = pickle.loads(content)
    bring(needs, where)
    programs: list[Program] = pickle.loads(inner)
    return programs


def in_turn(
    submit: Callable[[Task], Future[Batch]],
    tasks: Iterable[Task],
    most: int,
    outstanding: dict[Any, Task] | None = None,
) -> Iterator[list[Batch]]:
    """Submit tasks, at most so many at a time, and give what is done. `outstanding` is kept up to date."""
    waiting: dict[Any, Task] = {} if outstanding is None else outstanding
    queue = iter(tasks)
    for task in queue:
        try:
            waiting[submit(task)] = task
        except BaseException:
            waiting[object()] = task
            raise
        if len(waiting) < most:
            continue
        yield _done(waiting)
    while waiting:
        yield _done(waiting)


def _done(waiting: dict[Any, Task]) -> list[Batch]:
    """What is done by now, at least one; short waits, so that Ctrl-C is heard on every system."""
    finished: set[Future[Batch]] = set()
    while not finished:
        finished, _ = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
    sound = [future for future in finished if future.exception() is None]
    if not sound:
        finished.pop().result()  # raises
    for future in sound:
        del waiting[future]
    return [future.result() for future in sound]
