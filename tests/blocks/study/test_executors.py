"""Executors: the same bits from each, and nothing is lost when one of their workers dies."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from study_subjects import deadly, doubling, lag, noise, noisy_study, swing

from blocks.study import Metric, Study, StudyError, StudyInterrupted, StudyStopped


@pytest.fixture(autouse=True)
def _subjects_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worker processes import the subjects, too."""
    import study_subjects

    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join([os.environ["PYTHONPATH"], str(Path(study_subjects.__file__).parent)])
    )


def test_numbers_do_not_depend_on_executor_workers_and_batches(compiled: bool) -> None:
    study = noisy_study()
    expected = study.run("serial")
    assert not expected.reasons
    for executor, workers, batch in (("threads", 1, 5), ("threads", 3, 1), ("serial", None, 24), ("processes", 2, 3)):
        outcome = study.run(executor, workers=workers, batch=batch, compiled=compiled)
        assert outcome.table.equals(expected.table), (executor, workers, batch)
        assert ("side by side" in outcome.compiled) == (compiled and batch > 1)
        assert outcome.records.metrics.tobytes() == expected.records.metrics.tobytes()


def test_a_process_that_is_killed_loses_nothing(compiled: bool) -> None:
    study = noisy_study(60)
    killed: list[int] = []

    def kill(done: int, total: int, failed: int) -> None:
        if not killed:
            (child, *_) = [p for p in multiprocessing.active_children() if p.name.startswith("Spawn")]
            os.kill(child.pid or 0, signal.SIGKILL)
            killed.append(done)

    outcome = study.run("processes", workers=1, batch=2, progress=kill, compiled=compiled)
    assert killed
    assert outcome.table.equals(study.run("serial").table)


def test_processes_that_die_again_and_again_are_given_up() -> None:
    study = Study(noise(), {}, {"y": Metric(deadly, "lag.y")}, end=0.1)
    with pytest.raises(StudyStopped, match=r"worker processes ended 3 times before they had done anything.*__main__"):
        study.run("processes", workers=1, batch=1)


def test_blocks_in_python_run_in_processes() -> None:
    study = Study(doubling(), {"double.start": [1.0, 200.0]}, {"x": "final(x.y)"}, end=1.0, step=0.1)
    outcome = study.run("processes", workers=1)
    np.testing.assert_allclose(outcome.values("x"), [2.0, np.nan])
    assert "ValueError in outputs: too much" in outcome.reasons[1]


def test_functions_that_other_processes_cannot_import() -> None:
    study = Study(noise(), {}, {"y": Metric(lambda result: 1.0, "lag.y")}, end=0.1)
    with pytest.raises(StudyError, match=r"must stand at the top level of a module.*or take executor='threads'"):
        study.run("processes")


def test_an_interrupted_study_has_what_was_done(compiled: bool) -> None:
    def interrupt(done: int, total: int, failed: int) -> None:
        if done >= 8:
            raise KeyboardInterrupt

    study = noisy_study()
    expected = study.run("serial").values("rms").ravel()
    for executor in ("threads", "serial"):
        with pytest.raises(StudyInterrupted, match=r"interrupted; .* of 24 members are done") as caught:
            study.run(executor, workers=1, batch=2, progress=interrupt, compiled=compiled)
        outcome = caught.value.outcome
        assert ("side by side" in outcome.compiled) == compiled
        done = np.array(outcome.status) == "end"
        assert 8 <= np.count_nonzero(done) < 24
        np.testing.assert_array_equal(outcome.values("rms").ravel()[done], expected[done])
        assert not outcome.complete


def test_a_progress_function_that_fails_loses_nothing() -> None:
    with pytest.raises(StudyStopped, match=r"the progress function failed: ZeroDivisionError") as caught:
        noisy_study().run("serial", batch=4, progress=lambda done, total, failed: 1 / 0)
    assert caught.value.outcome.status.count("end") == 4


def test_progress_counts_members_and_failures() -> None:
    seen: list[tuple[int, int, int]] = []

    def fails(result):
        raise ValueError("no")

    metrics = {"swing": Metric(swing, "lag.y"), "none": Metric(fails, "lag.y")}
    Study(lag(), {"u": [1.0, 2.0, 3.0]}, metrics, end=0.1).run("serial", batch=1, progress=lambda *n: seen.append(n))
    assert seen == [(1, 3, 1), (2, 3, 2), (3, 3, 3)]


def test_a_script_without_main_says_what_is_missing(tmp_path) -> None:
    script = tmp_path / "script.py"
    script.write_text("from study_subjects import noisy_study\n\nnoisy_study().run('processes', workers=1, batch=8)\n")
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, check=False)
    assert "the study is not run inside of if __name__ == '__main__':" in ran.stderr
