"""The adaptive solver: its error follows the tolerance, dense output is of order 4, events are where they are."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from wiring import wired

from blocks import Block, Diagram, Output, PythonBlock, RunStopped, State, simulate
from blocks.basic import (
    Compare,
    Constant,
    FirstOrderLag,
    Function,
    Gain,
    Integrator,
    LimitedIntegrator,
    Pulse,
    Saturation,
    Sign,
    Sine,
    StateSpace,
    Step,
    Sum,
    Switch,
    UnitDelay,
    ZeroOrderHold,
)
from blocks.plan import make_plan
from blocks.signal import Number
from cython_kernels import engine as native

in_both = pytest.mark.usefixtures("either_engine")

ADAPTIVE = ("dopri5", "LSODA", "BDF", "Radau")


def pendulum() -> Diagram:
    """θ'' = -sin θ, released at rest from 2 rad: nonlinear, with a constant of motion."""
    return wired(
        {"rate": Integrator(), "angle": Integrator(initial_x=2.0), "sine": Function("sin"), "force": Gain(-1.0)},
        ("force.y", "rate.u"),
        ("rate.y", "angle.u"),
        ("angle.y", "sine.u"),
        ("sine.y", "force.u"),
    )


def oscillator() -> Diagram:
    """x'' = -x: y = cos t."""
    block = StateSpace([[0.0, 1.0], [-1.0, 0.0]], [[0.0], [0.0]], [[1.0, 0.0]], initial_x=[1.0, 0.0])
    return wired({"system": block, "zero": Constant(0.0)}, ("zero.y", "system.u"))


def integral_of(blocks: dict[str, Block], *wires: tuple[str, ...], end: float, **settings: Any) -> float:
    """The integral over time of the output of the block "signal"."""
    diagram = wired(blocks | {"integral": Integrator()}, *wires, ("signal.y", "integral.u"))
    result = simulate(diagram, end, record="integral.y", **{"solver": "dopri5", "step": end} | settings)
    return float(result.values("integral.y")[-1].item())


# --- accuracy --------------------------------------------------------------------------------------------------------


def test_error_is_proportional_to_the_tolerance():
    tolerances = 10.0 ** -np.arange(4, 11)
    errors = []
    for tolerance in tolerances:
        settings = {"relative_tolerance": tolerance, "absolute_tolerance": tolerance}
        result = simulate(oscillator(), 20.0, solver="dopri5", step=20.0, **settings)
        errors.append(abs(result.values("system.y")[-1].item() - np.cos(20.0)))
    assert np.polyfit(np.log10(tolerances), np.log10(errors), 1)[0] == pytest.approx(1.0, abs=0.1)
    assert np.all(np.array(errors) < 100.0 * tolerances)


def test_energy_of_a_pendulum_stays_within_the_tolerance():
    result = simulate(pendulum(), 30.0, solver="dopri5", step=0.1, relative_tolerance=1e-10, absolute_tolerance=1e-10)
    energy = 0.5 * result.values("rate.y").ravel() ** 2 - np.cos(result.values("angle.y").ravel())
    assert np.ptp(energy) < 1e-8


def test_work_grows_as_the_fifth_root_of_the_tolerance():
    """The sign of a method of order 5 whose step size control works: 10⁵ times the accuracy, 10 times the steps."""
    steps = []
    for tolerance in (1e-5, 1e-10):
        settings = {"relative_tolerance": tolerance, "absolute_tolerance": tolerance}
        steps.append(simulate(oscillator(), 100.0, solver="dopri5", step=100.0, **settings).attributes["steps"])
    assert steps[1] / steps[0] == pytest.approx(10.0, rel=0.15)


@in_both
def test_dense_output_is_of_order_four_between_steps():
    """With steps of fixed size (no tolerance is in the way) the error halfway falls with the fourth power or better."""
    sizes = np.array([0.8, 0.4, 0.2, 0.1])
    worst = []
    for size in sizes:
        loose = {"relative_tolerance": 1e6, "absolute_tolerance": 1e6, "max_step": size}
        result = simulate(oscillator(), 8.0, solver="dopri5", step=0.025, **loose)
        assert result.attributes["steps"] < 8.0 / size + 10, "all steps but the first few are of the greatest size"
        worst.append(np.max(np.abs(result.values("system.y").ravel() - np.cos(result.time))))
    assert np.polyfit(np.log(sizes), np.log(worst), 1)[0] > 3.9


@in_both
def test_the_recording_grid_does_not_change_the_run():
    coarse = simulate(pendulum(), 7.0, solver="dopri5", step=7.0)
    fine = simulate(pendulum(), 7.0, solver="dopri5", step=0.01)
    assert fine.attributes["steps"] == coarse.attributes["steps"]
    assert np.array_equal(fine.values("angle.y")[-1], coarse.values("angle.y")[-1])


@in_both
def test_max_step_is_kept():
    result = simulate(oscillator(), 10.0, solver="dopri5", step=10.0, max_step=0.01)
    assert result.attributes["steps"] >= 1000


def test_padding_of_the_states_does_not_loosen_the_tolerance():
    """A state that stays at rest counts in the norm of the error; one that no block has must not."""

    def steps(states: int) -> int:
        lag = FirstOrderLag(0.5, initial_x=np.ones(states))
        diagram = wired({"lag": lag, "zero": Constant(np.zeros(states))}, ("zero.y", "lag.u"))
        return simulate(diagram, 5.0, solver="dopri5", step=5.0, relative_tolerance=1e-9).attributes["steps"]

    assert {steps(n) for n in (1, 2, 3, 4, 5, 8)} == {steps(1)}


# --- events ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("time", [0.3137, 1.0, 2.9999999])
def test_a_step_in_time_is_located(time):
    area = integral_of({"signal": Step(time=time, before=1.0, after=-4.0)}, end=3.0)
    assert area == pytest.approx(time - 4.0 * (3.0 - time), abs=1e-12)


@in_both
def test_every_edge_of_a_pulse_is_located():
    area = integral_of({"signal": Pulse(amplitude=3.0, period=0.7, width=0.31, delay=0.123)}, end=10.0)
    edges = 0.123 + 0.7 * np.arange(20)
    on = np.clip(np.minimum(10.0, edges + 0.31 * 0.7) - edges, 0.0, None)
    assert area == pytest.approx(3.0 * on.sum(), abs=1e-11)


def test_a_state_crossing_a_level_is_located():
    """x = t³/3 passes 0.5 at t = 1.5^(1/3); the flag's integral is the time since then."""
    blocks = {
        "one": Constant(1.0),
        "time": Integrator(),
        "square": Function("square"),
        "cube": Integrator(),
        "level": Constant(0.5),
        "signal": Compare(">="),
    }
    wires = [
        ("one.y", "time.u"),
        ("time.y", "square.u"),
        ("square.y", "cube.u"),
        ("cube.y", "signal.u1"),
        ("level.y", "signal.u2"),
    ]
    for end in (2.0, 20.0):
        assert integral_of(fresh(blocks), *wires, end=end) == pytest.approx(end - 1.5 ** (1 / 3), abs=1e-12)


def fresh(blocks: dict[str, Block]) -> dict[str, Block]:
    return {name: block.copy() for name, block in blocks.items()}


@in_both
def test_all_crossings_of_a_swinging_signal_are_located():
    """The share of time that sin(3t) is above 0.5 is a third of a turn of each turn."""
    blocks = {"sine": Sine(1.0, 3.0), "level": Constant(0.5), "signal": Compare(">=")}
    wires = [("sine.y", "signal.u1"), ("level.y", "signal.u2")]
    settings = {"max_step": 0.2}  # crossings that come in pairs within one step cannot be seen
    area = integral_of(blocks, *wires, end=8.0 * np.pi / 3.0, **settings)
    assert area == pytest.approx(4.0 * (2.0 * np.pi / 3.0) / 3.0, abs=1e-11)


def test_what_follows_a_crossing_is_as_accurate_as_without_one():
    """The step up to the event does not see the equations beyond it: a wall of stiffness that only acts from x = 1 on.

    x' = 1 up to x = 1, then x' = 1 - 50 (x - 1): x = 1 + (1 - e^(-50 (t - 1)))/50.
    """
    blocks = {
        "x": Integrator(),
        "one": Constant(1.0),
        "beyond": Sum("+-"),
        "wall": Saturation(lower=0.0),
        "push": Gain(-50.0),
        "rate": Sum("++"),
    }
    wires = [
        ("one.y", "beyond.in2", "rate.in1"),
        ("x.y", "beyond.in1"),
        ("beyond.y", "wall.u"),
        ("wall.y", "push.u"),
        ("push.y", "rate.in2"),
        ("rate.y", "x.u"),
    ]
    tight = {"relative_tolerance": 1e-10, "absolute_tolerance": 1e-12}
    result = simulate(wired(blocks, *wires), 1.1, solver="dopri5", step=0.05, **tight)
    exact = np.where(result.time < 1.0, result.time, 1.0 + (1.0 - np.exp(-50.0 * (result.time - 1.0))) / 50.0)
    np.testing.assert_allclose(result.values("x.y").ravel(), exact, atol=1e-10)


@in_both
@pytest.mark.parametrize("begin", [0.0, 0.3])
@pytest.mark.parametrize("level", [1.0, 1e3, 6e6])
@pytest.mark.parametrize(("relation", "rate"), [(">=", -1.0), (">", 1.0), (">", -1.0), (">=", -1e-3)])
def test_a_crossing_nearer_than_a_rounding_error_of_the_state_is_passed(level, begin, relation, rate):
    """x from beside the level, or from the level itself, at a rate at which the least step in time does not move x."""
    start = level - begin * rate
    diagram = wired(
        {"rate": Constant(rate), "x": Integrator(initial_x=start), "level": Constant(level), "flag": Compare(relation)},
        ("rate.y", "x.u"), ("x.y", "flag.u1"), ("level.y", "flag.u2"),
    )  # fmt: skip
    result = simulate(diagram, 2.0, solver="dopri5", step=0.5, record="flag.y")
    expected = [float(rate > 0)] * 4
    assert result.values("flag.y").ravel()[1:].tolist() == expected


@in_both
def test_a_mode_change_is_an_event_of_its_own_time():
    """A relay drives x up at 1/s to a limit, where it is held: the limit is met at t = 0.7 to rounding."""
    held = LimitedIntegrator(upper=0.7)
    diagram = wired({"one": Constant(1.0), "x": held, "area": Integrator()}, ("one.y", "x.u"), ("x.y", "area.u"))
    result = simulate(diagram, 2.0, solver="dopri5", step=2.0, record="area.y")
    assert result.values("area.y")[-1].item() == pytest.approx(0.7**2 / 2 + 1.3 * 0.7, abs=1e-12)


def test_chattering_stops_with_the_reason():
    """x' = -sign(x) at x = 0: the relay would switch for ever."""
    blocks = {
        "relay": Sign(),
        "force": Gain(-1.0),
        "drift": Constant(0.3),
        "rate": Sum("++"),
        "x": Integrator(initial_x=1.0),
    }
    wires = [
        ("x.y", "relay.u"),
        ("relay.y", "force.u"),
        ("force.y", "rate.in1"),
        ("drift.y", "rate.in2"),
        ("rate.y", "x.u"),
    ]
    for solver in ("dopri5", "LSODA"):
        with pytest.raises(
            RunStopped, match=r"events follow each other without time going on at t = 1.42857 s; a fixed"
        ):
            simulate(wired(fresh(blocks), *wires), 3.0, solver=solver, step=0.1)
    assert simulate(wired(blocks, *wires), 3.0, solver="rk4", step=0.1).status == "end"


@in_both
def test_a_solution_that_blows_up_is_named():
    """x' = 1 + x² has a pole at π/2."""
    blocks = {"x": Integrator(), "square": Function("square"), "one": Constant(1.0), "rate": Sum("++")}
    wires = [("x.y", "square.u"), ("square.y", "rate.in1"), ("one.y", "rate.in2"), ("rate.y", "x.u")]
    with pytest.raises(RunStopped) as stopped:
        simulate(wired(blocks, *wires), 3.0, solver="dopri5", step=0.1)
    assert "the adaptive solver cannot go on at t = 1.5708 s: x: the derivative of x changes too fast" in str(
        stopped.value
    )
    kept = stopped.value.result
    assert kept.status == "failed"
    np.testing.assert_allclose(kept.values("x.y").ravel()[:15], np.tan(0.1 * np.arange(15)), atol=1e-4)


def test_a_value_that_ceases_to_exist_is_named():
    """√(1 - t) is not a number from t = 1 on: the block is named, not the solver."""
    blocks = {
        "time": Integrator(),
        "one": Constant(1.0),
        "left": Sum("+-"),
        "root": Function("sqrt"),
        "x": Integrator(),
    }
    wires = [
        ("one.y", "time.u", "left.in1"),
        ("time.y", "left.in2"),
        ("left.y", "root.u"),
        ("root.y", "x.u"),
    ]
    for solver in ADAPTIVE:
        with pytest.raises(RunStopped, match=r"root: output y is not a finite number at t = ") as stopped:
            simulate(wired(fresh(blocks), *wires), 3.0, solver=solver, step=0.1)
        named = re.search(r"t = ([\d.]+) s", str(stopped.value))
        assert named is not None
        assert float(named[1]) == pytest.approx(1.0, abs=1e-3)  # where the solver looked last, a small step away


class Narrow(PythonBlock, abstract=True):
    """x' = 1 - x towards x = 1, and an error beyond x = 1.05, where only a step that is too long looks."""

    x = Output(Number, feedthrough=False)
    value = State(Number, initial=-20.0)

    def outputs(self, t, states, inputs):
        return {"x": states["value"]}

    def derivatives(self, t, states, inputs):
        if states["value"] > 1.05:
            raise ValueError("beyond the edge")
        return {"value": 1.0 - states["value"]}


def test_a_fault_in_a_step_that_is_not_taken_does_not_stop_the_run():
    loose = {"relative_tolerance": 1e-3, "absolute_tolerance": 1e-3}
    asked = []

    class Watched(Narrow, abstract=True):
        def derivatives(self, t, states, inputs):
            asked.append(float(states["value"]))
            return super().derivatives(t, states, inputs)

    result = simulate(Watched(), 40.0, solver="dopri5", step=1.0, **loose)
    assert max(asked) > 1.05, "the case is only worth something if a step went too far"
    assert result.values("watched.x")[-1] == pytest.approx(1.0, abs=1e-2)


def test_a_fault_on_the_path_itself_stops_the_run():
    with pytest.raises(RunStopped, match=r"narrow stopped the run at t = .*ValueError in derivatives: beyond the edge"):
        simulate(Narrow(initial_value=1.3), 1.0, solver="dopri5", step=1.0)


def test_a_fault_beyond_an_event_that_ends_the_run_is_none():
    """A step to the next point of the grid looks beyond the event; what is wrong there will not come about."""
    asked = []

    class Short(PythonBlock, abstract=True):
        y = Output(Number)

        def outputs(self, t, states, inputs):
            asked.append(t)
            if t > 1.3:
                raise ValueError("beyond the edge")
            return {"y": 0.0}

    blocks = {"short": Short(), "sine": Sine(1.0, 1.0), "level": Constant(np.sin(1.2)), "above": Compare(">=")}
    diagram = wired(blocks, ("sine.y", "above.u1"), ("level.y", "above.u2"))
    result = simulate(diagram, 3.0, solver="dopri5", step=0.5, stop="above.y")
    assert max(asked) == 1.5, "the case is only worth something if a step went too far"
    assert (result.status, result.time[-1]) == ("stopped", pytest.approx(1.2))


def test_finding_out_why_a_step_is_too_small_moves_no_state():
    plan = make_plan(oscillator(), step=0.1, solver="dopri5")
    engine = plan.engine()
    engine.start(0.0)
    engine.advance(0.5)
    (state,) = plan.states.values()
    before = engine.values[state.slice].copy()
    assert native.STATUSES[engine.diagnose_step(engine.time, 1e-3)] == "step too small"
    assert np.array_equal(engine.values[state.slice], before)


# --- the stiff solvers agree -----------------------------------------------------------------------------------------


def sampled_loop() -> Diagram:
    """A loop with a sampled controller, a saturation, a switch and a state that reaches its limit."""
    blocks = {
        "reference": Step(time=0.33, before=0.0, after=1.0),
        "error": Sum("+-"),
        "hold": ZeroOrderHold(period=0.07),
        "before": UnitDelay(period=0.07),
        "gain": Gain(6.0),
        "limit": Saturation(-1.5, 1.5),
        "plant": FirstOrderLag(0.4),
        "position": Integrator(),
        "low": Constant(0.0),
        "gate": Switch(0.5),
        "stock": LimitedIntegrator(upper=0.6),
    }
    wires = [
        ("reference.y", "error.in1"),
        ("position.y", "error.in2", "gate.control"),
        ("error.y", "hold.u"),
        ("hold.y", "before.u", "gain.u"),
        ("gain.y", "limit.u"),
        ("limit.y", "plant.u"),
        ("plant.y", "position.u", "gate.u1"),
        ("low.y", "gate.u2"),
        ("gate.y", "stock.u"),
    ]
    return wired(blocks, *wires)


@pytest.fixture(scope="module")
def reference() -> Any:
    tight = {"relative_tolerance": 1e-12, "absolute_tolerance": 1e-13}
    return simulate(sampled_loop(), 4.0, solver="dopri5", step=0.1, **tight)


@pytest.mark.parametrize(("solver", "agreement"), [("LSODA", 1e-7), ("BDF", 1e-6), ("Radau", 1e-7)])
def test_stiff_solvers_agree_with_samples_and_modes(solver, agreement, reference):
    tight = {"relative_tolerance": 1e-9, "absolute_tolerance": 1e-11}
    result = simulate(sampled_loop(), 4.0, solver=solver, step=0.1, **tight)
    np.testing.assert_array_equal(result.time, reference.time)
    for name in ("position.y", "plant.y", "stock.y", "before.y"):
        np.testing.assert_allclose(result.values(name), reference.values(name), atol=agreement)


@pytest.mark.parametrize("solver", ["LSODA", "BDF", "Radau"])
def test_stiff_solvers_take_few_steps_where_dopri5_takes_many(solver):
    """A lag of 1 ms that follows a slow sine: stability, not accuracy, limits an explicit method."""
    blocks = {"sine": Sine(1.0, 1.0), "lag": FirstOrderLag(0.001)}
    few = simulate(wired(fresh(blocks), ("sine.y", "lag.u")), 5.0, solver=solver, step=1.0)
    many = simulate(wired(blocks, ("sine.y", "lag.u")), 5.0, solver="dopri5", step=1.0)
    assert few.attributes["steps"] < many.attributes["steps"] / 3
    np.testing.assert_allclose(few.values("lag.y"), many.values("lag.y"), atol=1e-4)


@pytest.mark.parametrize("solver", ["dopri5", "LSODA"])
def test_without_states_events_are_sought_from_point_to_point_of_the_grid(solver):
    """No error limits the steps there, and one step to the end would not see what comes and goes."""
    blocks = {"sine": Sine(1.0, 3.0), "level": Constant(0.5), "above": Compare(">=")}
    result = simulate(wired(blocks, ("sine.y", "above.u1"), ("level.y", "above.u2")), 10.0, solver=solver, step=0.1)
    np.testing.assert_array_equal(result.values("above.y"), np.sin(3.0 * result.time) >= 0.5)


def test_without_states_there_is_nothing_to_integrate():
    """Sources alone run with every solver, and record what they give at each point."""
    for solver in ADAPTIVE:
        result = simulate(wired({"sine": Sine(2.0, 3.0)}), 2.0, solver=solver, step=0.25)
        np.testing.assert_allclose(result.values("sine.y").ravel(), 2.0 * np.sin(3.0 * 0.25 * np.arange(9)), rtol=1e-14)
