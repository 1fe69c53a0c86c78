"""Tito Neri: published speed, limits of the thrusters, a round by latitude and longitude, and invented energy."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blocks.dynamics import Vessel6DOF
from blocks.navigation import local_position

EXAMPLE = Path(__file__).parents[2] / "examples" / "tito_neri.py"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The names of the example, run once, and the folder that it wrote into."""
    folder = tmp_path_factory.mktemp("tito_neri")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return runpy.run_path(str(EXAMPLE)) | {"folder": folder}


def test_full_speed_is_the_published_one(study: Any) -> None:
    nu = study["straight"].values("vessel.nu")
    assert nu[-1, 0] == pytest.approx(3.630, abs=5e-4)
    assert np.abs(nu[:, 1:]).max() < 1e-12


def test_euler_gains_the_energy_that_it_is_known_for_and_rk4_none(study: Any) -> None:
    drift = study["drift"]
    assert drift("euler", 2) == pytest.approx(0.078, abs=5e-4)
    assert drift("euler", 200) == pytest.approx(0.00075, abs=5e-6)
    assert abs(drift("rk4", 200)) < 1e-9
    assert np.all(np.diff(study["energy"]("euler", 2, study["ADRIFT"])[1]) > 0.0)  # at every step
    assert abs(drift("rk4", 2)) < 1e-9


def test_energy_errors_go_with_the_order_of_the_solver(study: Any) -> None:
    """Euler adds to the energy in proportion to the step, rk4 to its fifth power (one more than its order)."""
    drift = study["drift"]
    assert drift("euler", 50) / drift("euler", 100) == pytest.approx(2.0, rel=0.01)
    assert drift("rk4", 2) / drift("rk4", 4) == pytest.approx(32.0, rel=0.05)


def test_the_published_scheme_has_the_velocities_of_euler() -> None:
    """Velocity first, then the pose with the new velocity, by hand: the numbers of `energy` are those of the source."""
    start = [0.3, 0.08, 0.0, 0.0, 0.0, 0.05]
    hull = Vessel6DOF.from_vehicle("tito_neri", linear_damping=np.zeros((6, 6)))
    eta, nu = np.zeros(6), np.array(start)
    before = nu @ hull.mass_matrix @ nu
    for _ in range(120):
        nu = nu + 0.5 * hull.evaluate(states={"eta": eta, "nu": nu}).derivatives["nu"]
        eta = eta + 0.5 * hull.evaluate(states={"eta": eta, "nu": nu}).derivatives["eta"]
    assert nu @ hull.mass_matrix @ nu / before - 1.0 == pytest.approx(0.0776020547, rel=1e-8)
    assert np.hypot(*eta[:2]) > 5.0  # under way


def test_a_fast_turn_at_2_hz_is_unstable_within_15_s(study: Any) -> None:
    fast = [3.63, 0.0, 0.0, 0.0, 0.0, 0.5]
    assert study["drift"]("euler", 2, fast, 15.0) == pytest.approx(5.15, abs=0.01)
    assert abs(study["drift"]("rk4", 200, fast, 15.0)) < 1e-9


def test_thrusters_answer_within_their_limits(study: Any) -> None:
    run = study["answers"]
    speed, angle = run.values("thrusters.speed"), np.degrees(run.values("thrusters.azimuth"))
    step = run.time[1] - run.time[0]
    assert np.abs(speed).max(axis=0) == pytest.approx([60.0, 60.0, 1.0], rel=1e-6)  # 80 was wanted of one
    assert angle[:, 0].max() == pytest.approx(135.0, abs=1e-3)  # 180 was
    assert np.abs(np.diff(speed, axis=0)).max(axis=0) / step == pytest.approx([120.0, 120.0, 2.0], rel=1e-9)
    assert np.abs(np.diff(angle, axis=0)).max(axis=0) / step == pytest.approx([126.0, 126.0, 0.0], abs=1e-3)


def test_thrusters_leave_the_bare_limits_at_the_end_of_a_ramp_only(study: Any) -> None:
    """The first order sets in at a distance of rate times time constant; the ramp ends a time constant later."""
    run = study["answers"]
    degrees = 180.0 / np.pi
    for bare, response, scale, rate in (
        ("command_limit.y[0]", "thrusters.speed[0]", 1.0, 120.0),
        ("angle_limit.y[0]", "thrusters.azimuth[0]", degrees, 126.0),
    ):
        off = scale * np.abs(run.values(response) - run.values(bare))
        most = rate * 0.05 * np.exp(-1.0)
        assert most * np.exp(-0.01 / 0.05) < off.max() < 1.01 * most  # it may be between two points of the grid
        for settled in (0.4, 2.9, 6.4, 8.5):
            assert off[np.argmin(np.abs(run.time - settled))] < 1e-3


def test_the_round_ends_at_its_last_waypoint(study: Any) -> None:
    trip, chart = study["trip"], study["CHART"]
    latitude, longitude = (trip.values(f"chart.{name}") for name in ("latitude", "longitude"))
    assert np.degrees([latitude[0], longitude[0]]) == pytest.approx([52.00140854178, 4.37186309232], abs=1e-12)
    eta = trip.values("vessel.eta")
    found = local_position(latitude[::500], longitude[::500], trip.values("chart.height")[::500], origin=chart)
    assert np.abs(found - eta[::500, :3]).max() < 1e-9
    for number, place in enumerate(np.radians(study["ROUND"])):
        goal = local_position(*place, origin=chart)
        nearest = np.linalg.norm(eta[:, :2] - goal[:2], axis=1).min()
        assert nearest < (1e-9 if number == 0 else 1.5)
    assert np.linalg.norm(trip.values("vessel.nu")[-1]) < 0.05
    assert trip.values("guidance.finished")[-1] == 1.0
    assert np.abs(trip.values("vessel.nu[u]")).max() < 1.0  # where the model is valid


def test_azimuth_thrusters_steer_and_the_bow_thruster_helps(study: Any) -> None:
    """In turns to starboard the stern is pushed to port and the bow to starboard."""
    trip = study["trip"]
    turning = trip.values("wrench.force[N]") > 0.5
    assert turning.sum() > 50
    assert np.all(trip.values("allocation.command[2]")[turning] > 0.1)
    wanted = trip.values("allocation.thrust") * np.sin(trip.values("allocation.angle"))
    assert np.all(wanted[turning, :2].sum(axis=1) < 0.0)


def test_the_table_and_the_figures_are_there(study: Any) -> None:
    rows = study["table"](study["straight"], study["trip"])
    speed, coarse, fine, exact, *_ = rows.columns[1].cells
    assert (speed, coarse, fine) == ("3.630 m/s", "+7.8 %", "+0.075 %")
    assert abs(float(exact)) < 1e-12
    for name in ("thrusters", "harbour", "energy"):
        assert (study["folder"] / f"tito_neri_{name}.png").read_bytes().startswith(b"\x89PNG")
