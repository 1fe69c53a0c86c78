"""Flattening: what feeds each input, sizes that follow wires in both directions, and types that pass through."""

from __future__ import annotations

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant, Demux, FirstOrderLag, Gain, Integrator, MatrixGain, Mux, Sum, TimeSeries, UnitDelay
from blocks.errors import WiringError
from blocks.plan.check import check
from blocks.plan.flatten import flatten
from blocks.plan.sizes import find_sizes


def chain(*blocks, **named) -> Diagram:
    """Blocks b0, b1, … in a row."""
    diagram = Diagram()
    for i, block in enumerate(blocks):
        diagram.add(f"b{i}", block)
        if i:
            diagram.connect(f"b{i - 1}.y", f"b{i}.u")
    for name, block in named.items():
        diagram.add(name, block)
    return diagram


def sizes(diagram: Diagram) -> dict[str, dict[str, int]]:
    return {leaf.name: dict(sizes) for leaf, sizes in find_sizes(flatten(diagram)).sizes.items()}


def refused(diagram: Diagram) -> str:
    with pytest.raises(WiringError) as problem:
        diagram.check()
    return str(problem.value)


# --- what feeds what -------------------------------------------------------------------------------------------------


def test_feeds_are_traced_through_boundaries():
    inner, outer = Diagram(), Diagram()
    inner.add("gain", Gain())
    inner.add("lag", FirstOrderLag(1.0))
    inner.connect("gain.y", "lag.u")
    inner.inputs(u="gain.u")
    inner.outputs(y="lag.y")
    outer.add("inner", inner)
    outer.add("source", Constant(1.0))
    outer.add("sink", Gain())
    outer.connect("source.y", "inner.u")
    outer.connect("inner.y", "sink.u")
    flat = flatten(outer)
    assert [leaf.name for leaf in flat.leaves] == ["inner.gain", "inner.lag", "source", "sink"]
    fed = {f"{leaf.name}.{name}": str(feed) for leaf, feeds in flat.feeds.items() for name, feed in feeds.items()}
    assert fed == {"inner.gain.u": "source.y", "inner.lag.u": "inner.gain.y", "sink.u": "inner.lag.y"}


def test_selections_of_selections_add_up():
    inner, outer = Diagram(), Diagram()
    inner.add("six", Constant(np.arange(6.0)))
    inner.outputs(part="six.y[2:5]")
    outer.add("inner", inner)
    outer.add("sink", Gain())
    outer.connect("inner.part[1:3]", "sink.u")
    flat = flatten(outer)
    (feed,) = flat.feeds[flat.leaves[1]].values()
    assert (feed.start, feed.stop, str(feed)) == (3, 5, "inner.six.y[3:5]")


def test_an_unconnected_input_is_named_with_its_type_and_meaning():
    inner, outer = Diagram(), Diagram()
    inner.add("gain", Gain())
    outer.add("inner", inner)
    assert refused(outer) == "inner.gain.u (Any) is not connected; it needs a source: any signal"


def test_an_unconnected_input_with_a_default_reads_it(make_sample):
    """A vessel without a current is in still water."""
    vessel = make_sample("dynamics.Vessel6DOF")
    diagram = Diagram()
    diagram.add("vessel", vessel)
    diagram.add("zero", Constant(np.zeros(6)))
    diagram.connect("zero.y", "vessel.force")
    result = simulate(diagram, 0.1, step=0.1)
    np.testing.assert_array_equal(result.values("vessel.nu")[0], result.values("vessel.nu_r")[0])


def test_an_inner_input_that_leads_nowhere_outside_is_not_connected():
    inner, outer = Diagram(), Diagram()
    inner.add("gain", Gain())
    inner.inputs(u="gain.u")
    outer.add("inner", inner)
    assert "inner.gain.u (Any) is not connected" in refused(outer)


def test_an_empty_diagram_cannot_run():
    assert refused(Diagram("nothing")) == "diagram 'nothing' has no blocks"
    outer = Diagram()
    outer.add("inner", Diagram())
    assert refused(outer) == "the diagram has no blocks"


# --- sizes -----------------------------------------------------------------------------------------------------------


def test_sizes_go_forward_along_wires():
    assert sizes(chain(Constant([1.0, 2.0, 3.0]), Gain(2.0), FirstOrderLag(1.0), Integrator())) == {
        f"b{i}": {"n": 3} for i in range(4)
    }


def test_sizes_go_backward_where_nothing_else_decides(make_sample):
    """A single number fills a wrench, through a gain."""
    diagram = chain(Constant(2.0), Gain(3.0), vessel=make_sample("dynamics.Vessel6DOF"))
    diagram.connect("b1.y", "vessel.force")
    assert sizes(diagram)["b0"] == {"n": 6}
    result = simulate(diagram, 0.1, step=0.1)
    np.testing.assert_array_equal(result.values("b1.y")[0], np.full(6, 6.0))


def test_sizes_go_round_a_loop():
    diagram = chain(Gain(-1.0), Integrator(initial_x=[1.0, 2.0]))
    diagram.connect("b1.y", "b0.u")
    assert sizes(diagram) == {"b0": {"n": 2}, "b1": {"n": 2}}


def test_sizes_are_one_where_nothing_decides():
    assert sizes(chain(Constant(1.0), Gain(2.0))) == {"b0": {"n": 1}, "b1": {"n": 1}}
    (shape,) = {place.shape for place in chain(Constant(1.0), Gain(2.0)).plan().outputs.values()}
    assert shape == (), "a port for any signal that carries one number is a scalar"


def test_matrices_change_sizes():
    diagram = chain(Constant(1.0), MatrixGain(np.ones((3, 2))), Gain(1.0))
    assert sizes(diagram) == {"b0": {"n": 2}, "b1": {"rows": 3, "columns": 2}, "b2": {"n": 3}}


def test_two_columns_of_data_are_two_elements():
    assert sizes(chain(TimeSeries([0.0, 1.0], [[1.0, 2.0], [3.0, 4.0]]), Gain()))["b1"] == {"n": 2}


@pytest.mark.parametrize(
    ("source", "sink", "said"),
    [
        (Constant([1.0, 2.0]), Gain([1.0, 2.0, 3.0]), "cannot connect b0.y to b1.u: shapes 2 and 3 differ"),
        (Constant([1.0, 2.0]), MatrixGain(np.ones((2, 3))), "cannot connect b0.y to b1.u: shapes 2 and 3 differ"),
        (Constant([1.0, 2.0]), Demux([1, 2]), "cannot connect b0.y"),
    ],
)
def test_sizes_that_disagree_are_named(source, sink, said):
    diagram = Diagram()
    diagram.add("b0", source)
    diagram.add("b1", sink)

    def connect_and_check() -> None:
        diagram.connect("b0.y", "b1.u")
        diagram.check()

    with pytest.raises(WiringError) as problem:
        connect_and_check()
    assert said in str(problem.value)


def test_sizes_of_two_inputs_that_disagree():
    diagram = Diagram()
    diagram.add("a", Constant([1.0, 2.0]))
    diagram.add("b", Constant([1.0, 2.0, 3.0]))
    diagram.add("sum", Sum("++"))
    diagram.connect("a.y", "sum.in1")
    diagram.connect("b.y", "sum.in2")
    assert refused(diagram) == "cannot connect b.y to sum.in2: shapes 3 and 2 differ"


def test_a_size_of_one_from_several_sources():
    """Elements, scalars and vectors of one number are the same to a wire."""
    diagram = Diagram()
    diagram.add("pair", Constant([1.0, 2.0]))
    diagram.add("single", Constant([5.0]))
    diagram.add("mux", Mux([1, 1]))
    diagram.connect("pair.y[1]", "mux.in1")
    diagram.connect("single.y", "mux.in2")
    np.testing.assert_array_equal(simulate(diagram, 0.1, step=0.1).values("mux.y")[0], [2.0, 5.0])


def test_sizes_of_external_inputs_come_from_inside_or_from_what_is_given():
    diagram = chain(Gain([1.0, 2.0]), Integrator())
    diagram.inputs(u="b0.u")
    assert find_sizes(flatten(diagram)).input_shapes["u"] == (2,)
    open_diagram = chain(Gain(1.0), Integrator())
    open_diagram.inputs(u="b0.u")
    assert find_sizes(flatten(open_diagram), {"u": (3,)}).input_shapes["u"] == (3,)
    assert find_sizes(flatten(open_diagram)).input_shapes["u"] == ()


# --- types -----------------------------------------------------------------------------------------------------------


def test_types_pass_through_blocks_that_take_over_their_inputs(make_sample):
    diagram = Diagram()
    diagram.add("vessel", make_sample("dynamics.Vessel6DOF"))
    diagram.add("zero", Constant(np.zeros(6)))
    diagram.add("delay", UnitDelay(period=0.1))
    diagram.add("lag", FirstOrderLag(1.0))
    diagram.connect("zero.y", "vessel.force")
    diagram.connect("vessel.eta[0:3]", "delay.u")
    diagram.connect("delay.y", "lag.u")
    flat = check(find_sizes(flatten(diagram)))
    lag = next(leaf for leaf in flat.leaves if leaf.name == "lag")
    signal = flat.signals[lag, "y"]
    assert (signal.unit, signal.frame, signal.labels) == ("m", "ned", ("x", "y", "z"))


def test_misfits_behind_such_blocks_are_found(make_sample):
    """A pose, delayed, is no force: nothing of that can be seen at either end of the last wire alone."""
    diagram = Diagram()
    diagram.add("vessel", make_sample("dynamics.Vessel6DOF"))
    diagram.add("delay", UnitDelay(period=0.1))
    diagram.connect("vessel.eta", "delay.u")
    diagram.connect("delay.y", "vessel.force")
    assert refused(diagram) == (
        "cannot connect delay.y (Pose, m, ned) to vessel.force (Wrench, N, body): units m and N differ"
    )


def test_a_loop_of_such_blocks_has_no_type_and_no_end():
    diagram = chain(UnitDelay(period=0.1), UnitDelay(period=0.1))
    diagram.connect("b1.y", "b0.u")
    check(find_sizes(flatten(diagram)))
    assert simulate(diagram, 1.0).status == "end"
