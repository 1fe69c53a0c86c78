"""What is legal and improbable is a warning, never an error; what is not improbable is none."""

from __future__ import annotations

from fractions import Fraction

import pytest

from blocks.basic import Constant, Gain, Integrator, Product, Selector, Sum
from blocks.checking import check_text, fix_text
from blocks.control import ComposeWrench
from blocks.diagram import Diagram
from blocks.dynamics import DiagonalVessel3DOF
from blocks.model.block import Block
from blocks.plan import make_plan
from blocks.plan.unit_flow import find_units, unit_warnings
from blocks.unit_products import agree, product


def wired(source: Block | None, sink: str, *between: Block, start: str = "") -> list[str]:
    """What is said of a chain of blocks from a source, or an output of a vessel, to an input of a wrench."""
    diagram = Diagram()
    vessel = diagram.add("vessel", DiagonalVessel3DOF(inertia=[1, 1, 1]))
    wrench = diagram.add("wrench", ComposeWrench())
    diagram.connect(wrench.force, vessel.force)
    last = start or diagram.add("source", source).y  # type: ignore[arg-type, union-attr]
    for number, block in enumerate(between):
        diagram.add(f"b{number}", block)
        diagram.connect(last, block.port(next(iter(block.input_ports))))
        last = block.port("y")
    diagram.connect(last, f"wrench.{sink}")
    return [problem.message for problem in unit_warnings(make_plan(diagram).flat)]


@pytest.mark.parametrize(
    ("said", "source", "sink", "between", "start"),
    [
        ("source.y is in deg", Constant("90 deg"), "N", (), ""),
        ("b0.y is in m", None, "X", (Gain(),), "vessel.eta[x]"),
        ("b0.y is in m", None, "X", (Integrator(),), "vessel.nu[u]"),
        ("b1.y is in m", None, "X", (Gain(2.0), Gain("3 s")), "vessel.nu[u]"),
        ("", None, "X", (Gain("200 N*s/m"),), "vessel.nu[u]"),
        ("", None, "X", (Gain(2.0), Gain("3 kN/m")), "vessel.eta[x]"),
        ("", Constant("90 N*m"), "N", (Gain(2.0),), ""),
        ("", Constant(90.0), "N", (Gain(2.0),), ""),  # a plain number may be anything
        ("", None, "N", (Gain("5 N*m"),), "vessel.eta[psi]"),  # N m per rad: angles that a product lost do not count
    ],
)
def test_units_go_through_general_blocks(
    said: str, source: Block | None, sink: str, between: tuple[Block, ...], start: str
) -> None:
    found = wired(source and source.copy(), sink, *(block.copy() for block in between), start=start)
    assert [message.partition(" by what")[0] for message in found] == ([said] if said else [])


def test_terms_of_a_sum_are_of_one_unit() -> None:
    diagram = Diagram()
    total, angle = diagram.add("total", Sum()), diagram.add("angle", Constant("2 deg"))
    squared, length = diagram.add("squared", Product()), diagram.add("length", Constant("2 m"))
    diagram.connect(length.y, squared.in1, squared.in2)
    diagram.connect(squared.y, total.in1)
    diagram.connect(angle.y, total.in2)
    (problem,) = unit_warnings(make_plan(diagram).flat)
    assert problem.message == "total takes squared.y in m^2 together with angle.y in deg, by what they are made of"
    assert (problem.code, problem.severity, problem.block, problem.port) == ("unit-lost", "warning", "total", "in2")
    angle.set(value=2.0)  # a plain number again
    assert list(unit_warnings(make_plan(diagram).flat)) == []


def test_units_are_followed_in_the_first_elements_of_wide_signals() -> None:
    diagram = Diagram()
    speeds = diagram.add("speeds", Constant(["1 m/s"] * 100))
    some = diagram.add("some", Selector([3, 70]))
    diagram.connect(speeds.y, some.u)
    flat = make_plan(diagram).flat
    assert find_units(flat)[next(leaf for leaf in flat.leaves if leaf.name == "some"), "y"] == ("m/s", None)


def test_products_of_units() -> None:
    assert product(("N", 1), ("m/s", 1)) == "W"
    assert product(("m/s", 1), ("s", 1)) == "m"
    assert product(("kg", 2), ("s", -1)) == "kg^2/s"
    assert product(("Pa", 1), ("m", Fraction(1, 2))) == "kg/(m^(1/2)*s^2)"
    assert agree("rad*m/s^2", "m/s^2")
    assert agree("kn", "m/s")
    assert not agree("J", "N")


TEXT = """\
keelblocks: 1
name: small
diagram:
  blocks:
    boat: {type: dynamics.DiagonalVessel3DOF, parameters: {inertia: [1, 1, 1]}}
    wrench: {type: control.ComposeWrench}
  connections: {wrench.force: boat.force}
run: {end: 10}
"""


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("[1, 1, 1]}", "[1, 1, 1], initial_eta: [0, 0, 0, 0, 0, 90]}", "90"),
        ("[1, 1, 1]}", "[1, 1, 1], initial_eta: [500, 0, 0, 0, 0, 6]}", None),
        ("[1, 1, 1]}", "[1, 1, 1], linear_damping: [1, 1, -1]}", "[1, 1, -1]"),
        ("end: 10", "end: 10, step: 1e-12", "run"),
        ("end: 10", "end: 1000, step: 0.1", None),
    ],
)
def test_values_are_pointed_at(old: str, new: str, place: str | None) -> None:
    checked = check_text(TEXT.replace(old, new))
    assert checked.errors == ()
    assert checked.plan is not None
    lines = checked.text.splitlines()
    pointed = [lines[one.line - 1][one.column - 1 : one.end_column - 1] for one in checked.warnings]  # type: ignore[operator]
    assert pointed == ([place] if place else [])


def test_angles_of_sources_and_inputs_are_seen_where_they_go() -> None:
    text = """\
keelblocks: 1
name: turn
diagram:
  blocks:
    wanted: {type: basic.Constant, parameters: {value: 90}}
    heading: {type: control.PID, parameters: {kp: 1, angle: true}}
    length: {type: basic.Constant, parameters: {value: 90}}
    twice: {type: basic.Gain, parameters: {gain: 2}}
  inputs: {measured: heading.measurement}
  connections: {wanted.y: heading.reference, length.y: twice.u}
run: {end: 10, inputs: {measured: 180}}
"""
    fixed = fix_text(text)
    assert [problem.text for problem in fixed.mended] == [
        "wanted.value is 90 rad, more than a turn; if degrees are meant, write 90 deg",
        "the input measured is 180 rad, more than a turn; if degrees are meant, write 3.14159",
    ]
    assert fixed.checked.problems == ()
    assert fixed.checked.text == text.replace("90}", "90 deg}", 1).replace("180}", "3.14159}")


def test_a_long_table_in_degrees_is_one_warning() -> None:
    """And nothing of it is mended alone."""
    table = "[" + ", ".join(f"{10 * i}" for i in range(37)) + "]"
    text = f"""\
keelblocks: 1
name: table
diagram:
  blocks:
    wanted: {{type: basic.Constant, parameters: {{value: {table}}}}}
    heading: {{type: control.PID, parameters: {{kp: 1, angle: true}}}}
  connections: {{wanted.y: [heading.reference, heading.measurement]}}
run: {{end: 10}}
"""
    fixed = fix_text(text)
    assert fixed.mended == ()
    assert [problem.text for problem in fixed.checked.warnings] == [
        "wanted.value[1] is 10 rad, more than a turn, as 35 others of the table; if degrees are meant, write 10 deg, "
        "and so for all of them"
    ]
