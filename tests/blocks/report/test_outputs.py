"""Outputs that a diagram gets from what its report shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from blocks import Diagram
from blocks.basic import Gain, Sine
from blocks.errors import ScenarioError
from blocks.report import add_outputs
from blocks.scenario import Scenario

EXAMPLES = Path(__file__).parents[3] / "examples"


def without_outputs(name: str) -> Scenario:
    """An example without the outputs that it declares."""
    text = (EXAMPLES / f"{name}.yaml").read_text(encoding="utf-8")
    head, tail = text[: text.rindex("  outputs:")], text[text.index("\nrun:") :]
    return Scenario.from_text(head + tail, str(EXAMPLES / f"{name}.yaml"))


def test_what_the_report_shows_becomes_outputs() -> None:
    scenario = without_outputs("otter_los")
    found = add_outputs(scenario.diagram, scenario.report)
    assert found == {
        "eta": "vessel.eta", "nu": "vessel.nu", "cross_track_error": "guidance.cross_track_error",
        "waypoint": "guidance.waypoint", "finished": "guidance.finished", "speed": "thrusters.speed",
        "power": "thrusters.power", "energy": "meter.energy",
    }  # fmt: skip
    assert list(scenario.diagram.output_ports) == list(found)
    assert found == {
        name: f"{ref.block.name}.{ref.name}"
        for name, ref in Scenario.load(EXAMPLES / "otter_los.yaml").diagram.boundary_outputs.items()
    }  # which the example declares
    assert add_outputs(scenario.diagram, scenario.report) == {}  # it has outputs now


def test_blocks_further_down_are_shown_through_the_diagrams_around_them() -> None:
    scenario = without_outputs("minerva_los")
    found = add_outputs(scenario.diagram, {"plots": ["plant.vessel.acceleration", "autopilot.guidance.heading[0]"]})
    assert found["eta"] == "plant.vessel.eta"
    assert found["acceleration"] == "plant.vessel.acceleration"
    assert found["heading"] == "autopilot.guidance.heading"
    assert str(scenario.diagram.boundary_outputs["eta"]) == "plant.eta"  # which showed it already
    assert {"eta", "nu", "acceleration"} <= set(scenario.diagram["plant"].output_ports)
    assert str(scenario.diagram["plant"].boundary_outputs["acceleration"]) == "vessel.acceleration"


def test_names_are_free_and_unknown_blocks_are_said() -> None:
    diagram = Diagram("names")
    diagram.add("first", Sine(1.0, 1.0))
    diagram.add("second", Gain(2.0))
    diagram.inputs(y="second.u")
    assert add_outputs(diagram, {"plots": ["first.y", "second.y", "other.y"]}) == {
        "first_y": "first.y", "second_y": "second.y",
    }  # fmt: skip
    assert add_outputs(Diagram("nothing")) == {}
    with pytest.raises(ScenarioError, match=r"'first' .* cannot be its vessel"):
        add_outputs(_with_first(), {"vessel": "first"})


def _with_first() -> Diagram:
    diagram = Diagram("wrong")
    diagram.add("first", Sine(1.0, 1.0))
    return diagram
