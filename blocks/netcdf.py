"""Writing NetCDF by way of the memory."""

from __future__ import annotations

import io
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import xarray as xr


def write_netcdf(dataset: xr.Dataset, path: str | PathLike[str], **groups: xr.Dataset) -> None:
    """Write a dataset to a file, and others as groups of it. Raises OSError.

    HDF5 does not get over a disk that runs full while it writes: it ends the process later on. Here it writes to
    memory, which takes as much of it as the file has bytes.
    """
    import h5netcdf
    from xarray.backends import H5NetCDFStore

    content = io.BytesIO()
    with h5netcdf.File(content, "w") as file:
        dataset.dump_to_store(H5NetCDFStore(file))
        for name, content_of_group in groups.items():
            content_of_group.dump_to_store(H5NetCDFStore(file, group=name, mode="a"))
    with Path(path).open("wb") as target:
        target.write(content.getbuffer())
