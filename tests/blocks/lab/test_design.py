"""Loops that are found, what they bear, their modes, and what is said of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from control_loops import HEADING_LOOP

from blocks.basic import Constant
from blocks.control import PID, ComposeWrench, DepthController, HeadingAutopilot, SpeedController
from blocks.diagram import Diagram
from blocks.dynamics import Vessel6DOF
from blocks.lab.analysis import AnalysisError, linearize, margins
from blocks.lab.design import Design, design, disk_margin, look
from blocks.lab.design.regulator import projected, regulator
from blocks.lab.design.robustness import loop_margins
from blocks.lab.design.words import controller_wanted, error_lines
from blocks.scenario import Scenario

EXAMPLES = Path(__file__).parents[3] / "examples"


def rov(speed: float) -> Scenario:
    """BlueROV2 Heavy with controllers of speed, heading and depth, and its pitch left alone."""
    vessel = Vessel6DOF.from_vehicle("bluerov2_heavy", "dynamics", initial_eta=[0, 0, 5, 0, 0, 0])
    diagram = Diagram("rov")
    diagram.add("vessel", vessel)
    diagram.add("speed", SpeedController.by_pole_placement(vessel, 1.0, speed=speed, rule="first_order"))
    diagram.add("heading", HeadingAutopilot.by_pole_placement(vessel, 2.0, speed=speed))
    diagram.add("depth", DepthController.by_pole_placement(vessel, 1.0, speed=speed))
    diagram.add("wrench", ComposeWrench())
    for name, value, sink in (("knots", speed, "speed.speed"), ("course", 0.2, "heading.heading"),
                              ("deep", 6.0, "depth.depth")):  # fmt: skip
        diagram.add(name, Constant(value))
        diagram.connect(f"{name}.y", sink)
    diagram.connect("vessel.nu", "speed.nu", "heading.nu", "depth.nu")
    diagram.connect("vessel.eta", "heading.eta", "depth.eta")
    for source, sink in (("speed.force", "X"), ("depth.force", "Z"), ("heading.moment", "N")):
        diagram.connect(source, f"wrench.{sink}")
    diagram.connect("wrench.force", "vessel.force")
    return Scenario(diagram, "rov", settings={"step": 0.02, "end": 60.0})


def test_the_spinning_satellite_bears_nothing_in_both_loops_at_once() -> None:
    """Each loop alone has an infinite gain margin and 90° of phase margin; together
    1/2 - (1 ± ja)/(1 + jω), the eigenvalues of (S - T)/2, are on circles that reach out to (a + √(1 + a²))/2. Doyle's
    example, in Seiler, Packard and Gahinet (2020)."""
    a, omega = 10.0, np.geomspace(1e-3, 1e3, 399)
    s = 1j * omega
    closed = np.array([[np.ones_like(s), a + 0 * s], [-a + 0 * s, np.ones_like(s)]]).transpose(2, 0, 1)
    closed = closed / (s + 1.0)[:, None, None]
    loops = closed @ np.linalg.inv(np.eye(2) - closed)
    assert disk_margin(loops) == pytest.approx(2.0 / (a + np.hypot(1.0, a)), rel=1e-3)
    scaled = loops.copy()  # μ does not know units: a scaling of one channel changes nothing
    scaled[:, 0, 1] *= 50.0
    scaled[:, 1, 0] /= 50.0
    assert disk_margin(scaled) == pytest.approx(disk_margin(loops), rel=1e-3)
    alone = 1.0 / s
    assert disk_margin(alone[:, None, None]) == pytest.approx(2.0)


def test_a_loop_through_minus_one_bears_nothing_and_one_frequency_is_enough() -> None:
    assert disk_margin(np.array([[[-1.0 + 0j]], [[1.0 + 0j]]])) == 0.0
    assert disk_margin(np.array([[[0.5 + 0j]]])) == pytest.approx(6.0)  # S - T = (1 - L)/(1 + L) = 1/3
    assert disk_margin(0.5 * np.eye(2)[None] + 0j) == pytest.approx(6.0)


@pytest.mark.parametrize("points", [400, 401])
def test_a_crossing_on_a_point_of_the_grid_is_seen(points: int) -> None:
    """An integrator has 90° at 1 rad/s, which of 401 points is one."""
    found = loop_margins(np.geomspace(0.01, 100.0, points), lambda omega: 1.0 / (1j * omega))
    assert (found.phase, found.crossover) == (pytest.approx(np.pi / 2), pytest.approx(1.0))


def test_margins_of_each_loop_are_those_of_the_loop_opened_alone() -> None:
    found = look(rov(0.2))
    assert found is not None
    assert found.trusted
    assert set(found.margins) == {"speed.force", "heading.moment", "depth.force"}
    for name, one in found.margins.items():
        alone = margins(linearize(rov(0.2).diagram, found.moment.time, opened=name, step=0.02))
        assert one.phase == pytest.approx(alone.phase, abs=0.02)
        assert one.phase_at == pytest.approx(alone.phase_at, rel=0.03)  # there nothing is quite at rest
    assert found.disk <= min(one.disk for one in found.margins.values()) + 1e-6


def test_pitch_that_is_left_alone_is_named() -> None:
    """The Munk moment u w (X_u̇ - Z_ẇ) turns a hull broadside against the little righting moment: above 0.33 m/s."""
    slow, fast = look(rov(0.2)), look(rov(1.0))
    assert slow is not None
    assert not slow.unstable
    assert fast is not None
    assert fast.speed == pytest.approx(1.0)
    (mode,) = fast.unstable
    assert {"vessel.nu[q]", "vessel.eta[theta]"} <= set(mode.states)
    said = fast.say(mode)
    assert "pitch mode" in said
    assert "theta" in said
    assert "unstable at 1 m/s" in said
    assert "controller of its own, or go slower" in said


def test_gains_are_those_that_two_equations_ask_for_and_are_written_where_they_stand() -> None:
    """L = (k_p + k_d s)/(s (20 s + 4)): with ω_c and φ given, k_p + j k_d ω_c = exp(j(φ - π)) jω_c (20 jω_c + 4)."""
    scenario = Scenario.from_text(HEADING_LOOP)
    made = design(scenario, bandwidth={"heading": 0.8}, phase_margin=np.radians(55.0))
    assert made.proposed
    gains = {name: after for name, (_, after) in made.gains.items()}
    wanted = np.exp(1j * (np.radians(65.0) - np.pi)) * 0.8j * (20.0 * 0.8j + 4.0)
    assert gains["heading.kp"] == pytest.approx(wanted.real, rel=0.02)
    assert gains["heading.kd"] == pytest.approx(wanted.imag / 0.8, rel=0.02)
    assert made.after is not None
    (after,) = made.after.margins.values()
    assert after.crossover == pytest.approx(0.8, rel=0.02)
    assert after.phase == pytest.approx(np.radians(65.0), abs=0.02)
    made.apply()
    (same, more) = (list(error_lines(replace(made, errors={"e": pair}))) for pair in ((0.1, 0.1), (0.1, 0.137)))
    assert "more" not in "".join(same)
    assert "0.1, then 0.137 (37 % more)" in "".join(more)
    text = scenario.to_yaml()
    assert "# of last year" in text
    assert "# rings" in text
    assert f"kp: {gains['heading.kp']:g}, kd: {gains['heading.kd']:g}, derivative: rate" in text
    assert look(scenario).weak == ()  # type: ignore[union-attr]


def test_what_gains_cannot_do_is_said_and_nothing_is_changed() -> None:
    made = design(rov(1.0), run=False)
    assert not made.proposed
    wanted = controller_wanted(made)
    assert "a controller of pitch to begin with" in wanted
    assert "vessel.eta[theta]: pitch.measurement" in wanted
    assert "pitch.output: wrench.M" in wanted


def test_a_controller_of_pitch_is_tuned_until_all_speeds_are_stable() -> None:
    """The gains to begin with are those that are said; with it the vehicle goes on at 1 m/s for the minute."""
    scenario = rov(1.0)
    diagram = scenario.diagram
    diagram.add("level", Constant("0 deg"))
    diagram.add("pitch", PID(kp=14.0, kd=4.6, derivative="rate", angle=True))
    for source, sink in (("level.y", "pitch.reference"), ("vessel.eta[theta]", "pitch.measurement"),
                         ("vessel.nu[q]", "pitch.rate"), ("pitch.output", "wrench.M")):  # fmt: skip
        diagram.connect(source, sink)
    made = design(scenario)
    assert made.proposed
    assert made.after is not None
    assert made.after.margins["pitch.output"].phase >= np.radians(50.0)  # type: ignore[operator]
    assert made.after.disk > 0.7
    assert made.runs is not None
    assert np.abs(made.runs[1].values("vessel.eta")[:, 4]).max() < np.radians(15.0)  # type: ignore[union-attr]


def test_a_chain_of_integrators_gets_the_known_gains() -> None:
    """Two with Q = I, R = 1: K = (1, √3); three with Q = diag(1, 0, 0): Butterworth's (1, 2, 2).

    A controller that sees all states gets these; one that sees x and x'' + 2 x' gets what is nearest as x moves."""
    for n, Q, wanted in ((2, np.eye(2), [1.0, np.sqrt(3.0)]), (3, np.diag([1.0, 0.0, 0.0]), [1.0, 2.0, 2.0])):
        A, B = np.eye(n, k=1), np.eye(n)[:, -1:]
        K = regulator(A, B, Q, np.eye(1))
        assert K[0] == pytest.approx(wanted, abs=1e-4)
        (gains,) = projected(A, B, K, [-np.eye(n)], B @ B.T)
        assert gains == pytest.approx(wanted, rel=1e-3)
    C = np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 1.0]])
    (gains,) = projected(A, B, K, [-C], B @ B.T)
    moved = np.array([[2.0, 0.0, -1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 2.0]]) / 6.0  # E x xᵀ of Butterworth's
    assert gains == pytest.approx(np.linalg.solve(C @ moved @ C.T, C @ moved @ [1.0, 2.0, 2.0]), rel=1e-3)


def test_a_regulator_of_the_loop_weighs_the_largest_error_against_the_largest_output() -> None:
    """20 r' = -4 r + u: with Q = 1/e², R = 1/u², u/e = k_p as it is, k_d = -4 + √(4² + 2 · 20 · 50)."""
    made = design(Scenario.from_text(HEADING_LOOP), method="lqr")
    assert made.proposed
    assert {name: after for name, (_, after) in made.gains.items()} == {
        "heading.kd": pytest.approx(np.sqrt(16.0 + 2.0 * 20.0 * 50.0) - 4.0, rel=2e-3)
    }
    assert made.after is not None
    assert made.after.margins["heading.output"].phase >= np.radians(60.0)  # type: ignore[operator]


def test_gains_that_are_tuned_against_the_run_have_less_errors_and_the_margins_that_are_wanted() -> None:
    counts: list[int] = []
    made = design(Scenario.from_text(HEADING_LOOP), method="run", runs=12, progress=lambda n, _: counts.append(n))
    shaped = design(Scenario.from_text(HEADING_LOOP))
    assert made.proposed
    assert made.errors["heading.error"][1] < 0.9 * shaped.errors["heading.error"][1]
    assert made.after is not None
    one = made.after.margins["heading.output"]
    assert one.phase is not None
    assert one.phase >= min(np.radians(50.0), made.before.margins["heading.output"].phase or 0.0) - 1e-3
    assert 2 <= counts[-1] <= 12


@pytest.mark.slow
def test_what_is_refused_as_a_whole_is_taken_in_part() -> None:
    """Minerva's heading and guidance lose with what is shaped for them together; depth alone may have it."""
    made = design(Scenario.load(EXAMPLES / "minerva_los.yaml"), speeds=[0.1])
    assert made.proposed
    assert "autopilot.heading" in made.left
    assert not any(name.startswith("autopilot.heading") for name in made.gains)
    assert made.after is not None
    assert made.after.margins["autopilot.depth.output"].phase > np.radians(50.0)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"method": "lqg"}, "there is no method 'lqg'; did you mean 'lqr'"),
        ({"method": "run", "run": False}, "method 'run' tunes against the run"),
        ({"method": "lqr", "bandwidth": {"heading": 1.0}}, "takes no bandwidth"),
        ({"phase_margin": 0.0}, "the phase margin must be above 0 and at most 90°, not 0°"),
        ({"phase_margin": float("nan")}, "the phase margin must be above 0"),
        ({"phase_margin": 2.0}, "not 114.592°"),
        ({"bandwidth": {"heading": float("inf")}}, "the crossover of 'heading' must be > 0 rad/s, not inf"),
        ({"speeds": [float("nan")]}, "a speed must be a finite number of m/s, not nan"),
    ],
)
def test_methods_that_are_none_or_do_not_go_with_the_rest_are_said(given: dict[str, Any], said: str) -> None:
    with pytest.raises(AnalysisError, match=said):
        design(Scenario.from_text(HEADING_LOOP), **given)


def test_names_that_are_not_there_are_said() -> None:
    with pytest.raises(AnalysisError, match=r"there is no loop at 'headin'; did you mean 'heading.output'"):
        design(Scenario.from_text(HEADING_LOOP), loops=["headin"], run=False)
    with pytest.raises(AnalysisError, match=r"asked for 'heading.moment', which is not among .* depth.force"):
        design(rov(0.2), loops=["depth"], bandwidth={"heading": 1.0}, run=False)
    with pytest.raises(AnalysisError, match="drifter has no loops"):
        design(Scenario(_drifter(), "drifter", settings={"step": 0.05, "end": 10.0}))


def _drifter() -> Diagram:
    diagram = Diagram("drifter")
    diagram.add("vessel", Vessel6DOF.from_vehicle("bluerov2_heavy", "dynamics"))
    diagram.add("push", Constant([1.0, 0, 0, 0, 0, 0]))
    diagram.connect("push.y", "vessel.force")
    return diagram


def test_a_value_is_written_in_the_unit_and_the_list_that_the_file_has() -> None:
    text = HEADING_LOOP.replace("kp: 50", "kp: [50]").replace("kd: 4,", "kd: 4, filter_coefficient: 6000 deg/s,")
    scenario = Scenario.from_text(text)
    found = look(scenario)
    assert found is not None
    values = {"heading.kp": 30.0, "heading.kd": 4.5, "heading.filter_coefficient": np.radians(9000.0)}
    Design(scenario, found, None, {name: (None, value) for name, value in values.items()}).apply()
    assert "kp: [30], kd: 4.5, filter_coefficient: 9000 deg/s" in scenario.to_yaml()
