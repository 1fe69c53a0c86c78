"""`keelblocks share` and `keelblocks run --html`: what they write, print and answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from blocks.cli.commands import cli

pytestmark = pytest.mark.usefixtures("pages_can_be_made")

EXAMPLES = Path(__file__).parents[2] / "examples"

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
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A scenario in the folder in which the commands are given."""
    monkeypatch.chdir(tmp_path)
    Path("small.yaml").write_text(SMALL, encoding="utf-8")
    return "small.yaml"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def fails(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    return result.stderr


def test_the_page_is_named_after_the_scenario(small):
    result = run("share", small)
    assert result.exit_code == 0, result.output
    assert result.output.startswith("wrote small.html (")
    assert Path("small.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_as_json(small):
    made = json.loads(run("share", small, "-o", "pages/lag.html", "--json").output)
    assert made["file"] == "pages/lag.html"
    assert made["bytes"] == Path("pages/lag.html").stat().st_size
    assert made["gzipped"] < 200_000


def test_minerva_takes_less_than_200_kb(tmp_path):
    made = json.loads(run("share", str(EXAMPLES / "minerva_los.yaml"), "-o", str(tmp_path / "m.html"), "--json").output)
    assert made["gzipped"] <= 200_000


def test_equal_scenarios_give_equal_pages(small):
    run("share", small, "-o", "one.html")
    run("share", small, "-o", "other.html")
    assert Path("one.html").read_bytes() == Path("other.html").read_bytes()


def test_the_text_only_where_it_is_asked_for(small):
    run("share", small, "-o", "without.html")
    run("share", small, "-o", "with.html", "--with-yaml")
    assert "basic.FirstOrderLag, parameters" not in Path("without.html").read_text(encoding="utf-8")
    assert "basic.FirstOrderLag, parameters" in Path("with.html").read_text(encoding="utf-8")


def test_parameters_and_settings_of_the_command_line(small):
    run("share", small, "--set", "lag.time_constant=3", "--end", "5 s", "--solver", "heun")
    page = Path("small.html").read_text(encoding="utf-8")
    assert '"end":5.0' in page
    assert '"solver":"heun"' in page
    assert '"values":[3.0]' in page


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("nowhere.yaml",), "there is no scenario nowhere.yaml"),
        (("small.yaml", "--vary", "lag.time_constnat=0:1"), "did you mean 'lag.time_constant'"),
        (("small.yaml", "-o", "page.txt"), "let its name end in .html"),
        (("small.yaml", "--solver", "LSODA"), "the solver LSODA is SciPy's"),
        (("small.yaml", "--set", "lag.time_constant=-1"), "lag.time_constant"),
        (("small.yaml", "--step", "fast"), "--step"),
    ],
)
def test_bad_input(small, arguments, text):
    assert text in fails("share", *arguments)
    assert [path.name for path in Path().iterdir()] == ["small.yaml"]


def test_kinds_of_files_without_a_page(small):
    text = fails("share", str(EXAMPLES / "tuning" / "otter_heading.yaml"))
    assert "is a tuning, which has no page; `keelblocks lab tune` takes it" in text


def test_run_writes_a_page_beside_the_result(small):
    result = run("run", small, "--html", "--no-figures", "-o", "out")
    assert result.exit_code == 0, result.output
    assert "wrote out/small.html" in result.output
    assert {path.name for path in Path("out").iterdir()} == {"small.nc", "small.yaml", "small.html"}


def test_a_run_keeps_its_result_where_there_can_be_no_page(small):
    result = run("run", small, "--html", "--no-figures", "-o", "out", "--solver", "LSODA")
    assert result.exit_code == 2
    assert "SciPy's" in result.stderr
    assert {path.name for path in Path("out").iterdir()} == {"small.nc", "small.yaml"}
