"""`keelblocks new usv` and its like: for every vehicle a scenario that is in order, has margins, and arrives level."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from blocks import vehicles
from blocks.checking.check import check_file
from blocks.cli.commands import cli
from blocks.ready.craft import KINDS, vehicles_of
from blocks.scenario import Scenario
from blocks.vehicles import describe, list_vehicles

QUICK = {"otter", "wam_v_vrx2"}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


@pytest.mark.parametrize(
    "vehicle", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in list_vehicles()]
)
def test_every_vehicle_has_a_scenario_that_arrives(vehicle: str, tmp_path: Path) -> None:
    file = tmp_path / "new" / "mission.yaml"
    done = run("new", str(describe(vehicle).kind), "--vehicle", vehicle, "-o", str(file))
    assert done.exit_code == 0, done.output
    told = f"there was no folder {file.parent}: it was made\n"
    assert done.stderr == told  # nothing is said of margins that are too small
    checked = check_file(file)
    assert not checked.errors
    assert not checked.warnings
    scenario = Scenario.load(file)
    result = scenario.run()
    assert result.values("guidance.finished")[-1] == 1.0
    attitude = result.values("vessel.eta")[:, 3:5]
    assert np.abs(attitude).max() < math.radians(10.0)
    error = result.values("guidance.cross_track_error")
    leg = result.values("guidance.waypoint")
    first = leg == leg[0]
    settled = error[first][len(error[first]) // 2 :]
    lookahead = float(scenario.diagram["guidance"].values["lookahead"])
    assert np.ptp(settled) < 0.25 * lookahead  # neither weaves nor is carried off by the current
    text = file.read_text(encoding="utf-8")
    assert "margins at" in text
    assert "not found" not in text
    if "    sway:\n" in text:
        assert "skid; margins at" in text
    assert all(int(phase) >= 45 for phase in re.findall(r"phase (\d+) deg", text))


def test_all_vehicles_are_of_a_kind() -> None:
    assert sorted(name for kind in KINDS for name in vehicles_of(kind)) == list_vehicles()


def test_wrong_vehicles_lead_to_the_right_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "otter is a usv: keelblocks new usv --vehicle otter" in run("new", "rov", "--vehicle", "otter").stderr
    assert "did you mean 'remus100'?" in run("new", "auv", "--vehicle", "remus10").stderr
    assert "minerva" in run("new", "rov").stderr
    assert "--speed" in run("new", "usv", "--vehicle", "otter", "--speed", "3 apples").stderr
    Path("otter_mission.yaml").touch()
    assert "--force replaces it" in run("new", "usv", "--vehicle", "otter").stderr


def test_nothing_is_left_where_no_scenario_can_be_made(tmp_path: Path) -> None:
    numbers = ("--length", "2", "--mass", "50", "--speed", "40")
    vehicle, scenario = tmp_path / "boat_vehicle.yaml", tmp_path / "boat.yaml"
    vehicle.write_text("mine")
    scenario.write_text("mine, too")
    assert run("new", "usv", *numbers, "-o", str(scenario), "--force").exit_code == 2
    assert (vehicle.read_text(), scenario.read_text()) == ("mine", "mine, too")
    failed = run("new", "usv", *numbers, "-o", str(tmp_path / "a" / "b" / "x.yaml"))
    assert "choose a lower speed" in failed.stderr
    assert not (tmp_path / "a").exists()
    (tmp_path / "file").touch()
    refused = run("new", "usv", "--vehicle", "otter", "-o", str(tmp_path / "file" / "x.yaml"))
    assert "file is a file, and a folder is wanted" in refused.stderr


@pytest.mark.parametrize("name", ["2024-otter", "true", "1e3", "ægir", "-"])
def test_any_name_of_a_file_makes_a_scenario_that_loads(name: str, tmp_path: Path) -> None:
    title = "[Test] boat #1: 'x', the first"
    own = tmp_path / "own.yaml"
    text = (Path(vehicles.__file__).parent / "otter.yaml").read_text(encoding="utf-8")
    own.write_text(re.sub("^title:.*$", f"title: {json.dumps(title)}", text, flags=re.M), encoding="utf-8")
    file = tmp_path / f"{name}.yaml"
    done = run("new", "usv", "--vehicle", str(own), "-o", str(file))
    assert done.exit_code == 0, done.output
    assert Scenario.load(file).title.startswith("[Test] boat #1")


def test_a_kind_without_estimates_says_which_have_them() -> None:
    told = run("new", "sailboat", "--length", "3").stderr
    assert "--length: a sailboat is not made from a few numbers, as usv and rov and auv and ship are" in told
    assert "is not made from a few numbers" in " ".join(run("new", "sailboat", "--help").stdout.split())
