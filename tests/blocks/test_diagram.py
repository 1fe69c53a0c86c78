"""Diagrams: adding, connecting, replacing, naming, and what they say to mistakes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from blocks import Diagram, Input, Output, PythonBlock, simulate
from blocks.basic import Constant, Gain, Mux, Sum
from blocks.dynamics import Vessel3DOF
from blocks.errors import WiringError
from blocks.guidance import LineOfSight
from blocks.signal import Angle, Force, Pose, Revolutions, Signal, Speed, Velocity, Wrench


class Wind(PythonBlock, abstract=True):
    """Outputs of several types."""

    force = Output(Wrench, feedthrough=False)
    speed = Output(Speed, feedthrough=False)
    knots = Output(Signal("Speed", unit="knot"), feedthrough=False)
    heading = Output(Angle, feedthrough=False)
    degrees = Output(Signal("Angle", unit="deg"), feedthrough=False)
    newtons = Output(Force, feedthrough=False)
    kilonewtons = Output(Signal("Force", unit="kN"), feedthrough=False)
    shaft = Output(Signal("ShaftSpeed", unit="rev/s"), feedthrough=False)
    rate = Output(Signal("AngularRate", unit="rad/s"), feedthrough=False)
    body_velocity = Output(Signal("Velocity", (3,), "m/s", "body"), feedthrough=False)
    renamed = Output(Signal("Velocity", (3,), "m/s", "ned", ("a", "b", "c")), feedthrough=False)
    pair = Output(Signal("Pair", (2,), "m/s"), feedthrough=False)

    def outputs(self, t, states, inputs):
        return {name: np.zeros(port.signal.shape) for name, port in self.output_ports.items()}


class Sink(Wind, abstract=True):
    """Inputs of several types."""

    speed_in = Input(Speed, default=0.0)
    heading_in = Input(Angle, default=0.0)
    newtons_in = Input(Force, default=0.0)
    shaft_in = Input(Signal("ShaftSpeed", unit="rev/s"), default=0.0)
    rate_in = Input(Signal("AngularRate", unit="rad/s"), default=0.0)
    velocity_in = Input(Velocity, default=0.0)
    revolutions_in = Input(Revolutions, default=0.0)
    pose_in = Input(Pose, default=0.0)


@pytest.fixture
def craft(make_sample) -> Diagram:
    """A vessel, a wind, and a block with all kinds of inputs."""
    diagram = Diagram("craft")
    diagram.add("vessel", make_sample("dynamics.Vessel6DOF"))
    diagram.add("wind", Wind())
    diagram.add("sink", Sink())
    return diagram


def refused(action: Callable[..., object], *arguments: object, **named: object) -> str:
    with pytest.raises(WiringError) as problem:
        action(*arguments, **named)
    return str(problem.value)


# --- connecting ------------------------------------------------------------------------------------------------------


def test_a_misfit_names_both_ends_and_the_reason(craft):
    assert refused(craft.connect, craft.wind.force, craft.vessel.current) == (
        "cannot connect wind.force (Wrench, N, body) to vessel.current (Velocity, m/s, ned): units N and m/s differ"
    )


@pytest.mark.parametrize(
    ("source", "sink", "reason"),
    [
        ("wind.heading", "sink.speed_in", "units rad and m/s differ"),
        ("wind.degrees", "sink.heading_in", "units deg and rad differ"),
        ("wind.knots", "sink.speed_in", "units knot and m/s differ"),
        ("wind.kilonewtons", "sink.newtons_in", "units kN and N differ"),
        ("wind.shaft", "sink.rate_in", "units rev/s and rad/s differ"),
        ("wind.rate", "sink.shaft_in", "units rad/s and rev/s differ"),
        ("wind.body_velocity", "sink.velocity_in", "frames body and ned differ"),
        ("wind.renamed", "sink.velocity_in", "elements (a, b, c) and (north, east, down) differ"),
        ("wind.pair", "sink.velocity_in", "shapes 2 and 3 differ"),
        ("wind.speed", "sink.velocity_in", "shapes 1 and 3 differ"),
        ("vessel.nu[0:3]", "sink.velocity_in", "frames body and ned differ"),
        ("vessel.eta[0:3]", "sink.velocity_in", "units m and m/s differ"),
        ("vessel.eta[x]", "sink.heading_in", "units m and rad differ"),
        ("vessel.eta", "vessel.force", "units m and N differ"),
    ],
)
def test_types_that_do_not_fit(craft, source, sink, reason):
    message = refused(craft.connect, source, sink)
    assert message.startswith(f"cannot connect {source} (")
    assert f" to {sink} (" in message
    assert message.endswith(f": {reason}")
    assert craft.wires == {}


@pytest.mark.parametrize(
    ("source", "sink"),
    [
        ("wind.speed", "sink.speed_in"),
        ("vessel.eta[psi]", "sink.heading_in"),
        ("vessel.nu[0]", "sink.speed_in"),
        ("wind.shaft", "sink.revolutions_in"),
        ("vessel.eta", "sink.pose_in"),
    ],
)
def test_types_that_fit(craft, source, sink):
    craft.connect(source, sink)
    (((component, port), _),) = craft.wires.items()
    assert f"{component.name}.{port}" == sink


def test_ports_and_names_mean_the_same(craft):
    craft.connect(craft.vessel.eta["psi"], craft.sink.heading_in)
    craft.connect("wind.speed", "sink.speed_in")
    (first, second) = craft.connections()
    assert (str(first[0]), [str(s) for s in first[1]]) == ("vessel.eta[psi]", ["sink.heading_in"])
    assert (str(second[0]), [str(s) for s in second[1]]) == ("wind.speed", ["sink.speed_in"])


def test_one_source_and_many_sinks(craft):
    craft.add("a", Gain())
    craft.add("b", Gain())
    craft.connect(craft.wind.speed, craft.a.u, craft.b.u, craft.sink.speed_in)
    ((source, sinks),) = craft.connections()
    assert (str(source), len(sinks)) == ("wind.speed", 3)


@pytest.mark.parametrize(
    ("source", "sink", "said"),
    [
        ("wnd.speed", "sink.speed_in", "no component 'wnd' in diagram 'craft'; did you mean 'wind'?"),
        ("wind.sped", "sink.speed_in", "no port 'sped' on wind; did you mean 'speed'?"),
        ("wind.speed", "sink.sped_in", "no port 'sped_in' on sink; did you mean 'speed_in'"),
        ("vessel.eta[yaw]", "sink.heading_in", "vessel.eta has no element 'yaw'"),
        ("vessel.eta[7]", "sink.heading_in", "vessel.eta has 6 elements: there is no element 7"),
        ("vessel.force", "sink.speed_in", "vessel.force is an input and cannot be a source"),
        ("wind.speed", "vessel.eta", "vessel.eta is an output and cannot be a sink"),
        ("wind.speed", "sink.velocity_in[north]", "sink.velocity_in[north]: a wire ends at a whole input"),
        ("speed", "sink.speed_in", "'speed' is not a port; write it as component.port or component.port[element]"),
        ("wind.speed[", "sink.speed_in", "'wind.speed[' is not a port"),
        ("", "sink.speed_in", "'' is not a port"),
    ],
)
def test_names_that_are_not_there(craft, source, sink, said):
    assert said in refused(craft.connect, source, sink)


def test_an_input_has_one_source(craft):
    craft.connect("wind.speed", "sink.speed_in")
    assert refused(craft.connect, "vessel.nu[u]", "sink.speed_in") == (
        "sink.speed_in is already connected to wind.speed; an input has one source: "
        "disconnect sink.speed_in first, or let a Sum add the two"
    )
    craft.add("gain", Gain())
    assert "gain.u is already connected to wind.rate" in refused(craft.connect, "wind.rate", "gain.u", "gain.u")


def test_connecting_is_all_or_nothing(craft):
    refused(craft.connect, "wind.speed", "sink.speed_in", "sink.heading_in")
    assert craft.wires == {}
    refused(craft.connect, "wind.speed")


def test_ports_of_other_diagrams_and_loose_blocks_are_refused(craft):
    loose, other = Gain(), Diagram("other")
    stranger = other.add("stranger", Gain())
    assert "Gain.y does not belong to diagram 'craft': Gain is in no diagram; add it first" in refused(
        craft.connect, loose.y, craft.sink.speed_in
    )
    assert "does not belong to diagram 'craft': stranger is in another diagram" in refused(
        craft.connect, craft.wind.speed, stranger.u
    )


def test_disconnecting(craft):
    craft.connect("wind.speed", "sink.speed_in")
    craft.disconnect("sink.speed_in")
    assert craft.wires == {}
    assert refused(craft.disconnect, "sink.speed_in") == "sink.speed_in is not connected"


# --- adding ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "1st", "two words", "a.b", "a-b", "ø", "a[0]", None, 5])
def test_names_that_cannot_be(name):
    assert "cannot be the name of a component: use letters, digits and underscores" in refused(
        Diagram().add, name, Gain()
    )


def test_a_name_is_given_once(craft):
    assert refused(craft.add, "wind", Gain()) == (
        "diagram 'craft' already has a component 'wind'; use replace to exchange it"
    )


def test_a_component_is_in_one_place(craft):
    assert refused(craft.add, "again", craft.wind) == (
        "this Wind is already part of a diagram as 'wind'; add a copy() of it"
    )
    inner = Diagram()
    inner.add("gain", Gain())
    craft.add("inner", inner)
    assert "already part of a diagram as 'inner'" in refused(Diagram().add, "x", inner)
    craft.add("again", craft.wind.copy())


def test_what_is_no_component_is_refused(craft):
    assert "is neither a block nor a diagram" in refused(craft.add, "x", Gain)
    assert "is neither a block nor a diagram" in refused(craft.add, "x", "gain")


def test_a_diagram_cannot_contain_itself():
    outer, middle, inner = Diagram("outer"), Diagram("middle"), Diagram("inner")
    outer.add("middle", middle)
    middle.add("inner", inner)
    assert refused(outer.add, "self", outer) == "diagram 'outer' cannot contain itself"
    assert "cannot contain itself" in refused(inner.add, "outer", outer)
    inner.add("gain", Gain())
    assert "cannot contain itself" in refused(outer.replace, "middle.inner.gain", outer)
    assert isinstance(inner["gain"], Gain)


def test_components_are_found_by_name(craft):
    inner = Diagram()
    gain = inner.add("gain", Gain())
    craft.add("inner", inner)
    assert craft["inner.gain"] is gain
    assert craft.inner.gain is gain
    assert (gain.path, inner.path, craft.path) == ("inner.gain", "inner", "")
    assert list(craft.blocks()) == ["vessel", "wind", "sink", "inner.gain"]
    assert [c.name for c in craft.all_components()] == ["vessel", "wind", "sink", "inner", "gain"]
    assert "no component 'wnd' in diagram 'craft'; did you mean 'wind'?" in refused(craft.__getitem__, "wnd")
    assert "wind is a block and has no component 'gain'" in refused(craft.__getitem__, "wind.gain")
    assert "no component 'gian' in diagram 'inner'" in refused(craft.__getitem__, "inner.gian")
    with pytest.raises(
        AttributeError, match=r"diagram 'craft' has no port or component 'vesel'; did you mean 'vessel'\?"
    ):
        craft.vesel  # noqa: B018


# --- boundaries ------------------------------------------------------------------------------------------------------


def halves() -> Diagram:
    """y = 3 (u + v), with the gain in a diagram of its own, two deep."""
    inner, middle, outer = Diagram(), Diagram(), Diagram("outer")
    inner.add("gain", Gain(3.0))
    inner.inputs(u="gain.u")
    inner.outputs(y="gain.y")
    middle.add("inner", inner)
    middle.inputs(u=inner.u)
    middle.outputs(y=inner.y)
    outer.add("sum", Sum("++"))
    outer.add("middle", middle)
    outer.connect("sum.y", "middle.u")
    outer.inputs(u="sum.in1", v="sum.in2")
    outer.outputs(y="middle.y")
    return outer


def test_signals_pass_through_nested_boundaries():
    result = simulate(halves(), 0.1, step=0.1, inputs={"u": 2.0, "v": 5.0}, record=["y", "middle.inner.gain.y"])
    np.testing.assert_array_equal(result.values("y"), 21.0)
    np.testing.assert_array_equal(result.values("middle.inner.gain.y"), 21.0)


def test_elements_are_selected_through_nested_boundaries():
    """Elements 2 to 4 of a vector of six, then element 1 of those, across two boundaries."""
    inner, middle, outer = Diagram(), Diagram(), Diagram()
    inner.add("six", Constant(np.arange(6.0)))
    inner.add("mux", Mux([6]))
    inner.connect("six.y", "mux.in1")
    inner.outputs(part=inner["mux"].y[2:5], all=inner["mux"].y)
    middle.add("inner", inner)
    middle.outputs(part=inner.part, one=inner.part[1], last="inner.all[5]")
    outer.add("middle", middle)
    for name, source in (
        ("a", "middle.part[0:2]"),
        ("b", "middle.one"),
        ("c", "middle.last"),
        ("d", "middle.part[-1]"),
    ):
        outer.add(name, Gain())
        outer.connect(source, f"{name}.u")
    result = simulate(outer, 0.1, step=0.1)
    assert [result.values(f"{name}.y")[0].tolist() for name in "abcd"] == [[2.0, 3.0], 3.0, 5.0, 4.0]


def test_elements_of_an_input_of_the_diagram():
    diagram = Diagram()
    diagram.add("all", Sink())
    diagram.add("one", Gain())
    diagram.inputs(pose="all.pose_in")
    diagram.connect("pose[psi]", "one.u")
    result = simulate(diagram, 0.1, step=0.1, inputs={"pose": [0, 0, 0, 0, 0, 0.7]})
    assert result.values("one.y")[0] == 0.7


def test_boundary_ports_take_the_type_of_what_they_lead_to(craft):
    craft.inputs(force="vessel.force")
    craft.outputs(psi="vessel.eta[psi]", nu=craft.vessel.nu)
    assert craft.input_ports["force"].signal == Wrench
    assert (craft.output_ports["psi"].signal.unit, craft.output_ports["psi"].signal.shape) == ("rad", ())
    outer = Diagram()
    outer.add("craft", craft)
    outer.add("speed", Wind())
    assert (
        "cannot connect speed.speed (Speed, m/s) to craft.force (Wrench, N, body): units m/s and N differ"
        in refused(outer.connect, "speed.speed", "craft.force")
    )


@pytest.mark.parametrize(
    ("call", "ports", "said"),
    [
        ("inputs", {"two words": "sink.speed_in"}, "'two words' cannot be the name of an input"),
        (
            "inputs",
            {"time": "sink.speed_in"},
            "'time' cannot be the name of an input: a result has its times under that name",
        ),
        ("outputs", {"time": "wind.speed"}, "'time' cannot be the name of an output"),
        ("inputs", {"u": []}, "input 'u' of diagram 'craft' needs at least one sink"),
        ("inputs", {"u": "wind.speed"}, "wind.speed is an output and cannot be a sink"),
        (
            "inputs",
            {"u": ["sink.speed_in", "sink.heading_in"]},
            "cannot connect input 'u' (Speed, m/s) to sink.heading_in",
        ),
        ("inputs", {"u": ["sink.speed_in", "sink.speed_in"]}, "sink.speed_in is already connected to input 'u'"),
        ("inputs", {"u": "sink.speed_in", "v": "sink.speed_in"}, "sink.speed_in is already connected to input 'u'"),
        ("inputs", {"u": "sink.rate_in"}, "sink.rate_in is already connected to wind.rate; an input has one source"),
        ("outputs", {"y": "sink.speed_in"}, "sink.speed_in is an input and cannot be a source"),
        ("inputs", {"taken": "sink.speed_in"}, "diagram 'craft' already has an input 'taken'"),
        ("outputs", {"gone": "wind.speed"}, "diagram 'craft' already has an output 'gone'"),
        ("outputs", {"y": "taken"}, "output 'y' of diagram 'craft' must come from a block, not from an input"),
    ],
)
def test_boundaries_that_cannot_be(craft, call, ports, said):
    craft.connect("wind.rate", "sink.rate_in")
    craft.inputs(taken="sink.shaft_in")
    craft.outputs(gone="wind.heading")
    before = (dict(craft.wires), craft.boundary_inputs, craft.boundary_outputs)
    first = {"inputs": {"fine": "sink.heading_in"}, "outputs": {"fine": "wind.speed"}}[call]
    with pytest.raises(WiringError) as problem:
        getattr(craft, call)(**({} if "heading_in" in str(ports) else first), **ports)
    assert said in str(problem.value)
    assert (dict(craft.wires), craft.boundary_inputs, craft.boundary_outputs) == before, "all or none are declared"


def test_one_input_for_several_sinks():
    diagram = Diagram()
    diagram.add("a", Gain(2.0))
    diagram.add("b", Gain(3.0))
    diagram.inputs(u=["a.u", "b.u"])
    result = simulate(diagram, 0.1, step=0.1, inputs={"u": 1.0})
    assert (result.values("a.y")[0], result.values("b.y")[0]) == (2.0, 3.0)
    diagram.disconnect("a.u")
    assert [str(ref) for ref in diagram.boundary_inputs["u"]] == ["b.u"]
    assert "b.u is all that input 'u' of the diagram leads to" in refused(diagram.disconnect, "b.u")


# --- copies ----------------------------------------------------------------------------------------------------------


def test_a_copy_is_deep_and_free():
    diagram = halves()
    twin = diagram.copy()
    assert (twin.parent, twin.own_name) == (None, "outer")
    twin["middle.inner.gain"].set(gain=-1.0)
    results = [
        simulate(d, 0.1, step=0.1, inputs={"u": 1.0, "v": 1.0}, record="y").values("y")[0] for d in (diagram, twin)
    ]
    assert results == [6.0, -2.0]
    assert not set(map(id, diagram.all_components())) & set(map(id, twin.all_components()))


def test_one_diagram_twice_by_a_copy():
    outer, part = Diagram(), halves()
    outer.add("first", part)
    outer.add("second", part.copy())
    outer.add("one", Constant(1.0))
    outer.connect("one.y", "first.u", "first.v", "second.u")
    outer.connect("first.y", "second.v")
    assert (
        simulate(outer, 0.1, step=0.1, record="second.middle.inner.gain.y").values("second.middle.inner.gain.y")[0]
        == 21.0
    )


def test_showing_a_diagram(craft):
    assert repr(craft) == "<Diagram craft: vessel, wind, sink>"
    assert repr(Diagram()) == "<Diagram without a name: empty>"


def test_a_block_in_the_place_of_a_port_is_refused_with_the_ports_that_fit() -> None:
    diagram = Diagram()
    vessel = diagram.add("vessel", Vessel3DOF.from_vehicle("otter"))
    sight = diagram.add(
        "guidance", LineOfSight(waypoints=[[0, 0, 0], [9, 0, 0]], acceptance_radius=1, cruise_speed=1, lookahead=2)
    )
    both = r"vessel and guidance are blocks, .* did you mean connect\(vessel.eta, guidance.eta\) or connect\(vessel.nu"
    with pytest.raises(WiringError, match=both):
        diagram.connect(vessel, sight)
    with pytest.raises(WiringError, match=r"did you mean connect\(vessel.eta, guidance.eta\)\?"):
        diagram.connect(vessel.eta, sight)
    with pytest.raises(WiringError, match=r"'guidance' is not a port; .* did you mean 'guidance.eta'"):
        diagram.connect("vessel.eta", "guidance")
    with pytest.raises(WiringError, match=r"no output of the one fits a free input of the other: guidance has"):
        diagram.connect(sight, vessel)
    with pytest.raises(WiringError, match=r"3 is not a port"):
        diagram.connect(3, vessel.force)
    assert not diagram.wires


def test_ports_and_plans_are_shown_in_a_line() -> None:
    vessel = Vessel3DOF.from_vehicle("otter")
    assert repr(vessel.eta["psi"]) == "<output Vessel3DOF.eta[psi]: Pose[psi], rad, ned>"
    assert repr(Vessel3DOF.force) == "<Input force: Wrench, 6, N, N*m, body>"
    assert len(repr(simulate(Gain(2.0), 1.0, inputs={"u": 1.0}).ran.plan)) < 80
