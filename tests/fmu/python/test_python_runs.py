"""FMUs with blocks written in Python as a tool runs them: the numbers of `simulate`, states, parameters, failures."""

from __future__ import annotations

import threading
from ctypes import byref, c_double, c_int

import fmpy
import numpy as np
import pytest
from fmpy.fmi1 import FMICallException
from python_models import moody, tethered, turning

import fmu
from blocks import simulate
from fmu.python import instance

STEP = 0.02


@pytest.fixture(scope="module")
def python_fmu(tmp_path_factory):
    """The FMU of a model, exported once."""
    folder = tmp_path_factory.mktemp("python_fmus")
    makers = {"tethered": tethered, "turning": turning, "moody": moody}

    def get(name, **settings):
        path = folder / f"{name}{'_'.join(map(str, settings.values()))}.fmu"
        if not path.exists():
            with pytest.warns(fmu.PythonNeeded):
                fmu.export(makers[name](), path, **({"step": STEP} | settings))
        return path

    return get


NAMES = ["eta[1]", "eta[2]", "eta[6]", "stretch", "count", "total", "lagged"]


def in_process(solver="rk4", steps=150, thrust=6.0):
    """The same numbers from `simulate`."""
    result = simulate(tethered(), steps * STEP, step=STEP, solver=solver, inputs={"thrust": thrust})
    eta = result.values("vessel.eta")
    rest = [result.values(n) for n in ("tether.stretch", "tally.count", "tally.total", "lag.y")]
    return np.column_stack([eta[:, 0], eta[:, 1], eta[:, 5], *rest])


@pytest.mark.parametrize("solver", ["rk4", "euler", "dopri5"])
def test_numbers_are_those_of_simulate_to_the_last_bit(python_fmu, tool, solver):
    one = tool(python_fmu("tethered", solver=solver)).instantiate()
    one.set({"thrust": 6.0})
    one.initialize()
    rows = [one.get(*NAMES), *one.run(150, *NAMES)]
    expected = in_process(solver)
    assert expected[-1, 3] > 0.0
    assert expected[-1, 4] == 50.0
    if solver == "dopri5":  # communication points cut the solver's own steps
        np.testing.assert_allclose(rows, expected, rtol=1e-5, atol=1e-7)
    else:
        np.testing.assert_array_equal(rows, expected)


def test_fmpy_finds_nothing_wrong_and_simulates(python_fmu):
    path = python_fmu("tethered")
    assert fmpy.validation.validate_fmu(str(path)) == []
    run = fmpy.simulate_fmu(str(path), stop_time=3.0, output_interval=STEP, start_values={"thrust": 6.0})
    np.testing.assert_array_equal(run["stretch"], in_process()[:, 3])


def test_a_saved_state_continues_bit_for_bit(python_fmu, tool):
    one = tool(python_fmu("tethered")).instantiate()
    one.set({"thrust": 6.0})
    one.initialize()
    one.run(60, *NAMES)
    saved = one.slave.getFMUState()
    as_bytes = one.slave.serializeFMUstate(saved)
    first = one.run(60, *NAMES, first=60)
    one.slave.setFMUState(saved)
    assert one.run(60, *NAMES, first=60) == first
    other = tool(python_fmu("tethered")).begin()
    restored = other.slave.deSerializeFMUstate(as_bytes)
    other.slave.setFMUState(restored)
    assert other.run(60, *NAMES, first=60) == first
    one.slave.freeFMUState(saved)
    other.slave.freeFMUState(restored)


def test_what_a_block_remembers_against_the_rules_is_in_the_state_too(python_fmu, tool):
    one = tool(python_fmu("moody")).begin()
    one.run(5, "y")
    saved = one.slave.getFMUState()

    def calls():
        one.set({"u": 2.0})
        with pytest.raises(FMICallException):
            one.get("y")
        return one.messages[-1].rpartition("##")[2].split()[0]

    first = calls()
    one.slave.setFMUState(saved)
    one.set({"u": 0.5})
    assert one.get("y") == [1.5]
    one.slave.setFMUState(saved)
    assert calls() == first
    one.slave.freeFMUState(saved)


@pytest.mark.parametrize("damage", ["flip", "truncate", "empty", "other"])
def test_a_state_that_is_none_is_refused(python_fmu, tool, damage):
    one = tool(python_fmu("tethered")).begin()
    one.run(3, "stretch")
    state = one.slave.getFMUState()
    good = one.slave.serializeFMUstate(state)
    one.slave.freeFMUState(state)
    if damage == "other":
        stranger = tool(python_fmu("turning")).begin()
        its = stranger.slave.getFMUState()
        bad = stranger.slave.serializeFMUstate(its)
        stranger.slave.freeFMUState(its)
    else:
        bad = {"flip": good[:200] + bytes([good[200] ^ 1]) + good[201:], "truncate": good[:-9], "empty": b""}[damage]
    before = one.get(*NAMES)
    with pytest.raises(FMICallException):
        one.slave.deSerializeFMUstate(bad)
    assert "fmi2DeSerializeFMUstate: the state cannot be used: it" in one.messages[-1]
    assert one.get(*NAMES) == before
    one.run(3, "stretch", first=3)


def test_parameters_reach_the_python_code(python_fmu, tool):
    one = tool(python_fmu("turning")).instantiate()
    one.set({"rate": 1.0, "counter.most": 0.05, "counter.gain": 2.0, "counter.initial_psi": 0.1})
    one.initialize()
    rows = one.run(50, "turns", "warning")
    expected = simulate(turning(most=0.05, gain=2.0, initial_psi=0.1), 1.0, step=STEP, inputs={"rate": 1.0})
    assert [row[0] for row in rows] == expected.values("counter.turns")[1:].tolist()
    assert rows[0][1] == 0.0
    assert rows[-1][1] == 1.0
    one.set({"counter.most": 40.0})  # tunable: at any time
    assert one.get("warning") == [0.0]
    one.set({"counter.gain": 2.0})  # what it is already
    with pytest.raises(FMICallException):
        one.set({"counter.gain": 1.0})
    assert "counter.gain is a fixed parameter and cannot be set after initialization" in one.messages[-1]
    with pytest.raises(FMICallException) as refused:
        one.set({"counter.most": 51.0})
    assert refused.value.status == 2
    assert "counter.most must be > 0 and <= 50, not 51" in one.messages[-1]


def test_choices_and_switches_reach_the_python_code(python_fmu, tool):
    def stretch_and_speed(**values):
        one = tool(python_fmu("tethered")).instantiate()
        references = {name: one.references(f"tether.{name}") for name in values}
        for name, value in values.items():
            (one.slave.setInteger if name == "law" else one.slave.setBoolean)(references[name], [value])
        one.set({"thrust": 6.0})
        one.initialize()
        one.run(100, "stretch")
        for name, value in values.items():
            get = one.slave.getInteger if name == "law" else one.slave.getBoolean
            assert get(references[name]) == [value]
        return one.get("stretch", "eta[1]")

    usual, quadratic, slack = stretch_and_speed(), stretch_and_speed(law=2), stretch_and_speed(slack=True)
    assert slack[0] == 0.0
    assert 0.0 < usual[0] < quadratic[0]
    assert slack[1] > usual[1]


def test_parameters_that_do_not_go_together_are_an_error_of_the_block(python_fmu, tool):
    one = tool(python_fmu("moody")).instantiate()
    one.set({"block.floor": 3.0})
    one.set({"block.limit": 4.0})  # one after the other: only what is there at the end counts
    one.initialize()
    one.set({"block.limit": 2.0})
    with pytest.raises(FMICallException):
        one.get("y")
    assert "block refuses its parameters: Moody.floor must be below the limit: 3 is not below 2" in one.messages[-1]
    one.slave.reset()
    one.initialize()
    assert one.get("y") == [1.0]


def test_reset_forgets_everything(python_fmu, tool):
    one = tool(python_fmu("tethered")).instantiate()
    one.set({"thrust": 6.0, "tether.stiffness": 10.0})
    one.initialize(start=3.0)
    for k in range(50):
        one.step(3.0 + k * STEP)
    one.slave.reset()
    with pytest.raises(FMICallException):
        one.step(0.0)
    one.set({"thrust": 6.0})
    one.initialize()
    np.testing.assert_array_equal([one.get(*NAMES), *one.run(150, *NAMES)], in_process())


def test_instances_share_nothing(python_fmu, tool):
    tools = [tool(python_fmu("turning")).instantiate() for _ in range(6)]
    for number, one in enumerate(tools):
        one.set({"rate": 1.0 + number, "counter.most": 0.01})
        one.initialize()
    for k in range(20):
        for one in tools:
            one.step(k * STEP)
    alone = [simulate(turning(most=0.01), 0.4, step=STEP, inputs={"rate": 1.0 + n}) for n in range(6)]
    assert [one.get("turns")[0] for one in tools] == [run.values("counter.turns")[-1] for run in alone]


def test_many_instances_one_after_the_other(python_fmu, tool):
    one = tool(python_fmu("turning"))
    for _ in range(200):  # PythonFMU's wrapper would have released the script's namespace by then
        one.begin()
        assert one.get("turns") == [0.0]
        one.slave.fmi2FreeInstance(one.slave.component)
        one.slave.component = None


def test_instances_in_threads(python_fmu, tool):
    tools = [tool(python_fmu("tethered")).instantiate() for _ in range(4)]
    rows = {}

    def run(number):
        tools[number].set({"thrust": 6.0})
        tools[number].initialize()
        rows[number] = [tools[number].get(*NAMES), *tools[number].run(150, *NAMES)]

    threads = [threading.Thread(target=run, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(4):
        np.testing.assert_array_equal(rows[number], in_process())


def test_an_exception_is_an_error_with_block_time_and_place(python_fmu, tool):
    one = tool(python_fmu("moody")).begin()
    one.run(3, "y")
    one.set({"u": 1.5})
    with pytest.raises(FMICallException) as stopped:
        one.step(3 * STEP)
    assert stopped.value.status == 3
    message = one.messages[-1]
    assert message.startswith("block stopped the run at t = 0.06 s: ValueError in outputs: 100 %% too much: 1.50 at ##")
    assert "python_models.py:" in message
    assert one.categories[-1] == "logStatusError"
    with pytest.raises(FMICallException):
        one.step(3 * STEP)
    assert "fmi2DoStep is not allowed now: the instance is in error" in one.messages[-1]
    assert len(one.get("y")) == 1  # to look at what it was
    one.slave.reset()
    one.initialize()
    assert one.run(2, "y") == [[1.0], [1.0]]


def test_a_failure_during_initialization(python_fmu, tool):
    one = tool(python_fmu("moody")).instantiate()
    one.set({"u": 5.0})
    one.slave.setupExperiment()
    one.slave.enterInitializationMode()
    with pytest.raises(FMICallException) as stopped:
        one.slave.exitInitializationMode()
    assert stopped.value.status == 3
    assert "block stopped the run at t = 0 s: ValueError in outputs" in one.messages[-1]


def test_a_number_that_is_not_finite_is_named(python_fmu, tool):
    one = tool(python_fmu("turning")).begin()
    with pytest.raises(FMICallException):
        one.set({"rate": float("nan")})
    assert "rate must be a finite number, not nan" in one.messages[-1]
    one.set({"rate": 1e308})
    with pytest.raises(FMICallException):
        one.run(2000, "turns", size=1.0)
    assert "counter: state psi is not a finite number at t = " in one.messages[-1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda one: one.slave.getReal([999999]), "there is no variable with value reference 999999"),
        (lambda one: one.slave.getReal([2**32 - 1]), "there is no variable with value reference 4294967295"),
        (lambda one: one.slave.getInteger(one.references("turns")), "turns is not a variable of type Integer"),
        (lambda one: one.set({"turns": 1.0}), "turns cannot be set: it is neither an input nor a parameter"),
        (lambda one: one.slave.setString([2**32 - 1], ["0"]), "there is no String variable"),
        (lambda one: one.slave.getString([0]), "there is no String variable"),
        (lambda one: one.step(1.0), "the communication point is 1 s, but the instance stands at t = 0 s"),
        (lambda one: one.step(0.0, -1.0), "the communication step size must be > 0 s, not -1"),
        (lambda one: one.step(0.0, float("nan")), "the communication step size must be > 0 s, not nan"),
        (lambda one: one.slave.enterInitializationMode(), "fmi2EnterInitializationMode is not allowed now"),
        (lambda one: one.slave.setupExperiment(), "fmi2SetupExperiment is not allowed now"),
        (lambda one: one.slave.getRealOutputDerivatives([0], [1]), "is not offered"),
        (lambda one: one.slave.setDebugLogging(True, ["wrong"]), "there is no log category 'wrong'"),
    ],
)
def test_calls_that_are_refused_have_no_effect(python_fmu, tool, call, message):
    one = tool(python_fmu("turning")).begin()
    with pytest.raises(FMICallException) as refused:
        call(one)
    assert refused.value.status == instance.FAILED
    assert message in one.messages[-1]
    assert one.run(1, "turns") == [[0.0]]


def test_stop_times_and_communication_points_off_the_grid(python_fmu, tool):
    one = tool(python_fmu("turning")).instantiate()
    one.set({"rate": 1.0})
    one.initialize(stop=1.0)
    t = 0.0
    for size in (0.013, 0.007, 0.05, 0.93):
        one.step(t, size)
        t += size
    assert one.get("turns")[0] == pytest.approx(1.0 / (2.0 * np.pi), rel=1e-12)
    with pytest.raises(FMICallException):
        one.step(t, 0.1)
    assert "goes beyond the stop time 1 s" in one.messages[-1]


def test_a_tolerance_that_the_tool_asks_for(python_fmu, tool):
    def error(tolerance):
        one = tool(python_fmu("tethered", solver="dopri5")).instantiate()
        one.set({"thrust": 6.0})
        one.initialize(tolerance=tolerance)
        state = one.slave.getFMUState()
        one.slave.setFMUState(state)
        one.slave.freeFMUState(state)
        one.step(0.0, 3.0)
        return abs(one.get("eta[1]")[0] - reference)

    reference = simulate(
        tethered(), 3.0, solver="dopri5", step=3.0, relative_tolerance=1e-11, absolute_tolerance=1e-13,
        inputs={"thrust": 6.0},
    ).values("vessel.eta")[-1, 0]  # fmt: skip
    assert error(1e-10) < 0.1 * error(1e-3)


def test_an_output_that_ends_the_run(python_fmu, tool):
    one = tool(python_fmu("turning", stop="counter.warning")).instantiate()
    one.set({"rate": 1.0, "counter.most": 0.01})
    one.initialize()
    with pytest.raises(FMICallException) as ended:
        one.run(50, "turns")
    assert ended.value.status == instance.DISCARD
    assert "the model ends the simulation at t = 0.08 s" in one.messages[-1]
    time, terminated = c_double(), c_int()
    one.slave.fmi2GetRealStatus(one.slave.component, 2, byref(time))
    one.slave.fmi2GetBooleanStatus(one.slave.component, 3, byref(terminated))
    assert (time.value, terminated.value) == (0.08, 1)


def test_log_categories(python_fmu, tool):
    quiet = tool(python_fmu("turning")).begin()
    assert quiet.messages == []
    quiet.slave.setDebugLogging(True, ["logEvents"])
    quiet.slave.terminate()
    assert quiet.messages == ["terminated at t = 0 s"]
    assert quiet.categories == ["logEvents"]
    chatty = tool(python_fmu("turning")).instantiate(logging=True).initialize()
    assert chatty.messages == ["instantiated 'tool'", "initialized at t = 0 s"]
