"""Files are written whole or not at all, and what is no path is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from blocks import Result
from blocks.environment import CurrentField
from blocks.errors import FmuError, KeelblocksError, ParameterError, ScenarioError, SimulationError
from blocks.files.writing import is_file, is_folder, replacing, write_together
from blocks.lab.comparison import Comparison
from blocks.lab.identification import Identification, Log, LogError
from blocks.lab.tuning import Tuning
from blocks.run.checkpoint import Checkpoint
from blocks.run.result import ResultError
from blocks.scenario import Scenario
from blocks.study import StudyError
from blocks.study.file import StudyDocument
from blocks.study.store import Store
from fmu import read_ssp
from fmu.foreign.unpack import open_fmu


def test_a_file_is_replaced_when_all_went_well(tmp_path: Path) -> None:
    target = tmp_path / "new" / "file.txt"
    with replacing(target) as part:
        part.write_text("one")
        assert part.suffix == ".txt"
        assert not target.exists()
    assert target.read_text() == "one"
    assert list(target.parent.iterdir()) == [target]


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "file.txt"
    target.write_text("before")

    def fail() -> None:
        with replacing(target) as part:
            part.write_text("half")
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        fail()
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_files_are_readable_as_any_other(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    with replacing(tmp_path / "file") as part:
        part.touch()
    assert (tmp_path / "file").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_what_cannot_be_the_name_of_a_file_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert is_file(tmp_path / "file")
    assert is_folder(tmp_path)
    for name in ("a" * 5000, "a\0b", "nothing", "file/more"):
        assert not is_file(tmp_path / name)
        assert not is_folder(tmp_path / name)


def test_files_that_belong_together_are_all_new_or_all_old(tmp_path: Path) -> None:
    write_together(tmp_path, {"a": b"old", "deep/b": b"old"})
    (tmp_path / "c").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_together(tmp_path, {"a": b"new", "deep/b": b"new", "d": b"new", "c": b"new"})
    assert [path.read_bytes() for path in (tmp_path / "a", tmp_path / "deep/b")] == [b"old", b"old"]
    assert {path.name for path in tmp_path.rglob("*")} == {"a", "deep", "b", "c"}


LOADERS: dict[str, tuple[Callable[[Any], object], type[KeelblocksError]]] = {
    "a result": (Result.load, ResultError), "a scenario": (Scenario.load, ScenarioError),
    "a checkpoint": (Checkpoint.load, SimulationError), "an SSP": (read_ssp, FmuError),
    "a log": (Log.read, LogError), "a study": (StudyDocument.load, ScenarioError),
    "an identification": (Identification.load, ScenarioError), "a tuning": (Tuning.load, ScenarioError),
    "a comparison": (Comparison.load, ScenarioError),
    "the file of CurrentField": (CurrentField.from_file, ParameterError),
    "the folder of a study": (lambda path: Store(path, {}), StudyError), "an FMU": (open_fmu, FmuError),
}  # fmt: skip


@pytest.mark.parametrize("what", LOADERS)
@pytest.mark.parametrize(
    ("given", "said"),
    [
        (3, "must be text or a pathlib.Path, not 3"),
        (None, "must be text or a pathlib.Path, not None"),
        (b"a.nc", "must be text or a pathlib.Path, not b'a.nc'"),
        ("", "is empty"),
        ("a\0b.nc", r"has a character that no path can have: 'a\x00b.nc'"),
        ("\ud800.nc", r"has a character that no path can have: '\ud800.nc'"),
    ],
)
def test_what_is_no_path_is_refused_in_words_by_all_that_read(what: str, given: Any, said: str) -> None:
    load, error = LOADERS[what]
    with pytest.raises(error) as caught:
        load(given)
    assert str(caught.value) == f"the path of {what} {said}"
