"""`keelblocks new usv` and its like: for every vehicle a scenario that is in order, has margins, and arrives level."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from blocks import vehicles
from blocks.checking.check import check_file
from blocks.cli.commands import cli
from blocks.ready.craft import KINDS, craft, drag, vehicles_of
from blocks.ready.drives import drive_of
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


@pytest.mark.parametrize(
    ("vehicle", "rudder"),
    [
        ("mariner", "thrust.PolynomialRudder"),
        ("esso_tanker", "thrust.PolynomialRudder"),
        ("container", "thrust.PropellerRudder"),
        ("clarke_ship", "thrust.Rudder"),
    ],
)
def test_ships_steer_by_the_rudder_of_their_file(vehicle: str, rudder: str) -> None:
    """A moment to starboard that is wanted becomes the angle to starboard that makes it at that speed."""
    vessel, speed = craft(vehicle, "ship"), 5.0
    drive = drive_of(vessel, speed)
    made = {piece.name: piece for piece in drive.pieces}
    assert made["rudder"].type == rudder

    def gain(name: str) -> float:
        return float(str(made[name].parameters["gain"].value).split()[0])  # type: ignore[attr-defined]

    given: dict[str, Any] = {"nu_r": [speed, 0, 0, 0, 0, 0]}
    if "revolutions" in made:
        given["shaft_command"] = gain("revolutions") * drag(vessel.vessel, speed)
    block = vessel.block(rudder, response="instant")
    ahead, turned = (
        block.evaluate(command=angle, **given).outputs["force"] for angle in (0.0, 1e5 * gain("rudder_angle"))
    )
    assert turned[5] - ahead[5] == pytest.approx(1e5, rel=0.01)
    if "shaft_command" in given:
        assert ahead[0] == pytest.approx(drag(vessel.vessel, speed), rel=1e-3)


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


def test_the_rudder_of_a_ready_ship_goes_to_that_of_its_file(tmp_path: Path) -> None:
    """0.7 of 35 degrees is for the autopilot, all of it: a rudder shares its angle with no other axis."""
    file = tmp_path / "mission.yaml"
    assert run("new", "ship", "--vehicle", "kvlcc2", "-o", str(file)).exit_code == 0
    diagram = Scenario.load(file).diagram
    heading, gain, propulsion = (diagram[name].values for name in ("heading", "rudder_angle", "propulsion"))
    assert float(propulsion["angle_limit"]) == math.radians(35.0)
    assert float(heading["upper"]) * float(gain["gain"]) == pytest.approx(0.7 * math.radians(35.0), rel=0.03)
    assert heading["lower"] == -heading["upper"]


@pytest.mark.parametrize("vehicle", ["osv", "supply", "semisub", "npsauv"])
def test_energy_is_that_of_the_thrust_where_no_file_says_what_thrusters_take(vehicle: str, tmp_path: Path) -> None:
    """Azimuth thrusters without κ or a diameter would count nothing, and the mission told 0 J."""
    file = tmp_path / "mission.yaml"
    assert run("new", str(describe(vehicle).kind), "--vehicle", vehicle, "-o", str(file)).exit_code == 0
    diagram = Scenario.load(file).diagram
    assert str(diagram.wires[diagram["meter"], "power"].component) == str(diagram["shaft"])
