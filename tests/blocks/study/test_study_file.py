"""Study files and the command: what they say is what is run, and what is wrong has its line."""

from __future__ import annotations

import errno
import json
import logging
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from blocks.cli.commands import cli
from blocks.errors import ScenarioError
from blocks.scenario import Scenario
from blocks.study import Outcome
from blocks.study.file import StudyDocument

SCENARIO = """\
keelblocks: 1
name: lag
diagram:
  blocks:
    gain: {type: basic.Gain, parameters: {gain: 2}}
    lag: {type: basic.FirstOrderLag, parameters: {time_constant: 1 s}}
    noise: {type: basic.UniformNoise, parameters: {period: 0.1}}
  inputs: {u: gain.u}
  connections: {gain.y: lag.u}
run: {step: 0.01, end: 5, inputs: {u: 1}}
"""
STUDY = """\
keelblocks_study: 1
name: lags
title: Lags and gains
scenario: lag.yaml
parameters: {noise.upper: 3}
run: {end: 2 s}
factors:
  lag.time_constant: [500 ms, 1]
  gain:
    of: gain.gain
    range: {start: 1, stop: 3, count: 3}
  model:
    levels:
      as it is: {}
      integral: {lag: {type: basic.Integrator}}
metrics:
  y: final(lag.y)
  noise: greatest(noise.y)
replicates: 2
seeds: noise.seed
seed: 4
"""


@pytest.fixture(autouse=True)
def _files() -> None:
    Path("lag.yaml").write_text(SCENARIO)
    Path("study.yaml").write_text(STUDY.replace("  lag.time_constant: [500 ms, 1]\n", ""))


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of the command."""
    with pytest.raises(SystemExit) as left:
        cli.main(["study", *arguments], prog_name="keelblocks")
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out, said.err


def test_quiet_is_for_one_command(capsys: pytest.CaptureFixture[str]) -> None:
    """What studies have to say later in the same process is heard."""
    logger = logging.getLogger("keelblocks.study")
    level = logger.level
    code, out, err = call(capsys, "run", "study.yaml", "-o", "t.nc", "--quiet")
    assert (code, out, err) == (0, "", "")
    assert logger.level == level


def test_a_study_is_what_its_file_says() -> None:
    study = StudyDocument.load("study.yaml").study()
    assert study.members.dimensions == {"gain": 3, "model": 2, "replicate": 2}
    assert len(study.cases) == 2
    values = study.run("serial").values("y")[:, :, 0]
    k = np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(values, np.stack([k * (1.0 - np.exp(-2.0)), 2.0 * k], axis=1), rtol=1e-8)
    assert study.description["seed"] == 4
    assert StudyDocument.load("study.yaml").study(seed=5, end="3 s").description["end"] == 3.0


def test_distributions_designs_and_inputs_from_a_file() -> None:
    Path("sampled.yaml").write_text(
        "keelblocks_study: 1\nname: sampled\nscenario: lag.yaml\n"
        "factors:\n  u: {normal: [1, 0.1]}\n  lag.time_constant: {uniform: [500 ms, 2]}\n"
        "  angle: {of: gain.gain, circle: 4}\n  kind: {of: noise.lower, levels: [-1, -2], sampled: true}\n"
        "metrics: {y: final(lag.y)}\ndesign: {latin_hypercube: 5}\nseeds: {parameters: noise.seed, common: true}\n"
    )
    dataset = StudyDocument.load("sampled.yaml").study().run("serial").dataset
    assert dict(dataset.sizes) == {"angle": 4, "sample": 5}
    np.testing.assert_allclose(dataset["angle"], [0.0, np.pi / 2, np.pi, 3 * np.pi / 2])
    expected = dataset["angle"] * dataset["u"] * (1.0 - np.exp(-5.0 / dataset["lag.time_constant"]))
    np.testing.assert_allclose(dataset["y"], expected, rtol=1e-7)


def test_a_member_that_reaches_its_stop_signal_is_no_failure(capsys) -> None:
    Path("lag.yaml").write_text(SCENARIO.replace("run: {", "run: {stop: lag.y, "))
    _, out, _ = call(capsys, "run", "study.yaml")
    assert "12 members: all reached the stop signal lag.y" in out


def test_run_writes_tables_and_goes_on_from_a_folder(capsys) -> None:
    code, out, err = call(
        capsys, "run", "study.yaml", "--folder", "kept", "-o", "t.csv", "-o", "t.parquet", "-o", "t.nc"
    )
    assert (code, err) == (0, "")
    assert "12 members: all ran to the end" in out
    assert "wrote t.parquet" in out
    assert Path("t.nc").exists()
    assert len(pd.read_csv("t.csv")) == 12
    code, out, err = call(
        capsys, "run", "study.yaml", "--folder", "kept", "--executor", "serial", "--json", "-o", "u.csv"
    )
    summary = json.loads(out)
    assert summary["end"] == summary["members"] == 12
    assert summary["metrics"]["noise"]["greatest"] < 3.0
    assert summary["files"] == ["u.csv"]
    assert Path("t.csv").read_text() == Path("u.csv").read_text()
    code, out, _ = call(capsys, "show", "kept")
    assert "12, along 3 gain × 2 model × 2 replicate" in out
    code, out, err = call(capsys, "run", "study.yaml", "--folder", "kept", "--seed", "5", "-o", "v.csv")
    assert code == 2
    assert "kept holds another study: seed, 4 there and 5 here" in err
    assert not Path("v.csv").exists()


def test_a_dry_run_says_how_much_there_is_to_do(capsys) -> None:
    code, out, _ = call(capsys, "run", "study.yaml", "--dry-run", "--workers", "2")
    assert code == 0
    assert "12, along 3 gain × 2 model × 2 replicate" in out
    assert "with 2 workers" in out
    assert not Path("results").exists() or not list(Path("results").iterdir())
    code, out, _ = call(capsys, "show", "study.yaml", "--json")
    assert json.loads(out)["members"] == 12


def test_what_the_command_cannot_do(capsys) -> None:
    for arguments, message in (
        (("ron",), "no command 'ron'; did you mean 'run'?"),
        (
            ("run", "lag.yaml"),
            "lag.yaml:1: a study is a mapping that begins with 'keelblocks_study: 1'; this is a scenario",
        ),
        (("run", "studi.yaml"), "there is no study studi.yaml; did you mean 'study.yaml'?"),
        (("run", "study.yaml", "--end", "later"), "--end: end: 'later' is not a number with a unit"),
        (("run", "study.yaml", "--patience", "soon"), "--patience: 'soon' is not a number with a unit"),
        (("run", "study.yaml", "--scheduler", "tcp://x:1", "--workers", "2"), "--workers is for threads and processes"),
        (("run", "study.yaml", "-o", "folder.csv"), "--output folder.csv is a folder; name a file in it"),
        (("member", "study.yaml", "12"), "there is no member 12: they are numbered from 0 to 11"),
        (("run", "study.yaml", "-o", "t.xls"), "--output t.xls: the ending must be one of .nc, .csv, .parquet"),
        (("run", "study.yaml", "--executor", "serial", "--scheduler", "tcp://x:1"), "give one of them"),
        (("show", "."), "there is no study in .: it has no file study.json"),
    ):
        Path("folder.csv").mkdir(exist_ok=True)
        code, _, err = call(capsys, *arguments)
        assert code == 2
        assert message in err


def test_a_table_that_cannot_be_written_is_kept_elsewhere(capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "mkdtemp", lambda prefix: Path(prefix + "kept").mkdir() or prefix + "kept")

    def full(self: Any, path: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Outcome, "_save_csv", full)
    code, out, err = call(capsys, "run", "study.yaml", "-o", "t.csv")
    assert code == 2
    assert "12 members: all ran to the end" in out
    assert "cannot write t.csv: No space left on device" in err
    assert "the table has been kept in keelblocks-kept/lags.nc" in err.replace("\\", "/")
    assert Path("keelblocks-kept/lags.nc").exists()


FUNCTIONS = """\
def swing(result):
    return float(result.values("lag.y").max() - result.values("lag.y").min())
"""


def test_functions_of_modules_that_were_imported(capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    Path("own_functions.py").write_text(FUNCTIONS)
    text = Path("study.yaml").read_text()
    Path("study.yaml").write_text(
        text.replace("y: final(lag.y)", "swing: {function: own_functions.swing, needs: lag.y, unit: m}")
    )
    code, _, err = call(capsys, "show", "study.yaml")
    assert code == 2
    assert "study.yaml:16: metric 'swing': the module own_functions of own_functions.swing has not been imported" in err
    assert "keelblocks --import own_functions study run" in err
    with pytest.raises(SystemExit) as left:
        cli.main(["--import", "own_functions", "study", "run", "study.yaml", "-o", "t.nc", "--json"], "keelblocks")
    try:
        assert not left.value.code
        summary = json.loads(capsys.readouterr().out)["metrics"]["swing"]
        assert (summary["unit"], summary["members"]) == ("m", 12)
        assert summary["greatest"] == pytest.approx(6.0)  # what is integrated, 3 for 2 s
        Path("study.yaml").write_text(
            Path("study.yaml").read_text().replace("own_functions.swing", "own_functions.swin")
        )
        code, _, err = call(capsys, "show", "study.yaml")
        assert "study.yaml:16: metric 'swing': there is no 'swin' in own_functions; did you mean 'swing'?" in err
    finally:
        del sys.modules["own_functions"]


def test_a_member_by_itself_is_the_one_of_the_table(capsys) -> None:
    document = StudyDocument.load("study.yaml")
    study = document.study()
    table = study.run("serial").table
    assert call(capsys, "member", "study.yaml", "7", "-o", "member.yaml")[:2] == (0, "wrote member.yaml\n")
    for run in (study.simulate(7), Scenario.load("member.yaml").run()):
        assert run.values("lag.y")[-1] == table["y"][7]
        assert run.values("noise.y").max() == table["noise"][7]


def test_a_diagram_as_a_level() -> None:
    inner = "{diagram: {blocks: {k: {type: basic.Integrator}}, inputs: {u: k.u}, outputs: {y: k.y}}}"
    text = Path("study.yaml").read_text().replace("{type: basic.Integrator}", inner)
    Path("study.yaml").write_text(text.replace("y: final(lag.y)", "y: final(gain.y)"))
    assert len(StudyDocument.load("study.yaml").study().cases) == 2
    Path("study.yaml").write_text(text.replace("type: basic.Integrator", "typ: basic.Integrator"))
    with pytest.raises(ScenarioError, match=r"study.yaml:14: unknown key 'typ' in diagram.blocks.k"):
        StudyDocument.load("study.yaml").study()


BAD: dict[str, tuple[str, str, str]] = {
    "key": ("replicates: 2", "replicate: 2", ":18: unknown key 'replicate' in the file; did you mean 'replicates'"),
    "factor key": ("of: gain.gain", "off: gain.gain", ":9: unknown key 'off' in factors.gain; did you mean 'of'"),
    "nothing": (
        "    range: {start: 1, stop: 3, count: 3}\n",
        "",
        "needs one of levels, range, circle, .*; none is given",
    ),
    "two": ("count: 3}", "count: 3}\n    circle: 4", "needs one of levels, range, .*; not range and circle"),
    "metric": ("final(lag.y)", "final(lag.yy)", ":16: .*metric 'y': no output 'lag.yy'; did you mean"),
    "target": (
        "of: gain.gain",
        "of: gain.gian",
        ":8: factor 'gain': no parameter.*'gain.gian'; did you mean 'gain.gain'",
    ),
    "block": (
        "basic.Integrator",
        "basic.Integratr",
        ":14: no block type 'basic.Integratr'; did you mean 'basic.Integrator'",
    ),
    "parameter": ("noise.upper: 3", "noise.uper: 3", ":5: no parameter 'uper' on noise; did you mean 'upper'"),
    "missing": ("scenario: lag.yaml\n", "", "the file lacks 'scenario'"),
    "scenario": (
        "scenario: lag.yaml",
        "scenario: log.yaml",
        ":4: there is no scenario log.yaml; did you mean 'lag.yaml'",
    ),
    "design": ("replicates: 2", "replicates: 2\ndesign: {sobol: 4, random: 3}", ":19: design: one of .* is wanted"),
    "version": (
        "keelblocks_study: 1",
        "keelblocks_study: 2",
        ":1: the format is 2, but this version of Keelblocks reads format 1 only",
    ),
    "seeds": ("seeds: noise.seed", "seeds: lag.time_constant", ":19: seeds: lag.time_constant is an array"),
    "range": ("start: 1,", "start: one,", "'one' is not a number with a unit"),
    "unit of a range": (
        "of: gain.gain\n    range: {start: 1, ",
        "of: lag.time_constant\n    range: {start: 1 m, ",
        ":10: factor 'gain': '1 m' is in m, but s is wanted",
    ),
    "levels": ("range: {start: 1, stop: 3, count: 3}", "levels: 3", "gain.levels: a list of levels, or a mapping of"),
    "labels": ("of: gain.gain\n    range: {start: 1, stop: 3, count: 3}", "slow: 1", "'levels' with labels and their"),
    "pair": ("range: {start: 1, stop: 3, count: 3}", "uniform: [1]", "a list of two numbers, the lower and the upper"),
    "sampled": (
        "range: {start: 1, stop: 3, count: 3}",
        "uniform: [1, 2]\n    sampled: true",
        ":8: factor 'gain': 'sampled' is for levels; what is uniform is drawn anyway",
    ),
    "no seeds": ("seeds: noise.seed\n", "", ":18: 2 replicates would all be equal"),
    "record": ("run: {end: 2 s}", "run: {end: 2 s, record: lag.y}", ":6: a study records nothing but what metrics"),
    "solver": ("run: {end: 2 s}", "run: {solver: rk5}", ":6: no solver 'rk5'; did you mean 'rk4'"),
    "metric form": ("y: final(lag.y)", "y: [final(lag.y)]", r":16: metrics.y: text such as rms\(vessel.eta\[z\]\)"),
    "metric without needs": ("y: final(lag.y)", "y: {function: a.b}", ":16: metrics.y: 'needs', the outputs"),
    "metric of both": (
        "y: final(lag.y)",
        "y: {function: a.b, needs: lag.y, statistic: final(lag.y)}",
        ":16: metrics.y: either 'function', .* or 'statistic' is wanted",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_refused_with_their_line(name: str) -> None:
    old, new, message = BAD[name]
    text = Path("study.yaml").read_text()
    assert old in text
    Path("study.yaml").write_text(text.replace(old, new))
    with pytest.raises(ScenarioError, match=message):
        StudyDocument.load("study.yaml").study()


def test_an_interrupted_study_keeps_its_table(capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    from blocks.study import running

    def interrupt(self: Any, report: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(running.Running, "_report", interrupt)
    code, _, err = call(
        capsys, "run", "study.yaml", "--executor", "serial", "--batch", "2", "--folder", "kept", "-o", "t.csv"
    )
    assert code == 130
    assert "interrupted; 2 of 12 members are done; they are in kept, from which the study goes on" in err
    assert list(pd.read_csv("t.csv")["status"]).count("end") == 2
