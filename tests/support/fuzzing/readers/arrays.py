"""Arrays in NetCDF and HDF5: fields of velocity, of HEC-RAS too, logs, forces of waves, and results of ours; MCAP."""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import xarray as xr

from blocks import simulate
from blocks.environment import CurrentField, WaveForceRAO
from blocks.lab.identification.log import Log
from blocks.run.result import Result
from fuzzing.mutate.hdf5 import hdf5
from fuzzing.mutate.raw import raw
from fuzzing.reader import Reader


def _bytes(dataset: xr.Dataset, folder: Path) -> bytes:
    path = folder / "made.nc"
    dataset.to_netcdf(path, engine="h5netcdf")
    return path.read_bytes()


def _fields(folder: Path) -> Mapping[str, bytes]:
    metre, told = {"units": "m"}, {"units": "m s-1"}
    axes = {
        "time": ("time", [0.0, 3600.0], {"units": "seconds since 2024-01-01"}),
        "y": ("y", [0.0, 10.0, 20.0], metre),
        "x": ("x", [0.0, 10.0], metre),
    }
    flow = (("time", "y", "x"), np.arange(12.0).reshape(2, 3, 2), told)
    places = {
        "lat": ("lat", [63.0, 63.1], {"units": "degrees_north"}),
        "lon": ("lon", [10.0, 10.2], {"units": "degrees_east"}),
        "depth": ("depth", [0.0, 5.0], metre),
    }
    steady = (("depth", "lat", "lon"), np.full((2, 2, 2), 0.3), told)
    metres, ocean = xr.Dataset({"u": flow, "v": flow}, axes), xr.Dataset({"uo": steady, "vo": steady}, places)
    return {"metres.nc": _bytes(metres, folder), "ocean.nc": _bytes(ocean, folder)}


def _field(path: Path) -> Any:
    return CurrentField.from_netcdf(
        path,
        **({"origin_latitude": "63.05 deg", "origin_longitude": "10.1 deg"} if path.name.startswith("ocean") else {}),
    )


def _hec_ras(folder: Path) -> Mapping[str, bytes]:
    memory = io.BytesIO()
    with h5py.File(memory, "w") as file:
        file.attrs["Units System"] = "SI Units"
        points = np.array([(x, y) for x in (0.0, 50.0, 100.0) for y in (0.0, 50.0)])
        file["Geometry/2D Flow Areas/river/FacePoints Coordinate"] = points
        series = file.create_group("Results/Unsteady/Output/Output Blocks/Base Output/Unsteady Time Series")
        series["Time"] = [0.0, 0.5]
        for name in ("Node X Vel", "Node Y Vel"):
            series[f"2D Flow Areas/river/{name}"] = np.full((2, 6), 0.4)
    return {"river.hdf": memory.getvalue()}


def _logs(folder: Path) -> Mapping[str, bytes]:
    time = np.arange(20.0)
    dataset = xr.Dataset(
        {"u": ("time", np.sin(time), {"units": "m/s"}), "nu": (("time", "axis"), np.ones((20, 3)), {"units": "m/s"})},
        {"time": ("time", time, {"units": "s"}), "axis": ["u", "v", "w"]},
    )
    return {"log.nc": _bytes(dataset, folder)}


def _forces(folder: Path) -> Mapping[str, bytes]:
    shape = (3, 5, 6)
    amplitude = np.full(shape, 0.5)
    amplitude[:, ::4, 1::2] = 0.0  # from ahead and astern nothing pushes to a side
    dataset = xr.Dataset(
        {
            "amplitude": (("omega", "heading", "dof"), amplitude),
            "phase": (("omega", "heading", "dof"), np.full(shape, 0.5)),
        },
        {
            "omega": [0.5, 1.0, 2.0],
            "heading": np.radians([0, 45, 90, 135, 180]),
            "dof": ["surge", "sway", "heave", "roll", "pitch", "yaw"],
        },
    )
    return {"forces.nc": _bytes(dataset, folder)}


def _results(folder: Path) -> Mapping[str, bytes]:
    from savers import system

    path = simulate(system(0), 1.0, step=0.1).save(folder / "run.nc")
    return {"run.nc": path.read_bytes()}


def _mcap(folder: Path) -> Mapping[str, bytes]:
    from mcap.writer import CompressionType, Writer

    made = {}
    for name, compression in (("plain", CompressionType.NONE), ("packed", CompressionType.ZSTD)):
        memory = io.BytesIO()
        writer = Writer(memory, compression=compression)
        writer.start()
        schema = writer.register_schema(name="Speed", encoding="jsonschema", data=b"{}")
        channel = writer.register_channel(topic="/boat/speed", message_encoding="json", schema_id=schema)
        ros = writer.register_schema(name="std_msgs/msg/Float64", encoding="ros2msg", data=b"float64 data\n")
        pressure = writer.register_channel(topic="/pressure", message_encoding="cdr", schema_id=ros)
        for k in range(20):
            at, content = 10**8 * k, json.dumps({"value": 0.1 * k, "nu": [0.1, 0.2], "name": "log"}).encode()
            writer.add_message(channel_id=channel, log_time=at, publish_time=at, data=content)
            data = struct.pack("<4xd", 0.5 * k)[:1] + b"\1\0\0" + struct.pack("<d", 0.5 * k)
            writer.add_message(channel_id=pressure, log_time=at, publish_time=at, data=data)
        writer.finish()
        made[f"{name}.mcap"] = memory.getvalue()
    return made


def _read_mcap(path: Path) -> Any:
    return Log.read(path, columns=["boat.speed.value"], units={"boat.speed.value": "m/s"})


READERS = (
    Reader("netcdf", _fields, _field, hdf5, 3),
    Reader("hecras", _hec_ras, lambda path: CurrentField.from_hec_ras(path, resolution=25.0), hdf5, 3),
    Reader("netcdf log", _logs, Log.read, hdf5, 3),
    Reader("netcdf rao", _forces, WaveForceRAO.from_file, hdf5, 3),
    Reader("result", _results, Result.load, hdf5, 4),
    Reader("mcap", _mcap, _read_mcap, raw, 9),
)
