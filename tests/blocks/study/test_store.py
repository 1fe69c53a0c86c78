"""A folder keeps what is done: a study that was killed goes on from there, and another one is refused."""

from __future__ import annotations

import functools
import inspect
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from damage import damaged
from numpy.typing import NDArray
from study_subjects import blow_up, noisy_study

from blocks import Result
from blocks.binary.netcdf import write_netcdf
from blocks.files.arrays import read_arrays, write_arrays
from blocks.study import Metric, Study, StudyError, StudyStopped
from blocks.study.store import Store, read_folder

SLOW = """\
import time
from study_subjects import noisy_study

noisy_study().run("serial", batch=2, folder="kept", progress=lambda *numbers: time.sleep(0.05), compiled={})
"""


def test_a_killed_study_goes_on_from_its_folder(compiled: bool) -> None:
    import study_subjects

    Path("slow.py").write_text(SLOW.format(compiled))
    path = os.pathsep.join([os.environ["PYTHONPATH"], str(Path(study_subjects.__file__).parent)])
    process = subprocess.Popen([sys.executable, "slow.py"], env={**os.environ, "PYTHONPATH": path})
    parts = Path("kept/members")
    deadline = time.monotonic() + 60.0
    while not (parts.is_dir() and len(list(parts.glob("0*.npz"))) >= 3):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    process.kill()
    process.wait()
    _, there = read_folder(Path("kept"))
    assert 6 <= there.done < 24
    seen: list[int] = []
    outcome = noisy_study().run(
        "serial", batch=1, folder="kept", progress=lambda done, *rest: seen.append(done), compiled=compiled
    )
    assert seen == list(range(there.done + 1, 25))
    expected = noisy_study().run("serial")
    assert outcome.table.equals(expected.table)
    assert noisy_study().run(folder="kept", progress=lambda *numbers: pytest.fail("all is done")).complete


def test_failures_are_kept_and_damaged_files_are_run_again(compiled: bool) -> None:
    study = Study(blow_up(), {"x.initial_x": [0.1, 2.0, 0.2]}, {"x": "final(x.y)"}, end=1.0, step=0.05)
    first = study.run("serial", folder="kept", batch=1)
    assert list(first.reasons) == [1]
    again = study.run("serial", folder="kept", progress=lambda *numbers: pytest.fail("all is done"))
    assert again.table.equals(first.table)
    damaged, foreign, _ = sorted(Path("kept/members").glob("0*.npz"))
    damaged.write_bytes(damaged.read_bytes()[:100])
    foreign.write_bytes(b"")
    seen: list[int] = []
    mended = study.run(
        "serial", folder="kept", batch=2, progress=lambda done, *rest: seen.append(done), compiled=compiled
    )
    assert seen[-1] == 3
    assert mended.table.equals(first.table)


OTHERS = {
    "seed": ({"seed": 8}, "seed, 7 there and 8 here; values of factors, seeds or inputs differ"),
    "end": ({"end": 3.0}, "end, 2.0 there and 3.0 here differs"),
    "step": ({"step": 0.02}, "step, 0.01 there and 0.02 here; the diagram or its parameters differ"),
    "factor": ({"values": [0.2, 0.5, 2.0]}, "factors lag.time_constant; values of factors, seeds or inputs differ"),
    "metric": ({"metric": "mean(lag.y)"}, "metrics rms differs"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_another_study_is_refused_and_says_what_differs(name: str) -> None:
    from study_subjects import noise

    def study(end=2.0, step=0.01, seed=7, values=(0.2, 0.5, 1.0), metric="rms(lag.y)") -> Study:
        factors = {"lag.time_constant": list(values)}
        return Study(noise(), factors, {"rms": metric}, end=end, step=step, seed=seed, replicates=2, seeds="noise.seed")

    changes, message = OTHERS[name]
    study().run("serial", folder="kept")
    with pytest.raises(StudyError, match=f"kept holds another study: {message}; take another folder"):
        study(**changes).run("serial", folder="kept")
    assert study().run("serial", folder="kept").complete


def threshold(level: float) -> Metric:
    """A metric whose function has a variable around it."""
    return Metric(lambda result: float(np.mean(result.values("lag.y") > level)), "lag.y")


def above(result: Result, level: float) -> float:
    return float(np.mean(result.values("lag.y") > level))


def test_functions_are_told_apart_by_what_they_bring_along() -> None:
    one = threshold(0.1).description()
    assert one == threshold(0.1).description()
    assert one != threshold(0.2).description()
    part = Metric(functools.partial(above, level=0.1), "lag.y").description()
    assert str(part["function"]).endswith("test_store.above")
    assert part != Metric(functools.partial(above, level=0.2), "lag.y").description()


def test_a_changed_block_in_python_makes_another_study(monkeypatch: pytest.MonkeyPatch) -> None:
    from study_subjects import Doubling, doubling

    def study() -> Study:
        return Study(doubling(), {"double.start": [1.0]}, {"x": "final(x.y)"}, end=1.0, step=0.1)

    study().run("serial", folder="kept")
    source = inspect.getsource(Doubling)
    monkeypatch.setattr(inspect, "getsource", lambda thing: source.replace("* 2.0", "* 3.0"))
    with pytest.raises(StudyError, match=r"kept holds another study: blocks written in Python study_subjects.Doubling"):
        study().run("serial", folder="kept")


def test_what_cannot_be_kept_is_not_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    from blocks.study import store

    added: list[int] = []
    add = store.Store.add

    def fill(self: store.Store, members: NDArray[np.int64], records: Any) -> None:
        added.extend(members.tolist())
        if len(added) > 8:
            raise StudyError("cannot keep members in kept: No space left on device")
        add(self, members, records)

    monkeypatch.setattr(store.Store, "add", fill)
    with pytest.raises(StudyStopped, match=r"No space left on device; 8 of 24 members are done; they are in") as caught:
        noisy_study().run("serial", batch=4, folder="kept")
    assert caught.value.outcome.records.done == 8
    assert read_folder(Path("kept"))[1].done == 8


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_is_an_error_and_no_crash() -> None:
    with pytest.raises(OSError, match="No space left on device"):
        write_netcdf(noisy_study().run("serial").dataset, "/dev/full")


def test_folders_that_cannot_be() -> None:
    Path("file").write_text("")
    with pytest.raises(StudyError, match=r"cannot keep the study in file"):
        noisy_study().run(folder="file")
    with pytest.raises(StudyError, match=r"there is no study in nowhere: it has no file study.json"):
        read_folder(Path("nowhere"))
    Path("odd/members").mkdir(parents=True)
    Path("odd/members/0.npz").write_text("")
    with pytest.raises(StudyError, match=r"odd holds members of a study, but not study.json"):
        noisy_study().run(folder="odd")


def test_a_folder_that_vanishes_is_said_and_what_is_done_is_kept() -> None:
    def vanish(done: int, total: int, failed: int) -> None:
        if Path("kept").exists():
            shutil.rmtree("kept")

    with pytest.raises(StudyStopped) as caught:
        noisy_study().run("serial", batch=2, folder="kept", progress=vanish)
    assert str(caught.value) == (
        "the folder kept, in which the study was kept, has vanished while it ran: nothing is kept there; "
        "run it again, in a folder that stays; 2 of 24 members are done"
    )
    assert caught.value.outcome.records.done == 2
    assert not Path("kept").exists()


def test_a_folder_that_vanishes_while_it_is_written_to_is_said_too(monkeypatch: pytest.MonkeyPatch) -> None:
    from blocks.study import store

    def vanish(file: Any, arrays: Any) -> None:
        shutil.rmtree("kept")
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(store, "write_arrays", vanish)
    with pytest.raises(StudyError, match="the folder kept, in which the study was kept, has vanished while it ran"):
        noisy_study().run("serial", folder="kept")


def test_a_folder_that_vanishes_as_it_is_made_is_said_too(monkeypatch: pytest.MonkeyPatch) -> None:
    iterdir = Path.iterdir

    def vanish(path: Path) -> Any:
        shutil.rmtree("kept")
        return iterdir(path)

    monkeypatch.setattr(Path, "iterdir", vanish)
    with pytest.raises(StudyError, match="the folder kept, in which the study was kept, has vanished while it ran"):
        Store("kept", {})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (lambda text: "[]", "it has no hash"),
        (lambda text: text[:-40], "Expecting|Unterminated|delimiter"),
        (lambda text: text.replace('"seed": 7', '"seed": 8'), "it was changed: its hash does not match"),
        (lambda text: "[" * 100_000, "it is nested too deep$"),
    ],
)
def test_a_damaged_description_is_written_anew(content: Any, said: str, caplog: pytest.LogCaptureFixture) -> None:
    """Members say themselves of which study they are."""
    whole = noisy_study().run("serial", folder="kept")
    path = Path("kept/study.json")
    path.write_text(content(path.read_text()))
    with pytest.raises(StudyError, match=rf"study.json cannot be read as the description of a study: .*({said})"):
        read_folder(Path("kept"))
    again = noisy_study().run(folder="kept", progress=lambda *numbers: pytest.fail("all is done"))
    assert again.table.equals(whole.table)
    assert "it is kept as study.json.damaged and written anew" in caplog.text
    assert read_folder(Path("kept"))[1].done == 24


def forged(change: Any) -> None:
    """Change what a file of members holds, and let its checksum hold."""
    part = next(Path("kept/members").glob("0*.npz"))
    content = read_arrays(part)
    change(content)
    with part.open("wb") as file:
        write_arrays(file, content)


def put(name: str, value: Any) -> Any:
    return lambda content: content.update({name: value})


def first(name: str, value: float) -> Any:
    return lambda content: content[name].reshape(-1).__setitem__(0, value)


FORGERIES: dict[str, tuple[Any, str]] = {
    "of another study": (put("study", "0123456789abcdef"), "it is of another study"),
    "other members": (first("members", 24), "its members are not among the 24 of the study"),
    "negative members": (first("members", -1), "its members are not among the 24"),
    "a member twice": (first("members", 23), "its members are not among the 24 of the study, each of them once"),
    "a status that is none": (first("status", 100), "its status 100 is none"),
    "not run": (first("status", 127), "its status 127 is none"),
    "an end that is none": (first("end_time", np.nan), "its end times are not all from 0 to 2 s"),
    "a later end": (first("end_time", 2.1), "its end times are not all from 0 to 2 s"),
    "a failure with metrics": (first("status", 3), "it has metrics of members that failed"),
    "metrics of another shape": (put("metrics", np.zeros((24, 1))), "its rows do not fit"),
    "metrics of another kind": (put("metrics", np.zeros((24, 2), dtype=np.float32)), "its metrics are not float64"),
    "reasons of nobody": (put("reasons", '{"99": "why"}'), "its reasons are none"),
    "reasons that are none": (put("reasons", "[" * 100_000), "its reasons are none"),
    "no status": (lambda content: content.pop("status"), "its status are not int8"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_members_that_cannot_be_are_run_again(name: str, caplog: pytest.LogCaptureFixture) -> None:
    change, said = FORGERIES[name]
    whole = noisy_study().run("serial", folder="kept", batch=24)
    forged(change)
    assert read_folder(Path("kept"))[1].done == 0
    seen: list[int] = []
    again = noisy_study().run("serial", folder="kept", progress=lambda done, *rest: seen.append(done))
    assert seen[-1] == 24
    assert again.table.equals(whole.table)
    assert "does not hold, and what it had is run again (it is kept with the ending .damaged)" in caplog.text
    assert said in caplog.text
    assert len(list(Path("kept/members").glob("*.npz.damaged"))) == 1


def test_members_without_a_checksum_are_run_again(caplog: pytest.LogCaptureFixture) -> None:
    """As they were before there was one: nobody can tell whether they are what was run."""
    noisy_study().run("serial", folder="kept", batch=24)
    part = next(Path("kept/members").glob("0*.npz"))
    content = {name: array for name, array in np.load(part).items() if name != "sha256"}
    np.savez(part, **content)
    assert noisy_study().run("serial", folder="kept").complete
    assert "it has no checksum: an older version or another program wrote it" in caplog.text


def test_damaged_members_are_never_believed_and_stop_nothing() -> None:
    whole = noisy_study().run("serial", folder="kept", batch=24).table
    part = next(Path("kept/members").glob("0*.npz"))
    content = part.read_bytes()
    for seed in range(150):
        for other in Path("kept/members").iterdir():
            other.unlink()
        part.write_bytes(damaged(content, seed))
        _, records = read_folder(Path("kept"))
        assert records.done in (0, 24)
        if records.done:  # the damage is where nothing is said
            found = noisy_study().run("serial", folder="kept", progress=lambda *numbers: pytest.fail("all is done"))
            assert found.table.equals(whole)
