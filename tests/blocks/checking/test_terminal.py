"""What the commands show: a caret under the characters at fault, JSON that its schema describes, codes of exit."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from rich.cells import cell_len
from rich.text import Text

from blocks import Diagram, RunStopped, simulate
from blocks.basic import Constant, Integrator, Product
from blocks.cli.commands import cli
from blocks.cli.problems import excerpt
from blocks.errors import KeelblocksError
from blocks.problems import Problem

TEXT = """\
keelblocks: 1
name: small
diagram:
  blocks:
    step: {type: basic.Step, parameters: {time: 0, after: 90 deg}}
    lag: {type: basic.FirstOrderLag, parameters: {time_constant: 1}}
  connections: {step.y: lag.u}
run: {step: 0.01, end: 2}
"""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("width", [40, 60, 200])
@pytest.mark.parametrize(
    "line",
    ["a: {b: @}", "\ta:\t@ # tab", "航海: {船: '港', c: @}", "x" * 300 + " @ " + "y" * 300, "\x1b[31m@", "a: @\r"],
)
def test_the_caret_is_under_the_fault_and_nothing_is_wider_than_the_terminal(line: str, width: int) -> None:
    column = line.index("@") + 1
    problem = Problem("error", "bad-value", "", line=2, column=column, end_line=2, end_column=column + 1)
    shown, marks = (part.plain for part in excerpt(f"first\n{line}\nlast", problem, width))
    assert cell_len(shown) <= width
    assert marks.endswith("^")
    assert "\x1b" not in shown
    assert "\t" not in shown
    assert cell_len(shown[: shown.index("@")]) == cell_len(marks) - 1


def test_a_line_that_is_not_there_is_not_shown() -> None:
    assert excerpt("a", Problem("error", "bad-file", ""), 80) == []
    assert excerpt("a", Problem("error", "bad-file", "", line=7, column=1), 80) == []


def test_check_prints_records_that_fit_their_schema(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text(TEXT.replace("lag.u", "lag.v").replace("0.01", "-1"), encoding="utf-8")
    (tmp_path / "good.yaml").write_text(TEXT.replace("end: 2", "record: lag.y"), encoding="utf-8")
    runner = CliRunner()
    ran = runner.invoke(cli, ["check", str(tmp_path / "bad.yaml"), str(tmp_path / "good.yaml"), "--json"])
    assert ran.exit_code == 2
    bad, good = found = json.loads(ran.stdout)
    jsonschema.validate(found, json.loads(runner.invoke(cli, ["schema", "--problems"]).stdout))
    assert [(one["code"], one["line"], one["column"]) for one in bad["problems"]] == [
        ("unknown-port", 7, 25),
        ("bad-setting", 8, 13),
    ]
    assert [one["code"] for one in good["problems"]] == ["no-end"]
    assert (bad["ok"], good["ok"]) == (False, True)
    assert runner.invoke(cli, ["check", str(tmp_path / "good.yaml")]).exit_code == 0
    strict = runner.invoke(cli, ["check", str(tmp_path / "good.yaml"), "--strict", "--quiet"])
    assert (strict.exit_code, strict.stdout) == (2, "")
    assert strict.stderr == f"Warning: {tmp_path / 'good.yaml'}:8: 'end' is missing under run: say when the run ends\n"


def test_fix_writes_the_mend_and_says_it(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(TEXT.replace("basic.Step", "basic.Setp").replace("step: 0.01", "stpe: 0.01"), encoding="utf-8")
    ran = CliRunner().invoke(cli, ["check", "--fix", str(file)])
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert f"{file}:5: mended: no block type 'basic.Setp'" in ran.stdout
    assert f"{file}: in order" in ran.stdout
    assert file.read_text(encoding="utf-8") == TEXT


def test_a_run_prints_why_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ratio = "    p: {type: basic.Product, parameters: {operations: '*/'}}\n"
    text = TEXT.replace("lag.u}", "[lag.u, p.in1], lag.y: p.in2}").replace("  connections", f"{ratio}  connections")
    Path("small.yaml").write_text(text.replace("after: 90", "before: 1, after: 90"), encoding="utf-8")
    ran = CliRunner().invoke(cli, ["run", "small.yaml", "--json", "--no-figures"])
    assert ran.exit_code == 2
    (problem,) = json.loads(ran.stdout)["problems"]
    assert {key: problem[key] for key in ("code", "block", "port", "part", "element", "line", "column")} == {
        "code": "not-finite", "block": "p", "port": "y", "part": "output y", "element": 0, "line": 7, "column": 5,
    }  # fmt: skip
    assert (problem["time"], problem["recorded"]) == (0.0, 1)


def test_problems_of_diagrams_made_in_python_have_no_lines() -> None:
    diagram = Diagram()
    diagram.add("one", Integrator())
    diagram.add("two", Integrator())
    with pytest.raises(KeelblocksError) as caught:
        diagram.check()
    assert [(one.code, one.block, one.port, one.line, one.file) for one in caught.value.problems] == [
        ("unconnected-input", "one", "u", None, ""),
        ("unconnected-input", "two", "u", None, ""),
    ]
    ratio = Diagram()
    ratio.add("zero", Constant(0.0))
    ratio.add("p", Product("*/"))
    ratio.connect("zero.y", "p.in1", "p.in2")
    with pytest.raises(RunStopped) as stopped:
        simulate(ratio, 1.0)
    (problem,) = stopped.value.problems
    assert (problem.code, problem.block, problem.line, problem.time) == ("not-finite", "p", None, 0.0)
    assert problem.text == str(stopped.value)


def test_a_run_that_stops_is_shown_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of `live`, too, and then where the result is."""
    text = TEXT.replace("time_constant: 1", "time_constant: 0.001")
    (tmp_path / "fast.yaml").write_text(text.replace("end: 2", "end: 9"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for command in (["run", "--no-figures"], ["live", "--factor", "free"]):
        terminal = Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        code = cli.main([*command, "fast.yaml", "-q", "-o", "out"], standalone_mode=False)
        head, line, marks, kept = Text.from_ansi(terminal.getvalue()).plain.splitlines()
        assert code == 2
        assert head.startswith("Error not-finite fast.yaml:6:5: lag: the derivative of x is not a finite number")
        assert line.startswith(" 6 │     lag: {type:")
        assert marks == "   │     ^^^"
        assert kept == "what was recorded until then is in out/small.nc"
