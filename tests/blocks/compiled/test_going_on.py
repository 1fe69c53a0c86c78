"""What else goes on with a run does so with compiled code: checkpoints, Ctrl-C, steps from outside, swarms, studies."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import study_subjects
from busy import busy
from same_bits import assert_same
from study_subjects import noisy_study

from blocks import Fleet, Result, RunInterrupted, Simulator, Swarm, simulate
from blocks.errors import SimulationError
from blocks.study import StudyError

HOW: dict[str, Any] = {"step": 0.01, "inputs": {"u": 1.0}}


def run(end: float, **how: Any) -> Result:
    return simulate(busy(), end, **{**HOW, **how})


@pytest.mark.parametrize("first", [False, True])
def test_a_checkpoint_is_resumed_the_other_way(first: bool, tmp_path: Path) -> None:
    kept = tmp_path / "run.ckpt"
    run(1.23, checkpoint=kept, compiled=first)
    assert_same(run(3.0), run(3.0, resume=kept, compiled=not first))


def test_ctrl_c_is_heard_and_the_run_goes_on(tmp_path: Path) -> None:
    def interrupt(t: float, end: float) -> None:
        raise KeyboardInterrupt

    kept = tmp_path / "run.ckpt"
    with pytest.raises(RunInterrupted) as stopped:
        run(2000.0, checkpoint=kept, progress=interrupt, compiled=True)
    part = stopped.value.result
    assert part.status == "interrupted"
    assert part.compiled.startswith("compiled: ")
    end = float(part.time[-1]) + 0.5
    assert_same(run(end), run(end, resume=kept))


def test_a_simulator_in_uneven_pieces_with_inputs_and_parameters_that_change() -> None:
    def steps(compiled: bool) -> Result:
        with Simulator(busy(), step=0.01, inputs={"u": 1.0}, compiled=compiled) as simulator:
            for ahead in (0.1, 0.0334, 0.5, 0.007):
                simulator.advance(ahead)
            state = simulator.save()
            simulator["u"] = -1.0
            simulator.advance(0.5)
            simulator.restore(state)
            simulator["gain.gain"] = 2.0
            simulator.advance(until=1.5)
            simulator.refresh()
            return simulator.result()

    engine, compiled = steps(False), steps(True)
    assert_same(engine, compiled)
    assert not engine.compiled
    assert compiled.compiled.startswith("compiled: ")


@pytest.mark.slow
def test_a_swarm_and_a_fleet() -> None:
    swarm = Swarm(busy(), 5, parameters={"gain.gain": [1.0, 2.0, 3.0, 4.0, 5.0]}, inputs={"u": 1.0})
    engine, compiled = (swarm.run(2.0, step=0.01, compiled=asked) for asked in (False, True))
    assert engine.values("plant.y").tobytes() == compiled.values("plant.y").tobytes()
    assert compiled.compiled.startswith("compiled: ")
    assert np.ptp(compiled.values("plant.y")[:, -1]) > 0.01
    with Fleet(busy(), 5, parameters=swarm.parameters, inputs={"u": 1.0}, step=0.01, compiled=True) as fleet:
        while fleet.time[0] < 1.995:
            fleet.advance(0.5)
        assert fleet["plant.y"].tobytes() == np.ascontiguousarray(compiled.values("plant.y")[:, -1]).tobytes()
        assert fleet.compiled.startswith("compiled: ")


@pytest.mark.parametrize(
    ("executor", "workers"), [("serial", None), ("threads", 2), pytest.param("processes", 2, marks=pytest.mark.slow)]
)
def test_a_study(executor: str, workers: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = str(Path(study_subjects.__file__).parent)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.environ["PYTHONPATH"], folder]))
    study = noisy_study()
    expected = study.run("serial")
    outcome = study.run(executor, workers=workers, compiled=True)
    assert outcome.compiled.startswith("compiled: ")
    assert outcome.records.metrics.tobytes() == expected.records.metrics.tobytes()
    assert not expected.compiled
    assert not study.run("serial").compiled


def test_a_study_keeps_members_whatever_ran_them(tmp_path: Path) -> None:
    study = noisy_study()
    first = study.run("serial", folder=tmp_path, compiled=True)
    again = noisy_study().run("serial", folder=tmp_path)
    assert again.records.metrics.tobytes() == first.records.metrics.tobytes()


@pytest.mark.slow
def test_a_member_by_itself() -> None:
    study = noisy_study()
    assert_same(study.simulate(3), study.simulate(3, compiled=True))


@pytest.mark.slow
def test_a_study_on_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    folder = str(Path(study_subjects.__file__).parent)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.environ["PYTHONPATH"], folder]))
    study = noisy_study(60)
    expected = study.run("serial")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", host="127.0.0.1",
        silence_logs=50,
    ) as local:  # fmt: skip
        outcome = study.run(local.scheduler_address, compiled=True)
        assert outcome.compiled.startswith("compiled: by each worker, on its machine")
        assert outcome.records.metrics.tobytes() == expected.records.metrics.tobytes()


def test_a_worker_that_cannot_compile_says_so(monkeypatch: pytest.MonkeyPatch, empty_cache: Path) -> None:
    study = noisy_study()
    program = study.cases[0].program
    monkeypatch.setenv("CC", "/nonexistent/cc")
    program.compiled = "always"
    with pytest.raises(StudyError, match=r"^a plan cannot be compiled: there is no C compiler '/nonexistent/cc'"):
        program.for_one()
    program.compiled = "if possible"
    assert program.for_one() is None


def test_a_study_that_cannot_be_compiled_is_refused_before_anything_runs() -> None:
    from study_subjects import doubling

    from blocks.study import Study

    study = Study(doubling(), {"double.start": [1.0, 2.0]}, {"x": "final(x.y)"}, end=0.1)
    with pytest.raises(SimulationError, match=r"cannot be compiled with 'double', which runs in Python"):
        study.run("serial", compiled=True)
    outcome = study.run("serial", compiled="auto")
    assert outcome.values("x") == pytest.approx([0.2, 0.4])
    assert outcome.compiled.startswith("by the engine: a plan cannot be compiled with 'double'")
