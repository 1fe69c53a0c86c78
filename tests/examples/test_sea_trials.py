"""SMARTY in waves: the published ranges of motion, and the trends of the published study in a small variant of it."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blocks import simulate
from blocks.dynamics import FloatingVehicle
from blocks.environment import WaveLoad
from blocks.study import StudyError

EXAMPLE = Path(__file__).parents[2] / "examples" / "sea_trials.py"


@pytest.fixture(scope="module")
def trials() -> Any:
    """The names of the example."""
    return runpy.run_path(str(EXAMPLE))


@pytest.fixture(scope="module")
def tank(trials: Any) -> Any:
    """Amplitudes in regular waves, over a part of the grid of the example that has the nearest one in it."""
    return trials["tank"](np.array([0.85, 1.1, 1.75, 2.5]), np.radians([37.5, 52.5, 60.0]))


@pytest.fixture(scope="module")
def outcome(trials: Any) -> Any:
    """4 heights, 9 headings, 6 seeds."""
    return trials["trends"](trials["HEIGHTS"][::4], trials["HEADINGS"][::4], 6).run()


def test_motion_in_the_wave_of_the_tank_is_of_the_published_order(trials: Any, tank: Any) -> None:
    """Within a factor of two: what makes waves, and so takes energy out of heave near its resonance, is in the tank
    and not in the model, nor in the other simulator. Period and heading are the nearest ones, for none are known."""
    place = trials["nearest"](tank)
    assert place == (1, 1)
    for published in (trials["TANK"], trials["ASVLITE"]):
        for motion, (least, most) in published.items():
            assert 0.5 < 2.0 * tank.values(motion)[place] / (most - least) < 2.0
    for motion in ("roll", "pitch"):
        assert 2.0 * tank.values(motion)[place] == pytest.approx(np.ptp(trials["TANK"][motion]), rel=0.1)


def test_long_waves_carry_the_vehicle_along(trials: Any, tank: Any) -> None:
    """Heave goes to the amplitude of the wave, from above, and tilt to its slope a k, so it falls with the period."""
    heave = tank.values("heave")
    assert np.all(np.diff(heave[1:], axis=0) < 0.0)
    assert heave[-1] == pytest.approx(6.0, rel=0.2)
    slope = np.degrees(0.06 * (2.0 * np.pi / 2.5) ** 2 / 9.81)
    tilt = np.hypot(tank.values("roll"), tank.values("pitch"))[-1]
    # Both resonate at 0.67 s, which magnifies by 1/(1 - (0.67/2.5)²) = 1.08; the third harmonic of drag adds some more.
    assert np.all(tilt > slope)
    assert tilt == pytest.approx(1.08 * slope, rel=0.25)


def test_drift_is_of_second_order_and_so_not_to_be_believed(trials: Any) -> None:
    """Against the wave as published; with the wave if pressures do not follow heave, or if Coriolis forces count."""

    def drift(load: dict[str, Any], vessel: dict[str, Any]) -> tuple[float, float]:
        """Speed, and mean load in surge and sway, along the wave of the page."""
        mu = np.radians(52.5)
        boat = trials["vehicle"](trials["RegularWave"](0.06, 1.1, direction=mu))
        boat.replace("load", WaveLoad.from_vehicle("smarty", yaw_moment="corners", **load))
        boat.replace("vessel", FloatingVehicle.from_vehicle("smarty", **vessel))
        run = simulate(boat, 160.0, step=trials["STEP"], record=["vessel.eta", "load.disturbance"])
        late = run.time >= 120.0
        place, force = (run.values(name)[late, :2] @ [np.cos(mu), np.sin(mu)] for name in run)
        return (place[-1] - place[0]) / 40.0, force.mean()

    speed, force = drift({}, {})
    assert speed == pytest.approx(-0.163, abs=0.005)
    assert force == pytest.approx(-0.65, abs=0.02)
    speed, force = drift({"pressure_depth": -1.0}, {})  # at the level of still water, whatever the heave
    assert speed == pytest.approx(0.087, abs=0.005)
    assert abs(force) < 0.1
    assert drift({}, {"coriolis": True})[0] == pytest.approx(0.288, abs=0.005)


def test_what_a_study_took_is_said(trials: Any, outcome: Any) -> None:
    assert re.fullmatch(r"216 runs, 0\.2\d days of simulated time, in 3 s: 72 runs/s", trials["effort"](outcome, 3.0))


def test_euler_adds_energy_and_the_solver_of_the_example_does_not(trials: Any) -> None:
    """Explicit Euler makes each period of roll, ω h = 0.37 at 40 ms, grow by ½ (ω h)² a step, whatever the sea."""
    found = trials["solvers"]()
    fine, used, euler = found["rk4, 5 ms"], found["rk4, 40 ms"], found["euler, 40 ms"]
    for motion in trials["MOTIONS"]:
        assert used[motion] == pytest.approx(fine[motion], rel=0.01)
    assert euler["roll"] > 1.4 * fine["roll"]
    assert euler["pitch"] > 1.6 * fine["pitch"]


def test_every_run_arrives(trials: Any, outcome: Any) -> None:
    """4 N are 0.51 m/s in still water, 98 s for 50 m; waves hinder or help by a quarter at most."""
    assert set(outcome.status) == {"stopped"}
    assert outcome.end_time.mean() == pytest.approx(50.0 / np.sqrt(4.0 / 15.375), rel=0.1)
    assert 75.0 < outcome.end_time.min() < outcome.end_time.max() < 125.0


def test_the_heading_is_held(trials: Any) -> None:
    boat = trials["vehicle"](trials["sea"](0.5, direction="135 deg", seed=4), trials["THRUST"])
    run = simulate(boat, trials["TIME_LIMIT"], step=trials["STEP"], stop="arrived.y", record="vessel.eta")
    eta = run.values("vessel.eta")
    assert run.status == "stopped"
    assert eta[-1, 0] == pytest.approx(50.0, abs=0.1)
    assert np.degrees(np.abs(eta[:, 5])).max() < 8.0  # in the shortest seas, which tilt most
    assert np.abs(eta[:, 1]).max() < 6.0


def test_seas_have_the_height_that_is_asked_for(trials: Any) -> None:
    for height in trials["HEIGHTS"]:
        assert trials["sea"](height).significant_height == pytest.approx(height, rel=1e-12)


def test_heave_rises_with_the_height_and_is_indifferent_to_heading(trials: Any, outcome: Any) -> None:
    """The vehicle is round, and short beside the waves: it goes up and down with them. Of six runs of 100 s, in each of
    which the height of the sea scatters by some 8 %, the mean scatters by 3 %, and the range of nine means is 10 %."""
    heave = trials["means"](outcome, "heave")
    assert np.all(np.diff(heave, axis=0) > 0.0)
    assert heave / (50.0 * trials["HEIGHTS"][::4, None]) == pytest.approx(1.0, abs=0.15)
    assert np.all(np.ptp(heave, axis=1) < 0.18 * heave.mean(axis=1))


def test_roll_is_largest_in_beam_sea(trials: Any, outcome: Any) -> None:
    """cos² seas are broad, so that there is roll in head sea too, but less by a third; columns are 0°, 45°, … 360°."""
    roll = trials["means"](outcome, "roll")
    assert np.isin(roll.argmax(axis=1), (2, 6)).all()
    assert np.all(roll[:, [2, 6]].min(axis=1) > 1.2 * roll[:, [0, 4, 8]].max(axis=1))
    assert roll[:, 2] == pytest.approx(roll[:, 6], rel=0.15)  # from either side; by chance only they differ


def test_pitch_is_largest_in_head_sea_and_least_in_beam_sea(trials: Any, outcome: Any) -> None:
    """Then comes following sea, where the vehicle meets the waves more slowly, farther from its resonance."""
    pitch = trials["means"](outcome, "pitch")
    assert np.all(pitch.argmax(axis=1) == 4)
    assert np.all(pitch[:, [0, 8]].mean(axis=1) > 1.1 * pitch[:, [2, 6]].mean(axis=1))
    assert np.all(pitch[:, [2, 6]].max(axis=1) < pitch[:, [3, 4, 5]].min(axis=1))


def test_high_seas_are_long_and_tilt_less(trials: Any, outcome: Any) -> None:
    """The spectrum ends at 5.95 times its peak, 1.7 Hz at 0.5 m and 0.8 Hz at 2 m, and roll resonates at 1.5 Hz."""
    for motion in ("roll", "pitch"):
        over_headings = trials["means"](outcome, motion).mean(axis=1)
        assert np.all(np.diff(over_headings) < 0.0)


def test_both_ends_of_the_circle_have_seas_of_their_own(trials: Any, outcome: Any) -> None:
    """0° and 360° are one direction: other numbers, by chance alone. Left to itself a study refuses such a grid."""
    for motion in trials["MOTIONS"]:
        values = outcome.values(motion)
        assert np.all(values[:, 0] != values[:, 8])
        assert trials["means"](outcome, motion)[:, 0] == pytest.approx(trials["means"](outcome, motion)[:, 8], rel=0.15)
    with pytest.raises(StudyError, match="0° and 360° are the same direction"):
        trials["Study"](
            trials["vehicle"](trials["sea"](1.0)),
            {"sea.direction": np.radians(trials["HEADINGS"])},
            ["end_time"],
            end=1.0,
        )


def test_the_full_study_is_the_published_one(trials: Any) -> None:
    study = trials["trends"](trials["HEIGHTS"], trials["HEADINGS"], trials["SEEDS"])
    assert len(study) == 42_900
    assert trials["HEIGHTS"] == pytest.approx([0.5 + 0.125 * i for i in range(13)])
    assert trials["HEADINGS"] == pytest.approx([11.25 * i for i in range(33)])
    assert len(study.cases) == 1  # one plan for all, in which only numbers change


def test_the_page_shows_what_comes_out(trials: Any) -> None:
    page = EXAMPLE.parents[1].joinpath("docs", "sea_trials.md").read_text(encoding="utf-8")
    tables = trials["tank_table"](trials["regular"](1.1, np.radians(52.5))), trials["solver_table"](trials["solvers"]())
    for table in tables:
        for row in zip(*(column.cells for column in table.columns), strict=True):
            (line,) = (
                line for line in page.splitlines() if line.startswith(f"| {row[0].split(', cm')[0].split(', °')[0]} |")
            )
            assert [cell.strip(" cm°") for cell in line.split("|")[2:-1]] == list(row[1:])


def test_the_example_prints_its_tables_and_writes_its_files(
    trials: Any, tank: Any, outcome: Any, tmp_path: Path
) -> None:
    run = trials["regular"](1.1, np.radians(52.5))
    for table in (trials["tank_table"](run), trials["trend_table"](outcome)):
        assert table.row_count in (3, 4)
    with trials["rc_context"](trials["SETTINGS"]):
        for name, figure in (
            ("tank", trials["tank_figure"](tank, run)),
            ("trends", trials["trend_figure"](outcome)),
        ):
            figure.savefig(tmp_path / f"{name}.png")
            assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
