"""The written drawing: valid, readable anywhere, and the same for the same graph."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from blocks.drawing import Edge, Graph, Layout, Node, Port, layout, metrics, render_layout, render_svg
from blocks.drawing.text import printable, text_width

SVG = "{http://www.w3.org/2000/svg}"

Ports = Callable[[str], tuple[Port, ...]]
MakeEdge = Callable[..., Edge]


def _texts(svg: str) -> list[str]:
    return ["".join(element.itertext()) for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def _tooltips(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}title")]


def test_is_well_formed_and_inside_its_view_box(drawings: dict[str, str]) -> None:
    for name, svg in drawings.items():
        root = ElementTree.fromstring(svg)
        left, top, width, height = map(float, root.attrib["viewBox"].split())
        assert (left, top) == (0, 0)
        for text in root.iter(f"{SVG}text"):
            spans = list(text.iter(f"{SVG}tspan")) or [text]
            size = max(float(span.attrib["font-size"]) for span in spans)
            length = sum(
                text_width(span.text or "", float(span.attrib["font-size"]), bold="font-weight" in span.attrib)
                + float(span.attrib.get("dx", 0))
                for span in spans
            )
            x, y = float(text.attrib["x"]), float(text.attrib["y"])
            start = x - {"start": 0.0, "middle": length / 2, "end": length}[text.attrib.get("text-anchor", "start")]
            assert start >= 0, name
            assert start + length <= width, f"{name}: {''.join(text.itertext())}"
            assert size <= y <= height - 2, name


def test_draws_the_layout(mission_graph: Graph) -> None:
    assert render_svg(mission_graph, depth=0) == render_layout(layout(mission_graph, depth=0))


def test_says_every_name_type_and_port(layouts: dict[str, Layout], drawings: dict[str, str]) -> None:
    for name, drawing in layouts.items():
        shown = _texts(drawings[name])
        said = " ".join(shown)
        for box in drawing.boxes.values():
            assert printable(box.node.name) in said, name
            assert printable(box.node.title) in said, name
            for port in () if box.open else (*box.inputs, *box.outputs):
                assert printable(port.port.text) in shown, name
        assert all(printable(port.port.text) in shown for port in drawing.boundary), name
        for wire in drawing.wires:
            assert all(printable(label) in said for label in (wire.label, *wire.sink_labels)), name


def test_same_graph_same_bytes_in_any_process(mission_graph: Graph) -> None:
    code = (
        "import sys, runpy; from random import Random; from blocks.drawing import render_svg;"
        "made = runpy.run_path(sys.argv[1]);"
        "graphs = made['mission'](), made['make_random_graph'](Random(7), 12, depth=1);"
        "sys.stdout.buffer.write(''.join(map(render_svg, graphs)).encode())"
    )
    conftest = str(Path(__file__).with_name("conftest.py"))
    runs = {
        subprocess.run(
            [sys.executable, "-c", code, conftest],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
    assert runs.pop().startswith(render_svg(mission_graph).encode())


def test_tooltips_say_what_ports_and_wires_carry(make_ports: Ports, make_edge: MakeEdge) -> None:
    vessel = Node("vessel", "Vessel", "dynamics", (), (Port("eta", "η", "eta: Pose, [m, rad], NED"),))
    logger = Node("log", "Recorder", "basic", make_ports("in"), ())
    graph = Graph("g", "", (vessel, logger), (make_edge("vessel.eta", "log.in", "eta"),), (), make_ports("eta"))
    svg = render_svg(graph)
    tooltips = _tooltips(svg)
    assert "eta: Pose, [m, rad], NED" in tooltips
    assert "vessel.eta → log.in, eta" in tooltips
    assert "vessel: Vessel" in tooltips
    assert "η" in _texts(svg)


def test_edges_of_one_source_say_where_they_arrive_what_they_carry(make_ports: Ports, make_edge: MakeEdge) -> None:
    vessel = Node("vessel", "", "dynamics", (), make_ports("eta"))
    pids = [Node(name, "", "control", make_ports("measurement")) for name in ("depth", "heading")]
    edges = [make_edge("vessel.eta", "depth.measurement", label="z")]
    edges.append(make_edge("vessel.eta", "heading.measurement", label="psi"))
    svg = render_svg(Graph("g", "", (vessel, *pids), tuple(edges)))
    assert _texts(svg).count("z") == _texts(svg).count("psi") == 1
    assert "vessel.eta → depth.measurement (z), heading.measurement (psi)" in _tooltips(svg)
    alike = render_svg(Graph("g", "", (vessel, *pids), (Edge(("vessel", "eta"), edges[0].sinks, "z"),)))
    assert "vessel.eta (z) → depth.measurement" in _tooltips(alike)


def test_names_itself_for_people_who_do_not_see_it(mission_graph: Graph) -> None:
    root = ElementTree.fromstring(render_svg(mission_graph))
    named = {element.attrib["id"]: element.text for element in root if "id" in element.attrib}
    title, description = (named[name] for name in root.attrib["aria-labelledby"].split())
    assert root.attrib["role"] == "img"
    assert title == "Line-of-sight mission"
    assert description is not None
    assert description.startswith("Block diagram of 9 blocks")
    assert "plant.vessel (UnderwaterVehicle6DOF)" in description


def test_two_drawings_in_one_page_share_no_ids(mission_graph: Graph, heading_loop_graph: Graph) -> None:
    one, other = (set(re.findall(r' id="([^"]+)"', render_svg(g))) for g in (mission_graph, heading_loop_graph))
    assert len(one) == len(other) == 2
    assert not one & other


@pytest.mark.parametrize(
    "text", ["a < b & \"c\" > 'd'", "]]>", "nul\0 and \x1b escape", "two\nlines", "\ufffe", "ψ̇ 船 🚢"]
)
def test_any_text_is_safe(text: str) -> None:
    node = Node(text.replace(".", ""), text, text, (Port(text, "", text),), (Port("y", text),))
    svg = render_svg(Graph(text, text, (node,), (Edge((node.name, "y"), ((node.name, text),), text),)))
    assert _texts(svg).count(printable(text)) >= 4
    ElementTree.fromstring(svg)


def test_colours_follow_the_family_and_the_scheme(make_ports: Ports) -> None:
    kinds = ("guidance", "control", "thrust", "dynamics", "environment", "power", "basic", "unheard-of")
    colours = {}
    for kind in kinds:
        svg = render_svg(Graph("g", "", (Node("box", "T", kind, make_ports("u")),)))
        root = ElementTree.fromstring(svg)
        (colours[kind],) = {
            element.attrib["stroke"]
            for element in root.iter(f"{SVG}rect")
            if element.attrib.get("class", "").startswith("family-") and element.attrib["stroke"] != "none"
        }
        assert "@media (prefers-color-scheme:dark)" in svg
    assert colours["unheard-of"] == colours["basic"]
    assert len(set(colours.values())) == len(kinds) - 1


def test_style_reaches_no_further_than_the_drawing(mission_graph: Graph) -> None:
    style = ElementTree.fromstring(render_svg(mission_graph)).find(f"{SVG}style")
    assert style is not None
    assert style.text is not None
    rules = style.text.replace("@media (prefers-color-scheme:dark){", "").rstrip("}") + "}"
    selectors = [rule.partition("{")[0] for rule in rules.split("}") if rule]
    assert len(selectors) > 20
    assert all(selector.startswith(".keelblocks-diagram ") for selector in selectors)


def test_depth_closes_what_is_deeper(mission_graph: Graph) -> None:
    closed, opened = layout(mission_graph, depth=0), layout(mission_graph, depth=1)
    assert set(closed.boxes) == {"plant", "autopilot"}
    assert not any(box.open for box in closed.boxes.values())
    assert opened.boxes["plant"].open
    assert "plant.vessel" in opened.boxes
    assert "vessel" not in _texts(render_svg(mission_graph, depth=0))
    assert render_svg(mission_graph, depth=1) == render_svg(mission_graph)
    with pytest.raises(ValueError, match="depth must be None or at least 0, but is -1"):
        render_svg(mission_graph, depth=-1)


def test_an_arrow_at_every_sink_and_an_open_mark_at_every_loose_port(
    layouts: dict[str, Layout], drawings: dict[str, str]
) -> None:
    for name, drawing in layouts.items():
        paths = [element.attrib for element in ElementTree.fromstring(drawings[name]).iter(f"{SVG}path")]
        tips = [path["d"].split("L")[0] for path in paths if path.get("class") == "arrow"]
        assert sorted(tips) == sorted(
            f"M{branch[-1][0]:g} {branch[-1][1]:g}" for wire in drawing.wires for branch in wire.branches
        ), name
        loose = [path for path in paths if path.get("class") == "loose"]
        ports = [(box, p) for box in drawing.boxes.values() for p in (*box.inputs, *box.outputs)]
        wired = {(w.path, *end) for w in drawing.wires for end in (w.source, *w.sinks)}
        expected = [p for box, p in ports if (box.path.rpartition(".")[0], box.node.name, p.port.name) not in wired]
        assert len(loose) == len(expected), name


def test_wires_are_drawn_along_their_whole_way(heading_loop_graph: Graph) -> None:
    svg = render_svg(heading_loop_graph)
    (feedback,) = (wire for wire in layout(heading_loop_graph).wires if wire.source == ("filter", "output"))
    root = ElementTree.fromstring(svg)
    (net,) = (g for g in root.iter(f"{SVG}g") if g.findtext(f"{SVG}title") == "filter.output → error.minus")
    lines = [path.attrib["d"] for path in net.iter(f"{SVG}path") if path.get("class") == "wire"]
    numbers = [tuple(map(float, pair)) for pair in re.findall(r"(-?[\d.]+) (-?[\d.]+)", lines[0])]
    assert numbers[0] == feedback.branches[0][0]
    assert set(feedback.branches[0][1:-1]) <= set(numbers), "every corner is passed, rounded"
    assert numbers[-1] == (feedback.branches[0][-1][0] - metrics.ARROW + 1, feedback.branches[0][-1][1])
