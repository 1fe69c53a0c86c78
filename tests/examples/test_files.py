"""Example files by their commands: what comes out is what physics and pages say. Others are with their scripts."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from blocks import Result
from blocks.cli.commands import cli

ROOT = Path(__file__).resolve().parents[2]
_ROW = r"^(\w+\S*\..*?) {2,}(\S+) +(\S+)"


def command(*arguments: str) -> str:
    made = CliRunner().invoke(cli, list(arguments))
    assert made.exit_code == 0, made.output
    return made.output


def test_the_otter_crabs_by_the_drift_angle(tmp_path: Path) -> None:
    """Across 0.3 m/s to E, at 1 m/s through the water: sin β = 0.3, so Δ tan β beside the legs to N and S, cos β along
    them; 1.3 m/s along those to E. What corners save is in the length of the path."""
    command("run", str(ROOT / "examples" / "otter_los.yaml"), "--output", str(tmp_path), "--no-figures", "--quiet")
    run = Result.load(tmp_path / "otter_los.nc")
    beta = np.arcsin(0.3)
    assert float(run["guidance.cross_track_error"][-1]) == pytest.approx(-6.0 * np.tan(beta), rel=2e-3)
    path = np.hypot(*np.diff(run["vessel.eta"].values[:, :2], axis=0).T).sum()
    time = (4 * 300.0 / np.cos(beta) + 3 * 80.0 / 1.3) * path / 1440.0
    assert float(run["time"][-1]) == pytest.approx(time, rel=5e-3)


def test_tuning_finds_what_its_page_shows(tmp_path: Path) -> None:
    """A last bit sends the search another way, so gains may differ elsewhere; what they are worth may not."""
    file = ROOT / "examples" / "tuning" / "otter_heading.yaml"
    printed = command("lab", "tune", str(file), "--output", str(tmp_path))
    page = (ROOT / "docs" / "tuning.md").read_text(encoding="utf-8")
    shown, found = (
        {row: (float(before), float(tuned)) for row, before, tuned in re.findall(_ROW, text, re.M)}
        for text in (page, printed)
    )
    error, effort = "rms(guidance.cross_track_error), m", "rms(heading.output)"
    assert list(found) == [error, effort, "guidance.kp, 1/m", "guidance.ki, 1/(m*s)", "heading.kp[0]"]
    for row, (before, _) in found.items():
        assert shown[row][0] == pytest.approx(before, rel=1e-3)
    assert found[error][1] == pytest.approx(shown[error][1], rel=0.03)
    assert found[effort][1] == pytest.approx(6.0, rel=0.01)
    assert found[effort][1] <= 6.0
