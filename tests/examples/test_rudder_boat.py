"""The sea trials of the rudder boat: symmetry, balance of forces, and how measures go with the rudder angle."""

from __future__ import annotations

import runpy
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blocks import simulate
from blocks.lab import measure_turning_circle, measure_zigzag

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "rudder_boat.py"
TEN, TWENTY = np.radians([10.0, 20.0])


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The names of the example, run once, and the folder that it wrote into."""
    folder = tmp_path_factory.mktemp("rudder_boat")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return runpy.run_path(str(EXAMPLE)) | {"folder": folder}


def test_port_and_starboard_turns_are_mirror_images(trials: Any) -> None:
    starboard, port = (measure_turning_circle(trials["circles"][f"35° to {side}"]) for side in ("starboard", "port"))
    assert (starboard.side, port.side) == ("starboard", "port")
    assert astuple(starboard)[3:-1] == pytest.approx(astuple(port)[3:-1], rel=1e-9)
    assert starboard.steady is not None
    assert port.steady is not None
    assert astuple(starboard.steady) == pytest.approx(astuple(port.steady), rel=1e-9)


def test_port_and_starboard_zigzags_are_mirror_images(trials: Any) -> None:
    one = measure_zigzag(trials["tests"]["20°/20°"], TWENTY)
    (other,) = trials["zigzag"](trials["boat"], "20 deg", sides="port", **trials["FULL_AHEAD"]).measures.values()
    assert (one.first_side, other.first_side) == ("starboard", "port")
    for name in ("execute_times", "overshoot_angles", "check_times", "initial_turning_distance", "reach", "period"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-7), name


def test_more_rudder_turns_tighter_faster_and_slows_down_more(trials: Any) -> None:
    (ten,) = trials["turning_circle"](trials["boat"], TEN, sides="port", **trials["FULL_AHEAD"]).measures.values()
    most, _, twenty = (measure_turning_circle(trial) for trial in trials["circles"].values())
    for one, other in ((ten, twenty), (twenty, most)):
        assert one.tactical_diameter > other.tactical_diameter > 0.0
        assert one.advance > other.advance > 0.0
        assert one.time_to_90 > other.time_to_90
        assert one.steady is not None
        assert other.steady is not None
        assert one.steady.yaw_rate < other.steady.yaw_rate
        assert one.steady.speed_loss < other.steady.speed_loss
        assert one.steady.drift_angle < other.steady.drift_angle
        assert one.steady.diameter == pytest.approx(2.0 * one.steady.speed / one.steady.yaw_rate, rel=1e-9)


def test_the_steady_turn_is_where_the_moment_of_the_rudder_is_that_of_the_hull(trials: Any) -> None:
    """N = 12 r|r| + (0.664 - 0.05) u v, drag and added masses; and the resultant sideways makes the path round."""
    run = simulate(trials["boat"], 40.0, step=0.02, inputs={"throttle": 1.0, "rudder": np.radians(35.0)})
    assert np.abs(run.values("vessel.acceleration")[-1, [0, 1, 5]]).max() < 1e-4  # it rocks a little
    u, v, _, _, _, r = run.values("vessel.nu")[-1]
    moment = run.values("rudder.force[N]")[-1]
    assert moment == pytest.approx(12.0 * r * abs(r) + (0.664 - 0.05) * u * v, rel=1e-3)
    sideways = run.values("total.y")[-1, 1]
    assert sideways - 60.0 * v * abs(v) == pytest.approx((13.0 + 0.05) * u * r, rel=1e-3)  # roll and heave are small
    steady = measure_turning_circle(trials["circles"]["35° to starboard"]).steady
    assert steady is not None
    assert steady.yaw_rate == pytest.approx(r, rel=1e-4)
    assert steady.speed == pytest.approx(np.hypot(u, v), rel=1e-4)
    assert steady.drift_angle == pytest.approx(np.arctan2(-v, u), abs=1e-4)


def test_the_approach_is_at_the_speed_that_full_thrust_gives(trials: Any) -> None:
    circle = measure_turning_circle(trials["circles"]["20° to starboard"])
    assert circle.approach_speed == pytest.approx(np.sqrt(11.5 / 11.28), rel=1e-4)


def test_more_rudder_overshoots_more_and_every_cycle_is_like_the_last(trials: Any) -> None:
    ten, twenty = (measure_zigzag(trials["tests"][name], change) for name, change in trials["changes"].items())
    for one, other in zip(ten.overshoot_angles, twenty.overshoot_angles, strict=True):
        assert 0.0 < one < other
    for found in (ten, twenty):
        assert len(found.overshoot_angles) == 4
        assert found.overshoot_angles[2] == pytest.approx(found.overshoot_angles[3], rel=1e-3)
        between = np.diff(found.execute_times)
        assert between[2] == pytest.approx(between[3], rel=1e-3)
        assert found.reach is not None
        assert found.period is not None
        assert found.initial_turning_time < found.reach < found.period


def test_the_step_does_not_show(trials: Any) -> None:
    """An adaptive solver locates the executes, and the measures are interpolated."""
    (found,) = trials["zigzag"](trials["boat"], "20 deg", step=0.1, **trials["FULL_AHEAD"]).measures.values()
    fine = measure_zigzag(trials["tests"]["20°/20°"], TWENTY)
    assert found.execute_times == pytest.approx(fine.execute_times, abs=1e-3)
    assert found.overshoot_angles == pytest.approx(fine.overshoot_angles, abs=np.radians(0.01))
    assert found.period == pytest.approx(fine.period, abs=2e-3)


def test_the_figures_are_there(trials: Any) -> None:
    for name in ("turning_circle.png", "zigzag.png"):
        assert (trials["folder"] / name).read_bytes().startswith(b"\x89PNG")


def test_the_page_shows_what_comes_out(trials: Any) -> None:
    page = (ROOT / "docs" / "boats.md").read_text(encoding="utf-8")
    circles = [measure_turning_circle(trial) for trial in trials["circles"].values()]
    tests = [measure_zigzag(trial, trials["changes"][name]) for name, trial in trials["tests"].items()]
    turns = [circle.steady for circle in circles]
    rows = {
        "advance": [f"{c.advance:.2f} m" for c in circles],
        "transfer": [f"{c.transfer:.2f} m" for c in circles],
        "tactical diameter": [f"{c.tactical_diameter:.2f} m" for c in circles],
        "time to 90°, 180°": [f"{c.time_to_90:.2f}, {c.time_to_180:.2f} s" for c in circles],
        "steady diameter": [f"{s.diameter:.2f} m" for s in turns],
        "steady yaw rate": [f"{np.degrees(s.yaw_rate):.1f}°/s" for s in turns],
        "speed loss": [f"{100.0 * s.speed_loss:.1f} %" for s in turns],
        "drift angle": [f"{np.degrees(s.drift_angle):.1f}°" for s in turns],
        "initial turning time": [f"{z.initial_turning_time:.2f} s" for z in tests],
        "initial turning distance": [f"{z.initial_turning_distance:.2f} m" for z in tests],
        "first, second overshoot angle": [
            ", ".join(f"{np.degrees(angle):.2f}°" for angle in z.overshoot_angles[:2]) for z in tests
        ],
        "reach": [f"{z.reach:.2f} s" for z in tests],
        "period": [f"{z.period:.2f} s" for z in tests],
    }
    for label, cells in rows.items():
        assert f"| {label} | {' | '.join(cells)} |" in page
