"""The satellite receiver against pymap3d and rigid-body kinematics, and its outages."""

from __future__ import annotations

import numpy as np
import pymap3d
import pytest
from scipy.spatial.transform import Rotation

from blocks import Diagram, simulate
from blocks.basic import Constant, Sine, TimeSeries
from blocks.sensors import Gnss

LONG = np.longdouble
ORACLE = 0.0 if np.finfo(LONG).eps < 1e-18 else 1e-8
ORIGIN = (0.91, 0.077, 40.0)
ARM = np.array([1.2, -0.7, -2.5])
ELLIPSOIDS = {"wgs84": pymap3d.Ellipsoid.from_name("wgs84"), "sphere": pymap3d.Ellipsoid(6.371e6, 6.371e6)}


@pytest.mark.parametrize("earth", ["wgs84", "sphere"])
def test_the_antenna_is_where_pymap3d_has_it(earth):
    random = np.random.default_rng(2)
    gnss = Gnss(*ORIGIN, ellipsoid=earth, lever_arm=ARM, bias=[3.0, -4.0, 5.0], period=1.0)
    for distance in (1.0, 1e3, 1e5):
        place, angles = random.normal(size=3) * distance, random.uniform(-0.5, 0.5, 3)
        eta = [*place, *angles]
        antenna = place + Rotation.from_euler("ZYX", angles[::-1]).apply(ARM) + [3.0, -4.0, 5.0]
        found = gnss.evaluate(eta=eta, nu=np.zeros(6)).outputs
        np.testing.assert_allclose(found["position"], antenna, rtol=1e-14, atol=1e-14 * distance)
        geodetic = [found[name] for name in ("latitude", "longitude", "height")]
        back = pymap3d.geodetic2ned(*map(LONG, geodetic), *map(LONG, ORIGIN), ell=ELLIPSOIDS[earth], deg=False)
        assert np.abs(np.array(back, dtype=float) - antenna).max() < 1e-8 + ORACLE


def test_noise_moves_latitude_and_longitude_as_it_moves_the_position():
    gnss = Gnss(*ORIGIN, horizontal_noise=5.0, vertical_noise=9.0, seed=5, period=1.0)
    found = gnss.evaluate(eta=np.zeros(6), nu=np.zeros(6)).outputs
    assert np.all(np.abs(found["position"]) > 0.01)
    geodetic = [found[name] for name in ("latitude", "longitude", "height")]
    back = pymap3d.geodetic2ned(*map(LONG, geodetic), *map(LONG, ORIGIN), deg=False)
    np.testing.assert_allclose(np.array(back, dtype=float), found["position"], atol=1e-8)


def test_course_and_speed_are_those_of_the_antenna():
    """By the difference of its places a moment before and after, of a body that turns at ω and moves at v."""
    random = np.random.default_rng(3)
    gnss = Gnss(*ORIGIN, lever_arm=ARM, period=1.0)
    for _ in range(5):
        place, angles = random.normal(size=3), random.uniform(-0.5, 0.5, 3)
        angles[2] += 2.0
        nu = random.normal(size=6)
        attitude = Rotation.from_euler("ZYX", angles[::-1])
        ends = [
            place + attitude.apply(nu[:3]) * h + (attitude * Rotation.from_rotvec(nu[3:] * h)).apply(ARM)
            for h in (-1e-5, 1e-5)
        ]
        north, east, _ = (ends[1] - ends[0]) / 2e-5
        found = gnss.evaluate(eta=[*place, *angles], nu=nu).outputs
        assert found["course"] == pytest.approx(np.arctan2(east, north), abs=1e-8)
        assert found["speed"] == pytest.approx(np.hypot(north, east), abs=1e-8)


def test_noise_of_velocity_is_along_each_axis():
    """At rest the speed is that of noise alone, of Rayleigh's distribution with the mean σ √(π/2)."""
    diagram = Diagram()
    gnss = diagram.add("gnss", Gnss(*ORIGIN, velocity_noise=0.2, period=0.1))
    diagram.connect(diagram.add("rest", Constant(np.zeros(6))).y, gnss.eta, gnss.nu)
    run = simulate(diagram, 1000.0, step=0.1, record=["gnss.speed", "gnss.course", "gnss.position"])
    assert run.values("gnss.speed").mean() == pytest.approx(0.2 * np.sqrt(np.pi / 2.0), rel=0.02)
    assert np.abs(np.exp(1j * run.values("gnss.course")).mean()) < 0.04
    assert not np.any(run.values("gnss.position"))


def outage(delay: int):
    """A receiver under way that has no satellites for some time, here samples 4 to 7 and from 12 on."""
    diagram = Diagram()
    gnss = diagram.add("gnss", Gnss(*ORIGIN, period=0.5, horizontal_noise=1.0, delay=delay))
    sky = TimeSeries([0.0, 2.0, 4.0, 6.0], [1.0, 0.0, 1.0, 0.0], interpolation="hold")
    diagram.connect(diagram.add("way", Sine(np.full(6, 3.0), 0.7, offset=0.5)).y, gnss.eta, gnss.nu)
    diagram.connect(diagram.add("sky", sky).y, gnss.available)
    return simulate(diagram, 8.0, step=0.5)


@pytest.mark.parametrize("delay", [0, 2])
def test_without_satellites_the_last_fix_stays(delay):
    run = outage(delay)
    seen = [1] * 4 + [0] * 4 + [1] * 4 + [0] * 5
    valid = ([0] * delay + seen)[:17]
    assert run.values("gnss.valid").tolist() == valid
    assert run.values("gnss.fix").tolist() == np.cumsum(valid).tolist()
    for name in ("position", "latitude", "longitude", "height", "course", "speed"):
        shown = run.values(f"gnss.{name}")
        for k in range(1, 17):
            assert np.array_equal(shown[k], shown[k - 1]) is not bool(valid[k])


def test_before_the_first_fix_a_receiver_shows_its_origin():
    found = Gnss(*ORIGIN, period=1.0).evaluate(eta=np.ones(6), nu=np.ones(6), available=0.0).outputs
    assert (found["latitude"], found["longitude"], found["height"]) == ORIGIN
    assert (found["valid"], found["fix"], found["speed"]) == (0.0, 0.0, 0.0)
    assert not np.any(found["position"])
