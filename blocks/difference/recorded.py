"""What a result recorded, read back from any file that results are written to."""

from __future__ import annotations

import csv
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from blocks.files.writing import path_of
from blocks.run.result import Result, ResultError, pyarrow

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Recorded", "Signal", "recorded"]

_HEADER = re.compile(r"(?P<name>[^\[\]]+?)(\[(?P<element>[^\]]*)\])? \[(?P<unit>[^\]]*)\]\Z")


@dataclass(frozen=True)
class Signal:
    """One quantity: an array (times, elements), with a name, empty for a scalar, and a unit for each element."""

    values: NDArray[np.float64]
    elements: tuple[str, ...]
    units: tuple[str, ...]


@dataclass(frozen=True)
class Recorded:
    """All quantities of a result by name, over the same times."""

    name: str
    time: NDArray[np.float64]
    signals: Mapping[str, Signal]


def recorded(given: Result | xr.Dataset | str | PathLike[str], name: str = "") -> Recorded:
    """What a result holds, or a file of one: .nc, .csv or .parquet. `name` is what messages call it.

    Raises ResultError if a file cannot be read or is no result of a run.
    """
    if isinstance(given, Result):
        return _of_dataset(given.dataset, name or "the result")
    if not isinstance(given, (str, PathLike)):
        return _of_dataset(given, name or "the result")
    path = path_of(given, "a result", ResultError)
    if path.suffix in (".csv", ".parquet"):
        return _of_table(path)
    return _of_dataset(Result.load_dataset(path), str(path))


def _of_dataset(dataset: xr.Dataset, name: str) -> Recorded:
    if "time" not in dataset.coords:
        raise ResultError(f"{name} has no times: it is not the result of a run")
    signals = {
        str(key): _signal(array.transpose("time", ...))
        for key, array in dataset.data_vars.items()
        if "time" in array.dims and array.dtype.kind in "fiub"
    }
    if not signals:
        raise ResultError(f"{name} holds no signal over time")
    return Recorded(name, np.asarray(dataset["time"].values, dtype=float), signals)


def _signal(array: xr.DataArray) -> Signal:
    shape = array.shape[1:]
    count = int(np.prod(shape, dtype=int))
    axes = [list(map(str, array[dim].values)) if dim in array.coords else None for dim in array.dims[1:]]
    elements = [
        ",".join(axis[i] if axis else str(i) for axis, i in zip(axes, place, strict=True))
        for place in np.ndindex(*shape)
    ]
    words = str(array.attrs.get("units", "1")).split(" ")
    each = bool(shape) and shape[-1] == len(words)  # one for each element, of each member of a swarm
    units = tuple(words) * (count // len(words)) if each else (" ".join(words),) * count
    return Signal(np.asarray(array.values, dtype=float).reshape(len(array), count), tuple(elements), units)


def _of_table(path: Path) -> Recorded:
    """A table with a column for each element, as `Result.save` writes it."""
    columns = _columns(path)
    times = columns.pop("time [s]", None)
    if times is None or not columns:
        raise ResultError(f"{path} is no result: it has no column {'beside ' if times is not None else ''}'time [s]'")
    found: dict[str, list[tuple[str, str, NDArray[np.float64]]]] = {}
    for header, values in columns.items():
        match = _HEADER.match(header)
        if match is None:
            raise ResultError(
                f"{path} is no result: its column '{header}' is not named such as 'vessel.eta[psi] [rad]'"
            )
        found.setdefault(match["name"], []).append((match["element"] or "", match["unit"], values))
    signals = {}
    for name, parts in found.items():
        elements, units, arrays = zip(*parts, strict=True)
        signals[name] = Signal(np.column_stack(arrays), elements, units)
    return Recorded(str(path), times, signals)


def _columns(path: Path) -> dict[str, NDArray[np.float64]]:
    try:
        if path.suffix == ".parquet":
            _, parquet = pyarrow()
            table: Any = parquet.read_table(path)
            return {name: np.asarray(table[name], dtype=float) for name in table.column_names}
        with path.open(encoding="utf-8", newline="") as file, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a table without rows
            names = next(csv.reader(file), [])
            numbers = np.loadtxt(file, delimiter=",", ndmin=2)
    except FileNotFoundError:
        raise ResultError(f"there is no result {path}") from None
    except OSError as problem:
        raise ResultError(f"cannot read {path}: {problem.strerror or problem}") from None
    except (ValueError, KeyError, csv.Error) as problem:  # numpy and pyarrow
        said = str(problem).splitlines()
        raise ResultError(f"{path} is no table of a result, or it is damaged: {said[0] if said else problem}") from None
    numbers = numbers if numbers.size else np.empty((0, len(names)))
    if numbers.shape[1] != len(names):
        raise ResultError(f"{path} is no table of a result: {len(names)} names stand over {numbers.shape[1]} columns")
    return dict(zip(names, numbers.T, strict=True))
