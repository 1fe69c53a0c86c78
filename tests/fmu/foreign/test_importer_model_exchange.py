"""Model Exchange FMUs that serve as Co-Simulation: integration, state, time and step events, held inputs."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import fmpy
import numpy as np
import pytest
from foreign_fmus import build

from blocks import Diagram, RunStopped, simulate
from blocks.basic import Constant, Sine
from fmu import FmuBlock
from fmu.foreign.integrator import Lsoda, integrator


@pytest.fixture(scope="module")
def ball(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("ball", tmp_path_factory.mktemp("ball"))


@pytest.fixture(scope="module")
def pendulum(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("pendulum", tmp_path_factory.mktemp("pendulum"))


@pytest.fixture(params=["CVode", "LSODA"])
def solver(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both integrators: FMPy's, and the one that takes its place where FMPy brings none."""
    if request.param == "LSODA":
        monkeypatch.setitem(sys.modules, "fmpy.sundials", None)
    else:
        pytest.importorskip("fmpy.sundials")
    return str(request.param)


def bounces(end: float, e: float = 0.7, g: float = 9.81) -> list[float]:
    """When a ball that is dropped from 1 m bounces."""
    fall = math.sqrt(2.0 / g)
    found, flight = [fall], 2.0 * fall * e
    while found[-1] + flight < end:
        found.append(found[-1] + flight)
        flight *= e
    return found


def height(t: float, e: float = 0.7, g: float = 9.81) -> float:
    """Of that ball."""
    before = [instant for instant in bounces(t + 1e-12) if instant <= t]
    if not before:
        return 1.0 - 0.5 * g * t * t
    speed = math.sqrt(2.0 * g) * e ** len(before)
    since = t - before[-1]
    return speed * since - 0.5 * g * since * since


def test_a_bouncing_ball_bounces_where_physics_says(ball: Path, solver: str) -> None:
    run = simulate(FmuBlock(ball), 2.0, step=0.05)
    expected = np.array([height(t) for t in run.time])
    assert run.values("ball.h") == pytest.approx(expected, abs=2e-6)
    assert run.values("ball.bounces").tolist() == [len([b for b in bounces(2.0) if b <= t]) for t in run.time]


def test_time_events_and_step_events(ball: Path, solver: str) -> None:
    """A tick every 0.3 s, whatever the communication step, and one step event after the fourth."""
    for h in (0.05, 0.07, 0.5, 2.0):
        run = simulate(FmuBlock(ball, h), 2.0, step=h)
        assert run.values("ball.ticks").tolist() == [math.floor(t / 0.3 + 1e-9) for t in run.time]
        assert run.values("ball.step_events").tolist() == [1.0 if t > 1.2 + 1e-9 else 0.0 for t in run.time]


def test_an_oscillator_of_fmi_3_keeps_its_energy_and_counts_its_crossings(pendulum: Path, solver: str) -> None:
    run = simulate(FmuBlock(pendulum), 10.0, step=0.1)
    assert run.values("pendulum.x") == pytest.approx(np.cos(run.time), abs=2e-6)
    assert run.values("pendulum.energy") == pytest.approx(1.0, abs=2e-6)
    crossings = np.floor(run.time / np.pi + 0.5)
    assert run.values("pendulum.crossings").tolist() == crossings.tolist()


def test_the_tolerance_is_that_of_the_integrator(pendulum: Path) -> None:
    def error(tolerance: float) -> float:
        run = simulate(FmuBlock(pendulum, 1.0, tolerance=tolerance), 20.0, step=1.0)
        return float(np.abs(run.values("pendulum.x") - np.cos(run.time)).max())

    coarse, fine, finer = error(1e-3), error(1e-6), error(1e-9)
    assert coarse > 30.0 * fine > 900.0 * finer
    assert finer < 1e-5


def test_inputs_are_held_and_change_at_communication_points(pendulum: Path) -> None:
    """x'' = −x + f with f held for each step: the exact solution from point to point."""
    diagram = Diagram()
    diagram.add("force", Sine(1.0, 2.3))
    diagram.add("pendulum", FmuBlock(pendulum, 0.25))
    diagram.connect("force.y", "pendulum.force")
    run = simulate(diagram, 5.0, step=0.25)
    x, v = 1.0, 0.0
    expected, energy = [], []
    for t in run.time:
        force = math.sin(2.3 * t)
        expected.append(x)
        energy.append(x * x + v * v + force)
        c, s = math.cos(0.25), math.sin(0.25)
        x, v = force + (x - force) * c + v * s, -(x - force) * s + v * c
    assert run.values("pendulum.x") == pytest.approx(expected, abs=1e-6)
    assert run.values("pendulum.energy") == pytest.approx(energy, abs=1e-6), "direct feedthrough of the force"


def test_a_continued_run_is_the_same_to_the_last_bit(ball: Path, tmp_path: Path) -> None:
    file = tmp_path / "run.checkpoint"

    def diagram() -> Diagram:
        made = Diagram()
        made.add("push", Sine(1.0, 3.0))
        made.add("ball", FmuBlock(ball))
        made.connect("push.y", "ball.push")
        return made

    whole = simulate(diagram(), 2.0, step=0.05)
    simulate(diagram(), 1.1, step=0.05, checkpoint=file)
    again = simulate(diagram(), 2.0, step=0.05, resume=file)
    for name in whole:
        assert again.values(name).tobytes() == whole.values(name).tobytes(), name


def test_fmpy_agrees(ball: Path) -> None:
    theirs = fmpy.simulate_fmu(
        str(ball), stop_time=2.0, output_interval=0.05, relative_tolerance=1e-9, record_events=False,
        output=["h", "bounces", "ticks", "step_events"],
    )  # fmt: skip
    ours = simulate(FmuBlock(ball), 2.0, step=0.05)
    assert ours.values("ball.h") == pytest.approx(theirs["h"], abs=2e-6)
    for name in ("bounces", "ticks", "step_events"):
        assert ours.values(f"ball.{name}").tolist() == theirs[name].tolist()


def test_an_fmu_that_asks_for_the_end(ball: Path) -> None:
    """The ball ends the simulation in its first event with e < 0."""
    with pytest.raises(
        RunStopped, match=r"ball stopped the run at t = 0 s: .*ball.fmu: at t = 0 s it asks for the end"
    ):
        simulate(FmuBlock(ball, parameters={"e": -0.1}), 1.0, step=0.05)


def test_events_without_end_stop_the_run(ball: Path) -> None:
    """With e = 0 and a push that presses it down, the ball bounces infinitely often at one instant."""
    diagram = Diagram()
    diagram.add("push", Constant(-1e12))
    diagram.add("ball", FmuBlock(ball, parameters={"e": 0.0, "h": 0.0}))
    diagram.connect("push.y", "ball.push")
    with pytest.raises(
        RunStopped, match=r"ball stopped the run .*ball.fmu: (events follow each other|the integration of)"
    ):
        simulate(diagram, 1.0, step=0.05)


def test_what_goes_wrong_within_the_integrator_is_said(solver: str) -> None:
    """x' = x² from 1 has no solution beyond t = 1."""

    class Model:
        states, indicators = 1, 0

        def __init__(self) -> None:
            self.x = 1.0

        def get_states(self, x, n):
            x[0] = self.x

        def set_states(self, x, n):
            self.x = x[0]

        def get_derivatives(self, dx, n):
            dx[0] = self.x * self.x

        def get_indicators(self, z, n):
            raise AssertionError

        def get_nominals(self, x, n):
            x[0] = 1.0

        def set_time(self, t):
            pass

    made = integrator(Model(), 0.0, 2.0, 1e-6)
    assert isinstance(made, Lsoda) is (solver == "LSODA")
    with pytest.raises(Exception, match=r"CVode error|the integration of its states|takes more than"):
        made.step(0.0, 2.0)
