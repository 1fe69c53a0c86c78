"""Upstream through a river: both tracks take the time and the energy that the flow along them asks for."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "river.py"
PAGE = EXAMPLE.parents[1] / "docs" / "river.md"


@pytest.fixture(scope="module")
def names() -> Any:
    """The names of the example."""
    return runpy.run_path(str(EXAMPLE))


@pytest.fixture(scope="module")
def path(names: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The river."""
    target = tmp_path_factory.mktemp("river") / "river.hdf"
    names["write_river"](target)
    return target


@pytest.fixture(scope="module")
def runs(names: Any, path: Path) -> Any:
    """Both tracks."""
    return names["upstream"](path)


def test_the_field_is_the_flow_that_was_written(names: Any, path: Path) -> None:
    """On a grid of 2 m a parabola of 0.8 m/s over 60 m is missed by less than 0.01 m/s; banks are dry."""
    field = names["river"](path)
    for offset, north in [(0.0, 60.0), (-12.0, 150.0), (20.0, 222.0)]:
        x, y = names["line"](offset, north)
        current = field.evaluate(eta=[x, y, 0.0, 0.0, 0.0, 0.0]).outputs["current"]
        down = names["bearing"](north) + np.pi
        expected = names["speed_of_flow"](offset) * np.array([np.cos(down), np.sin(down), 0.0])
        assert current == pytest.approx(expected, abs=0.01)
    x, y = names["line"](-36.0, 75.0)  # land within the bend
    assert not field.evaluate(eta=[x, y, 0.0, 0.0, 0.0, 0.0]).outputs["current"].any()


def test_each_track_takes_the_time_that_its_flow_asks_for(names: Any, runs: Any) -> None:
    """Way over (speed through the water - flow), less than 2 % more for getting up to speed and for the bends."""
    for name, offset in names["TRACKS"].items():
        run = runs[name]
        assert run.values("guidance.finished")[-1] == 1.0
        way = names["distance"](run)[-1]
        expected = way / (names["SPEED"] - names["speed_of_flow"](offset))
        assert expected < run.time[-1] < 1.02 * expected
        assert np.abs(run.values("guidance.cross_track_error")).max() < 0.4


def test_energy_follows_the_time_because_the_water_passes_at_one_speed(runs: Any) -> None:
    time, energy = ([f(runs[name]) for name in ("midstream", "bank")] for f in (_time, _energy))
    assert energy[0] / energy[1] == pytest.approx(time[0] / time[1], rel=0.02)
    assert energy[0] > 1.6 * energy[1]


def _time(run: Any) -> float:
    return float(run.time[-1])


def _energy(run: Any) -> float:
    return float(run.values("meter.energy")[-1])


def test_the_page_shows_what_comes_out(names: Any, runs: Any) -> None:
    lines = [line.strip("| ").split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines()]
    shown = [line for line in lines if line[0] in names["TRACKS"]]
    found = list(zip(*(column.cells for column in names["table"](runs).columns), strict=True))
    assert [tuple(line) for line in shown] == found


def test_the_command_writes_its_files(
    names: Any, runs: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(names["SETTINGS"], "savefig.dpi", 20.0)  # for speed
    monkeypatch.setitem(names["_go"].__globals__, "upstream", lambda path: runs)
    names["main"](["--output", str(tmp_path / "out")])
    assert re.search(r"midstream .* bank ", capsys.readouterr().out, re.S)
    assert (tmp_path / "out" / "river.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(SystemExit) as left:
        names["main"](["--output", __file__])
    assert left.value.code == 1
    assert f"cannot write into {__file__}: File exists" in capsys.readouterr().err
