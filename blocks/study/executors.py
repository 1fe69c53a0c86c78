"""Where batches are worked on: in this thread, in threads, in processes, or by Dask. Results do not depend on it.

Each executor is a generator function that takes tasks, and gives batches in the order in which they are done.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from blocks.errors import did_you_mean
from blocks.run.pieces import usable_cores
from blocks.study.batch import Batch
from blocks.study.errors import StudyError
from blocks.study.program import Program
from blocks.study.tasks import AHEAD, Executor, in_turn
from blocks.study.work import Task, Worker

NAMES = ("threads", "processes", "serial")


def serial(programs: list[Program], tasks: Iterable[Task], workers: int) -> Iterator[list[Batch]]:
    """One after the other, in this thread."""
    worker = Worker(programs)
    for task in tasks:
        yield [worker.run(task, lambda: False)]


def threads(programs: list[Program], tasks: Iterable[Task], workers: int) -> Iterator[list[Batch]]:
    """In threads of this process: the engine lets others work while it runs."""
    worker = Worker(programs)
    stop = threading.Event()
    pool = ThreadPoolExecutor(workers, thread_name_prefix="keelblocks-study")
    try:
        yield from in_turn(lambda task: pool.submit(worker.run, task, stop.is_set), tasks, AHEAD * workers)
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


def executor_of(given: Any, workers: int | None, patience: float) -> tuple[Executor, int]:
    """The executor that is meant, and how many work at once; `patience` is with a cluster that has no workers, s.

    Raises StudyError.
    """
    if given == "serial":
        return serial, 1
    if given == "threads":
        return threads, workers_of(workers)
    if given == "processes":
        from blocks.study.processes import processes

        return processes, workers_of(workers)
    if isinstance(given, str) and "://" not in given:
        if re.fullmatch(r"[\w.-]+:\d+", given):
            raise StudyError(f"no executor '{given}'; the address of a Dask scheduler is written tcp://{given}")
        raise StudyError(
            f"no executor '{given}'{did_you_mean(given, NAMES)}; or the address of a Dask scheduler, tcp://host:8786"
        )
    try:
        from blocks.study.cluster import cluster
    except ImportError:
        raise StudyError("a study on Dask needs distributed: pip install 'keelblocks[dask]'") from None
    run, there = cluster(given, patience)
    return run, workers or there


def workers_of(workers: int | None) -> int:
    """How many threads or processes of this machine work at once."""
    return usable_cores() if workers is None else workers
