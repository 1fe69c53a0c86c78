"""Model exchange of FMI 3, driven by FMPy's own solvers and by hand; it agrees with the run in this process."""

from __future__ import annotations

from ctypes import POINTER, c_double

import fmpy
import numpy as np
import pytest
from fmpy.fmi1 import FMICallException

STATES = 2


def pointer(numbers):
    return numbers.ctypes.data_as(POINTER(c_double))


@pytest.mark.parametrize("name", ["guided_vessel", "mixed"])
def test_cvode_finds_what_simulate_does(exported, reference, name):
    path = exported(name)
    variables = fmpy.read_model_description(path).modelVariables
    outputs = [v.name for v in variables if v.causality == "output" and v.type == "Float64"]
    result = fmpy.simulate_fmu(
        str(path),
        fmi_type="ModelExchange",
        stop_time=5.0,
        output_interval=0.02,
        relative_tolerance=1e-8,
        output=outputs,
    )
    rows = np.column_stack([np.array(result[output].tolist()).reshape(len(result), -1) for output in outputs])
    times = np.round(np.array(result["time"]) / 0.02).astype(int)
    last = {time: k for k, time in enumerate(times)}  # events are recorded before and after
    wanted = reference(name, 5.0)
    np.testing.assert_allclose(rows[last[250]], wanted[250], rtol=2e-4, atol=2e-4)
    np.testing.assert_allclose(rows[last[125]], wanted[125], rtol=2e-4, atol=2e-4)


@pytest.fixture
def mixed(exported, tool):
    """An instance in its first event."""
    return tool(exported("mixed")).exchange().initialize()


def test_the_first_event_tells_the_next(mixed):
    slave = mixed.slave
    assert slave.getClock(mixed.references(*mixed.clocks())) == [True, True]
    needed, terminate, nominals, values, defined, time = slave.updateDiscreteStates()
    assert (needed, terminate, nominals, values, defined) == (False, False, False, False, True)
    assert time == pytest.approx(0.06)
    assert slave.getNumberOfContinuousStates() == STATES
    x, scale = np.zeros(STATES), np.zeros(STATES)
    slave.getContinuousStates(pointer(x), STATES)
    slave.getNominalsOfContinuousStates(pointer(scale), STATES)
    assert sorted(x) == [0.0, 0.25]
    assert np.all(scale > 0)


def test_states_and_derivatives_are_the_variables_of_the_description(mixed):
    slave = mixed.slave
    slave.updateDiscreteStates()
    slave.enterContinuousTimeMode()
    names = [v.derivative.name for v in mixed.variables.values() if v.derivative is not None]
    assert len(names) == STATES
    slave.setTime(0.013)
    slave.setContinuousStates(pointer(np.array([0.7, -0.4])), STATES)
    dx = np.zeros(STATES)
    slave.getContinuousStateDerivatives(pointer(dx), STATES)
    assert mixed.get(*names) == [0.7, -0.4]
    assert mixed.get(*(f"der({name})" for name in names)) == dx.tolist()
    assert mixed.get("time") == [0.013]


def test_indicators_change_sign_where_modes_change(mixed):
    slave = mixed.slave
    slave.updateDiscreteStates()
    slave.enterContinuousTimeMode()
    count = slave.getNumberOfEventIndicators()
    assert count > 0
    index = next(k for k, v in enumerate(v for v in mixed.variables.values() if v.derivative) if "position" in v.name)
    before, after, x = np.zeros(count), np.zeros(count), np.zeros(STATES)
    slave.getEventIndicators(pointer(before), count)
    x[index] = 0.95  # the limit of the saturation is 0.9
    slave.setContinuousStates(pointer(x), STATES)
    slave.getEventIndicators(pointer(after), count)
    assert np.any(np.sign(before) != np.sign(after))
    assert slave.completedIntegratorStep() in ((False, False), (True, False))
    slave.enterEventMode()
    slave.updateDiscreteStates()
    assert mixed.get("limited") == [0.9]


def test_samples_are_held_between_events(mixed):
    slave = mixed.slave
    slave.updateDiscreteStates()
    slave.enterContinuousTimeMode()
    slave.setTime(0.08)
    slave.setContinuousStates(pointer(np.array([5.0, 5.0])), STATES)
    assert mixed.get("delayed", "count") == [0.0, 0.0]
    slave.enterEventMode()
    assert slave.getClock(mixed.references(*mixed.clocks())).count(True) == 1
    slave.updateDiscreteStates()
    assert mixed.get("delayed") == [0.25]  # what was sampled at the start


def test_numbers_of_the_wrong_length_and_kind_are_refused(mixed):
    slave = mixed.slave
    slave.updateDiscreteStates()
    slave.enterContinuousTimeMode()
    for call, text, status in (
        (lambda: slave.setContinuousStates(pointer(np.zeros(3)), 3), "there are 2 continuous states, not 3", 3),
        (lambda: slave.getContinuousStates(pointer(np.zeros(3)), 1), "there are 2 continuous states, not 1", 3),
        (lambda: slave.getEventIndicators(pointer(np.zeros(1)), 0), "event indicators, not 0", 3),
        (lambda: slave.setContinuousStates(pointer(np.full(2, np.nan)), 2), "must be a finite number, not nan", 2),
        (lambda: slave.setTime(np.inf), "the time must be a finite number, not inf", 3),
    ):
        with pytest.raises(FMICallException) as refused:
            call()
        assert refused.value.status == status
        assert text in mixed.messages[-1]


def test_parameters_are_set_at_events(mixed):
    slave = mixed.slave
    mixed.set({"lag.time_constant": 0.5})
    slave.updateDiscreteStates()
    slave.enterContinuousTimeMode()
    mixed.set({"push": 2.0})
    (rate,) = mixed.get("der(lag.x)")
    assert rate > 3.0
    with pytest.raises(FMICallException):
        mixed.set({"lag.time_constant": 0.1})
    assert mixed.messages[-1] == (
        "fmi3SetFloat64: lag.time_constant is a parameter and can be set at events and between steps only"
    )
    slave.enterEventMode()
    mixed.set({"lag.time_constant": 0.25})
    assert mixed.get("der(lag.x)") == [pytest.approx(2 * rate)]


def test_a_saved_state_goes_on_in_continuous_time_mode(mixed):
    slave = mixed.slave
    slave.updateDiscreteStates()
    slave.enterContinuousTimeMode()
    slave.setTime(0.02)
    slave.setContinuousStates(pointer(np.array([0.3, 0.6])), STATES)
    here = mixed.get(*mixed.outputs())
    state = slave.getFMUState()
    slave.setTime(0.04)
    slave.setContinuousStates(pointer(np.array([-0.3, 0.1])), STATES)
    assert mixed.get(*mixed.outputs()) != here
    slave.setFMUState(state)
    assert mixed.get(*mixed.outputs()) == here
    assert mixed.get("time") == [0.02]
    slave.setTime(0.03)
    slave.freeFMUState(state)


@pytest.mark.parametrize("continuous", [False, True])
def test_states_can_be_set_one_by_one(exported, tool, continuous):
    """FMI 3.0.2, sections 2.3.5 and 3.2.1: states that the FMU does not reinitialize."""
    one, other = (tool(exported("mixed")).exchange().initialize() for _ in range(2))
    for each in (one, other):
        each.slave.updateDiscreteStates()
        if continuous or each is other:  # where alone there is fmi3SetContinuousStates
            each.slave.enterContinuousTimeMode()
        each.set({"push": 0.4})
    rates = [v.name for v in one.variables.values() if v.derivative is not None]
    states = [one.variables[name].derivative.name for name in rates]
    before = one.get(*rates)
    one.set(dict(zip(states, [0.7, -0.2], strict=True)))
    other.slave.setContinuousStates(pointer(np.array([0.7, -0.2])), STATES)
    assert one.get(*states) == [0.7, -0.2]
    assert one.get(*rates) == other.get(*rates) != before
    with pytest.raises(FMICallException) as refused:
        one.set({states[0]: float("nan")})
    assert refused.value.status == 2
