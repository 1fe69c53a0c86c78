"""Nesting moves components into a diagram of their own and changes nothing else; copies are equal."""

from __future__ import annotations

import numpy as np
import pytest

from blocks import Block, Diagram, simulate
from blocks.basic import Clock, Constant, FirstOrderLag, Gain, Integrator, Saturation, Sine, Sum, Switch, UnitDelay
from blocks.errors import WiringError
from blocks.scenario.writing import wires_data


def loop() -> Diagram:
    """A controlled lag with a sampled measurement, a limit, an input and outputs; every kind of wire to cut."""
    diagram = Diagram("loop")
    blocks: dict[str, Block] = {
        "error": Sum("+-"),
        "gain": Gain(4.0),
        "limit": Saturation(-1.0, 1.0),
        "plant": FirstOrderLag([0.5, 0.2]),
        "both": Gain([1.0, 2.0]),
        "sensor": UnitDelay(period=0.05),
        "sine": Sine(0.4, 3.0),
        "sum": Sum("++"),
        "gate": Switch(0.2),
        "total": Integrator(),
    }
    for name, block in blocks.items():
        diagram.add(name, block)
    for source, *sinks in (
        ("error.y", "gain.u"),
        ("gain.y", "limit.u"),
        ("limit.y", "sum.in1"),
        ("sine.y", "sum.in2", "gate.u2"),
        ("both.y", "plant.u"),
        ("plant.y[0]", "sensor.u", "gate.u1", "gate.control"),
        ("sensor.y", "error.in2"),
        ("gate.y", "total.u"),
    ):
        diagram.connect(source, *sinks)
    diagram.add("pair", Gain([1.0, 1.0]))
    diagram.connect("pair.y", "both.u")
    diagram.add("two", Constant([0.3, 0.1]))
    diagram.connect("two.y", "pair.u")
    diagram.inputs(reference="error.in1")
    diagram.outputs(level="plant.y", first="plant.y[0]", sum="sum.y")
    return diagram


def run(diagram: Diagram, solver: str = "rk4") -> dict[str, bytes]:
    """Every recorded quantity by the name of its block, without the diagrams around it, as bytes."""
    result = simulate(diagram, 1.0, solver=solver, step=0.01, inputs={"reference": 0.8})
    named = {".".join(name.split(".")[-2:]): result.values(name).tobytes() for name in result}
    for name in diagram.boundary_outputs:
        one = simulate(diagram, 1.0, solver=solver, step=0.01, inputs={"reference": 0.8}, record=name)
        named[name] = one.values(name).tobytes()
    return named


@pytest.mark.parametrize(
    "members",
    [
        ["gain"],
        ["gain", "limit"],
        ["error", "gain", "limit", "sum"],
        ["plant", "sensor"],
        ["plant"],
        ["sine"],
        ["error"],
        ["total"],
        ["error", "sensor", "gate", "two"],
        ["error", "gain", "limit", "plant", "both", "sensor", "sine", "sum", "gate", "total", "pair", "two"],
    ],
)
def test_nesting_changes_no_bit(members):
    diagram, nested = loop(), loop()
    nested.nest("group", *members)
    assert list(nested["group"].components) == members
    assert run(nested) == run(diagram)


def test_nesting_again_and_again():
    diagram, nested = loop(), loop()
    nested.nest("inner", "gain", "limit")
    nested.nest("middle", "inner", "error")
    nested.nest("outer", "middle", "sum")
    assert isinstance(nested["outer.middle.inner.gain"], Gain)
    assert run(nested) == run(diagram)
    assert run(nested, "euler") == run(diagram, "euler")


def test_ports_of_the_group_are_named_after_what_they_lead_to():
    diagram = loop()
    group = diagram.nest("group", "error", "gain", "limit", title="Controller")
    assert set(group.input_ports) == {"reference", "in2"}
    assert list(group.output_ports) == ["y"]
    assert group.title == "Controller"
    assert {name: [str(r) for r in refs] for name, refs in diagram.boundary_inputs.items()} == {
        "reference": ["group.reference"]
    }
    wires = {str(source): [str(s) for s in sinks] for source, sinks in diagram.connections()}
    assert wires["reference"] == ["group.reference"]
    assert wires["sensor.y"] == ["group.in2"]
    assert wires["group.y"] == ["sum.in1"]


def test_one_source_of_many_members_is_one_input():
    diagram = loop()
    group = diagram.nest("group", "sensor", "gate")
    assert set(group.input_ports) == {"u", "u2"}
    assert len(group.boundary_inputs["u"]) == 3


def test_one_source_of_unlike_members_is_an_input_for_each_type(make_sample):
    """A constant feeds a force and a heading; no one port could be both."""
    diagram = Diagram()
    diagram.add("zero", Constant(0.0))
    diagram.add("vessel", make_sample("dynamics.Vessel6DOF"))
    diagram.add("copy", Gain())
    diagram.connect("zero.y", "vessel.force", "vessel.current", "vessel.disturbance", "copy.u")
    nested = diagram.copy()
    with pytest.raises(WiringError, match=r"shapes"):
        diagram.check()
    group = nested.nest("group", "vessel", "copy")
    assert {name: len(refs) for name, refs in group.boundary_inputs.items()} == {"force": 3, "current": 1}


def test_names_that_would_clash_are_told_apart():
    diagram = Diagram()
    for name in ("a", "b", "c"):
        diagram.add(name, Gain())
        diagram.add(f"{name}_source", Clock())
        diagram.add(f"{name}_sink", Gain())
        diagram.connect(f"{name}_source.y", f"{name}.u")
        diagram.connect(f"{name}.y", f"{name}_sink.u")
    group = diagram.nest("group", "a", "b", "c")
    assert list(group.input_ports) == ["u", "b_u", "c_u"]
    assert list(group.output_ports) == ["y", "b_y", "c_y"]


@pytest.mark.parametrize(
    ("name", "members", "said"),
    [
        ("group", [], "nest 'group': name at least one component"),
        ("group", ["gian"], "no component 'gian' in diagram 'loop'; did you mean 'gain'?"),
        ("sum", ["gain"], "nest: there is already a component 'sum'"),
        ("two words", ["gain"], "'two words' cannot be the name of a diagram"),
        ("group", ["gain", "limit", "gain"], "nest 'group': gain is named twice"),
        ("group", ["done.plant"], "nest 'group': done.plant is inside of another diagram; nest it there"),
    ],
)
def test_nesting_that_cannot_be_changes_nothing(name, members, said):
    diagram = loop()
    diagram.nest("done", "plant", "both")
    before = (dict(diagram.components), dict(diagram.wires), diagram.boundary_inputs, diagram.boundary_outputs)
    with pytest.raises(WiringError) as problem:
        diagram.nest(name, *members)
    assert said in str(problem.value)
    assert (dict(diagram.components), dict(diagram.wires), diagram.boundary_inputs, diagram.boundary_outputs) == before
    simulate(diagram, 0.1, inputs={"reference": 1.0})


def test_a_group_may_have_the_name_of_a_member():
    diagram, nested = loop(), loop()
    nested.nest("plant", "plant", "both")
    assert isinstance(nested["plant.plant"], FirstOrderLag)
    assert run(nested) == run(diagram)


def test_copies_run_alike():
    diagram = loop()
    diagram.nest("group", "error", "gain", "limit")
    twin = diagram.copy()
    assert run(twin) == run(diagram)
    assert twin["group"].parent is twin
    assert [(str(a), [str(s) for s in b]) for a, b in twin.connections()] == [
        (str(a), [str(s) for s in b]) for a, b in diagram.connections()
    ]
    np.testing.assert_array_equal(twin["plant"].time_constant, [0.5, 0.2])


def test_elements_of_an_input_are_wired_and_not_declared() -> None:
    """What takes one element of an input does not take all of it when it is nested."""
    diagram = Diagram("outer")
    whole, part = diagram.add("whole", Gain(np.ones(3))), diagram.add("part", Gain(2.0))
    diagram.inputs(u=whole.u)
    diagram.connect("u[1]", part.u)
    diagram.nest("group", "part")
    assert [str(ref) for ref in diagram.boundary_inputs["u"]] == ["whole.u"]
    assert [(str(source), [str(sink) for sink in sinks]) for source, sinks in diagram.connections()] == [
        ("u", ["whole.u"]),
        ("u[1]", ["group.u"]),
    ]


def test_unnesting_is_the_inverse_of_nesting() -> None:
    diagram = Diagram("outer")
    whole, part = diagram.add("whole", Gain(np.ones(3))), diagram.add("part", Gain(2.0))
    last = diagram.add("last", Gain(np.ones(2)))
    diagram.inputs(u=whole.u)
    diagram.connect("u[1]", part.u)
    diagram.connect("whole.y[0:2]", last.u)
    diagram.outputs(y=last.y, one=whole.y[2], two=last.y[1])
    before = wires_data(diagram)
    diagram.layout["part"] = (3, 4)
    diagram.nest("group", "whole", "part", "last")
    assert diagram["group"].layout == {"part": (3, 4)}
    diagram.nest("outermost", "group")
    diagram.unnest("outermost")
    diagram.unnest("group")
    assert wires_data(diagram) == before  # places within the group mean nothing outside of it
    assert list(diagram.components) == ["whole", "part", "last"]
    diagram.nest("group", "part")
    diagram["group"].add("last", Gain(1.0))
    with pytest.raises(WiringError, match="unnest group: diagram 'outer' already has a component 'last'"):
        diagram.unnest("group")
    with pytest.raises(WiringError, match="unnest: whole is no sub-diagram of diagram 'outer'"):
        diagram.unnest("whole")
