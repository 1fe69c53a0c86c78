"""Event mode of FMI 3 in co-simulation: early return at samples and where modes change, clocks, inputs at events."""

from __future__ import annotations

import fmpy
import numpy as np
import pytest
from fmpy.fmi1 import FMICallException

from blocks import Diagram
from blocks.basic import Compare, Constant, Gain, Integrator, RateLimiter, Sine, UnitDelay


def handle_event(one):
    """Update discrete states and go on: when the next event is due, or None."""
    needed, terminate, nominals, values, defined, time = one.slave.updateDiscreteStates()
    assert (needed, terminate, nominals, values) == (False, False, False, False)
    one.slave.enterStepMode()
    return time if defined else None


def run_with_events(one, end, size, *names):
    """Step as a tool that handles events does; the events, and values at communication points."""
    events: list[tuple[float, list[str]]] = []
    rows, t, k = [], 0.0, 0
    handle_event(one)
    while k * size < end - 1e-9:
        event, _, early, t = one.step(t, (k + 1) * size - t)
        if not early:
            k += 1
        if event:
            one.slave.enterEventMode()
            active = one.slave.getClock(one.references(*one.clocks()))
            ticking = [name for name, ticks in zip(one.clocks(), active, strict=True) if ticks]
            handle_event(one)
            events.append((t, ticking))
        if not early:
            rows.append(one.get(*names))
    return events, rows


def test_a_run_with_events_gives_the_numbers_of_simulate(exported, tool, reference):
    one = tool(exported("mixed")).begin(events=True, early=True)
    events, rows = run_with_events(one, 10.0, 0.1, *one.outputs())
    np.testing.assert_array_equal(rows, reference("mixed", 10.0)[5::5])
    assert len(events) > 200


@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("name", ["guided_vessel", "mixed"])
def test_fmpy_handles_the_events(exported, reference, name, early):
    result = fmpy.simulate_fmu(
        str(exported(name)), stop_time=2.0, output_interval=0.1, use_event_mode=True, early_return_allowed=early
    )
    after = {round(row[0] / 0.1, 6): row for row in result.tolist()}  # events are recorded before and after
    rows = [np.hstack(after[k][1:]) for k in range(21)]
    np.testing.assert_array_equal(rows, reference(name, 2.0)[::5])


def test_steps_end_at_the_samples_of_every_rate(exported, tool):
    one = tool(exported("mixed")).begin(events=True, early=True)
    slow, fast = sorted(one.clocks(), key=lambda name: name == "delayed.clock")
    events, _ = run_with_events(one, 0.7, 0.7, "count")
    times = np.array([t for t, ticking in events if ticking])
    expected = sorted({round(0.06 * k, 9) for k in range(1, 12)} | {round(0.1 * k, 9) for k in range(1, 8)})
    np.testing.assert_allclose(times, expected, atol=1e-9)
    for t, ticking in events:
        if ticking:
            assert (fast in ticking) == (abs(t / 0.06 - round(t / 0.06)) < 1e-6)
            assert (slow in ticking) == (abs(t / 0.1 - round(t / 0.1)) < 1e-6)


def test_the_next_event_is_told(exported, tool):
    one = tool(exported("mixed")).begin(events=True, early=True)
    assert handle_event(one) == pytest.approx(0.06)
    assert one.step(0.0, 1.0) == (True, False, True, pytest.approx(0.06))
    one.slave.enterEventMode()
    assert handle_event(one) == pytest.approx(0.1)


def test_clocks_tick_until_discrete_states_are_updated(exported, tool):
    one = tool(exported("mixed")).begin(events=True)
    clocks = one.references(*one.clocks())
    assert len(clocks) == 2
    assert one.slave.getClock(clocks) == [True, True]  # every rate has its first hit at the start
    assert one.slave.getClock(clocks) == [True, True]
    one.slave.updateDiscreteStates()
    assert one.slave.getClock(clocks) == [False, False]
    one.slave.enterStepMode()
    one.slave.enterEventMode()  # an event of the importing tool: nothing is due
    assert one.slave.getClock(clocks) == [False, False]
    one.slave.updateDiscreteStates()
    one.slave.reset()
    assert one.initialize().slave.getClock(clocks) == [True, True]


def test_clocks_have_no_interval_and_cannot_be_set(exported, tool):
    one = tool(exported("mixed")).begin(events=True)
    slave, (clock, _) = one.slave, one.references(*one.clocks())
    name = one.clocks()[0]
    array = slave._functions["fmi3GetIntervalDecimal"].argtypes[1]._type_ * 1
    for call in (
        lambda: slave.setClock([clock], [True]),
        lambda: slave.fmi3GetIntervalDecimal(slave.component, array(clock), 1, None, None),
        lambda: slave.fmi3SetIntervalDecimal(slave.component, array(clock), 1, None),
        lambda: slave.fmi3GetShiftDecimal(slave.component, array(clock), 1, None),
        lambda: slave.fmi3SetShiftFraction(slave.component, array(clock), 1, None, None),
    ):
        with pytest.raises(FMICallException) as refused:
            call()
        assert refused.value.status == 3
        assert f"{name} is a triggered output clock" in one.messages[-1]
    with pytest.raises(FMICallException):
        slave.getClock(one.references("position"))
    assert "position is not of type Clock but of type Float64" in one.messages[-1]


def test_without_early_return_inner_events_are_handled_within(exported, tool, reference):
    one = tool(exported("mixed")).begin(events=True)
    handle_event(one)
    assert one.step(0.0, 0.08) == (False, False, False, pytest.approx(0.08))
    assert one.step(0.08, 0.02) == (True, False, False, pytest.approx(0.1))
    np.testing.assert_array_equal(one.get(*one.outputs()), reference("mixed", 0.1)[-1])
    one.slave.enterEventMode()
    handle_event(one)
    one.step(0.1, 0.9)
    np.testing.assert_array_equal(one.get(*one.outputs()), reference("mixed", 1.0)[-1])


@pytest.fixture
def sampled(export, tmp_path):
    """A sampled input: y(k+1) = u(k), every 0.1 s."""
    diagram = Diagram("sampled")
    diagram.add("held", UnitDelay(period=0.1))
    diagram.inputs(u="held.u")
    diagram.outputs(y="held.y")
    return export(diagram, tmp_path / "sampled.fmu")


def test_inputs_of_an_event_are_sampled_at_it(sampled, tool):
    one = tool(sampled).begin(events=True, early=True)
    one.set({"u": 1.0})
    handle_event(one)
    seen = []
    for k in range(4):
        one.set({"u": 100.0})  # in step mode: held away before the next sample
        assert one.step(k * 0.1, 1.0) == (True, False, True, pytest.approx((k + 1) * 0.1))
        one.slave.enterEventMode()
        one.set({"u": 2.0 + k})
        handle_event(one)
        seen += one.get("y")
    assert seen == [1.0, 2.0, 3.0, 4.0]


@pytest.fixture
def threshold(export, tmp_path):
    """A sine that passes half its amplitude: the output of a comparison jumps, a limited rate does not."""
    diagram = Diagram("threshold")
    for name, block in {
        "wave": Sine([1.0], [2 * np.pi]),
        "half": Constant(0.5),
        "above": Compare(),
        "slow": RateLimiter(rising=2.0, falling=2.0),
        "twice": Gain(2.0),
        "sum": Integrator(),
    }.items():
        diagram.add(name, block)
    diagram.connect("wave.y", "above.u1", "slow.u", "twice.u")
    diagram.connect("half.y", "above.u2")
    diagram.connect("slow.y", "sum.u")
    diagram.outputs(above="above.y", slow="slow.y", twice="twice.y", sum="sum.y")
    return export(diagram, tmp_path / "threshold.fmu")


def test_a_mode_that_changes_is_an_event_and_a_memory_is_none(threshold, tool):
    one = tool(threshold).begin(events=True, early=True)
    events, _ = run_with_events(one, 2.0, 0.5, "slow")
    times = [t for t, _ in events]
    crossings = np.array([1 / 12, 5 / 12, 13 / 12, 17 / 12])
    assert len(times) == 4
    np.testing.assert_allclose(times, crossings, atol=0.02)
    assert all(t >= c - 1e-9 for t, c in zip(times, crossings, strict=True))


def test_events_and_intermediate_updates_go_together(exported, tool, reference):
    times = []

    def note(environment, t, *_):
        times.append(t)

    one = tool(exported("mixed")).begin(events=True, early=True, update=note)
    _, rows = run_with_events(one, 1.0, 0.1, *one.outputs())
    np.testing.assert_array_equal(rows, reference("mixed", 1.0)[5::5])
    np.testing.assert_allclose(times, 0.02 * np.arange(1, 51))
