"""The life of an instance: which calls are allowed when, reset, log categories, and memory given back."""

from __future__ import annotations

import itertools
from ctypes import byref, c_double, c_int, c_size_t, c_void_p

import pytest
from fmpy.fmi1 import FMICallException

ALL = {
    "setupExperiment": lambda s: s.setupExperiment(startTime=0.0),
    "enterInitializationMode": lambda s: s.enterInitializationMode(),
    "exitInitializationMode": lambda s: s.exitInitializationMode(),
    "doStep": lambda s: s.doStep(0.0, 0.02),
    "getReal": lambda s: s.getReal([0]),
    "setReal": lambda s: s.setReal([0], [1.0]),
    "getDirectionalDerivative": lambda s: s.getDirectionalDerivative([0], [0], [1.0]),
    "terminate": lambda s: s.terminate(),
    "reset": lambda s: s.reset(),
}
ALLOWED = {
    "instantiated": {"setupExperiment", "enterInitializationMode", "setReal", "reset"},
    "initialization mode": {"exitInitializationMode", "getReal", "setReal", "getDirectionalDerivative", "reset"},
    "step complete": {"doStep", "getReal", "setReal", "getDirectionalDerivative", "terminate", "reset"},
    "terminated": {"getReal", "getDirectionalDerivative", "reset"},
}


def bring_to(one, state):
    one.instantiate()
    if state != "instantiated":
        one.slave.setupExperiment(startTime=0.0)
        one.slave.enterInitializationMode()
    if state in ("step complete", "terminated"):
        one.slave.exitInitializationMode()
    if state == "terminated":
        one.slave.terminate()


@pytest.mark.parametrize("state", ALLOWED)
@pytest.mark.parametrize("call", ALL)
def test_calls_are_allowed_as_the_standard_says(exported, tool, state, call):
    one = tool(exported("mixed"))
    bring_to(one, state)
    if call in ALLOWED[state]:
        ALL[call](one.slave)
        assert one.messages == []
    else:
        with pytest.raises(FMICallException) as refused:
            ALL[call](one.slave)
        assert refused.value.status == 3
        assert f"fmi2{call[0].upper()}{call[1:]} is not allowed now: the instance is" in one.messages[-1]


def test_reset_brings_everything_back(exported, tool):
    one = tool(exported("mixed")).begin()
    names = one.outputs()
    first = one.run(40, *names)
    one.slave.reset()
    one.set({"push": 5.0, "lag.time_constant[1]": 2.0})
    one.initialize(start=3.0)
    one.step(3.0)
    one.slave.terminate()
    one.slave.reset()
    one.initialize()
    assert one.run(40, *names) == first


def test_setup_experiment_refuses_times_that_make_no_sense(exported, tool):
    one = tool(exported("mixed")).instantiate()
    for settings, text in (
        ({"startTime": float("nan")}, "the start time must be finite"),
        ({"startTime": 2.0, "stopTime": 2.0}, "the stop time must be after the start time 2 s, not 2 s"),
        ({"startTime": 0.0, "tolerance": -1.0}, "the tolerance must be > 0 and of a sensible size, not -1"),
    ):
        with pytest.raises(FMICallException):
            one.slave.setupExperiment(**settings)
        assert text in one.messages[-1]
    one.initialize()


def test_initial_values_follow_what_is_set_during_initialization(exported, tool):
    one = tool(exported("mixed")).instantiate()
    one.slave.setupExperiment(startTime=0.0)
    one.slave.enterInitializationMode()
    assert one.get("position") == [0.25]
    one.set({"position.initial_x[1]": 0.75})
    assert one.get("position", "limited", "delayed") == [0.75, 0.75, 0.0]
    one.slave.exitInitializationMode()
    assert one.get("position") == [0.75]


def test_categories_choose_the_messages(exported, tool):
    one = tool(exported("mixed")).instantiate(logging=True)
    assert "instantiated 'tool' with 9 blocks" in one.messages[0]
    assert one.categories == ["logEvents"]
    slave = one.slave
    slave.setDebugLogging(False, [])
    one.initialize()
    assert len(one.messages) == 1
    slave.setDebugLogging(True, ["logEvents"])
    slave.terminate()
    assert one.categories[-1] == "logEvents"
    assert "terminated at t = 0 s" in one.messages[-1]
    with pytest.raises(FMICallException):  # an error, and its category is not among the wanted ones
        one.step(0.0)
    assert len(one.messages) == 2
    slave.setDebugLogging(True, ["logAll"])
    with pytest.raises(FMICallException):
        one.step(0.0)
    assert one.categories[-1] == "logStatusError"
    with pytest.raises(FMICallException):
        slave.setDebugLogging(True, ["everything"])
    assert "there is no log category 'everything'" in one.messages[-1]


def test_every_declared_category_exists(exported, tool):
    one = tool(exported("mixed")).instantiate()
    one.slave.setDebugLogging(True, [category.name for category in one.description.logCategories])
    assert len(one.description.logCategories) == 5


def test_all_memory_is_given_back(exported, tool):
    one = tool(exported("guided_vessel")).begin()
    one.run(5, "eta[1]")
    assert one.allocated > 0
    state = one.slave.getFMUstate()
    one.slave.freeFMUstate(state)
    one.slave.fmi2FreeInstance(one.slave.component)
    one.slave.component = None
    assert one.allocated == 0


def test_memory_that_is_not_there_is_told(exported, tool):
    """For every piece of memory that an instance asks for, and then for the state that it saves."""
    one, told = tool(exported("mixed")), 0
    for number in itertools.count():
        one.allocations_left = number
        one.messages.clear()
        try:
            one.instantiate()
            break
        except FMICallException:
            told += any("memory" in message for message in one.messages)
            assert one.allocated == 0, "what was taken is given back"
    assert told >= 4
    one.initialize()
    one.allocations_left = 1
    kept = one.slave.getFMUstate()
    for call in (one.slave.getFMUstate, lambda: one.slave.deSerializeFMUstate(one.slave.serializeFMUstate(kept))):
        with pytest.raises(FMICallException):
            call()
        assert one.messages[-1].endswith("there is not enough memory")
    one.slave.freeFMUstate(kept)
    one.step(0.0)


def test_without_memory_functions_the_c_library_serves(exported, tool):
    one = tool(exported("mixed"))
    one.slave.instantiate()
    one.initialize()
    one.run(3, "position")


def test_a_null_instance_is_refused(exported, tool):
    one = tool(exported("mixed"))
    with pytest.raises(FMICallException):
        one.slave.fmi2DoStep(None, 0.0, 0.02, 0)
    one.slave.fmi2FreeInstance(None)


def test_null_arguments_are_refused(exported, tool):
    one = tool(exported("mixed")).begin()
    slave = one.slave
    for call in (
        lambda: slave.fmi2GetReal(slave.component, None, 1, (c_double * 1)()),
        lambda: slave.fmi2SetReal(slave.component, None, 1, (c_double * 1)()),
        lambda: slave.fmi2SetFMUstate(slave.component, None),
        lambda: slave.fmi2GetRealStatus(slave.component, 2, None),
    ):
        with pytest.raises(FMICallException):
            call()
        assert "is NULL" in one.messages[-1]


def test_a_type_of_fmu_that_there_is_not_is_refused(exported, tool):
    one = tool(exported("mixed")).instantiate()
    slave = one.slave
    location = (one.folder / "resources").as_uri().encode()
    assert slave.fmi2Instantiate(b"x", 7, one.guid.encode(), location, byref(one.callbacks), 0, 0) is None
    assert "for co-simulation or for model exchange, not of type 7" in one.messages[-1]


def test_status_after_steps_that_are_never_pending(exported, tool):
    one = tool(exported("mixed")).begin()
    one.run(3, "position")
    slave = one.slave
    time, terminated = c_double(), c_int()
    slave.fmi2GetRealStatus(slave.component, 2, byref(time))
    slave.fmi2GetBooleanStatus(slave.component, 3, byref(terminated))
    assert (time.value, terminated.value) == (pytest.approx(0.06), 0)
    with pytest.raises(FMICallException) as unknown:
        slave.fmi2GetStatus(slave.component, 0, byref(c_int()))
    assert unknown.value.status == 2
    with pytest.raises(FMICallException):
        slave.fmi2CancelStep(slave.component)


def test_what_is_not_offered_says_so(exported, tool):
    one = tool(exported("mixed")).begin()
    slave = one.slave
    with pytest.raises(FMICallException):
        slave.getRealOutputDerivatives([0], [1])
    assert 'maxOutputDerivativeOrder="0"' in one.messages[-1]
    size = c_size_t()
    with pytest.raises(FMICallException):
        slave.fmi2SerializedFMUstateSize(slave.component, c_void_p(), byref(size))
