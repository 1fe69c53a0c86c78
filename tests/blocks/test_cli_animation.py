"""`keelblocks run --animation`: the file, and what is found out before the run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from blocks.cli.commands import cli
from blocks.report import animate

ROOT = Path(__file__).parents[2]
LOS = str(ROOT / "examples" / "minerva_los.yaml")
SHORT = ("--end", "2", "--step", "0.02", "--every", "10", "--no-figures", "-o", "out")


@pytest.fixture(autouse=True)
def _few_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(animate.__kwdefaults__, "fps", 0.5)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["run", *arguments])


def fails(*arguments: str) -> str:
    """What is said where there can be no animation; nothing has been run or written then."""
    result = run(*arguments, *SHORT)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    assert not Path("out").exists()
    return " ".join(result.stderr.split())


def two_vessels(tmp_path: Path, report: str = "") -> str:
    """A scenario with two vessels, or with none."""
    body = "{type: dynamics.KinematicVehicle}"
    text = f"""\
keelblocks: 1
name: two
diagram:
  blocks:
    still: {{type: basic.Constant, parameters: {{value: [0, 0, 0, 0, 0, 0]}}}}
    red: {body}
    green: {body}
  connections: {{still.y: [red.force, green.force]}}
run: {{step: 0.1, end: 1}}
{report}
"""
    path = tmp_path / "two.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_mission_is_animated() -> None:
    result = run(LOS, *SHORT, "--animation", "films/dive.gif")
    assert result.exit_code == 0, result.output
    assert f"wrote {Path('films', 'dive.gif')}" in result.stdout
    with Image.open("films/dive.gif") as film:
        assert film.n_frames == 4
    assert sorted(path.name for path in Path("out").iterdir()) == ["minerva_los.nc", "minerva_los.yaml"]


def test_the_vessel_that_the_report_is_about_is_drawn(tmp_path: Path) -> None:
    scenario = two_vessels(tmp_path, "report: {vessel: green}")
    result = run(scenario, *SHORT, "--animation", "green.gif", "--json")
    assert result.exit_code == 0, result.output
    assert "green.gif" in json.loads(result.stdout)["files"]
    assert Path("green.gif").is_file()


def test_which_of_two_vessels_has_to_be_said(tmp_path: Path) -> None:
    message = fails(two_vessels(tmp_path), "--animation", "two.gif")
    assert "this diagram has 2 vessels, red, green; say in the scenario which one" in message
    assert "report: {vessel: red}" in message


def test_a_diagram_without_a_vessel_cannot_be_animated(tmp_path: Path) -> None:
    path = tmp_path / "lag.yaml"
    blocks = "{step: {type: basic.Step}, lag: {type: basic.FirstOrderLag, parameters: {time_constant: 1}}}"
    connections = "connections: {step.y: lag.u}"
    path.write_text(f"keelblocks: 1\nname: lag\ndiagram: {{blocks: {blocks}, {connections}}}\nrun: {{end: 1}}\n")
    assert "no vessel, a block with the outputs eta and nu" in fails(str(path), "--animation", "lag.gif")


def test_a_pose_that_is_not_recorded_is_found_out_before_the_run() -> None:
    message = fails(LOS, "--animation", "a.gif", "--record", "plant.thrusters.*")
    assert "plant.vessel.eta is not recorded" in message
    assert "add --record plant.vessel.eta" in message


def test_a_wrong_ending_and_a_missing_program_are_found_out_before_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "a.avi: the ending of an animation must be one of .gif, .mp4" in fails(LOS, "--animation", "a.avi")
    monkeypatch.setenv("PATH", "")
    assert "a.mp4: MP4 needs the program ffmpeg" in fails(LOS, "--animation", "a.mp4")


def test_a_result_is_kept_if_the_animation_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(animate.__kwdefaults__, "fps", 0.0)
    result = run(LOS, *SHORT, "--animation", "a.gif")
    assert result.exit_code == 2
    assert "animate: fps must be ≥ 0.1" in result.stderr
    assert Path("out/minerva_los.nc").is_file()
