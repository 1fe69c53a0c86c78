"""Members that go side by side in lanes have the numbers of going alone, to the last bit, whatever each does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from busy import busy
from study_subjects import blow_up

from blocks import Diagram, Fleet, Swarm
from blocks.basic import FirstOrderLag, Integrator, Step
from blocks.block import library
from blocks.compiled import side_by_side
from blocks.errors import SimulationError
from blocks.plan import make_plan
from blocks.study import Study
from blocks.swarm.result import SwarmResult
from blocks.trials.circumstances import driven
from blocks.trials.samples import Sample, samples_of
from cython_kernels.plain_c.lanes.parts import LanesC

COUNT = 11
"""No multiple of any number of lanes."""
FEW = ("control.PID", "guidance.LineOfSight", "sensors.Gnss", "thrust.ThrustAllocation", "basic.LookupTable2D")


def assert_same(one: SwarmResult, other: SwarmResult) -> None:
    """All that was recorded, and how each ended."""
    assert list(one) == list(other)
    for name in one:
        assert one.values(name).tobytes() == other.values(name).tobytes(), name
    assert (one.status, one.messages) == (other.status, other.messages)
    assert np.array_equal(one.end_times, other.end_times)


def run_both(swarm: Swarm, end: float, apart: bool = False, **how: Any) -> SwarmResult:
    """A swarm is equal in lanes, on one thread and on two; what comes of it.

    apart: whether some do otherwise than the others on the way. Where none does, each step is taken side by side: what
    is wrong there would else be given up unseen, as what is not finite is.
    """
    one_by_one = swarm.run(end, **how)
    for threads in (1, 2):
        together = swarm.run(end, compiled=True, threads=threads, **how)
        assert "side by side" in together.compiled
        width = int(re.findall(r"(\d) side by side", together.compiled)[0])
        count = len(together.status)
        alone = count % width == 1  # one that is left over
        beside = pytest.approx(1.0 - alone / count, abs=1e-12)
        assert together.share_side_by_side < 1.0 if apart else together.share_side_by_side == beside
        assert_same(one_by_one, together)
        for name in how.get("summarise", ()):
            for which in ("mean", "standard_deviation", "least", "greatest"):
                assert one_by_one.statistic(name, which).tobytes() == together.statistic(name, which).tobytes()
    return one_by_one


@pytest.mark.parametrize("solver", ["rk4", *(pytest.param(name, marks=pytest.mark.slow) for name in ("euler", "heun"))])
def test_samples_modes_events_and_noise(solver: str) -> None:
    swarm = Swarm(busy(), COUNT, parameters={"gain.gain": np.linspace(1.0, 3.0, COUNT)}, inputs={"u": 1.0})
    done = run_both(swarm, 3.0, solver=solver, step=0.01, summarise=["plant.y"])
    assert np.ptp(done.values("plant.y")[:, -1]) > 1e-3


def stepped() -> Diagram:
    """A lag behind a step."""
    diagram = Diagram("stepped")
    diagram.add("step", Step(time=0.4))
    diagram.add("lag", FirstOrderLag(0.2))
    diagram.connect("step.y", "lag.u")
    return diagram


def test_each_jumps_and_stops_at_an_instant_of_its_own() -> None:
    times = 0.3 + 0.1237 * np.arange(COUNT)
    swarm = Swarm(stepped(), COUNT, parameters={"step.time": times})
    run_both(swarm, 2.0, True, step=0.01)
    run_both(Swarm(stepped(), 4, parameters={"step.time": [0.5, 0.5, 1.0, 1.0]}), 1.0, True, step=0.01, stop="step.y")
    done = run_both(swarm, 1.2, True, step=0.01, stop="step.y")
    assert done.status[0] == "stopped"
    assert done.status[-1] == "end"
    assert done.end_times[:7] == pytest.approx(times[:7], abs=0.011)


def test_one_fails_and_the_others_go_on() -> None:
    begins = np.linspace(0.1, 2.1, COUNT)
    done = run_both(Swarm(blow_up(), COUNT, parameters={"x.initial_x": begins}), 1.0, True, step=0.01)
    assert done.status[:4] == ["end"] * 4
    assert done.status[-1] == "failed"
    assert "is not a finite number at t = " in done.messages[COUNT - 1]


def drives(diagram: Diagram, count: int) -> dict[str, np.ndarray]:
    """Amplitudes of the sources of `driven`, greater from member to member."""
    plan = make_plan(diagram)
    found = {}
    for name, place in plan.parameters.items():
        if name.rpartition(".")[0].rpartition(".")[2].startswith("source_") and name.endswith(".amplitude"):
            value = plan.start_values[place.slice].reshape(place.shape)
            found[name] = np.multiply.outer(1.0 + 0.05 * np.arange(count), value)
    assert found
    return found


@pytest.fixture
def _lags_by_member(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if lags were kernels of a library: of these each member runs its own."""
    monkeypatch.setattr(LanesC, "has", lambda self, function: not function.startswith("first_order_lag"))


@pytest.mark.usefixtures("_lags_by_member")
def test_kernels_that_run_member_by_member_leave_nothing_behind_of_a_stride_that_is_given_up() -> None:
    times = 0.3 + 0.1237 * np.arange(COUNT)
    swarm = Swarm(stepped(), COUNT, parameters={"step.time": times})
    run_both(swarm, 1.2, True, step=0.01, stop="step.y")


@pytest.mark.slow
def test_some_blocks_driven() -> None:
    diagram = Diagram("some")
    for name in FEW:
        diagram.add(name.split(".")[1], driven(samples_of(library()[name])[0]))
    run_both(Swarm(diagram, COUNT, parameters=drives(diagram, COUNT)), 1.0, step=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("group", range(8))
def test_every_block_driven(all_samples: list[Sample], group: int) -> None:
    diagram = Diagram("all")
    for number, sample in enumerate(all_samples[group::8]):
        diagram.add(f"d{number}", driven(sample))
    run_both(Swarm(diagram, 6, parameters=drives(diagram, 6)), 1.0, step=0.02)


def go_by_hand(compiled: bool) -> list[bytes]:
    """A fleet in uneven steps, with inputs that change and vehicles that begin anew at different instants."""
    seen = []
    with Fleet(busy(), COUNT, inputs={"u": 1.0}, step=0.01, outputs=["plant.y"], compiled=compiled) as fleet:
        assert ("side by side" in fleet.compiled) == compiled
        for number, by in enumerate((0.3, 0.007, 0.05, 0.2501, 0.02, 0.02, 0.02, 0.4)):
            changed = np.arange(COUNT) % (number % 3 + 1) == 0  # those of the others stay
            fleet.inputs["u"][changed] = np.linspace(0.0, 1.0 + number, COUNT)[changed]
            fleet.advance(by)
            seen.append(fleet["plant.y"].tobytes())
            if number in (2, 4):
                fleet.reset(np.arange(COUNT) % 3 == 0)
        seen.append(np.asarray(fleet.time).tobytes())
        seen.append(str([(engine.steps, engine.evaluations) for engine in fleet._engines]).encode())
    return seen


def test_a_fleet_with_inputs_and_vehicles_that_begin_anew() -> None:
    assert go_by_hand(False) == go_by_hand(True)


def lags(**how: Any) -> Study:
    """Members that end when the step comes, or do not."""
    factors = {"step.time": [0.2, 0.35, 5.0], "lag.time_constant": [0.1, 0.2, 0.4, 0.8, 1.6]}
    metrics = {"last": "final(lag.y)", "mean": "mean(lag.y)", "peak": "greatest(lag.y)"}
    return Study(stepped(), factors, metrics, end=1.0, step=0.01, **how)


@pytest.mark.parametrize("batch", [1, 2, 7, None])
def test_a_study_in_batches(batch: int | None) -> None:
    alone = lags().run("serial")
    together = lags().run("serial", compiled=True, batch=batch)
    assert together.compiled.startswith("compiled: ")
    assert together.records.metrics.tobytes() == alone.records.metrics.tobytes()
    assert together.records.end_time.tobytes() == alone.records.end_time.tobytes()
    assert np.ptp(alone.records.metrics[:, 0]) > 0.1


@pytest.mark.slow
def test_what_a_processor_lacks_is_done_otherwise_with_the_same_numbers() -> None:
    """Two members at once are what every processor has."""
    program = (
        "import sys, numpy as np; sys.path.insert(0, sys.argv[1]); from busy import busy; from blocks import Swarm; "
        "run = Swarm(busy(), 5, parameters={'gain.gain': np.linspace(1.0, 3.0, 5)}, inputs={'u': 1.0})"
        ".run(1.0, step=0.01, compiled=True); print(run.compiled); print(run.values('plant.y').tobytes().hex())"
    )
    support = str(Path(__file__).parents[2] / "support")
    told = subprocess.run(
        [sys.executable, "-c", program, support], env=os.environ | {"KEELBLOCKS_SIMD": "baseline"},
        capture_output=True, text=True, check=True,
    ).stdout.split("\n")  # fmt: skip
    assert "2 side by side (baseline)" in told[0]
    swarm = Swarm(busy(), 5, parameters={"gain.gain": np.linspace(1.0, 3.0, 5)}, inputs={"u": 1.0})
    assert bytes.fromhex(told[1]) == swarm.run(1.0, step=0.01).values("plant.y").tobytes()


def test_an_adaptive_solver_takes_steps_of_its_own_for_each() -> None:
    with pytest.raises(SimulationError, match="members take steps of their own with dopri5: only euler, heun, rk4"):
        side_by_side.lanes(make_plan(Integrator(), solver="dopri5"))
    swarm = Swarm(busy(), 3, parameters={"gain.gain": [1.0, 2.0, 3.0]}, inputs={"u": 1.0})
    alone, compiled = (swarm.run(1.0, solver="dopri5", compiled=asked) for asked in (False, True))
    assert compiled.compiled.startswith("compiled: ")
    assert "side by side" not in compiled.compiled
    assert_same(alone, compiled)
