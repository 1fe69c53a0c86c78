"""Dask: a real scheduler with two worker processes, one of which is killed."""

from __future__ import annotations

import logging
import os
import signal
import sys
from pathlib import Path

import pytest
from study_subjects import noisy_study

from blocks.study import StudyError, StudyStopped

distributed = pytest.importorskip("distributed")


def test_a_cluster_gives_the_same_bits_and_a_killed_worker_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    import study_subjects

    folder = str(Path(study_subjects.__file__).parent)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.environ["PYTHONPATH"], folder]))
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    study = noisy_study(60)
    expected = study.run("serial")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1", silence_logs=50
    ) as local:
        killed: list[int] = []

        def kill(done: int, total: int, failed: int) -> None:
            if not killed:
                nanny = next(iter(local.workers.values()))
                killed.append(nanny.pid)
                os.kill(nanny.pid, signal.SIGKILL)

        outcome = study.run(local.scheduler_address, batch=1, progress=kill)
        assert killed
        assert outcome.table.equals(expected.table)
        with distributed.Client(local, set_as_default=False) as client:
            again = study.run(client, batch=7)
            assert client.status == "running"
            assert again.table.equals(expected.table)

            with pytest.raises(StudyStopped, match=r"Dask .* of 60 members are done") as caught:
                study.run(client, batch=1, progress=lambda *numbers: client.close())
        done = [name == "end" for name in caught.value.outcome.status]
        assert any(done)
        assert not all(done)


def test_an_address_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    from blocks.study import cluster

    monkeypatch.setattr(cluster, "_PATIENCE", 0.3)
    for address in ("tcp://127.0.0.1:1", "nothing://here", "tcp://"):
        with pytest.raises(StudyError, match=f"no Dask scheduler answers at {address} within 0.3 s"):
            noisy_study().run(address)


def test_without_distributed_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "blocks.study.cluster", raising=False)
    with pytest.raises(StudyError, match=r"needs distributed: pip install 'keelblocks\[dask\]'"):
        noisy_study().run("tcp://127.0.0.1:8786")
