"""The life of an instance of FMI 3: which calls are allowed when, what makes none, logging and reset."""

from __future__ import annotations

from ctypes import byref, c_bool, c_double, c_size_t

import numpy as np
import pytest
from fmpy.fmi1 import FMICallException

Numbers = c_double * 2


def _update(s):
    flags = [c_bool() for _ in range(5)]
    s.fmi3UpdateDiscreteStates(s.component, *map(byref, flags), byref(c_double()))


ALL = {
    "EnterConfigurationMode": lambda s: s.fmi3EnterConfigurationMode(s.component),
    "ExitConfigurationMode": lambda s: s.fmi3ExitConfigurationMode(s.component),
    "EnterInitializationMode": lambda s: s.enterInitializationMode(startTime=0.0),
    "ExitInitializationMode": lambda s: s.exitInitializationMode(),
    "EnterEventMode": lambda s: s.enterEventMode(),
    "EnterStepMode": lambda s: s.fmi3EnterStepMode(s.component),
    "EnterContinuousTimeMode": lambda s: s.fmi3EnterContinuousTimeMode(s.component),
    "UpdateDiscreteStates": _update,
    "EvaluateDiscreteStates": lambda s: s.fmi3EvaluateDiscreteStates(s.component),
    "DoStep": lambda s: s.fmi3DoStep(
        s.component, 0.0, 0.02, True, byref(c_bool()), byref(c_bool()), byref(c_bool()), byref(c_double())
    ),
    "CompletedIntegratorStep": lambda s: s.fmi3CompletedIntegratorStep(
        s.component, True, byref(c_bool()), byref(c_bool())
    ),
    "SetTime": lambda s: s.fmi3SetTime(s.component, 0.0),
    "GetContinuousStates": lambda s: s.fmi3GetContinuousStates(s.component, Numbers(), 2),
    "SetContinuousStates": lambda s: s.fmi3SetContinuousStates(s.component, Numbers(), 2),
    "GetContinuousStateDerivatives": lambda s: s.fmi3GetContinuousStateDerivatives(s.component, Numbers(), 2),
    "GetNominalsOfContinuousStates": lambda s: s.fmi3GetNominalsOfContinuousStates(s.component, Numbers(), 2),
    "GetNumberOfContinuousStates": lambda s: s.fmi3GetNumberOfContinuousStates(s.component, byref(c_size_t())),
    "GetNumberOfEventIndicators": lambda s: s.fmi3GetNumberOfEventIndicators(s.component, byref(c_size_t())),
    "GetDirectionalDerivative": lambda s: s.getDirectionalDerivative([2], [1], [1.0]),
    "GetClock": lambda s: s.getClock([]),
    "GetFloat64": lambda s: s.getFloat64([1]),
    "SetFloat64": lambda s: s.setFloat64([1], [1.0]),
    "GetFMUState": lambda s: s.freeFMUState(s.getFMUState()),
    "Terminate": lambda s: s.terminate(),
    "Reset": lambda s: s.reset(),
}
ALWAYS = {"GetFloat64", "GetFMUState", "Reset"}
COUNTS = {"GetNumberOfContinuousStates", "GetNumberOfEventIndicators"}
READ = {"GetContinuousStates", "GetContinuousStateDerivatives", "GetNominalsOfContinuousStates"}
DERIVATIVES = {"GetDirectionalDerivative"}
EVENTS = {"UpdateDiscreteStates", "EvaluateDiscreteStates", "GetClock", "SetFloat64", "Terminate"} | DERIVATIVES
INITIALIZATION = {"ExitInitializationMode", "EvaluateDiscreteStates", "SetFloat64"} | DERIVATIVES
INSTANTIATED = {"EnterInitializationMode", "SetFloat64"}
ALLOWED = {
    "instantiated": INSTANTIATED,
    "initialization mode": INITIALIZATION,
    "step mode": {"DoStep", "SetFloat64", "Terminate"} | DERIVATIVES,
    "terminated": DERIVATIVES,
    "instantiated, events": INSTANTIATED,
    "event mode, events": EVENTS | {"EnterStepMode"},
    "step mode, events": {"DoStep", "SetFloat64", "Terminate", "EnterEventMode"} | DERIVATIVES,
    "instantiated, exchange": INSTANTIATED | COUNTS,
    "initialization mode, exchange": INITIALIZATION | COUNTS | READ,
    "event mode, exchange": EVENTS | COUNTS | READ | {"EnterContinuousTimeMode", "SetTime"}
    | {"EnterEventMode"},  # beyond the standard: OpenModelica calls it there
    "continuous-time mode, exchange": COUNTS | READ | DERIVATIVES | {
        "SetTime", "SetContinuousStates", "SetFloat64", "CompletedIntegratorStep", "EnterEventMode", "Terminate",
    },
    "terminated, exchange": COUNTS | READ | DERIVATIVES,
}  # fmt: skip


def bring_to(one, state, kind):
    if kind == "exchange":
        one.exchange()
    else:
        one.instantiate(events=kind == "events", early=kind == "events")
    if state != "instantiated":
        one.slave.enterInitializationMode()
    if state not in ("instantiated", "initialization mode"):
        one.slave.exitInitializationMode()
    if state == "step mode" and kind == "events":
        one.slave.enterStepMode()
    if state == "continuous-time mode":
        one.slave.enterContinuousTimeMode()
    if state == "terminated":
        one.slave.terminate()


@pytest.mark.parametrize("where", ALLOWED)
def test_calls_are_allowed_as_the_standard_says(exported, tool, where):
    state, _, kind = where.partition(", ")
    for call, function in ALL.items():
        one = tool(exported("mixed"))
        bring_to(one, state, kind)
        if call in ALLOWED[where] | ALWAYS:
            function(one.slave)
            assert one.messages == [], call
        else:
            with pytest.raises(FMICallException) as refused:
                function(one.slave)
            assert refused.value.status == 3, call
            assert one.messages[-1].startswith((f"fmi3{call} is ", "fmi3EnterConfigurationMode: ")), call
        one.close()


def test_messages_name_the_function_and_the_state(exported, tool):
    one = tool(exported("mixed")).instantiate()
    with pytest.raises(FMICallException):
        one.step(0.0)
    assert one.messages[-1] == "fmi3DoStep is not allowed now: the instance is instantiated"
    one.initialize()
    with pytest.raises(FMICallException):
        one.slave.enterEventMode()
    assert one.messages[-1] == (
        "fmi3EnterEventMode is not allowed: the instance was made with eventModeUsed = fmi3False"
    )
    exchange = tool(exported("mixed")).exchange().initialize()
    with pytest.raises(FMICallException):
        exchange.slave.fmi3EnterStepMode(exchange.slave.component)
    assert exchange.messages[-1] == "fmi3EnterStepMode is for co-simulation; this instance is for model exchange"
    with pytest.raises(FMICallException):
        one.slave.fmi3GetNumberOfContinuousStates(one.slave.component, byref(c_size_t()))
    assert one.messages[-1].endswith("is for model exchange; this instance is for co-simulation")


def test_what_makes_no_instance_is_told(exported, tool, tmp_path):
    one = tool(exported("mixed"))
    for settings, text in (
        ({"token": "wrong"}, "the instantiation token wrong is not that of"),
        ({"folder": tmp_path}, f"cannot read '{tmp_path}/resources/plan.bin': No such file or directory"),
    ):
        with pytest.raises(Exception, match="Failed to instantiate"):
            one.instantiate(**settings)
        assert text in one.messages[-1]
        assert one.categories[-1] == "logStatusError"
    slave = one.instantiate().slave
    before = slave.component
    for name, token, resources, text in (
        (b"", one.description.guid.encode(), b"x/", "the instance has no name"),
        (b"x", None, b"x/", "no instantiation token is given"),
        (b"x", one.description.guid.encode(), None, "the resource location '' is empty"),
    ):
        made = slave.fmi3InstantiateCoSimulation(
            name,
            token,
            resources,
            False,
            False,
            False,
            False,
            None,
            0,
            None,
            slave.logMessage,
            slave.intermediateUpdate,
        )
        assert made is None
        assert text in one.messages[-1]
    slave.component = before


@pytest.mark.parametrize("folder", ["with space", "100% full", "größe"])
def test_the_resource_path_is_a_plain_path(exported, tool, tmp_path, folder):
    one = tool(exported("mixed"))
    (one.folder / "resources").rename(tmp_path / folder)
    for ending in ("", "/"):
        path = str(tmp_path / folder) + ending
        slave = one.instantiate(folder=_as_resources(tmp_path, folder)).slave
        made = slave.fmi3InstantiateModelExchange(
            b"x", one.description.guid.encode(), path.encode(), False, False, None, slave.logMessage
        )
        assert made is not None, one.messages
        slave.fmi3FreeInstance(made)
        slave.fmi3FreeInstance(slave.component)
        slave.component = None


def _as_resources(path, folder):
    """A folder whose `resources` is this one."""
    link = path / f"link to {folder}"
    link.mkdir(exist_ok=True)
    if not (link / "resources").exists():
        (link / "resources").symlink_to(path / folder)
    return link


def test_there_is_no_scheduled_execution(exported, tool):
    one = tool(exported("mixed")).instantiate()
    slave = one.slave
    nothing = [None] * 3
    made = slave.fmi3InstantiateScheduledExecution(
        b"x", one.description.guid.encode(), b"x/", False, False, None, slave.logMessage,
        *(kind() for kind in slave._functions["fmi3InstantiateScheduledExecution"].argtypes[-len(nothing):]),
    )  # fmt: skip
    assert made is None
    assert "this FMU is for co-simulation and model exchange" in one.messages[-1]


def test_reset_brings_everything_back(exported, tool):
    one = tool(exported("mixed")).begin()
    names = one.outputs()
    first = one.run(40, *names)
    one.slave.reset()
    one.set({"push": 5.0, "lag.time_constant": 2.0})
    one.initialize(start=3.0)
    one.step(3.0)
    one.slave.terminate()
    one.slave.reset()
    one.initialize()
    assert one.run(40, *names) == first


def test_initialization_refuses_times_that_make_no_sense(exported, tool):
    one = tool(exported("mixed")).instantiate()
    for settings, text in (
        ({"startTime": np.nan}, "the start time must be finite"),
        ({"startTime": 2.0, "stopTime": 2.0}, "the stop time must be after the start time 2 s, not 2 s"),
        ({"startTime": 0.0, "tolerance": -1.0}, "the tolerance must be > 0 and of a sensible size, not -1"),
    ):
        with pytest.raises(FMICallException):
            one.slave.enterInitializationMode(**settings)
        assert text in one.messages[-1]
    one.initialize()


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
    assert (one.categories[-1], one.messages[-1]) == ("logEvents", "terminated at t = 0 s")
    with pytest.raises(FMICallException):  # an error, and its category is not among the wanted ones
        one.step(0.0)
    assert len(one.messages) == 2
    slave.setDebugLogging(True, [category.name for category in one.description.logCategories])
    with pytest.raises(FMICallException):
        one.step(0.0)
    assert one.categories[-1] == "logStatusError"
    with pytest.raises(FMICallException):
        slave.setDebugLogging(True, ["everything"])
    assert one.messages[-1] == "fmi3SetDebugLogging: there is no log category 'everything'"


def test_signs_that_printf_would_read_stay_as_they_are(exported, tool):
    one = tool(exported("mixed")).instantiate()
    with pytest.raises(FMICallException):
        one.slave.setDebugLogging(True, ["50%s #1#"])
    assert one.messages[-1].endswith("'50%s #1#'")


def test_null_instances_and_arguments_are_refused(exported, tool):
    one = tool(exported("mixed")).begin()
    slave = one.slave
    one_reference, one_number = (slave._functions["fmi3GetFloat64"].argtypes[1]._type_ * 1)(1), (c_double * 1)()
    for call in (
        lambda: slave.fmi3GetFloat64(slave.component, None, 1, one_number, 1),
        lambda: slave.fmi3GetFloat64(slave.component, one_reference, 1, None, 1),
        lambda: slave.fmi3SetFloat64(slave.component, None, 1, one_number, 1),
        lambda: slave.fmi3SetFMUState(slave.component, None),
        lambda: slave.fmi3DoStep(slave.component, 0.0, 0.02, True, None, None, None, None),
        lambda: slave.fmi3GetDirectionalDerivative(slave.component, None, 1, None, 1, None, 1, None, 1),
    ):
        with pytest.raises(FMICallException):
            call()
        assert one.messages[-1].endswith("is NULL")
    with pytest.raises(FMICallException):
        slave.fmi3Reset(None)
    slave.fmi3FreeInstance(None)
