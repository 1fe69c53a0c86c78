"""Where files are read: one's own in this process, those of others in a child, from wherever that is asked."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import h5netcdf
import h5py
import numpy as np
import pytest
import xarray as xr
from reading_elsewhere import foreign, in_a_daemon

from blocks import Result, simulate
from blocks.basic import Sine
from blocks.binary import plain, reading
from blocks.binary.limits import Unreadable


def saved(path: Path) -> Path:
    return simulate(Sine(1.0, 1.0), 1.0, step=0.1).save(path)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What child processes are asked for."""
    found: list[str] = []

    def read(path: Any, method: str, *arguments: Any) -> Any:
        found.append(method)
        return reading.read(path, method, *arguments)

    monkeypatch.setattr("blocks.binary.netcdf.read", read)
    return found


def test_ones_own_file_needs_no_other_process(asked: list[str], tmp_path: Path) -> None:
    path = saved(tmp_path / "run.nc")
    here = Result.load(path)
    assert asked == []
    path.write_bytes(path.read_bytes()[:-84])  # as before there were checksums
    xr.testing.assert_identical(Result.load(path).dataset, here.dataset)
    assert asked == ["read_netcdf"]


def test_a_file_that_was_changed_is_told(asked: list[str], tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = saved(tmp_path / "run.nc")
    content = bytearray(path.read_bytes())
    place = content.index(np.sin(0.5).tobytes())
    content[place] ^= 1
    path.write_bytes(content)
    assert Result.load(path)["sine.y"][5] != np.sin(0.5)
    assert asked == ["read_netcdf"]
    assert "run.nc is not as Keelblocks wrote it: its checksum does not match; it was changed or damaged" in caplog.text


def test_what_others_write_into_it_is_read(asked: list[str], tmp_path: Path) -> None:
    path = saved(tmp_path / "run.nc")
    with h5py.File(path, "r+") as file:
        file.attrs["comment"] = "mine " * 1000
        file["extra"] = np.arange(11.0)
        file["extra"].dims[0].attach_scale(file["time"])
    loaded = Result.load(path)
    assert asked == ["read_netcdf"]
    assert loaded.attributes["comment"].startswith("mine")
    assert loaded["extra"].dims == ("time",)


def test_other_tools_open_a_file_with_a_checksum(tmp_path: Path) -> None:
    path = saved(tmp_path / "run.nc")
    with h5py.File(path) as file:
        assert file["sine.y"].shape == (11,)
    with h5netcdf.File(path) as file:
        assert list(file.dimensions) == ["time"]
    with xr.open_dataset(path, engine="h5netcdf") as opened:
        assert opened.sizes == {"time": 11}


def test_from_threads(tmp_path: Path) -> None:
    path = saved(tmp_path / "run.nc")
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(foreign, [path] * 12)) == [11] * 12


@pytest.mark.parametrize(
    "method", ["spawn", pytest.param("fork", marks=pytest.mark.skipif(sys.platform == "win32", reason="none"))]
)
@pytest.mark.filterwarnings("ignore:This process")
def test_from_daemons_that_may_have_no_children(tmp_path: Path, method: str) -> None:
    """A fork takes over the children that are idle here, and must leave them alone."""
    path = saved(tmp_path / "run.nc")
    assert foreign(path) == 11
    idle = [reader.child.pid for reader in reading._idle]
    context = multiprocessing.get_context(method)
    answers = context.Queue()
    process = context.Process(target=in_a_daemon, args=(path, answers), daemon=True)
    process.start()
    assert answers.get(timeout=60.0) == 11
    process.join(60.0)
    assert foreign(path) == 11
    assert [reader.child.pid for reader in reading._idle] == idle


def test_from_a_script_that_ends_at_once(tmp_path: Path) -> None:
    """Without a guard for __main__, and with nothing left behind that says something."""
    path = saved(tmp_path / "run.nc")
    path.write_bytes(path.read_bytes()[:-84])
    script = f"from blocks import Result; print(len(Result.load({str(path)!r})))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60.0, check=True)
    assert (done.stdout, done.stderr) == ("11\n", "")


def test_a_child_that_has_gone_is_replaced(tmp_path: Path) -> None:
    path = saved(tmp_path / "run.nc")
    foreign(path)
    for reader in reading._idle:
        reader.child.end()
    assert foreign(path) == 11


# --- what comes out of a child --------------------------------------------------------------------------------------


def test_plain_data_comes_out_as_it_went_in() -> None:
    given = {
        "a": np.arange(6.0).reshape(2, 3), "b": ["x", 1, 2.5, None, True], "c": b"\0\xff", "d": np.float32(0.1),
        "e": np.array(["é", ""], dtype=object), "f": np.zeros((0, 3), dtype="<i2"), "g": float("inf"),
        "h": np.array(["2024-01-01"], dtype="M8[ns]"),
    }  # fmt: skip
    text, parts = plain.pack(given)
    found = plain.unpack(text, bytearray(b"".join(parts)))
    assert list(found) == list(given)
    for name, value in given.items():
        if isinstance(value, (np.ndarray, np.generic)):
            np.testing.assert_array_equal(found[name], value)
            assert found[name].dtype == value.dtype
        else:
            assert found[name] == value


@pytest.mark.parametrize(
    "text",
    [
        "", "[", "{}", '{"array": "|O8", "shape": [1], "size": 8}', '{"array": "<f8", "shape": [9], "size": 8}',
        '{"array": "<f8", "shape": [-1], "size": 8}', '{"array": "<f8", "shape": [99999999999], "size": 799999999992}',
        '{"texts": [1], "shape": [1]}', '{"texts": "ab", "shape": [3]}', "[" * 10_000, '{"map": [1]}', "3",
    ],
)  # fmt: skip
def test_nonsense_of_a_child_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        plain.unpack(text, bytearray(8))


def test_nonsense_of_a_child_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = saved(tmp_path / "run.nc")
    foreign(path)
    monkeypatch.setattr("blocks.binary.reading.unpack", lambda text, content: plain.unpack("[", content))
    with pytest.raises(Unreadable, match="the process that reads it gave an invalid answer"):
        foreign(path)
