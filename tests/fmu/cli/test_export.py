"""`keelblocks export`: which exporter is called with which options, and what bad combinations say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import fmu
from blocks.cli.commands import cli

LOS = str(Path(__file__).parents[3] / "examples" / "minerva_los.yaml")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, Path, dict[str, Any]]]:
    """What is exported: the exporter, the part, the path, the options."""
    made: list[tuple[str, str, Path, dict[str, Any]]] = []

    def stand_in(kind: str) -> Any:
        def export(component: Any, path: Path, **options: Any) -> Path:
            if kind == "osp":
                path.mkdir(exist_ok=True)
                (path / "OspSystemStructure.xml").write_bytes(b"x" * 3000)
            else:
                path.write_bytes(b"x" * 3000)
            made.append((kind, component.path, path, options))
            return path

        return export

    for kind, name in (("fmu", "export"), ("ssp", "export_ssp"), ("osp", "export_osp")):
        monkeypatch.setattr(fmu, name, stand_in(kind))
    return made


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(cli, ["export", LOS, *arguments])
    assert result.exit_code == 0, result.output
    return result


def fails(*arguments: str) -> str:
    result = CliRunner().invoke(cli, ["export", LOS, *arguments])
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    return result.stderr


def test_options_of_fmus_are_passed_on_only_if_given(calls):
    run("--only", "plant")
    assert not {"fmi", "interfaces", "platforms", "sources", "compiled", "local_variables"} & set(calls[0][3])
    run(
        "--only", "plant", "--fmi", "3.0", "--interface", "cs", "--interface", "me", "--platform", "linux64",
        "--platform", "win64", "--sources", "--compiled", "--local-variables", "--layered-standard", "ref",
        "--layered-standard", "wasm",
    )  # fmt: skip
    given = calls[1][3]
    assert given["compiled"] is True
    assert (given["fmi"], given["interfaces"]) == ("3.0", ["cs", "me"])
    assert (given["platforms"], given["sources"]) == (["linux64", "win64"], True)
    assert given["local_variables"] is True
    assert given["layered_standards"] == ["ref", "wasm"]


TABLES = """\
keelblocks: 1
name: tables
diagram:
  blocks:
    wave: {type: basic.Sine, parameters: {amplitude: 1.0, frequency: 1.0}}
    curved:
      diagram:
        blocks:
          curve: {type: basic.LookupTable1D, parameters: {breakpoints: [0, 1], table: [0, 2]}}
        inputs: {u: curve.u}
        outputs: {y: curve.y}
    plain:
      diagram:
        blocks:
          gain: {type: basic.Gain, parameters: {gain: 2.0}}
        inputs: {u: gain.u}
        outputs: {y: gain.y}
  connections: {wave.y: curved.u, curved.y: plain.u}
  outputs: {y: plain.y}
run: {end: 1}
"""


def test_parts_without_tables_leave_without_struct(calls, tmp_path):
    file = tmp_path / "tables.yaml"
    file.write_text(TABLES)
    what = ["--fmi", "3.0", "--layered-standard", "struct"]
    result = CliRunner().invoke(cli, ["export", str(file), "--output", str(tmp_path / "out"), *what])
    assert result.exit_code == 0, result.output
    asked = {path.stem: how["layered_standards"] for _, _, path, how in calls}
    assert asked == {"tables": ["struct"], "curved": ["struct"], "plain": []}


def test_what_is_shown_is_passed_on(calls):
    run("--only", "plant")
    assert not {"only_interface", "parameters"} & set(calls[0][3])
    run("--only", "plant", "--only-interface", "--parameter", "current", "--parameter", "*.mass")
    assert (calls[1][3]["only_interface"], calls[1][3]["parameters"]) == (True, ["current", "*.mass"])
    run("--all-variables")
    assert calls[2][3]["only_interface"] is False
    several = fails("--parameter", "current")
    assert "--parameter is for one part at a time: name it by --only, one of minerva_los, plant, autopilot" in several


def test_options_of_fmi_3_are_passed_on(calls):
    run("--fmi", "3.0", "--no-arrays", "--no-clocks", "--capacity", "autopilot.guidance.n=50", "--only", "minerva_los")
    given = calls[0][3]
    assert (given["arrays"], given["clocks"], given["capacities"]) == (False, False, {"autopilot.guidance.n": 50})
    for text in ("n", "n=", "=5", "n=many"):
        assert f"such as guidance.n=50, not '{text}'" in fails("--fmi", "3.0", "--capacity", text)
    several = fails("--fmi", "3.0", "--capacity", "guidance.n=50")
    assert "--capacity is for one part at a time: name it by --only, one of minerva_los, plant, autopilot" in several


def test_the_output_may_be_the_one_file(calls):
    run("--only", "plant", "--output", "out/boat.fmu")
    run("--format", "ssp", "--output", "out/boat.ssp")
    assert [path for _, _, path, _ in calls] == [Path("out/boat.fmu"), Path("out/boat.ssp")]
    assert "boat.fmu can hold one of minerva_los, plant, autopilot only" in fails("--output", "boat.fmu")


def test_an_ssp_of_the_whole_scenario(calls):
    said = run("--format", "ssp", "--communication-step", "50 ms", "--split", "plant.vessel", "--ssp-version", "2.0")
    ((kind, part, path, options),) = calls
    assert (kind, part, path) == ("ssp", "", Path("fmus/minerva_los/minerva_los.ssp"))
    assert options["name"] == "minerva_los"
    assert (options["version"], options["communication_step"]) == ("2.0", "50 ms")
    assert options["subsystems"] == ["plant.vessel"]
    assert "boundary" not in options
    assert options["step"] == 0.01
    assert "wrote fmus/minerva_los/minerva_los.ssp (3 kB)" in said.stdout


@pytest.mark.parametrize(("flag", "value"), [("--boundary", True), ("--no-boundary", False)])
def test_the_boundary_of_an_ssp(calls, flag, value):
    run("--format", "ssp", flag)
    assert calls[0][3]["boundary"] is value


def test_an_osp_system_is_the_folder_or_one_for_each_part(calls):
    run("--format", "osp", "--output", "minerva_osp")
    assert calls[0][:3] == ("osp", "", Path("minerva_osp"))
    data = json.loads(run("--format", "osp", "--only", "plant", "--only", "autopilot", "--json").stdout)
    assert data["files"] == ["fmus/minerva_los/plant", "fmus/minerva_los/autopilot"]


def test_parts_of_one_name_do_not_overwrite_each_other(calls):
    run("--only", "plant.vessel", "--only", "autopilot.depth", "--only", "autopilot.heading")
    assert [path.name for _, _, path, _ in calls] == ["vessel.fmu", "depth.fmu", "heading.fmu"]


def test_options_that_do_not_belong_together_are_refused():
    assert "--split is of use with --format ssp or osp, not with single FMUs" in fails("--split", "plant.vessel")
    assert "--boundary is of use with --format ssp, not with single FMUs" in fails("--boundary")
    said = "--ssp-version is of use with --format ssp, not with a system of the Open Simulation Platform"
    assert said in fails("--format", "osp", "--ssp-version", "1.0")
    assert "no subsystem 'plant.vesel' in" in fails("--format", "ssp", "--split", "plant.vesel")
    assert "'zip' is not one of" in fails("--format", "zip")
    assert "SSP 1.0 does not know the types and arrays of FMI 3.0" in fails(
        "--format", "ssp", "--fmi", "3.0", "--ssp-version", "1.0"
    )
    Path("file").touch()
    assert "cannot write OSP systems to file" in fails("--format", "osp", "--output", "file")


def test_the_files_are_there():
    run("--format", "ssp", "--communication-step", "0.05", "--quiet")
    run("--format", "osp", "--output", "osp")
    assert Path("fmus/minerva_los/minerva_los.ssp").stat().st_size > 10_000
    assert sorted(path.name for path in Path("osp").glob("*.xml")) == [
        "OspSystemStructure.xml", "autopilot_OspModelDescription.xml", "plant_OspModelDescription.xml",
    ]  # fmt: skip


def test_a_scenario_without_outputs_gets_those_of_its_report_and_says_so(tmp_path):
    text = Path(LOS).with_name("otter_los.yaml").read_text(encoding="utf-8")
    scenario = tmp_path / "bare.yaml"
    scenario.write_text(text[: text.index("  outputs:")] + text[text.index("\nrun:") :], encoding="utf-8")
    arguments = ["export", str(scenario), "--output", str(tmp_path), "--platform", "linux64"]
    said = CliRunner().invoke(cli, arguments)
    assert said.exit_code == 0
    assert "otter_los declares no outputs. It gets those that its report shows" in said.stderr
    assert "    eta: vessel.eta\n" in said.stderr
    assert CliRunner().invoke(cli, [*arguments, "--quiet"]).stderr == ""
    bare = CliRunner().invoke(cli, [*arguments, "--no-report-outputs"])
    assert "Warning: the FMU 'otter_los' has no outputs" in bare.stderr
    assert bare.exit_code == 0
