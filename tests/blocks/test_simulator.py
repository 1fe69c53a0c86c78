"""Simulator: stepping through a run in any pieces is running it, and what is touched on the way counts from then on."""

from __future__ import annotations

import copy
import signal
import threading
from pathlib import Path

import numpy as np
import pytest
from busy import busy
from simulators import Doubler, same

from blocks import (
    Block,
    Diagram,
    RunInterrupted,
    RunStopped,
    Simulator,
    simulate,
)
from blocks.basic import Gain, Integrator, Product
from blocks.dynamics import Vessel3DOF
from blocks.errors import ParameterError, SimulationError
from blocks.scenario import Scenario

SOLVERS = ("euler", "heun", "rk4", "dopri5")
EXAMPLES = Path(__file__).parents[2] / "examples"


def pieces(seed: int, end: float) -> list[float]:
    """Instants on the grid of 0.01 s, beside it, and nearer to it than rounding."""
    rng = np.random.default_rng(seed)
    times = np.cumsum(rng.exponential(0.05, 80))
    on_grid = rng.random(80) < 0.4
    times[on_grid] = np.round(times[on_grid], 2) + rng.choice([0.0, 1e-16, -3e-13], on_grid.sum())
    return [*np.unique(times[times < end]), end]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("settings", [{}, {"every": 3}, {"step": 0.025, "max_step": 0.01}], ids=str)
def test_any_pieces_give_the_bits_of_the_whole(solver, settings):
    """Also where the diagram jumps, samples, changes modes, and where pieces end beside all that."""
    settings = {"step": 0.01, "solver": solver} | settings
    whole = simulate(busy(), 2.003, inputs={"u": 0.7}, **settings)
    for seed in (1, 2):
        with Simulator(busy(), inputs={"u": 0.7}, **settings) as simulator:
            for until in pieces(seed, 2.003):
                assert simulator.advance(until=until) == pytest.approx(until, abs=1e-8)
            assert same(whole, simulator.result())
            assert simulator.result().attributes["steps"] == whole.attributes["steps"]


@pytest.mark.parametrize("name", ["otter_los", "minerva_los"])
def test_missions_in_pieces_are_the_missions(name):
    scenario = Scenario.load(EXAMPLES / f"{name}.yaml")
    whole = scenario.run(end=12.0)
    with scenario.simulator() as simulator:
        while simulator.time < 12.0:
            simulator.advance(until=min(12.0, simulator.time + 0.37))
        assert same(whole, simulator.result())


def test_what_is_read_between_steps_is_the_solution_there():
    """x' = -x, looked at far beside the grid: of the order of the solver, and of no influence on what follows."""
    diagram = Diagram()
    x = diagram.add("x", Integrator(initial_x=1.0))
    diagram.connect(x.y, diagram.add("minus", Gain(-1.0)).u)
    diagram.connect("minus.y", "x.u")
    for solver in ("rk4", "dopri5"):
        with Simulator(diagram, solver=solver, step=0.1) as simulator:
            seen = [(simulator.advance(0.0333), float(simulator["x.y"])) for _ in range(60)]
        times, values = np.transpose(seen)
        assert np.max(np.abs(values - np.exp(-times))) < 5e-7


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_run_steered_by_hand_is_the_one_with_these_inputs_held(solver):
    """What is recorded of an instant is what holds from there on, so that it can be repeated.

    By an adaptive solver within its tolerance: it looks for the instants at which held inputs jump.
    """
    with Simulator(busy(), solver=solver, step=0.01, inputs={"u": 0.0}) as simulator:
        simulator.start()
        given = []
        while simulator.time < 1.0:
            given.append((simulator.time, np.sin(simulator.time) - simulator["plant.y"].item()))
            simulator["u"] = given[-1][1]
            simulator.advance(0.04)
        steered = simulator.result()
    times, values = map(np.array, zip(*given, strict=True))
    repeated = simulate(busy(), 1.0, solver=solver, step=0.01, inputs={"u": (times, values, "hold")})
    assert np.array_equal(steered.time, repeated.time)
    for name in ("plant.y", "stock.y", "work.y", "gate.y", "external.y"):
        apart = np.max(np.abs(steered.values(name) - repeated.values(name)))
        assert apart <= (1e-6 if solver == "dopri5" else 0.0), name


def test_an_input_that_changes_beside_the_grid_counts_from_there_on():
    """The integral of a step at t = 0.0137, with steps of 0.01: exact, since it is cut there."""
    with Simulator(Integrator(), step=0.01, inputs={"u": 0.0}) as simulator:
        simulator.advance(0.0137)
        simulator["u"] = 2.0
        simulator.advance(until=0.05)
        assert simulator.result().values("integrator.y")[-1] == pytest.approx(2.0 * (0.05 - 0.0137), rel=1e-14)


def test_outputs_are_those_of_what_was_set_after_refresh():
    with Simulator(Gain(2.0), inputs={"u": 1.0}) as simulator:
        simulator.start()
        simulator["u"], y = 5.0, simulator["gain.y"]
        assert y == 2.0
        simulator.refresh()
        assert y == 10.0
        simulator["gain.gain"] = 3.0
        simulator.refresh()
        assert y == 15.0
        assert simulator.time == 0.0


def test_views_are_no_copies_and_elements_have_names():
    diagram = Diagram()
    vessel = diagram.add("vessel", Vessel3DOF.from_vehicle("otter"))
    diagram.inputs(force=vessel.force)
    with Simulator(diagram, step=0.1, inputs={"force": np.zeros(6)}) as simulator:
        eta, x = simulator["vessel.eta"], simulator["vessel.eta[x]"]
        force = simulator.inputs["force"]
        force[0] = 50.0
        simulator.advance(2.0)
        assert 0.0 < eta[0] == x == simulator.outputs["vessel.eta[0]"]
        simulator["force[X]"] = -50.0
        assert force[0] == -50.0
        with pytest.raises(ValueError, match="read-only"):
            eta[0] = 1.0
        assert eta.base is not None
        assert f"{x:.3f}" == f"{eta[0]:.3f}"
        assert [n in simulator for n in ("vessel.eta", "vessel.eta[psi]", "force[5]")] == [True] * 3
        assert [n in simulator for n in ("vessel.ata", "vessel.eta[si]", "vessel.eta[psi", 3)] == [False] * 4
        with pytest.raises(SimulationError, match="has no element 'si'; did you mean 'psi'"):
            simulator["vessel.eta[si]"]


def test_parameters_are_checked_as_when_the_block_was_made():
    with Simulator(busy(), inputs={"u": 0.0}) as simulator:
        simulator["slope.rising"] = 2.0
        simulator["stock.initial_x"] = 0.1
        simulator.advance(0.5)
        assert simulator["slope.rising"] == 2.0
        with pytest.raises(ParameterError, match=r"slope.rising must be > 0, not -1"):
            simulator["slope.rising"] = -1.0
        assert simulator["slope.rising"] == 2.0
        with pytest.raises(ParameterError, match=r"stock.initial_x cannot change while the run goes on .*reset\("):
            simulator["stock.initial_x"] = 0.2
        with pytest.raises(ParameterError, match=r"hold.period .*cannot change"):
            simulator["hold.period"] = 0.1
        simulator.reset(parameters={"stock.initial_x": 0.2})
        assert simulator["stock.y"] == 0.2
        assert simulator.time == 0.0


def test_a_parameter_set_in_mid_run_is_that_of_a_run_from_there():
    """x' = k u: the slope changes at the instant, not a step later."""
    diagram = Diagram()
    diagram.connect(diagram.add("gain", Gain(1.0)).y, diagram.add("x", Integrator()).u)
    diagram.inputs(u="gain.u")
    with Simulator(diagram, inputs={"u": 1.0}) as simulator:
        simulator.advance(0.5)
        simulator["gain.gain"] = -2.0
        simulator.advance(0.25)
        assert simulator["x.y"] == pytest.approx(0.0, abs=1e-15)
        assert simulator.result().values("gain.y")[49:52].tolist() == [1.0, -2.0, -2.0]


def test_parameters_of_blocks_in_python_are_those_of_this_simulator():
    block = Doubler()
    with Simulator(block, inputs={"u": 1.0}) as simulator:
        simulator.advance(0.1)
        simulator["doubler.k"] = 5.0
        simulator.refresh()
        assert simulator["doubler.y"] == 5.0
        assert block.k == 2.0


def test_an_array_of_a_parameter_can_be_given_back():
    """Also where the diagram has one number for all elements; not one of another length."""
    for u, gains in ((1.0, [2.0]), ([1.0, 2.0, 3.0], [2.0, 2.0, 2.0])):
        with Simulator(Gain(2.0), inputs={"u": u}) as simulator:
            simulator["gain.gain"] = 2.0 * simulator["gain.gain"]
            simulator["gain.gain[0]"] = 7.0
            assert simulator["gain.gain"].tolist() == [7.0, *(2.0 * g for g in gains[1:])]
            with pytest.raises(ParameterError, match="must be as long as in the diagram"):
                simulator["gain.gain"] = [1.0, 2.0]


def test_a_table_of_unknown_length_grows_and_keeps_what_it_should():
    with (
        Simulator(busy(), inputs={"u": 0.0}, record="plant.y", keep="5 s") as last,
        Simulator(busy(), inputs={"u": 0.0}, record="plant.y") as all_of_it,
    ):
        for _ in range(60):
            last.advance(0.75)
            all_of_it.advance(0.75)
        whole, end = all_of_it.result(), last.result()
        assert len(whole) == 4501
        assert np.all(np.diff(whole.time) > 0.0)
        assert len(end) == 501
        assert np.array_equal(end.values("plant.y"), whole.values("plant.y")[-len(end) :])


def test_the_last_row_is_what_holds_from_there_on():
    with Simulator(Gain(2.0), inputs={"u": 1.0}) as simulator:
        simulator.advance(0.1)
        simulator["u"] = 5.0
        assert simulator.result().values("gain.y")[-1] == 10.0


def test_nothing_is_recorded_on_demand():
    with Simulator(busy(), inputs={"u": 0.0}, record=[]) as simulator:
        simulator.advance(30.0)
        assert len(simulator.result().places) == 0
        assert simulator["plant.y"] != 0.0


def growing() -> Diagram:
    """x' = x²."""
    diagram = Diagram()
    x = diagram.add("x", Integrator(initial_x=1.0))
    square = diagram.add("square", Product())
    diagram.connect(x.y, square.in1, square.in2)
    diagram.connect(square.y, x.u)
    return diagram


def test_a_run_that_has_to_stop_says_why_and_keeps_what_was_recorded():
    with Simulator(growing(), step=0.01, solver="euler") as simulator:
        simulator.advance(0.5)
        state = simulator.save()
        with pytest.raises(RunStopped, match=r"square: output y is not a finite number at t = ") as problem:
            simulator.advance(until=100.0)
        assert simulator.status == "failed"
        assert len(problem.value.result) > 100
        assert simulator.result().status == "failed"
        with pytest.raises(SimulationError, match=r"the run failed at t = .*reset\(\) begins anew"):
            simulator.advance(0.1)
        simulator.restore(state)
        assert simulator.running
        assert simulator.advance(0.1) == pytest.approx(0.6)


def test_the_stop_signal_ends_an_advance():
    diagram = Diagram()
    clock = diagram.add("x", Integrator())
    diagram.inputs(u=clock.u)
    with Simulator(diagram, inputs={"u": 1.0}, stop="x.y") as simulator:
        assert simulator.advance(until=2.0) == pytest.approx(0.5)
        assert simulator.status == "stopped"
        assert not simulator.running
        assert simulator.result().time[-1] == pytest.approx(0.5)
        with pytest.raises(SimulationError, match=r"the run stopped at t = 0.5 s by 'x.y'"):
            simulator.advance(0.1)


@pytest.mark.parametrize(
    ("what", "says"),
    [
        (lambda s: s["vessel.eta"], "nothing is called 'vessel.eta'"),
        (lambda s: s["plant.yy"], "nothing is called 'plant.yy'; did you mean 'plant.y'"),
        (lambda s: s["plant.y[k]"], r"plant.y has no element 'k'"),
        (lambda s: s.__setitem__("plant.y", 1.0), "'plant.y' is an output; inputs and parameters can be set"),
        (lambda s: s.__setitem__("v", 1.0), "no input or parameter 'v'"),
        (lambda s: s.__setitem__("u", [1.0, 2.0]), "input 'u' takes a single number"),
        (lambda s: s.__setitem__("u", "fast"), "input 'u' must be a number"),
        (lambda s: s.__setitem__("u", np.nan), "input 'u' must be finite"),
        (lambda s: s.__setitem__("gain.gain", "x"), "gain"),
        (lambda s: s.advance(), r"by how much\? advance\(0.1\)"),
        (lambda s: s.advance(-0.1), "duration must be finite and ≥ 0 s, not -0.1"),
        (lambda s: s.advance(np.inf), "duration must be finite"),
        (lambda s: s.advance(np.nan), "duration must be finite"),
        (lambda s: s.advance("2 parsec"), "duration"),
        (lambda s: s.advance(until=0.05), "until must be finite and ≥ 0.1 s"),
        (lambda s: s.advance(0.1, until=0.2), "a duration or an instant"),
        (lambda s: s.start(), "has been started; to begin anew: reset"),
        (lambda s: s.reset(parameters=[1.0]), r"parameters are a mapping of names to values, .*, not \[1.0\]"),
        (lambda s: copy.copy(s), "cannot be copied or pickled"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_and_harms_nothing(what, says):
    with Simulator(busy(), inputs={"u": 0.0}) as simulator:
        simulator.advance(0.1)
        with pytest.raises((SimulationError, ParameterError), match=says):
            what(simulator)
        assert simulator.running
        assert simulator.advance("100 ms") == pytest.approx(0.2)


def test_what_cannot_be_simulated_is_said_at_once():
    with pytest.raises(SimulationError, match="expected a Diagram or a Block, got str"):
        Simulator("diagram")
    with pytest.raises(SimulationError, match=r"not LSODA, which has to know the whole run: simulate\("):
        Simulator(busy(), solver="LSODA")
    with pytest.raises(SimulationError, match=r"record takes names of outputs, .* not 3"):
        Simulator(busy(), record=["plant.y", 3])
    with pytest.raises(SimulationError, match=r"outputs: no output 'plant.z'; did you mean 'plant.y'"):
        Simulator(busy(), outputs="plant.z")
    with pytest.raises(SimulationError, match=r"inputs are a mapping .* not \[0.0\]"):
        Simulator(busy(), inputs=[0.0])
    with pytest.raises(SimulationError, match="no input 'w'"):
        Simulator(busy(), inputs={"w": 0.0})
    with Simulator(Integrator()) as simulator, pytest.raises(SimulationError, match="the input 'u' needs a value: sim"):
        simulator.advance(1.0)
    with pytest.raises(SimulationError, match="this Simulator is closed"):
        simulator.advance(1.0)


def test_after_ctrl_c_the_run_goes_on_from_a_whole_step():
    whole = simulate(busy(), 3.0, inputs={"u": 0.0}, record="work.y")
    with Simulator(busy(), inputs={"u": 0.0}, record="work.y", keep=1.0) as simulator:
        simulator.start()
        threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
        with pytest.raises(RunInterrupted, match=r"interrupted at t = [0-9.e+]+ s"):
            simulator.advance(until=1e9)
        simulator.reset()
        simulator.advance(until=3.0)
        assert simulator["work.y"] == whole.values("work.y")[-1]


def test_inputs_that_vary_are_given_as_in_simulate():
    series = ([0.0, 1.0], [0.0, 2.0])
    whole = simulate(busy(), 1.0, inputs={"u": series})
    with Simulator(busy(), inputs={"u": series}) as simulator:
        for _ in range(10):
            simulator.advance(0.1)
        assert same(whole, simulator.result())


def test_what_is_not_evaluated_is_not_shown():
    with Simulator(busy(), inputs={"u": 0.0}, record=[], outputs="plant.y") as simulator:
        simulator.advance(0.1)
        assert list(simulator.outputs) == ["plant.y"]
        with pytest.raises(SimulationError, match=r"'gate.y' is not evaluated, since it is neither recorded nor among"):
            simulator["gate.y"]


def test_any_block_is_a_simulator_of_its_own():
    block: Block = Integrator()
    with Simulator(block, inputs={"u": 1.0}) as simulator:
        simulator.advance("2 s")
        assert simulator["integrator.y"] == pytest.approx(2.0)
        assert repr(simulator) == "<Simulator at t = 2 s, running: rk4, 0.01 s>"
