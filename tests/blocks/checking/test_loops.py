"""Loops in files: what is warned of, what a run that stopped or swung is told, and where nothing is said."""

from __future__ import annotations

import math

import pytest
from control_loops import HEADING_LOOP

from blocks import RunStopped
from blocks.checking import check_text
from blocks.checking.loops import divergence, oscillations, stop_causes
from blocks.scenario import Scenario

TEXT = HEADING_LOOP.replace("kd: 4", "kd: 80")


def codes(text: str) -> list[str]:
    return [problem.code for problem in check_text(text).problems]


LAG = """
keelblocks: 1
name: lag
diagram:
  blocks:
    lag: {{type: basic.FirstOrderLag, parameters: {{time_constant: 1 s}}}}
    pid: {{type: control.PID, parameters: {{kp: {kp}, derivative: none, ki: 3}}}}
    set: {{type: basic.Constant, parameters: {{value: 1}}}}
  connections:
    set.y: pid.reference
    lag.y: pid.measurement
    pid.output: lag.u
  outputs:
    y: lag.y
run: {{solver: euler, step: {step}, end: 60}}
"""


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("kd: 80", []),
        ("kd: 4", ["small-phase-margin"]),
        ("ki: 90, kd: 30", ["unstable-loop"]),
    ],
)
def test_what_is_said_of_a_loop(change: str, found: list[str]) -> None:
    assert codes(TEXT.replace("kd: 80", change)) == found


def test_a_loop_with_a_sampled_block_is_not_judged() -> None:
    text = TEXT.replace("kd: 80", "kd: 4").replace("vessel.eta[psi]: h", "vessel.eta[psi]: hold.u\n    hold.y: h")
    text = text.replace("    wrench:", "    hold: {type: basic.ZeroOrderHold, parameters: {period: 0.1}}\n    wrench:")
    assert codes(text) == []


def test_a_run_that_swings_is_told_its_period_and_its_loop() -> None:
    """k_p/m = 2.5 1/s² and 2ζω = 8/20 1/s: ζ = 0.13, and a period of 2π/√(2.5 - 0.04) s."""
    text = TEXT.replace("kd: 80", "kd: 4")
    scenario = Scenario.from_text(text)
    (problem,) = oscillations(scenario, scenario.run())
    period = 2.0 * math.pi / math.sqrt(2.5 - 0.04)
    assert period == pytest.approx(4.0, abs=0.01)
    assert problem.code == "oscillation"
    assert "heading.error oscillates, fading slowly, with a period of 4 s from 5 s" in problem.text
    assert "the loop of heading.output does that, with a phase margin of 14°" in problem.text
    assert "keelblocks lab design" in problem.text
    calm = Scenario.from_text(TEXT)
    assert oscillations(calm, calm.run()) == ()


def test_a_run_that_stopped_is_told_the_mode_that_grew() -> None:
    text = TEXT.replace("DiagonalVessel3DOF, parameters: {inertia: [60, 60, 20], linear_damping: [20, 40, 4]}",
                        "Vessel6DOF, vehicle: bluerov2_heavy")  # fmt: skip
    text = text.replace("    wrench:", "    push: {type: basic.Constant, parameters: {value: 100 N}}\n    wrench:")
    text = text.replace("    wrench.force", "    push.y: wrench.X\n    wrench.force").replace("kd: 80", "kd: 30")
    scenario = Scenario.from_text(text.replace("step: 0.05", "step: 0.02"))
    with pytest.raises(RunStopped, match="pitch angle has reached") as stopped:
        scenario.run()
    (problem,) = stop_causes(scenario, float(stopped.value.result.time[-1]))
    assert problem.code == "unstable-loop"
    assert "pitch" in problem.text
    assert "No controller acts on it" in problem.text


def test_a_step_that_a_filter_does_not_bear_is_named() -> None:
    (problem,) = check_text(
        TEXT.replace("kd: 80, derivative: rate", "kd: 80").replace("    vessel.nu[r]: heading.rate\n", "")
    ).problems
    assert problem.code == "step-too-long"
    assert "rk4 with a step of 0.05 s cannot follow heading.filter" in problem.text


@pytest.mark.parametrize(("step", "named"), [(1.0, True), (0.9, False), (0.4, False)])
def test_a_step_at_the_limit_of_eulers_method_is_too_long(step: float, named: bool) -> None:
    """Sway fades with m/d = 0.5 s: at z = -h d/m = -2 it swings for ever by Euler's method, at -1.8 it fades."""
    text = HEADING_LOOP.replace("inertia: [60, 60, 20], linear_damping: [20, 40, 4]",
                                "inertia: [60, 20, 20], linear_damping: [20, 40, 4]")  # fmt: skip
    text = text.replace("kp: 50, kd: 4", "kp: 0.5, kd: 4").replace("step: 0.05", f"solver: euler, step: {step}")
    found = [problem for problem in check_text(text).problems if problem.code == "step-too-long"]
    assert bool(found) == named


@pytest.mark.parametrize(
    ("kp", "step", "cause"),
    [(-5.0, 0.01, "unstable-loop"), (5000.0, 0.001, "step-too-long")],
)
def test_a_run_that_ends_with_numbers_that_cannot_be_is_told(kp: float, step: float, cause: str) -> None:
    scenario = Scenario.from_text(LAG.format(kp=kp, step=step))
    run = scenario.run()
    assert run.status == "end"
    found = divergence(scenario, run)
    assert [one.code for one in found] == ["diverged", cause]
    assert "cannot be trusted: pid.integral grew to" in found[0].text
    assert "cannot be trusted" in run.summary()


def test_a_run_that_is_calm_is_trusted() -> None:
    scenario = Scenario.from_text(LAG.format(kp=5.0, step=0.001))
    run = scenario.run()
    assert divergence(scenario, run) == ()
    assert "cannot be trusted" not in run.summary()
