"""Evaluation of one block alone: outputs, derivatives, updates and crossings by name."""

from __future__ import annotations

import numpy as np
import pytest

from blocks import Diagram, Input, Output, PythonBlock, State
from blocks.basic import Clock, FirstOrderLag, Gain, Integrator, MatrixGain, Saturation, Sine, Sum, Switch, UnitDelay
from blocks.errors import SimulationError, WiringError
from blocks.signal import Number


def test_outputs_and_derivatives_by_name():
    lag = FirstOrderLag(0.5, initial_x=1.0)
    evaluation = lag.evaluate(u=3.0)
    assert (evaluation.outputs, evaluation.derivatives) == ({"y": 1.0}, {"x": 4.0})
    given = lag.evaluate(u=3.0, states={"x": 2.0})
    assert (given.outputs, given.derivatives) == ({"y": 2.0}, {"x": 2.0})
    assert lag.evaluate(u=3.0).outputs == {"y": 1.0}, "nothing is kept from one evaluation to the next"


def test_the_time_is_given():
    assert Clock().evaluate(t=4.5).outputs == {"y": 4.5}
    assert Sine(2.0, 3.0).evaluate(t=0.25).outputs["y"] == pytest.approx(2.0 * np.sin(0.75), rel=1e-15)


def test_a_sampled_block_shows_its_update():
    evaluation = UnitDelay(period=0.1, initial_x=5.0).evaluate(u=7.0)
    assert (evaluation.outputs["y"], evaluation.updated["x"]) == (5.0, 7.0)


def test_crossing_functions():
    g = Saturation(-1.0, 2.0).evaluate(u=1.5).crossings
    assert g.shape == (2,)
    beyond = Saturation(-1.0, 2.0).evaluate(u=2.5).crossings
    assert np.sign(beyond[1]) == -np.sign(g[1])
    assert np.sign(beyond[0]) == np.sign(g[0])
    assert Gain().evaluate(u=1.0).crossings.size == 0


@pytest.mark.parametrize(
    ("block", "inputs", "expected"),
    [
        (Gain(2.0), {"u": [1.0, 2.0, 3.0]}, [2.0, 4.0, 6.0]),
        (Gain([1.0, 2.0]), {"u": 3.0}, [3.0, 6.0]),
        (Sum("+-"), {"in1": [1.0, 2.0], "in2": [0.5, 0.5]}, [0.5, 1.5]),
        (Sum("+-"), {"in1": [1.0, 2.0], "in2": 1.0}, [0.0, 1.0]),
        (MatrixGain([[1.0, 2.0], [3.0, 4.0]]), {"u": [1.0, 1.0]}, [3.0, 7.0]),
        (Gain(2.0), {"u": 3.0}, 6.0),
        (Gain(2.0), {"u": [3.0]}, 6.0),
    ],
)
def test_sizes_follow_what_is_given(block, inputs, expected):
    y = block.evaluate(**inputs).outputs["y"]
    np.testing.assert_array_equal(y, expected)
    assert isinstance(y, float) == isinstance(expected, float)


def test_a_mode_is_settled_unless_it_is_given():
    switch = Switch(0.5)
    assert switch.evaluate(u1=1.0, u2=2.0, control=0.7).outputs["y"] == 1.0
    assert switch.evaluate(u1=1.0, u2=2.0, control=0.3).outputs["y"] == 2.0
    assert switch.evaluate(u1=1.0, u2=2.0, control=0.3, states={"passing": 1.0}).outputs["y"] == 1.0


def test_inputs_that_are_not_given_have_their_defaults(make_sample):
    vessel = make_sample("dynamics.Vessel6DOF")
    evaluation = vessel.evaluate(force=np.zeros(6), states={"nu": [1.0, 0, 0, 0, 0, 0]})
    np.testing.assert_array_equal(evaluation.outputs["nu_r"], [1.0, 0, 0, 0, 0, 0])
    assert set(evaluation.derivatives) == {"eta", "nu"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"v": 1.0}, "FirstOrderLag has no input 'v'; valid: u"),
        ({"u": 1.0, "states": {"y": 1.0}}, "FirstOrderLag has no state 'y'; valid: x"),
        ({"u": 1.0, "states": {"x": [1.0, 2.0]}}, "a value of shape (2,) is given"),
        ({"u": [[1.0, 2.0]]}, "shape (1, 2)"),
        ({"u": "fast"}, "'fast'"),
    ],
)
def test_what_does_not_fit_is_said(arguments, said):
    with pytest.raises(WiringError) as problem:
        FirstOrderLag(0.5).evaluate(**arguments)
    assert said in str(problem.value)


def test_a_fault_is_told():
    class Broken(PythonBlock, abstract=True):
        u = Input(Number)
        y = Output(Number)

        def outputs(self, t, states, inputs):
            return {"y": 1.0 / float(inputs["u"])}

    assert Broken().evaluate(u=4.0).outputs["y"] == 0.25
    with pytest.raises(SimulationError, match=r"broken stopped the run at t = 2 s: ZeroDivisionError in outputs"):
        Broken().evaluate(t=2.0, u=0.0)


def test_a_fault_of_the_update_is_told():
    class Broken(PythonBlock, abstract=True):
        sampled = True
        y = Output(Number, feedthrough=False)
        z = State(Number, discrete=True)

        def outputs(self, t, states, inputs):
            return {"y": states["z"]}

        def update(self, t, states, inputs):
            raise ValueError("no sample")

    with pytest.raises(SimulationError, match=r"ValueError in update: no sample"):
        Broken(period=1.0).evaluate()


def test_a_block_in_a_diagram_is_evaluated_alone():
    diagram = Diagram()
    gain = diagram.add("gain", Gain(3.0))
    diagram.add("x", Integrator())
    diagram.connect("gain.y", "x.u")
    assert gain.evaluate(u=2.0).outputs == {"y": 6.0}


def test_what_is_returned_belongs_to_the_caller():
    evaluation = Gain([1.0, 2.0]).evaluate(u=[1.0, 1.0])
    evaluation.outputs["y"][0] = 99.0
    np.testing.assert_array_equal(Gain([1.0, 2.0]).evaluate(u=[1.0, 1.0]).outputs["y"], [1.0, 2.0])
