"""Reading charted depths: on a grid from NetCDF, at points from CSV."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from blocks.environment.files.field_files import Array, in_order, listed, onto_grid, quantity, reading
from blocks.environment.files.grid_file import axis_of, coordinate, factor, missing_axis, opened
from blocks.environment.files.grid_origin import Origin, is_geographic
from blocks.errors import ParameterError, did_you_mean
from blocks.files.csv_numbers import to_the_last_bit
from blocks.files.tables import check_width

_STANDARD = (
    "sea_floor_depth_below_geoid", "sea_floor_depth_below_mean_sea_level", "sea_floor_depth_below_sea_surface",
    "sea_floor_depth", "sea_floor_depth_below_reference_ellipsoid",
)  # fmt: skip
_UP = ("altitude", "height", "surface_altitude", "height_above_mean_sea_level", "height_above_geopotential_datum")
_NAMES = ("depth", "bathymetry", "sounding", "deptho", "h", "elevation", "altitude", "z", "Band1")
_RISE = ("elevation", "altitude", "z", "Band1")
"""Names of variables that are positive up, unless the file says otherwise."""

_COLUMNS = ("east", "north", "depth")


def read_depth_grid(
    path: str | Path,
    *,
    variable: str | None = None,
    origin_latitude: float | str | None = None,
    origin_longitude: float | str | None = None,
    origin_east: float | str = 0.0,
    origin_north: float | str = 0.0,
) -> tuple[Array, Array, Array]:
    """Nodes to north and to east, and depths, positive down, m; see `Soundings.from_netcdf`. Raises ParameterError."""
    dataset = opened(path)
    names = [str(name) for name in dataset.data_vars]
    if variable is not None and variable not in names:
        raise ParameterError(
            f"{path} has no variable '{variable}'{did_you_mean(variable, names)}; it has {listed(names)}"
        )
    standard = {str(dataset[name].attrs.get("standard_name", "")): name for name in names}
    known = [standard[name] for name in (*_STANDARD, *_UP) if name in standard]
    known += [name for name in _NAMES if name in names]
    if variable is None and not known:
        raise ParameterError(
            f"{path} has no depth that is known: neither standard names such as {_STANDARD[0]} nor variables such as "
            f"{_NAMES[0]!r} or 'elevation'; it has {listed(names)}: name one by variable="
        )
    array = dataset[variable or known[0]]
    axes = []
    for name in ("x", "y"):
        if (axis := axis_of(path, dataset, array, name)) is None:
            missing_axis(path, dataset, str(array.name), name)
        axes.append(axis)
    if set(array.dims) != set(axes):
        raise ParameterError(
            f"{path}: '{array.name}' must have the dimensions {listed([str(d) for d in axes])} alone, not "
            f"{listed([str(d) for d in array.dims])}"
        )
    if array.dtype.kind not in "iuf" or not array.size:
        raise ParameterError(f"{path}: '{array.name}' must hold numbers")
    to_north, to_east = (coordinate(path, dataset, axis) for axis in axes)
    origin = Origin(origin_latitude, origin_longitude, origin_east, origin_north)
    x, y = (
        origin.from_degrees(path, to_north, to_east)
        if is_geographic(path, to_north, to_east)
        else origin.from_metres(path, *((a.values * factor(path, a, "m")).astype(float) for a in (to_north, to_east)))
    )
    up = array.attrs.get("standard_name") in _UP or (
        array.attrs.get("standard_name") not in _STANDARD and str(array.name) in _RISE
    )
    up = array.attrs.get("positive", "up" if up else "down") == "up"
    depth = (
        np.asarray(array.transpose(*axes).values, dtype=np.float64) * factor(path, array, "m") * (-1.0 if up else 1.0)
    )
    for number, nodes in enumerate((x, y)):
        if len(nodes) > 1 and nodes[0] > nodes[-1]:
            depth = np.flip(depth, number)
    x, y = np.sort(x), np.sort(y)
    in_order(path, "north", x)
    in_order(path, "east", y)
    return x, y, depth


def read_depth_points(
    path: str | Path,
    *,
    resolution: float | str | None = None,
    longest_edge: float | str | None = None,
    origin_east: float | str = 0.0,
    origin_north: float | str = 0.0,
) -> tuple[Array, Array, Array]:
    """Nodes to north and to east, and depths, positive down, m; see `Soundings.from_csv`. Raises ParameterError."""
    import pandas as pd

    with reading(path, "a table in text"):
        check_width(path)
        frame = pd.read_csv(
            path,
            comment="#",
            skipinitialspace=True,
            index_col=False,
            encoding="utf-8-sig",
            **to_the_last_bit(),
        )
    frame.columns = pd.Index([str(name).strip() for name in frame.columns])
    if not set(_COLUMNS) <= set(frame.columns):
        raise ParameterError(
            f"{path} must have the columns {','.join(_COLUMNS)}, and has {listed(list(frame.columns))}"
        )
    with reading(path, "a table of numbers"):
        numbers = frame[list(_COLUMNS)].to_numpy(dtype=np.float64)
    numbers = numbers[np.isfinite(numbers).all(axis=1)]
    if not len(numbers):
        raise ParameterError(f"{path} has no depths under the line of column names")
    x, y, found = onto_grid(path, numbers[:, :2], numbers[:, 2:], resolution, longest_edge)
    return x - quantity(origin_north, "m", "origin_north"), y - quantity(origin_east, "m", "origin_east"), found[0]
