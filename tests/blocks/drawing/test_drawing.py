"""A drawing as data: JSON that holds all that the SVG shows, and that its schema describes."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from blocks.drawing import Layout, drawing, render_drawing, render_layout
from blocks.drawing.drawing import drawing_of, drawn
from blocks.drawing.schema import DrawingError, read_drawing, schema
from blocks.scenario import Scenario

EXAMPLES = Path(__file__).parents[3] / "examples"


def test_the_svg_is_written_from_what_json_holds(layouts: dict[str, Layout]) -> None:
    for name, laid in layouts.items():
        if "random" in name or "mission" in name:
            text = drawn(laid).to_json()
            assert render_drawing(read_drawing(text)) == render_layout(laid), name


def test_json_is_as_its_schema_says() -> None:
    made = drawing(Scenario.load(EXAMPLES / "minerva_los.yaml").diagram, depth=0)
    data = json.loads(made.to_json())
    jsonschema.Draft202012Validator(schema()).validate(data)
    assert data["drawing"] == 1
    vessel = next(block for block in data["diagrams"]["plant"]["blocks"] if block["name"] == "vessel")
    assert (vessel["path"], vessel["type"]) == ("plant.vessel", "dynamics.Vessel6DOF")
    eta = next(port for port in vessel["outputs"] if port["name"] == "eta")
    assert eta["carries"]["elements"] == ["x", "y", "z", "phi", "theta", "psi"]
    assert (eta["side"], eta["carries"]["width"], eta["carries"]["frame"]) == ("right", 6, "ned")
    heading = next(
        sink
        for wire in data["diagrams"]["autopilot"]["wires"]
        for sink in wire["sinks"]
        if (sink["block"], sink["port"]) == ("heading", "measurement")
    )
    assert heading["elements"] == "psi"
    data["blocks"][0]["area"]["width"] = "wide"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema()).validate(data)


def test_closed_diagrams_are_drawings_of_their_own(layouts: dict[str, Layout]) -> None:
    graph = layouts["mission"].graph
    made = drawing_of(graph, depth=0)
    assert list(made.diagrams) == ["plant", "autopilot"]
    plant = made.diagrams["plant"]
    assert plant.path == "plant"
    assert all(block.path == f"plant.{block.name}" for block in plant.blocks)
    assert all(wire.diagram == "plant" for wire in plant.wires)
    assert not drawing_of(graph).diagrams


def test_what_is_no_drawing_is_refused() -> None:
    with pytest.raises(DrawingError, match=r"this is no drawing: name: Field required, and \d+ more"):
        read_drawing("{}")
