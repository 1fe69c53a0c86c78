"""Steps of FMI 3: the numbers of `simulate` whatever the importing tool watches, early return, refusals, the end."""

from __future__ import annotations

import contextlib
import math

import numpy as np
import pytest
from fmpy.fmi1 import FMICallException

from blocks import Diagram
from blocks.basic import Step


class Watch:
    """An intermediate update callback that notes what it is told, and does what a test wants."""

    def __init__(self, act=None):
        self.calls = []
        self.act = act

    def __call__(self, environment, t, may_set, may_get, finished, may_return, early, early_time):
        self.calls.append((t, may_set, may_get, finished, may_return))
        if self.act:
            self.act(t, early, early_time)

    @property
    def times(self):
        return [call[0] for call in self.calls]


@pytest.mark.parametrize("name", ["guided_vessel", "mixed"])
@pytest.mark.parametrize("watched", [False, True])
def test_steps_give_the_numbers_of_simulate_bit_for_bit(exported, tool, reference, name, watched):
    one = tool(exported(name)).begin(update=Watch() if watched else None)
    names = one.outputs()
    rows = [one.get(*names), *one.run(500, *names)]
    np.testing.assert_array_equal(rows, reference(name, 10.0))


@pytest.mark.parametrize("watched", [False, True])
def test_long_communication_steps_pass_through_the_same_states(exported, tool, reference, watched):
    one = tool(exported("mixed")).begin(update=Watch() if watched else None)
    rows = one.run(20, *one.outputs(), size=0.1)
    np.testing.assert_array_equal(rows, reference("mixed", 2.0)[5::5])


def test_the_callback_sees_every_step_of_the_solver(exported, tool, reference):
    rows = []
    watch = Watch(lambda *_: rows.append(one.get("position", "limited")))
    one = tool(exported("mixed")).begin(update=watch, required=["position", "limited"])
    assert one.step(0.0, 0.1) == (False, False, False, pytest.approx(0.1))
    np.testing.assert_allclose(watch.times, [0.02, 0.04, 0.06, 0.08, 0.1])
    np.testing.assert_array_equal(rows, reference("mixed", 0.1)[1:, :2])
    assert watch.calls[0][1:] == (True, True, True, False)
    assert watch.calls[-1][1] is False  # at the communication point inputs are set as ever


def test_inputs_that_the_callback_sets_act_from_there(exported, tool):
    def ramp(t, early, early_time):
        if t < 0.99:
            one.set({"push": 3.0 * t})

    one = tool(exported("mixed")).begin(update=Watch(ramp), required=["push", "position"])
    one.step(0.0, 1.0)
    other = tool(exported("mixed")).begin()
    for k in range(50):
        other.set({"push": 3.0 * k * 0.02})
        other.step(k * 0.02)
    assert one.get("position") == [pytest.approx(other.get("position")[0], rel=1e-12)]


def test_within_a_step_only_the_required_variables_can_be_accessed(exported, tool):
    tried = []

    def act(t, early, early_time):
        for call in (
            lambda: one.get("position"),
            lambda: one.set({"push": 1.0}),
            lambda: one.get("limited"),
            lambda: one.set({"lag.time_constant": 1.0}),
            lambda: one.slave.reset(),
            lambda: one.slave.getFMUState(),
            lambda: one.step(t),
            lambda: one.slave.fmi3FreeInstance(one.slave.component),
        ):
            before = len(one.messages)
            with contextlib.suppress(FMICallException):
                call()
            tried.append(one.messages[-1] if len(one.messages) > before else "done")

    one = tool(exported("mixed")).begin(update=Watch(act), required=["position", "push"])
    one.step(0.0, 0.04)
    here = "is not allowed now: the instance is within a step (intermediate update mode)"
    absent = "cannot be accessed within a step: it was not among the required intermediate variables"
    refused = [
        f"fmi3GetFloat64: limited {absent}",
        f"fmi3SetFloat64: lag.time_constant {absent}",
        *(f"{name} {here}" for name in ("fmi3Reset", "fmi3GetFMUState", "fmi3DoStep", "fmi3FreeInstance")),
    ]
    at_the_end = ["done", f"fmi3SetFloat64 {here}", refused[0], f"fmi3SetFloat64 {here}", *refused[2:]]
    assert tried == ["done", "done", *refused, *at_the_end]
    one.step(0.04, 0.02)


def test_required_variables_exist(exported, tool):
    one = tool(exported("mixed"))
    one.variables["nothing"] = type("Nothing", (), {"valueReference": 4711})
    with pytest.raises(Exception, match="Failed to instantiate"):
        one.instantiate(required=["nothing"])
    assert one.messages[-1] == "fmi3InstantiateCoSimulation: there is no variable with value reference 4711"


def test_the_callback_can_end_a_step_early(exported, tool, reference):
    def stop_at(t, early, early_time):
        if t >= 0.05:
            early[0] = True
            early_time[0] = 0.09

    watch = Watch(stop_at)
    one = tool(exported("mixed")).begin(update=watch, early=True)
    assert one.step(0.0, 1.0) == (False, False, True, pytest.approx(0.09))
    np.testing.assert_allclose(watch.times, [0.02, 0.04, 0.06, 0.08, 0.09])
    assert [call[4] for call in watch.calls] == [True] * 4 + [False]
    watch.act = None
    assert one.step(0.09, 0.91) == (False, False, False, pytest.approx(1.0))
    np.testing.assert_allclose(one.get(*one.outputs()), reference("mixed", 1.0)[-1], rtol=1e-6, atol=1e-7)


def test_early_return_at_once_ends_where_the_solver_stands(exported, tool):
    def stop(t, early, early_time):
        early[0] = True

    one = tool(exported("mixed")).begin(update=Watch(stop), early=True)
    assert one.step(0.0, 1.0) == (False, False, True, pytest.approx(0.02))
    assert one.step(0.02, 0.98) == (False, False, True, pytest.approx(0.04))


def test_without_early_return_no_step_ends_early(exported, tool):
    def stop(t, early, early_time):
        early[0] = True

    one = tool(exported("mixed")).begin(update=Watch(stop))
    assert one.step(0.0, 0.5) == (False, False, False, pytest.approx(0.5))


@pytest.mark.parametrize("settings", [{}, {"update": Watch()}, {"events": True}], ids=["plain", "watched", "events"])
@pytest.mark.parametrize("size", [0.0, -0.02, math.nan, math.inf, 1e12])
def test_a_step_that_cannot_be_is_refused_and_changes_nothing(exported, tool, settings, size):
    one = tool(exported("guided_vessel")).begin(**settings)
    if settings.get("events"):
        one.slave.enterStepMode()
    one.run(3, "eta")
    before = one.get("eta", "nu")
    for point, length in ((0.06, size), (0.0, 0.02), (math.nan, 0.02)):
        with pytest.raises(FMICallException) as refused:
            one.step(point, length)
        assert refused.value.status == 3
        assert one.messages[-1].startswith("fmi3DoStep: ")
    assert one.get("eta", "nu") == before
    one.step(0.06)


def test_no_step_goes_beyond_the_stop_time(exported, tool):
    one = tool(exported("guided_vessel")).instantiate().initialize(stop=0.05)
    one.run(2, "eta")
    with pytest.raises(FMICallException):
        one.step(0.04)
    assert "fmi3DoStep: a step from 0.04 s of 0.02 s goes beyond the stop time 0.05 s" in one.messages[-1]
    one.step(0.04, 0.01)


def test_a_value_that_is_not_finite_names_block_port_and_time(exported, tool):
    one = tool(exported("fragile")).instantiate()
    one.set({"u": 2.0})
    one.initialize()
    one.step(0.0)
    assert one.get("y", "total") == [0.5, pytest.approx(0.01)]
    one.set({"u": 0.0})
    with pytest.raises(FMICallException):
        one.step(0.02)
    assert "inverse: output y" in one.messages[-1]
    assert "is not a finite number at t = 0.02 s" in one.messages[-1]
    one.slave.reset()
    one.set({"u": 4.0})
    one.initialize()
    assert one.get("y") == [0.25]


@pytest.mark.parametrize("settings", [{}, {"update": Watch()}, {"early": True}], ids=["plain", "watched", "early"])
def test_the_model_can_end_the_simulation(export, tool, tmp_path, settings):
    diagram = Diagram("timer")
    diagram.add("elapsed", Step(time=0.5))
    diagram.outputs(done="elapsed.y")
    one = tool(export(diagram, tmp_path / "timer.fmu", stop="elapsed.y")).begin(**settings)
    assert one.step(0.0, 0.4) == (False, False, False, pytest.approx(0.4))
    assert one.step(0.4, 0.4) == (False, True, bool(settings.get("early")), pytest.approx(0.5))
    assert one.messages[-1] == "the model ends the simulation at t = 0.5 s"
    assert one.get("done") == [1.0]
    with pytest.raises(FMICallException):
        one.step(0.5)
    assert "the instance is stopped within a step" in one.messages[-1]
    one.slave.terminate()
