"""Checkpoints: a run that goes on from one is the run that was never interrupted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from busy import busy

from blocks import Diagram, Result, RunInterrupted, RunStopped, simulate
from blocks.errors import SimulationError
from blocks.files.arrays import read_arrays, write_arrays

NATIVE = ("euler", "heun", "rk4", "dopri5")


def run(end: float = 2.0, diagram: Diagram | None = None, **settings) -> Result:
    chosen = {"step": 0.01, "solver": "rk4", "inputs": {"u": 1.0}} | settings
    return simulate(diagram or busy(), end, **chosen)


def interrupted(path: Path, after: int = 1, **settings) -> Result:
    """A run that is stopped with Ctrl-C on the way."""
    left = iter(range(after, -1, -1))

    def progress(t: float, end: float) -> None:
        if next(left, 0) == 0:
            raise KeyboardInterrupt

    with pytest.raises(RunInterrupted) as stopped:
        run(2000.0, checkpoint=path, progress=progress, **settings)
    return stopped.value.result


def same(one: Result, other: Result) -> None:
    assert np.array_equal(one.time, other.time)
    assert list(one) == list(other)
    for name in one:
        assert one.values(name).tobytes() == other.values(name).tobytes(), name


# --- going on --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", NATIVE)
def test_an_interrupted_run_goes_on_bit_for_bit(solver, tmp_path):
    path = tmp_path / "run.ckpt"
    part = interrupted(path, solver=solver)
    assert 5.0 < part.time[-1] < 1999.0
    end = float(part.time[-1]) + 1.234
    same(run(end, solver=solver, resume=path), run(end, solver=solver))


@pytest.mark.parametrize("solver", NATIVE)
def test_runs_in_three_pieces(solver, tmp_path):
    """From end to end, where the ends are neither on the grid nor at hits."""
    path = tmp_path / "run.ckpt"
    run(0.3, solver=solver, checkpoint=path)
    run(1.1, solver=solver, checkpoint=path, resume=path)
    last = run(2.0, solver=solver, resume=path)
    if solver != "dopri5":  # whose steps end where a run ends
        same(last, run(2.0, solver=solver))
    np.testing.assert_array_equal(last.time, run(2.0, solver=solver).time)
    for name in last:
        np.testing.assert_allclose(last.values(name), run(2.0, solver=solver).values(name), atol=1e-5)


@pytest.mark.parametrize("every", [1, 3])
def test_a_thinned_record_goes_on(every, tmp_path):
    path = tmp_path / "run.ckpt"
    run(0.5, every=every, checkpoint=path)
    same(run(2.0, every=every, resume=path), run(2.0, every=every))


def test_a_finished_run_can_be_taken_up_and_gives_the_same(tmp_path):
    path = tmp_path / "run.ckpt"
    whole = run(1.0, checkpoint=path)
    same(run(1.0, resume=path), whole)


@pytest.mark.parametrize("solver", ["LSODA", "BDF", "Radau"])
def test_solvers_that_start_anew_go_on_within_the_tolerance(solver, tmp_path):
    path = tmp_path / "run.ckpt"
    tight = {"relative_tolerance": 1e-9, "absolute_tolerance": 1e-10, "solver": solver}
    part = interrupted(path, after=60, **tight)
    end = float(part.time[-1]) + 0.5
    resumed, whole = run(end, resume=path, **tight), run(end, **tight)
    np.testing.assert_array_equal(resumed.time, whole.time)
    for name in whole:
        np.testing.assert_allclose(resumed.values(name), whole.values(name), atol=1e-6, err_msg=name)


def test_checkpoints_are_written_on_the_way(tmp_path):
    path = tmp_path / "run.ckpt"
    times = []

    def progress(t: float, end: float) -> None:
        times.append((t, path.stat().st_mtime_ns))

    run(300.0, checkpoint=path, checkpoint_interval=0.0, progress=progress)
    assert len({written for _, written in times}) > 1
    assert [p.name for p in tmp_path.iterdir()] == ["run.ckpt"], "no half-written file is left"


@pytest.mark.parametrize("interpolation", ["linear", "hold"])
def test_a_time_series_input_goes_on(interpolation, tmp_path):
    path = tmp_path / "run.ckpt"
    inputs = {"u": ([0.0, 0.123, 0.5037, 2.0], [0.0, 3.0, 1.0, 2.0], interpolation)}
    run(0.5, inputs=inputs, checkpoint=path)
    same(run(2.0, inputs=inputs, resume=path), run(2.0, inputs=inputs))


# --- what must be the same -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        {"diagram": busy(gain=4.0)},
        {"step": 0.02},
        {"solver": "heun"},
        {"solver": "LSODA"},
        {"start": 0.1},
        {"relative_tolerance": 1e-4},
    ],
)
def test_another_run_is_refused(settings, tmp_path):
    path = tmp_path / "run.ckpt"
    run(0.5, checkpoint=path)
    with pytest.raises(
        SimulationError, match=r"run.ckpt was written by another diagram, other parameters or another solver"
    ):
        run(2.0, resume=path, **settings)


def test_another_record_is_refused(tmp_path):
    path = tmp_path / "run.ckpt"
    run(0.5, checkpoint=path, record=["plant.y"])
    for other in ({"record": ["plant.y", "sum.y"]}, {"record": ["plant.y"], "every": 2}):
        with pytest.raises(SimulationError, match=r"(records plant.y at every 1. point|written by another)"):
            run(2.0, resume=path, **other)


def test_another_input_is_refused(tmp_path):
    path = tmp_path / "run.ckpt"
    run(0.5, checkpoint=path, inputs={"u": 2.0})
    with pytest.raises(
        SimulationError, match=r"run.ckpt was written with input 'u' at 2, not 3.0; resume it with what"
    ):
        run(2.0, resume=path, inputs={"u": 3.0})


# --- files -----------------------------------------------------------------------------------------------------------


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(SimulationError, match=r"there is no checkpoint .*none.ckpt"):
        run(resume=tmp_path / "none.ckpt")


@pytest.mark.parametrize("content", [b"", b"not a checkpoint", b"PK\3\4" + b"\0" * 100, b"\x93NUMPY\1\0"])
def test_what_is_no_checkpoint(content, tmp_path):
    path = tmp_path / "run.ckpt"
    path.write_bytes(content)
    with pytest.raises(SimulationError, match=r"is not a checkpoint, or it is damaged"):
        run(resume=path)


def test_arrays_of_something_else(tmp_path):
    np.save(tmp_path / "array.npy", np.zeros(3))
    np.savez(tmp_path / "other.npz", data=np.zeros(3))
    np.savez(tmp_path / "pickled.npz", head=np.array([{"format": 1}], dtype=object))
    for name in ("array.npy", "other.npz", "pickled.npz"):
        with pytest.raises(SimulationError, match=r"is not a checkpoint, or it is damaged"):
            run(resume=tmp_path / name)


FORGERIES = {
    "columns of another kind": ({"columns": "plant.y"}, {}, "its columns are no list of names"),
    "a column twice": ({"columns": ["plant.y", "plant.y"]}, {}, "its columns are no list of names"),
    "every as text": ({"every": "1"}, {}, "its every is '1'"),
    "every none": ({"every": 0}, {}, "what it says of its run cannot be"),
    "no wall time": ({"wall": float("nan")}, {}, "what it says of its run cannot be"),
    "times that go back": ({}, {"time": np.zeros(21)[::-1] - np.arange(21.0)}, "times of its record do not increase"),
    "times of another kind": ({}, {"time": np.arange(21)}, "its record is no record of numbers"),
    "fewer times": ({}, {"time": np.arange(20.0)}, "its record is not whole"),
    "more columns": ({}, {"data": np.zeros((21, 2))}, "its record has 2 columns, not 1"),
    "a state of another kind": ({}, {"state": np.zeros(9)}, "a state in it is none"),
    "blocks that are not there": ({"blocks": ["a"]}, {}, "it has no 'block0'"),
    "another format": ({"format": 9}, {}, r"a checkpoint of another format \(9\)"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_what_no_run_has_written_is_refused(name, tmp_path):
    """With a checksum that holds."""
    path = tmp_path / "run.ckpt"
    run(0.2, checkpoint=path, record=["plant.y"])
    head, arrays, said = FORGERIES[name]
    content = read_arrays(path)
    content["head"] = np.array(json.dumps({**json.loads(str(content["head"])), **head}))
    with path.open("wb") as file:
        write_arrays(file, content | arrays)
    with pytest.raises(SimulationError, match=rf"run.ckpt is .*{said}"):
        run(0.4, resume=path, record=["plant.y"])


def test_a_checkpoint_without_a_checksum_is_refused(tmp_path):
    path = tmp_path / "run.ckpt"
    run(0.2, checkpoint=path, record=["plant.y"])
    content = read_arrays(path)
    with path.open("wb") as file:
        np.savez(file, **content)
    with pytest.raises(SimulationError, match=r"it has no checksum: an older version or another program wrote it"):
        run(0.4, resume=path, record=["plant.y"])


def test_an_array_that_says_it_is_huge_takes_no_memory(tmp_path):
    path = tmp_path / "run.ckpt"
    run(0.2, checkpoint=path, record=["plant.y"])
    content = path.read_bytes()
    assert content.count(b"'shape': (21,), ") == 1
    path.write_bytes(content.replace(b"'shape': (21,), ", b"'shape': (2" + b"0" * 16 + b"1,), ")[: len(content)])
    with pytest.raises(SimulationError, match=r"it is cut off, changed or another file"):
        run(0.4, resume=path, record=["plant.y"])


def test_damage_is_never_taken_for_a_state(tmp_path):
    """Truncated anywhere, or with a bit flipped: refused, or (where the bit means nothing) read as it was."""
    path, wrong = tmp_path / "run.ckpt", tmp_path / "wrong.ckpt"
    run(0.2, checkpoint=path, record=["plant.y"])
    whole = run(0.4, resume=path, record=["plant.y"])
    content = path.read_bytes()
    refused = 0
    generator = np.random.default_rng(2)
    for _ in range(150):
        damaged = bytearray(content)
        if generator.random() < 0.3:
            del damaged[generator.integers(len(content)) :]
        else:
            damaged[generator.integers(len(content))] ^= 1 << generator.integers(8)
        wrong.write_bytes(damaged)
        try:
            same(run(0.4, resume=wrong, record=["plant.y"]), whole)
        except SimulationError:
            refused += 1
    assert refused > 100


def test_a_place_that_cannot_be_written_is_found_before_the_run(tmp_path):
    (tmp_path / "file").write_text("no folder")
    calls = []
    with pytest.raises(SimulationError, match=r"cannot write the checkpoint .*file"):
        run(checkpoint=tmp_path / "file" / "run.ckpt", progress=lambda t, end: calls.append(t))
    assert calls == []


def test_a_place_that_ceases_to_be_writable_costs_no_result(tmp_path):
    """The folder is taken away in the middle of the run, and a file stands in its place."""
    folder = tmp_path / "folder"
    folder.mkdir()

    def progress(t: float, end: float) -> None:
        if folder.is_dir():
            for item in folder.iterdir():
                item.unlink()
            folder.rmdir()
            folder.write_text("in the way")

    with pytest.raises(RunStopped, match=r"cannot write the checkpoint .*folder") as stopped:
        run(1.0, checkpoint=folder / "run.ckpt", progress=progress)
    same(stopped.value.result, run(1.0))
