"""FMUs in scenario files, on the command line, in drawings and in the schema."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner
from foreign_fmus import build

from blocks import simulate
from blocks.block import library
from blocks.cli.commands import cli
from blocks.errors import ScenarioError
from blocks.scenario import Scenario
from blocks.scenario.schema import schema
from fmu import FmuBlock

TEXT = """\
keelblocks: 1
name: heating
diagram:
  blocks:
    flow:
      type: basic.Constant
      parameters:
        value: 0.002
    tank:
      type: fmu.FmuBlock
      parameters:
        path: models/tank.fmu
        communication_step: 50 ms
        outlet.k: 0.02
        mode: high
        label: north
  connections:
    flow.y: tank.inflow
run:
  step: 0.05
  end: 1.0
"""


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    (tmp_path / "models").mkdir()
    build("tank", tmp_path / "models")
    path = tmp_path / "heating.yaml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def keelblocks(*arguments: object) -> Any:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def test_a_scenario_finds_its_fmu_from_anywhere(scenario: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    run = Scenario.load(scenario).run()
    assert run.values("tank.volume")[-1] == pytest.approx(0.5 + (2e-3 * 4 - 0.02 * 0.5), rel=1e-12)


def test_what_is_written_is_read_again(scenario: Path, tmp_path: Path) -> None:
    loaded = Scenario.load(scenario)
    written = loaded.save(tmp_path / "again.yaml").read_text(encoding="utf-8")
    for line in ("path: models/tank.fmu", "communication_step: 50 ms", "outlet.k: 0.02", "mode: high", "label: north"):
        assert f"        {line}" in written
    again = Scenario.load(tmp_path / "again.yaml")
    assert again == loaded
    assert again.diagram.plan().stored == loaded.diagram.plan().stored
    (tmp_path / "deep").mkdir()
    moved = loaded.save(tmp_path / "deep" / "moved.yaml")
    assert "path: ../models/tank.fmu" in moved.read_text(encoding="utf-8")
    assert Scenario.load(moved).diagram.plan().stored == loaded.diagram.plan().stored


def test_a_diagram_made_in_python_is_written(scenario: Path, tmp_path: Path) -> None:
    diagram = Scenario.load(scenario).diagram.copy()
    diagram.replace("tank", FmuBlock(tmp_path / "models" / "tank.fmu", parameters={"volume": 0.3}, isolate=True))
    written = Scenario(diagram, "own", settings={"end": 0.2, "step": 0.1}).save(tmp_path / "own.yaml")
    block = Scenario.load(written).diagram["tank"]
    assert isinstance(block, FmuBlock)
    assert (block.initial_volume, block.isolate, block.communication_step) == (0.3, True, 0.1)


def test_parameters_can_be_set_by_path(scenario: Path) -> None:
    loaded = Scenario.load(scenario)
    loaded.set("tank.initial_volume", "100 l")
    loaded.set("tank.mode", "off")
    assert loaded.run(end=0.1).values("tank.volume")[0] == pytest.approx(0.1)
    assert "mode: off" in loaded.to_yaml()


def test_the_type_may_be_written_without_its_family(scenario: Path) -> None:
    scenario.write_text(TEXT.replace("fmu.FmuBlock", "FmuBlock"), encoding="utf-8")
    loaded = Scenario.load(scenario)
    assert isinstance(loaded.diagram["tank"], FmuBlock)
    assert "type: fmu.FmuBlock" in Scenario(loaded.diagram).to_yaml()
    validator = jsonschema.Draft202012Validator(schema())
    data = loaded.to_data(scenario.parent)
    data["diagram"]["blocks"]["tank"]["type"] = "FmuBlock"
    assert list(validator.iter_errors(data)) == []
    del data["diagram"]["blocks"]["tank"]["parameters"]["path"]
    assert [error.message for error in validator.iter_errors(data)] == ["'path' is a required property"]


@pytest.mark.parametrize("command", ["check", "draw", "run", "export"])
def test_an_fmu_or_ssp_in_the_place_of_a_scenario(tmp_path: Path, command: str) -> None:
    ran = keelblocks(command, build("tank", tmp_path))
    assert ran.exit_code == 2
    assert "tank.fmu is a zip file, not a scenario: an FMU is a block in a scenario, type: fmu.FmuBlock" in ran.stderr
    assert "an SSP is opened in Python, with fmu.read_ssp" in ran.stderr
    ran = keelblocks("show", "mission.ssp")
    assert "'mission.ssp' is a system, not a block; it is opened in Python, with fmu.read_ssp" in ran.stderr


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("models/tank.fmu", "models/tnak.fmu", r"heating.yaml:12: tank: there is no FMU .*models.tnak.fmu"),
        (
            "        path: models/tank.fmu\n",
            "",
            r"heating.yaml:1\d: tank: fmu.FmuBlock.path is missing: the path of an FMU",
        ),
        (
            "path: models/tank.fmu",
            "path: heating.yaml",
            r"heating.yaml:12: tank: .*heating.yaml is no FMU: it is not a zip",
        ),
        (
            "outlet.k: 0.02",
            "outlet.j: 0.02",
            r"heating.yaml:14: no parameter 'outlet.j' on tank \(fmu.FmuBlock\); did you mean",
        ),
        ("mode: high", "mode: hihg", r"heating.yaml:15: tank.mode must be one of 'off', 'low', 'high', not 'hihg'"),
        ("50 ms", "50 m", r"heating.yaml:13: tank.communication_step: '50 m' is in m, but s is wanted"),
        ("tank.inflow", "tank.inflw", r"heating.yaml:18: no port 'inflw' on tank; did you mean 'inflow'"),
    ],
)
def test_mistakes_have_lines(scenario: Path, old: str, new: str, said: str) -> None:
    assert old in TEXT
    scenario.write_text(TEXT.replace(old, new), encoding="utf-8")
    with pytest.raises(ScenarioError, match=said):
        Scenario.load(scenario)


def test_the_commands_take_it(scenario: Path, tmp_path: Path) -> None:
    ran = keelblocks("check", scenario)
    assert (ran.exit_code, "in order: 2 blocks" in ran.output) == (0, True)
    drawn = tmp_path / "drawn.svg"
    assert keelblocks("draw", scenario, "--output", drawn).exit_code == 0
    assert all(word in drawn.read_text(encoding="utf-8") for word in ("tank", "Heated_tank", "inflow", "volume"))
    assert keelblocks("run", scenario, "--output", tmp_path / "out", "--quiet").exit_code == 0


def test_a_run_that_the_fmu_stops_keeps_its_record_and_shows_no_traceback(tmp_path: Path) -> None:
    build("trouble", tmp_path)
    text = (
        "keelblocks: 1\nname: bad\ndiagram:\n  blocks:\n    pump:\n      type: fmu.FmuBlock\n      parameters:\n"
        "        {path: trouble.fmu, communication_step: 0.1, kind: segfault, isolate: true}\n"
        "run: {step: 0.1, end: 1.0}\n"
    )
    (tmp_path / "bad.yaml").write_text(text, encoding="utf-8")
    command = [sys.executable, "-c", "from blocks.cli import main; main()", "run", "bad.yaml", "--output", "out"]
    ran = subprocess.run([*command, "--no-figures"], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ran.returncode != 0
    assert "pump stopped the run at t = 0.5 s" in ran.stderr
    assert "SIGSEGV" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert list((tmp_path / "out").iterdir())


def test_an_fmu_is_shown_as_the_block_that_it_is(tmp_path: Path) -> None:
    path = build("tank", tmp_path)
    shown = keelblocks("show", path)
    assert shown.exit_code == 0
    assert all(word in shown.output for word in ("fmu.FmuBlock", "A heated tank", "supply_temperature", "outlet_k"))
    found = json.loads(keelblocks("show", path, "--json").output)
    assert [port["name"] for port in found["outputs"]] == ["volume", "power", "level", "steps", "overflow"]
    broken = tmp_path / "broken.fmu"
    broken.write_bytes(path.read_bytes()[:1000])
    wrong = keelblocks("show", broken)
    assert wrong.exit_code != 0
    assert "broken.fmu is no FMU" in wrong.stderr


def test_the_library_lists_it() -> None:
    assert "fmu.FmuBlock" in library()
    listed = keelblocks("list").output
    assert "fmu.FmuBlock" in listed
    assert "An FMU of FMI 1.0, 2.0 or 3.0" in listed  # the rest may be on the next line
    shown = keelblocks("show", "FmuBlock").output
    assert "communication_step" in shown
    assert not any(cls.__name__ == "Heated_tank" for cls in library().values()), "single FMUs are not in the library"


def test_the_schema_takes_it(scenario: Path) -> None:
    validator = jsonschema.Draft202012Validator(schema())
    assert list(validator.iter_errors(Scenario.load(scenario).to_data(scenario.parent))) == []


def test_a_run_of_the_block_alone_is_named_after_the_model(tmp_path: Path) -> None:
    assert "heated_tank.volume" in simulate(FmuBlock(build("tank", tmp_path)), 0.1, step=0.1)


def test_the_command_line_warns_in_one_line(tmp_path: Path) -> None:
    """On standard error, once, without the place in the source of Keelblocks."""
    path = build("carrier", tmp_path)
    text = f"""\
keelblocks: 1
name: s
diagram:
  blocks:
    b: {{type: FmuBlock, parameters: {{path: {path}, communication_step: 0.25}}}}
run: {{end: 0.5, step: 0.25}}
"""
    (tmp_path / "s.yaml").write_text(text, encoding="utf-8")
    command = [sys.executable, "-c", "from blocks.cli import main; main()", "run", str(tmp_path / "s.yaml")]
    done = subprocess.run([*command, "--no-figures"], capture_output=True, text=True, cwd=tmp_path, check=True)
    said = [line for line in done.stderr.splitlines() if "Warning" in line]
    assert len(said) == 1, done.stderr
    assert said[0].startswith("Warning: ")
    assert said[0].endswith("may be up to 0.1 s older or newer")
