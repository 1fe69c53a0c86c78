"""The command line: what the commands print, write and answer, and that bad input ends with a message and code 2."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from blocks import Diagram
from blocks.cli.commands import cli
from blocks.scenario import Scenario

ROOT = Path(__file__).parents[2]
LOS = str(ROOT / "examples" / "minerva_los.yaml")

SMALL = """\
keelblocks: 1
name: small
title: A lag
diagram:
  blocks:
    step: {type: basic.Step, parameters: {time: 0, after: 1}}
    lag: {type: basic.FirstOrderLag, parameters: {time_constant: 1}}
  connections: {step.y: lag.u}
  outputs: {y: lag.y}
run: {step: 0.01, end: 2}
"""


@pytest.fixture
def small(tmp_path: Path) -> str:
    """A scenario that takes no time."""
    path = tmp_path / "small.yaml"
    path.write_text(SMALL, encoding="utf-8")
    return str(path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def fails(*arguments: str) -> str:
    """What a command that must fail says."""
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("Error: ")
    assert "Traceback" not in result.output
    assert isinstance(result.exception, SystemExit)
    return result.stderr


# --- help and the command line itself ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    ["", "run", "export", "check", "draw", "diff", "compare", "list", "show", "schema", "study", "live", "test"],
)
def test_help_teaches_by_examples(command: str) -> None:
    result = run(*command.split(), "--help")
    assert result.exit_code == 0
    assert f"keelblocks {command}".strip() in result.output
    if command and command != "schema":
        assert "Examples:" in result.output


def test_version() -> None:
    assert run("--version").output.startswith("keelblocks ")


def test_alone_it_greets_with_commands_that_work(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = run()
    commands = [line.split()[1:] for line in re.findall(r"^  (keelblocks .*?)  ", said.output, re.MULTILINE)]
    assert said.exit_code == 0
    assert [command[0] for command in commands[:5]] == ["new", "run", "draw", "copy", "list"]
    for command in commands[:5]:
        assert run(*command).exit_code == 0


def test_what_is_no_scenario_is_not_suggested_for_one() -> None:
    for name, text in (("sma.yaml", "a: 1\n"), ("smal2.yaml", "keelblocks_study: 1\n")):
        Path(name).write_text(text)
    assert fails("run", "smal.yaml").strip() == "Error: there is no scenario smal.yaml"
    Path("deeper").mkdir()
    Path("deeper/smal.yaml").write_text("keelblocks: 1\n")
    assert "did you mean 'deeper/smal.yaml'?" in fails("run", "smal.yaml")
    Path("again.yaml").write_text("keelblocks: 1\n")
    assert fails("run", "missing.yaml").strip().endswith("there is no scenario missing.yaml; beside it: again.yaml")
    assert "did you mean the example 'minerva_los'? keelblocks copy" in fails("run", "minerva_lo")
    Path("again.nc").touch()
    assert "again.nc is a result by its name, and a scenario is wanted, such as again.yaml" in fails("run", "again.nc")


def test_near_misses_on_the_command_line() -> None:
    assert "no command 'rnu'; did you mean 'run'?" in fails("rnu")
    assert "--step" in fails("run", "--stpe", "1", LOS)
    assert "Try 'keelblocks run --help'" in run("run").stderr.replace("cli", "keelblocks")
    assert "did you mean" in fails("show", "LineOfSigth").lower()


# --- run -------------------------------------------------------------------------------------------------------------


def test_run_writes_what_it_says(small: str) -> None:
    result = run("run", small)
    assert result.exit_code == 0, result.output
    assert "A lag" in result.stdout
    assert "complete" in result.stdout
    folder = Path("results/small")
    assert sorted(p.name for p in folder.iterdir()) == ["signals.png", "small.nc", "small.yaml"]
    assert "wrote results/small/small.nc" in result.stdout


def test_run_as_json(small: str) -> None:
    result = run("run", small, "--json", "--no-figures", "--output", "out", "--format", "csv", "--format", "nc")
    data = json.loads(result.stdout)
    assert data["status"] == "end"
    assert data["simulated_time"] == 2.0
    assert data["files"] == ["out/small.csv", "out/small.nc", "out/small.yaml"]
    assert all(Path(file).is_file() for file in data["files"])
    assert Path("out/small.csv").read_text().startswith("time [s],step.y [1],lag.y")


def test_quiet_prints_nothing(small: str) -> None:
    assert run("run", small, "-q", "--no-figures").output == ""


def test_run_with_changes(small: str) -> None:
    result = run(
        "run", small, "--set", "lag.time_constant=500 ms", "--set", "step.after=2", "--end", "1 s", "--solver", "heun",
        "--step", "0.005", "--every", "2", "--record", "lag.*", "--no-figures", "--json",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    as_run = Scenario.load("results/small/small.yaml")
    assert as_run.settings == {"step": 0.005, "end": "1 s", "solver": "heun", "every": 2, "record": ["lag.*"]}
    assert as_run.diagram["lag"].time_constant == 0.5  # type: ignore[attr-defined]
    again = as_run.run()
    assert list(again) == ["lag.y"]
    assert again.values("lag.y")[-1] == pytest.approx(2.0 * (1.0 - 2.718281828**-2), rel=1e-4)
    assert json.loads(result.stdout)["points"] == len(again) == 101


def test_svg_figures(small: str) -> None:
    run("run", small, "--svg", "-q")
    assert Path("results/small/signals.svg").read_text(encoding="utf-8").lstrip().startswith("<?xml")


def test_checkpoint_and_resume(small: str) -> None:
    assert run("run", small, "-q", "--no-figures", "--end", "1", "--checkpoint", "kept").exit_code == 0
    assert "is not a checkpoint" in fails("run", small, "--resume", small)
    assert "there is no checkpoint nowhere" in fails("run", small, "--resume", "nowhere")


BAD_RUNS = [
    (["--set", "lg.time_constant=1"], "no parameter 'lg.time_constant'; did you mean 'lag.time_constant'"),
    (["--set", "lag.time_constant"], "--set lag.time_constant: write it as PATH=VALUE"),
    (["--set", "lag.time_constant=-1"], "lag.time_constant must be > 0 s, not -1"),
    (["--set", "lag.time_constant=1 kg"], "'1 kg' is in kg, but s is wanted"),
    (["--set", "lag.time_constant=[1"], "not valid YAML"),
    (["--step", "0"], "--step: step must be > 0 s, not 0"),
    (["--step", "soon"], "--step: step: 'soon' is not a number with a unit"),
    (["--end", "-1"], "--end: end must be after start (0 s), not -1"),
    (["--start", "3"], "end must be after start (3 s), not 2"),
    (["--solver", "rk5"], "--solver: no solver 'rk5'; did you mean 'rk4'?"),
    (["--record", "lag.z"], "no output 'lag.z'; did you mean 'lag.y'?"),
    (["--every", "0"], "--every"),
    (["--format", "xls"], "there is no format 'xls'; valid: csv, html, mcap, nc, parquet"),
    (["--output", "small.yaml"], "cannot write results to small.yaml"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_RUNS, ids=[" ".join(arguments) for arguments, _ in BAD_RUNS])
def test_bad_arguments(arguments: list[str], message: str, small: str) -> None:
    assert message in fails("run", small, *arguments)
    assert not Path("results").exists()


def test_bad_files(small: str) -> None:
    assert "there is no scenario smal.yaml; did you mean 'small.yaml'?" in fails("run", "smal.yaml")
    Path("binary.yaml").write_bytes(bytes(range(256)))
    assert "binary.yaml is not a text file" in fails("run", "binary.yaml")
    Path("empty.yaml").touch()
    assert "empty.yaml is empty" in fails("check", "empty.yaml")
    text = Path(small).read_text().replace("basic.Step", "basic.Setp")
    Path("wrong.yaml").write_text(text)
    assert "wrong.yaml:6: no block type 'basic.Setp'; did you mean 'basic.Step'" in fails("draw", "wrong.yaml")
    Path("loose.yaml").write_text(SMALL.replace("  connections: {step.y: lag.u}\n", ""))
    for command in ("run", "check"):
        assert "loose.yaml:7: lag.u (Any) is not connected" in fails(command, "loose.yaml")
    Path("report.yaml").write_text(SMALL + "report: {guidance: lag}\n")
    for command in ("run", "check"):
        assert "report.yaml:11: report: 'lag' (basic.FirstOrderLag) cannot be its guidance" in fails(
            command, "report.yaml"
        )


DIVERGING = """\
keelblocks: 1
name: diverging
diagram:
  blocks:
    square: {type: basic.Product}
    x: {type: basic.Integrator, parameters: {initial_x: 1}}
  connections:
    x.y: [square.in1, square.in2]
    square.y: x.u
run: {step: 0.01, end: 3}
"""


def test_a_run_that_diverges_keeps_what_was_recorded() -> None:
    Path("diverging.yaml").write_text(DIVERGING)
    result = run("run", "diverging.yaml", "--json")
    assert result.exit_code == 2
    assert "is not a finite number at t = 1" in result.stderr
    assert "what was recorded until then is in results/diverging/diverging.nc" in result.stderr
    data = json.loads(result.stdout)
    assert data["status"] == "failed"
    assert data["message"]
    assert data["points"] > 90
    assert Path("results/diverging/diverging.nc").is_file()


def test_an_interrupted_run_keeps_what_was_recorded(small: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from blocks.run.engine_run import EngineRun

    def interrupted(self: EngineRun, until: float, closed: bool, steps: int) -> int:
        self.engine.proceed(until, 50)
        raise KeyboardInterrupt

    monkeypatch.setattr(EngineRun, "_go_on", interrupted)
    result = run("run", small)
    assert result.exit_code == 130
    assert "Error: interrupted at t = 0.5 s of 2 s" in result.stderr
    assert "what was recorded until then is in results/small/small.nc" in result.stderr
    assert Path("results/small/signals.png").is_file()


def test_a_result_that_cannot_be_written_is_kept_elsewhere(small: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from blocks.run.result import Result as RunResult
    from blocks.run.result import ResultError

    save = RunResult.save

    def full(self: RunResult, path: Path) -> Path:
        if "results" in Path(path).parts:
            raise ResultError(f"cannot write {path}: No space left on device")
        return save(self, path)

    monkeypatch.setattr(RunResult, "save", full)
    message = fails("run", small)
    assert "No space left on device\nThe result has been kept in " in message
    kept = Path(message.partition("kept in ")[2].strip())
    assert len(RunResult.load(kept).time) == 201
    kept.unlink()
    kept.parent.rmdir()


# --- the other commands ----------------------------------------------------------------------------------------------


def test_check(small: str) -> None:
    result = run("check", small, LOS)
    assert result.exit_code == 0
    assert f"{small}: in order: 2 blocks, 1 connected inputs, 1 continuous" in result.stdout


def test_check_goes_on_after_a_bad_file(small: str) -> None:
    Path("bad.yaml").write_text("keelblocks: 3\n")
    result = run("check", "bad.yaml", small, "--json")
    assert result.exit_code == 2
    bad, good = json.loads(result.stdout)
    assert not bad["ok"]
    assert "the format is 3" in bad["message"]
    assert good["ok"]
    assert good["plan"] == Scenario.load(small).plan().checksum


def test_draw(small: str) -> None:
    assert run("draw", small).exit_code == 0
    drawing = Path("small.svg").read_text(encoding="utf-8")
    assert drawing.startswith("<svg")
    assert "FirstOrderLag" in drawing
    assert run("draw", small, "-o", "-").stdout == drawing
    closed = run("draw", LOS, "--depth", "0", "-o", "-").stdout
    assert "plant" in closed
    assert "PropellerThrusters" not in closed
    assert "cannot write small.yaml/x.svg" in fails("draw", small, "-o", "small.yaml/x.svg")


def test_list() -> None:
    blocks = {row["block"]: row["what it is"] for row in json.loads(run("list", "--json").stdout)}
    assert blocks["guidance.LineOfSight"].startswith("Line-of-sight guidance along straight legs")
    assert all(blocks.values())
    assert "guidance.LineOfSight" in run("list").stdout
    assert "minerva" in run("list", "vehicles").stdout
    assert [row["solver"] for row in json.loads(run("list", "solvers", "--json").stdout)][:3] == [
        "euler",
        "heun",
        "rk4",
    ]
    assert "'spoons' is not one of" in fails("list", "spoons")


@pytest.mark.parametrize("name", ["control.PID", "PID", "pid", "Control.pid"])
def test_show_a_block(name: str) -> None:
    text = run("show", name).stdout
    for part in (
        "control.PID",
        "v = k_p e + I + D + f",
        "filter_coefficient",
        "rad/s",
        "> 0",
        "Source:",
        "measurement",
    ):
        assert part in text


def test_show_as_json() -> None:
    data = json.loads(run("show", "thrust.PropellerThrusters", "--json").stdout)
    diameter = next(p for p in data["parameters"] if p["name"] == "diameter")
    assert diameter["unit"] == "m"
    assert diameter["range"] == "> 0"
    assert diameter["required"]
    assert [port["name"] for port in data["outputs"]] == ["force", "thrust", "speed", "power", "torque"]
    assert data["example"]["diameter"] == [0.2, 0.3]


def test_show_an_example_to_go_on_from() -> None:
    text = run("show", "HotelLoad").stdout.partition("Example, among the blocks of a scenario\n\n")[2]
    assert text == "hotel_load:\n  type: power.HotelLoad\n  parameters:\n    consumption: [5.0, 2.0]\n\n"


def test_show_every_block() -> None:
    for name in json.loads(run("list", "--json").stdout):
        assert run("show", name["block"]).exit_code == 0


def test_show_a_vehicle() -> None:
    text = run("show", "vehicle", "minerva").stdout
    for part in ("ROV Minerva", "dynamics.Vessel6DOF", "added_mass", "mo2015", "Mo (2015)"):
        assert part in text
    data = json.loads(run("show", "vehicle", "minerva", "--json").stdout)
    assert data["sections"]["dynamics"]["parameters"]["added_mass"]["value"]["diag"][0] == 293.0
    assert "there is no vehicle 'minrva'; did you mean 'minerva' or 'mariner'?" in fails("show", "vehicle", "minrva")
    assert "name one vehicle" in fails("show", "vehicle")
    assert "name one block" in fails("show", "PID", "Gain")


def test_show_a_block_of_a_scenario(tmp_path: Path, small: str) -> None:
    path = tmp_path / "drag.yaml"
    path.write_text(
        SMALL.replace(
            "    step:",
            "    plant:\n      diagram:\n        blocks:\n          drag: {type: basic.Formula, inputs: {u: m/s}, "
            "let: {q: u**2}, parameters: {k: 3 kg/m}, outputs: {force: k*q}, descriptions: {q: square}}\n    step:",
        )
    )
    text = run("show", str(path), "plant.drag").stdout
    assert "  force = k·q\n" in text
    assert "      q = u²\n" in text
    rows = [line.split() for line in text.splitlines()]
    assert ["k", "parameter", "1", "kg/m", "3"] in rows
    assert ["force", "output", "1", "N"] in rows
    assert ["q", "let", "1", "m^2/s^2", "square"] in rows
    data = json.loads(run("show", str(path), "plant.drag", "--json").stdout)
    assert data["outputs"] == {"force": "k*q"}
    assert r"\mathrm{force} &= k \, q" in data["latex"]
    listed = json.loads(run("show", str(path), "--json").stdout)
    assert [row["block"] for row in listed] == ["plant.drag", "step", "lag"]
    assert ["time_constant", "parameter", "1", "s", "1"] in [
        line.split()[:5] for line in run("show", small, "lag").stdout.splitlines()
    ]
    assert "has no block 'drag'; there is plant.drag" in fails("show", str(path), "drag")
    assert "has no block 'plant.drg'; did you mean 'plant.drag'?" in fails("show", str(path), "plant.drg")
    assert "has no block 'lg'; did you mean 'lag'?" in fails("show", small, "lg")
    assert "name one block of the scenario" in fails("show", small, "lag", "step")


def test_show_a_formula_teaches_what_expressions_can_say() -> None:
    text = run("show", "Formula").stdout
    assert ["clip(x,", "low,", "high)", "x", "held"] in [line.split()[:5] for line in text.splitlines()]
    assert "    k: 3 N*s^2/m^2" in text.partition("Example, among the blocks of a scenario")[2]


def test_schema() -> None:
    printed = run("schema").stdout
    assert json.loads(printed)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert run("schema", "-o", "schema.json").exit_code == 0
    assert Path("schema.json").read_text(encoding="utf-8") == printed


def test_own_blocks_are_imported_on_request() -> None:
    Path("my_blocks.py").write_text(
        "from blocks import Input, Output, Parameter, PythonBlock\n"
        "class Doubler(PythonBlock):\n"
        '    """Twice its input: y = 2 u."""\n'
        "    u = Input()\n    y = Output()\n"
        "    def outputs(self, t, states, inputs):\n        return {'y': 2.0 * inputs['u']}\n"
    )
    Path("own.yaml").write_text(SMALL.replace("basic.FirstOrderLag, parameters: {time_constant: 1}", "Doubler"))
    result = run("--import", "my_blocks", "run", "own.yaml", "--no-figures", "--format", "csv")
    assert result.exit_code == 0, result.output
    assert Path("results/small/small.csv").read_text().splitlines()[-1].endswith(",2")
    assert "cannot import 'no_such_module'" in fails("--import", "no_such_module", "list")


# --- export ----------------------------------------------------------------------------------------------------------


def test_export(monkeypatch: pytest.MonkeyPatch) -> None:
    import fmu

    made: list[tuple[str, dict[str, object]]] = []

    def export(component: object, path: Path, **settings: object) -> Path:
        path.write_bytes(b"x" * 5000)
        made.append((getattr(component, "path", ""), settings))
        assert isinstance(component, Diagram) or settings["name"] == "vessel"
        return path

    monkeypatch.setattr(fmu, "export", export)
    result = run("export", LOS, "--output", "fmus", "--step", "0.02")
    assert result.exit_code == 0, result.output
    assert [name for name, _ in made] == ["", "plant", "autopilot"]
    assert [settings["name"] for _, settings in made] == ["minerva_los", "plant", "autopilot"]
    assert all(settings["step"] == 0.02 and settings["solver"] == "rk4" for _, settings in made)
    assert "wrote fmus/plant.fmu (5 kB)" in result.stdout
    made.clear()
    data = json.loads(run("export", LOS, "--only", "plant.vessel", "--json").stdout)
    assert data["files"] == ["fmus/minerva_los/vessel.fmu"]
    assert [name for name, _ in made] == ["plant.vessel"]
    assert "no part 'plnt' in" in fails("export", LOS, "--only", "plnt")
    Path("file").touch()
    assert "cannot write FMUs to file: it is a file, and a folder is wanted" in fails("export", LOS, "--output", "file")
