"""Compiled plans give the numbers of the engine, to the last bit: every block, every solver, every example."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from busy import busy
from libraries import forgetting
from same_bits import assert_compiled_is_same, assert_same, together
from study_subjects import blow_up

from blocks import Diagram, Result, Scenario, simulate
from blocks.basic import Constant, Sine, Step
from blocks.block import library
from blocks.dynamics import Vessel6DOF
from blocks.libraries.building import build
from blocks.libraries.compiling import platforms_of
from blocks.libraries.package import find_library
from blocks.trials.samples import Sample, samples_of

EXAMPLES = Path(__file__).parents[3] / "examples"
FEW = ("control.PID", "guidance.LineOfSight", "sensors.Gnss")


@pytest.mark.slow
@pytest.mark.parametrize("group", range(4))
def test_every_block(all_samples: list[Sample], group: int) -> None:
    """By the solver that calls every list of kernels; members side by side go by another."""
    assert_compiled_is_same(together(all_samples[group::4]), 1.0, solver="dopri5", step=0.05)


@pytest.mark.slow
def test_some_blocks() -> None:
    run = assert_compiled_is_same(together([samples_of(library()[name])[0] for name in FEW]), 1.0, step=0.05)
    assert run.status == "end"


@pytest.mark.parametrize(
    "solver", ["rk4", "dopri5", *(pytest.param(name, marks=pytest.mark.slow) for name in ("euler", "heun"))]
)
def test_every_solver_with_samples_modes_events_and_noise(solver: str) -> None:
    run = assert_compiled_is_same(busy(), 3.0, solver=solver, step=0.01, inputs={"u": 1.0})
    assert np.ptp(run.values("plant.y")) > 0.1


@pytest.mark.slow
def test_inputs_over_time_a_thinned_record_and_an_end_between_two_points() -> None:
    series = ([0.0, 1.0, 2.0], [0.0, 2.0, 1.0])
    run = assert_compiled_is_same(busy(), 2.0047, step=0.01, every=7, inputs={"u": series})
    assert run.time[-1] == 2.0047


def test_a_stop_signal_ends_it_at_the_same_instant() -> None:
    run = assert_compiled_is_same(Step(time=0.4), 3.0, step=0.01, stop="step.y")
    assert run.status == "stopped"
    assert run.time[-1] == pytest.approx(0.4, abs=0.011)


def pitching() -> Diagram:
    """A vehicle whose Euler angles end at a pitch of 90°."""
    vessel = samples_of(Vessel6DOF)[0]()
    vessel.set(initial_nu=[0, 0, 0, 0, 1.0, 0], weight=0.0, buoyancy=0.0, linear_damping=np.zeros((6, 6)))
    diagram = Diagram("pitching")
    diagram.add("rov", vessel)
    diagram.add("zero", Constant(np.zeros(6)))
    diagram.connect("zero.y", "rov.force")
    return diagram


@pytest.mark.slow
def test_a_fault_stops_it_with_the_same_words() -> None:
    run = assert_compiled_is_same(pitching(), 5.0, step=0.01)
    assert run.status == "failed"
    assert run.attributes["message"].startswith("rov stopped the run at t = ")
    assert "±90°" in run.attributes["message"]


def test_what_is_not_finite_is_found_at_the_same_block_and_time() -> None:
    run = assert_compiled_is_same(blow_up(), 12.0, step=0.01)
    assert run.status == "failed"
    assert "is not a finite number at t = " in run.attributes["message"]


@pytest.mark.slow
def test_an_adaptive_solver_gives_up_at_the_same_instant() -> None:
    run = assert_compiled_is_same(blow_up(), 12.0, solver="dopri5", step=0.01)
    assert run.status == "failed"
    assert run.time[-1] == pytest.approx(10.0, abs=0.02)


def test_plans_that_differ_in_numbers_alone_share_their_code() -> None:
    first, other = (assert_compiled_is_same(Sine(amplitude, 2.0), 1.0, step=0.05) for amplitude in (1.0, 3.0))
    assert other.compiled == "compiled: kept from an earlier run"
    assert other.values("sine.y") == pytest.approx(3.0 * first.values("sine.y"))


def test_a_run_in_threads_at_once_is_that_of_one_alone() -> None:
    from concurrent.futures import ThreadPoolExecutor

    def run(_: int) -> Result:
        return simulate(busy(), 2.0, step=0.01, inputs={"u": 1.0}, compiled=True)

    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(run, range(6))
    for other in others:
        assert_same(first, other)


SCENARIOS = [
    path for path in sorted(EXAMPLES.rglob("*.yaml")) if "\nkeelblocks: 1\n" in path.read_text(encoding="utf-8")
]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_every_example(path: Path, tmp_path: Path) -> None:
    with forgetting():
        if path.parent.name == "wave_energy":  # beside a library, which is built where it is not in the way
            path = shutil.copytree(path.parent, tmp_path / "wave_energy") / path.name
            build(find_library(str(path.parent / "wave_energy")), platforms_of(()))
        scenario = Scenario.load(path)
        inputs = dict(scenario.settings.get("inputs") or {})
        for name, port in scenario.diagram.input_ports.items():
            if port.default is None and name not in inputs:
                inputs[name] = np.full(scenario.plan(end=1.0).inputs[name].shape, 0.1)
        assert_compiled_is_same(scenario, end=20.0, **({"inputs": inputs} if inputs else {}))
