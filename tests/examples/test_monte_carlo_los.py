"""LOS and ILOS in uncertain currents: plain LOS settles at Δ tan β, an integral takes that away."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "monte_carlo_los.py"
PAGE = EXAMPLE.parents[1] / "docs" / "monte_carlo_los.md"


@pytest.fixture(scope="module")
def names() -> Any:
    """The names of the example."""
    return runpy.run_path(str(EXAMPLE))


@pytest.fixture(scope="module")
def calm(names: Any) -> Any:
    """Without gusts: 8 draws with each law and lookahead."""
    return names["study"](8, gust=0.0).run()


@pytest.fixture(scope="module")
def outcome(names: Any) -> Any:
    """24 draws."""
    return names["study"](24).run()


def drift(outcome: Any) -> Any:
    """β on a leg that leads north, at 1 m/s through the water."""
    data = outcome.dataset
    return np.arcsin(data["current"].values * np.sin(data["direction"].values))


def test_without_gusts_each_run_of_plain_los_settles_at_its_analytic_offset(names: Any, calm: Any) -> None:
    """Whatever mass and damping are: both differ between the draws. 160 m are 13 of the longest lookahead, in which the
    way to the steady state decays by e each, so that 1e-4 of the greatest offset is left."""
    data = calm.dataset
    assert np.ptp(data["mass"].values) > 15.0
    assert set(data["hull"].values) == {"clean", "fouled"}
    assert np.degrees(np.ptp(drift(calm))) > 25.0
    expected = np.outer(names["LOOKAHEADS"], np.tan(drift(calm)))
    assert data["offset"].sel(law="LOS").values == pytest.approx(expected, rel=2e-4, abs=1e-3)
    left = np.abs(data["offset"].sel(law="ILOS").values) / np.abs(expected)
    assert np.all(left.max(axis=1) < [0.001, 0.01, 0.12])  # it takes a length of about 2 Δ


def test_with_gusts_they_lie_about_the_line_and_the_integral_takes_it_away(names: Any, outcome: Any) -> None:
    for lookahead in names["LOOKAHEADS"]:
        assert names["slope"](outcome, "LOS", lookahead) == pytest.approx(1.0, abs=0.02)
        assert abs(names["slope"](outcome, "ILOS", lookahead)) < 0.05
    error = outcome.dataset["error"]
    assert np.all(error.sel(law="ILOS").mean("sample") < 0.75 * error.sel(law="LOS").mean("sample"))
    away = outcome.dataset["offset"].sel(law="LOS", lookahead=12.0).values - 12.0 * np.tan(drift(outcome))
    assert 0.05 < away.std() < 0.3  # m; this is gusts


def test_a_run_arrives_if_its_offset_is_within_the_acceptance_radius(names: Any, outcome: Any, calm: Any) -> None:
    """On legs north and south the current across is V sin β_c, on the leg east V cos β_c."""
    for found, margin in ((calm, 0.01), (outcome, 0.6)):  # m; gusts move a vehicle by that much
        data = found.dataset
        north, east = (np.arcsin(data["current"].values * f(data["direction"].values)) for f in (np.sin, np.cos))
        for lookahead in names["LOOKAHEADS"]:
            most = lookahead * np.tan(np.maximum(np.abs(north), np.abs(east)))
            clear = np.abs(most - names["RADIUS"]) > margin
            assert clear.sum() > 0.6 * clear.size
            arrived = data["arrived"].sel(law="LOS", lookahead=lookahead).values > 0.5
            assert np.array_equal(arrived[clear], most[clear] < names["RADIUS"])
    assert not arrived.all()
    ended = outcome.dataset["status"].values == "stopped"
    assert np.array_equal(ended, outcome.dataset["arrived"].values > 0.5)


def test_the_tracks_are_those_of_the_members(names: Any, outcome: Any) -> None:
    """A swarm runs them again: the mean of its last 20 points on the first leg is the offset of the study."""
    ways = names["tracks"](outcome, "LOS", 12.0, 3)
    offsets = outcome.dataset["offset"].sel(law="LOS", lookahead=12.0).values
    for way, offset in zip(ways, offsets, strict=False):
        reached = np.flatnonzero(np.hypot(way[:, 0] - 160.0, way[:, 1]) <= names["RADIUS"])
        last = reached[0] if reached.size else len(way)
        assert way[last - 20 : last, 1].mean() == offset


def test_the_same_seed_gives_the_same_table(names: Any) -> None:
    one, two, other = (names["study"](2, seed=seed).run(workers=n).table for seed, n in ((5, 1), (5, 2), (6, 2)))
    pd.testing.assert_frame_equal(one, two, check_exact=True)
    assert not np.isin(other["error"], one["error"]).any()
    assert one["gusts"].nunique() == 2  # gusts of its own for each draw, the same for each law
    assert one.groupby("sample")["gusts"].nunique().eq(1).all()


def test_the_page_shows_what_comes_out(names: Any, outcome: Any) -> None:
    """Rows as printed, with numbers that a 40th of the draws confirms, and shares that follow from currents alone."""
    page = PAGE.read_text(encoding="utf-8")
    shown = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith(("| LOS", "| ILOS"))]
    found = list(zip(*(column.cells for column in names["table"](outcome).columns), strict=True))
    assert [(row[0], row[1].removesuffix(" m")) for row in shown] == [row[:2] for row in found]
    numbers = np.array([[float(cell.split()[0]) for cell in row[2:]] for row in shown])
    here = np.array([[float(cell) for cell in row[2:]] for row in found])
    assert here[:, 0] == pytest.approx(numbers[:, 0], abs=8.0)  # %, three members of 24
    assert here[:, [1, 3]] == pytest.approx(numbers[:, [1, 3]], rel=0.12)
    assert here[:, -1] == pytest.approx(numbers[:, -1], rel=0.06)
    speed, direction = np.meshgrid((np.arange(1000) + 0.5) / 2000.0, (np.arange(1000) + 0.5) * 2.0 * np.pi / 1000.0)
    across = speed * np.maximum(np.abs(np.sin(direction)), np.abs(np.cos(direction)))
    shares = [100.0 * (across < np.sin(np.arctan(4.0 / lookahead))).mean() for lookahead in (4.0, 8.0, 12.0)]
    assert "{:.0f} %, {:.1f} % and {:.1f} %".format(*shares) in page


def test_the_command_writes_its_files(
    names: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(names["SETTINGS"], "savefig.dpi", 20.0)  # for speed
    folder = tmp_path / "out"
    names["main"](["--members", "7", "--output", str(folder), "--workers", "1", "--table", "csv"])
    assert capsys.readouterr().out.startswith("12 members: ")
    assert len(pd.read_csv(folder / "monte_carlo_los.csv")) == 12
    assert (folder / "monte_carlo_los.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--members", "0"], 2, "argument --members: must be at least 1, not 0"),
        (["--workers", "-2"], 2, "argument --workers: must be at least 1, not -2"),
        (["--output", __file__], 1, f"cannot write into {__file__}: File exists; --output names another folder"),
    ],
)
def test_what_is_not_possible_is_told(
    names: Any, arguments: list[str], code: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        names["main"](arguments)
    assert left.value.code == code
    assert told in capsys.readouterr().err
