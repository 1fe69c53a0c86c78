"""Vehicles from a few numbers: formulas against what is known exactly, published vehicles, and files that run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from blocks.cli.commands import cli
from blocks.dynamics import Vessel6DOF
from blocks.ready.estimates import Estimated, auv, rov, usv
from blocks.ready.estimates.writing import vehicle_text
from blocks.scenario import Scenario
from blocks.vehicles import check, describe


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


@pytest.mark.parametrize(
    ("estimated", "vehicle", "section", "added", "within"),
    [
        (auv(1.3327, 0.191, mass=30.48), "remus100", "bare_hull", (0, 1, 2), 1.3),
        (rov(0.457, 0.571, 0.254, 13.5), "bluerov2_heavy", "dynamics", (0, 1, 2), 1.6),
        (rov(1.44, 0.82, 0.81, 460.0), "minerva", "dynamics", (0, 1, 2), 3.0),
        (usv(2.0, 55.0, breadth=1.08, hulls=2), "otter", "dynamics", (0, 1, 5), 1.4),
    ],
)
def test_added_mass_is_as_near_to_published_vehicles_as_it_says(
    estimated: Estimated, vehicle: str, section: str, added: tuple[int, ...], within: float
) -> None:
    value = estimated.sections["dynamics"][1]["added_mass"].value
    assert isinstance(value, dict)
    published = np.diag(np.asarray(Vessel6DOF.from_vehicle(vehicle, section).added_mass))
    for i in added:
        assert 1.0 / within < value["diag"][i] / published[i] < within


def test_every_number_of_a_file_names_a_source_and_suits_its_block(tmp_path: Path) -> None:
    for made in (usv(3.0, 150.0), usv(1.2, 20.0, hulls=2), auv(2.0, 0.2), rov(1.0, 0.7, 0.6, 90.0)):
        file = tmp_path / "made.yaml"
        file.write_text(vehicle_text(made), encoding="utf-8")
        check(str(file))
        read = describe(str(file))
        assert read.kind == made.kind
        assert "dynamics" in read.sections
        assert made.measure


def test_thrust_and_top_speed_give_the_drag() -> None:
    made = usv(2.0, 50.0, thrust=80.0, top_speed=2.0)
    value = made.sections["planar"][1]["nonlinear_damping"].value
    assert isinstance(value, list)
    assert value[0] * 2.0**2 == pytest.approx(80.0)


def test_a_craft_from_two_numbers_arrives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("new", "usv", "--length", "200 cm", "--mass", "50 kg")
    assert done.exit_code == 0, done.output
    assert "what to measure, the most useful first:" in done.output
    assert "a factor of 2" in done.output
    assert Scenario.load("usv_mission.yaml").run().values("guidance.finished")[-1] == 1.0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("usv --length 2", "--mass is missing: keelblocks new usv --length 2 --mass 50"),
        ("usv --length 2 --mass 5000", "kg are plausible"),
        ("usv --length 2 --mass 50 --hulls 2 --breadth 0.1", "0.5 to 1.5 kg are plausible"),
        ("usv --length 2 --mass 50 --thrust 1e-6", "choose a lower speed"),
        ("usv --length -2 --mass 50", "--length must be above 0, not -2"),
        ("usv --length 1e-300 --mass 1e-300", "--length: 1e-300 is 1e-300 m, and no craft has that"),
        ("usv --length 2 --mass 50 --top-speed 100", "displacement speeds, up to 5.3 m/s for this length"),
        ("usv --length 2 --mass 50 --speed 1e-6", "choose 0.01 m/s or more"),
        ("usv --length 2 --mass 50 --vehicle otter", "give the one or the other"),
        ("auv --length 1 --diameter 2", "a box is an rov"),
        ("auv --length 1.6 --diameter 0.19 --mass 100", "kg are plausible"),
        ("rov --length 0.5 --breadth 0.4 --height 0.3 --mass 200", "displaces 60 kg of water"),
        ("rov --length 0.5", "--breadth and --height and --mass are missing"),
    ],
)
def test_what_cannot_be_is_answered_with_what_is_plausible(
    options: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("new", *options.split())
    assert done.exit_code == 2
    assert told in done.stderr
    assert not list(tmp_path.iterdir())
