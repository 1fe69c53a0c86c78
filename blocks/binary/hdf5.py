"""What stands in HDF5 and NetCDF files, as plain data. Runs in a child process, and imports nothing heavy."""

from __future__ import annotations

from typing import Any

import h5netcdf
import h5py  # type: ignore[import-untyped]
import numpy as np

from blocks.binary.limits import Budget, Unreadable

MOST_OBJECTS = 20_000
"""Groups, datasets and attributes in a file."""
_TEXT_WIDTH = 16
_KINDS = "biufcSUO"


def read_netcdf(source: Any, most: float) -> dict[str, Any]:
    """All variables of a NetCDF-4 file: dims, data, attributes; those of the file; and what was left out, and why.

    Raises Unreadable, and whatever the libraries raise.
    """
    budget, variables, left_out = Budget(most), {}, {}
    with h5netcdf.File(source, "r") as file:
        _bounded(len(file.variables))
        for name, variable in file.variables.items():
            dims, shape = [str(d) for d in variable.dimensions], tuple(map(int, variable.shape))
            kind = np.dtype(variable.dtype)
            text = h5py.check_string_dtype(kind) is not None and kind.kind == "O"
            if kind.kind not in _KINDS or (kind.kind == "O" and not text):
                left_out[name] = str(kind)
                continue
            if len(dims) != len(shape):
                raise Unreadable(f"'{name}' has {len(dims)} names for its {len(shape)} dimensions")
            budget.take(name, shape, _TEXT_WIDTH if text else kind.itemsize)
            data = np.asarray(variable[...] if shape else variable[()])
            if data.shape != shape:
                raise Unreadable(f"'{name}' should be {list(shape)} and is {list(data.shape)}")
            variables[name] = {
                "dims": dims, "data": data, "text": text, "attributes": _attributes(variable.attrs, budget),
            }  # fmt: skip
        return {"variables": variables, "attributes": _attributes(file.attrs, budget), "left_out": left_out}


def list_hdf5(source: Any, most: float) -> dict[str, Any]:
    """The datasets of an HDF5 file, and the attributes of the file. Raises Unreadable."""
    names: list[str] = []

    def note(name: str, item: Any) -> None:
        _bounded(len(names))
        if isinstance(item, h5py.Dataset):
            names.append(name)

    with h5py.File(source, "r") as file:
        file.visititems(note)
        return {"names": names, "attributes": _attributes(file.attrs, Budget(most))}


def read_hdf5(source: Any, most: float, names: list[str]) -> dict[str, Any]:
    """Datasets by their names, or as text what kind they are if they hold no numbers. Raises Unreadable."""
    budget = Budget(most)
    found: dict[str, Any] = {}
    with h5py.File(source, "r") as file:
        for name in names:
            data = file[name]
            if data.dtype.kind not in "iuf":
                found[name] = str(data.dtype)
                continue
            budget.take(name, data.shape or (), data.dtype.itemsize)
            found[name] = np.asarray(data[()], dtype=np.float64)
    return found


def _bounded(count: int) -> None:
    if count > MOST_OBJECTS:
        raise Unreadable(f"it has more than {MOST_OBJECTS:,} variables or attributes")


def _attributes(given: Any, budget: Budget) -> dict[str, Any]:
    """Attributes of numbers and text; others are left out."""
    found: dict[str, Any] = {}
    _bounded(len(given))
    for name in given:
        value = given[name]
        if isinstance(value, h5py.Empty):
            value = ""
        if isinstance(value, bytes) and name not in ("_FillValue", "missing_value"):
            value = value.decode("utf-8", "replace")
        if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind not in "biufcSUO":
            continue
        budget.take(name, np.shape(value), 8)
        if isinstance(value, np.ndarray) and value.dtype.kind == "O":
            if not all(isinstance(item, (str, bytes)) for item in value.ravel()):
                continue
        elif not isinstance(value, (str, bytes, int, float, list, np.ndarray, np.generic)):
            continue
        found[str(name)] = value
    return found
