"""Latitude, longitude and height against pymap3d, published values and what must hold on any Earth."""

from __future__ import annotations

import math

import numpy as np
import pymap3d
import pytest

from blocks import simulate
from blocks.basic import Constant
from blocks.diagram import Diagram
from blocks.dynamics import KinematicVehicle
from blocks.errors import ParameterError
from blocks.navigation import GeodeticPosition

DELFT = (math.radians(52.00140854178), math.radians(4.37186309232))
EARTHS = {"wgs84": pymap3d.Ellipsoid.from_name("wgs84"), "sphere": pymap3d.Ellipsoid(6_371_000.0, 6_371_000.0)}
LONG = np.longdouble  # 64 bits of mantissa on x86, so that rounding of the oracle does not count
ORACLE = 0.0 if np.finfo(LONG).eps < 1e-18 else 1e-8
"""What pymap3d loses, in m, where there are no such numbers."""


def place(block: GeodeticPosition, north: float, east: float, down: float) -> tuple[float, float, float]:
    found = block.evaluate(eta=[north, east, down, 0.3, -0.2, 2.0]).outputs
    return float(found["latitude"]), float(found["longitude"]), float(found["height"])


def oracle(place: tuple[float, float, float], origin: tuple[float, float, float], earth: str) -> np.ndarray:
    """North, east, down, m."""
    return np.array(
        pymap3d.geodetic2ned(*map(LONG, place), *map(LONG, origin), ell=EARTHS[earth], deg=False), dtype=LONG
    )


@pytest.mark.parametrize("earth", ["wgs84", "sphere"])
@pytest.mark.parametrize("distance", [1e-3, 1.0, 1e3, 1e6])
def test_a_position_is_where_pymap3d_has_it(earth: str, distance: float) -> None:
    """To half of the last digit of latitude and longitude, and of the position itself where it is far away."""
    random = np.random.default_rng(int(distance))
    least = [0.8e-9 + ORACLE, 1.5e-9 + ORACLE, 3e-12 + ORACLE]
    for _ in range(40):
        origin = (random.uniform(-1.57, 1.57), random.uniform(-3.14, 3.14), random.uniform(-100.0, 5000.0))
        position = random.normal(size=3) * distance
        found = place(GeodeticPosition(*origin, ellipsoid=earth), *position)
        assert -math.pi <= found[1] < math.pi
        off = np.abs(oracle(found, origin, earth) - position)
        assert np.all(off <= np.add(least, 2e-15 * distance)), (origin, position, off)


def test_the_harbour_of_delft_is_within_a_nanometre() -> None:
    origin = (*DELFT, 43.0)
    block = GeodeticPosition("52.00140854178 deg", "4.37186309232 deg", 43.0)
    for position in ((0.0, 0.0, 0.0), (120.0, -80.0, 1.5), (-3.0, 0.25, 0.0), (5e3, 7e3, -20.0)):
        assert np.abs(oracle(place(block, *position), origin, "wgs84") - position).max() < 1e-9 + ORACLE
    assert place(block, 0.0, 0.0, 0.0) == origin


def test_a_degree_is_as_long_as_published() -> None:
    """By the radii of curvature along and across the meridian, M and N, at the equator and at 45° of WGS 84."""
    a, b = 6378137.0, 6356752.3142
    small = 1e-4
    for latitude, meridian, across in ((0.0, b * b / a, a), (math.pi / 4, 6367381.816, 6388838.290)):
        phi, lam, _ = place(GeodeticPosition(latitude, 0.1), small * meridian, 0.0, 0.0)
        assert phi - latitude == pytest.approx(math.atan(small), rel=1e-6)
        assert lam == 0.1
        _, lam, _ = place(GeodeticPosition(latitude, 0.1), 0.0, small * across, 0.0)
        assert lam - 0.1 == pytest.approx(math.atan(small / math.cos(latitude)), rel=1e-9)


def test_on_a_sphere_a_place_is_what_spherical_trigonometry_says() -> None:
    radius = 6_371_000.0
    block = GeodeticPosition(0.4, -2.9, 10.0, ellipsoid="sphere", sphere_radius=radius)
    north, east, down = 3e5, -8e5, -2e4
    away = math.hypot(north, east)
    angle = math.atan2(away, radius + 10.0 - down)
    bearing = math.atan2(east, north)
    phi, lam, h = place(block, north, east, down)
    assert h == pytest.approx(math.hypot(radius + 10.0 - down, away) - radius, abs=2e-8)
    assert math.sin(phi) == pytest.approx(
        math.sin(0.4) * math.cos(angle) + math.cos(0.4) * math.sin(angle) * math.cos(bearing), abs=1e-15
    )
    turn = math.asin(math.sin(angle) * math.sin(bearing) / math.cos(phi))
    assert lam == pytest.approx(-2.9 + turn + (2.0 * math.pi if -2.9 + turn < -math.pi else 0.0), abs=1e-14)


def test_a_plane_leaves_the_ground_with_the_square_of_the_distance() -> None:
    block = GeodeticPosition(0.0, 0.0)
    for distance in (100.0, 1e3, 1e4):
        assert place(block, 0.0, distance, 0.0)[2] == pytest.approx(distance**2 / 2.0 / 6378137.0, rel=1e-5)
    assert place(block, 0.0, 100.0, 0.0)[2] == pytest.approx(0.8e-3, rel=0.03)


def test_depth_is_height_below_the_origin_and_moves_nothing_else() -> None:
    phi, lam, h = place(GeodeticPosition(*DELFT, 20.0), 0.0, 0.0, 350.0)
    assert (phi, lam) == DELFT
    assert h == -330.0


def test_the_date_line_and_the_poles_are_crossed() -> None:
    _, lam, _ = place(GeodeticPosition(0.2, math.radians(179.999)), 0.0, 1e3, 0.0)
    assert lam == pytest.approx(-math.pi + 1e3 / 6378137.0 / math.cos(0.2) - math.radians(0.001), abs=1e-6)
    beyond = place(GeodeticPosition(math.radians(89.9), 0.5), 3e4, 0.0, 0.0)
    assert math.degrees(beyond[0]) == pytest.approx(90.0 - (3e4 / 111_694.0 - 0.1), abs=1e-4)
    assert beyond[1] == pytest.approx(0.5 - math.pi, abs=1e-12)
    for pole in (1.0, -1.0):
        phi, lam, h = place(GeodeticPosition(pole * math.pi / 2, 0.3), 0.0, 0.0, -5.0)
        assert (phi, h) == (pole * math.pi / 2, 5.0)
        phi, lam, _ = place(GeodeticPosition(pole * math.pi / 2, 0.3), 0.0, 1e3, 0.0)
        assert lam == pytest.approx(0.3 + math.pi / 2, abs=1e-12)
        assert phi == pytest.approx(pole * (math.pi / 2 - 1e3 / 6399593.6), abs=1e-10)


def test_the_farther_side_of_the_earth_can_be_had() -> None:
    """A position is a vector, however long: here beyond the horizon, and out in space."""
    origin = (*DELFT, 0.0)
    for position in ((9e6, 2e6, 5e6), (0.0, 0.0, 1.1e7), (1e7, 1e7, -4e7)):
        found = place(GeodeticPosition(*origin), *position)
        assert np.abs(oracle(found, origin, "wgs84") - position).max() < 2e-8


def test_a_vehicle_that_goes_east_goes_east_on_the_earth() -> None:
    diagram = Diagram("trip")
    vessel = diagram.add("vessel", KinematicVehicle(mobility=[1.0, 0, 0, 0, 0, 1.0], response_time=0.1))
    vessel.set(initial_eta=[0, 0, 0, 0, 0, math.pi / 2])
    chart = diagram.add("chart", GeodeticPosition(*DELFT))
    push = diagram.add("push", Constant([2.0, 0, 0, 0, 0, 0]))
    diagram.connect(push.y, vessel.force)
    diagram.connect(vessel.eta, chart.eta)
    run = simulate(diagram, 100.0, step=0.1)
    assert run["chart.latitude"].attrs["units"] == "rad"
    gone = float(run.values("vessel.eta[y]")[-1])
    assert gone == pytest.approx(199.8, abs=0.1)
    normal = 6378137.0 / math.sqrt(1.0 - 6.69437999014e-3 * math.sin(DELFT[0]) ** 2)
    turned = run.values("chart.longitude")[-1] - DELFT[1]
    assert turned == pytest.approx(gone / (normal * math.cos(DELFT[0])), rel=1e-8)


def test_an_origin_beyond_a_pole_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"origin_latitude must be ≥ -1\.5708 and ≤ 1\.5708 rad, not 52"):
        GeodeticPosition(52.0, 4.37)
    with pytest.raises(
        ParameterError, match=r"origin_longitude must be ≥ -6\.28319 and ≤ 6\.28319 rad, not 7; in degrees"
    ):
        GeodeticPosition(0.1, 7.0)
    with pytest.raises(ParameterError, match=r"origin_latitude: '52 deg 0\.1' has more than one number"):
        GeodeticPosition("52 deg 0.1", "4 deg")
    with pytest.raises(ParameterError, match="origin_longitude is missing"):
        GeodeticPosition("52 deg")
    with pytest.raises(ParameterError, match="ellipsoid must be one of 'wgs84', 'sphere', not 'wgs48'"):
        GeodeticPosition("52 deg", "4 deg", ellipsoid="wgs48")
    with pytest.raises(ParameterError, match="sphere_radius must be > 0 m"):
        GeodeticPosition("52 deg", "4 deg", ellipsoid="sphere", sphere_radius=0.0)
