"""Inputs over time: held or linear, each by itself, with the jumps of what is held at their very instants."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

from blocks import Diagram, simulate
from blocks.basic import Integrator, Pulse, StateSpace, Step
from blocks.errors import ScenarioError, SimulationError
from blocks.scenario import Scenario
from blocks.study import Study

A, B = np.array([[0.0, 1.0], [-4.0, -0.8]]), np.array([[0.0], [4.0]])
SPRING = StateSpace(A=A, B=B, C=np.eye(2), D=np.zeros((2, 1)))
RANDOM = np.random.default_rng(4)
TIMES = np.concatenate([[0.0], np.cumsum(RANDOM.uniform(0.05, 0.4, size=39))])
"""No step of a round number of milliseconds meets them."""
LEVELS = RANDOM.normal(size=(40, 1))
END = float(TIMES[-1]) + 0.3


def discretised() -> np.ndarray:
    """The state at the end, by the exact zero-order-hold discretisation of each interval."""
    x = np.zeros(2)
    for length, level in zip(np.diff([*TIMES, END]), LEVELS[:, 0], strict=True):
        step = expm(length * np.block([[A, B], [np.zeros((1, 3))]]))
        x = step[:2, :2] @ x + step[:2, 2] * level
    return x


def error(**settings: object) -> float:
    run = simulate(SPRING, END, inputs={"u": (TIMES, LEVELS, "hold")}, **settings)
    return float(np.abs(run.values("state_space.y")[-1] - discretised()).max())


@pytest.mark.parametrize(("solver", "order"), [("euler", 1.0), ("heun", 2.0), ("rk4", 4.0)])
def test_a_fixed_step_that_divides_no_interval_keeps_its_order(solver: str, order: float) -> None:
    coarse, fine = (error(solver=solver, step=step) for step in (0.04, 0.01))
    assert np.log2(coarse / fine) / 2.0 == pytest.approx(order, abs=0.15)


@pytest.mark.parametrize("solver", ["dopri5", "LSODA", "Radau"])
def test_adaptive_solvers_keep_their_tolerance(solver: str) -> None:
    assert error(solver=solver, step=0.1, relative_tolerance=1e-8, absolute_tolerance=1e-10) < 1e-6


def test_the_grid_of_what_is_recorded_stays() -> None:
    run = simulate(SPRING, END, step=0.1, inputs={"u": (TIMES, LEVELS, "hold")})
    assert run.time == pytest.approx(np.append(0.1 * np.arange(int(END / 0.1) + 1), END)[: len(run.time)], abs=1e-12)
    assert run.attributes["steps"] > len(run.time) + 30


def test_steps_and_pulses_jump_at_their_instants_too() -> None:
    area = Diagram()
    step, pulse = area.add("step", Step(time=0.123, after=2.0)), area.add("pulse", Pulse(period=0.317, width=0.4))
    for source in (step, pulse):
        area.connect(source.y, area.add(f"area_of_{source.name}", Integrator()).u)
    run = simulate(area, 1.0, step=0.1)
    assert run.values("area_of_step.y")[-1] == pytest.approx(2.0 * (1.0 - 0.123), abs=1e-12)
    assert run.values("area_of_pulse.y")[-1] == pytest.approx(3 * 0.4 * 0.317 + 1.0 - 3 * 0.317, abs=1e-12)


def test_each_element_goes_its_own_way() -> None:
    block = Integrator(initial_x=[0.0, 0.0, 0.0])
    values = np.array([[0.0, 0.0, 4.0], [2.0, 2.0, 0.0], [0.0, 0.0, 8.0]])
    given = ([0.0, 1.0, 3.0], values, ["hold", "linear", "hold"])
    run = simulate(block, 4.0, step=0.3, inputs={"u": given})
    assert run.values("integrator.y")[-1] == pytest.approx([4.0, 3.0, 12.0])


def test_names_of_blocks_are_the_users() -> None:
    tank = Diagram()
    level = tank.add("flow_series", Integrator())
    tank.inputs(flow=level.u)
    run = simulate(tank, 4.0, inputs={"flow": ([0.0, 1.0, 3.0], [0.0, 2.0, 0.0], "hold")})
    assert run.values("flow_series.y")[-1] == pytest.approx(4.0)


SCENARIO = """
keelblocks: 1
name: tank
diagram:
  blocks: {level: {type: basic.Integrator}}
  inputs: {flow: level.u}
  outputs: {level: level.y}
run:
  end: 4
  inputs: {flow: {times: [0, 1, 3], values: [0, 2, 0], interpolation: hold}}
"""


def test_files_say_it_and_keep_it() -> None:
    scenario = Scenario.from_text(SCENARIO)
    again = Scenario.from_text(scenario.to_yaml())
    assert again.run().values("level.y")[-1] == pytest.approx(4.0)
    silent = Scenario.from_text(SCENARIO.replace(", interpolation: hold", ""))
    assert silent.run().values("level.y")[-1] == pytest.approx(3.0)
    assert "interpolation" not in silent.to_yaml()


def test_a_study_takes_it() -> None:
    study = Study(
        Scenario.from_text(SCENARIO).diagram, {"level.initial_x": [0.0, 1.0]}, {"filled": "final(level.y)"}, end=4.0,
        inputs={"flow": ([0.0, 1.0, 3.0], [0.0, 2.0, 0.0], "hold")},
    )  # fmt: skip
    assert study.run().values("filled").tolist() == pytest.approx([4.0, 5.0])


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("held", "input 'u': the interpolation must be 'linear' or 'hold', not 'held'; did you mean 'hold'"),
        (["hold", 3], "must be 'linear' or 'hold', not 3"),
        (["hold", "linear"], "input 'u' needs one interpolation, or one for each of its elements: 1, not 2"),
    ],
)
def test_an_interpolation_that_is_none_says_so(how: object, message: str) -> None:
    with pytest.raises(SimulationError, match=message):
        simulate(SPRING, END, inputs={"u": (TIMES, LEVELS, how)})


def test_in_a_file_with_its_line() -> None:
    with pytest.raises(ScenarioError, match=r"scenario:10: .*interpolation: linear or hold, .* is wanted, not 'held'"):
        Scenario.from_text(SCENARIO.replace("hold", "held"))
