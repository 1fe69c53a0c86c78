"""The swarm in waves: the formation closes up, and the sea moves its vehicles as it moves small floats."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from blocks import Swarm, simulate
from blocks.dynamics import FloatingVehicle
from blocks.environment import BretschneiderSea, RegularWave, WaveLoad

EXAMPLE = Path(__file__).parents[2] / "examples" / "swarm.py"
PAGE = EXAMPLE.parents[1] / "docs" / "swarms.md"


@pytest.fixture(scope="module")
def study() -> Any:
    """The names of the example, whose runs are made here."""
    return runpy.run_path(str(EXAMPLE), run_name="swarm")


@pytest.fixture(scope="module")
def runs(study: Any) -> Any:
    """The formation on one thread and on three."""
    swarm = study["formation"](study["COUNT"])
    settings = {"step": study["STEP"], "record": "vessel.eta", "every": 5, "summarise": "vessel.eta"}
    return [swarm.run(study["END"], threads=n, **settings) for n in (1, 3)]


def test_the_formation_closes_up_and_holds(study: Any, runs: Any) -> None:
    error = study["spacing_error"](runs[0])
    assert np.sqrt((error[:, 0] ** 2).mean()) > 3.0
    held = error[:, runs[0].time > study["END"] - 40.0]
    assert held.max() < 0.15 * study["SPACING"]
    heave = runs[0].statistic("vessel.eta", "significant")[:, 2].mean()
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"they are {100.0 * np.sqrt((held**2).mean()):.0f} cm from their" in page
    assert f"significant amplitude of {100.0 * heave:.1f} cm in a sea of 15 cm" in page


def test_the_wedge_has_the_first_in_front_and_a_place_for_each(study: Any, runs: Any) -> None:
    """Seen along the course all others are astern, by one spacing more in each row, on either side alternately."""
    places = runs[0].values("vessel.eta")[:, -1, :2]
    ahead = np.array([np.cos(study["COURSE"]), np.sin(study["COURSE"])])
    rows = (places[0] - places) @ ahead / study["SPACING"]
    sides = (places - places[0]) @ [-ahead[1], ahead[0]] / study["SPACING"]
    number = (np.arange(study["COUNT"]) + 1) // 2
    np.testing.assert_allclose(rows, number, atol=0.3)
    np.testing.assert_allclose(sides, np.where(np.arange(study["COUNT"]) % 2, 1, -1) * number, atol=0.3)
    heading = runs[0].values("vessel.eta")[:, -25:, 5]
    assert np.cos(heading - study["COURSE"]).min() > np.cos(np.radians(20.0))
    speed = np.linalg.norm(places[0]) / study["END"]
    assert speed == pytest.approx(study["SPEED"], rel=0.06)


def test_numbers_are_the_same_for_any_number_of_threads(runs: Any) -> None:
    one, three = runs
    np.testing.assert_array_equal(one.values("vessel.eta"), three.values("vessel.eta"))
    np.testing.assert_array_equal(one.summary["vessel.eta"], three.summary["vessel.eta"])


def test_vehicles_that_see_nobody_are_those_that_run_alone(study: Any) -> None:
    swarm = study["scattered"](3)
    together = swarm.run(2.0, step=study["STEP"], record="vessel.eta").vehicle(2)
    boat = study["vehicle"]()
    boat["vessel"].set(initial_eta=swarm.parameters["vessel.initial_eta"][2])
    alone = simulate(boat, 2.0, step=study["STEP"], record="vessel.eta", inputs={"leader": swarm.inputs["leader"]})
    np.testing.assert_array_equal(together.values("vessel.eta"), alone.values("vessel.eta"))


def test_in_long_waves_a_small_float_goes_up_and_down_with_the_water(study: Any) -> None:
    """RMS heave is H_s/4, and RMS roll and pitch together are the slope, where all waves are long beside it."""
    boat = study["vehicle"]()
    sea = BretschneiderSea(2.0, 14.0, upper_limit=2.0, frequencies=15, directions=5, seed=2)
    boat.replace("sea", sea)
    boat.replace("load", WaveLoad.from_vehicle("smarty", yaw_moment="corners"))
    start = np.zeros((25, 6))
    start[:, :2] = np.random.default_rng(1).uniform(-3000.0, 3000.0, (25, 2))
    swarm = Swarm(boat, 25, parameters={"vessel.initial_eta": start}, inputs={"leader": [1e6, 0, 0, 0, 0, 0]})
    result = swarm.run(150.0, step=study["STEP"], record=[], summarise=["vessel.eta"])
    rms = np.sqrt((result.statistic("vessel.eta", "rms") ** 2).mean(axis=0))
    assert rms[2] == pytest.approx(2.0 / 4.0, rel=0.06)
    waves = sea.evaluate().outputs["waves"]
    slope = np.sqrt(0.5 * ((waves[3] * waves[4]) ** 2).sum())
    assert np.hypot(rms[3], rms[4]) == pytest.approx(slope, rel=0.12)


def test_the_load_on_smarty_is_that_of_its_dimensions() -> None:
    load, hull = WaveLoad.from_vehicle("smarty"), FloatingVehicle.from_vehicle("smarty")
    length, breadth, draught = hull.length, hull.breadth, hull.draught
    off_centre = np.sqrt(3.0) / 2.0
    expected = [off_centre * breadth * draught, off_centre * length * draught, np.pi / 4.0 * length * breadth]
    np.testing.assert_allclose(load.areas, expected, rtol=1e-7)
    assert load.pressure_depth == hull.centre_of_gravity[2]
    crest = RegularWave(0.01, 20.0).evaluate().outputs["waves"]
    lifted = load.evaluate(waves=crest, eta=np.zeros(6)).outputs["disturbance"]
    assert -lifted[2] == pytest.approx(0.01 * hull.evaluate().calculated["stiffness"][2, 2], rel=1e-3)


def test_the_figure_shows_them(study: Any, runs: Any) -> None:
    drawn = study["figure"](runs[0])
    assert isinstance(drawn, Figure)
    _, errors, motions, roll = drawn.axes
    mean = errors.lines[-2].get_ydata()
    np.testing.assert_allclose(mean, np.sqrt((study["spacing_error"](runs[0]) ** 2).mean(axis=0)))
    heave = [bar.get_height() for bar in motions.patches]
    np.testing.assert_allclose(heave, 100.0 * runs[0].statistic("vessel.eta", "significant")[:, 2])
    assert len(roll.patches) == study["COUNT"]
