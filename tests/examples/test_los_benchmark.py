"""The benchmark of line-of-sight laws: what has to hold of each law in a steady current."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from blocks.cli.commands import cli

FILE = Path(__file__).parents[2] / "examples" / "comparisons" / "los_benchmark.yaml"

CURRENTS = {"slack": 0.0, "0.15 m/s to E": 0.15, "0.3 m/s to E": 0.3, "0.3 m/s to SW": 0.3 * np.sin(np.radians(225.0))}
"""To the east, m/s. The last leg leads south, at 1 m/s through the water, so sin β is minus that."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    """All members as the command writes them, with four times the step of the file."""
    folder = tmp_path_factory.mktemp("los_benchmark")
    made = CliRunner().invoke(cli, ["lab", "compare", str(FILE), "--step", "0.2", "--output", str(folder), "--quiet"])
    assert made.exit_code == 0, made.output
    found = pd.read_csv(folder / "table.csv")
    assert found.status.tolist() == ["stopped"] * 48
    return found.set_index(["law", "current"])


@pytest.mark.parametrize("current", [name for name in CURRENTS if name != "slack"])
@pytest.mark.parametrize("lookahead", [4.0, 6.0, 8.0])
def test_plain_los_settles_at_lookahead_times_the_tangent_of_the_drift_angle(table, current, lookahead) -> None:
    beta = np.arcsin(-CURRENTS[current])
    assert table.offset[f"LOS, Δ {lookahead:g} m", current] == pytest.approx(lookahead * np.tan(beta), rel=0.01)


def test_the_page_shows_where_each_law_settles(table) -> None:
    page = (FILE.parents[2] / "docs" / "los_benchmark.md").read_text(encoding="utf-8")
    columns = list(CURRENTS)
    rows = re.findall(r"^\| ((?:LOS|PI|ILOS|ALOS), [^|]*?)(?: 1/\(m s\)| m/s)? \|((?: -?\d\.\d{3} \|){4})$", page, re.M)
    assert len(rows) == 12
    for law, numbers in rows:
        shown = [float(number) for number in numbers.split("|")[:-1]]
        assert shown == pytest.approx([table.offset[law, current] for current in columns], rel=0.01, abs=0.005), law


@pytest.mark.parametrize("law", ["PI, kᵢ 0.004", "PI, kᵢ 0.006", "ILOS, κ 0.2", "ALOS, γ 0.004", "ALOS, γ 0.006"])
def test_laws_with_a_memory_return_to_the_leg(table, law) -> None:
    assert table.offset[law].abs().max() < 0.02


def test_ilos_with_next_to_no_gain_is_los(table) -> None:
    """Its integral takes Δ/κ, 100 minutes, to find the drift; the run lasts 24."""
    ilos, los = table.loc["ILOS, κ 0.001"], table.loc["LOS, Δ 6 m"]
    assert ilos.error.to_numpy() == pytest.approx(los.error.to_numpy(), rel=0.005)
    assert ilos.offset.to_numpy() == pytest.approx(los.offset.to_numpy(), rel=0.01, abs=0.005)
    assert table.offset["ILOS, κ 0.2"].abs().max() < 0.01 * los.offset.abs().max()


def test_laws_differ_by_less_than_a_hundredth_in_energy_within_one_current(table) -> None:
    energy = table.energy.groupby("current")
    assert (energy.max() / energy.min()).max() < 1.01
    assert table.energy.max() / table.energy.min() > 1.1  # currents differ by much more
