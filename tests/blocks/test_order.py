"""The order of evaluation follows direct feedthrough per port; where it has no beginning, the whole loop is named."""

from __future__ import annotations

import numpy as np
import pytest

from blocks import Diagram, Input, Output, PythonBlock, simulate
from blocks.basic import Clock, Constant, FirstOrderLag, Gain, Integrator, Sine, Sum, TransferFunction, UnitDelay
from blocks.errors import WiringError
from blocks.signal import Number


class Crossed(PythonBlock, abstract=True):
    """Two signals through one block, which depend on one input each: a loop by block, but not by port."""

    a = Input(Number)
    b = Input(Number)
    from_a = Output(Number, feedthrough=("a",))
    from_b = Output(Number, feedthrough=("b",))
    fixed = Output(Number, feedthrough=False)

    def outputs(self, t, states, inputs):
        return {"from_a": inputs["a"] + 1.0, "from_b": 10.0 * inputs["b"], "fixed": 3.0}


def refused(diagram: Diagram) -> str:
    with pytest.raises(WiringError) as problem:
        diagram.check()
    return str(problem.value)


def test_blocks_are_called_after_what_they_depend_on_whatever_the_order_of_adding():
    """A chain of twenty gains, added in every direction, gives 2²⁰ at the first instant."""
    for order in (range(20), reversed(range(20)), np.random.default_rng(3).permutation(20)):
        diagram = Diagram()
        for i in order:
            diagram.add(f"g{i}", Gain(2.0))
        diagram.add("one", Constant(1.0))
        diagram.connect("one.y", "g0.u")
        for i in range(19):
            diagram.connect(f"g{i}.y", f"g{i + 1}.u")
        assert simulate(diagram, 0.1, step=0.1).values("g19.y")[0] == 2.0**20


def test_a_block_in_a_loop_with_itself_through_different_ports_is_no_loop():
    """fixed → a → from_a → b → from_b: three calls of one block, in this order."""
    diagram = Diagram()
    diagram.add("crossed", Crossed())
    diagram.connect("crossed.fixed", "crossed.a")
    diagram.connect("crossed.from_a", "crossed.b")
    plan = diagram.plan()
    assert [sorted(call.outputs) for call in plan.majors] == [["fixed"], ["from_a"], ["from_b"]]
    result = simulate(diagram, 0.2, step=0.1)
    np.testing.assert_array_equal(result.values("crossed.from_b"), 40.0)


def test_compiled_blocks_are_split_the_same_way(make_sample):
    """A vessel's acceleration depends on its force, its pose does not: pose, then force, then acceleration."""
    diagram = Diagram()
    vessel = diagram.add("vessel", make_sample("dynamics.Vessel6DOF"))
    diagram.add("gain", Gain(-2.0))
    diagram.connect(vessel.restoring_force, diagram.gain.u)
    diagram.connect(diagram.gain.y, vessel.force)
    names = [(call.leaf.name, sorted(call.outputs)) for call in diagram.plan().majors]
    where = {output: i for i, (_, outputs) in enumerate(names) for output in outputs}
    assert where["restoring_force"] < where["y"] < where["acceleration"]


def test_each_output_is_computed_once(make_sample):
    """No output stands in two calls of one evaluation."""
    diagram = Diagram()
    diagram.add("crossed", Crossed())
    diagram.connect("crossed.fixed", "crossed.a")
    diagram.connect("crossed.from_a", "crossed.b")
    vessel = diagram.add("vessel", make_sample("dynamics.Vessel6DOF"))
    diagram.connect(vessel.damping_force, vessel.force)
    calls = [(call.leaf.name, output) for call in diagram.plan().majors for output in call.outputs]
    assert len(calls) == len(set(calls))


def loop(*names: str) -> Diagram:
    """Gains in a ring, fed by one another."""
    diagram = Diagram()
    for name in names:
        diagram.add(name, Gain(0.5))
    for name, after in zip(names, (*names[1:], names[0]), strict=True):
        diagram.connect(f"{name}.y", f"{after}.u")
    return diagram


def test_a_loop_is_told_port_by_port_in_the_direction_of_the_signal():
    assert refused(loop("a", "b", "c")).split(";")[0] in {
        "algebraic loop: a.y → b.u → b.y → c.u → c.y → a.u → a.y",
        "algebraic loop: b.y → c.u → c.y → a.u → a.y → b.u → b.y",
        "algebraic loop: c.y → a.u → a.y → b.u → b.y → c.u → c.y",
    }
    assert (
        "each of these depends on the one before at the same instant. Break it with a block whose output does not: "
        in refused(loop("a", "b"))
    )


def test_the_shortest_loop():
    assert refused(loop("a")).startswith("algebraic loop: a.y → a.u → a.y; ")


def test_a_loop_through_nested_diagrams_is_told_with_dotted_names():
    """The ports of the diagrams in between are no ports of blocks and are not in it."""
    diagram = loop("a", "b", "c")
    diagram.nest("plant", "a", "b")
    diagram.nest("outer", "plant")
    text = refused(diagram)
    ways = text.removeprefix("algebraic loop: ").split(";")[0].split(" → ")
    assert ways[0] == ways[-1]
    assert set(ways) == {
        "outer.plant.a.y",
        "outer.plant.b.u",
        "outer.plant.b.y",
        "c.u",
        "c.y",
        "outer.plant.a.u",
    }
    order = ["outer.plant.a.y", "outer.plant.b.u", "outer.plant.b.y", "c.u", "c.y", "outer.plant.a.u"]
    first = order.index(ways[0])
    assert ways[:-1] == order[first:] + order[:first]


def test_what_merely_hangs_on_a_loop_is_not_in_the_message():
    diagram = loop("a", "b")
    diagram.add("before", Constant(1.0))
    diagram.add("sum", Sum("++"))
    diagram.add("after", Gain())
    diagram.disconnect("a.u")
    diagram.connect("before.y", "sum.in1")
    diagram.connect("b.y", "sum.in2", "after.u")
    diagram.connect("sum.y", "a.u")
    text = refused(diagram)
    assert "before." not in text
    assert "after." not in text
    assert "sum.in2 → sum.y" in text
    assert "sum.in1" not in text


@pytest.mark.parametrize(
    "breaker",
    [
        UnitDelay(period=0.1),
        Integrator(),
        FirstOrderLag(1.0),
        TransferFunction([1.0], [1.0, 1.0]),
    ],
)
def test_blocks_without_feedthrough_break_a_loop(breaker):
    diagram = loop("a", "b")
    diagram.disconnect("a.u")
    diagram.add("break_", breaker.copy())
    diagram.connect("b.y", "break_.u")
    diagram.connect("break_.y", "a.u")
    diagram.check()


def test_a_transfer_function_with_feedthrough_does_not():
    diagram = loop("a", "b")
    diagram.disconnect("a.u")
    diagram.add("direct", TransferFunction([1.0, 0.0], [1.0, 1.0]))
    diagram.connect("b.y", "direct.u")
    diagram.connect("direct.y", "a.u")
    assert "direct.u → direct.y" in refused(diagram)


def test_only_what_changes_between_major_steps_is_called_there():
    """Samples are held, constants stay, and what nothing integrates is left for the major step."""
    diagram = Diagram()
    for name, block in {
        "clock": Clock(),
        "delay": UnitDelay(period=0.1),
        "held": Gain(),
        "constant": Constant(1.0),
        "scaled": Gain(),
        "sum": Sum("+++"),
        "state": Integrator(),
        "watched": Gain(),
        "sine": Sine(),
    }.items():
        diagram.add(name, block)
    for source, *sinks in (
        ("clock.y", "delay.u"),
        ("delay.y", "held.u"),
        ("constant.y", "scaled.u"),
        ("held.y", "sum.in1"),
        ("scaled.y", "sum.in2"),
        ("sine.y", "sum.in3"),
        ("sum.y", "state.u"),
        ("state.y", "watched.u"),
    ):
        diagram.connect(source, *sinks)
    plan = diagram.plan()
    assert {call.leaf.name for call in plan.minors} == {"sine", "sum"}
    assert {call.leaf.name for call in plan.majors} >= {"clock", "delay", "held", "sine", "sum", "watched"}


def test_outputs_that_no_one_wants_are_not_computed():
    diagram = Diagram()
    for name, block in {"sine": Sine(), "state": Integrator(), "a": Gain(), "b": Gain(), "c": Gain()}.items():
        diagram.add(name, block)
    diagram.connect("sine.y", "state.u", "a.u")
    diagram.connect("state.y", "b.u")
    diagram.connect("b.y", "c.u")
    assert {call.leaf.name for call in diagram.plan(wanted=["b.y"]).majors} == {"sine", "b"}
    assert {call.leaf.name for call in diagram.plan(wanted=[]).majors} == {"sine"}
    assert {call.leaf.name for call in diagram.plan(wanted=["a.y"], stop="c.y").majors} == {"sine", "a", "b", "c"}
