"""The identification of the example: the truth that its logs were made from lies in every interval."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from click.testing import CliRunner

from blocks.cli.commands import cli

EXAMPLE = Path(__file__).parents[2] / "examples" / "identify_otter.py"
LOGS = EXAMPLE.with_name("identification")
PAGE = EXAMPLE.parents[1] / "docs" / "identification.md"


@pytest.fixture(scope="module")
def example() -> Any:
    """The names of the example."""
    return runpy.run_path(str(EXAMPLE))


def test_the_command_finds_the_truth_in_a_file(example: Any, tmp_path: Path) -> None:
    """Of surge, in the straight trial of the shipped files; the script below fits all of them."""
    shipped = yaml.safe_load((LOGS / "otter.yaml").read_text(encoding="utf-8"))
    assert set(shipped["parameters"]) == set(example["TRUTH"])
    surge = [name for name in shipped["parameters"] if name.endswith("[X,u]")]
    shipped |= {"data": str(LOGS / "push_and_coast.csv"), "inputs": {"force[X]": "thrust"}, "outputs": {"nu[u]": "u"}}
    shipped |= {
        "parameters": {name: shipped["parameters"][name] for name in surge},
        "hold_out": 0.3,
        "confidence": 0.999,
    }
    (tmp_path / "surge.yaml").write_text(yaml.safe_dump(shipped), encoding="utf-8")
    made = CliRunner().invoke(
        cli, ["lab", "identify", str(tmp_path / "surge.yaml"), "--json", "--output", str(tmp_path / "out")]
    )
    assert made.exit_code == 0, made.output
    found = json.loads(made.output)
    assert len(found["parameters"]) == 2
    for name in surge:
        low, high = found["parameters"][name]["interval"]
        assert low < example["TRUTH"][name] < high, name
        assert high - low < 0.1 * example["TRUTH"][name]
    assert (found["inputs"]["thrust"]["interpolation"], found["inputs"]["thrust"]["source"]) == ("hold", "data")
    assert found["score"]["nu[u]"] > 0.9
    assert found["warnings"] == []


def test_the_script_finds_the_truth_and_the_page_shows_what_it_prints(
    example: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    example["main"]()
    printed = capsys.readouterr().out
    assert printed.count(", within the interval") == len(example["TRUTH"])
    assert printed.count(": held, found from the data") == 2
    rows = dict(re.findall(r"^(\S+)\s+\S+\s+\S+\s+(\S+ … \S+)", printed, re.M))
    page = PAGE.read_text(encoding="utf-8").replace("\\|", "|")
    for name in example["TRUTH"]:
        low, high = map(float, rows[name].split(" … "))
        shown = re.search(rf"^\| `{re.escape(name)}` \| \S+ \| \S+ \| (\S+) … (\S+) \|", page, re.M)
        assert shown, name
        assert [float(shown[1]), float(shown[2])] == pytest.approx([low, high], rel=2e-4)
    assert (tmp_path / "identify_otter.png").stat().st_size > 10_000


def test_the_files_are_what_the_script_writes(example: Any, tmp_path: Path) -> None:
    example["write_logs"](tmp_path)
    names = sorted(path.name for path in LOGS.glob("*.csv") if not path.name.startswith("tanker"))
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    for name in names:
        mine, shipped = (np.loadtxt(folder / name, delimiter=",", skiprows=1) for folder in (tmp_path, LOGS))
        np.testing.assert_allclose(mine, shipped, atol=1.1e-3, err_msg=name)
