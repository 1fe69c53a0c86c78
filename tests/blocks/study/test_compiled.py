"""Members by compiled code: who goes side by side, in batches of what size, and that it is told as it was."""

from __future__ import annotations

import ctypes
import itertools
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from process_groups import alive_in
from study_subjects import doubling, lag, noise, noisy_study

from blocks.compiled import opening, side_by_side
from blocks.compiled.choice import Choice, Choosing
from blocks.study import Study, StudyError, StudyStopped, running
from blocks.study.compiling import lanes_of
from blocks.study.cuts import batch_size, beside, cut
from blocks.study.program import Program
from blocks.study.ways import Way, told

WIDTH = side_by_side.instructions()[1][0]
GO_TOGETHER = ctypes.CFUNCTYPE(
    ctypes.c_longlong, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_double, ctypes.c_longlong,
    ctypes.c_void_p,
)  # fmt: skip
GO_ON = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_double, ctypes.c_longlong, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int
)


class Counted:
    """What the compiled code did: the steps of members that went side by side, and calls for one alone."""

    def __init__(self) -> None:
        self.beside: list[int] = []
        self.counts: list[int] = []
        self.alone: list[int] = []
        self._kept: list[Any] = []

    def lanes(self, code: Any) -> Any:
        """The code for several; it counts."""
        own = GO_TOGETHER(code.go_together)

        def go(plans: int, recorders: int, count: int, end: float, steps: int, apart: int) -> int:
            done = int(own(plans, recorders, count, end, steps, apart))
            self.beside.append(done * count)
            self.counts.append(count)
            return done

        return replace(code, go_together=self._address(GO_TOGETHER(go)))

    def single(self, code: Any) -> Any:
        """The code for one; it counts."""
        own = GO_ON(code.go_on)

        def go(*arguments: Any) -> int:
            self.alone.append(1)
            return int(own(*arguments))

        return replace(code, go_on=self._address(GO_ON(go)))

    def _address(self, function: Any) -> int | None:
        self._kept.append(function)
        return ctypes.cast(function, ctypes.c_void_p).value


@pytest.fixture
def counted(_compiling: None, monkeypatch: pytest.MonkeyPatch) -> Counted:
    """What members do, none for a trial."""
    found = Counted()
    lanes_from, compiled_from = side_by_side.lanes_from, opening.compiled_from
    monkeypatch.setattr(side_by_side, "lanes_from", lambda plan: found.lanes(lanes_from(plan)))
    monkeypatch.setattr(opening, "compiled_from", lambda plan: found.single(compiled_from(plan)))
    monkeypatch.setattr(running, "trial", lambda *given: 1.0)
    return found


def lags(count: int) -> Study:
    """So many members of 100 steps each."""
    factors = {"lag.time_constant": np.linspace(0.2, 2.0, count).tolist()}
    return Study(lag(), factors, {"y": "final(lag.y)", "mean": "mean(lag.y)"}, end=1.0, inputs={"u": 1.0})


@pytest.mark.parametrize(("count", "batch"), [(3 * WIDTH, None), (2 * WIDTH + 2, 2 * WIDTH + 2), (3 * WIDTH, WIDTH)])
def test_members_go_side_by_side_from_begin_to_end(count: int, batch: int | None, counted: Counted) -> None:
    together = lags(count).run("serial", batch=batch, compiled=True)
    assert sum(counted.beside) == count * 100  # every step of every member
    assert max(counted.counts) == WIDTH
    assert not counted.alone
    assert f", {WIDTH} side by side (" in together.compiled
    assert "alone" not in together.compiled
    assert together.records.metrics.tobytes() == lags(count).run("serial").records.metrics.tobytes()


def test_a_member_by_itself_goes_by_the_code_of_one(counted: Counted) -> None:
    single = lags(5).run("serial", batch=1, compiled=True)
    assert len(counted.alone) >= 5
    assert not counted.beside
    assert single.compiled.startswith("compiled: ")
    assert "side by side" not in single.compiled
    assert single.records.metrics.tobytes() == lags(5).run("serial").records.metrics.tobytes()


def test_a_member_that_is_left_over_goes_by_the_code_of_one(counted: Counted) -> None:
    done = lags(5).run("serial", batch=2, compiled=True)
    assert sum(counted.beside) == 400
    assert counted.alone
    assert done.compiled.endswith("), 1 of 5 alone")
    assert done.records.metrics.tobytes() == lags(5).run("serial").records.metrics.tobytes()


def test_workers_without_enough_to_do_take_members_one_by_one(counted: Counted) -> None:
    lags(4).run("threads", workers=4, compiled=True)
    assert not counted.beside
    lags(4 * WIDTH).run("threads", workers=4, compiled=True)
    assert sum(counted.beside) == 400 * WIDTH
    assert len(counted.counts) == 4  # a group for each


def test_what_sets_when_members_are_sampled_has_a_plan_of_its_own() -> None:
    """So members of one plan have one clock: there are no classes of members that do not fit beside each other."""
    study = Study(noise(), {"noise.period": [0.1, 0.2, 0.3], "noise.upper": [1.0, 2.0]}, ["rms(lag.y)"], end=0.1)
    assert [len(case.members) for case in study.cases] == [2, 2, 2]


def test_groups_leave_no_worker_without_members() -> None:
    assert [beside(count, 4, 8) for count in (1, 4, 8, 9, 20, 32, 1000)] == [1, 1, 1, 3, 5, 8, 8]
    assert [beside(count, 4, 4) for count in (4, 5, 12, 16, 1000)] == [1, 2, 3, 4, 4]
    assert [beside(count, 4, 2) for count in (4, 5, 1000)] == [1, 2, 2]
    assert beside(1000, 4, 1) == 1


def test_a_plan_of_few_members_is_not_compiled_for_several(counted: Counted) -> None:
    study = Study(noise(), {"noise.period": [0.1, 0.2], "noise.upper": [1.0, 2.0, 3.0]}, ["rms(lag.y)"], end=0.1)
    outcome = study.run("serial", compiled=True)
    assert counted.beside  # three are enough on every processor
    few = Study(noise(), {"noise.period": [0.1, 0.2, 0.3]}, ["rms(lag.y)"], end=0.1)
    counted.beside.clear()
    alone = few.run("serial", compiled=True)
    assert not counted.beside
    assert counted.alone
    for done, made in ((outcome, study), (alone, few)):
        assert done.records.metrics.tobytes() == made.run("serial").records.metrics.tobytes()


def test_workers_elsewhere_have_no_more_lanes_than_are_known_of() -> None:
    assert max(width for width, _ in side_by_side._X86.values()) == lanes_of(here=False)
    assert lanes_of(here=True) == WIDTH


def test_batches_are_whole_groups() -> None:
    for workers, count, seconds in itertools.product(
        (1, 2, 3, 100, 10_000), (8, 100, 12_345, 10**6), (1e-5, 1e-3, 9.0)
    ):
        alone = batch_size(workers, count, seconds)
        size = batch_size(workers, count, seconds, 8)
        assert size % 8 == 0 or size == -(-count // workers) < 8
        assert size <= max(alone, 8)
        assert size * (workers - 1) < max(count, 1) + 8 * workers
    assert batch_size(2, 4000, 9.0) == 1
    assert batch_size(2, 4000, 9.0, 8) == 8
    assert batch_size(2, 4000, 4e-4, 4) == 500


def test_nobody_is_left_alone_where_a_part_can_be_shared() -> None:
    for count, size in itertools.product(range(40), range(1, 10)):
        parts = cut(count, size)
        assert [i for part in parts for i in part] == list(range(count))
        assert all(1 <= len(part) <= size for part in parts)
        assert len(parts) == -(-count // size)
        if size > 2 and count > 1:
            assert all(len(part) > 1 for part in parts)


ENGINE, ALONE, FOUR = Way(), Way(1), Way(4, "avx2")
REFUSED = Way(why_not="there: a plan cannot be compiled")


@pytest.mark.parametrize(
    ("ways", "said"),
    [
        ({}, "compiled: in 1 s"),
        ({FOUR: 9}, "compiled: in 1 s, 4 side by side (avx2)"),
        ({FOUR: 8, Way(2, "baseline"): 4}, "compiled: in 1 s, 4 side by side (avx2), 2 side by side (baseline)"),
        ({FOUR: 2000, ALONE: 1}, "compiled: in 1 s, 4 side by side (avx2), 1 of 2,001 alone"),
        ({ALONE: 3}, "compiled: in 1 s"),
        ({ALONE: 3, ENGINE: 2}, "compiled: in 1 s; 2 of 5 by the engine"),
        (
            {FOUR: 8, REFUSED: 2},
            "compiled: in 1 s, 4 side by side (avx2); 2 of 10 by the engine: there: a plan cannot be compiled",
        ),
        ({REFUSED: 3}, "by the engine: there: a plan cannot be compiled"),
        ({ENGINE: 1}, "by the engine: nobody was beside those that were run"),
    ],
)
def test_what_is_told_of_members(ways: dict[Way, int], said: str) -> None:
    assert told(Choice(True, "in 1 s"), Counter(ways)) == said
    assert told(None, Counter(ways)) == ""
    assert told(Choice(False, "it is short"), Counter(ways)) == "by the engine: it is short"


class Elsewhere:
    """Workers of Dask without Dask, one after the other: the first `without` of them have no compiler."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, without: int) -> None:
        self.monkeypatch, self.without = monkeypatch, without
        monkeypatch.setattr(running, "executor_of", lambda *given: (self.run, 1))

    def run(self, programs: list[Program], tasks: Any, workers: int) -> Iterator[list[Any]]:
        from blocks.study import cluster
        from blocks.study.tasks import pickled

        for number, task in enumerate(tasks):
            plugin: Any = cluster.Programs(f"key {number}", pickled(programs))
            plugin.setup(SimpleNamespace(address=f"tcp://there:{number}"))
            with self.monkeypatch.context() as changed:
                if number < self.without:
                    changed.setenv("CC", "/nonexistent/cc")
                batch = cluster.work(f"key {number}", task)
            plugin.teardown(None)
            yield [batch]


def weighed_favourably(self: Choosing, seconds: float) -> None:
    """As if compiling always paid."""
    if self.choice is None:
        self._take(self._made(), "")


@pytest.mark.usefixtures("_compiling")
def test_workers_that_cannot_compile_are_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(Choosing, "weigh", weighed_favourably)
    study = noisy_study(48)
    expected = study.run("serial")
    Elsewhere(monkeypatch, 2)
    outcome = study.run("tcp://there", batch=16, compiled="auto")
    there = "the Dask worker tcp://there:0: a plan cannot be compiled: there is no C compiler '/nonexistent/cc'"
    assert f", {WIDTH} side by side (" in outcome.compiled
    assert f"; 32 of 48 by the engine: {there}" in outcome.compiled
    assert outcome.records.metrics.tobytes() == expected.records.metrics.tobytes()
    Elsewhere(monkeypatch, 3)
    outcome = study.run("tcp://there", batch=16, compiled="auto")
    assert outcome.compiled.startswith(f"by the engine: {there}")
    assert outcome.records.metrics.tobytes() == expected.records.metrics.tobytes()


def test_a_worker_that_has_to_compile_and_cannot_says_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    Elsewhere(monkeypatch, 1)
    with pytest.raises(StudyError, match=r"^the Dask worker tcp://there:0: a plan cannot be compiled: ") as caught:
        noisy_study().run("tcp://there", compiled=True)
    assert caught.value.code == "no-compiler"


def test_what_cannot_be_compiled_here_is_told_without_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/nonexistent/cc")
    with pytest.raises(StudyError, match=r"^a plan cannot be compiled: there is no C compiler ") as caught:
        noisy_study().run("threads", compiled=True)
    assert caught.value.code == "no-compiler"
    (problem,) = caught.value.problems
    assert problem.code == "no-compiler"


def test_what_was_done_before_is_there_when_nothing_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StudyStopped):
        noisy_study().run("serial", batch=5, folder="kept", progress=lambda *numbers: 1 / 0)
    monkeypatch.setenv("CC", "/nonexistent/cc")
    with pytest.raises(StudyStopped, match=r"^a plan cannot be compiled: .*; 5 of 24 members are done; they") as caught:
        noisy_study().run("serial", folder="kept", compiled=True)
    assert caught.value.code == "no-compiler"


def test_a_plan_that_cannot_be_compiled_is_named_by_its_levels() -> None:
    study = Study(doubling(), {"double.start": [1.0, 2.0]}, ["final(x.y)"], end=0.1)
    with pytest.raises(StudyError, match=r"^double\.start = 1\.0: a plan cannot be compiled with 'double', which"):
        study.run(compiled=True)


@pytest.mark.usefixtures("_compiling")
def test_runs_of_one_study_choose_each_for_itself() -> None:
    study = noisy_study()
    assert "side by side" in study.run("serial", compiled=True).compiled
    assert [case.program.compiled for case in study.cases] == [""]
    assert study.run("serial").compiled == ""


@pytest.mark.skipif(sys.platform == "win32", reason="scripts of a shell")
@pytest.mark.usefixtures("_compiling")
def test_an_interrupt_does_not_wait_for_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which is ended, with all that it has started."""
    compiler = tmp_path / "own-cc"
    compiler.write_text('#!/bin/sh\n[ "$1" = --version ] && exit 0\necho $$ > "$0.pid.$$"; sleep 600 & sleep 600\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))

    def interrupt() -> None:
        while not list(tmp_path.glob("own-cc.pid.*")):
            time.sleep(0.01)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    thread = threading.Thread(target=interrupt, daemon=True)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        noisy_study(48).run("threads", compiled=True)
    thread.join()
    assert [alive_in(int(path.read_text())) for path in tmp_path.glob("own-cc.pid.*")] == [[]]
