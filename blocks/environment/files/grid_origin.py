"""Where the nodes of a grid are, as seen from the origin of a run: from metres, or from latitudes and longitudes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from blocks.environment.files.field_files import Array, quantity
from blocks.errors import ParameterError
from cython_kernels import elementary

if TYPE_CHECKING:
    import xarray as xr

FARTHEST = 100e3
"""Between the origin of a run and the nearest edge of a grid over latitude and longitude, m: laid out flat beyond that,
it is wrong, and what is farther is mostly a mistake in units."""


@dataclass(frozen=True)
class Origin:
    """What is x = y = 0 in the run, as it was given."""

    latitude: float | str | None
    longitude: float | str | None
    east: float | str
    north: float | str

    def from_metres(self, path: str | Path, north: Array, east: Array) -> tuple[Array, Array]:
        """x and y of nodes in metres. Raises ParameterError."""
        if self.latitude is not None or self.longitude is not None:
            raise ParameterError(
                f"{path} has its grid in metres, to north from {float(north.min()):g} to {float(north.max()):g}: say "
                f"where x = y = 0 is by origin_north= and origin_east=, not by latitude and longitude"
            )
        return north - quantity(self.north, "m", "origin_north"), east - quantity(self.east, "m", "origin_east")

    def from_degrees(self, path: str | Path, to_north: xr.DataArray, to_east: xr.DataArray) -> tuple[Array, Array]:
        """x and y of nodes over latitude and longitude, laid out flat with the radii of WGS-84 at the origin."""
        latitudes, longitudes = _radians(to_north), _radians(to_east)
        ends = [float(np.degrees(end(axis))) for axis in (latitudes, longitudes) for end in (np.min, np.max)]
        spans = (
            f"{path} has latitudes from {ends[0]:g} to {ends[1]:g} and longitudes from {ends[2]:g} to {ends[3]:g} deg"
        )
        if self.latitude is None or self.longitude is None:
            raise ParameterError(
                f"{spans}: say where x = y = 0 is by origin_latitude= and origin_longitude=, such as '52.25 deg'"
            )
        if quantity(self.east, "m", "origin_east") or quantity(self.north, "m", "origin_north"):
            raise ParameterError(f"{spans}: origin_east= and origin_north= are for grids in metres; leave them out")
        latitude = _angle(self.latitude, "origin_latitude", 0.5 * np.pi)
        longitude = _angle(self.longitude, "origin_longitude", 2.0 * np.pi)
        away = np.unwrap(longitudes - longitude)
        away -= 2.0 * np.pi * np.round(away.mean() / (2.0 * np.pi))
        meridian, parallel = _radii(latitude)
        x, y = (latitudes - latitude) * meridian, away * parallel
        north, east = (float(max(axis.min(), -axis.max(), 0.0)) for axis in (x, y))
        gap = math.sqrt(north * north + east * east)
        if gap > FARTHEST:
            raise ParameterError(
                f"{spans}: the origin at {np.degrees(latitude):g}, {np.degrees(longitude):g} deg is "
                f"{1e-3 * gap:.0f} km away; plain numbers are in radians, degrees are given as '52.25 deg'"
            )
        return x, y


def is_geographic(path: str | Path, to_north: xr.DataArray, to_east: xr.DataArray) -> bool:
    """Whether a grid is over latitude and longitude. Raises ParameterError if its pole is not that of the Earth."""
    for axis in (to_north, to_east):
        if str(axis.attrs.get("standard_name", "")).startswith("grid_l"):
            raise ParameterError(
                f"{path}: '{axis.name}' is {axis.attrs['standard_name']}, of a rotated pole: bring the file onto "
                f"latitudes and longitudes, or onto metres"
            )
    return str(to_north.attrs.get("units", "")).startswith("degree") or "lat" in str(to_north.name).lower()


def _radians(axis: xr.DataArray) -> Array:
    values = axis.values.astype(np.float64)
    return values if str(axis.attrs.get("units", "")).startswith("rad") else np.radians(values)


def _angle(given: float | str, name: str, most: float) -> float:
    """An angle, rad, that may be there at all."""
    angle = quantity(given, "rad", name)
    if abs(angle) > most + 1e-12:
        hint = f"; in degrees it is '{given:g} deg'" if not isinstance(given, str) else ""
        raise ParameterError(f"{name} must be within ±{np.degrees(most):g} deg, not {np.degrees(angle):g} deg{hint}")
    return angle


def _radii(latitude: float) -> tuple[float, float]:
    """Metres per radian of latitude and of longitude, on WGS-84."""
    radius, square = 6_378_137.0, 6.694379990141317e-3
    sine, cosine = float(elementary.sin(latitude)), float(elementary.cos(latitude))
    rest = 1.0 - square * sine * sine
    return radius * (1.0 - square) / (rest * math.sqrt(rest)), radius * cosine / math.sqrt(rest)
