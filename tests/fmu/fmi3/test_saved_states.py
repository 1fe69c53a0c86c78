"""Saved states of FMI 3: what follows is the same to the last bit, in the same instance or another."""

from __future__ import annotations

from ctypes import byref, c_size_t

import numpy as np
import pytest
from fmpy.fmi1 import FMICallException


@pytest.mark.parametrize("name", ["guided_vessel", "mixed"])
def test_a_restored_state_goes_on_bit_for_bit(exported, tool, name):
    one = tool(exported(name)).begin()
    names = one.outputs()
    one.run(37, *names)
    state = one.slave.getFMUState()
    here = one.get(*names)
    ahead = one.run(60, *names, first=37)
    one.slave.setFMUState(state)
    assert one.get(*names) == here
    assert one.run(60, *names, first=37) == ahead
    one.slave.freeFMUState(state)


def test_a_serialized_state_goes_on_in_another_instance(exported, tool):
    one = tool(exported("mixed")).begin()
    names = one.outputs()
    one.set({"push": 0.7, "lag.time_constant": 0.3})
    one.run(23, *names)
    state = one.slave.getFMUState()
    stored = one.slave.serializeFMUState(state)
    one.slave.freeFMUState(state)
    ahead = one.run(40, *names, first=23)
    other = tool(exported("mixed")).instantiate()
    state = other.slave.deserializeFMUState(stored)
    other.slave.setFMUState(state)
    assert other.get("push", "lag.time_constant") == [0.7, 0.3]
    assert other.run(40, *names, first=23) == ahead
    other.slave.freeFMUState(state)


def test_a_state_of_event_mode_goes_on_in_event_mode(exported, tool):
    one = tool(exported("mixed")).begin(events=True, early=True)
    slave = one.slave
    slave.updateDiscreteStates()
    slave.enterStepMode()
    one.step(0.0, 1.0)
    slave.enterEventMode()
    state = slave.getFMUState()
    clocks = one.references(*one.clocks())
    ticking = slave.getClock(clocks)
    assert any(ticking)
    runs = []
    for _ in range(2):
        assert slave.getClock(clocks) == ticking
        slave.updateDiscreteStates()
        slave.enterStepMode()
        _, _, _, t = one.step(one.get("time")[0], 0.01)
        runs.append([t, *one.get(*one.outputs())])
        slave.setFMUState(state)
    assert runs[0] == runs[1]
    slave.freeFMUState(state)


def test_clocks_tick_as_when_the_state_was_saved(exported, tool):
    one = tool(exported("mixed")).begin(events=True)
    slave, clocks = one.slave, one.references(*one.clocks())
    ticking = slave.getFMUState()
    slave.updateDiscreteStates()
    updated = slave.getFMUState()
    slave.setFMUState(ticking)
    assert slave.getClock(clocks) == [True, True]
    slave.setFMUState(updated)
    assert slave.getClock(clocks) == [False, False]
    for state in (ticking, updated):
        slave.freeFMUState(state)


def test_the_place_in_the_life_and_the_experiment_belong_to_the_state(exported, tool):
    one = tool(exported("mixed")).instantiate().initialize(stop=1.0)
    state = one.slave.getFMUState()
    one.slave.terminate()
    one.slave.reset()
    with pytest.raises(FMICallException):
        one.step(0.0)
    one.slave.setFMUState(state)
    one.run(50, "position")
    with pytest.raises(FMICallException):
        one.step(1.0)
    assert "beyond the stop time 1 s" in one.messages[-1]
    one.slave.freeFMUState(state)


def test_a_failed_run_can_be_taken_up_again_from_a_state(exported, tool):
    one = tool(exported("fragile")).instantiate()
    one.set({"u": 1.0})
    one.initialize()
    one.step(0.0)
    state = one.slave.getFMUState()
    one.set({"u": 0.0})
    with pytest.raises(FMICallException):
        one.step(0.02)
    one.slave.setFMUState(state)
    one.step(0.02)
    assert one.get("total") == [pytest.approx(0.04)]
    one.slave.freeFMUState(state)


def test_a_state_is_overwritten_when_it_is_given_again(exported, tool):
    one = tool(exported("mixed")).begin()
    state = one.slave.getFMUState()
    address = state.value
    one.run(5, "position")
    here = one.get("position")
    one.slave.fmi3GetFMUState(one.slave.component, byref(state))
    assert state.value == address
    one.run(5, "position", first=5)
    one.slave.setFMUState(state)
    assert one.get("position") == here
    one.slave.freeFMUState(state)
    assert state.value is None


def test_foreign_and_damaged_states_are_refused(exported, tool):
    one = tool(exported("mixed")).begin()
    state = one.slave.getFMUState()
    stored = one.slave.serializeFMUState(state)
    size = c_size_t()
    one.slave.fmi3SerializedFMUStateSize(one.slave.component, state, byref(size))
    assert size.value == len(stored)
    for wrong, text in (
        (stored[:20], "truncated"),
        (stored[:-8], "truncated"),
        (b"x" * len(stored), "it is not a state of such an FMU"),
        (stored[:30] + bytes([stored[30] ^ 1]) + stored[31:], "it is damaged"),
    ):
        with pytest.raises(FMICallException):
            one.slave.deserializeFMUState(wrong)
        assert "fmi3DeserializeFMUState: the state cannot be used" in one.messages[-1]
        assert text in one.messages[-1]
    for other, text in (
        (tool(exported("guided_vessel")).begin(), "it belongs to another model"),
        (tool(exported("mixed")).exchange().initialize(), "the other interface"),
    ):
        with pytest.raises(FMICallException):
            other.slave.deserializeFMUState(stored)
        assert text in other.messages[-1]
    one.step(0.0)
    one.slave.freeFMUState(state)


def test_two_instances_that_share_a_state_go_apart(exported, tool):
    one, other = (tool(exported("mixed")).begin() for _ in range(2))
    one.run(10, "position")
    state = one.slave.getFMUState()
    other.slave.setFMUState(state)
    other.set({"push": 1.0})
    usual, pushed = (each.run(10, "position", first=10) for each in (one, other))
    assert np.all(np.array(pushed)[1:] > np.array(usual)[1:])
    one.slave.freeFMUState(state)
