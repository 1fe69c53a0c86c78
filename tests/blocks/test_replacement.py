"""Replacing a component keeps its wires, and changes nothing if the new one does not fit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from blocks import Diagram, Input, Output, PythonBlock, simulate
from blocks.basic import Constant, Gain, Integrator, UnitDelay
from blocks.dynamics import Vessel3DOF, Vessel6DOF
from blocks.errors import WiringError
from blocks.signal import Angle, Pose, Signal, Speed, Velocity, Wrench


class Wind(PythonBlock, abstract=True):
    """A force and a speed."""

    force = Output(Wrench, feedthrough=False)
    speed = Output(Speed, feedthrough=False)

    def outputs(self, t, states, inputs):
        return {"force": np.zeros(6), "speed": 0.0}


class Sink(PythonBlock, abstract=True):
    """A speed and a heading."""

    speed_in = Input(Speed, default=0.0)
    heading_in = Input(Angle, default=0.0)
    y = Output(Speed)

    def outputs(self, t, states, inputs):
        return {"y": inputs["speed_in"]}


@pytest.fixture
def craft(make_sample) -> Diagram:
    """A vessel, a wind and an instrument."""
    diagram = Diagram("craft")
    diagram.add("vessel", make_sample("dynamics.Vessel6DOF"))
    diagram.add("wind", Wind())
    diagram.add("sink", Sink())
    return diagram


def refused(action: Callable[..., object], *arguments: object) -> str:
    with pytest.raises(WiringError) as problem:
        action(*arguments)
    return str(problem.value)


def test_replacing_keeps_wires_and_boundaries(craft, make_sample):
    """6 degrees of freedom give way to 3, with the same ports."""
    craft.connect("wind.force", "vessel.force")
    craft.connect("vessel.eta[psi]", "sink.heading_in")
    craft.inputs(current="vessel.current")
    craft.outputs(eta="vessel.eta", psi="vessel.eta[psi]")
    old = craft.vessel
    new = craft.replace("vessel", make_sample("dynamics.Vessel3DOF"))
    assert isinstance(new, Vessel3DOF)
    assert craft["vessel"] is new
    assert (new.name, new.parent, old.parent) == ("vessel", craft, None)
    assert [(str(a), [str(s) for s in b]) for a, b in craft.connections()] == [
        ("wind.force", ["vessel.force"]),
        ("vessel.eta[psi]", ["sink.heading_in"]),
        ("current", ["vessel.current"]),
    ]
    assert craft.boundary_outputs["psi"].block is new
    simulate(craft, 0.1, inputs={"current": np.zeros(3)})
    craft.add("former", old)


def test_replacing_deep_inside():
    inner, middle, outer = Diagram(), Diagram(), Diagram()
    inner.add("gain", Gain(3.0))
    inner.inputs(u="gain.u")
    inner.outputs(y="gain.y")
    middle.add("inner", inner)
    middle.inputs(u=inner.u)
    middle.outputs(y=inner.y)
    outer.add("two", Constant(2.0))
    outer.add("middle", middle)
    outer.connect("two.y", "middle.u")
    outer.outputs(y="middle.y")
    outer.replace("middle.inner.gain", Gain(10.0))
    assert simulate(outer, 0.1, step=0.1, record="y").values("y")[0] == 20.0


class Short(PythonBlock, abstract=True):
    """Like a vessel, with less in it."""

    force = Input(Wrench)
    current = Input(Velocity, default=0.0)
    eta = Output(Signal("Pose", (3,), ("m", "m", "rad"), "ned", ("x", "y", "psi")))


class Longer(Short, abstract=True):
    nu = Output(Signal("BodyVelocity", (6,), "m/s", "body", ("u", "v", "w", "p", "q", "r")))


class Turned(Longer, abstract=True):
    eta = Output(Signal("Pose", (6,), Pose.unit, "ned", ("psi", "theta", "phi", "z", "y", "x")))


@pytest.mark.parametrize(
    ("new", "said"),
    [
        (Short, "vessel: the new Short has no output 'nu', which is wired; valid: eta"),
        (Gain, "vessel: the new Gain has no input 'force', which is wired; valid: u"),
        (Longer, "there is no element 5"),
        (Turned, "vessel: the new Turned has other elements in 'eta': (x) where (psi) are wired"),
    ],
)
def test_a_replacement_that_does_not_fit_changes_nothing(craft, new, said):
    craft.connect("wind.force", "vessel.force")
    craft.connect("vessel.eta[psi]", "sink.heading_in")
    craft.connect("vessel.nu[u]", "sink.speed_in")
    craft.outputs(eta="vessel.eta")
    before = (dict(craft.wires), craft.boundary_outputs, dict(craft.components))
    block = new()
    message = refused(craft.replace, "vessel", block)
    assert said in message
    assert (dict(craft.wires), craft.boundary_outputs, dict(craft.components)) == before
    assert block.parent is None
    assert craft.vessel.parent is craft
    Diagram().add("free", block)


def test_a_replacement_of_another_type_is_refused_at_its_own_wires_and_further_out(craft):
    class Knots(Sink, abstract=True):
        speed_in = Input(Signal("Speed", unit="knot"), default=0.0)

    craft.connect("wind.speed", "sink.speed_in")
    assert (
        "cannot connect wind.speed (Speed, m/s) to sink.speed_in (Speed, knot): units m/s and knot differ"
        in refused(craft.replace, "sink", Knots())
    )
    craft.disconnect("sink.speed_in")
    craft.inputs(speed="sink.speed_in")
    outer = Diagram()
    outer.add("craft", craft)
    outer.add("wind", Wind())
    outer.connect("wind.speed", "craft.speed")
    assert "cannot connect wind.speed (Speed, m/s) to craft.speed (Speed, knot)" in refused(
        outer.replace, "craft.sink", Knots()
    )
    assert type(craft["sink"]) is Sink


def test_a_replacement_must_be_free(craft):
    assert "this Wind is already part of a diagram as 'wind'" in refused(craft.replace, "sink", craft.wind)
    assert "no component 'vesel'" in refused(craft.replace, "vesel", Gain())


def test_a_block_that_feeds_itself_can_be_replaced():
    diagram = Diagram()
    diagram.add("a", UnitDelay(period=0.1, initial_x=1.0))
    diagram.connect("a.y", "a.u")
    diagram.replace("a", Integrator(initial_x=1.0))
    result = simulate(diagram, 1.0, step=0.01)
    assert result.values("a.y")[-1] == pytest.approx(np.e, rel=1e-8)


def test_subclasses_of_the_family_swap():
    """A test of the promise in the design: the same 6-component ports for every vessel."""
    assert set(Vessel3DOF.declared_outputs) == set(Vessel6DOF.declared_outputs)
    for name, port in Vessel6DOF.declared_outputs.items():
        assert Vessel3DOF.declared_outputs[name].signal == port.signal
    simple, full = Vessel3DOF.diagonal(m=(1, 1, 1), d=(1, 1, 1)), Vessel6DOF.from_vehicle("minerva")
    assert {n: p.signal for n, p in simple.input_ports.items()} == {n: p.signal for n, p in full.input_ports.items()}


def test_what_is_replaced_can_be_given_itself(craft):
    new = craft.replace(craft.sink, Sink())
    assert craft["sink"] is new
    inner = Diagram("inner")
    gain = inner.add("gain", Gain(2.0))
    outer = Diagram("outer")
    outer.add("inner", inner)
    assert outer.replace(gain, Gain(3.0)) is outer["inner.gain"]
    message = "must be a component of this diagram or its name, one of inner, not Gain"
    assert message in refused(outer.replace, Gain(1.0), Gain(3.0))
    assert "not 7" in refused(outer.replace, 7, Gain(3.0))
