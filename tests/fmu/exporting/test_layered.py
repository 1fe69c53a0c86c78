"""Results of the default experiment inside of an FMU: what is there, and that an import can check itself by it."""

from __future__ import annotations

import hashlib
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import fmpy
import numpy as np
import pytest
from fmpy.util import read_csv, read_ref_opt_file
from fmpy.validation import validate_fmu
from lxml import etree
from simulators import Doubler

import fmu
from blocks import Diagram
from blocks.basic import Constant, Integrator, LookupTable1D, LookupTable2D
from blocks.control import PID
from blocks.errors import ExportError
from fmu.exporting.reference_results import MOST_INTERVALS

FOLDER = "extra/org.fmi-standard.fmi-ls-ref"


def unpacked(component, folder: Path, **how) -> tuple[Path, Path]:
    path = fmu.export(component, folder / "model.fmu", name="model", layered_standards="ref", **how)
    with ZipFile(path) as archive:
        archive.extractall(folder / "model")
    return path, folder / "model" / FOLDER


@pytest.fixture(params=["2.0", "3.0"])
def fmi(request):
    """A version of FMI."""
    return request.param


@pytest.mark.parametrize("solver", ["rk4", "dopri5"])
def test_an_import_gets_the_results_to_the_last_bit(models, tmp_path, fmi, solver):
    path, folder = unpacked(models.guided_vessel(), tmp_path, step=models.step, end=20.0, fmi=fmi, solver=solver)
    assert validate_fmu(str(path)) == []
    options = read_ref_opt_file(folder / "model_ref.opt")
    assert (options["StartTime"], options["StopTime"], options["StepSize"]) == (0.0, 20.0, 0.04)
    expected = read_csv(folder / "model_ref.csv")
    assert len(expected) == 501
    run = fmpy.simulate_fmu(
        str(path), start_time=options["StartTime"], stop_time=options["StopTime"], step_size=options["StepSize"],
        output_interval=options["StepSize"], fmi_type="CoSimulation", output=list(expected.dtype.names[1:]),
    )  # fmt: skip
    assert run.dtype.names == expected.dtype.names
    for name in expected.dtype.names[1:]:
        np.testing.assert_array_equal(run[name], expected[name])
    assert not (folder / "model_in.csv").exists()


def test_inputs_are_told(tmp_path, fmi):
    """They stay at their start values, which an input that is not wired may have of its own."""
    path, folder = unpacked(PID(2.0, 0.5), tmp_path, step=0.1, start=1.0, end=3.0, fmi=fmi)
    given = read_csv(folder / "model_in.csv")
    described = fmpy.read_model_description(path)
    inputs = [v for v in described.modelVariables if v.causality == "input"]
    assert given.dtype.names == ("time", *(v.name for v in inputs))
    assert given["time"].tolist() == [1.0, 3.0]
    for variable in inputs:
        assert set(np.ravel(given[variable.name]).tolist()) == {float(variable.start or 0.0)}
    expected = read_csv(folder / "model_ref.csv")
    run = fmpy.simulate_fmu(
        str(path), start_time=1.0, stop_time=3.0, step_size=0.1, output_interval=0.1, input=given,
        fmi_type="CoSimulation",
    )  # fmt: skip
    for name in expected.dtype.names[1:]:
        np.testing.assert_array_equal(run[name], expected[name])


def test_the_manifest_names_each_file_with_its_checksum(tmp_path, models):
    path, folder = unpacked(models.guided_vessel()["plant"], tmp_path, step=0.02, end=5.0)
    root = etree.parse(folder / "fmi-ls-manifest.xml").getroot()
    assert root.get("{http://fmi-standard.org/fmi-ls-manifest}fmi-ls-name") == "org.fmi-standard.fmi-ls-ref"
    listed = {related.get("source"): related for related in root}
    assert {*listed, "fmi-ls-manifest.xml"} == {file.name for file in folder.iterdir()}
    assert {related.get("role") for related in root} == {"experiment/smoke-test", "result", "other", "configuration"}
    for name, related in listed.items():
        assert related.get("checksum") == hashlib.sha3_256((folder / name).read_bytes()).hexdigest()
    experiment = etree.parse(folder / "model.exp").getroot().find("Experiment")
    assert [child.tag for child in experiment] == ["TransientSimulation", "Stimuli", "References"]
    assert experiment.find("TransientSimulation").get("stopTime") == "5.0"
    assert "documentation/fmi-ls-ref.txt" in ZipFile(path).namelist()
    again = fmu.export(
        models.guided_vessel()["plant"], tmp_path / "b.fmu", name="model", layered_standards=["ref"], step=0.02, end=5.0
    )
    assert again.read_bytes() == path.read_bytes()


def test_rows_are_not_too_many_and_reach_the_end(tmp_path):
    _, folder = unpacked(Integrator(), tmp_path, step=0.01, end=61.003, input_shapes={"u": 1})
    table = read_csv(folder / "model_ref.csv")
    assert len(table) <= MOST_INTERVALS + 1
    assert table["time"][-1] == 61.003
    assert read_ref_opt_file(folder / "model_ref.opt")["StepSize"] == 0.2


def test_a_run_that_ends_itself_ends_the_results(tmp_path):
    diagram = Diagram("ends")
    diagram.connect(diagram.add("one", Constant(1.0)).y, diagram.add("sum", Integrator()).u)
    diagram.outputs(y="sum.y")
    _, folder = unpacked(diagram, tmp_path, step=0.1, end=60.0, stop="sum.y")
    stop = read_ref_opt_file(folder / "model_ref.opt")["StopTime"]
    assert stop == pytest.approx(0.6)  # the integral exceeds 0.5
    assert read_csv(folder / "model_ref.csv")["time"][-1] == stop


def test_the_step_is_no_longer_than_the_run(tmp_path):
    _, folder = unpacked(PID(2.0, 0.5), tmp_path, start=1.0, end=1.001, step=0.01)
    options = read_ref_opt_file(folder / "model_ref.opt")  # raises if it is
    assert options["StepSize"] == options["StopTime"] - options["StartTime"]
    experiment = etree.parse(folder / "model.exp").getroot().find("Experiment/TransientSimulation")
    assert float(experiment.get("stepSize")) == options["StepSize"]


def test_a_run_that_ends_at_its_start_has_no_results(tmp_path):
    diagram = Diagram("ends")
    diagram.add("one", Constant(1.0))
    diagram.outputs(y="one.y")
    with pytest.raises(ExportError, match=r"are of a run, and 'model' ends at its start, 0 s: .* its stop signal"):
        unpacked(diagram, tmp_path, end=1.0, stop="one.y")


def test_tables_stay_below_what_the_rules_allow(tmp_path):
    how = {"end": 3.0, "step": 0.01}
    _, folder = unpacked(LookupTable1D([0.0, 1.0], [0.1, 1.3]), tmp_path, input_shapes={"u": 300}, **how)
    table = read_csv(folder / "model_ref.csv")
    assert 50 < len(table) <= 1 + 1e6 / (25 * 301)
    assert (folder / "model_ref.csv").stat().st_size < 1e6
    with pytest.raises(ExportError, match=r"more than the 1 MB .* outputs have 5000 elements, y 5000; have fewer"):
        unpacked(LookupTable1D([0.0, 1.0], [0.1, 1.3]), tmp_path, input_shapes={"u": 5000}, fmi="3.0", **how)


def test_lookup_tables_are_maps(tmp_path):
    diagram = Diagram("tables")
    diagram.add("curve", LookupTable1D([0.0, 1.0, 3.0], [1.0, 2.0, -1.0]))
    diagram.add("surface", LookupTable2D([0.0, 1.0], [0.0, 2.0, 3.0], [[1.0, 2.0, 3.0], [3.0, 5.0, 6.0]]))
    diagram.inputs(u="curve.u", u1="surface.u1", u2="surface.u2")
    diagram.outputs(a="curve.y", b="surface.y")
    how = {"fmi": "3.0", "input_shapes": {"u": 1, "u1": 1, "u2": 1}}
    path = fmu.export(diagram, tmp_path / "tables.fmu", layered_standards="struct", **how)
    assert validate_fmu(str(path)) == []
    with ZipFile(path) as archive:
        terminals = etree.fromstring(archive.read("terminalsAndIcons/terminalsAndIcons.xml"))
        assert "extra/org.fmi-standard.fmi-ls-struct/fmi-ls-manifest.xml" in archive.namelist()
    described = fmpy.read_model_description(path)
    known = {v.name for v in described.modelVariables}
    maps = {
        terminal.get("name"): [
            (member.get("variableName"), member.get("variableKind").rpartition(".")[2]) for member in terminal
        ]
        for terminal in terminals.iter("Terminal")
    }
    assert maps == {
        "curve.map": [("curve.breakpoints", "domain"), ("curve.table", "codomain")],
        "surface.map": [("surface.rows", "domain"), ("surface.columns", "domain"), ("surface.table", "codomain")],
    }
    assert {name for members in maps.values() for name, _ in members} <= known
    with pytest.raises(ExportError, match=r"struct is of lookup tables, and 'PID' shows the parameters of none"):
        fmu.export(PID(2.0), tmp_path / "m.fmu", fmi="3.0", layered_standards="struct")
    with pytest.raises(ExportError, match=r"struct is of arrays: leave arrays=False \(--no-arrays\) out, or struct"):
        fmu.export(diagram, tmp_path / "m.fmu", layered_standards="struct", arrays=False, **how)


def test_a_system_has_maps_in_the_parts_with_tables(tmp_path):
    diagram = Diagram("system")
    diagram.add("source", Constant(1.0))
    diagram.add("curve", LookupTable1D([0.0, 1.0, 3.0], [1.0, 2.0, -1.0]))
    diagram.connect("source.y", "curve.u")
    diagram.outputs(y="curve.y")
    how = {"fmi": "3.0", "version": "2.0", "layered_standards": "struct"}
    with ZipFile(fmu.export_ssp(diagram, tmp_path / "s.ssp", **how)) as system:
        parts = [name for name in system.namelist() if name.endswith(".fmu")]
        files = {name: ZipFile(BytesIO(system.read(name))).namelist() for name in parts}
    manifest = "extra/org.fmi-standard.fmi-ls-struct/fmi-ls-manifest.xml"
    found = {name: manifest in listed for name, listed in files.items()}
    assert found == {"resources/source.fmu": False, "resources/curve.fmu": True}
    diagram = Diagram("none")
    diagram.connect(diagram.add("source", Constant(1.0)).y, diagram.add("sum", Integrator()).u)
    with pytest.raises(ExportError, match=r"component 'source': the layered standard struct is of lookup tables"):
        fmu.export_ssp(diagram, tmp_path / "n.ssp", **how)


def test_the_note_says_what_is_true_of_the_interfaces(tmp_path):
    notes = {}
    for interface in ("cs", "me"):
        path, _ = unpacked(PID(2.0, 0.5), tmp_path, end=1.0, interfaces=interface)
        with ZipFile(path) as archive:
            notes[interface] = archive.read("documentation/fmi-ls-ref.txt").decode()
    assert "In co-simulation" in notes["cs"]
    assert "model exchange" not in notes["cs"]
    assert "In model exchange" in notes["me"]
    assert "co-simulation" not in notes["me"]
    assert "to the last bit" not in notes["me"]


def test_words_about_what_has_no_results(tmp_path):
    target = tmp_path / "m.fmu"
    with pytest.raises(ExportError, match=r"there is no export for the layered standard 'reff'; did you mean 'ref'"):
        fmu.export(PID(2.0), target, layered_standards="reff")
    with pytest.raises(ExportError, match=r"^reference results need an end of the default experiment: give one"):
        fmu.export(PID(2.0), target, layered_standards="ref")
    lonely = Diagram("lonely")
    lonely.add("integrator", Integrator())
    lonely.inputs(u="integrator.u")
    with pytest.raises(ExportError, match=r"^reference results are of outputs, and 'lonely' has none: declare some$"):
        fmu.export(lonely, target, layered_standards="ref", end=1.0, input_shapes={"u": 1})
    with pytest.raises(ExportError, match=r"layered standards \(ref\) are for FMUs without blocks written in Python"):
        fmu.export(Doubler(), target, layered_standards="ref", end=1.0, input_shapes={"u": 1})
    assert not target.exists()


def test_words_about_a_run_that_fails(tmp_path, models):
    with pytest.raises(ExportError, match=r"^the reference results of 'fragile' end at [\d.]+ s: .*; run the model by"):
        fmu.export(models.fragile(), tmp_path / "m.fmu", layered_standards="ref", step=0.1, end=1e3)
