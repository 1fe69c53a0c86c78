"""Reading the velocities of a two-dimensional HEC-RAS model from its HDF5 file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from blocks.binary.reading import read
from blocks.environment.files.field_files import Array, field, listed, onto_grid, quantity, reading
from blocks.errors import ParameterError, did_you_mean

PLACES = "FacePoints Coordinate"
VELOCITIES = ("Node X Vel", "Node Y Vel")
_UNITS = {"SI": 1.0, "US": 0.3048}
_DAY = 86400.0
_KIND = "an HDF5 file"


def read_hec_ras(
    path: str | Path,
    *,
    area: str | None = None,
    resolution: float | str | None = None,
    longest_edge: float | str | None = None,
    origin_east: float | str = 0.0,
    origin_north: float | str = 0.0,
    units: str | None = None,
    start: float | str = 0.0,
    dry: float | str = 0.0,
    times: Any = None,
) -> dict[str, Any]:
    """The parameters of a `CurrentField` from the results of a HEC-RAS model; see `CurrentField.from_hec_ras`."""
    still, later = quantity(dry, "m/s", "dry"), quantity(start, "s", "start")
    if times is not None and later:
        raise ParameterError("start is for the times of the file; with times= of your own, leave it out")
    if area is not None and not isinstance(area, str):
        raise ParameterError(f"area must be the name of a flow area, not {area!r}")
    if units is not None and units not in list(_UNITS):
        raise ParameterError(f"units must be one of {', '.join(map(repr, _UNITS))}, not {units!r}")
    with reading(path, _KIND):
        listing = read(path, "list_hdf5")
        names: list[str] = listing["names"]
        chosen = _area(path, names, area)
        wanted = [_one(path, names, name, chosen) for name in (PLACES, *VELOCITIES)]
        clock = _time_name(names, wanted[1])
        found = read(path, "read_hdf5", [*wanted, *([clock] if clock else [])])
    points, u, v = (_numbers(path, found, name) for name in wanted)
    _check_shapes(path, points, u, v)
    times = (
        _times(path, found, clock, len(u)) - later
        if times is None
        else np.arange(len(u), dtype=np.float64)  # others take their place
    )
    metres = _UNITS[units or _system(path, listing["attributes"])]
    dry_node = ~(np.isfinite(u) & np.isfinite(v))
    if dry_node.all():
        raise ParameterError(f"{path} has no velocity that is a number")
    columns = np.concatenate([np.where(dry_node, still / metres, u), np.where(dry_node, still / metres, v)]) * metres
    x, y, found = onto_grid(path, points * metres, columns.T, resolution, longest_edge)
    east, north = found[: len(u), None], found[len(u) :, None]
    x -= quantity(origin_north, "m", "origin_north")
    y -= quantity(origin_east, "m", "origin_east")
    return field(path, times, np.zeros(1), x, y, north, east, still)


def _parent(name: str) -> str:
    return name.rpartition("/")[0].rpartition("/")[2]


def _area(path: str | Path, names: list[str], area: str | None) -> str:
    """The flow area whose results are wanted. Raises ParameterError unless it is clear which."""
    for wanted in (PLACES, *VELOCITIES):
        if not any(name.rpartition("/")[2] == wanted for name in names):
            last = [name.rpartition("/")[2] for name in names]
            raise ParameterError(
                f"{path} has no dataset '{wanted}'{did_you_mean(wanted, last)}; HEC-RAS results have '{PLACES}' "
                f"[n, 2], '{VELOCITIES[0]}' and '{VELOCITIES[1]}' [time, n], and here is {listed(names)}"
            )
    areas = sorted({_parent(name) for name in names if name.rpartition("/")[2] == VELOCITIES[0]})
    if area is None and len(areas) > 1:
        raise ParameterError(f"{path} has several flow areas; choose one by area=: {listed(areas)}")
    if area is not None and area not in areas:
        if areas == [""]:
            raise ParameterError(f"{path} has its datasets in no group, and so no flow area '{area}': leave area= out")
        raise ParameterError(f"{path} has no flow area '{area}'{did_you_mean(area, areas)}; it has {listed(areas)}")
    return area if area is not None else areas[0]


def _one(path: str | Path, names: list[str], wanted: str, area: str) -> str:
    """The dataset of that name in the area; if no group is called so, the only one."""
    found = [name for name in names if name.rpartition("/")[2] == wanted]
    own = [name for name in found if _parent(name) == area]
    if len(own) == 1 or (not own and len(found) == 1):
        return (own or found)[0]
    raise ParameterError(f"{path}: which '{wanted}' belongs to the area '{area}' is not clear: {listed(found)}")


def _numbers(path: str | Path, found: dict[str, Any], name: str) -> Array:
    data = found[name]
    if isinstance(data, str):
        raise ParameterError(f"{path}: '{name}' must hold numbers, not {data}")
    return np.asarray(data, dtype=np.float64)


def _check_shapes(path: str | Path, points: Array, u: Array, v: Array) -> None:
    if points.ndim != 2 or points.shape[1] != 2:
        raise ParameterError(f"{path}: '{PLACES}' must be [n, 2], east and north, not {list(points.shape)}")
    if not np.all(np.isfinite(points)):
        raise ParameterError(f"{path}: '{PLACES}' has a value that is no number")
    for name, values in zip(VELOCITIES, (u, v), strict=True):
        if values.ndim != 2 or values.shape[1] != len(points):
            turned = values.ndim == 2 and values.shape[0] == len(points)
            raise ParameterError(
                f"{path}: '{name}' must be [time, n] with n = {len(points)} as in '{PLACES}', not "
                f"{list(values.shape)}" + ("; it seems to be transposed" if turned else "")
            )
    if not u.size:
        raise ParameterError(f"{path}: '{VELOCITIES[0]}' is empty: it is {list(u.shape)}; has the model been run?")
    if len(u) != len(v):
        raise ParameterError(f"{path}: '{VELOCITIES[0]}' has {len(u)} times and '{VELOCITIES[1]}' {len(v)}")


def _time_name(names: list[str], beside: str) -> str:
    """The dataset 'Time' in a group above that of the results; "" if there is none."""
    group = beside
    while group:
        group = group.rpartition("/")[0]
        name = f"{group}/Time".lstrip("/")
        if name in names:
            return name
    return ""


def _times(path: str | Path, found: dict[str, Any], name: str, count: int) -> Array:
    """Times of the results from the first one on, s: HEC-RAS gives days."""
    if name:
        days = _numbers(path, found, name)
        if days.shape != (count,):
            raise ParameterError(
                f"{path}: '{name}' must have an entry for each of the {count} results, not {list(days.shape)}"
            )
        seconds: Array = np.round((days - days[0]) * _DAY, 3)
        return seconds
    if count > 1:
        raise ParameterError(f"{path} has {count} results, but no dataset 'Time' that says when; give times=[…] in s")
    return np.zeros(1)


def _system(path: str | Path, attributes: dict[str, Any]) -> str:
    """The system of units, by the attribute of the file; SI without it."""
    given = next(iter(np.ravel(attributes.get("Units System", "SI Units"))), "")
    text = given.decode(errors="replace") if isinstance(given, bytes) else str(given)
    for system in _UNITS:
        if text.upper().startswith(system):
            return system
    raise ParameterError(f"{path}: 'Units System' is {text!r}, neither SI nor US; give units='SI' or 'US'")
