"""The documentation of an FMU: a page with a drawing, and the licence of what is in it."""

from __future__ import annotations

import re
from pathlib import Path
from zipfile import ZipFile

import pytest
from lxml import etree

import fmu
from blocks import Diagram
from blocks.basic import Gain
from blocks.control import PID
from blocks.guidance import LineOfSight
from fmu.description.drawing import drawing as fmu_drawing


def page(path):
    """documentation/index.html of an FMU."""
    with ZipFile(path) as archive:
        return archive.read("documentation/index.html").decode()


def drawing(path):
    """The drawing in it."""
    return etree.fromstring(re.search(r"<svg.*?</svg>", page(path), re.DOTALL)[0])


def test_it_tells_about_blocks_and_variables(exported):
    text = page(exported("guided_vessel"))
    for part in ("A vessel that follows a course line", "guidance.CourseLine", "ψ_d = χ - atan(y_e/Δ)", "eta[6]"):
        assert part in text
    assert "integrated by rk4 with a step of 0.02 s" in text


def test_it_has_the_diagram_drawn_in_it(exported):
    boxes = {element.get("data-path") for element in drawing(exported("guided_vessel")).iter("{*}g")}
    assert {"plant", "plant.vessel", "autopilot.guidance", "autopilot.heading"} <= boxes


def test_a_block_alone_is_drawn_with_its_ports(tmp_path):
    svg = drawing(fmu.export(PID(1.0), tmp_path / "pid.fmu"))
    words = set(svg.itertext())
    assert {"reference", "measurement", "output"} <= words


def test_headings_are_those_of_what_there_is(tmp_path):
    block = LineOfSight(waypoints=[[0, 0, 0], [9, 3, 1]], acceptance_radius=1.0, cruise_speed=1.0)
    for fmi, sizes in (("2.0", []), ("3.0", ["Sizes"])):
        titles = re.findall("<h2>(.*?)</h2>", page(fmu.export(block, tmp_path / "los.fmu", fmi=fmi)))
        assert titles == ["Inputs", "Outputs", *sizes, "Parameters", "What this FMU was made with", "Blocks"]


def test_rows_that_may_be_added_are_counted_by_the_name_of_their_size(tmp_path):
    block = LineOfSight(waypoints=[[0, 0, 0], [9, 3, 1]], acceptance_radius=1.0, cruise_speed=1.0)
    assert "<td>waypoints[2×3]</td>" in page(fmu.export(block, tmp_path / "fixed.fmu"))
    text = page(fmu.export(block, tmp_path / "open.fmu", fmi="3.0", capacities={"n": 9}))
    assert "<td>waypoints[n×3]</td><td>m</td><td>0, 0, 0, 9, 3, 1</td>" in text


def test_start_values_as_people_write_them(tmp_path):
    text = page(fmu.export(PID(1.0, derivative="none", angle=True), tmp_path / "pid.fmu"))
    parameters, constants = text.split("What this FMU was made with")
    assert "<td>angle</td><td></td><td>true</td>" in parameters
    assert "back_calculation" in parameters  # may be set until initialization ends
    assert "<td>derivative</td><td>none</td>" in constants  # decides ports and states


@pytest.mark.parametrize(("solver", "words"), [("rk4", "with a step of"), ("dopri5", "with steps of its own")])
def test_it_says_how_the_model_is_integrated(tmp_path, solver, words):
    assert words in page(fmu.export(Gain(2.0), tmp_path / "gain.fmu", solver=solver))
    without = page(fmu.export(Gain(2.0), tmp_path / "gain.fmu", solver=solver, interfaces=["me"]))
    assert words not in without


def test_what_people_wrote_is_shown_as_text(tmp_path):
    diagram = Diagram("quoted", title="<b>bold</b> & more")
    diagram.add("gain", Gain(2.0))
    diagram.inputs(u="gain.u")
    diagram.outputs(y="gain.y")
    text = page(fmu.export(diagram, tmp_path / "m.fmu", copyright="<script>"))
    assert "&lt;b&gt;bold&lt;/b&gt; &amp; more" in text
    assert "Copyright: &lt;script&gt;" in text


@pytest.mark.parametrize("fmi", ["2.0", "3.0"])
def test_the_licence_of_the_runtime_is_in_it(tmp_path, fmi):
    with ZipFile(fmu.export(Gain(2.0), tmp_path / "gain.fmu", fmi=fmi)) as archive:
        text = archive.read("documentation/licenses/license.txt").decode()
    own = (Path(__file__).parents[3] / "LICENSE").read_text()
    assert text.endswith(own)
    assert text.startswith("This FMU contains the runtime of Keelblocks")


def test_equal_drawings_are_made_once(models):
    """Parameters do not change a drawing, so a sweep does not lay it out again."""
    other = models.guided_vessel()
    other["plant.vessel"].inertia = (9.75, 10.364, 2.0)
    assert fmu_drawing(other) is fmu_drawing(models.guided_vessel())
    assert fmu_drawing(other) is not fmu_drawing(other["plant"])
