"""`keelblocks copy` and `list examples`: what is named comes along, and nothing of one's own is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from blocks.cli.commands import cli
from blocks.ready.examples import KINDS, examples, files_of


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def test_a_study_comes_with_its_scenario(tmp_path: Path) -> None:
    done = run("copy", "minerva_currents", str(tmp_path))
    assert done.exit_code == 0, done.output
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.yaml")}
    assert written == {"studies/minerva_currents.yaml", "minerva_survey.yaml"}
    assert f"keelblocks study run {tmp_path}/studies/minerva_currents.yaml" in done.output
    changed = tmp_path / "minerva_survey.yaml"
    changed.write_text("mine", encoding="utf-8")
    refused = run("copy", "minerva_currents", str(tmp_path))
    assert refused.exit_code == 2
    assert f"{changed} is there already, and is not the same: --force replaces it" in refused.stderr
    assert changed.read_text(encoding="utf-8") == "mine"
    assert run("copy", "minerva_currents", str(tmp_path), "--force").exit_code == 0
    assert "keelblocks: 1" in changed.read_text(encoding="utf-8")


def test_every_example_says_what_it_shows_and_names_files_that_are_there() -> None:
    listed = json.loads(run("list", "examples", "--json").output)
    assert {row["kind"] for row in listed} == {*KINDS.values(), "script", "folder"}
    assert all(len(row["what it shows"]) > 12 for row in listed)
    needed = {name: {file.as_posix() for file in files_of(one)} for name, one in examples().items()}
    assert "otter_policy.npz" in needed["learn_otter"]
    assert "identification/zigzag.csv" in needed["identification/otter"]
    assert "wave_energy/wave_energy/end_stops.pxd" in needed["wave_energy"]
    assert not any("__" in file and "__init__" not in file for files in needed.values() for file in files)


def test_names_that_are_wrong_lead_to_the_right_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "there is no example 'minerva_loss'; did you mean 'minerva_los'" in run("copy", "minerva_loss").stderr
    told = "there is no scenario otter_los; 'otter_los' is an example: keelblocks copy otter_los writes it"
    assert told in run("run", "otter_los").stderr
