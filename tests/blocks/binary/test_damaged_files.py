"""Damaged files: read as far as they say something, or refused with our own error, and nothing hangs or ends."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import binary_files
import h5py
import numpy as np
import pytest
from damage import damaged

from blocks import Result
from blocks.binary import limits
from blocks.errors import KeelblocksError, ParameterError
from blocks.lab.identification.errors import LogError
from blocks.lab.identification.log import Log
from blocks.run.result import ResultError

SEEDS = range(120)


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Callable[[Path], Any]]:
    folder = tmp_path_factory.mktemp("binary")
    return {folder / name: read for name, read in binary_files.write_all(folder).items()}


def test_files_as_they_are_can_be_read(readers: dict[Path, Callable[[Path], Any]]) -> None:
    assert len(readers) >= 6
    for path, read in readers.items():
        read(path)


def test_damaged_files_of_every_kind(
    readers: dict[Path, Callable[[Path], Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SECONDS", 1.0)
    said: list[str] = []
    nameless: list[str] = []
    for seed in SEEDS:
        path, read = list(readers.items())[seed % len(readers)]
        broken = tmp_path / path.name
        broken.write_bytes(damaged(path.read_bytes(), seed))
        try:
            read(broken)
        except KeelblocksError as problem:
            said.append(str(problem))
            if path.name not in said[-1]:
                nameless.append(said[-1])
    assert len(said) > len(SEEDS) / 2
    assert not nameless
    assert not any("\n" in text for text in said)


def _attribute(item: Any, name: str, value: Any) -> None:
    del item.attrs[name]
    item.attrs[name] = value


def _huge(file: Any) -> None:
    """It takes no place in the file, because nothing is written into it."""
    big = file.create_dataset("big", (10**6, 10**6), chunks=(100, 100), dtype=np.float32)
    for axis in range(2):
        big.dims[axis].attach_scale(file.create_dataset(f"axis{axis}", (10**6,), chunks=(100,), dtype=np.int8))


def _put(data: Any, place: int, value: float) -> None:
    data[place] = value


WRONG: dict[str, tuple[Callable[[Any], None], str]] = {
    "a result of nobody": (lambda file: file.attrs.pop("status"), "it has no attribute 'status'"),
    "a status that is none": (
        lambda file: file.attrs.modify("status", "done"),
        "its status is 'done', none of end, st",
    ),
    "several statuses": (
        lambda file: _attribute(file, "status", [1.0, 2.0]),
        r"its status is array\(\[1., 2.\]\), none of",
    ),
    "a number as text": (
        lambda file: _attribute(file, "start", "0"),
        "its attribute 'start' must be a number, not '0'",
    ),
    "no end": (lambda file: file.attrs.pop("end"), "its attribute 'end' is missing"),
    "no time": (lambda file: file.move("time", "clock"), "has no variable 'time'"),
    "time of another unit": (lambda file: _attribute(file["time"], "units", "h"), "in s, not float64"),
    "times that go back": (lambda file: _put(file["time"], 3, 0.0), "its times do not increase"),
    "a time that is no number": (lambda file: _put(file["time"], 3, np.nan), "its times do not increase"),
    "times of another run": (lambda file: _put(file["time"], 20, 9.0), r"from 0 to 9 s, and the run from 0 to 2 s"),
    "units as a number": (
        lambda file: _attribute(file["sine.y"], "units", 1.0),
        "the units of 'sine.y' must be text, not np.float64.1.0.",
    ),
    "a huge variable": (
        _huge,
        r"'big' is 1000000×1000000, which takes 4,000,000 MB: more than a file of this size can hold",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_result(name: str, readers: dict[Path, Callable[[Path], Any]], tmp_path: Path) -> None:
    change, said = WRONG[name]
    path = tmp_path / "run.nc"
    whole = next(path for path in readers if path.name == "result.nc")
    path.write_bytes(whole.read_bytes())
    with h5py.File(path, "r+") as file:
        change(file)
    with pytest.raises(
        ResultError, match=rf"run\.nc is not a .*result, or it is damaged: .*({said})|not a result.*{said}"
    ):
        Result.load(path)


def test_a_file_that_hangs_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """HDF5 2.0 goes round in it for ever; another version may say what is wrong."""
    monkeypatch.setattr(limits, "SECONDS", 1.0)
    path = tmp_path / "run.nc"
    path.write_bytes(gzip.decompress(Path(__file__).with_name("hangs.nc.gz").read_bytes()))
    with pytest.raises(ResultError, match=r"run\.nc is not a NetCDF result, or it is damaged: "):
        Result.load(path)


def test_a_library_that_hangs(
    readers: dict[Path, Callable[[Path], Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SECONDS", 0.5)
    monkeypatch.setattr("blocks.binary.reading._idle", [])
    monkeypatch.setattr("blocks.binary.reading._START", "import time; time.sleep(1000)")
    monkeypatch.setattr("blocks.binary.reading._START_SECONDS", 0.5)
    for path, read in readers.items():
        if path.name != "own.nc":
            with pytest.raises(KeelblocksError, match=rf"{path.name}.*reading it takes more than \d+ s, which is long"):
                read(path)


def test_a_library_that_crashes(readers: dict[Path, Callable[[Path], Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blocks.binary.reading._idle", [])
    monkeypatch.setattr("blocks.binary.reading._START", "import ctypes; ctypes.string_at(0)")
    kinds = {"result.nc": ResultError, "grid.nc": ParameterError, "river.hdf": ParameterError, "log.nc": LogError}
    for path, read in readers.items():
        if path.name in kinds:
            with pytest.raises(kinds[path.name], match=r"the library that reads it crashed: .* ended by SIGSEGV"):
                read(path)


def test_names_that_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(ResultError, match=r"there is no result .*none\.nc"):
        Result.load(tmp_path / "none.nc")
    with pytest.raises(ResultError, match="is not a NetCDF result, or it is damaged: it is a folder"):
        Result.load(tmp_path)
    with pytest.raises(ResultError, match="it is no plain file"):
        Result.load("/dev/null")
    with pytest.raises(LogError, match="there is no file"):
        Log.read(tmp_path / "none.nc")
