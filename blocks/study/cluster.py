"""Dask: workers on any number of machines, by the scheduler that they belong to. Needs the extra `dask`."""

from __future__ import annotations

import asyncio
import hashlib
import pickle
import time as clock
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import distributed

from blocks.result import version
from blocks.study.errors import ExecutorLost, StudyError
from blocks.study.executors import AHEAD, Executor
from blocks.study.processes import pickled
from blocks.study.work import Batch, Program, Task, Worker

_PATIENCE = 5.0
"""Seconds in which a scheduler has to answer."""

_LOST = 15.0
"""Seconds after which a scheduler that no longer answers is given up."""

_LOOK = 2.0
"""Seconds after which the number of workers is asked for again."""

_loaded: dict[str, Worker] = {}
"""In a Dask worker: what it has got of each study, by its key."""


def cluster(given: Any) -> tuple[Executor, int]:
    """The executor for the address of a Dask scheduler, or for a `distributed.Client`, and how many work there now.

    Raises StudyError.
    """
    if isinstance(given, distributed.Client):
        return lambda programs, tasks, workers: _run(given, programs, tasks), _workers(given)
    if not isinstance(given, str):
        raise StudyError(f"an executor is a name, the address of a Dask scheduler or a Dask client, not {given!r}")
    client = connect(given)

    def run(programs: list[Program], tasks: Iterable[Task], workers: int) -> Iterator[list[Batch]]:
        with client:
            yield from _run(client, programs, tasks)

    return run, _workers(client)


def _workers(client: distributed.Client) -> int:
    """How many tasks are worked on at once; there may be no workers yet."""
    return max(1, int(sum(client.nthreads().values())))


def connect(address: str) -> distributed.Client:
    """A client of a scheduler. Raises StudyError if none answers within some seconds."""
    try:
        with ThreadPoolExecutor(1) as thread:  # here, another event loop may be running already, as in notebooks
            thread.submit(asyncio.run, _answer(address)).result()  # a client that finds nobody is hard to be rid of
        return distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as problem:
        why = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        raise StudyError(
            f"no Dask scheduler answers at {address} within {_PATIENCE:g} s ({why}); is it the address that "
            f"`dask scheduler` prints, and can it be reached from here?"
        ) from None


async def _answer(address: str) -> None:
    """Raise OSError or ValueError if nothing answers at an address."""
    connection = await distributed.core.connect(address, timeout=_PATIENCE)
    await connection.close()


class Programs(distributed.WorkerPlugin):  # type: ignore[misc]
    """The programs of a study: they come once to each worker, also to one that takes the place of one that died."""

    def __init__(self, key: str, content: bytes) -> None:
        self.key, self.content, self.version = key, content, version()

    def setup(self, worker: Any) -> None:
        """In a worker. Raises StudyError if that has another version of Keelblocks."""
        if version() != self.version:
            raise StudyError(
                f"the Dask worker {worker.address} has Keelblocks {version()}, the study comes from {self.version}, "
                f"and numbers may differ; install the same version on both"
            )
        _loaded[self.key] = Worker(pickle.loads(self.content))

    def teardown(self, worker: Any) -> None:
        """In a worker: the study is over, or the worker is."""
        _loaded.pop(self.key, None)


def work(key: str, task: Task) -> Batch:
    """In a worker: run a batch; it is given up when the study is over."""
    return _loaded[key].run(task, lambda: key not in _loaded)


def _run(client: distributed.Client, programs: list[Program], tasks: Iterable[Task]) -> Iterator[list[Batch]]:
    """Give each worker the programs once, and then numbers only."""
    content = pickled(programs)
    key = hashlib.sha256(content).hexdigest()[:16]
    name = f"keelblocks-study-{key}"
    try:
        client.register_plugin(Programs(key, content), name=name)
        yield from _batches(client, key, iter(tasks))
    except distributed.scheduler.KilledWorker as problem:
        raise ExecutorLost(f"a batch of members was given up, because workers died of it: {problem}") from None
    except distributed.CancelledError:
        raise ExecutorLost("the Dask scheduler does not answer any more, and forgot its tasks") from None
    except OSError as problem:
        raise ExecutorLost(f"the Dask cluster cannot go on: {problem}") from None
    finally:
        if client.status == "running":
            client.unregister_worker_plugin(name)


def _batches(client: distributed.Client, key: str, tasks: Iterator[Task]) -> Iterator[list[Batch]]:
    """Submit some tasks ahead and give what is done."""
    waiting: set[Any] = set()
    more = True
    most, looked = 0, -_LOOK
    try:
        while more or waiting:
            _check(client)
            if clock.monotonic() - looked > _LOOK:  # workers come and go
                most, looked = AHEAD * _workers(client), clock.monotonic()
            while more and len(waiting) < most:
                task = next(tasks, None)
                more = task is not None
                if task is not None:
                    waiting.add(client.submit(work, key, task, pure=False))
            finished = _done(client, waiting)
            waiting -= finished
            if finished:
                yield client.gather(list(finished))
    finally:
        if waiting and client.status == "running":
            client.cancel(list(waiting))


def _check(client: distributed.Client) -> None:
    """Wait for a scheduler with which the connection broke. Raises ExecutorLost if it does not come back."""
    since = clock.monotonic()
    while client.status != "running":
        if client.status != "connecting" or clock.monotonic() - since > _LOST:
            raise ExecutorLost("the Dask scheduler does not answer any more, or the client was closed")
        clock.sleep(0.1)


def _done(client: distributed.Client, waiting: set[Any]) -> set[Any]:
    """What is done by now, after half a second at most."""
    if not waiting:
        return set()
    try:
        with client.as_current():
            return set(distributed.wait(waiting, timeout=0.5, return_when="FIRST_COMPLETED").done)
    except (TimeoutError, distributed.TimeoutError):
        return set()
