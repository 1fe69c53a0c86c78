"""NetCDF, written by way of the memory, and read so that a damaged file can neither hang nor end this process."""

from __future__ import annotations

import contextlib
import io
import logging
import warnings
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from blocks.binary.limits import Unreadable, words
from blocks.binary.reading import checked, read
from blocks.binary.seal import ChecksumMismatch, own_content, seal

if TYPE_CHECKING:
    import xarray as xr

_TEXTS = ("units", "standard_name", "long_name", "axis", "positive")
"""Attributes of CF conventions that whoever reads a variable may look at."""

_log = logging.getLogger("keelblocks.files")


def write_netcdf(
    dataset: xr.Dataset, path: str | PathLike[str], groups: Mapping[str, xr.Dataset] | None = None
) -> None:
    """Write a dataset, and others as groups, to a file with a checksum at its end. Raises OSError.

    HDF5 does not get over a disk that runs full while it writes: it ends the process later on. Here it writes to
    memory, which takes as much of it as the file has bytes.
    """
    from xarray.backends import H5NetCDFStore

    with _sealed(path) as file:
        dataset.dump_to_store(H5NetCDFStore(file))
        for name, group in (groups or {}).items():
            group.dump_to_store(H5NetCDFStore(file.create_group(name)))


Variable = tuple[Sequence[str], NDArray[np.float64] | Sequence[str], Mapping[str, Any]]
"""Its dimensions, numbers or words, and attributes."""


def write_variables(
    path: str | PathLike[str], variables: Mapping[str, Variable], attributes: Mapping[str, Any]
) -> None:
    """Write variables as `write_netcdf` writes a dataset of them, without the second that xarray takes to load.

    A variable that has the name of its dimension is a coordinate. Raises OSError.
    """
    import h5netcdf
    import h5py  # type: ignore[import-untyped]

    with _sealed(path) as file:
        file.attrs.update(attributes)
        file.dimensions = {
            name: size
            for dimensions, data, _ in variables.values()
            for name, size in zip(dimensions, np.shape(data), strict=True)
        }
        for name, (dimensions, data, about) in variables.items():
            numbers = isinstance(data, np.ndarray)
            made: h5netcdf.Variable = file.create_variable(
                name,
                tuple(dimensions),
                float if numbers else h5py.string_dtype(),
                fillvalue=np.nan if numbers else None,
            )
            made[...] = data if numbers else np.array(data, dtype=object)
            made.attrs.update(about)


@contextlib.contextmanager
def _sealed(path: str | PathLike[str]) -> Iterator[Any]:
    """A file in memory, which is then written with a checksum at its end."""
    import h5netcdf

    content = io.BytesIO()
    with h5netcdf.File(content, "w") as file:
        yield file
    with content.getbuffer() as buffer, Path(path).open("wb") as target:
        target.write(buffer)
        target.write(seal(buffer))


def read_netcdf(path: str | PathLike[str], **decoding: Any) -> xr.Dataset:
    """The variables of a file that hold numbers or text, in memory; `decoding` is for `xarray.decode_cf`.

    Files that `write_netcdf` wrote, and that are as they were written, are read in this process, others in a child.
    Raises Unreadable if the file cannot be read, and OSError if it is not there.
    """
    import xarray as xr

    checked(path)
    content, changed = None, False
    try:
        content = own_content(path)
    except ChecksumMismatch:
        changed = True
    if content is None:
        plain = read(path, "read_netcdf")
    else:
        from blocks.binary import hdf5

        plain = hdf5.read_netcdf(io.BytesIO(content), inf)
    if changed:
        _log.warning("%s is not as Keelblocks wrote it: its checksum does not match; it was changed or damaged", path)
    try:
        variables = {
            name: xr.Variable(
                found["dims"], found["data"], found["attributes"], {"dtype": str} if found["text"] else {}
            )
            for name, found in plain["variables"].items()
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd values: they are looked at by whoever wants them
            decoded: xr.Dataset = xr.decode_cf(xr.Dataset(variables, attrs=plain["attributes"]), **decoding).load()
    except Exception as problem:  # xarray raises whatever happens in it for names, units and shapes that do not fit
        raise Unreadable(words(problem)) from None
    for name, variable in decoded.variables.items():
        for attribute in _TEXTS:
            if not isinstance(variable.attrs.get(attribute, ""), str):
                given = " ".join(repr(variable.attrs[attribute]).split())
                raise Unreadable(f"the {attribute} of '{name}' must be text, not {given[:80]}")
    return decoded
