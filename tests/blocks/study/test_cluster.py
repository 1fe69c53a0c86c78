"""Dask: a real scheduler with two worker processes, one of which is killed."""

from __future__ import annotations

import logging
import os
import pickle
import re
import signal
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from study_subjects import noisy_study

from blocks.errors import LibraryError
from blocks.study import StudyError, StudyStopped

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")


def test_a_cluster_gives_the_same_bits_and_a_killed_worker_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, can_compile: bool
) -> None:
    import study_subjects

    from blocks.study import cluster

    folder = str(Path(study_subjects.__file__).parent)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.environ["PYTHONPATH"], folder]))
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    study = noisy_study(60)
    expected = study.run("serial")
    # What a worker had is asked of it for as long, when it has just died.
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "3s"}),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            host="127.0.0.1",
            silence_logs=50,
        ) as local,
    ):
        scheduler = local.scheduler_address
        killed: list[int] = []

        def kill(done: int, total: int, failed: int) -> None:
            if not killed:
                nanny = next(iter(local.workers.values()))
                killed.append(nanny.pid)
                os.kill(nanny.pid, signal.SIGKILL)

        outcome = study.run(scheduler, batch=1, progress=kill)
        assert killed
        assert outcome.table.equals(expected.table)
        with distributed.Client(local, set_as_default=False) as client:
            again = study.run(client, batch=7)
            assert client.status == "running"
            assert again.table.equals(expected.table)

            killed.clear()
            beside = study.run(client, batch=3, progress=kill, compiled=can_compile)
            assert killed
            assert beside.table.equals(expected.table)
            told = r"compiled: by each worker, on its machine, \d side by side \(\w+\)(, \d+ of 60 alone)?"
            assert re.fullmatch(told if can_compile else "", beside.compiled)

            with ThreadPoolExecutor(1) as thread:  # two runs of one study do not take the other's programs away
                other = thread.submit(study.run, scheduler, batch=12)
                assert study.run(client, batch=10).table.equals(expected.table)
                assert other.result().table.equals(expected.table)
            assert dask.config.get("scheduler", None) is None  # all else that uses Dask goes on as before

            worker = next(iter(client.scheduler_info()["workers"]))
            with pytest.raises(StudyError, match=f"a Dask worker answers at {worker}, and not a scheduler"):
                cluster.connect(worker)

            with pytest.raises(StudyStopped, match=r"Dask .* of 60 members are done") as caught:
                study.run(client, batch=1, progress=lambda *numbers: client.close())
        with pytest.raises(StudyError, match=r"the Dask client is closed; a study needs one that is connected"):
            study.run(client)
        done = [name == "end" for name in caught.value.outcome.status]
        assert any(done)
        assert not all(done)

        for name, seconds in (("_NO_WORKERS_WARNING_DELAY", 0.05), ("_WORKER_POLL_PERIOD", 0.05)):
            monkeypatch.setattr(cluster, name, seconds)
        local.scale(0)
        local.sync(local._correct_state)
        with pytest.raises(StudyStopped, match=r"has had no workers for .* `dask worker tcp://.*; 0 of 60 members"):
            study.run(scheduler, batch=1, patience="300 ms")
        assert f"the Dask scheduler at {scheduler} has no workers; waiting for some for 0.3 s" in caplog.text


def test_a_batch_that_was_done_and_died_with_its_worker_is_waited_for_again() -> None:
    from blocks.study import cluster

    class Batch:
        """The first time that it is done, it is lost when somebody looks."""

        def __init__(self, number: int) -> None:
            self.number, self.status = number, "pending"

        def add_done_callback(self, call: Any) -> None:
            self.status = "lost" if self.status == "pending" else "finished"
            call(self)

        def result(self) -> int:
            return self.number

    client: Any = SimpleNamespace(
        submit=lambda work, key, task, pure: Batch(task),
        gather=lambda batches: [batch.result() for batch in batches],
        nthreads=lambda: {"tcp://there:1": 1},
        status="running",
    )
    batches: Any = cluster._batches(client, "key", iter(range(9)), 1.0)  # type: ignore[arg-type]
    assert sorted(number for some in batches for number in some) == list(range(9))


def test_an_address_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    from blocks.study import cluster

    monkeypatch.setattr(cluster, "_CONNECT_TIMEOUT", 0.3)
    with socket.socket() as deaf:  # something else listens there, and says nothing
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        silent = f"tcp://127.0.0.1:{deaf.getsockname()[1]}"
        for address in ("tcp://127.0.0.1:1", silent, "nothing://here", "tcp://"):
            with pytest.raises(StudyError, match=f"no Dask scheduler answers at {address} within 0.3 s"):
                cluster.connect(address)


def test_what_is_done_is_there_when_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    from blocks.study import cluster

    monkeypatch.setattr(cluster, "_CONNECT_TIMEOUT", 0.1)
    with pytest.raises(StudyStopped):
        noisy_study().run("serial", batch=5, folder="kept", progress=lambda *numbers: 1 / 0)
    with pytest.raises(
        StudyStopped, match=r"no Dask scheduler answers .*; 5 of 24 members are done; they are"
    ) as caught:
        noisy_study().run("tcp://127.0.0.1:1", folder="kept")
    assert caught.value.outcome.status.count("end") == 5


def test_a_worker_that_cannot_take_a_study_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    from blocks.study import cluster

    codes: list[str] = []

    def told(version: str, content: bytes) -> str:
        plugin: Any = cluster.Programs("key", content)
        plugin.version = version
        plugin.setup(SimpleNamespace(address="tcp://there:1"))
        with pytest.raises(StudyError) as caught:
            cluster.work("key", SimpleNamespace())  # type: ignore[arg-type]
        plugin.teardown(None)
        codes.append(caught.value.code)
        return str(caught.value)

    gone = pickle.dumps(noisy_study).replace(b"study_subjects", b"study_sbjects_")
    assert "the Dask worker tcp://there:1 cannot take the study: No module named 'study_sbjects_'" in told(
        cluster.version(), gone
    )
    assert "the Dask worker tcp://there:1 has Keelblocks" in told("0.0.1", gone)

    def lacks(content: bytes, where: str) -> Any:
        raise LibraryError(f"{where} lacks a library", code="no-library")

    monkeypatch.setattr(cluster, "unpickled", lacks)
    assert told(cluster.version(), b"") == "the Dask worker tcp://there:1 lacks a library"
    assert codes == ["bad-setting", "bad-setting", "no-library"]
    monkeypatch.setattr(cluster, "_LOAD_TIMEOUT", 0.0)
    with pytest.raises(cluster.Cancelled):
        cluster.work("key", SimpleNamespace())  # type: ignore[arg-type]


def test_without_distributed_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "blocks.study.cluster", raising=False)
    with pytest.raises(StudyError, match=r"needs distributed: pip install 'keelblocks\[dask\]'"):
        noisy_study().run("tcp://127.0.0.1:8786")
