"""Model exchange of FMI 2: a small integrator in this file drives the FMU through its events."""

import math
from ctypes import POINTER, c_double

import numpy as np
import pytest
from fmpy.fmi1 import FMICallException

import fmu
from blocks import Diagram, simulate
from blocks.basic import Compare, Formula, Gain, Integrator, RateLimiter, Saturation, Sine, Step, UnitDelay


def _pointer(numbers):
    return numbers.ctypes.data_as(POINTER(c_double))


class Integration:
    """Runge-Kutta steps over an FMU for model exchange, with events at the ends of steps."""

    def __init__(self, one, states, **settings):
        self.one, self.states, self.t = one, states, 0.0
        self.model = one.exchange(**settings)
        self.events = 0
        self.event()
        self.x = np.zeros(states)
        self.model.getContinuousStates(_pointer(self.x), states)

    def event(self):
        needed, terminate, nominals, values, defined, time = self.model.newDiscreteStates()
        assert (needed, nominals, values) == (False, False, False)
        self.next_time = time if defined else math.inf
        self.terminate = terminate
        self.model.enterContinuousTimeMode()

    def derivatives(self, t, x):
        dx = np.zeros(self.states)
        self.model.setTime(t)
        self.model.setContinuousStates(_pointer(x), self.states)
        self.model.getDerivatives(_pointer(dx), self.states)
        return dx

    def run(self, end, step):
        while self.t < end - 1e-9:
            h, x = min(step, self.next_time - self.t), self.x
            k1 = self.derivatives(self.t, x)
            k2 = self.derivatives(self.t + h / 2, x + h / 2 * k1)
            k3 = self.derivatives(self.t + h / 2, x + h / 2 * k2)
            k4 = self.derivatives(self.t + h, x + h * k3)
            self.x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            self.t += h
            self.derivatives(self.t, self.x)
            wanted, _ = self.model.completedIntegratorStep()
            if wanted or self.t >= self.next_time - 1e-12:
                self.events += 1
                self.model.enterEventMode()
                self.event()
        return self


@pytest.mark.parametrize(("name", "states"), [("guided_vessel", 14), ("mixed", 2)])
def test_an_integrated_fmu_follows_the_run(models, exported, tool, name, states):
    one = tool(exported(name))
    Integration(one, states).run(2.0, 0.001)
    inputs = {"push": 0.0} if name == "mixed" else {}
    diagram = getattr(models, name)()
    run = simulate(diagram, 2.0, step=0.001, inputs=inputs, record=list(diagram.output_ports))
    for port in run:
        values = run.values(port)[-1]
        names = [f"{port}[{i + 1}]" for i in range(values.size)] if values.shape else [port]
        # The same method with the same step, but other rounding of time: sampled values are equal.
        assert one.get(*names) == pytest.approx(np.ravel(values), rel=1e-9, abs=1e-12)


def _export(tmp_path, block, step=0.01, **settings):
    return fmu.export(block, tmp_path / "model.fmu", step=step, **settings)


def test_states_and_derivatives_are_those_of_the_block(tmp_path, tool):
    one = tool(_export(tmp_path, Integrator(initial_x=3.0)))
    model = one.exchange()
    model.newDiscreteStates()
    model.enterContinuousTimeMode()
    x, dx = np.zeros(1), np.zeros(1)
    model.getContinuousStates(_pointer(x), 1)
    one.set({"u": 0.5})
    model.getDerivatives(_pointer(dx), 1)
    assert (x[0], dx[0]) == (3.0, 0.5)
    nominal = np.zeros(1)
    model.getNominalsOfContinuousStates(_pointer(nominal), 1)
    assert nominal[0] == 1.0
    assert one.get("y") == [3.0]


def test_wrong_counts_and_numbers_are_refused(exported, tool):
    one = tool(exported("mixed"))
    model = one.exchange()
    model.newDiscreteStates()
    model.enterContinuousTimeMode()
    x = np.zeros(3)
    for call in (model.getContinuousStates, model.getDerivatives, model.setContinuousStates):
        with pytest.raises(FMICallException):
            call(_pointer(x), 3)
        assert one.messages[-1].endswith("there are 2 continuous states, not 3")
    with pytest.raises(FMICallException):
        model.getEventIndicators(_pointer(x), 1)
    assert "event indicators, not 1" in one.messages[-1]
    with pytest.raises(FMICallException) as refused:
        model.setContinuousStates(_pointer(np.array([0.0, math.nan])), 2)
    assert refused.value.status == 2
    assert "position must be a finite number, not nan" in one.messages[-1]
    with pytest.raises(FMICallException):
        model.setTime(math.inf)
    assert "the time must be a finite number" in one.messages[-1]


def test_call_orders(exported, tool):
    one = tool(exported("mixed"))
    model = one.exchange()
    model.setContinuousStates(_pointer(np.zeros(2)), 2)  # beyond the standard, but OpenModelica calls it here
    for illegal in (
        model.completedIntegratorStep,
        lambda: one.step(0.0),
    ):
        with pytest.raises(FMICallException):
            illegal()
        assert "not allowed now: the instance is in event mode" in one.messages[-1]
    model.enterContinuousTimeMode()
    with pytest.raises(FMICallException):
        model.newDiscreteStates()
    assert "the instance is in continuous-time mode" in one.messages[-1]
    with pytest.raises(FMICallException):
        one.slave.exitInitializationMode()


def test_functions_of_model_exchange_are_refused_in_co_simulation(exported, tool):
    one = tool(exported("mixed"))
    model = one.exchange()
    model.component = one.begin().slave.component
    with pytest.raises(FMICallException):
        model.getDerivatives(_pointer(np.zeros(2)), 2)
    assert "not allowed now: the instance is initialized (step complete)" in one.messages[-1]


def test_parameters_change_at_events_only(exported, tool):
    one = tool(exported("mixed"))
    model = one.exchange()
    one.set({"lag.time_constant[1]": 0.4})
    model.newDiscreteStates()
    model.enterContinuousTimeMode()
    with pytest.raises(FMICallException):
        one.set({"lag.time_constant[1]": 0.5})
    assert "can be set at events and between steps only" in one.messages[-1]
    one.set({"push": 0.5})


def test_a_mode_without_a_crossing_in_reach_asks_for_an_event(tmp_path, tool):
    diagram = Diagram("modes")
    diagram.add("ramp", Integrator())
    diagram.add("above", Compare())
    diagram.add("gain", Gain(-2.0))
    diagram.connect("ramp.y", "above.u1")
    diagram.connect("above.y", "gain.u")
    diagram.inputs(rate="ramp.u", level="above.u2")
    diagram.outputs(y="gain.y", x="ramp.y")
    one = tool(_export(tmp_path, diagram))
    run = Integration(one, 1, inputs={"rate": 1.0, "level": 0.505})
    run.run(0.5, 0.01)
    assert (run.events, one.get("y")) == (0, [0.0])
    run.run(0.52, 0.01)
    assert (run.events, one.get("y")) == (1, [-2.0])


def test_event_indicators_change_sign_where_modes_do(tmp_path, tool):
    one = tool(_export(tmp_path, Saturation(lower=-1.0, upper=1.0)))
    model = one.exchange()
    model.newDiscreteStates()
    model.enterContinuousTimeMode()
    signs = []
    for u in (0.0, 0.5, 1.5, -1.5):
        one.set({"u": u})
        g = np.zeros(2)
        model.getEventIndicators(_pointer(g), 2)
        signs.append(tuple(np.sign(g)))
    assert signs[0] == signs[1]
    assert signs[1] != signs[2] != signs[3]


def test_a_memory_that_changes_every_step_makes_no_event(tmp_path, tool):
    diagram = Diagram("limited")
    diagram.add("wave", Sine([1.0], [2.0]))
    diagram.add("slow", RateLimiter(rising=1.0, falling=1.0))
    diagram.add("total", Integrator())
    diagram.connect("wave.y", "slow.u")
    diagram.connect("slow.y", "total.u")
    diagram.outputs(y="slow.y", total="total.y")
    one = tool(_export(tmp_path, diagram))
    run = Integration(one, 1).run(3.0, 0.001)
    expected = simulate(diagram, 3.0, step=0.001, record=["y"])
    assert run.events < 20  # of 3000 steps: where it catches up and falls behind
    assert one.get("y") == pytest.approx([expected.values("y")[-1]], abs=2e-3)


def test_samples_are_taken_at_time_events_and_held_between(tmp_path, tool):
    one = tool(_export(tmp_path, UnitDelay(period=0.1)))
    model = one.exchange()
    one.set({"u": 7.0})
    assert model.newDiscreteStates()[4:] == (True, pytest.approx(0.1))
    model.enterContinuousTimeMode()
    one.set({"u": 8.0})
    model.setTime(0.05)
    assert one.get("y") == [0.0]
    model.setTime(0.1)
    assert model.completedIntegratorStep() == (True, False)
    model.enterEventMode()
    assert one.get("y") == [7.0]
    one.set({"u": 9.0})
    assert model.newDiscreteStates()[4:] == (True, pytest.approx(0.2))
    assert one.get("y") == [7.0]
    model.enterContinuousTimeMode()
    model.setTime(0.2)
    model.enterEventMode()
    assert one.get("y") == [9.0]


def test_a_point_at_which_the_model_has_no_value_is_discarded_and_another_may_follow(exported, tool):
    one = tool(exported("fragile"))
    exchange = one.exchange(inputs={"u": 1.0})
    exchange.newDiscreteStates()
    exchange.enterContinuousTimeMode()
    one.set({"u": 0.0})
    dx = np.zeros(2)
    with pytest.raises(FMICallException) as discarded:
        exchange.getDerivatives(_pointer(dx), 2)
    assert discarded.value.status == 2
    one.set({"u": 2.0})
    exchange.getDerivatives(_pointer(dx), 2)
    assert dx[0] == 0.5


def test_the_stop_signal_asks_to_terminate(tmp_path, tool):
    diagram = Diagram("stopping")
    diagram.add("late", Step(time=0.3, after=1.0))
    diagram.add("total", Integrator())
    diagram.connect("late.y", "total.u")
    diagram.outputs(stop="late.y", total="total.y")
    one = tool(_export(tmp_path, diagram, stop="stop"))
    run = Integration(one, 1)
    assert not run.terminate
    run.run(0.35, 0.01)
    assert run.terminate
    assert run.model.completedIntegratorStep()[1]


def test_a_saved_state_of_one_interface_is_refused_by_the_other(exported, tool):
    exchange, steps = tool(exported("mixed")), tool(exported("mixed")).begin()
    model = exchange.exchange()
    saved = model.serializeFMUstate(model.getFMUstate())
    with pytest.raises(FMICallException):
        steps.slave.deSerializeFMUstate(saved)
    assert "for the other interface" in steps.messages[-1]


def test_a_restored_state_goes_on_to_the_last_bit(exported, tool):
    one = tool(exported("mixed"))
    run = Integration(one, 2).run(0.51, 0.01)
    saved, x, t, after = run.model.getFMUstate(), run.x, run.t, run.next_time
    first = run.run(1.0, 0.01).x
    run.model.setFMUstate(saved)
    run.x, run.t, run.next_time = x, t, after
    assert np.array_equal(run.run(1.0, 0.01).x, first)
    run.model.freeFMUstate(saved)


def test_a_restored_state_gives_the_same_status_whatever_was_before(tmp_path, tool):
    """States at a point that is tried are part of it: there what has no value is refused, elsewhere the run ends."""
    diagram = Diagram("product")
    diagram.add("x", Integrator(initial_x=10.0))
    diagram.add("square", Formula({"y": "u*w"}, inputs={"u": "1", "w": "1"}))
    diagram.connect("x.y", "square.u")
    diagram.inputs(u="x.u", w="square.w")
    diagram.outputs(y="square.y")
    one = tool(_export(tmp_path, diagram))
    model = one.exchange()
    saved = {False: model.getFMUstate()}
    one.set({"x.x": 11.0})
    saved[True] = model.getFMUstate()
    for before in (False, True):
        for tried, status in ((False, 3), (True, 2)):
            model.setFMUstate(saved[before])
            model.setFMUstate(saved[tried])
            one.set({"w": 1e308})
            with pytest.raises(FMICallException) as refused:
                one.get("y")
            assert refused.value.status == status


@pytest.mark.parametrize("continuous", [False, True])
def test_states_can_be_set_one_by_one(exported, tool, continuous):
    """As CasADi does, in event and continuous-time mode; with the numbers of fmi2SetContinuousStates."""
    one, other = (tool(exported("mixed")) for _ in range(2))
    for each in (one, other):
        model = each.exchange()
        model.newDiscreteStates()
        if continuous:
            model.enterContinuousTimeMode()
        each.set({"push": 0.4})
    rates = [v.name for v in one.variables.values() if v.derivative is not None]
    states = [one.variables[name].derivative.name for name in rates]
    before = one.get(*rates)
    one.set(dict(zip(states, [0.7, -0.2], strict=True)))
    model.setContinuousStates(_pointer(np.array([0.7, -0.2])), 2)
    assert one.get(*states) == [0.7, -0.2]
    assert one.get(*rates) == other.get(*rates) != before
    with pytest.raises(FMICallException) as refused:
        one.set({states[0]: math.inf})
    assert refused.value.status == 2
    assert one.messages[-1].endswith("must be a finite number, not inf")


def test_states_are_set_in_no_other_mode(exported, tool):
    one = tool(exported("mixed")).instantiate(kind=1)  # for model exchange, and not initialized
    with pytest.raises(FMICallException):
        one.set({"position": 0.7})
    assert "position cannot be set" in one.messages[-1]


@pytest.mark.parametrize("continuous", [False, True])
def test_a_point_without_values_is_discarded_and_another_is_taken(tmp_path, tool, continuous):
    grows = Formula({"y": "x"}, states={"x": "exp(x)/T"}, units={"x": "1"}, parameters={"T": "1 s"})
    one = tool(_export(tmp_path, grows))
    model = one.exchange()
    model.newDiscreteStates()
    if continuous:
        model.enterContinuousTimeMode()
    for _ in range(2):
        one.set({"x": 1e6})
        with pytest.raises(FMICallException) as refused:
            one.get("der(x)")
        assert refused.value.status == 2
        one.set({"x": 1.0})
        assert one.get("der(x)") == pytest.approx([math.e], rel=1e-15)
