"""Processes of this machine: for metrics and blocks written in Python, which hold each other up in threads."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from typing import Any

from blocks.errors import LibraryError
from blocks.study.batch import Batch
from blocks.study.errors import ExecutorLost, StudyError
from blocks.study.program import Program
from blocks.study.tasks import AHEAD, in_turn, pickled, unpickled
from blocks.study.work import Task, Worker

_ATTEMPTS = 3
"""How often in a row processes may end before a batch is done."""

_here: dict[str, Any] = {}
"""In a worker process: the `Worker`, and whether to stop."""


def processes(programs: list[Program], tasks: Iterable[Task], workers: int) -> Iterator[list[Batch]]:
    """In processes. When one is killed, what it worked on is done again by others."""
    content = pickled(programs)
    queue = iter(tasks)
    left: dict[Any, Task] = {}
    failed = 0
    while True:
        again = list(left.values())
        left = {}
        context = multiprocessing.get_context("spawn")
        stop = context.Event()
        pool = ProcessPoolExecutor(workers, context, _begin, (content, stop))
        try:
            for batches in in_turn(
                lambda task, pool=pool: pool.submit(_work, task),  # type: ignore[misc]
                _first(again, queue), AHEAD * workers, left,
            ):  # fmt: skip
                failed = 0
                yield batches
            return
        except BrokenProcessPool:
            failed += 1
            if failed >= _ATTEMPTS:
                raise ExecutorLost(
                    f"worker processes ended {failed} times before they had done anything: they may have run out of "
                    f"memory; or, in a script, the study is not run inside of if __name__ == '__main__':"
                ) from None
        finally:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)


def _first(again: list[Task], queue: Iterator[Task]) -> Iterator[Task]:
    """What was lost, and then the rest. (`yield from` would close the queue when this is closed.)"""
    yield from again
    for task in queue:  # noqa: UP028
        yield task


def _begin(content: bytes, stop: Any) -> None:
    """In a new worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all; the first process sees to it
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        _here.update(worker=Worker(unpickled(content, "a worker process")), stop=stop)
    except LibraryError as problem:  # raised with its first task: raised here it would be lost
        _here.update(problem=(str(problem), problem.code))


def _end_with_parent() -> None:
    """Do not outlive a first process that is killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _work(task: Task) -> Batch:
    if "problem" in _here:
        said, code = _here["problem"]
        raise StudyError(said, code=code)
    batch: Batch = _here["worker"].run(task, _here["stop"].is_set)
    return batch
