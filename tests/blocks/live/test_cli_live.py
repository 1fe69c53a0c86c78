"""`keelblocks live`: what it prints and writes, what a scenario says under `live:`, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from blocks import Simulator
from blocks.cli.commands import cli
from blocks.errors import ScenarioError
from blocks.live.from_scenario import attached_by
from blocks.scenario import Scenario

LAG = """\
keelblocks: 1
name: lag
title: A lag
diagram:
  blocks:
    lag: {type: basic.FirstOrderLag, parameters: {time_constant: 1}}
  inputs: {wanted: lag.u}
  outputs: {y: lag.y}
run: {step: 0.01, end: 2, inputs: {wanted: 0}}
"""
LIVE = (
    LAG
    + """\
live:
  factor: free
  rate: 10 Hz
  show: [y, wanted]
  log: all.csv
  sources:
    helm: {python: helms.Helm, arguments: {wanted: 3}}
  sinks:
    table: {file: table.csv, signals: lag.y, rate: 2 Hz}
"""
)


@pytest.fixture(autouse=True)
def helms(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module with a source, as --import brings it."""

    class Helm:
        def __init__(self, wanted: float) -> None:
            self.wanted = wanted

        def read(self, simulator: Simulator, t: float) -> None:
            simulator["wanted"] = self.wanted

    module = types.ModuleType("helms")
    module.Helm, module.wave = Helm, lambda simulator, t: None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "helms", module)


def scenario(text: str) -> Scenario:
    return Scenario.from_text(text, "lag.yaml")


def test_a_scenario_with_sources_and_sinks_runs_and_leaves_its_files(tmp_path: Path) -> None:
    file = tmp_path / "lag.yaml"
    file.write_text(LIVE)
    done = CliRunner().invoke(cli, ["live", str(file), "-o", str(tmp_path / "out"), "--json", "--format", "csv"])
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    assert (said["status"], said["turns"], said["rate"], said["factor"]) == ("end", 20, 10.0, 0.0)
    assert done.stderr.startswith("t = 0.0 s  ×0  y = 0  wanted = 3\n")
    result = (tmp_path / "out" / "lag.csv").read_text().splitlines()
    assert result[0] == "time [s],wanted [1],lag.y [1]"
    assert [float(text) for text in result[-1].split(",")] == pytest.approx([2.0, 3.0, 3 * (1 - np.exp(-2))])
    table = np.loadtxt(tmp_path / "out" / "table.csv", delimiter=",", skiprows=1)
    assert table[:, 0] == pytest.approx([0, 0.5, 1.0, 1.5, 2.0])
    assert len((tmp_path / "out" / "all.csv").read_text().splitlines()) == 22
    assert scenario((tmp_path / "out" / "lag.yaml").read_text()).live["sources"] == scenario(LIVE).live["sources"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--factor", "fast"],
            "--factor must be a number ≥ 0, times real time, where 0 or 'free' is as fast as it goes",
        ),
        (["--rate", "3 m"], "--rate: '3 m' is in m, but Hz is wanted"),
        (["--keep", "0"], "--keep must be > 0 s, not 0.0"),
        (["--show", "lag.z"], "show: nothing is called 'lag.z'; did you mean 'lag.y'"),
        (
            ["--change", "lag.time_konstant"],
            "change: nothing is called 'lag.time_konstant'; did you mean 'lag.time_constant'",
        ),
        (["--paused"], "--paused needs a terminal, whose space bar starts the run"),
        (["--endless", "--end", "3"], "--endless and --end say two things; leave one out"),
        (["--late", "later"], "'later' is not one of 'catch up', 'skip', 'stop'"),
        (["--solver", "LSODA"], "a Simulator goes on with euler, heun, rk4 or dopri5, not LSODA"),
    ],
)
def test_bad_options_end_with_a_message_before_anything_runs(arguments: list[str], message: str) -> None:
    Path("lag.yaml").write_text(LAG)
    done = CliRunner().invoke(cli, ["live", "lag.yaml", *arguments])
    assert done.exit_code == 2
    assert message in done.stderr
    assert isinstance(done.exception, SystemExit)


@pytest.mark.parametrize(
    ("live", "message"),
    [
        ("{factor: -1}", "lag.yaml:10: live.factor: a number ≥ 0, or free, is wanted, not -1"),
        ("{rate: 5 m}", "lag.yaml:10: live.rate: '5 m' is in m, but Hz is wanted, not '5 m'"),
        ("{late: never}", "lag.yaml:10: live.late: Input should be 'catch up', 'skip' or 'stop', not 'never'"),
        ("{shw: y}", "lag.yaml:10: unknown key 'shw' in live; did you mean 'show'?"),
        ("{sources: {a: {}}}", "lag.yaml:10: live.sources.a: one of python or udp is wanted"),
        ("{sinks: {a: {udp: 5, file: x.csv}}}", "lag.yaml:10: live.sinks.a: one of python, udp or file is wanted"),
        ("{sinks: {a: {python: m.f, rate: 5}}}", "lag.yaml:10: live.sinks.a: rate goes with udp or file"),
        (
            "{sinks: {a: {udp: 5, signls: [y]}}}",
            "lag.yaml:10: unknown key 'signls' in live.sinks.a; did you mean 'signals'?",
        ),
    ],
)
def test_what_a_file_says_wrong_is_told_with_its_line(live: str, message: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        scenario(f"{LAG}live: {live}\n")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("{python: helms.Hlm}", "there is no 'Hlm' in helms; did you mean 'Helm'?"),
        ("{python: helm.Helm}", "the module helm of helm.Helm has not been imported: keelblocks --import helm live …"),
        ("{python: Helm}", "'Helm' says no module: write module.function, and keelblocks --import MODULE live …"),
        ("{python: helms.Helm}", "live.sources.a: helms.Helm(…) failed: TypeError: "),
        ("{python: helms.wave, arguments: {k: 1}}", "arguments go with a class, and helms.wave is a function"),
        ("{udp: here}", "an address is a port or host:port, 5005 or 127.0.0.1:5005, not 'here'"),
    ],
)  # fmt: skip
def test_what_cannot_be_attached_is_told(source: str, message: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        attached_by(scenario(f"{LAG}live: {{sources: {{a: {source}}}}}\n"))
    assert message in str(caught.value)


@pytest.mark.parametrize("file", ["../track.csv", "/tmp/track.csv", "a/../../track.mcap"])
def test_files_of_a_scenario_stay_in_the_folder_of_its_result(file: str, tmp_path: Path) -> None:
    for live in (f"{{sinks: {{a: {{file: {file}}}}}}}", f"{{log: {file}}}"):
        with pytest.raises(ScenarioError, match="is not in the folder of the result"):
            attached_by(scenario(f"{LAG}live: {live}\n"), tmp_path)


def test_ctrl_c_ends_a_run_without_an_end_and_its_result_is_saved() -> None:
    """In a process of its own, in lines: the file is named, and holds the time that had passed."""
    Path("lag.yaml").write_text(LAG.replace(", end: 2", ""))
    command = [
        sys.executable,
        "-c",
        "from blocks.cli import main; main()",
        "live",
        "lag.yaml",
        "--factor",
        "50",
        "--format",
        "csv",
    ]
    environment = dict(os.environ, PYTHONUNBUFFERED="1")
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("t = 0.0 s")
        assert process.stderr.readline().startswith("t = ")
        process.send_signal(signal.SIGINT)
        try:
            out, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert errors.startswith("Error: interrupted at t = ")
    assert errors.endswith("; what was recorded until then is in results/lag/lag.csv\n")
    assert "times real time of 50 wanted" in out
    assert float(Path("results/lag/lag.csv").read_text().splitlines()[-1].partition(",")[0]) > 0.0
