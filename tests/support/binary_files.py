"""One file of each kind of binary file that is read, and what reads it: for damaging them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import xarray as xr

from blocks import Diagram, Result, simulate
from blocks.basic import Sine
from blocks.environment import CurrentField
from blocks.environment.files.wave_force_table import read_wave_force_table
from blocks.environment.headings import DOFS
from blocks.lab.identification.log import Log


def write_all(folder: Path) -> dict[str, Callable[[Path], Any]]:
    """Write the files; by their names what reads such a file. It ends, or raises a KeelblocksError."""
    diagram = Diagram()
    diagram.add("sine", Sine([1.0, 2.0], 1.0))
    run = simulate(diagram, 2.0, step=0.1)
    run.dataset.to_netcdf(folder / "result.nc", engine="h5netcdf")  # without a checksum: as others write it
    run.save(folder / "own.nc")
    axis = np.linspace(0.0, 90.0, 4)
    shape = (2, 4, 4)
    flow = {name: (("time", "y", "x"), np.full(shape, 0.3), {"units": "m/s"}) for name in ("u", "v")}
    axes = {"time": ("time", [0.0, 60.0], {"units": "s"}), "x": ("x", axis, {"units": "m"}), "y": ("y", axis)}
    xr.Dataset(flow, axes).to_netcdf(folder / "grid.nc", engine="h5netcdf")
    loads = {name: (("dof", "omega", "heading"), np.ones((6, 3, 3))) for name in ("amplitude", "phase")}
    table = {"dof": list(DOFS), "omega": [0.5, 1.0, 1.5], "heading": [0.0, 1.0, 2.0]}
    xr.Dataset(loads, table).to_netcdf(folder / "loads.nc", engine="h5netcdf")
    log = {"u": ("time", np.arange(9.0), {"units": "m/s"})}
    xr.Dataset(log, {"time": ("time", np.arange(9.0), {"units": "s"})}).to_netcdf(folder / "log.nc", engine="h5netcdf")
    _write_hec_ras(folder / "river.hdf")
    readers: dict[str, Callable[[Path], Any]] = {
        "result.nc": Result.load, "own.nc": Result.load, "grid.nc": CurrentField.from_netcdf,
        "loads.nc": read_wave_force_table, "log.nc": Log.read, "river.hdf": CurrentField.from_hec_ras,
    }  # fmt: skip
    if _write_mcap(folder / "log.mcap"):
        readers["log.mcap"] = lambda path: Log.read(path, units={"speed.value": "m/s"})
    return readers


def _write_hec_ras(path: Path) -> None:
    points = np.stack(np.meshgrid(np.arange(5.0), np.arange(5.0)), axis=-1).reshape(-1, 2)
    with h5py.File(path, "w") as file:
        file.attrs["Units System"] = np.bytes_("SI Units")
        file["Geometry/2D Flow Areas/river/FacePoints Coordinate"] = points
        for name in ("Node X Vel", "Node Y Vel"):
            file[f"Results/2D Flow Areas/river/{name}"] = np.ones((2, len(points)), dtype=np.float32)
        file["Results/Time"] = [1.0, 1.5]


def _write_mcap(path: Path) -> bool:
    try:
        from mcap.writer import Writer
    except ImportError:
        return False
    with path.open("wb") as stream:
        writer = Writer(stream)
        writer.start()
        schema = writer.register_schema(name="Speed", encoding="jsonschema", data=b"{}")
        channel = writer.register_channel(topic="/speed", message_encoding="json", schema_id=schema)
        for k in range(9):
            content = json.dumps({"value": 0.1 * k}).encode()
            writer.add_message(channel_id=channel, log_time=10**8 * k, publish_time=0, data=content)
        writer.finish()
    return True
