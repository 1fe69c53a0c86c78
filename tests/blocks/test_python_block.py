"""Blocks written in Python: the same as compiled ones in every respect but speed."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from blocks import Block, Diagram, Input, Output, Parameter, PythonBlock, RunStopped, State, library, simulate
from blocks.basic import Clock, Constant, FirstOrderLag, Gain, Integrator, Sine, UnitDelay
from blocks.block import FAMILIES
from blocks.errors import SimulationError
from blocks.signal import AnySignal, Number, Signal, Time

SOLVERS = ("euler", "heun", "rk4", "dopri5", "LSODA", "BDF", "Radau")


class PythonLag(PythonBlock, abstract=True):
    """T dx/dt = u - x, as `FirstOrderLag`."""

    u = Input(AnySignal)
    y = Output(AnySignal, feedthrough=False, like="u")
    time_constant = Parameter(shape=("n",), unit="s", above=0.0)
    x = State(AnySignal)

    def outputs(self, t, states, inputs):
        return {"y": states["x"]}

    def derivatives(self, t, states, inputs):
        return {"x": (inputs["u"] - states["x"]) / self.time_constant}


class LagWithStateOutput(PythonBlock, abstract=True):
    """The same with an output that is the state, which no one has to compute."""

    u = Input(AnySignal)
    y = Output(AnySignal, state="x")
    time_constant = Parameter(shape=("n",), unit="s", above=0.0)
    x = State(AnySignal)

    def outputs(self, t, states, inputs):
        return {}

    def derivatives(self, t, states, inputs):
        return {"x": (inputs["u"] - states["x"]) / self.time_constant}


class PythonDelay(PythonBlock, abstract=True):
    """z' = u at hits, as `UnitDelay`."""

    sampled = True

    u = Input(AnySignal)
    y = Output(AnySignal, feedthrough=False)
    x = State(AnySignal, discrete=True)

    def outputs(self, t, states, inputs):
        return {"y": states["x"]}

    def update(self, t, states, inputs):
        return {"x": inputs["u"]}


class Hysteresis(PythonBlock, abstract=True):
    """1 once u has passed 0.5, until it falls below -0.5: a mode."""

    u = Input(Number)
    y = Output(Number, feedthrough=False)
    on = State(Number, discrete=True)

    def outputs(self, t, states, inputs):
        return {"y": states["on"]}

    def update(self, t, states, inputs):
        if inputs["u"] > 0.5:
            return {"on": 1.0}
        return {"on": 0.0} if inputs["u"] < -0.5 else {}


def loop(lag: Block, delay: Block) -> Diagram:
    """A lag of two elements and a delay in a loop with compiled blocks."""
    diagram = Diagram()
    for name, block in {
        "sine": Sine([1.0, 2.0], 3.0),
        "sum": _sum(),
        "lag": lag,
        "delay": delay,
        "x": Integrator(),
    }.items():
        diagram.add(name, block)
    for source, *sinks in (
        ("sine.y", "sum.in1"),
        ("sum.y", "lag.u"),
        ("lag.y", "delay.u", "x.u"),
        ("delay.y", "sum.in2"),
    ):
        diagram.connect(source, *sinks)
    return diagram


def _sum() -> Block:
    from blocks.basic import Sum

    return Sum("+-")


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("lag", [PythonLag, LagWithStateOutput])
def test_a_python_block_equals_its_compiled_twin(solver, lag):
    settings = {"solver": solver, "step": 0.02}
    ours = simulate(loop(lag(time_constant=[0.3, 0.7]), PythonDelay(period=0.1)), 1.0, **settings)
    theirs = simulate(loop(FirstOrderLag([0.3, 0.7]), UnitDelay(period=0.1)), 1.0, **settings)
    for name in ("lag.y", "delay.y", "x.y"):
        np.testing.assert_allclose(ours.values(name), theirs.values(name), rtol=1e-9, atol=1e-12)
    assert np.ptp(ours.values("delay.y")) > 0.1


def test_modes_of_a_python_block_are_kept_until_they_change():
    diagram = Diagram()
    diagram.add("sine", Sine(1.0, 2.0 * np.pi))
    diagram.add("relay", Hysteresis())
    diagram.connect("sine.y", "relay.u")
    result = simulate(diagram, 2.0, step=0.01)
    phase = result.time % 1.0
    on = (phase > 1.0 / 12.0) & (phase < 7.0 / 12.0)
    clear = np.minimum(np.abs(phase - 1.0 / 12.0), np.abs(phase - 7.0 / 12.0)) > 0.02
    np.testing.assert_array_equal(result.values("relay.y")[clear], on[clear])


class Everything(PythonBlock, abstract=True):
    """Shapes of every kind: scalars, vectors and matrices."""

    scalar = Input(Number)
    vector = Input(Signal("V", (3,)))
    doubled = Output(Number)
    matrix = Output(Signal("M", (2, 3)))
    x = State(Signal("M", (2, 3)))

    def outputs(self, t, states, inputs):
        assert inputs["scalar"].shape == ()
        assert inputs["vector"].shape == (3,)
        assert states["x"].shape == (2, 3)
        return {"doubled": 2 * inputs["scalar"], "matrix": np.outer([1.0, 2.0], inputs["vector"])}

    def derivatives(self, t, states, inputs):
        return {"x": np.ones((2, 3)) * inputs["scalar"]}


def test_arrays_have_the_declared_shapes():
    result = simulate(Everything(), 1.0, step=0.5, inputs={"scalar": 3.0, "vector": [1.0, 2.0, 3.0]})
    np.testing.assert_array_equal(result.values("everything.matrix")[0], [[1, 2, 3], [2, 4, 6]])
    assert result.values("everything.doubled")[-1] == 6.0
    evaluation = Everything().evaluate(scalar=3.0, vector=[1.0, 2.0, 3.0], states={"x": np.zeros((2, 3))})
    np.testing.assert_array_equal(evaluation.derivatives["x"], np.full((2, 3), 3.0))


class Meddler(PythonBlock, abstract=True):
    """Writes where it may only read."""

    u = Input(Number)
    y = Output(Number)
    x = State(Number)
    victim = Parameter("inputs", choices=("inputs", "states"))

    def outputs(self, t, states, inputs):
        (inputs if self.victim == "inputs" else states)["u" if self.victim == "inputs" else "x"][...] = 5.0
        return {"y": 0.0}

    def derivatives(self, t, states, inputs):
        return {"x": 0.0}


@pytest.mark.parametrize("victim", ["inputs", "states"])
def test_inputs_and_states_cannot_be_written(victim):
    with pytest.raises(RunStopped, match=r"ValueError in outputs: assignment destination is read-only"):
        simulate(Meddler(victim=victim), 1.0, inputs={"u": 1.0})


# --- mistakes of the user's code -------------------------------------------------------------------------------------


class Faulty(PythonBlock, abstract=True):
    """Goes wrong from t = 0.5 s on, in a way that is chosen."""

    kind = Parameter(
        "raise",
        choices=("raise", "none", "missing", "extra", "shape", "text", "nested", "derivative", "update", "nan"),
    )
    y = Output(Signal("V", (2,)), feedthrough=False)
    x = State(Number)
    z = State(Number, discrete=True)

    def outputs(self, t, states, inputs):
        if t < 0.499:
            return {"y": [0.0, 0.0]}
        match self.kind:
            case "raise":
                raise RuntimeError("the sensor is gone")
            case "none":
                return None
            case "missing":
                return {}
            case "extra":
                return {"y": [0.0, 0.0], "yy": 1.0}
            case "shape":
                return {"y": [0.0, 0.0, 0.0]}
            case "text":
                return {"y": ["a", "b"]}
            case "nested":
                np.linalg.inv(np.zeros((2, 2)))
            case "nan":
                return {"y": [0.0, np.nan]}
        return {"y": [0.0, 0.0]}

    def derivatives(self, t, states, inputs):
        if t > 0.499 and self.kind == "derivative":
            raise KeyError("engine")
        return {"x": 1.0}

    def update(self, t, states, inputs):
        if t > 0.499 and self.kind == "update":
            return {"x": 1.0}
        return {}


def line_of(text: str) -> int:
    lines, first = inspect.getsourcelines(Faulty)
    return first + next(i for i, line in enumerate(lines) if text in line)


@pytest.mark.parametrize(
    ("kind", "said", "at"),
    [
        ("raise", "RuntimeError in outputs: the sensor is gone", 'raise RuntimeError("the sensor'),
        ("none", "TypeError in outputs: it must return a mapping of names to values, not NoneType", "def outputs"),
        ("missing", "ValueError in outputs: it does not give y", "def outputs"),
        ("extra", "ValueError in outputs: it gives yy, which is not declared; did you mean 'y'?", "def outputs"),
        ("shape", "ValueError in outputs: y has the shape (3,), but (2,) is declared", "def outputs"),
        ("text", "ValueError in outputs: could not convert string to float", "def outputs"),
        ("nested", "LinAlgError in outputs: Singular matrix", "np.linalg.inv"),
        ("derivative", "KeyError in derivatives: 'engine'", 'raise KeyError("engine")'),
        ("update", "ValueError in update: it gives x, which is not declared", "def update"),
    ],
)
@pytest.mark.parametrize("solver", ["rk4", "dopri5", "LSODA"])
def test_a_mistake_is_told_with_its_place(kind, said, at, solver):
    diagram = Diagram()
    diagram.add("sensor", Faulty(kind=kind))
    with pytest.raises(RunStopped) as stopped:
        simulate(diagram, 1.0, step=0.1, solver=solver)
    message = str(stopped.value)
    assert message.startswith("sensor stopped the run at t = ")
    assert said in message
    assert f"({__file__}:{line_of(at)})" in message
    assert stopped.value.result.status == "failed"
    if solver == "rk4" or kind not in ("update", "derivative"):  # adaptive solvers call those where a step may end
        assert float(message.split("t = ")[1].split()[0]) == pytest.approx(0.5)
        assert len(stopped.value.result) == 5
    assert np.all(stopped.value.result.values("sensor.y") == 0.0)


def test_a_value_that_is_no_number_is_told_as_of_any_block():
    diagram = Diagram()
    diagram.add("sensor", Faulty(kind="nan"))
    with pytest.raises(RunStopped, match=r"sensor: output y\[1\] is not a finite number at t = 0.5 s"):
        simulate(diagram, 1.0, step=0.1)


def test_one_bad_call_among_good_ones_is_not_forgotten():
    """The derivatives fail at one stage of a step only; the calls after it succeed."""

    class Once(PythonBlock, abstract=True):
        y = Output(Number, feedthrough=False)
        x = State(Number)
        calls = 0

        def outputs(self, t, states, inputs):
            return {"y": states["x"]}

        def derivatives(self, t, states, inputs):
            Once.calls += 1
            if Once.calls == 6:
                raise RuntimeError("at the second stage")
            return {"x": 1.0}

    with pytest.raises(RunStopped, match=r"at the second stage"):
        simulate(Once(), 1.0, step=0.1)


def test_methods_that_are_missing_are_asked_for():
    class NoOutputs(PythonBlock, abstract=True):
        y = Output(Number, feedthrough=False)

    class NoDerivatives(PythonBlock, abstract=True):
        x = State(Number)
        y = Output(Number, state="x")

        def outputs(self, t, states, inputs):
            return {}

    with pytest.raises(
        SimulationError, match=r"NotImplementedError in outputs: NoOutputs has no method outputs\(t, states"
    ):
        simulate(NoOutputs(), 1.0)
    with pytest.raises(SimulationError, match=r"NoDerivatives has no method derivatives"):
        simulate(NoDerivatives(), 1.0)


# --- what it need not say --------------------------------------------------------------------------------------------


def test_the_time_is_seen_between_steps_without_being_declared():
    """cos t integrates to sin t of fourth order only if it is asked at every stage."""

    class Cosine(PythonBlock, abstract=True):
        y = Output(Number, feedthrough=False)

        def outputs(self, t, states, inputs):
            return {"y": np.cos(t)}

    diagram = Diagram()
    diagram.add("cosine", Cosine())
    diagram.add("x", Integrator())
    diagram.connect("cosine.y", "x.u")
    result = simulate(diagram, 2.0, step=0.1)
    np.testing.assert_allclose(result.values("x.y"), np.sin(result.time), atol=1e-7)


def test_blocks_of_users_stay_out_of_the_library_if_they_are_abstract():
    assert "PythonLag" not in library()
    assert {name.partition(".")[0] for name, kind in library().items() if kind.__module__.startswith("blocks.")} == set(
        FAMILIES
    )
    assert not any(name.endswith("PythonBlock") for name in library())


def test_a_block_of_a_users_own_has_its_plain_name_in_scenario_files_whatever_its_base():
    class Own(Block, abstract=True):
        kernel = "gain"

    class OwnInPython(PythonBlock, abstract=True):
        pass

    class OwnGain(Gain, abstract=True):
        pass

    class Mine(PythonBlock, abstract=True):
        family = "mine"

    assert [kind.type_name() for kind in (Own, OwnInPython, PythonLag)] == ["Own", "OwnInPython", "PythonLag"]
    assert [kind.type_name() for kind in (OwnGain, Mine)] == ["basic.OwnGain", "mine.Mine"]


def test_one_class_many_blocks():
    """Two blocks of one class, with other parameters, in one diagram."""
    diagram = Diagram()
    diagram.add("one", Constant(1.0))
    diagram.add("fast", PythonLag(time_constant=0.1))
    diagram.add("slow", PythonLag(time_constant=1.0, initial_x=0.5))
    diagram.connect("one.y", "fast.u", "slow.u")
    result = simulate(diagram, 1.0, step=0.01)
    np.testing.assert_allclose(result.values("fast.y"), 1.0 - np.exp(-10.0 * result.time), atol=1e-5)
    np.testing.assert_allclose(result.values("slow.y"), 1.0 - 0.5 * np.exp(-result.time), atol=1e-9)


def test_a_parameter_that_changes_between_runs_is_seen():
    block = PythonLag(time_constant=1.0)
    first = simulate(block, 1.0, inputs={"u": 1.0}).values("python_lag.y")[-1]
    block.time_constant = 0.5
    assert simulate(block, 1.0, inputs={"u": 1.0}).values("python_lag.y")[-1] > first


def test_python_and_compiled_blocks_in_a_chain_see_one_instant():
    class Double(PythonBlock, abstract=True):
        u = Input(Time)
        y = Output(Time)

        def outputs(self, t, states, inputs):
            assert inputs["u"] == pytest.approx(t, abs=1e-12)
            return {"y": 2.0 * inputs["u"]}

    diagram = Diagram()
    for name, block in {"clock": Clock(), "double": Double(), "gain": Gain(3.0), "x": Integrator()}.items():
        diagram.add(name, block)
    diagram.connect("clock.y", "double.u")
    diagram.connect("double.y", "gain.u")
    diagram.connect("gain.y", "x.u")
    result = simulate(diagram, 1.0, step=0.1)
    np.testing.assert_allclose(result.values("gain.y"), 6.0 * result.time, rtol=1e-14)
    np.testing.assert_allclose(result.values("x.y"), 3.0 * result.time**2, rtol=1e-12)


def test_what_is_no_exception_stops_a_run_too() -> None:
    class Leaves(PythonBlock):
        y = Output()

        def outputs(self, t, states, inputs):
            if t >= 0.5:
                raise GeneratorExit("gone")
            return {"y": t}

    with pytest.raises(RunStopped, match=r"GeneratorExit in outputs: gone") as caught:
        simulate(Leaves(), 1.0, step=0.1)
    assert caught.value.result.time[-1] == pytest.approx(0.4)
