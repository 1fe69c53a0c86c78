"""Why a run stopped, in words: block, port or state, element and time; for every way in which it can."""

from __future__ import annotations

import numpy as np
import pytest
from wiring import wired

from blocks import Block, Diagram, Input, Output, PythonBlock, RunStopped, State, simulate
from blocks.basic import Clock, Constant, Function, Gain, Integrator, Product, Sine, Sum, UnitDelay
from blocks.signal import AnySignal, Number, Pose, Time


def failure(diagram: Diagram | Block, end: float = 5.0, **settings) -> tuple[str, object]:
    with pytest.raises(RunStopped) as stopped:
        simulate(diagram, end, **({"step": 0.1} | settings))
    assert stopped.value.result.status == "failed"
    assert stopped.value.result.attributes["message"] == str(stopped.value)
    return str(stopped.value), stopped.value.result


class Failing(PythonBlock, abstract=True):
    """A pose whose heading is not a number from t = 1 s on."""

    pose = Output(Pose, feedthrough=False)

    def outputs(self, t, states, inputs):
        return {"pose": [0.0, 0.0, 0.0, 0.0, 0.0, np.nan if t > 0.95 else t]}


# --- values that are not finite --------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["euler", "rk4", "dopri5", "LSODA"])
def test_an_output_with_its_element_and_time(solver):
    message, result = failure(wired({"compass": Failing(), "gain": Gain()}, ("compass.pose", "gain.u")), solver=solver)
    assert message.startswith(
        "compass: output pose[psi] is not a finite number at t = 1 s; check the block's parameters"
    )
    assert result.time[-1] == pytest.approx(1.0)
    np.testing.assert_allclose(result.values("compass.pose[psi]")[:10], 0.1 * np.arange(10), atol=1e-12)


def test_the_block_that_began_it_is_named_and_not_those_that_follow():
    """log(1 - t) is minus infinity at t = 1 and not a number after; three blocks hand it on, one integrates it."""
    diagram = wired(
        {
            "later": Gain(),
            "x": Integrator(),
            "scaled": Gain(2.0),
            "logarithm": Function("log"),
            "left": Sum("+-"),
            "one": Constant(1.0),
            "clock": Clock(),
        },
        ("one.y", "left.in1"),
        ("clock.y", "left.in2"),
        ("left.y", "logarithm.u"),
        ("logarithm.y", "scaled.u"),
        ("scaled.y", "x.u"),
        ("x.y", "later.u"),
    )
    for solver in ("euler", "heun", "rk4"):
        message, _ = failure(diagram, solver=solver, record=["later.y"])
        assert message.startswith("logarithm: output y is not a finite number at t = 1"), solver


def test_in_a_loop_the_first_in_time_is_named_and_not_the_first_in_line():
    """x' = (-x)^0.5 for x > 0: the root fails in the first stage, and the state only after it."""
    diagram = wired(
        {"x": Integrator(initial_x=-0.01), "minus": Gain(-1.0), "root": Function("sqrt")},
        ("x.y", "minus.u"),
        ("minus.y", "root.u"),
        ("root.y", "x.u"),
    )
    message, _ = failure(diagram, step=0.3, record=["x.y"])
    assert message.startswith("root: output y is not a finite number")


def test_an_element_without_a_name_has_a_number():
    diagram = wired({"clock": Clock(), "pair": Constant([1.0, 0.0]), "ratio": Product("*/")}, ("pair.y", "ratio.in2"))
    diagram.add("two", Constant([1.0, 1.0]))
    diagram.connect("two.y", "ratio.in1")
    assert "ratio: output y[1] is not a finite number at t = 0 s" in failure(diagram)[0]


class Unstable(PythonBlock, abstract=True):
    """A derivative that is infinite from t = 0.5 s on."""

    y = Output(Number, feedthrough=False)
    calm = State(AnySignal)
    wild = State(Pose)

    def outputs(self, t, states, inputs):
        return {"y": 1.0}

    def derivatives(self, t, states, inputs):
        return {"calm": 0.0, "wild": [0.0, 0.0, 0.0, 0.0, np.inf if t >= 0.45 else 0.0, 0.0]}


@pytest.mark.parametrize("solver", ["euler", "rk4", "dopri5", "Radau"])
def test_a_derivative_with_its_state_element_and_time(solver):
    message, _ = failure(wired({"buoy": Unstable()}), solver=solver)
    assert message.startswith("buoy: the derivative of wild[theta] is not a finite number at t = 0.")


def test_a_state_that_overflows():
    """Each step multiplies by a thousand: the state itself becomes infinite, with finite derivatives until then."""
    diagram = wired({"x": Integrator(initial_x=1e300), "gain": Gain(1e4)}, ("x.y", "gain.u"), ("gain.y", "x.u"))
    message, result = failure(diagram, solver="euler", step=1.0)
    assert "is not a finite number at t = " in message
    assert message.startswith(("gain: output y", "x: state x", "x: the derivative of x"))
    assert len(result) >= 2


def test_a_sample_that_is_not_a_number():
    class Sampler(PythonBlock, abstract=True):
        sampled = True
        u = Input(Time)
        y = Output(Number)

        def outputs(self, t, states, inputs):
            return {"y": np.log(0.95 - t) if t < 0.9 else np.nan}

    diagram = wired({"clock": Clock(), "sampler": Sampler(period=0.3), "x": Integrator()}, ("clock.y", "sampler.u"))
    diagram.connect("sampler.y", "x.u")
    assert failure(diagram)[0].startswith("sampler: output y is not a finite number at t = 0.9 s")


def test_solver_and_step_in_force_are_told():
    assert "or take a smaller step (now 0.1 s with heun)" in failure(wired({"compass": Failing()}), solver="heun")[0]


def test_what_is_not_recorded_fails_only_if_the_run_needs_it():
    """A value that nobody asks for, and no state depends on, is not even computed."""
    diagram = wired({"compass": Failing(), "sine": Sine(), "x": Integrator()}, ("sine.y", "x.u"))
    assert simulate(diagram, 2.0, step=0.1, record=["x.y"]).status == "end"


# --- faults of kernels -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["rk4", "dopri5", "LSODA"])
def test_a_fault_that_a_kernel_reports(solver, make_sample):
    """Euler angles end at a pitch of 90°: the vessel says so, with its name."""
    vessel = make_sample("dynamics.Vessel6DOF")
    vessel.set(initial_nu=[0, 0, 0, 0, 1.0, 0], weight=0.0, buoyancy=0.0, linear_damping=np.zeros((6, 6)))
    diagram = wired({"rov": vessel, "zero": Constant(np.zeros(6))}, ("zero.y", "rov.force"))
    message, result = failure(diagram, solver=solver, step=0.01)
    assert message.startswith("rov stopped the run at t = ")
    assert message.endswith(
        "the pitch angle has reached ±90°, where Euler angles have no rates: hold pitch by a controller, or go slower "
        '(`keelblocks lab design` names the mode that grew); if it is meant to pitch so far, use attitude="quaternion"'
    )
    assert result.values("rov.eta[theta]")[-1] < np.pi / 2 + 0.02
    if solver != "LSODA":  # which tells where it looked, a long step ahead
        assert float(message.split("t = ")[1].split()[0]) == pytest.approx(np.pi / 2, abs=0.02)
        assert result.time[-1] == pytest.approx(np.pi / 2, abs=0.02)


# --- events and modes ------------------------------------------------------------------------------------------------


def test_modes_that_never_settle():
    class Restless(PythonBlock, abstract=True):
        y = Output(Number, feedthrough=False)
        z = State(Number, discrete=True)

        def outputs(self, t, states, inputs):
            return {"y": states["z"]}

        def update(self, t, states, inputs):
            return {"z": 1.0 - states["z"] if t > 0.45 else 0.0}

    message, result = failure(wired({"restless": Restless()}))
    assert message == "modes keep changing at t = 0.5 s: an update of a block undoes itself again and again"
    assert len(result) == 5


def test_a_failure_in_a_nested_diagram_has_the_whole_name():
    inner, outer = Diagram(), Diagram()
    inner.add("compass", Failing())
    outer.add("plant", inner)
    assert failure(outer)[0].startswith("plant.compass: output pose[psi]")


def test_partial_results_can_be_used_like_any(tmp_path):
    _, result = failure(wired({"compass": Failing(), "delay": UnitDelay(period=0.2)}, ("compass.pose", "delay.u")))
    from blocks import Result

    loaded = Result.load(result.save(tmp_path / "partial.nc"))
    assert loaded.status == "failed"
    assert loaded.attributes["message"].startswith("compass:")
    assert len(loaded) == 11


def test_an_input_that_has_grown_beyond_all_measure_is_told():
    """The block that overflows is not the one to look at where what it reads has run away."""
    diagram = wired(
        {"x": Integrator(initial_x=1e200), "square": Function("square")}, ("x.y", "square.u"), ("square.y", "x.u")
    )
    message, _ = failure(diagram)
    assert "square: output y is not a finite number at t = 0 s; its input u, from x, is 1e+200; check" in message
