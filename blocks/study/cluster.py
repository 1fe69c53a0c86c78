"""Dask: workers on any number of machines, by the scheduler that they belong to. Needs the extra `dask`."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import secrets
import time as clock
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import Any

import distributed

from blocks.errors import LibraryError
from blocks.run.result import version
from blocks.study.batch import Batch
from blocks.study.errors import Cancelled, ExecutorLost, StudyError
from blocks.study.program import Program
from blocks.study.tasks import AHEAD, Executor, pickled, unpickled
from blocks.study.work import Task, Worker

_log = logging.getLogger("keelblocks.study")

_CONNECT_TIMEOUT = 5.0
"""Seconds within which a scheduler has to answer."""

_RECONNECT_TIMEOUT = 15.0
"""Seconds that a lost scheduler has to come back."""

_WORKER_POLL_PERIOD = 2.0
"""Seconds between two looks at the number of workers."""

_NO_WORKERS_WARNING_DELAY = 3.0
"""Seconds without a worker before a warning."""

_LOAD_TIMEOUT = 5.0
"""Seconds that a worker may take to load the programs of a study."""

_loaded: dict[str, Worker | StudyError] = {}
"""In a Dask worker: what it has loaded of each study, by its key, or why it cannot work on it."""


def cluster(given: Any, patience: float = math.inf) -> tuple[Executor, int]:
    """The executor for the address of a Dask scheduler, or for a `distributed.Client`, and how many work there now.

    It gives up when there has been no worker for `patience`, s. Raises StudyError.
    """
    if isinstance(given, distributed.Client):
        if given.asynchronous or given.status != "running":
            state = "asynchronous" if given.asynchronous else given.status
            raise StudyError(f"the Dask client is {state}; a study needs one that is connected and not asynchronous")
        return lambda programs, tasks, workers: _run(given, programs, tasks, patience), max(1, _workers(given))
    if not isinstance(given, str):
        raise StudyError(f"an executor is a name, the address of a Dask scheduler or a Dask client, not {given!r}")
    client = connect(given)

    def run(programs: list[Program], tasks: Iterable[Task], workers: int) -> Iterator[list[Batch]]:
        with client:
            yield from _run(client, programs, tasks, patience)

    return run, max(1, _workers(client))


def _workers(client: distributed.Client) -> int:
    """How many tasks are worked on at once; there may be no workers yet."""
    return int(sum(client.nthreads().values()))


def connect(address: str) -> distributed.Client:
    """A client of a scheduler. Raises StudyError if none answers within some seconds."""
    try:
        with ThreadPoolExecutor(1) as thread:  # here, another event loop may be running already, as in notebooks
            thread.submit(asyncio.run, _answer(address)).result()  # a client without a scheduler is hard to close
        return distributed.Client(address, timeout=_CONNECT_TIMEOUT, set_as_default=False)
    except StudyError:
        raise
    except Exception as problem:  # whatever the other side makes of it: addresses of other services raise many kinds
        why = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        raise StudyError(
            f"no Dask scheduler answers at {address} within {_CONNECT_TIMEOUT:g} s ({why}); is it the address that "
            f"`dask scheduler` prints, and can it be reached from here?"
        ) from None


async def _answer(address: str) -> None:
    """Raise an exception if no scheduler answers at an address."""
    who = await asyncio.wait_for(_identity(address), _CONNECT_TIMEOUT)
    if who.get("type") != "Scheduler":
        raise StudyError(
            f"a Dask {str(who.get('type')).lower()} answers at {address}, and not a scheduler: take the address that "
            f"`dask scheduler` prints"
        )


async def _identity(address: str) -> dict[str, Any]:
    async with distributed.core.rpc(address, timeout=_CONNECT_TIMEOUT) as other:
        found: dict[str, Any] = await other.identity()
        return found


class Programs(distributed.WorkerPlugin):  # type: ignore[misc]
    """The programs of a study: they come once to each worker, also to one that takes the place of one that died."""

    def __init__(self, key: str, content: bytes) -> None:
        self.key, self.content, self.version = key, content, version()

    def setup(self, worker: Any) -> None:
        """In a worker. Errors are raised with its first task: raised here they would be lost."""
        where = f"the Dask worker {worker.address}"
        if version() != self.version:
            _loaded[self.key] = StudyError(
                f"{where} has Keelblocks {version()}, the study comes from {self.version}, "
                f"and numbers may differ; install the same version on both"
            )
            return
        try:
            programs = unpickled(self.content, where)
            for program in programs:
                program.where = where
            _loaded[self.key] = Worker(programs)
        except LibraryError as problem:
            _loaded[self.key] = StudyError(str(problem), code=problem.code)
        except Exception as problem:  # pickle raises many kinds
            _loaded[self.key] = StudyError(
                f"{where} cannot take the study: {problem}; modules with metrics and blocks "
                f"of your own have to be where the workers can import them"
            )

    def teardown(self, worker: Any) -> None:
        """In a worker: the study is over, or the worker is."""
        _loaded.pop(self.key, None)


def work(key: str, task: Task) -> Batch:
    """In a worker: run a batch; it is given up when the study is over. Raises StudyError if the worker cannot."""
    until = clock.monotonic() + _LOAD_TIMEOUT
    while (found := _loaded.get(key)) is None:  # a worker that has just come may be at work before it has all
        if clock.monotonic() > until:
            raise Cancelled
        clock.sleep(0.05)
    if isinstance(found, StudyError):
        raise StudyError(str(found), code=found.code)  # a new one: others raise it too
    return found.run(task, lambda: key not in _loaded)


def _run(
    client: distributed.Client, programs: list[Program], tasks: Iterable[Task], patience: float
) -> Iterator[list[Batch]]:
    """Give each worker the programs once, and then numbers only."""
    content = pickled(programs)
    key = secrets.token_hex(8)  # a run has its own: two of one study may go on at once
    name = f"keelblocks-study-{key}"
    try:
        client.register_plugin(Programs(key, content), name=name)
        yield from _batches(client, key, iter(tasks), patience)
    except (StudyError, ExecutorLost, GeneratorExit):
        raise
    except distributed.scheduler.KilledWorker as problem:
        raise ExecutorLost(f"a batch of members was given up, because workers died of it: {problem}") from None
    except distributed.CancelledError:
        raise ExecutorLost("the Dask scheduler does not answer any more, and forgot its tasks") from None
    except OSError as problem:
        raise ExecutorLost(f"the Dask cluster cannot go on: {problem}") from None
    except Exception as problem:  # from other machines comes whatever is raised there
        raise ExecutorLost(
            f"the Dask cluster cannot go on: {type(problem).__name__}: {problem}; all workers need Keelblocks "
            f"{version()} with the extra dask"
        ) from None
    finally:
        _forget(client, name)


def _forget(client: distributed.Client, name: str) -> None:
    """Take the programs from the workers, if they can still be reached."""
    try:
        if client.status == "running":
            client.unregister_worker_plugin(name)
    except Exception as problem:  # the study is over; this must not hide how it ended
        _log.debug("the plug-in %s stays on the cluster: %s", name, problem)


def _batches(client: distributed.Client, key: str, tasks: Iterator[Task], patience: float) -> Iterator[list[Batch]]:
    """Submit some tasks ahead and give what is done."""
    waiting: set[Any] = set()
    done: SimpleQueue[Any] = SimpleQueue()
    more = True
    monitor = _WorkerMonitor(client, patience)
    try:
        while more or waiting:
            _check(client)
            most = AHEAD * max(1, monitor.count())
            while more and len(waiting) < most:
                task = next(tasks, None)
                more = task is not None
                if task is not None:
                    future = client.submit(work, key, task, pure=False)
                    future.add_done_callback(done.put)
                    waiting.add(future)
            finished = _taken(done) if waiting else set()
            waiting -= finished
            sound = [future for future in finished if future.status == "finished"]
            if sound:
                yield client.gather(sound)
            for future in finished - set(sound):
                if future.status in ("error", "cancelled"):
                    future.result()  # raises
                future.add_done_callback(done.put)  # it was done, and its worker died with it: it is run again
                waiting.add(future)
    finally:
        if waiting and client.status == "running":
            client.cancel(list(waiting))


class _WorkerMonitor:
    """Counts the workers of a cluster, which come and go. Warns when there are none, gives up after `patience`, s."""

    def __init__(self, client: distributed.Client, patience: float) -> None:
        self.client, self.patience = client, patience
        self.workers = 0
        self.polled, self.last_seen = -math.inf, clock.monotonic()
        self.warned = False

    def count(self) -> int:
        """How many tasks run at once. Raises ExecutorLost if there have been no workers for too long."""
        now = clock.monotonic()
        if now - self.polled > _WORKER_POLL_PERIOD:
            self.workers, self.polled = _workers(self.client), now
            if self.workers:
                self.last_seen, self.warned = now, False
        absence = now - self.last_seen
        if absence > min(_NO_WORKERS_WARNING_DELAY, self.patience) and not self.warned:
            limit = "" if math.isinf(self.patience) else f" for {self.patience:g} s"
            _log.warning(
                "the Dask scheduler at %s has no workers; waiting for some%s: dask worker %s",
                self._address, limit, self._address,
            )  # fmt: skip
            self.warned = True
        if absence > self.patience:
            raise ExecutorLost(
                f"the Dask scheduler at {self._address} has had no workers for {absence:.0f} s; start some with "
                f"`dask worker {self._address}`, or wait for them longer (patience)"
            )
        return self.workers

    @property
    def _address(self) -> str:
        return str(self.client.scheduler.address)


def _check(client: distributed.Client) -> None:
    """Wait for a scheduler to which the connection broke. Raises ExecutorLost if it does not come back."""
    since = clock.monotonic()
    while client.status != "running":
        if client.status != "connecting" or clock.monotonic() - since > _RECONNECT_TIMEOUT:
            raise ExecutorLost("the Dask scheduler does not answer any more, or the client was closed")
        clock.sleep(0.1)


def _taken(done: SimpleQueue[Any]) -> set[Any]:
    """What is done by now, after half a second at most.

    (`distributed.wait` goes by a setting that all threads share, and two studies at once would corrupt it.)
    """
    finished = set()
    with contextlib.suppress(Empty):
        finished.add(done.get(timeout=0.5))
        while True:
            finished.add(done.get_nowait())
    return finished
