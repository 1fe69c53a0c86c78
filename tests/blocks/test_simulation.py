"""Runs: inputs, stop signals, progress, interruption, and that no result is lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from blocks import Diagram, Input, Output, PythonBlock, RunInterrupted, RunStopped, Swarm, simulate
from blocks.basic import Clock, Compare, Constant, FirstOrderLag, Function, Gain, Integrator, Sine, Sum
from blocks.errors import KeelblocksError, SimulationError, WiringError
from blocks.signal import Number, Time, Wrench

ALL = ("euler", "heun", "rk4", "dopri5", "LSODA", "BDF", "Radau")


def falling() -> Diagram:
    """x' = u with an input of the diagram, and a gain of it."""
    diagram = Diagram("falling")
    diagram.add("x", Integrator(initial_x=[0.0]))
    diagram.add("gain", Gain(2.0))
    diagram.inputs(u=["x.u", "gain.u"])
    diagram.outputs(distance="x.y")
    return diagram


# --- inputs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ALL)
def test_a_constant_input(solver):
    result = simulate(falling(), 2.0, solver=solver, step=0.5, inputs={"u": 3.0})
    np.testing.assert_allclose(result.values("x.y"), 3.0 * result.time, atol=1e-9)
    np.testing.assert_array_equal(result.values("u"), 3.0)
    assert result.status == "end"


@pytest.mark.parametrize("solver", ["rk4", "dopri5", "LSODA"])
def test_an_input_that_varies_is_interpolated(solver):
    series = ([0.0, 1.0, 3.0], [0.0, 2.0, -2.0])
    result = simulate(falling(), 4.0, solver=solver, step=0.125, inputs={"u": series}, record=["gain.y", "x.y"])
    expected = np.interp(result.time, *series)
    np.testing.assert_allclose(result.values("gain.y"), 2.0 * expected, atol=1e-12)
    assert result.values("x.y")[-1] == pytest.approx(1.0 + 0.0 - 2.0, abs=1e-5)


def test_a_block_alone_runs_with_inputs_of_every_kind():
    block = FirstOrderLag(0.5)
    constant = simulate(block, 1.0, inputs={"u": 1.0})
    assert constant.values("first_order_lag.y")[-1] == pytest.approx(1.0 - np.exp(-2.0), rel=1e-8)
    varying = simulate(block, 1.0, inputs={"u": ([0.0, 0.5], [1.0, 1.0])})
    name = next(n for n in varying if n.endswith(".y") and "series" not in n)
    np.testing.assert_allclose(varying.values(name), constant.values("first_order_lag.y"), rtol=1e-12)


def test_a_vector_decides_the_size_where_nothing_else_does():
    result = simulate(Gain(3.0), 0.1, step=0.1, inputs={"u": [1.0, 2.0]})
    np.testing.assert_array_equal(result.values("gain.y"), [[3.0, 6.0], [3.0, 6.0]])


def test_a_vector_input(make_sample):
    vessel = make_sample("dynamics.DiagonalVessel3DOF")
    force = [20.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    result = simulate(vessel, 1.0, inputs={"force": force})
    name = next(n for n in result if n.endswith(".nu"))
    assert result.values(name)[-1][0] == pytest.approx(1.0, rel=1e-6)


def test_the_diagram_itself_is_not_changed_by_a_run():
    diagram = falling()
    before = (dict(diagram.components), dict(diagram.wires), diagram.boundary_inputs)
    simulate(diagram, 1.0, inputs={"u": ([0.0, 1.0], [0.0, 1.0])})
    assert (dict(diagram.components), dict(diagram.wires), diagram.boundary_inputs) == before


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({}, "the input 'u' needs a value: simulate(…, inputs={'u': …})"),
        ({"u": 1.0, "uu": 2.0}, "no input 'uu'; did you mean 'u'"),
        ({"u": [1.0, 2.0, 3.0]}, "cannot connect input 'u' to x.u: shapes 3 and 1 differ"),
        ({"u": "fast"}, "input 'u' must be a number or an array of numbers, not 'fast'"),
        ({"u": float("nan")}, "input 'u' must be finite, not nan"),
        ({"u": ([0.0, 1.0], [1.0, float("inf")])}, "input 'u' must be finite, not [1.0, inf]"),
        ({"u": None}, "input 'u' must be a number or an array of numbers, not None"),
    ],
)
def test_inputs_that_do_not_fit(inputs, said):
    with pytest.raises(KeelblocksError) as problem:
        simulate(falling(), 1.0, inputs=inputs)
    assert said in str(problem.value)


def test_an_input_of_another_size(make_sample):
    with pytest.raises(SimulationError, match=r"input 'force' takes an array of 6, not an array of 5"):
        simulate(make_sample("dynamics.Vessel6DOF"), 1.0, inputs={"force": np.zeros(5)})


def test_an_input_with_a_default_may_be_left_out(make_sample):
    vessel = make_sample("dynamics.Vessel6DOF")
    result = simulate(vessel, 0.1, inputs={"force": np.zeros(6)})
    assert len(result) == 11


# --- the end ---------------------------------------------------------------------------------------------------------


def test_a_run_must_have_an_end():
    with pytest.raises(SimulationError, match=r"say when the run ends, a finite time: simulate\(diagram, end=…\)"):
        simulate(falling(), inputs={"u": 1.0})


def test_what_is_no_component_is_told() -> None:
    swarm: Any = Swarm(falling(), 2, inputs={"u": 1.0})
    with pytest.raises(SimulationError, match=r"expected a Diagram or a Block, got Swarm; it runs by .* run\(\)$"):
        simulate(swarm, 1.0)
    nothing: Any = None
    with pytest.raises(SimulationError, match=r"expected a Diagram or a Block, got NoneType$"):
        simulate(nothing, 1.0)


def test_times_may_have_units():
    result = simulate(falling(), "0.1 min", step="500 ms", start="-1 s", inputs={"u": 1.0})
    assert (result.time[0], result.time[-1], len(result)) == (-1.0, 6.0, 15)


@pytest.mark.parametrize("solver", ALL)
def test_the_stop_signal_ends_the_run(solver):
    """A fall of 2 m takes two seconds; the run ends at the first step after that."""
    diagram = falling()
    diagram.add("limit", Constant(2.0))
    diagram.add("down", Compare(">="))
    diagram.connect("x.y", "down.u1")
    diagram.connect("limit.y", "down.u2")
    result = simulate(diagram, 10.0, solver=solver, step=0.3, inputs={"u": 1.0}, stop="down.y")
    assert result.status == "stopped"
    assert 2.0 - 1e-9 <= result.time[-1] <= 2.1 + 1e-9
    assert result.values("x.y")[-1] == pytest.approx(result.time[-1], abs=1e-6)
    assert result.values("down.y")[-1] == 1.0
    if solver == "dopri5":
        assert result.time[-1] == pytest.approx(2.0, abs=1e-9), "an adaptive solver stops at the event itself"


def test_what_a_result_says_of_its_making():
    fixed = simulate(falling(), 1.0, step=0.25, inputs={"u": 1.0}).attributes
    assert (fixed["solver"], fixed["step"], fixed["steps"], fixed["end"], fixed["status"]) == (
        "rk4",
        0.25,
        4,
        1.0,
        "end",
    )
    assert "relative_tolerance" not in fixed, "tolerances were not in force"
    adaptive = simulate(
        falling(), 1.0, step=0.25, solver="dopri5", relative_tolerance=1e-5, inputs={"u": 1.0}
    ).attributes
    assert (adaptive["relative_tolerance"], adaptive["absolute_tolerance"]) == (1e-5, 1e-8)
    assert adaptive["plan"] == falling().plan(solver="dopri5", step=0.25, relative_tolerance=1e-5).checksum
    assert fixed["wall_seconds"] > 0.0


# --- progress and interruption ---------------------------------------------------------------------------------------


def interrupt_after(times: int) -> Callable[[float, float], None]:
    calls = []

    def progress(t: float, end: float) -> None:
        calls.append(t)
        if len(calls) == times:
            raise KeyboardInterrupt

    return progress


def test_progress_is_told_up_to_the_end():
    told: list[tuple[float, float]] = []
    simulate(falling(), 50.0, step=0.001, inputs={"u": 1.0}, progress=lambda t, end: told.append((t, end)))
    times = [t for t, _ in told]
    assert times == sorted(times)
    assert told[-1] == (50.0, 50.0)


def test_a_progress_bar_is_drawn_and_taken_away(capsys):
    simulate(falling(), 1.0, inputs={"u": 1.0}, progress=True)
    assert "simulating" in capsys.readouterr().err


@pytest.mark.parametrize("solver", ["rk4", "dopri5", "LSODA"])
def test_ctrl_c_keeps_what_was_recorded(solver):
    pressed = interrupt_after(20 if solver == "LSODA" else 2)
    with pytest.raises(RunInterrupted, match=r"interrupted at t = \d.* s of 1e\+06 s") as stopped:
        simulate(falling(), 1e6, solver=solver, step=1.0, inputs={"u": 1.0}, progress=pressed, max_step=1.0)
    result = stopped.value.result
    assert result.status == "interrupted"
    assert 1 < len(result) < 1e6
    np.testing.assert_allclose(result.values("x.y"), result.time, rtol=1e-9)
    assert result.attributes["message"] == str(stopped.value)


class Pressed(PythonBlock, abstract=True):
    """Somebody presses Ctrl-C while this block is at work at t = 0.5 s."""

    u = Input(Time)
    y = Output(Number)

    pressed = False

    def outputs(self, t, states, inputs):
        if t >= 0.5 and not Pressed.pressed:
            Pressed.pressed = True
            os.kill(os.getpid(), signal.SIGINT)
        return {"y": 2.0 * inputs["u"]}


@pytest.fixture
def heard() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt, also where the tests run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize("solver", ["rk4", "dopri5", "BDF"])
def test_ctrl_c_within_a_python_block_is_heard_and_the_state_is_whole(solver, tmp_path):
    """The record goes on from the checkpoint as if nothing had been."""

    def diagram() -> Diagram:
        made = Diagram()
        for name, block in {"clock": Clock(), "pressed": Pressed(), "x": Integrator()}.items():
            made.add(name, block)
        made.connect("clock.y", "pressed.u")
        made.connect("pressed.y", "x.u")
        return made

    Pressed.pressed = False
    saved = tmp_path / "state.ckpt"
    settings = {"solver": solver, "step": 0.01, "max_step": 0.01}
    with pytest.raises(RunInterrupted) as stopped:
        simulate(diagram(), 2000.0, checkpoint=saved, **settings)
    kept = stopped.value.result
    assert Pressed.pressed
    assert 0.4 < kept.time[-1] < 1999.0
    error = 1e-6 if solver == "BDF" else 1e-9
    np.testing.assert_allclose(kept.values("x.y"), kept.time**2, atol=error)
    end = kept.time[-1] + 0.5
    resumed = simulate(diagram(), end, resume=saved, **settings)
    whole = simulate(diagram(), end, **settings)
    np.testing.assert_array_equal(resumed.time, whole.time)
    np.testing.assert_allclose(resumed.values("x.y"), whole.values("x.y"), atol=error if solver == "BDF" else 0.0)


# --- failures --------------------------------------------------------------------------------------------------------


def test_a_diverging_run_keeps_its_record(make_sample):
    """x' = x² from 1 has a pole at t = 1."""
    diagram = Diagram()
    diagram.add("x", Integrator(initial_x=1.0))
    diagram.add("square", Function("square"))
    diagram.connect("x.y", "square.u")
    diagram.connect("square.y", "x.u")
    with pytest.raises(
        RunStopped, match=r"square: output y is not a finite number at t = 1\.\d+ s; its input u, from x, is \d"
    ) as stopped:
        simulate(diagram, 5.0, step=0.01)
    result = stopped.value.result
    assert result.status == "failed"
    assert len(result) > 95
    before = result.time < 0.9
    np.testing.assert_allclose(result.values("x.y")[before], 1.0 / (1.0 - result.time[before]), rtol=1e-5)


def test_a_run_that_fails_at_its_first_instant_has_an_empty_record():
    class Broken(PythonBlock, abstract=True):
        y = Output(Number, feedthrough=False)

        def outputs(self, t, states, inputs):
            raise RuntimeError("no signal")

    with pytest.raises(RunStopped, match=r"no signal") as stopped:
        simulate(Broken(), 1.0)
    assert (len(stopped.value.result), stopped.value.result.status) == (0, "failed")
    assert "no signal" in stopped.value.result.attributes["message"]


def test_errors_before_the_run_are_those_of_the_diagram():
    diagram = Diagram()
    diagram.add("sum", Sum("++"))
    with pytest.raises(WiringError, match=r"sum.in1 \(Any\) is not connected"):
        simulate(diagram, 1.0)


def test_an_input_without_a_unit_clash_is_typed(make_sample):
    diagram = Diagram()
    diagram.add("vessel", make_sample("dynamics.Vessel6DOF"))
    diagram.inputs(force="vessel.force")
    assert diagram.input_ports["force"].signal == Wrench
    result = simulate(diagram, 0.1, step=0.1, inputs={"force": ([0.0, 0.1], np.zeros((2, 6)))})
    assert result.status == "end"


def test_results_do_not_depend_on_how_often_progress_is_told():
    sine = Diagram()
    sine.add("sine", Sine(1.0, 7.0))
    sine.add("x", Integrator())
    sine.connect("sine.y", "x.u")
    silent = simulate(sine, 30.0, step=0.001)
    told = simulate(sine, 30.0, step=0.001, progress=lambda t, end: None)
    assert np.array_equal(silent.values("x.y"), told.values("x.y"))


class Interrupting(PythonBlock):
    """Is interrupted at every evaluation, the first one included."""

    y = Output(Number, "nothing much")

    def outputs(self, t, states, inputs):
        raise KeyboardInterrupt


def test_an_interrupt_at_the_first_evaluation_is_one():
    diagram = Diagram()
    diagram.add("block", Interrupting())
    with pytest.raises(RunInterrupted, match="interrupted at t = 0 s of 1 s") as stopped:
        simulate(diagram, 1.0)
    assert stopped.value.result.status == "interrupted"


def test_a_progress_function_that_fails_does_not_lose_the_record():
    diagram = Diagram()
    diagram.add("clock", Clock())

    def report(t, end):
        raise ZeroDivisionError("oh")

    with pytest.raises(RunStopped, match="the progress function failed: ZeroDivisionError: oh") as stopped:
        simulate(diagram, 1.0, step=0.1, progress=report)
    assert len(stopped.value.result.time) == 11
    assert isinstance(stopped.value.__cause__, ZeroDivisionError)
