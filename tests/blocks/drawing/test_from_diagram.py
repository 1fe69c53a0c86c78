"""What is drawn of a diagram: boxes, ports that are used, wires, and frames around nested diagrams."""

from __future__ import annotations

from pathlib import Path

import pytest

from blocks import Diagram
from blocks.basic import Constant, Gain
from blocks.control import PID
from blocks.drawing import BOUNDARY, Graph, Node, draw, drawing, graph_of
from blocks.dynamics import Vessel6DOF
from blocks.errors import KeelblocksWarning
from blocks.scenario import Scenario

LOS = Path(__file__).parents[3] / "examples" / "minerva_los.yaml"


def small() -> Diagram:
    diagram = Diagram("small", title="A title")
    vessel = diagram.add("vessel", Vessel6DOF.from_vehicle("minerva"))
    pid = diagram.add("pid", PID(1.0))
    wanted = diagram.add("wanted", Constant(0.0))
    inner = diagram.add("inner", Diagram("inner", title="Inside"))
    gain = inner.add("gain", Gain(1.0))
    inner.inputs(u=gain.u)
    inner.outputs(y=gain.y)
    diagram.connect(vessel.eta["psi"], pid.measurement, inner.u)
    diagram.connect(wanted.y, pid.reference)
    diagram.inputs(tau=vessel.force)
    diagram.outputs(psi=vessel.eta["psi"], out=inner.y)
    return diagram


def node(graph: Graph, name: str) -> Node:
    return next(item for item in graph.nodes if item.name == name)


def test_nodes_are_components_with_the_ports_that_are_used() -> None:
    graph = graph_of(small())
    assert (graph.name, graph.title) == ("small", "A title")
    vessel = node(graph, "vessel")
    assert (vessel.title, vessel.kind) == ("Vessel6DOF", "dynamics")
    assert [port.name for port in vessel.inputs] == ["force"]
    assert [port.name for port in vessel.outputs] == ["eta"]
    assert "Pose" in vessel.outputs[0].title
    pid = node(graph, "pid")
    assert [port.name for port in pid.inputs] == ["reference", "measurement"]
    assert [port.name for port in pid.outputs] == ["output", "error"]  # nothing is wired to either
    inner = node(graph, "inner")
    assert inner.title == "Inside"
    assert inner.children is not None
    assert [node.name for node in inner.children.nodes] == ["gain"]


def test_required_inputs_are_shown_though_nothing_is_wired_to_them() -> None:
    diagram = Diagram("loose")
    diagram.add("gain", Gain(1.0))
    assert [port.name for port in node(graph_of(diagram), "gain").inputs] == ["u"]


def test_edges_are_wires_labelled_by_the_elements_they_take() -> None:
    edges = {(edge.source, sink, edge.label) for edge in graph_of(small()).edges for sink in edge.sinks}
    assert edges == {
        (("vessel", "eta"), ("pid", "measurement"), "psi"),
        (("vessel", "eta"), ("inner", "u"), "psi"),
        (("wanted", "y"), ("pid", "reference"), ""),
        ((BOUNDARY, "tau"), ("vessel", "force"), ""),
        (("vessel", "eta"), (BOUNDARY, "psi"), "psi"),
        (("inner", "y"), (BOUNDARY, "out"), ""),
    }


def test_inside_the_autopilot_of_minerva() -> None:
    graph = graph_of(Scenario.load(LOS).diagram)
    autopilot = node(graph, "autopilot").children
    assert autopilot is not None
    assert node(autopilot, "allocation").kind == "allocation"
    labels = {(edge.source[1], sink): edge.label for edge in autopilot.edges for sink in edge.sinks}
    assert labels["eta", ("heading", "measurement")] == "psi"
    assert labels["nu", ("heading", "rate")] == "r"
    assert labels["eta", ("guidance", "eta")] == ""


def test_drawings_open_as_many_levels_as_asked() -> None:
    diagram = small()
    assert "Gain" in draw(diagram)
    assert diagram.draw() == draw(diagram) == diagram._repr_svg_()
    closed = draw(diagram, depth=0)
    assert "Inside" in closed
    assert "Gain" not in closed


def test_blocks_stand_where_the_layout_says_and_a_warning_tells_where_not() -> None:
    diagram = small()
    diagram.layout = {"pid": (30, 20)}
    block = next(block for block in drawing(diagram).blocks if block.path == "pid")
    assert block.place == (30, 20)
    assert (block.area.x, block.area.y) == (20 + 30 * 16, 20 + 20 * 16)
    diagram.layout["vessel"] = (30, 20)
    with pytest.warns(KeelblocksWarning, match=r"pid at \[30, 20\] would stand on vessel, or touch it"):
        diagram.draw()


def test_every_end_of_a_wire_says_which_elements_it_takes() -> None:
    wires = {(wire.block, wire.port): wire for wire in drawing(small()).wires}
    psi = wires["vessel", "eta"]
    assert (psi.label, {sink.elements for sink in psi.sinks}, {sink.label for sink in psi.sinks}) == (
        "psi", {"psi"}, {""},
    )  # fmt: skip
