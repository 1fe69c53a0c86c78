"""States of a Simulator: saved, restored, begun anew, here and in another process."""

from __future__ import annotations

import subprocess
import sys

import pytest
from busy import busy
from simulators import Doubler, same

from blocks import (
    Diagram,
    Simulator,
    simulate,
)
from blocks.basic import GaussianNoise, Integrator, Saturation
from blocks.errors import ParameterError, SimulationError


def test_parameters_are_checked_against_those_that_there_are():
    """Not against what a state that was left had, nor against what was refused together with others."""
    with Simulator(Saturation(-1.0, 1.0), inputs={"u": 9.0}) as simulator:
        simulator.start()
        state = simulator.save()
        simulator["saturation.upper"] = 8.0
        wide = simulator.save()
        simulator.restore(state)
        with pytest.raises(ParameterError, match="must not exceed upper: 5 is above 1"):
            simulator["saturation.lower"] = 5.0
        with pytest.raises(SimulationError, match="no parameter"):
            simulator.reset(parameters={"saturation.upper": 8.0, "saturation.uper": 8.0})
        with pytest.raises(ParameterError, match="must not exceed upper: 5 is above 1"):
            simulator["saturation.lower"] = 5.0
        simulator.restore(wide)
        simulator["saturation.lower"] = 5.0
        assert simulator["saturation.upper"] == 8.0


def test_a_state_that_cannot_be_written_leaves_the_run_where_it_is():
    with Simulator(Integrator(), inputs={"u": 1.0}) as simulator:
        simulator.advance(0.1234)
        with pytest.raises(SimulationError, match="cannot write the checkpoint"):
            simulator.save(__file__ + "/run")
        assert [simulator.time, simulator["integrator.y"]] == pytest.approx([0.1234] * 2)


def test_states_bring_the_parameters_of_blocks_in_python_along(tmp_path):
    with Simulator(Doubler(), inputs={"u": 1.0}) as first, Simulator(Doubler(), inputs={"u": 1.0}) as second:
        first.start()
        before = first.save()
        first["doubler.k"] = 5.0
        after = first.save(tmp_path / "state")
        for state, expected in ((after, 5.0), (before, 2.0), (tmp_path / "state", 5.0)):
            second.restore(state)
            second.advance(0.1)
            assert second["doubler.y"] == second["doubler.k"] == expected


@pytest.mark.parametrize("solver", ["rk4", "dopri5"])
def test_saved_states_go_on_to_the_same_bits(solver, tmp_path):
    settings = {"solver": solver, "step": 0.01, "inputs": {"u": 0.3}}
    whole = simulate(busy(), 1.5, **settings)
    with Simulator(busy(), **settings) as first, Simulator(busy(), **settings) as second:
        first.advance(0.777)
        state = first.save(tmp_path / "run.checkpoint")
        first["u"] = 9.0
        first.advance(0.5)
        first["u"] = 0.3
        first.restore(state)
        assert first.time == second.time + 0.777
        first.advance(until=1.5)
        assert same(first.result(), whole)
        second.restore(tmp_path / "run.checkpoint")
        assert second.time == 0.777
        second.advance(until=1.5)
        assert same(second.result(), whole)


def test_a_state_is_taken_up_in_another_process(tmp_path):
    program = """
import sys
from blocks import Simulator
from busy import busy
with Simulator(busy(), inputs={"u": 0.3}) as simulator:
    simulator.restore(open(sys.argv[1], "rb").read())
    simulator.advance(until=1.2)
    sys.stdout.write(simulator["work.y"].item().hex())
"""
    with Simulator(busy(), inputs={"u": 0.3}) as simulator:
        simulator.advance(0.4321)
        (tmp_path / "state").write_bytes(simulator.save())
        simulator.advance(until=1.2)
        here = simulator["work.y"].item().hex()
    there = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "state")],
        capture_output=True, text=True, check=True, env={"PYTHONPATH": ":".join(p for p in sys.path if p)},
    )  # fmt: skip
    assert there.stdout == here


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda state: b"", "not the state of a Simulator"),
        (lambda state: state[:40], "not the state of a Simulator|saved by another diagram"),
        (lambda state: state[:-3] + b"abc", "not the state of a Simulator"),
        (lambda state: state.replace(b"p-", b"p+", 1), "not the state of a Simulator"),
        (lambda state: Simulator(Integrator(), inputs={"u": 0.0}).save(), "saved by another diagram"),
        (lambda state: 7, "bytes, or the path of a file, not 7"),
        (lambda state: "nowhere.checkpoint", "there is no checkpoint nowhere.checkpoint"),
    ],
)
def test_what_is_no_state_is_refused_and_harms_nothing(change, says):
    with Simulator(busy(), inputs={"u": 0.3}) as simulator:
        simulator.advance(0.3)
        before = simulator["work.y"].item()
        with pytest.raises(SimulationError, match=says):
            simulator.restore(change(simulator.save()))
        assert simulator["work.y"] == before
        simulator.advance(0.1)


def test_reset_begins_anew_and_seeds_are_numbers_of_their_own():
    def path(simulator, **how):
        simulator.reset(**how)
        simulator.advance(0.5)
        return simulator["noise.y"].item(), simulator["work.y"].item()

    with Simulator(busy(), inputs={"u": 0.3}) as simulator:
        simulator.start()
        first = path(simulator)
        assert path(simulator) == first
        one, other = path(simulator, seed=1), path(simulator, seed=2)
        assert len({first, one, other}) == 3
        assert path(simulator, seed=1) == one
        assert len(simulator.result()) == 51
        with pytest.raises(SimulationError, match=r"seed must be a whole number ≥ 0, not -1"):
            simulator.reset(seed=-1)


def test_two_blocks_have_two_seeds_from_one():
    diagram = Diagram()
    for name in ("a", "b"):
        diagram.add(name, GaussianNoise(period=0.1))
    with Simulator(diagram) as simulator:
        simulator.reset(seed=5)
        assert simulator["a.seed"] != simulator["b.seed"]


def test_nothing_of_before_is_recorded_after_a_reset():
    """Neither what was moved into a larger table, nor what a restored state brought along."""
    with Simulator(Integrator(), inputs={"u": 1.0}) as simulator:
        simulator.advance(20.0)
        simulator.reset()
        simulator.advance(0.5)
        state = simulator.save()
        assert len(simulator.result()) == 51
        simulator.restore(state)
        simulator.reset()
        assert len(simulator.result()) == 1
