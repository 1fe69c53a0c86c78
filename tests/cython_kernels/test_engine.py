"""The engine: samples, inputs that change, pauses, and a state that continues bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from wiring import external, read, set_input, wired

from blocks import Block, simulate
from blocks.basic import (
    Clock,
    Constant,
    Delay,
    DiscreteIntegrator,
    Gain,
    Integrator,
    RateLimiter,
    Sine,
    Step,
    Sum,
    UnitDelay,
    ZeroOrderHold,
)
from blocks.plan import make_plan
from cython_kernels import engine as native

in_both = pytest.mark.usefixtures("either_engine")

END, PAUSED, STOPPED = (
    next(s for s, text in native.STATUSES.items() if text == t) for t in ("end", "paused", "stopped")
)
NATIVE = ("euler", "heun", "rk4", "dopri5")


def sampled(block: Block, end: float, **settings: Any) -> tuple[np.ndarray, np.ndarray]:
    """The output of a sampled block that is fed with the time."""
    result = simulate(wired({"clock": Clock(), "block": block}, ("clock.y", "block.u")), end, **settings)
    return result.time, result.values("block.y").ravel()


# --- samples ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", [*NATIVE, "LSODA"])
def test_samples_are_taken_at_their_hits_and_held(solver):
    time, held = sampled(ZeroOrderHold(period=0.25), 2.0, solver=solver, step=0.05)
    np.testing.assert_allclose(held, 0.25 * np.floor(np.round(time / 0.05) / 5.0), atol=1e-14)


@in_both
def test_the_first_hit_is_at_the_start_by_default():
    _, held = sampled(ZeroOrderHold(period=0.5), 3.2, step=0.1, start=2.2)
    np.testing.assert_allclose(held[:6], [2.2] * 5 + [2.7])


@in_both
def test_an_offset_delays_the_first_hit():
    time, held = sampled(ZeroOrderHold(period=0.5, offset=0.2), 1.0, step=0.1)
    np.testing.assert_allclose(held, np.where(time < 0.19, 0.0, np.where(time < 0.69, 0.2, 0.7)))


@pytest.mark.parametrize("solver", ["rk4", "dopri5", "BDF"])
def test_hits_between_steps_are_exact(solver):
    """Periods of 0.03 and π/100 s with steps of 0.05 s: what is sampled is the time of the hit itself."""
    for period in (0.03, np.pi / 100):
        time, held = sampled(ZeroOrderHold(period=period), 1.0, solver=solver, step=0.05)
        expected = np.floor(time / period * (1.0 + 1e-12)) * period
        np.testing.assert_allclose(held, expected, atol=1e-15)


@in_both
def test_steps_end_at_hits_and_grid_points():
    """0.05 and 0.03 s share every fifth hit with every third step: 20 + 34 - 7 instants from 0 on, 0 and 1 included."""
    diagram = wired({"clock": Clock(), "hold": ZeroOrderHold(period=0.03)}, ("clock.y", "hold.u"))
    instants = {round(0.05 * k, 9) for k in range(21)} | {round(0.03 * k, 9) for k in range(34)}
    assert simulate(diagram, 1.0, step=0.05).attributes["steps"] == len(instants) - 1


@in_both
def test_instants_that_differ_by_rounding_are_one_however_long_the_run():
    """After hours k 19.2 and 3k 6.4 differ by more than any fixed part of a short step; that must not become a step."""
    assert 3 * 6.4 != 19.2
    blocks = {"clock": Clock(), "a": ZeroOrderHold(period=19.2), "b": ZeroOrderHold(period=6.4), "x": Integrator()}
    plan = make_plan(wired(blocks, ("clock.y", "a.u", "b.u", "x.u")), solver="dopri5", step=0.001)
    engine = plan.engine()
    engine.start(0.0)
    assert engine.advance(36864.0) == END
    assert 5760 <= engine.steps <= 5790
    assert read(engine, plan, "x.y") == pytest.approx(36864.0**2 / 2, rel=1e-12)


@in_both
def test_direct_feedthrough_at_hits():
    """A sampled gain chain: what is sampled passes through the blocks behind it at the same instant."""
    blocks = {
        "clock": Clock(),
        "hold": ZeroOrderHold(period=0.2),
        "gain": Gain(3.0),
        "again": ZeroOrderHold(period=0.4),
    }
    result = simulate(wired(blocks, ("clock.y", "hold.u"), ("hold.y", "gain.u"), ("gain.y", "again.u")), 1.0, step=0.1)
    np.testing.assert_allclose(result.values("again.y")[[0, 3, 4, 5, 8]], [0.0, 0.0, 1.2, 1.2, 2.4], atol=1e-15)


@in_both
def test_a_unit_delay_is_one_sample_late():
    time, delayed = sampled(UnitDelay(period=0.1, initial_x=-7.0), 1.0, step=0.05)
    sample = np.floor(np.round(time / 0.05) / 2.0)
    np.testing.assert_allclose(delayed, np.where(sample == 0, -7.0, 0.1 * (sample - 1)), atol=1e-15)


@in_both
def test_a_chain_of_unit_delays_is_a_delay():
    blocks = {"clock": Clock(), "a": UnitDelay(period=0.1), "b": UnitDelay(period=0.1), "c": UnitDelay(period=0.1)}
    wires = [("clock.y", "a.u", "long.u"), ("a.y", "b.u"), ("b.y", "c.u")]
    result = simulate(wired(blocks | {"long": Delay(3, period=0.1)}, *wires), 2.0, step=0.05)
    assert np.array_equal(result.values("c.y"), result.values("long.y"))
    assert result.values("c.y").max() > 1.0


@in_both
def test_two_rates_that_exchange_samples():
    """The slow block sums what the fast one has counted: at its hits it sees the count of that very instant."""
    blocks = {
        "one": Constant(1.0),
        "fast": DiscreteIntegrator("forward", period=0.1),
        "slow": ZeroOrderHold(period=0.3),
    }
    result = simulate(wired(blocks, ("one.y", "fast.u"), ("fast.y", "slow.u")), 1.0, step=0.1)
    np.testing.assert_allclose(result.values("fast.y").ravel(), 0.1 * np.arange(11), atol=1e-15)
    np.testing.assert_allclose(result.values("slow.y").ravel(), 0.3 * (np.arange(11) // 3), atol=1e-15)


@in_both
def test_samples_see_the_state_before_they_act_on_it():
    """A deadbeat loop: u = -x/T from samples of x brings x to zero at the first hit, and it stays."""
    blocks = {"x": Integrator(initial_x=2.0), "hold": ZeroOrderHold(period=0.5), "gain": Gain(-2.0)}
    wires = [("x.y", "hold.u"), ("hold.y", "gain.u"), ("gain.y", "x.u")]
    for solver in NATIVE:
        result = simulate(wired(blocks, *wires), 2.0, solver=solver, step=0.1)
        expected = np.where(result.time < 0.5, 2.0 - 4.0 * result.time, 0.0)
        np.testing.assert_allclose(result.values("x.y").ravel(), expected, atol=1e-13)
        blocks = {name: block.copy() for name, block in blocks.items()}


# --- inputs and parameters that change -------------------------------------------------------------------------------


@in_both
def test_samples_due_see_inputs_that_change_before_the_next_call():
    """What is due at the end of a call is evaluated there, but takes effect only when time goes on."""
    plan, engine = external()
    set_input(engine, plan, 1.0)
    engine.start(0.0)
    assert (read(engine, plan, "through.y"), read(engine, plan, "gain.y")) == (1.0, 2.0)
    engine.advance(0.1)
    assert read(engine, plan, "hold.y") == 1.0
    set_input(engine, plan, 5.0)
    assert engine.refresh() == END
    assert (read(engine, plan, "through.y"), read(engine, plan, "gain.y"), read(engine, plan, "hold.y")) == (
        5.0,
        10.0,
        1.0,
    )
    set_input(engine, plan, 7.0)
    engine.advance(0.15)
    assert read(engine, plan, "through.y") == 7.0, "the sample at 0.1 s is of the last input set there"
    set_input(engine, plan, 100.0)
    engine.advance(0.199)
    assert read(engine, plan, "through.y") == 7.0, "between hits nothing is sampled"
    assert read(engine, plan, "gain.y") == 200.0
    engine.advance(0.2)
    assert read(engine, plan, "hold.y") == 7.0, "what was sampled at 0.1 s comes out at 0.2 s"
    assert read(engine, plan, "through.y") == 100.0


@in_both
def test_parameters_can_change_between_calls():
    plan, engine = external()
    set_input(engine, plan, 1.0)
    engine.start(0.0)
    engine.values[plan.parameters["gain.gain"].slice] = -3.0
    engine.parameters_changed()
    engine.advance(0.05)
    assert read(engine, plan, "gain.y") == -3.0


@in_both
def test_derived_constants_follow_their_parameters(make_sample):
    """A vessel with twice the inertia has half the acceleration, although its inverse was made at the start."""
    vessel = make_sample("dynamics.Vessel6DOF")
    vessel.set(initial_nu=np.zeros(6), weight=0.0, buoyancy=0.0, coriolis=False)
    plan = make_plan(vessel, step=0.1)
    engine = plan.engine()
    engine.values[plan.inputs["force"].slice] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    engine.inputs_changed()
    engine.start(0.0)
    name = plan.flat.leaves[0].name
    before = read(engine, plan, f"{name}.acceleration")
    for parameter in ("rigid_body_inertia", "added_mass"):
        engine.values[plan.parameters[f"{name}.{parameter}"].slice] *= 2.0
    engine.parameters_changed()
    engine.refresh()
    np.testing.assert_allclose(read(engine, plan, f"{name}.acceleration"), before / 2.0, rtol=1e-14)
    assert before[0] == pytest.approx(1.0 / 25.0)


@in_both
def test_constants_behind_constants_follow_their_parameters():
    """What depends on parameters alone is not evaluated at every step, but it is when they change."""
    diagram = wired(
        {"c": Constant(2.0), "gain": Gain(3.0), "sum": Sum("++"), "x": Integrator()},
        ("c.y", "gain.u", "sum.in1"),
        ("gain.y", "sum.in2"),
        ("sum.y", "x.u"),
    )
    plan = make_plan(diagram, step=0.5, solver="euler")
    engine = plan.engine()
    engine.start(0.0)
    engine.advance(1.0)
    assert read(engine, plan, "x.y") == pytest.approx(8.0)
    engine.values[plan.parameters["c.value"].slice] = -2.0
    engine.parameters_changed()
    engine.advance(2.0)
    assert read(engine, plan, "x.y") == pytest.approx(0.0)


# --- limits of a call ------------------------------------------------------------------------------------------------


@in_both
def test_a_call_ends_at_its_step_limit_or_its_end():
    plan = make_plan(wired({"sine": Sine(), "x": Integrator()}, ("sine.y", "x.u")), step=0.1)
    engine = plan.engine()
    engine.start(0.0)
    assert (engine.advance(1.0, 4), engine.steps, engine.time) == (PAUSED, 4, pytest.approx(0.4))
    assert (engine.advance(1.0), engine.steps, engine.time) == (END, 10, 1.0)
    assert (engine.advance(1.0), engine.steps) == (END, 10)
    assert (engine.advance(0.5), engine.time) == (END, 1.0), "time does not go back"


@in_both
def test_the_stop_signal_ends_a_run():
    plan = make_plan(wired({"clock": Clock(), "gain": Gain(0.5)}, ("clock.y", "gain.u")), step=0.1, stop="gain.y")
    engine = plan.engine()
    engine.start(0.0)
    assert engine.advance(5.0) == STOPPED
    assert engine.time == pytest.approx(1.1)
    assert engine.stopped


def test_records_must_fit_together(mixed_plan):
    engine = mixed_plan("rk4").engine()
    places = np.zeros(3, dtype=np.intc)
    with pytest.raises(ValueError, match=r"do not fit together"):
        engine.record(places, 1, np.zeros(5), np.zeros((4, 3)))
    with pytest.raises(ValueError, match=r"do not fit together"):
        engine.record(places, 0, np.zeros(5), np.zeros((5, 3)))
    with pytest.raises(ValueError, match=r"places"):
        engine.record(np.array([0, 1, 10**6], dtype=np.intc), 1, np.zeros(5), np.zeros((5, 3)))


@in_both
def test_a_full_record_does_not_stop_the_run():
    plan = make_plan(wired({"clock": Clock()}), step=0.1)
    engine = plan.engine()
    times, table = np.zeros(3), np.zeros((3, 1))
    engine.record(np.array([plan.outputs["clock.y"].first], dtype=np.intc), 1, times, table)
    engine.start(0.0)
    assert engine.advance(1.0) == END
    assert engine.rows == 3
    np.testing.assert_allclose(table[:, 0], [0.0, 0.1, 0.2])


@pytest.mark.parametrize("solver", [*NATIVE, "LSODA", "BDF"])
def test_what_was_held_counts_up_to_the_hit(solver):
    """A limiter of slope 1 behind a sample that jumps at 0.25 s begins to move there, whatever step leads up to it."""
    blocks = {"step": Step(time=0.2), "hold": ZeroOrderHold(period=0.25), "limiter": RateLimiter(1.0, 1.0)}
    for step in (0.05, 0.125, 0.2):
        copies = {name: block.copy() for name, block in blocks.items()}
        diagram = wired(copies, ("step.y", "hold.u"), ("hold.y", "limiter.u"))
        result = simulate(diagram, 1.0, solver=solver, step=step)
        np.testing.assert_allclose(result.values("limiter.y"), np.maximum(0.0, result.time - 0.25), atol=1e-12)


@in_both
def test_a_rate_limiter_has_its_slope_at_any_step():
    """A block with a mode that is carried from one major step to the next."""
    blocks = {"level": Constant(3.0), "limiter": RateLimiter(0.5, 0.5)}
    for settings in ({"step": 0.1}, {"step": 0.37}, {"step": 0.25, "solver": "dopri5"}):
        result = simulate(wired(blocks, ("level.y", "limiter.u")), 8.0, **settings)
        np.testing.assert_allclose(result.values("limiter.y").ravel(), np.minimum(3.0, 0.5 * result.time), atol=1e-12)
        blocks = {name: block.copy() for name, block in blocks.items()}
