"""Reading the velocities at the points of a CSV file, as ParaView writes them from OpenFOAM."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from blocks.environment.files.field_files import Array, field, listed, onto_grid, quantity, reading
from blocks.errors import ParameterError
from blocks.files.csv_numbers import to_the_last_bit
from blocks.files.tables import check_width

_LAYOUTS = (
    ("Points:0", "Points:1", "Points:2", "U:0", "U:1", "U:2"),
    ("Points_0", "Points_1", "Points_2", "U_0", "U_1", "U_2"),
    ("x", "y", "z", "Ux", "Uy", "Uz"),
)
_AXES = ("enu", "ned")


def read_points(
    path: str | Path,
    *,
    height: float | str | None = None,
    resolution: float | str | None = None,
    longest_edge: float | str | None = None,
    origin_east: float | str = 0.0,
    origin_north: float | str = 0.0,
    axes: str = "enu",
    dry: float | str = 0.0,
) -> dict[str, Any]:
    """The parameters of a `WindField` from scattered points; see `WindField.from_csv`."""
    import pandas as pd

    still = quantity(dry, "m/s", "dry")
    if axes not in _AXES:
        raise ParameterError(f"axes must be one of {', '.join(map(repr, _AXES))}, not {axes!r}")
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
    columns = next((layout for layout in _LAYOUTS if set(layout) <= set(frame.columns)), None)
    if columns is None:
        commas = "; between columns there must be commas" if len(frame.columns) == 1 else ""
        wanted = " or ".join(",".join(layout) for layout in (_LAYOUTS[0], _LAYOUTS[2]))
        raise ParameterError(f"{path} must have the columns {wanted}, and has {listed(list(frame.columns))}{commas}")
    if frame.empty:
        raise ParameterError(f"{path} has no values under the line of column names")
    numbers = np.column_stack([_column(path, frame[name], k >= 3) for k, name in enumerate(columns)])
    numbers[~np.isfinite(numbers).all(axis=1), 3:] = still
    if axes == "ned":
        numbers = numbers[:, [1, 0, 2, 4, 3, 5]] * [1.0, 1.0, -1.0, 1.0, 1.0, 1.0]
    points, values = _at_height(path, numbers[:, :3], numbers[:, 3:5], height)
    x, y, found = onto_grid(path, points, values, resolution, longest_edge)
    x -= quantity(origin_north, "m", "origin_north")
    y -= quantity(origin_east, "m", "origin_east")
    return field(path, np.zeros(1), np.zeros(1), x, y, found[1][None, None], found[0][None, None], still)


def _column(path: str | Path, column: Any, may_miss: bool) -> Array:
    """Numbers; of velocities some may be nan."""
    import pandas as pd

    try:
        numbers: Array = pd.to_numeric(column, errors="coerce").to_numpy(dtype=np.float64)
    except OverflowError:  # whole numbers of hundreds of digits
        numbers = pd.to_numeric(column.astype(str), errors="coerce").to_numpy(dtype=np.float64)
    bad = np.flatnonzero(~np.isfinite(numbers) & ~(column.isna().to_numpy() & may_miss))
    if len(bad):
        raise ParameterError(
            f"{path}: {column.name} must be a number in every line, not '{column.iloc[bad[0]]}' in the {bad[0] + 1}th "
            f"one below the names"
        )
    return numbers


def _at_height(path: str | Path, points: Array, values: Array, height: float | str | None) -> tuple[Array, Array]:
    """East and north of points at one height, and the velocities there.

    Points of a slice are taken as they are; between others it is straight within each tetrahedron, below or above each
    of them.
    """
    heights = points[:, 2]
    low, high = float(heights.min()), float(heights.max())
    wanted = low if height is None else quantity(height, "m", "height")
    if high - low < 1e-6 * max(np.ptp(points[:, 0]), np.ptp(points[:, 1]), 1e-9):
        if abs(wanted - low) > 0.01:
            raise ParameterError(f"{path} has points at a height of {low:g} m only, but height= is {wanted:g} m")
        return points[:, :2], values
    if height is None:
        raise ParameterError(f"{path} has points at heights from {low:g} to {high:g} m: choose one by height=")
    if not low <= wanted <= high:
        raise ParameterError(f"{path} has points at heights from {low:g} to {high:g} m, but height= is {wanted:g} m")
    from scipy.interpolate import LinearNDInterpolator

    places = np.unique(points[:, :2], axis=0)
    centre = points.mean(axis=0)
    at = np.column_stack([places, np.full(len(places), wanted)])
    found = LinearNDInterpolator(points - centre, values)(at - centre)
    inside = np.isfinite(found).all(axis=1)
    if inside.sum() < 3:
        raise ParameterError(f"{path} has too few points about the height of {wanted:g} m")
    return places[inside], found[inside]
