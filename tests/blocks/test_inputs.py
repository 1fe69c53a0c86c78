"""Inputs over time: held or linear, each by itself, with the jumps of what is held at their very instants."""

from __future__ import annotations

import re

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


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (([[0], [1, 2]], [1, 2], "hold"), "the times of input 'u' must be a list of numbers, not [[0], [1, 2]]"),
        (([[0, 1]], [1, 2], "hold"), "the times of input 'u' must be a list of numbers, not [[0, 1]]"),
        (([0, 1], [[0], [1, 2]]), "the values of input 'u' must be a number, or a list of as many numbers, for each"),
        (([0, 1], [1, 2], None), "the interpolation must be 'linear' or 'hold', not None"),
        (([0, 1], [1, 2], 1), "the interpolation must be 'linear' or 'hold', not 1"),
        (([0, 1], [1, 2], b"hold"), "the interpolation must be 'linear' or 'hold', not b'hold'"),
        (([0, 1], [1, 2], "h" * 10_000), "the interpolation must be 'linear' or 'hold', not 'hhh"),
        (([0, 1], [1, 2], [3, 4]), "input 'u' takes an array of 1, not an array of 3×2"),
    ],
)  # fmt: skip
def test_what_is_no_signal_says_which_part_is_wrong(value: object, message: str) -> None:
    with pytest.raises(SimulationError, match=re.escape(message)) as caught:
        simulate(SPRING, END, inputs={"u": value})
    assert len(str(caught.value)) < 250


SPREAD = f"""{SCENARIO.partition("  inputs: {flow: {")[0]}  inputs:
    flow:
      times: [0,
        1, 3]
      values: [0,
        2, 0]
      interpolation: hold
"""
"""Times on lines 12 and 13, values on 14 and 15, the interpolation on 16."""


@pytest.mark.parametrize(
    ("given", "instead", "message"),
    [
        ("interpolation: hold", "interpolation: held",
         "s:16: run.inputs.flow.interpolation: linear or hold, or one of them for each element, is wanted, not 'held'"),
        ("interpolation: hold", "interpolation: [hold, linear]",
         "s:16: input 'flow' needs one interpolation, or one for each of its elements: 1, not 2"),
        (" 1, 3]", " .inf, 3]", "s:13: number 2 of the times of input 'flow' must be finite, not inf"),
        (" 1, 3]", " 4, 3]", "s:11: input 'flow': TimeSeries.times must increase"),
        ("2, 0]", "x, 0]",
         "s:15: number 2 of the values of input 'flow' must be a number or a list of numbers, not 'x'"),
        ("2, 0]", "[2, 3], 0]", "s:14: the values of input 'flow' must be a number, or a list of as many numbers, for"),
        ("2, 0]", "2]", "s:11: input 'flow': "),
        ("flow:\n      times", "flow: x\n    other:\n      times",
         "s:11: run.inputs.flow: a number, a list of numbers, or a mapping, with times and values or a file,"),
    ],
)  # fmt: skip
def test_in_a_file_with_its_line(given: str, instead: str, message: str) -> None:
    assert Scenario.from_text(SPREAD) == Scenario.from_text(SCENARIO)
    with pytest.raises(ScenarioError) as caught:
        Scenario.from_text(SPREAD.replace(given, instead), "s")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
