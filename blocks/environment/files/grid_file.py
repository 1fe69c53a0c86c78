"""Reading velocities on a grid from NetCDF, by CF conventions: standard names, axes, units."""

from __future__ import annotations

import re
import warnings
from collections.abc import Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from blocks.binary.netcdf import read_netcdf
from blocks.environment.files.field_files import Array, field, in_order, listed, quantity, reading
from blocks.environment.files.grid_origin import Origin, is_geographic
from blocks.errors import ParameterError, did_you_mean
from blocks.units import to_unit

if TYPE_CHECKING:
    import xarray as xr

_PLACES = ("x", "y", "depth", "time")
_STANDARD = {
    "current": (
        ("eastward_sea_water_velocity", "northward_sea_water_velocity"),
        ("surface_eastward_sea_water_velocity", "surface_northward_sea_water_velocity"),
        ("barotropic_eastward_sea_water_velocity", "barotropic_northward_sea_water_velocity"),
        ("sea_water_x_velocity", "sea_water_y_velocity"),
    ),
    "wind": (("eastward_wind", "northward_wind"), ("x_wind", "y_wind")),
}
"""Standard names of CF, east first."""

_NAMES = {
    "current": (("u", "v"), ("uo", "vo"), ("water_u", "water_v"), ("eastward", "northward"), ("east", "north")),
    "wind": (("u10", "v10"), ("u", "v"), ("ua", "va"), ("uas", "vas"), ("eastward", "northward"), ("east", "north")),
}
"""Names of variables in common use, east first."""

_AXES: dict[str, tuple[set[str], str, set[str]]] = {
    "y": ({"longitude", "projection_x_coordinate"}, "X", {"x", "lon", "longitude", "easting", "east"}),
    "x": ({"latitude", "projection_y_coordinate"}, "Y", {"y", "lat", "latitude", "northing", "north"}),
    "depth": (
        {"depth", "height", "altitude", "ocean_s_coordinate"}, "Z", {"depth", "z", "lev", "level", "height", "deptht"}
    ),
    "time": ({"time"}, "T", {"time", "t"}),
}  # fmt: skip
"""Standard name, axis and names by which a dimension is known, under the names of axes here: x is north, y is east."""


def read_grid(
    path: str | Path,
    kind: str,
    *,
    variables: tuple[str, str] | None = None,
    origin_latitude: float | str | None = None,
    origin_longitude: float | str | None = None,
    origin_east: float | str = 0.0,
    origin_north: float | str = 0.0,
    start: float | str | None = None,
    dry: float | str = 0.0,
) -> dict[str, Any]:
    """The parameters of a field of this kind, "current" or "wind"; see `CurrentField.from_netcdf`."""
    still = quantity(dry, "m/s", "dry")
    dataset = opened(path)
    pair = _pair(path, dataset, kind, variables)
    axes = {name: axis_of(path, dataset, dataset[pair[0]], name) for name in _PLACES}
    for name in ("x", "y"):
        if axes[name] is None:
            missing_axis(path, dataset, pair[0], name)
    order = [axes[name] for name in ("time", "depth", "x", "y") if axes[name] is not None]
    velocities = []
    for variable in pair:
        array = dataset[variable]
        if set(array.dims) != set(order):
            raise ParameterError(
                f"{path}: '{variable}' must have the dimensions {listed([str(d) for d in order])}, not "
                f"{listed([str(d) for d in array.dims])}"
            )
        if array.dtype.kind not in "iuf":
            raise ParameterError(f"{path}: '{variable}' must hold numbers, not {array.dtype}")
        if not array.size:
            raise ParameterError(f"{path}: '{variable}' is empty: it is {_sizes(array)}")
        values = np.asarray(array.transpose(*order).values, dtype=np.float64) * factor(path, array, "m/s")
        velocities.append(values.reshape([dataset.sizes[d] if d is not None else 1 for d in _four(axes)]))
    to_north, to_east = (coordinate(path, dataset, axes[name]) for name in ("x", "y"))
    origin = Origin(origin_latitude, origin_longitude, origin_east, origin_north)
    x, y = (
        origin.from_degrees(path, to_north, to_east)
        if is_geographic(path, to_north, to_east)
        else origin.from_metres(path, *((a.values * factor(path, a, "m")).astype(float) for a in (to_north, to_east)))
    )
    times = _times(path, dataset, axes["time"], start)
    return field(path, times, _depths(path, dataset, axes["depth"]), x, y, velocities[1], velocities[0], still)


def _sizes(array: xr.DataArray) -> str:
    return ", ".join(f"{dimension} = {size}" for dimension, size in array.sizes.items())


def _four(axes: dict[str, Hashable | None]) -> list[Hashable | None]:
    return [axes[name] for name in ("time", "depth", "x", "y")]


def opened(path: str | Path) -> xr.Dataset:
    """A file of NetCDF. Raises ParameterError if it cannot be read."""
    with reading(path, "a NetCDF file of version 4"):
        return read_netcdf(path, decode_timedelta=False)


def _pair(path: str | Path, dataset: xr.Dataset, kind: str, chosen: tuple[str, str] | None) -> tuple[str, str]:
    """The variables of the velocity to east and to north."""
    names = [str(name) for name in dataset.data_vars]
    if chosen is not None:
        pair = isinstance(chosen, (tuple, list)) and len(chosen) == 2 and all(isinstance(c, str) for c in chosen)
        if not pair or chosen[0] == chosen[1]:
            raise ParameterError(f"variables must be two names, that to east first, not {chosen!r}")
        for name in chosen:
            if name not in names:
                raise ParameterError(
                    f"{path} has no variable '{name}'{did_you_mean(name, names)}; it has {listed(names)}"
                )
        return (chosen[0], chosen[1])
    standard = {str(dataset[name].attrs.get("standard_name", "")): name for name in names}
    for east, north in _STANDARD[kind]:
        if east in standard and north in standard:
            return standard[east], standard[north]
    for east, north in _NAMES[kind]:
        if east in names and north in names:
            return east, north
    wanted = " or ".join(f"'{east}' and '{north}'" for east, north in _NAMES[kind][:3])
    raise ParameterError(
        f"{path} has no velocity of the {kind} that is known: neither standard names such as "
        f"{_STANDARD[kind][0][0]} nor variables {wanted}; it has {listed(names)}: name two by variables=(east, north)"
    )


def axis_of(path: str | Path, dataset: xr.Dataset, array: xr.DataArray, name: str) -> Hashable | None:
    """The dimension of a variable that is this axis: by its standard name, its axis or its own name."""
    standard, letter, names = _AXES[name]
    for dimension in array.dims:
        attributes = dataset[dimension].attrs if dimension in dataset.coords else {}
        if attributes.get("standard_name") in standard or attributes.get("axis") == letter:
            return dimension
    for dimension in array.dims:
        if str(dimension).lower() in names:
            return dimension
    return None


def missing_axis(path: str | Path, dataset: xr.Dataset, variable: str, name: str) -> None:
    """Raise ParameterError for a variable without a dimension to north, "x", or to east, "y"."""
    north = name == "x"
    wanted = "'y' or 'lat'" if north else "'x' or 'lon'"
    curved = [str(c) for c, array in dataset.coords.items() if array.ndim > 1]
    more = f"; {listed(curved)} have two dimensions: bring the file onto a grid with one axis each" if curved else ""
    raise ParameterError(
        f"{path}: '{variable}' has no dimension to {'north' if north else 'east'}, such as {wanted}: it has "
        f"{listed([str(d) for d in dataset[variable].dims])}{more}"
    )


def factor(path: str | Path, array: xr.DataArray, unit: str) -> float:
    """What values are multiplied by to be in a unit of SI; those without a unit are."""
    given = array.attrs.get("units")
    if given is None:
        return 1.0
    text = re.sub(r"(?<=[A-Za-z])(-?\d+)", r"^\1", " ".join(str(given).split()))
    text = re.sub(r"\b(meter|metre)s?\b", "m", re.sub(r"\s+per\s+", "/", text))
    text = re.sub(r"\s+|(?<=[A-Za-z])\.(?=[A-Za-z])", "*", text)
    try:
        return to_unit(f"1 {text}", unit)
    except ParameterError:
        raise ParameterError(f"{path}: units of '{array.name}' are '{given}', which are not those of {unit}") from None


def coordinate(path: str | Path, dataset: xr.Dataset, dimension: Hashable) -> xr.DataArray:
    """The values of a dimension. Raises ParameterError if it has none."""
    if dimension not in dataset.coords:
        raise ParameterError(f"{path}: the dimension '{dimension}' has no values: a variable '{dimension}' is missing")
    return dataset[dimension]


def _times(path: str | Path, dataset: xr.Dataset, dimension: Hashable | None, start: float | str | None) -> Array:
    """Seconds from `start`, or from the first time of the file."""
    if dimension is None:
        return np.zeros(1)
    times = coordinate(path, dataset, dimension)
    if times.dtype.kind == "M":
        first = times.values[0] if start is None else _moment(start)
        seconds: Array = (times.values - first) / np.timedelta64(1, "s")
    elif times.dtype.kind in "iuf":
        values = times.values.astype(np.float64) * factor(path, times, "s")
        seconds = values - (values[0] if start is None else _seconds(path, start))
    else:
        raise ParameterError(
            f"{path}: '{dimension}' must hold times, not {times.dtype} (a calendar that is no standard)"
        )
    in_order(path, str(dimension), seconds)
    return seconds


def _moment(start: object) -> np.datetime64:
    """A time of a calendar; UTC where it names a zone, as in files."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            moment: np.datetime64 = np.datetime64(str(start))
    except ValueError:
        moment = np.datetime64("NaT")
    if np.isnat(moment):
        raise ParameterError(f"start must be a time such as '2024-05-01T12:00', not {start!r}")
    return moment


def _seconds(path: str | Path, start: float | str) -> float:
    try:
        return quantity(start, "s", "start")
    except ParameterError:
        raise ParameterError(
            f"start must be in s, such as '2 h', for {path} has times without a date, not {start!r}"
        ) from None


def _depths(path: str | Path, dataset: xr.Dataset, dimension: Hashable | None) -> Array:
    """Depths, positive down."""
    if dimension is None:
        return np.zeros(1)
    levels = coordinate(path, dataset, dimension)
    depths = levels.values.astype(np.float64) * factor(path, levels, "m")
    up = levels.attrs.get("positive", "down") == "up" or levels.attrs.get("standard_name") in ("height", "altitude")
    return -depths if up else depths
