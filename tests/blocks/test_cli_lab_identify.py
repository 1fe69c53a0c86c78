"""The command `keelblocks lab identify`."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from blocks.cli.commands import cli
from blocks.lab.identification import Identification
from blocks.scenario import Scenario
from blocks.yaml.reading import read

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SCENARIO = """
keelblocks: 1
name: lag
diagram:
  blocks:
    lag: {type: basic.FirstOrderLag, parameters: {time_constant: 0.7 s}}
    gain: {type: basic.Gain, parameters: {gain: 2}}
  inputs: {u: gain.u}
  connections:
    gain.y: lag.u
run: {end: 10, step: 0.1}
"""
FILE = """
keelblocks_identification: 1
name: found
title: A lag, found again
scenario: lag.yaml
data: [one.csv, {file: two.csv, columns: {y: answer}, units: {y: "1"}}]
hold_out: three.csv
inputs:
  u: push
outputs:
  lag.y: y
parameters:
  lag.time_constant: [100 ms, 10]
  gain.gain[0]: {bounds: [0, 10], prior: [3, 1]}
"""


def write_logs(folder: Path) -> None:
    """Steps and ramps through 3/(1 + 1.5 s), with noise of 0.01: y of a step is 3 (1 - exp(-t/1.5))."""
    time, random = np.arange(0.0, 8.0, 0.2), np.random.default_rng(2)
    ramp = time - 1.5 * (1.0 - np.exp(-time / 1.5))
    for name, push, y in (
        ("one", 1.0 + 0.0 * time, 3.0 * (1.0 - np.exp(-time / 1.5))), ("two", time, 3.0 * ramp),
        ("three", 2.0 - time, 6.0 * (1.0 - np.exp(-time / 1.5)) - 3.0 * ramp),
    ):  # fmt: skip
        heading = "time [s],push,answer,mode" if name == "two" else "t [ms],push [1],y [1],mode"
        clock = time if name == "two" else 1000.0 * time
        noisy = y + 0.01 * random.normal(size=len(y))
        rows = [f"{a},{b},{c},AUTO" for a, b, c in zip(clock, push, noisy, strict=True)]
        (folder / f"{name}.csv").write_text("\n".join([heading, *rows]))


def call(tmp_path: Path, text: str, *arguments: str) -> Result:
    (tmp_path / "lag.yaml").write_text(SCENARIO)
    (tmp_path / "found.yaml").write_text(text)
    write_logs(tmp_path)
    return CliRunner().invoke(cli, ["lab", "identify", str(tmp_path / "found.yaml"), *arguments])


def test_parameters_are_found_and_written(tmp_path: Path) -> None:
    """Columns that are not used, such as text without a unit, do not matter."""
    folder = tmp_path / "out"
    made = call(tmp_path, FILE + 'units: {push: "1"}\n', "--output", str(folder), "--json")
    assert made.exit_code == 0, made.output
    found = json.loads(made.output)
    for name, truth in (("lag.time_constant", 1.5), ("gain.gain[0]", 3.0)):
        low, high = found["parameters"][name]["interval"]
        assert low < truth < high
        assert high - low < 0.05 * truth
    assert found["noise"]["lag.y"] == pytest.approx(0.01, rel=0.2)
    assert found["inputs"]["push"].items() >= {"interpolation": "linear", "source": "data"}.items()
    assert found["score"]["of"] == "what was held out"
    assert found["score"]["lag.y"] > 0.98
    written = ("parameters.csv", "identified.yaml", "fit.png", "residuals.png", "scenario.yaml")
    assert [Path(name).name for name in found["files"]] == list(written)
    best = Scenario.load(folder / "scenario.yaml").diagram
    assert best["lag"].time_constant == found["parameters"]["lag.time_constant"]["value"]
    again = read((folder / "identified.yaml").read_text(), "identified.yaml").data
    assert again["parameters"] == found["parameters"]
    with (folder / "parameters.csv").open() as stream:
        rows = {row["parameter"]: row for row in csv.DictReader(stream)}
    assert float(rows["lag.time_constant"]["before"]) == 0.7
    assert rows["lag.time_constant"]["unit"] == "s"
    assert (folder / "fit.png").stat().st_size > 10_000


def test_the_example_is_in_order() -> None:
    made = Identification.load(EXAMPLES / "identification" / "otter.yaml")
    assert [len(log.time) for log in made.logs] == [601, 601, 601]
    assert made.logs[0].units["r"] == "rad/s"
    assert np.abs(made.logs[1].values("r")).max() < 0.3


def test_what_the_data_cannot_tell_apart_is_noted(tmp_path: Path) -> None:
    """(m + 5) du/dt = X - d u, with m = 55: u = 1 - exp(-t/1.2) for X = 50 and d = 50; only the sum of masses shows."""
    time = np.arange(0.0, 6.0, 0.2)
    rows = [f"{t},50,{1.0 - np.exp(-t / 1.2)}" for t in time]
    (tmp_path / "push.csv").write_text("\n".join(["time,X [N],u [m/s]", *rows]))
    text = (
        "keelblocks_identification: 1\nname: surge\nmodel: {type: dynamics.Vessel3DOF, vehicle: otter}\n"
        "data: push.csv\ninputs:\n  force[X]: X\noutputs:\n  nu[u]: u\n"
        "parameters: ['mass', 'linear_damping[X,u]', 'added_mass[X,u]']\n"
    )
    made = call(tmp_path, text, "--dry-run")
    assert made.output == "push.csv: 30 samples from 0 s to 5.8 s: X [N], u [m/s]\n"
    made = call(tmp_path, text)
    assert made.exit_code == 0, made.output
    assert "the data cannot tell mass and added_mass[X,u] apart: only their sum is known" in made.output
    assert "not known" in made.output
    assert made.output.count("note:") == 1
    again = read(Path("results/surge/identified.yaml").read_text(), "identified.yaml").data
    masses = again["parameters"]["mass"]["value"] + again["parameters"]["added_mass[X,u]"]["value"]
    assert masses == pytest.approx(60.0, rel=1e-3)
    assert again["model"]["vehicle"] == "otter"
    assert again["model"]["parameters"]["mass"] == again["parameters"]["mass"]["value"]


def test_what_is_found_beside_is_written(tmp_path: Path) -> None:
    extra = (
        'units: {push: "1"}\ndelay: {push: [0, 500 ms]}\nbias: [y]\nlag: {push: {bounds: [0, 1], prior: [0.1, 0.01]}}\n'
    )
    made = call(tmp_path, FILE + extra, "--output", str(tmp_path / "out"), "--json")
    assert made.exit_code == 0, made.output
    found = json.loads(made.output)["beside"]
    assert list(found) == ["delay of push", "lag of push", "bias of y in one.csv", "bias of y in two.csv"]
    assert found["lag of push"]["value"] == pytest.approx(0.1, abs=0.03)
    assert found["delay of push"]["unit"] == "s"
    with (tmp_path / "out" / "parameters.csv").open() as stream:
        assert len(list(csv.DictReader(stream))) == 6


def test_a_log_as_a_field_trial_has_it_is_declared(tmp_path: Path) -> None:
    """Velocity over ground, stamps in whole seconds, a rudder that counts the other way round."""
    heading = np.linspace(0.0, 1.5, 40)
    rows = [f"{k // 10},{-0.1 * k},{np.cos(a)},{np.sin(a)},{np.degrees(a)}" for k, a in enumerate(heading)]
    (tmp_path / "trial.csv").write_text("\n".join(["t,moment,vn,ve,psi_deg", "s,N*m,m/s,m/s,deg", *rows]))
    text = (
        "keelblocks_identification: 1\nname: trial\nmodel: {type: dynamics.Vessel3DOF, vehicle: otter}\n"
        "data: trial.csv\nrate: 10 Hz\nreverse: [moment]\n"
        "velocity: {frame: earth, of: [vn, ve], heading: psi_deg, into: [u, v]}\n"
        "inputs:\n  force[N]: moment\noutputs:\n  nu[u]: u\n  nu[v]: v\n  eta[psi]: psi_deg\n"
        "parameters: ['linear_damping[X,u]']\n"
    )
    (tmp_path / "found.yaml").write_text(text)
    (log,) = Identification.load(tmp_path / "found.yaml").logs
    assert log.values("u") == pytest.approx(1.0)
    assert log.values("v") == pytest.approx(0.0, abs=1e-9)
    assert log.values("moment")[-1] == pytest.approx(3.9)
    made = call(tmp_path, text, "--dry-run")
    assert "time from the rate, 10 Hz; stamps are 1 s apart and repeat in 36 of 40 samples" in made.output
    made = call(tmp_path, text.replace("earth", "erth"), "--dry-run")
    assert "velocity.frame" in made.output
    made = call(tmp_path, text.replace("[moment]", "[momment]"), "--dry-run")
    assert "there is no column 'momment' in any log; did you mean 'moment'?" in made.output
    made = call(tmp_path, text + "units: {t: s, speed: kn}\n", "--dry-run")
    assert "there is no column 'speed' in any log" in made.output


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("lag.y: y", "lag.y: z", "found.yaml:11: one.csv has no column 'z'; valid: mode, push, t, y"),
        ("u: push", "v: push", "found.yaml:9: there is no input 'v'"),
        ("lag.y: y", "lag.x: y", "found.yaml:11: there is no output 'lag.x'; did you mean 'lag.y'"),
        ("lag.time_c", "lag.tim_c", "found.yaml:13: there is no parameter 'lag.tim_constant'; did you mean"),
        ("[100 ms, 10]", "[100 m, 10]", "found.yaml:13: lag.time_constant: '100 m' is in m, but s is wanted"),
        ("[100 ms, 10]", "[10, 1]", "found.yaml:13: the lower bound of lag.time_constant must be below"),
        ("[3, 1]", "[3, 0]", "found.yaml:14: the prior of gain.gain[0] must be (mean, standard deviation > 0)"),
        ("one.csv", "oen.csv", "found.yaml:6: there is no file"),
        ("three.csv", "lag.yaml", "found.yaml:7: "),
        ("scenario: lag.yaml", "", "either 'model', {type: dynamics.Vessel3DOF, vehicle: otter}, or 'scenario'"),
        ("parameters:", "params:", "unknown key 'params' in the file; did you mean 'parameters'?"),
        ("outputs:", "step: -1\noutputs:", "found.yaml:10: step must be > 0 s, not -1"),
        (
            "outputs:",
            "noise: {lag.y: 1 kg}\noutputs:",
            "noise of lag.y: '1 kg' is in kg, but a number without a unit is wanted",
        ),
        (
            "outputs:",
            "interpolation: {push: held}\noutputs:",
            "interpolation.push: Input should be 'linear' or",
        ),
        (
            "outputs:",
            "interpolation: {posh: hold}\noutputs:",
            "one.csv: interpolation: there is no column 'posh'",
        ),
        (
            "outputs:",
            "delay: [posh]\noutputs:",
            "delay: no input of the model is driven by 'posh'; did you mean 'push'",
        ),
        ("one.csv,", "{file: one.csv, gap: split},", "unknown key 'gap' in data.0; did you mean 'gaps'?"),
        ("three.csv", "2", "found.yaml:7: hold_out: files, or a part of the only one such as 0.3, is wanted, not 2\n"),
        ("three.csv", "[3]", "found.yaml:7: hold_out.0: a mapping of keys and values (file) is wanted, not 3\n"),
        ("keelblocks_identification", "keelblocks", "this is a scenario, which `keelblocks run` takes"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    made = call(tmp_path, FILE.replace(old, new) + 'units: {push: "1"}\n')
    assert made.exit_code == 2
    assert message in made.output, made.output


def test_a_unit_that_is_missing_is_asked_for(tmp_path: Path) -> None:
    made = call(tmp_path, FILE)
    assert made.exit_code == 2
    assert (
        "found.yaml:6: two.csv: the unit of push is not known; write it into the heading, 'push [m/s]'" in made.output
    )
