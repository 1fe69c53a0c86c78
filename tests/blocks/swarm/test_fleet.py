"""Fleet: each vehicle is the Simulator of it, whichever others there are, whoever computes them, however one steps."""

from __future__ import annotations

import copy
import signal
import threading
import tracemalloc

import numpy as np
import pytest
from busy import busy

from blocks import Diagram, Fleet, Input, Output, Parameter, PythonBlock, Simulator, Swarm, simulate
from blocks.basic import Constant, FirstOrderLag, Gain, GaussianNoise, Integrator, Product
from blocks.basic.common import AnyScalar
from blocks.errors import ParameterError, SimulationError

COUNT = 5


def lags() -> Diagram:
    """y' = (k u - y) / 1 s, with noise beside it."""
    diagram = Diagram()
    lag = diagram.add("lag", FirstOrderLag(1.0))
    diagram.connect(diagram.add("gain", Gain(1.0)).y, lag.u)
    diagram.add("noise", GaussianNoise(period=0.1))
    diagram.inputs(u="gain.u")
    return diagram


@pytest.mark.parametrize("solver", ["euler", "rk4", "dopri5"])
@pytest.mark.parametrize("threads", [1, 3])
def test_each_vehicle_is_the_simulator_of_it(solver, threads):
    """To the bit, with inputs of its own that change, in pieces on the grid and beside it."""
    gains = [1.0, 2.0, 3.0, 4.0, 5.0]
    fleet = Fleet(busy(), COUNT, parameters={"gain.gain": gains}, solver=solver, threads=threads)
    work = fleet["work.y"]
    alone = []
    for g in gains:
        alone.append(Simulator(busy(g), solver=solver, record=[]))
    rng = np.random.default_rng(3)
    for k, piece in enumerate(rng.choice([0.01, 0.05, 0.0137, 0.2], 30)):
        if k % 3 == 0:
            u = rng.normal(size=COUNT)
            fleet.inputs["u"][:] = u
            for simulator, value in zip(alone, u, strict=True):
                simulator["u"] = value
        fleet.advance(float(piece))
        for simulator in alone:
            simulator.advance(float(piece))
        assert work.tolist() == [simulator["work.y"].item() for simulator in alone]
    assert fleet.time.tolist() == [simulator.time for simulator in alone]


def test_a_swarm_is_a_fleet_that_goes_to_its_end():
    given = {"parameters": {"gain.gain": np.arange(1.0, 6.0)}, "inputs": {"u": np.linspace(0, 1, COUNT)}}
    for solver in ("heun", "dopri5"):
        swarm = Swarm(busy(), COUNT, **given).run(1.5, solver=solver, summarise="plant.y")
        with Fleet(busy(), COUNT, **given, solver=solver, record=None, summarise="plant.y") as fleet:
            while fleet.time[0] < 1.5:
                fleet.advance(until=min(1.5, fleet.time[0] + 0.0933))
            result = fleet.result()
        assert np.array_equal(swarm.time, result.time)
        for name in ("plant.y", "gate.y", "noise.y"):
            assert np.array_equal(swarm.values(name), result.values(name))
        # the swarm's summary has the end in it, which the fleet has not gone through yet
        assert np.allclose(swarm.summary["plant.y"], result.summary["plant.y"], atol=0.02)


def test_neighbours_in_pieces_are_neighbours_in_one():
    diagram = Diagram()
    lag = diagram.add("lag", FirstOrderLag(1.0))
    diagram.inputs(leader=lag.u)
    given = {
        "parameters": {"lag.initial_x": np.arange(COUNT, dtype=float)},
        "inputs": {"leader": 9.0}, "neighbours": {"leader": ("lag.y", [-1, 0, 1, 2, 3])},
    }  # fmt: skip
    whole = Swarm(diagram, COUNT, **given).run(1.0, step=0.05)
    with Fleet(diagram, COUNT, **given, step=0.05, record=None, threads=2) as fleet:
        for steps in (1, 3, 0, 1, 7, 8):
            fleet.advance(0.05 * steps)
        result = fleet.result()
        for name in ("leader", "lag.y"):
            assert np.array_equal(whole.values(name), result.values(name)), name
        assert np.array_equal(fleet["lag.y"], whole.values("lag.y")[:, -1])
        with pytest.raises(SimulationError, match=r"whole steps of 0.05 s, not 0.07 s"):
            fleet.advance(0.07)
        with pytest.raises(SimulationError, match=r"no input 'leader' to set; neighbours give it"):
            fleet["leader"] = 1.0


def test_some_are_reset_and_the_others_go_on():
    with Fleet(lags(), 3, inputs={"u": [1.0, 2.0, 3.0]}, record="lag.y", step=0.1) as fleet:
        y = fleet["lag.y"]
        fleet.advance(1.0)
        before = y.copy()
        fleet.reset([False, True, False])
        assert fleet.time.tolist() == [1.0, 0.0, 1.0]
        assert y.tolist() == [before[0], 0.0, before[2]]
        fleet.advance(1.0)
        assert fleet.time.tolist() == pytest.approx([2.0, 1.0, 2.0])
        assert y[1] == before[1]
        result = fleet.result()
        assert [len(result.vehicle(i)) for i in range(3)] == [21, 11, 21]


def test_reset_gives_other_parameters_and_seeds():
    with Fleet(lags(), 4, inputs={"u": 1.0}, step=0.1) as fleet:
        y, noise = fleet["lag.y"], fleet["noise.y"]
        fleet.reset(seed=1)
        fleet.advance(0.1)
        first = noise.copy()
        assert len(set(first)) == 4
        mask = np.array([False, True, True, False])
        fleet.reset(mask, seed=1, parameters={"lag.initial_x": [5.0, 6.0], "gain.gain": [2.0, 3.0]})
        assert y[1:3].tolist() == [5.0, 6.0]
        fleet.advance(0.1)
        assert noise[mask].tolist() == first[mask].tolist()
        fleet.reset(mask)
        assert y[1:3].tolist() == [5.0, 6.0]
        fleet.advance(0.1)
        assert fleet["lag.y"][2] == simulate_lag(6.0, 3.0)


def simulate_lag(initial: float, gain: float) -> float:
    diagram = Diagram()
    lag = diagram.add("lag", FirstOrderLag(1.0, initial_x=initial))
    diagram.connect(diagram.add("gain", Gain(gain)).y, lag.u)
    diagram.connect(diagram.add("one", Constant(1.0)).y, "gain.u")
    return float(simulate(diagram, 0.1, step=0.1).values("lag.y")[-1])


def test_one_that_fails_or_stops_stands_still_and_the_others_go_on():
    diagram = Diagram()
    x = diagram.add("x", Integrator())
    square = diagram.add("square", Product())
    diagram.connect(x.y, square.in1, square.in2)
    diagram.connect(square.y, x.u)
    with Fleet(diagram, 3, parameters={"x.initial_x": [0.1, 1.0, -1.0]}, solver="euler", step=0.01) as fleet:
        fleet.advance(5.0)
        assert fleet.running.tolist() == [True, False, True]
        assert fleet.failed.tolist() == [False, True, False]
        assert "square: output y is not a finite number at t = 1.1" in fleet.messages[1]
        fleet.advance(1.0)
        assert fleet.time[0] == pytest.approx(6.0)
        assert fleet.time[1] < 1.2
        fleet.reset(fleet.failed, parameters={"x.initial_x": [0.2]})
        assert fleet.running.all()
    with Fleet(diagram, 2, parameters={"x.initial_x": [0.1, 1.0]}, stop="x.y") as fleet:
        fleet.advance(0.5)
        assert fleet.stopped.tolist() == [False, True]


def test_arrays_are_those_of_the_engine_and_elements_are_views():
    with Fleet(lags(), 3) as fleet:
        assert fleet.inputs["u"].shape == (3,)
        fleet["u"] = 2.0
        fleet["u"][1] = 7.0
        y = fleet["lag.y"]
        fleet.advance(0.5)
        assert y is fleet["lag.y"]
        assert y[1] > y[0] == y[2] > 0.0
        fleet["u"] = [1.0, 2.0, 3.0]
        fleet.refresh()
        assert fleet["gain.y"].tolist() == [1.0, 2.0, 3.0]
        assert fleet.time.tolist() == [0.5] * 3


def test_stepping_allocates_nothing():
    """Not even a number for each vehicle; in the quietest of several steps, as other threads allocate as they like."""
    with Fleet(lags(), 400, inputs={"u": 1.0}, threads=1) as fleet:
        fleet["lag.y"]
        fleet.advance(0.1)
        peaks = []
        tracemalloc.start()
        try:
            for _ in range(20):
                tracemalloc.reset_peak()
                before, _ = tracemalloc.get_traced_memory()
                fleet.advance(0.1)
                peaks.append(tracemalloc.get_traced_memory()[1] - before)
        finally:
            tracemalloc.stop()
    assert min(peaks) < 400


@pytest.mark.parametrize(
    ("what", "says"),
    [
        (lambda f: f["lag.x"], "nothing is called 'lag.x'; did you mean 'lag.y'"),
        (lambda f: f["lag.y[k]"], "lag.y has no element 'k'"),
        (lambda f: f.__setitem__("w", 1.0), "no input 'w' to set"),
        (lambda f: f.__setitem__("u", [1.0, 2.0]), "input 'u' takes one number for all, or for each of 3 vehicles"),
        (lambda f: f.__setitem__("u", np.nan), "input 'u' must be finite"),
        (lambda f: f.reset([1, 0, 1]), "a mask says of each of 3 vehicles"),
        (lambda f: f.reset([True]), "a mask says of each of 3 vehicles"),
        (lambda f: f.reset(seed=-3), "seed must be a whole number"),
        (lambda f: f.reset(parameters={"lag.initial_x": [1.0]}), "a value for each of the 3 vehicles, not 1"),
        (lambda f: f.reset(parameters={"lag.T": [1.0] * 3}), "no parameter 'lag.T'"),
        (lambda f: f.reset(parameters={"lag.time_constant": [1.0, 2.0, -1.0]}), "vehicle 2: .*must be > 0"),
        (lambda f: f.advance(), r"by how much\?"),
        (lambda f: f.advance(-1.0), "duration must be finite and ≥ 0 s"),
        (lambda f: f.advance(until=0.05), "until must be finite and ≥ 0.1 s"),
        (lambda f: f.start(), "has been started"),
        (lambda f: f.__setitem__("u", "fast"), "input 'u' must be a number or an array of numbers, not 'fast'"),
        (lambda f: f.reset(parameters=3), "parameters of a fleet are a mapping of names"),
        (lambda f: copy.copy(f), "cannot be copied or pickled"),
    ],
)
def test_what_cannot_be_is_said_and_changes_nothing(what, says):
    with Fleet(lags(), 3, inputs={"u": [1.0, 2.0, 3.0]}) as fleet:
        y = fleet["lag.y"]
        fleet.advance(0.1)
        before = y.copy()
        with pytest.raises((SimulationError, ParameterError), match=says):
            what(fleet)
        assert np.array_equal(y, before)
        fleet.advance(0.1)
        assert fleet.running.all()


def test_what_is_recorded_of_vehicles_at_different_times_reaches_to_where_they_stand():
    with Fleet(Integrator(), 3, inputs={"u": 1.0}, record=None, start=5.0) as fleet:
        assert fleet.time.tolist() == [5.0] * 3
        fleet.advance(0.503)
        fleet.reset(np.array([False, True, False]))
        fleet.advance(0.5)
        y = fleet.result().values("integrator.y")
        assert np.isfinite(y).sum(axis=1).tolist() == [102, 51, 102]
        assert y[1, 50] == fleet["integrator.y"][1] == pytest.approx(0.5)


def test_vehicles_that_stand_still_keep_nobody_from_going_to_an_instant():
    with Fleet(busy(), 2, inputs={"u": [0.0, 0.0]}, stop="reference.y", outputs="work.y") as fleet:
        fleet.reset(parameters={"reference.time": [0.2, 10.0]})
        fleet.advance(1.0)
        fleet.reset(np.array([False, True]))
        fleet.advance(until=0.1)
        assert fleet.time == pytest.approx([0.2, 0.1])
        with pytest.raises(SimulationError, match=r"'gate.y' is not evaluated"):
            fleet["gate.y"]


class Doubler(PythonBlock):
    """y = k u, counted."""

    u = Input(AnyScalar, "in")
    y = Output(AnyScalar, "out")
    k = Parameter(2.0, doc="gain")

    def outputs(self, t, states, inputs):
        self.counted.append(t)
        return {"y": self.k * inputs["u"]}


def test_blocks_in_python_are_each_vehicles_own():
    """With what their author has given them, and parameters that one gets in mid-run."""
    block = Doubler()
    block.counted = []
    with Fleet(block, 3, inputs={"u": [1.0, 2.0, 3.0]}) as fleet:
        fleet.start()
        fleet.reset(np.array([False, False, True]), parameters={"doubler.k": [5.0]})
        fleet.advance(0.1)
        assert fleet["doubler.y"].tolist() == [2.0, 4.0, 15.0]
    with Simulator(block, inputs={"u": ([0.0, 1.0], [1.0, 1.0])}) as simulator:
        simulator.advance(0.1)
        assert simulator["doubler.y"] == 2.0
    assert block.k == 2.0
    assert block.counted


def test_after_ctrl_c_arrays_show_where_the_vehicles_stand():
    with Fleet(busy(), 2, inputs={"u": [0.0, 1.0]}) as fleet:
        work = fleet["work.y"]
        fleet.start()
        threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
        with pytest.raises(KeyboardInterrupt):
            fleet.advance(until=1e6)
        assert np.all(fleet.time > 0.0)
        before = fleet.time.copy()
        assert np.all(work != 0.0)
        fleet.advance(0.05)
        assert fleet.time - before == pytest.approx(0.05)


def test_what_cannot_be_a_fleet_is_said_at_once():
    with pytest.raises(SimulationError, match="a fleet is made of a Diagram or a Block"):
        Fleet("lags", 3)
    with pytest.raises(SimulationError, match="a fleet needs a whole number of vehicles ≥ 1, not 0"):
        Fleet(lags(), 0)
    with pytest.raises(SimulationError, match="a fleet runs with euler, heun, rk4 or dopri5, not LSODA"):
        Fleet(lags(), 2, solver="LSODA")
    with Fleet(lags(), 2) as fleet, pytest.raises(SimulationError, match=r"the input 'u' needs a value: fleet.inputs"):
        fleet.start()
    with pytest.raises(SimulationError, match="this Fleet is closed"):
        fleet.advance(0.1)
