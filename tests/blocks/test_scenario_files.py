"""Blocks in scenarios and studies whose tables stand in files: read, written again, and what is said of mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py  # type: ignore[import-untyped]
import numpy as np
import pytest
import xarray as xr

from blocks import Diagram
from blocks.block import library
from blocks.environment import CurrentField, MotionRAO, WaveForceRAO, WindField
from blocks.errors import KeelblocksError, ParameterError, ScenarioError
from blocks.model.file_origin import all_options_of, reads_files
from blocks.scenario import Scenario
from blocks.study.file import StudyDocument
from blocks.thrust import MeasuredThruster

BENCH = "PWM (us), Force (N), RPM, Power (W)\n1100, -20, -2000, 90\n1500, 0, 0, 1\n1900, 30, 2500, 130\n"
WINDS = "x,y,z,Ux,Uy,Uz\n" + "".join(f"{x},{y},0,{0.1 * x},2,0\n" for x in (0, 10) for y in (0, 20))
DOFS = ("surge", "sway", "heave", "roll", "pitch", "yaw")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with data/ in it: a river, a bay, a thruster, winds and forces of waves."""
    data = tmp_path / "data"
    data.mkdir()
    for name, speed in (("river", 0.5), ("flood", 0.9)):
        with h5py.File(data / f"{name}.hdf", "w") as file:
            file["FacePoints Coordinate"] = [[0.0, 0.0], [100.0, 0.0], [0.0, 100.0], [100.0, 100.0]]
            file["Node X Vel"], file["Node Y Vel"] = np.full((1, 4), speed), np.zeros((1, 4))
    axes = {"y": [0.0, 50.0], "x": [0.0, 40.0]}
    flow = xr.Dataset({"u": (("y", "x"), [[0.1, 0.2], [0.3, 0.4]]), "v": (("y", "x"), np.ones((2, 2)))}, axes)
    flow.to_netcdf(data / "bay.nc", engine="h5netcdf")
    (data / "t200.csv").write_text(BENCH)
    (data / "slice.csv").write_text(WINDS)
    rows = [f"{w},{b},{dof},{100.0 * w},0" for w in (0.5, 1.0) for b in (0, 90, 180, 270) for dof in DOFS]
    (data / "forces.csv").write_text("\n".join(["omega_rad_per_s,heading_deg,dof,amplitude,phase_deg", *rows]))
    return tmp_path


def scenario(folder: Path, blocks: str) -> Scenario:
    path = folder / "mission.yaml"
    path.write_text(f"keelblocks: 1\nname: mission\ndiagram:\n  blocks:\n{blocks}")
    return Scenario.load(path)


CASES: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "current": (
        "{type: environment.CurrentField, file: data/river.hdf, "
        "parameters: {resolution: 25 m, origin_east: 50, outside: fill, fill: [0.2 kn, 0]}}",
        CurrentField,
        {"resolution": 25.0, "origin_east": 50.0, "outside": "fill", "fill": ["0.2 kn", 0]},
    ),
    "bay": (
        "{type: environment.CurrentField, file: data/bay.nc, parameters: {variables: [v, u]}}",
        CurrentField,
        {"variables": ("v", "u")},
    ),
    "wind": (
        "{type: environment.WindField, file: data/slice.csv, parameters: {resolution: 5 m, time_outside: error}}",
        WindField,
        {"resolution": "5 m", "time_outside": "error"},
    ),
    "thruster": (
        "{type: thrust.MeasuredThruster, file: data/t200.csv, parameters: {columns: {thrust: [Force (N), N]}, "
        "allocation_matrix: [[1], [0], [0], [0], [0], [0]], inflow_coefficient: 0.1}}",
        MeasuredThruster,
        {"columns": {"thrust": ("Force (N)", "N")}, "allocation_matrix": np.eye(6)[:, :1], "inflow_coefficient": 0.1},
    ),
    "forces": (
        "{type: environment.WaveForceRAO, file: data/forces.csv, parameters: {axes: up}}",
        WaveForceRAO,
        {"axes": "up"},
    ),
    "motions": (
        "{type: environment.MotionRAO, file: data/forces.csv, parameters: {angles: deg, phases: lead}}",
        MotionRAO,
        {"angles": "deg", "phases": "lead"},
    ),
}  # fmt: skip


def test_every_class_that_reads_files_is_here() -> None:
    own = {cls for cls in library().values() if reads_files(cls) and cls.__module__.startswith("blocks.")}
    assert own == {cls for _, cls, _ in CASES.values()}


def test_every_option_stands_on_a_page() -> None:
    docs = Path(__file__).parents[2] / "docs"
    pages = {WaveForceRAO: "scenarios.md", MotionRAO: "scenarios.md", MeasuredThruster: "scenarios.md"}
    for _, cls, _ in CASES.values():
        text = (docs / pages.get(cls, "currents_and_wind.md")).read_text(encoding="utf-8")
        assert [option for option in all_options_of(cls) if f"`{option}`" not in text] == []


def test_a_file_gives_what_from_file_gives_and_is_written_again(folder: Path, monkeypatch: Any) -> None:
    loaded = scenario(folder, "".join(f"    {name}: {text}\n" for name, (text, _, _) in CASES.items()))
    made = Diagram("mission")
    monkeypatch.chdir(folder)
    for name, (text, cls, options) in CASES.items():
        block = made.add(
            name, cls.from_file(Path("data") / Path(text.split("file: ")[1].split(",")[0]).name, **options)
        )
        for parameter, value in loaded.diagram.blocks()[name].values.items():
            assert np.array_equal(value, block.values[parameter]), (name, parameter)
    elsewhere = folder / "other"
    elsewhere.mkdir()
    for source in (loaded, Scenario(made.copy(), "mission")):
        again = Scenario.load(source.save(elsewhere / "moved.yaml"))
        written = again.to_data(elsewhere)["diagram"]["blocks"]
        assert written == source.to_data(elsewhere)["diagram"]["blocks"]
        assert written["bay"] == {
            "type": "environment.CurrentField", "file": "../data/bay.nc", "parameters": {"variables": ["v", "u"]},
        }  # fmt: skip
        for name, block in loaded.diagram.blocks().items():
            assert all(np.array_equal(v, again.diagram.blocks()[name].values[p]) for p, v in block.values.items())


def test_what_is_no_longer_that_of_the_file_is_written_in_full(folder: Path) -> None:
    loaded = scenario(folder, f"    current: {CASES['current'][0]}\n")
    loaded.set("current.fill", [0.0, 0.3])  # which the file does not say
    assert loaded.to_data(folder)["diagram"]["blocks"]["current"]["file"] == "data/river.hdf"
    with pytest.raises(ParameterError, match=r"no parameter 'resolution' on current; from_hec_ras takes it, to read a"):
        loaded.set("current.resolution", 5.0)
    loaded.set("current.east", 0.7)
    written = loaded.to_data(folder)["diagram"]["blocks"]["current"]
    assert set(written) == {"type", "parameters"}
    assert {"x", "y", "north", "east", "fill", "outside"} == set(written["parameters"])
    assert "resolution" not in written["parameters"]
    again = Scenario.load(loaded.save(folder / "changed.yaml"))
    assert np.array_equal(again.diagram.current.east, loaded.diagram.current.east)
    assert np.array_equal(again.diagram.current.north, loaded.diagram.current.north)


def test_what_from_file_would_not_read_again_is_written_in_full(folder: Path) -> None:
    (folder / "data" / "bay.cdf").write_bytes((folder / "data" / "bay.nc").read_bytes())
    diagram = Diagram("mission")
    diagram.add("odd_ending", CurrentField.from_netcdf(folder / "data" / "bay.cdf"))
    diagram.add("shifted", CurrentField.from_netcdf(folder / "data" / "bay.nc", x=[10.0, 60.0]))
    for block in Scenario(diagram).to_data()["diagram"]["blocks"].values():
        assert "file" not in block
        assert "north" in block["parameters"]


def test_more_than_can_be_read_again_is_not_written(tmp_path: Path) -> None:
    diagram = Diagram("large")
    still = np.zeros((1, 1, 700, 800))
    diagram.add("current", CurrentField(x=np.arange(700.0), y=np.arange(800.0), north=still, east=still))
    with pytest.raises(
        ScenarioError, match=r"there are 1122\d\d\d items to be written, and a file may have 1000000: let"
    ):
        Scenario(diagram).save(tmp_path / "large.yaml")
    assert not (tmp_path / "large.yaml").exists()


MISTAKES = [
    ("{type: environment.CurrentField, file: data/rivr.hdf}",
     r"mission.yaml:5: b: there is no file .*rivr.hdf; did you mean 'river.hdf'\?"),
    ("{type: environment.CurrentField, file: nowhere/a.nc}",
     r"mission.yaml:5: b: there is no file .*a.nc; paths are seen from where this file is"),
    ("{type: environment.CurrentField, file: }", r"5: b: 'file' is empty: name the file with the tables"),
    ("{type: environment.CurrentField, file: data}", r"mission.yaml:5: b: .*data is a folder; name a file in it"),
    ("{type: environment.CurrentField, file: data/t200.csv}",
     r"5: b: .*t200.csv must end in .nc \(from_netcdf\) or .hdf, .h5, .hdf5 \(from_hec_ras\), not .csv"),
    ("{type: environment.UniformCurrent, file: data/bay.nc, parameters: {speed: 1}}",
     r"5: b: environment.UniformCurrent reads no file; those that do are environment.CurrentField, "),
    ("{type: environment.CurrentField, file: data/bay.nc, vehicle: minerva}",
     r"5: b: 'file' and 'vehicle' exclude each other"),
    ("{type: environment.CurrentField, file: data/river.hdf, parameters: {resolutoin: 2 m}}",
     r"5: b: CurrentField.from_hec_ras has no option or parameter 'resolutoin'; did you mean 'resolution'\?"),
    ("{type: environment.CurrentField, file: data/river.hdf, parameters: {origin_latitude: 2 deg}}",
     r"5: b: CurrentField.from_hec_ras has no option 'origin_latitude', which is for .nc \(from_netcdf\)"),
    ("{type: environment.CurrentField, file: data/river.hdf, parameters: {resolution: 2 s}}",
     r"5: b: resolution: .*2 s"),
    ("{type: environment.CurrentField, file: data/river.hdf, parameters: {x: [0, 50]}}",
     r"5: b: CurrentField.x has 2 entries, north has 3: .* number; 'x', given here, stands in .*river.hdf too"),
    ("{type: environment.CurrentField, file: data/bay.nc, parameters: {x: [0, 51]}}",
     r"5: b: 'x' stands in .*bay.nc, and here it is something else: leave one of them out"),
    ("{type: thrust.MeasuredThruster, file: data/t200.csv, parameters: {allocation_matrix: [[1], [0], [0], [0], [0], "
     "[0]], powers: 5}}", r"5: b: 'powers' stands in .*t200.csv, and here it is something else"),
    ("{type: thrust.MeasuredThruster, file: data/t200.csv, parameters: {smooth: no}}",
     r"5: b: smooth must be true or false, not 'no'"),
    ("{type: environment.CurrentField, file: data/river.hdf, fill: 0.0}",
     r"5: unknown key 'fill' in diagram.blocks.b; it is a parameter: write it under 'parameters'"),
    ("{type: environment.CurrentField, file: data/river.hdf, resolution: 2}", r"it is a parameter: write it under"),
    ("{type: environment.CurrentField, flie: data/river.hdf}", r"unknown key 'flie' .*did you mean 'file'\?"),
    ("{type: environment.CurrentField, file: [data/river.hdf]}", r"5: diagram.blocks.b.file: text is wanted"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), MISTAKES)
def test_mistakes_are_told(folder: Path, text: str, message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        scenario(folder, f"    b: {text}\n")


def test_a_parameter_that_says_the_same_as_the_file_may_stay(folder: Path) -> None:
    loaded = scenario(folder, "    b: {type: environment.CurrentField, file: data/bay.nc, parameters: {times: [0]}}\n")
    assert loaded.to_data(folder)["diagram"]["blocks"]["b"]["parameters"] == {"times": [0]}


def test_python_is_told_the_nearest_option_too(folder: Path) -> None:
    with pytest.raises(ParameterError, match=r"MeasuredThruster.from_file has no .* 'colums'; did you mean 'columns'"):
        MeasuredThruster.from_file(folder / "data" / "t200.csv", colums={})
    with pytest.raises(ParameterError, match=r"CurrentField.from_netcdf: path must be that of a file, not 3"):
        CurrentField.from_netcdf(3)  # type: ignore[arg-type]


def test_levels_of_a_study_may_be_blocks_of_files(folder: Path) -> None:
    scenario(
        folder,
        "    place: {type: basic.Constant, parameters: {value: [50, 50, 0, 0, 0, 0]}}\n"
        "    current: {type: environment.CurrentField, file: data/river.hdf}\n"
        "  connections: {place.y: current.eta}\nrun: {end: 1, step: 1}\n",
    )
    (folder / "study").mkdir()
    path = folder / "study" / "flows.yaml"
    path.write_text(
        "keelblocks_study: 1\nname: flows\nscenario: ../mission.yaml\n"
        "metrics: {water: 'final(current.current[east])'}\n"
        "factors:\n  flow:\n    of: current\n    levels:\n"
        "      low: {type: environment.CurrentField, file: ../data/river.hdf}\n"
        "      high: {type: environment.CurrentField, file: ../data/flood.hdf, parameters: {fill: [1, 0]}}\n"
    )
    document = StudyDocument.load(path)
    study = document.study()
    assert study.run(progress=False).table["water"].tolist() == pytest.approx([0.5, 0.9])
    member = document.member(study, 1).save(folder / "study" / "high.yaml")
    assert "file: ../data/flood.hdf" in member.read_text()
    path.write_text(path.read_text().replace("flood", "floud"))
    with pytest.raises(KeelblocksError, match=r"flows.yaml:10: high: .*floud.hdf; did you mean 'flood.hdf'\?"):
        StudyDocument.load(path).study()
