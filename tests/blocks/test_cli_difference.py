"""`keelblocks diff` and `compare`, and a drawing as JSON: what is printed, written and answered."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from blocks import simulate
from blocks.basic import Constant
from blocks.cli.commands import cli
from blocks.diagram import Diagram
from tests.blocks.difference.test_scenarios import LOOP


def run(*arguments: str, given: str | None = None) -> Result:
    return CliRunner().invoke(cli, list(arguments), input=given)


@pytest.fixture
def loops(tmp_path: Path) -> tuple[str, str]:
    """Two scenarios, of which the second has another gain."""
    paths = tmp_path / "a.yaml", tmp_path / "b.yaml"
    for path, text in zip(paths, (LOOP, LOOP.replace("2.0", "3.0")), strict=True):
        path.write_text(text)
    return str(paths[0]), str(paths[1])


def test_diff_answers_like_diff(loops: tuple[str, str], tmp_path: Path) -> None:
    one, other = loops
    found = run("diff", one, other)
    assert (found.exit_code, found.stdout) == (1, "~ parameter heading.kp: 2.0 → 3.0\n1 difference\n")
    assert (run("diff", one, one).exit_code, run("diff", one, one).stdout) == (0, "the same text\n")
    assert run("diff", "-", other, given=LOOP).exit_code == 1
    assert json.loads(run("diff", one, other, "--json").stdout)["changes"][0]["path"] == "heading.kp"
    svg = tmp_path / "changes.svg"
    assert run("diff", one, other, "--svg", str(svg), "--quiet").exit_code == 1
    assert "mark-changed" in svg.read_text()
    assert run("diff", one, other, "--svg", str(svg), "--quiet").stdout == ""
    bad = run("diff", one, str(tmp_path / "c.yaml"))
    assert (bad.exit_code, bad.stderr.startswith("Error: there is no scenario")) == (2, True)
    assert "name two scenarios" in run("diff", one).stderr
    assert "only one of both" in run("diff", "-", "-").stderr
    assert "standard input:2" in run("diff", "-", other, given="a: [\n").stderr
    strange = tmp_path / "latin.yaml"
    strange.write_bytes("name: Bjørn\n".encode("latin-1"))
    assert run("diff", "--text", str(strange)).stdout_bytes == strange.read_bytes()


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_git_shows_facts_by_textconv(loops: tuple[str, str], tmp_path: Path) -> None:
    one, other = (Path(path) for path in loops)

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", "-C", str(tmp_path), *arguments], capture_output=True, text=True, check=True)
        return done.stdout

    git("init", "-q")
    git("config", "diff.keelblocks.textconv", f'"{sys.executable}" -m blocks.cli diff --text')
    (tmp_path / ".gitattributes").write_text("*.yaml diff=keelblocks\n")
    git("add", "a.yaml")
    one.write_text("# A comment\n" + other.read_text())
    shown = [line for line in git("diff", "-U0", "a.yaml").splitlines() if line[0] in "+-" and line[1] == " "]
    assert shown == ["-  heading.kp: 2.0", "+  heading.kp: 3.0"]


def test_compare_answers_like_diff(tmp_path: Path) -> None:
    paths = []
    for value in (1.0, 1.001):
        diagram = Diagram()
        diagram.add("level", Constant(value=value))
        paths.append(str(simulate(diagram, 1.0, step=0.5).save(tmp_path / f"{value}.nc")))
    found = run("compare", *paths)
    assert found.exit_code == 1
    assert "level.y" in found.stdout
    assert found.stdout.endswith("1 of 1 signals at 3 times are further apart than they may be\n")
    assert run("compare", *paths, "--tolerance", "level.y=0.01").exit_code == 0
    assert run("compare", *paths, "--relative", "0.01", "--quiet").stdout == ""
    assert json.loads(run("compare", *paths, "--json").stdout)["signals"][0]["beyond"] == 3
    bad = run("compare", *paths, "--tolerance", "levl.y=1")
    assert (bad.exit_code, "did you mean 'level.y'?" in bad.stderr) == (2, True)


def test_draw_writes_json_by_format_and_by_ending(loops: tuple[str, str], tmp_path: Path) -> None:
    printed = run("draw", loops[0], "--format", "json", "--depth", "0", "--output", "-")
    assert list(json.loads(printed.stdout)["diagrams"]) == ["ship"]
    target = tmp_path / "loop.json"
    assert run("draw", loops[0], "-o", str(target)).exit_code == 0
    assert json.loads(target.read_text())["name"] == "loop"
    assert json.loads(run("schema", "--drawing").stdout)["title"] == "Drawing of Keelblocks"
    assert "takes no files" in run("schema", loops[0], "--drawing").stderr
