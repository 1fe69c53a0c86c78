"""Vehicles from a few numbers: formulas against what is known exactly, published vehicles, and files that run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from blocks.checking.check import check_file
from blocks.cli.commands import cli
from blocks.dynamics import Vessel6DOF
from blocks.ready.estimates import Estimated, auv, rov, ship, usv
from blocks.ready.estimates.writing import vehicle_text
from blocks.scenario import Scenario
from blocks.thrust import PropellerThrusters
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
    made_ = (usv(3.0, 150.0), usv(1.2, 20.0, hulls=2), auv(2.0, 0.2), rov(1.0, 0.7, 0.6, 90.0), ship(120, 20, 7, 0.7))
    for made in made_:
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


def test_the_propeller_of_a_ship_drives_her_at_her_top_speed() -> None:
    """Thrust, less what the stern takes, and resistance balance there, at the shaft speed that the file gives."""
    made = ship(161.0, 23.2, 8.2, 0.6, top_speed=7.2)
    drive = {name: one.value for name, one in made.sections["propeller"][1].items()}
    shaft = drive["speed_limit_forward"][0] / 1.2
    out = PropellerThrusters(**drive).evaluate(command=[shaft], nu_r=[7.2, 0, 0, 0, 0, 0]).outputs
    drag = made.sections["planar"][1]["nonlinear_damping"].value[0] * 7.2**2
    assert out["force"][0] == pytest.approx(drag, rel=0.01)  # shaft speeds have three digits
    assert 1.5e6 < out["power"][0] < 4e6  # Mariners sailed 20 kn on 14 MW: at 14 kn a third of its cube


def test_a_ship_from_four_numbers_arrives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("new", "ship", "--length", "12", "--breadth", "2.2", "--draught", "0.8", "--block-coefficient", "0.55")
    assert done.exit_code == 0, done.output
    assert not check_file("ship_mission.yaml").problems
    result = Scenario.load("ship_mission.yaml").run()
    assert result.values("guidance.finished")[-1] == 1.0
    assert result.values("vessel.nu")[:, 0].min() > 0.7 * 1.5


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("ship --length 120 --breadth 20", "--draught and --block-coefficient are missing: keelblocks new ship"),
        ("ship --length 120 --breadth 20 --draught 7 --block-coefficient 1.4", "must be > 0 and ≤ 1, not 1.4"),
        ("ship --length 12 --breadth 20 --draught 7 --block-coefficient 0.7", "a hull is longer than it is wide"),
        ("ship --length 99 --breadth 20 --draught 30 --block-coefficient 0.7", "B/T is 0.667, and ships have 1 to 12"),
        (
            "ship --length 99 --breadth 20 --draught 6 --block-coefficient 0.1",
            "coefficient is 0.1, and ships have 0.35",
        ),
        ("ship --length 12 --breadth 2 --draught 1 --block-coefficient 0.7 --top-speed 9", "makes waves at 9 m/s"),
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
