"""The command `keelblocks route`."""

import json
import shutil
from pathlib import Path

import numpy as np
from click.testing import CliRunner, Result

from blocks.cli.commands import cli
from blocks.scenario import Scenario

EXAMPLE = Path(__file__).parents[2] / "examples" / "otter_los.yaml"
MISSION = EXAMPLE.with_name("minerva_mission.yaml")

CHART = """{"type": "FeatureCollection", "units": "m", "features": [
  {"type": "Feature", "properties": {"kind": "land", "name": "island"},
   "geometry": {"type": "Polygon", "coordinates": [[[-30, 120], [-30, 160], [30, 160], [30, 120], [-30, 120]]]}}]}"""


def call(folder: Path, *arguments: str) -> Result:
    chart = folder / "island.geojson"
    chart.write_text(CHART)
    return CliRunner().invoke(cli, ["route", str(chart), "--margin", "5 m", *arguments])


def test_a_route_goes_into_a_scenario_and_leaves_the_rest_of_its_text(tmp_path) -> None:
    mission = tmp_path / "otter.yaml"
    shutil.copy(EXAMPLE, mission)
    before = mission.read_text()
    routed, figure = tmp_path / "routed.yaml", tmp_path / "route.png"
    made = call(
        tmp_path, "--from", "0,0", "--to", "300,0", "--turning-radius", "8 m", "--current", "0.3 m/s, 90 deg",
        "--into", str(mission), "--save-as", str(routed), "--figure", str(figure),
    )  # fmt: skip
    assert made.exit_code == 0, made.output
    assert "m from land 'island'" in made.output
    assert f"wrote {routed}" in made.output
    assert mission.read_text() == before
    assert figure.stat().st_size > 10_000
    guidance = Scenario.load(routed).diagram.blocks()["guidance"]
    assert np.asarray(guidance.waypoints)[[0, -1]].tolist() == [[0.0, 0.0, 0.0], [300.0, 0.0, 0.0]]
    assert 3 <= len(guidance.waypoints) <= 5
    assert "# it steers well at full speed" in routed.read_text()


def test_a_phase_of_a_mission_takes_the_waypoints_and_its_other_lines_stay(tmp_path) -> None:
    mission, routed = tmp_path / "minerva.yaml", tmp_path / "routed.yaml"
    line = "          - go along: {waypoints: [[0, 0], [10, 0]], speed: 0.45 m/s, name: out}   # round the island\n"
    text = MISSION.read_text().replace("          - return\n", line)
    mission.write_text(text)
    made = call(tmp_path, "--from", "0,0", "--to", "300,0", "--into", str(mission), "--save-as", str(routed))
    assert made.exit_code == 0, made.output
    before, after = text.splitlines(), routed.read_text().splitlines()
    changed = [new for old, new in zip(before, after, strict=True) if old != new]
    assert len(changed) == 1
    assert changed[0].endswith(", [300.0, 0.0]], speed: 0.45 m/s, name: out}   # round the island")
    loaded = Scenario.load(routed)
    way = loaded.diagram.blocks()["mission"].route()[-5:]
    assert np.nanmin(way[:, 1]) < -35.0 or np.nanmax(way[:, 1]) > 35.0
    wide = text.replace("acceptance_radius: 2 m", "acceptance_radius: 3.9 m")
    mission.write_text(wide)
    assert "it will cut corners" in call(tmp_path, "--from", "0,0", "--to", "300,0", "--into", str(mission)).output


def test_routes_are_written_and_printed(tmp_path) -> None:
    table, path = tmp_path / "r.csv", tmp_path / "r.geojson"
    made = call(
        tmp_path,
        "--from",
        "0,0",
        "--to",
        "300,0",
        "--speed",
        "2",
        "--output",
        str(table),
        "--json",
        "--least",
        "distance",
    )
    told = json.loads(made.output)
    assert told["duration"] == told["length"] / 2.0
    assert table.read_text().splitlines()[0].startswith("distance [m],time [s],north [m],east [m],course [deg]")
    assert call(tmp_path, "--from", "0,0", "--to", "300,0", "--speed", "2", "-o", str(path)).exit_code == 0
    way, corners = json.loads(path.read_text())["features"]
    assert way["geometry"]["coordinates"][0] == [0.0, 0.0]
    assert corners["geometry"]["coordinates"][-1] == [0.0, 300.0]


def test_what_is_wrong_is_said(tmp_path) -> None:
    for arguments, words in (
        (("--from", "0,0", "--to", "300,0"), "the speed through the water is missing"),
        (("--from", "140,0", "--to", "300,0", "--speed", "2"), "the start, north 140 m, east 0 m, is in land 'island'"),
        (("--from", "0", "--to", "300,0", "--speed", "2"), "--from is two numbers, north and east in m"),
        (
            ("--from", "0,0", "--to", "300,0", "--speed", "2", "-o", "r.txt"),
            "a route is written as .csv, .geojson, .yaml",
        ),
        (("--from", "0,0", "--to", "300,0", "--speed", "2", "--current", "0.3"), "--current is its speed and where"),
        (("--from", "52 deg, 4 deg", "--to", "300,0", "--speed", "2"), "the chart has no origin"),
        (("--from", "0,0", "--to", "300,0", "--speed", "2", "--current", "3, 180 deg"), "the current is too strong"),
        (("--from", "0,0", "--to", "300,0", "--into", "examples/tito.yaml"), "examples/tito.yaml"),
        (("--from", "0,0", "--to", "300,0", "--into", str(MISSION)), "surface goes along waypoints: put '- go along"),
        (("--from", "0,0", "--to", "300,0", "--into", str(EXAMPLE), "--phase", "out"), "guidance has no phases"),
    ):
        made = call(tmp_path, *arguments)
        assert made.exit_code != 0
        assert words in (made.output + str(made.exception)), made.output


def test_a_scenario_stays_as_it_is_if_anything_cannot_be_written(tmp_path) -> None:
    mission = tmp_path / "otter.yaml"
    shutil.copy(EXAMPLE, mission)
    made = call(
        tmp_path, "--from", "0,0", "--to", "300,0", "--turning-radius", "8 m", "--into", str(mission),
        "--figure", str(tmp_path / "route.xyz"),
    )  # fmt: skip
    assert made.exit_code != 0
    assert "xyz" in made.output + str(made.exception)
    assert mission.read_text() == EXAMPLE.read_text()
