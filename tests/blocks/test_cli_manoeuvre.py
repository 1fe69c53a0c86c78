"""The command `keelblocks lab manoeuvre`."""

import json

import numpy as np
import pytest
from click.testing import CliRunner, Result

from blocks.cli.commands import cli

BOAT = """
keelblocks: 1
name: boat
diagram:
  blocks:
    moment: {type: basic.Constant, parameters: {value: 5.0}}
    wrench: {type: control.ComposeWrench}
    boat: {type: dynamics.Vessel3DOF, vehicle: otter}
  inputs:
    push: wrench.X
  connections:
    moment.y: wrench.N
    wrench.force: boat.force
run: {end: 10, step: 0.05, inputs: {push: 100}}
"""


def call(tmp_path, *arguments: str) -> Result:
    scenario = tmp_path / "boat.yaml"
    scenario.write_text(BOAT)
    return CliRunner().invoke(cli, ["lab", "manoeuvre", arguments[0], str(scenario), *arguments[1:]])


def test_a_manoeuvre_of_a_scenario_has_its_table_figure_and_data(tmp_path) -> None:
    """The constant moment of the scenario is cut off, so both sides are alike."""
    drawn = tmp_path / "figures" / "spiral.svg"
    circle = ("turning-circle", "--helm", "wrench.N", "--order", "40", "--length", "2")
    made = call(tmp_path, *circle)
    assert made.exit_code == 0, made.output
    assert "40 N·m to starboard" in made.output
    assert "IMO tactical diameter" in made.output
    found = json.loads(call(tmp_path, *circle, "--side", "port", "--side", "starboard", "--json").output)
    port, starboard = (found["measures"][f"40 N·m to {side}"] for side in ("port", "starboard"))
    assert port["tactical_diameter"] == pytest.approx(starboard["tactical_diameter"], rel=1e-6)
    assert found["criteria"]["40 N·m to port"][0]["met"]
    made = call(tmp_path, "stopping", "--throttle", "push=1", "--astern", "-50", "--figure", str(drawn))
    assert made.exit_code == 0, made.output
    assert f"wrote {drawn}" in made.output
    assert drawn.read_text(encoding="utf-8").startswith("<?xml")


def test_inputs_can_be_held(tmp_path) -> None:
    held = ("--input", "boat.force=100,0,0,0,0,0", "--helm", "boat.force[N]=1", "--order", "40")
    made = call(tmp_path, "zigzag", *held, "--heading-change", "0.35", "--json")
    assert made.exit_code == 0, made.output
    (measures,) = json.loads(made.output)["measures"].values()
    assert np.degrees(measures["heading_change"]) == pytest.approx(20.05, abs=0.01)
    assert measures["order_unit"] == "N*m"


def test_what_is_wrong_is_said(tmp_path) -> None:
    helm = ("--helm", "wrench.N", "--order", "40")
    for arguments, message in (
        (("spirall",), "'spirall' is not one of 'turning-circle'"),
        (("spiral",), "there is no input 'rudder'"),
        (("stopping",), "a stopping test needs the order full astern: --astern"),
        (("spiral", *helm, "--side", "port"), "--side is for turning-circle, zigzag, pull-out, not for spiral"),
        (("zigzag", *helm, "--input", "push"), "--input must be NAME=VALUE, such as throttle=1"),
        (("zigzag", *helm, "--input", "push=1,b"), "the elements of push must be numbers"),
        (("zigzag", "--helm", "wrench.N=x"), "--helm must be NAME or NAME=FACTOR"),
        (("turning-circle", *helm, "--side", "port", "--figure", str(tmp_path / "x.foo")), "Format 'foo' is not"),
    ):
        made = call(tmp_path, *arguments)
        assert made.exit_code == 2
        assert message in made.output, made.output


def test_hints_name_options_and_not_arguments_of_python(tmp_path) -> None:
    helm = ("--helm", "wrench.N", "--order", "40")
    for arguments, message in (
        (("spiral", *helm, "--longest", "2 s", "--approach", "1 s"), 'Does it take longer? Say --longest "'),
        (("zigzag", *helm), '--heading-change "10 deg"'),
        (("zigzag", *helm, "--heading-change", "10 deg", "--input", "push=0"), "drives it: --input NAME=…"),
        (("spiral", "--helm", "wrench.N", "--order", "-4"), "--side says where to, and a factor of -1 turns the helm"),
        (("spiral", "--helm", "wrench.N", "--order", "-4"), "round, --helm rudder=-1"),
        (("spiral",), "; another one is --helm …"),
    ):
        made = call(tmp_path, *arguments)
        assert made.exit_code == 2
        assert message in made.output, made.output
