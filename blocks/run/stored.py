"""Results in files: what NetCDF holds of a run, a swarm or a study, and what a run recorded, made of that again."""

from __future__ import annotations

import re
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from blocks.binary.limits import Unreadable
from blocks.binary.netcdf import read_netcdf
from blocks.errors import KeelblocksError, did_you_mean, near_misses
from blocks.files.writing import path_of
from blocks.plan.place import Place
from blocks.run.result_check import fault
from blocks.signal import Signal

if TYPE_CHECKING:
    import xarray as xr

_DIMENSION = re.compile(r"_element(_\d+)?\Z")


def read_dataset(path: str | PathLike[str], error: type[KeelblocksError]) -> xr.Dataset:
    """The dataset in a file. Raises an error of that class if the file is no result of Keelblocks."""
    path = path_of(path, "a result", error)
    try:
        loaded = read_netcdf(path, decode_times=False, decode_timedelta=False)
    except FileNotFoundError:
        beside = [file.name for file in path.parent.glob(f"*{path.suffix}")][:200]
        near = did_you_mean(path.name, beside) if near_misses(path.name, beside) else ""
        raise error(f"there is no result {path}{near}") from None
    except OSError as problem:
        raise error(f"cannot read {path}: {problem.strerror or problem}") from None
    except Unreadable as problem:
        raise error(f"{path} is not a NetCDF result, or it is damaged: {problem}") from None
    wrong = fault(loaded)
    if wrong:
        raise error(f"{path} is not a result, or it is damaged: {wrong}")
    return loaded


def recorded_in(dataset: xr.Dataset) -> tuple[NDArray[np.float64], dict[str, Place], dict[str, slice], Any]:
    """The times of a run, its quantities, the columns that each has in a table (times, numbers), and that table."""
    places: dict[str, Place] = {}
    columns: dict[str, slice] = {}
    parts: list[NDArray[np.float64]] = []
    first, count = 0, dataset.sizes["time"]
    for name, array in dataset.data_vars.items():
        if "time" not in array.dims or array.dtype.kind not in "fiub":
            continue
        ordered = array.transpose("time", ...)
        place = _place(str(name), first, ordered)
        parts.append(np.asarray(ordered.values, dtype=np.float64).reshape(count, place.count))
        places[place.name], columns[place.name] = place, place.slice
        first += place.count
    table = np.concatenate(parts, axis=1) if parts else np.empty((count, 0))
    return np.asarray(dataset["time"].values, dtype=np.float64), places, columns, table


def _place(name: str, first: int, array: xr.DataArray) -> Place:
    """A quantity as it is described by its dimensions and attributes, see `Result.dataset`."""
    shape, dims = tuple(array.shape[1:]), [str(dimension) for dimension in array.dims[1:]]
    words = str(array.attrs.get("units", "1")).split(" ")
    unit = words[0] if len(words) == 1 else tuple(words) if shape == (len(words),) else " ".join(words)
    labels = tuple(map(str, array[dims[0]].values)) if len(dims) == 1 and dims[0] in array.coords else ()
    kind = _DIMENSION.sub("", dims[0]) if labels else "Any"
    signal = Signal(kind, shape, unit, array.attrs.get("frame"), labels)
    return Place(name, first, shape, unit, str(array.attrs.get("long_name", "")), signal)
