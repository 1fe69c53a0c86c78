"""The command `keelblocks lab`."""

import json

import numpy as np
from click.testing import CliRunner, Result

from blocks.cli.commands import cli

LOOP = """
keelblocks: 1
name: loop
diagram:
  blocks:
    error: {type: basic.Sum, parameters: {signs: "+-"}}
    gain: {type: basic.Gain, parameters: {gain: 2}}
    lag: {type: basic.FirstOrderLag, parameters: {time_constant: 0.5 s}}
    position: {type: basic.Integrator}
    wanted: {type: basic.Constant, parameters: {value: 3}}
  connections:
    wanted.y: error.in1
    error.y: gain.u
    gain.y: lag.u
    lag.y: position.u
    position.y: error.in2
run: {end: 10, step: 0.01}
"""


def call(tmp_path, *arguments: str) -> Result:
    scenario = tmp_path / "loop.yaml"
    scenario.write_text(LOOP)
    return CliRunner().invoke(cli, ["lab", arguments[0], str(scenario), *arguments[1:]])


def test_an_opened_loop_has_its_margins_and_figures(tmp_path) -> None:
    bode, step, matrices = (tmp_path / name for name in ("bode.png", "step.svg", "abcd.npz"))
    made = call(
        tmp_path,
        "linearize",
        "--open",
        "gain.y",
        "--bode",
        str(bode),
        "--step-response",
        str(step),
        "--matrices",
        str(matrices),
    )
    assert made.exit_code == 0, made.output
    assert "phase margin" in made.output
    assert f"wrote {bode}" in made.output
    assert bode.stat().st_size > 10_000
    assert step.read_text().startswith("<?xml")
    with np.load(matrices) as found:
        assert sorted(np.linalg.eigvals(found["A"])) == [-2.0, 0.0]
    made = call(tmp_path, "linearize", "--open", "gain.y", "--json")
    found = json.loads(made.output)
    crossover = found["margins"]["phase_at"]  # 2/(s (s/2 + 1)): |L| = 1
    assert abs(2.0 / (crossover * np.hypot(crossover / 2.0, 1.0)) - 1.0) < 1e-3


def test_an_operating_point_is_found(tmp_path) -> None:
    made = call(tmp_path, "trim", "--free", "wanted.value", "--target", "position.y=1.5", "--json")
    assert made.exit_code == 0, made.output
    assert abs(json.loads(made.output)["parameters"]["wanted.value"][0] - 1.5) < 1e-9


def test_of_two_operating_points_the_one_that_is_guessed(tmp_path) -> None:
    """dx/dt = 4 - x²."""
    scenario = tmp_path / "square.yaml"
    scenario.write_text("""
keelblocks: 1
name: square
diagram:
  blocks:
    x: {type: basic.Integrator, parameters: {initial_x: 1}}
    square: {type: basic.Product}
    four: {type: basic.Constant, parameters: {value: 4}}
    rate: {type: basic.Sum, parameters: {signs: "+-"}}
  connections: {x.y: [square.in1, square.in2], four.y: rate.in1, square.y: rate.in2, rate.y: x.u}
run: {end: 1, step: 0.01}
""")
    for guess, found in (("3", 2.0), ("-3", -2.0)):
        made = CliRunner().invoke(cli, ["lab", "trim", str(scenario), "--guess", f"x.x={guess}", "--json"])
        assert made.exit_code == 0, made.output
        assert abs(json.loads(made.output)["outputs"]["x.y"] - found) < 1e-9


def test_what_is_wrong_is_said(tmp_path) -> None:
    for arguments, message in (
        (("trim", "--guess", "position.y"), '--guess must be NAME=VALUE, such as "vessel.nu[u]=2 kn"'),
        (("trim", "--target", "position.y"), 'must be NAME=VALUE, such as "vessel.nu[u]=2 kn"'),
        (("trim", "--free", "wanted.valeu"), "did you mean 'wanted.value'"),
        (("linearize", "--at", "3 kg"), "at: '3 kg' is in kg, but s is wanted"),
        (("linearize", "--open", "gian.y"), "did you mean 'gain.y'"),
        (("linearize", "--open", "gain.y", "--bode", str(tmp_path / "bode.foo")), "Format 'foo' is not supported"),
    ):
        made = call(tmp_path, *arguments)
        assert made.exit_code == 2
        assert message in made.output, made.output
