"""`keelblocks list vehicles` and `keelblocks show vehicle`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from blocks.cli.commands import cli
from blocks.vehicles.vehicle import describe, list_vehicles


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, arguments, env={"COLUMNS": "250"})
    return result.exit_code, result.output


def test_all_vehicles_are_listed_with_their_sections() -> None:
    code, output = run("list", "vehicles", "--json")
    assert code == 0
    rows = {row["vehicle"]: row["sections"] for row in json.loads(output)}
    assert list(rows) == list_vehicles()
    assert rows["otter"] == "dynamics, planar, thrusters"


@pytest.mark.parametrize("name", list_vehicles())
def test_a_vehicle_is_shown_with_numbers_units_sources_range_and_faults(name: str) -> None:
    code, output = run("show", "vehicle", name)
    assert code == 0
    vehicle = describe(name)
    words = " ".join(output.split())
    assert vehicle.title in words
    assert f"Valid for: {vehicle.validity[:40]}" in words
    assert "Faults of the sources" in words
    for title, section in vehicle.sections.items():
        assert f"{title}: {section.type}" in words
        for parameter, entry in section.parameters.items():
            assert parameter in output
            assert entry.unit in (None, "SI") or entry.unit in output
    for key in vehicle.references:
        assert key in output


def test_matrices_are_shown_as_in_si() -> None:
    lines = run("show", "vehicle", "minerva")[1].splitlines()
    for parameter in ("added_mass", "linear_damping"):
        assert any(line.split()[:1] == [parameter] and " SI " in line for line in lines)


def test_outer_dimensions_are_shown_with_their_sources() -> None:
    _, output = run("show", "vehicle", "otter")
    lines = [line.split() for line in output.partition("Outer dimensions")[2].splitlines()]
    assert ["length", "2", "m", "fossen2021"] in lines
    assert ["height", "1.065", "m", "maritime_robotics", *["with", "the", "same", "length", "and", "breadth"]] in lines
    assert "Outer dimensions" not in run("show", "vehicle", "flat_fish")[1]
    shown = json.loads(run("show", "vehicle", "otter", "--json")[1])["dimensions"]
    assert (shown["breadth"]["value"], shown["breadth"]["source"]) == (1.08, "fossen2021")


def test_range_and_faults_are_in_the_json() -> None:
    data = json.loads(run("show", "vehicle", "otter", "--json")[1])
    assert data["validity"].startswith("Calm water")
    assert "16.7 instead of 10.7" in " ".join(data["faults"])


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("oter", "otter"), ("bluerov2", "bluerov2_heavy"), ("tito-neri", "tito_neri"), ("wamv", "wam_v")],
)
def test_near_misses_are_answered_with_the_name_that_is_meant(wrong: str, right: str) -> None:
    code, output = run("show", "vehicle", wrong)
    assert code != 0
    assert f"there is no vehicle '{wrong}'; did you mean " in output
    assert f"'{right}'" in output


def test_a_file_of_ones_own_is_checked_with_lines(tmp_path: Path) -> None:
    path = tmp_path / "my_boat.yaml"
    path.write_text(
        "title: My boat\nreferences: {a: b}\nsections:\n  hull:\n    type: dynamics.Vessel3DOF\n    parameters:\n"
        "      mas: {value: 1.0, unit: kg, source: a}\n  drive:\n    type: thrust.AirFans\n    parameters: {}\n",
        encoding="utf-8",
    )
    code, output = run("show", "vehicle", str(path))
    assert code != 0
    assert "my_boat.yaml:7: hull.mas: dynamics.Vessel3DOF has no parameter 'mas'; did you mean 'mass'?" in output
    assert "my_boat.yaml:8: section 'drive' is for thrust.AirFans, and there is no such block; did you mean" in output
    path.write_text(path.read_text().replace("mas:", "mass:").replace("AirFans", "AirFan"))
    assert run("show", "vehicle", str(path))[0] == 0
