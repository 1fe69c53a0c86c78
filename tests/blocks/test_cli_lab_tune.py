"""The command `keelblocks lab tune`."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from blocks.cli.commands import cli
from blocks.lab.tuning import Tuning
from blocks.lab.tuning.bench import Bench
from blocks.metrics import measure
from blocks.scenario import Scenario

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SCENARIO = """
keelblocks: 1
name: second_order
diagram:
  blocks:
    wanted: {type: basic.Constant, parameters: {value: 1}}
    system: {type: basic.TransferFunction, parameters: {numerator: [1], denominator: [1, 3, 1]}}
    error: {type: basic.Sum, parameters: {signs: "+-"}}
    sea: {type: basic.WhiteNoise, parameters: {period: 0.5, seed: 1}}
  connections:
    wanted.y: [system.u, error.in1]
    system.y: error.in2
run: {end: 99, step: 0.05}
"""
TUNING = """
keelblocks_tuning: 1
name: damping
title: Which damping?
scenario: second_order.yaml
run: {end: 40}
minimise: ise(error.y)
over:
  system.denominator[1]: [0.2, 6]
subject_to:
  largest(system.y): 1.2
cases:
  small: {wanted.value: 0.9}
  large: {wanted.value: 1}
method: nelder-mead
trials: 40
"""


def call(tmp_path: Path, text: str, *arguments: str) -> Result:
    (tmp_path / "second_order.yaml").write_text(SCENARIO)
    (tmp_path / "tuning.yaml").write_text(text)
    return CliRunner().invoke(cli, ["lab", "tune", str(tmp_path / "tuning.yaml"), *arguments])


def test_the_best_scenario_all_trials_and_a_figure_are_written(tmp_path: Path) -> None:
    """∫e² = (ζ + 1/(4ζ)) of a unit step is least at ζ = 1/2, where the overshoot is 16 %: within the limit."""
    folder = tmp_path / "out"
    made = call(tmp_path, TUNING, "--output", str(folder), "--json")
    assert made.exit_code == 0, made.output
    found = json.loads(made.output)
    assert found["values"]["system.denominator[1]"] == pytest.approx(1.0, rel=0.02)
    assert found["value"] == pytest.approx((0.9**2 + 1.0) / 2.0, rel=1e-3)
    assert [Path(name).name for name in found["files"]] == ["scenario.yaml", "trials.csv", "tuning.png"]
    best = Scenario.load(folder / "scenario.yaml")
    assert best.name == "damping"
    assert best.settings["end"] == 40
    metric = measure(best.run(), found["objective"]).value  # the scenario's own reference is the large one
    assert metric == pytest.approx(1.0, rel=1e-3)
    with (folder / "trials.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == found["trials"]
    assert min(float(row["ise(error.y) [s]"]) for row in rows if not row["reason"]) == found["value"]
    assert (folder / "tuning.png").stat().st_size > 10_000


def test_after_an_interruption_the_best_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured, run = [0], Bench.measure

    def measure_ten(bench: Bench, values: np.ndarray) -> object:
        measured[0] += 1
        if measured[0] > 10:
            raise KeyboardInterrupt
        return run(bench, values)

    monkeypatch.setattr(Bench, "measure", measure_ten)
    made = call(tmp_path, TUNING, "--method", "differential-evolution", "--workers", "1")
    assert made.exit_code == 130
    assert "Error: interrupted after 10 trials; the best value is" in made.output
    folder = tmp_path / "results" / "damping"
    assert Scenario.load(folder / "scenario.yaml").diagram["system"].denominator[1] < 3.0
    assert len((folder / "trials.csv").read_text().splitlines()) == 11


def test_the_example_is_in_order() -> None:
    made = Tuning.load(EXAMPLES / "tuning" / "otter_heading.yaml", trials=2, end=20.0, method="nelder-mead")
    tuned = made.run()
    assert list(tuned.values) == ["guidance.kp", "guidance.ki", "heading.kp[0]"]
    assert list(made.cases) == ["slack", "0.3 m/s to E"]


def test_replicates_have_seeds_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "second_order.yaml").write_text(SCENARIO)
    (tmp_path / "tuning.yaml").write_text(TUNING + "seeds: sea.seed\nreplicates: 3\n")
    cases = Tuning.load(tmp_path / "tuning.yaml").cases
    assert list(cases)[:2] == ["small, seeds 0", "small, seeds 1"]
    seeds = [case["sea.seed"] for case in cases.values()]
    assert seeds[:3] == seeds[3:]  # the same seas for each case
    assert len(set(seeds)) == 3


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "ise(error",
            "isee(error",
            "tuning.yaml:7: the metric 'isee(error.y)': there is no 'isee'; did you mean 'ise'",
        ),
        ("ise(error.y)", "ise(eror.y)", "tuning.yaml:7: there is no output 'eror.y'; did you mean 'error.y'"),
        ("minimise", "minimize", "tuning.yaml:7: unknown key 'minimize' in the file; did you mean 'minimise'?"),
        ("denominator[1]", "denominator[9]", "system.denominator has no element '9'"),
        ("[0.2, 6]", "[6, 0.2]", "tuning.yaml:9: the lower bound of system.denominator[1] must be below the upper one"),
        ("[0.2, 6]", "6", "tuning.yaml:9: over.system.denominator[1]: a list of two values, [10, 1000]"),
        ("[0.2, 6]", "", "needs bounds on both sides of every parameter; system.denominator[1] has none"),
        ("largest(system.y): 1.2", "largest(system.y): much", "tuning.yaml:11: the limit of 'largest(system.y)'"),
        ("wanted.value: 1}", "wanted.valu: 1}", "tuning.yaml:14: no parameter 'wanted.valu' to vary; did you mean"),
        ("nelder-mead", "nelder", "tuning.yaml:15: no method 'nelder'; did you mean 'nelder-mead'"),
        ("second_order.yaml", "second.yaml", "tuning.yaml:5: there is no scenario"),
        ("keelblocks_tuning", "keelblocks_study", "this is a study, which `keelblocks study run` takes"),
        ("trials: 40", "replicates: 2", "2 replicates would be equal: name the seeds"),
        ("trials: 40", "seeds: wanted.value", "tuning.yaml:16: seeds: wanted.value is"),
        ("end: 40", "end: 40, record: error.y", "tuning.yaml:6: a tuning records nothing but what metrics need"),
        ("minimise: ise(error.y)", "minimise: arrival_time(wanted.yy)", "there is no output 'wanted.yy'"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = TUNING.replace(old, new)
    if new == "":
        text = text.replace("nelder-mead", "differential-evolution")
    made = call(tmp_path, text)
    assert made.exit_code == 2
    assert message in made.output, made.output
    assert "Traceback" not in made.output
