"""Positions in the tangent plane: the inverse of `GeodeticPosition`."""

from __future__ import annotations

import math

import numpy as np
import pymap3d
import pytest

from blocks.errors import ParameterError
from blocks.navigation import GeodeticPosition, LocalPosition, local_position

LONG = np.longdouble
ORACLE = 0.0 if np.finfo(LONG).eps < 1e-18 else 1e-8


@pytest.mark.parametrize("earth", ["wgs84", "sphere"])
def test_a_place_is_where_pymap3d_has_it(earth: str) -> None:
    ellipsoid = {"wgs84": pymap3d.Ellipsoid.from_name("wgs84"), "sphere": pymap3d.Ellipsoid(6.371e6, 6.371e6)}[earth]
    random = np.random.default_rng(5)
    for distance in (1e-7, 1e-4, 1e-2, 1.0):  # rad
        for _ in range(20):
            origin = np.array([random.uniform(-1.4, 1.4), random.uniform(-3.1, 3.1), random.uniform(-50.0, 3000.0)])
            there = origin + random.uniform(-1.0, 1.0, 3) * [distance, distance, 100.0]
            found = LocalPosition(*origin, ellipsoid=earth).evaluate(
                latitude=there[0], longitude=there[1], height=there[2]
            )
            wanted = pymap3d.geodetic2ned(*map(LONG, there), *map(LONG, origin), ell=ellipsoid, deg=False)
            off = np.abs(found.outputs["position"] - np.array(wanted, dtype=LONG))
            assert off.max() <= 3e-12 + 1e-8 * distance + ORACLE


def test_there_and_back_is_where_it_began() -> None:
    random = np.random.default_rng(6)
    for earth in ("wgs84", "sphere"):
        origin = {"origin_latitude": 0.9, "origin_longitude": 0.08, "origin_height": 43.0, "ellipsoid": earth}
        out, back = GeodeticPosition(**origin), LocalPosition(**origin)
        for position in random.normal(size=(20, 3)) * 1e3:
            found = back.evaluate(**out.evaluate(eta=[*position, 0, 0, 0]).outputs).outputs["position"]
            assert np.abs(found - position).max() < 1e-9


def test_the_short_way_round_the_date_line() -> None:
    found = LocalPosition(0.0, math.radians(179.999)).evaluate(latitude=0.0, longitude=math.radians(-179.999))
    assert found.outputs["position"][1] == pytest.approx(6378137.0 * math.sin(math.radians(0.002)), rel=1e-9)


def test_waypoints_by_latitude_and_longitude() -> None:
    chart = GeodeticPosition("52 deg", "4.37 deg", ellipsoid="sphere")
    assert local_position("52 deg", "4.37 deg", origin=chart).tolist() == [0.0, 0.0, 0.0]
    found = local_position(["52 deg", "52.001 deg"], ["4.371 deg", "4.37 deg"], origin=chart)
    assert found.shape == (2, 3)
    step = 6_371_000.0 * math.radians(0.001)
    assert found[0, 1] == pytest.approx(step * math.cos(math.radians(52.0)), rel=1e-9)
    assert found[1] == pytest.approx([step, 0.0, step**2 / 2.0 / 6_371_000.0], abs=1e-6)


def test_places_that_are_none_are_refused() -> None:
    chart = GeodeticPosition("52 deg", "4.37 deg")
    with pytest.raises(ParameterError, match=r"local_position: latitude must be ≥ -1\.5708 and ≤ 1\.5708 rad, not 52"):
        local_position(52.0, 4.37, origin=chart)
    with pytest.raises(ParameterError, match=r"local_position: longitude: .*'4 m'"):
        local_position("52 deg", "4 m", origin=chart)
    with pytest.raises(ParameterError, match="latitude has 2 entries, longitude has 3 entries: they must have"):
        local_position([0.9, 0.9], [0.1, 0.1, 0.1], origin=chart)
    with pytest.raises(ParameterError, match=r"origin must be a block that knows it, such as .*, not \(0\.9, 0\.1\)"):
        local_position(0.9, 0.1, origin=(0.9, 0.1))  # type: ignore[arg-type]
