"""The sailboat against what sailing is: where it can go, how fast, and how it gets to windward."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blocks import simulate
from blocks.basic import Constant
from blocks.thrust import Sail

EXAMPLE = Path(__file__).parents[2] / "examples" / "sailboat.py"


@pytest.fixture(scope="module")
def sailing(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The names of the example, run once, and the folder that it wrote into."""
    folder = tmp_path_factory.mktemp("sailboat")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return runpy.run_path(str(EXAMPLE)) | {"folder": folder}


def test_nothing_drives_the_boat_straight_into_the_wind(sailing: Any) -> None:
    boat = sailing["sailboat"](6.0)
    boat.add("course", Constant(0.0))
    boat.connect("course.y", "heading.reference")
    run = simulate(boat, 20.0, step=0.02)
    assert np.abs(run.values("vessel.nu")[:, :2]).max() == 0.0


def test_the_best_angle_to_windward_is_where_it_is_with_boats(sailing: Any) -> None:
    for wind, best in sailing["best"].items():
        assert 30.0 < np.degrees(best.wind_angle) < np.degrees(best.track_angle) < 60.0
        made_good = [point.made_good for point in sailing["polars"][wind]]
        assert best.made_good >= max(made_good)
        assert best.made_good == pytest.approx(best.speed * np.cos(best.track_angle), rel=1e-9)
        # At first the boat coasts into the wind: m du/dt = -120 u², m = 58.8 kg, and the distance is a logarithm.
        begin, rate = 1.0 / (0.06 * wind), 120.0 / 58.8
        assert made_good[0] == pytest.approx(
            np.log((begin + 60.0 * rate) / (begin + 50.0 * rate)) / rate / 10.0, rel=0.01
        )
        assert min(made_good) == made_good[-1] < 0.0


def test_either_tack_is_like_the_other(sailing: Any) -> None:
    angle = np.radians(50.0)
    one, other = sailing["steady"](6.0, angle), sailing["steady"](6.0, -angle)
    assert other.speed == pytest.approx(one.speed, rel=1e-9)
    mirrored = [one.track_angle, one.leeway, one.heel]
    assert [-other.track_angle, -other.leeway, -other.heel] == pytest.approx(mirrored, rel=1e-9)


def test_speed_goes_with_the_wind(sailing: Any) -> None:
    """All forces go with the square of speeds; only heel, which takes the sail out of the wind, does not."""
    for slow, fast in zip(sailing["polars"][4.0][1:], sailing["polars"][8.0][1:], strict=True):
        assert fast.speed == pytest.approx(2.0 * slow.speed, rel=0.02)


def test_leeway_and_heel_are_to_leeward(sailing: Any) -> None:
    """Positive angles to the wind have it from port, so leeward is starboard; from abaft the beam both fade."""
    for points in sailing["polars"].values():
        upwind = [point for point in points if 4.0 < np.degrees(point.wind_angle) < 121.0]
        assert min(point.leeway for point in upwind) > 0.0
        assert min(point.heel for point in upwind) > 0.0
        assert all(np.diff([point.leeway for point in upwind]) < 0.0)
        for point in upwind:
            assert point.track_angle == pytest.approx(point.wind_angle + point.leeway, abs=np.radians(0.3))


def test_forces_are_in_balance(sailing: Any) -> None:
    """Sail, keel and rudder together are the drag of the hull, and no moment about the vertical is left."""
    run = sailing["hold"](6.0, sailing["best"][6.0].wind_angle)
    last = slice(-500, None)
    forces = {name: run.values(f"{name}.force")[last].mean(axis=0) for name in ("sail", "keel", "rudder")}
    total = sum(forces.values())
    nu = run.values("vessel.nu_r")[last].mean(axis=0)
    assert total[0] == pytest.approx(120.0 * nu[0] ** 2, rel=1e-3)
    assert total[1] == pytest.approx(240.0 * nu[1] * abs(nu[1]), abs=5e-3 * forces["sail"][1])
    assert forces["sail"][0] > 0.0 > forces["keel"][1] > -forces["sail"][1]
    assert np.abs(run.values("vessel.acceleration")[last].mean(axis=0)[[0, 1, 5]]).max() < 1e-3


def test_the_sheet_is_where_the_sail_drives_most(sailing: Any) -> None:
    sail = Sail.from_vehicle("usv_sailboat")
    for degrees in (20.0, 45.0, 90.0, 150.0):
        beta = np.radians(degrees)
        wind = -5.0 * np.array([np.cos(beta), np.sin(beta), 0.0])
        sheets = np.linspace(0.0, beta, 721)
        drive = [
            sail.evaluate(command=sheet, eta=np.zeros(6), nu=np.zeros(6), wind=wind).outputs["force"][0]
            for sheet in sheets
        ]
        assert float(sailing["best_sheet"](beta)) == pytest.approx(sheets[np.argmax(drive)], abs=np.radians(0.3))


def test_the_boat_tacks_to_the_mark(sailing: Any) -> None:
    run, legs = sailing["run"], sailing["legs"]
    assert run.status == "stopped"
    north, east = run.values("vessel.eta")[-1, :2]
    assert np.hypot(north - 60.0, east) < 1.5
    best = sailing["best"][6.0]
    for leg in np.diff(legs, axis=0):
        assert abs(np.arctan2(leg[1], leg[0])) == pytest.approx(best.track_angle, rel=1e-9)
    heading = run.values("vessel.eta[psi]")
    assert np.abs(heading).max() < np.radians(60.0)  # through the wind, and never the other way round
    side = np.sign(run.values("sail.apparent_wind_angle"))
    assert np.count_nonzero(np.diff(side)) == sailing["TACKS"]
    assert np.all(side * run.values("sail.angle") >= 0.0)  # the boom is to leeward
    speed = run.values("vessel.nu[u]")
    assert 0.0 < speed.min() < 0.5 * best.speed  # way is lost in tacks, but not all of it
    assert 60.0 / best.made_good - 6.0 < run.time[-1] < 1.1 * 60.0 / best.made_good
    assert np.abs(run.values("guidance.cross_track_error")).max() < 1.5


def test_the_figures_are_there(sailing: Any) -> None:
    for name in ("sailboat_polar.png", "sailboat_track.png"):
        assert (sailing["folder"] / name).read_bytes().startswith(b"\x89PNG")


def test_the_page_shows_what_comes_out(sailing: Any) -> None:
    page = " ".join(EXAMPLE.parents[1].joinpath("docs", "boats.md").read_text(encoding="utf-8").split())
    for wind, point in sailing["best"].items():
        heading, track, leeway, heel = np.degrees([point.wind_angle, point.track_angle, point.leeway, point.heel])
        angles = f"{heading:.1f}° | {track:.1f}° | {leeway:.1f}° | {heel:.1f}°"
        assert f"| {wind:.0f} m/s | {angles} | {point.speed:.3f} m/s | {point.made_good:.3f} m/s |" in page
    assert f"60 m to windward take {sailing['run'].time[-1]:.0f} s" in page
