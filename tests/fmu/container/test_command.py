"""`keelblocks export` of scenarios with FMUs in them: single FMUs, of the whole and of subsystems."""

from __future__ import annotations

import zipfile

import fmpy
import foreign_fmus
import numpy as np
import pytest
from click.testing import CliRunner

from blocks import simulate
from blocks.cli.commands import cli
from blocks.scenario import Scenario

SCENARIO = """\
keelblocks: 1
name: waterworks
diagram:
  blocks:
    station:
      diagram:
        blocks:
          tank:
            type: fmu.FmuBlock
            parameters: {path: tank.fmu, communication_step: 0.1, feedthrough: false}
        inputs: {opening: tank.opening}
        outputs: {volume: tank.volume}
    control:
      diagram:
        blocks:
          lag: {type: basic.FirstOrderLag, parameters: {time_constant: 0.3}}
        inputs: {level: lag.u}
        outputs: {opening: lag.y}
  connections:
    station.volume: control.level
    control.opening: station.opening
  outputs: {volume: station.volume}
run: {step: 0.05, end: 1.0}
"""


@pytest.fixture
def scenario(tmp_path):
    foreign_fmus.build("tank", tmp_path)
    file = tmp_path / "waterworks.yaml"
    file.write_text(SCENARIO)
    return file


def export(*arguments):
    return CliRunner().invoke(cli, ["export", *map(str, arguments)])


def test_one_fmu_of_the_whole_and_one_of_each_subsystem(scenario, tmp_path):
    done = export(scenario, "--output", tmp_path / "fmus", "--communication-step", "0.1")
    assert done.exit_code == 0, done.output
    assert {path.name for path in (tmp_path / "fmus").iterdir()} == {"waterworks.fmu", "station.fmu", "control.fmu"}
    found = fmpy.simulate_fmu(str(tmp_path / "fmus" / "waterworks.fmu"), output_interval=0.1)
    ours = simulate(Scenario.load(scenario).diagram, 1.0, step=0.05, every=2)
    assert found["volume"].tobytes() == np.asarray(ours.values("station.tank.volume")).tobytes()
    with zipfile.ZipFile(tmp_path / "fmus" / "control.fmu") as archive:
        assert "resources/plan.bin" in archive.namelist()


def test_what_cannot_be_is_said_without_a_traceback(scenario, tmp_path):
    for arguments, words in (
        (("--fmi", "3.0"), "leave out fmi (--fmi), or export a system"),
        (("--platform", "win46"), "there is no platform 'win46'"),
        (("--split", "station.tank"), "--split is of use with --format ssp or osp, not with single FMUs"),
        (("--only", "control", "--communication-step", "0.1"), ""),
    ):
        done = export(scenario, "--output", tmp_path / "fmus", *arguments)
        assert done.exit_code == (2 if words else 0), done.output
        assert words in " ".join(done.stderr.split())


def test_nothing_is_left_of_an_export_that_fails(scenario, tmp_path):
    for folder in (tmp_path / "new" / "fmus", tmp_path):
        done = export(scenario, "--output", folder, "--interface", "me", "--only", "waterworks")
        assert done.exit_code == 2
        assert "is for co-simulation, not for model exchange" in " ".join(done.stderr.split())
    assert {path.name for path in tmp_path.iterdir()} == {"tank.fmu", "waterworks.yaml"}
