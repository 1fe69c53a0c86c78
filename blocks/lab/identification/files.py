"""Files with logged data: columns by name, and units where the file tells them."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from blocks.errors import did_you_mean
from blocks.files import is_file, is_folder
from blocks.lab.identification.errors import LogError

Columns = tuple[dict[str, Any], dict[str, str]]

_UNITS_OF_TIME = {"nanoseconds": "ns", "microseconds": "us", "milliseconds": "ms", "seconds": "s", "minutes": "min",
                  "hours": "h", "days": "day"}  # fmt: skip
"""As CF conventions write them: "hours since 1970-01-01"."""

_HEADING = re.compile(r"\s*(?P<name>[^\[\(]+?)\s*(?:[\[\(]\s*(?P<unit>[^\]\)]*?)\s*[\]\)])?\s*\Z")


def read_columns(path: Path) -> Columns:
    """The columns of a file, by its ending. Raises LogError."""
    readers: Mapping[str, Callable[[Path], Columns]] = {
        ".csv": _csv, ".txt": _csv, ".nc": _netcdf, ".mcap": _mcap,
    }  # fmt: skip
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise LogError(f"{path}: the ending must be one of {', '.join(readers)}")
    if not is_file(path):
        beside = [other.name for other in path.parent.glob("*") if other.is_file()] if is_folder(path.parent) else []
        hint = "; it is a folder" if is_folder(path) else did_you_mean(path.name, beside) if beside else ""
        raise LogError(f"there is no file {path}{hint}")
    return reader(path)


def _csv(path: Path) -> Columns:
    import pandas as pd

    try:
        table = pd.read_csv(path, sep=None, engine="python", comment="#", skipinitialspace=True)
    except (OSError, ValueError, csv.Error) as problem:  # those of pandas, and UnicodeDecodeError, are ValueErrors
        if not path.read_bytes().strip():
            raise LogError(f"{path.name} is empty") from None
        raise LogError(f"{path.name} cannot be read as CSV: {problem}") from None
    columns, units = {}, {}
    for heading in table.columns:
        found = _HEADING.match(str(heading))
        if found is None or re.fullmatch(r"[-+.\deE]+", str(heading)):
            raise LogError(f"{path.name}: '{heading}' is no heading; the first line must name the columns, 'u [m/s]'")
        if found["name"] in columns:
            raise LogError(f"{path.name}: two columns are called '{found['name']}'; give each a name of its own")
        columns[found["name"]] = table[heading].to_numpy()
        if found["unit"]:
            units[found["name"]] = found["unit"]
    return columns, units


def _netcdf(path: Path) -> Columns:
    import xarray as xr

    try:
        with xr.open_dataset(path, engine="h5netcdf", decode_times=False) as data:
            found = {str(name): data[name].load() for name in (*data.coords, *data.data_vars)}
    except (OSError, ValueError) as problem:
        raise LogError(f"{path.name} cannot be read as NetCDF: {problem}") from None
    columns: dict[str, Any] = {}
    units: dict[str, str] = {}
    for name, array in found.items():
        if array.dtype.kind not in "fiu" or array.ndim not in (1, 2):
            continue
        parts = {name: array}
        if array.ndim == 2:  # elements along the second dimension, as those of results
            labels = array.coords[array.dims[1]].values if array.dims[1] in array.coords else range(array.shape[1])
            parts = {f"{name}[{label}]": array[:, i] for i, label in enumerate(labels)}
        for part, one in parts.items():
            if one.dims[0] != _time_dimension(found):
                continue
            columns[part] = one.to_numpy()
            told = one.attrs.get("units")
            if isinstance(told, str):
                told = _UNITS_OF_TIME.get(told.partition(" since ")[0].strip().lower(), told.partition(" since ")[0])
                each = told.split()  # "m m m rad rad rad", as results have it
                own = each[list(parts).index(part)] if len(parts) > 1 and len(each) == len(parts) else told
                units[part] = own or "1"
    return columns, units


def _time_dimension(found: Mapping[str, Any]) -> str:
    for name in ("time", "t"):
        if name in found:
            return str(found[name].dims[0]) if found[name].ndim else name
    longest = max(found.values(), key=lambda array: array.size)
    return str(longest.dims[0]) if longest.dims else ""


def _mcap(path: Path) -> Columns:
    """Every number of every message, "topic.field.field"; at the times of logging, held from message to message.

    Times are those of the topic with the most messages, in s since the first.
    """
    try:
        from mcap.reader import make_reader
    except ImportError:
        raise LogError("MCAP needs the package mcap: pip install 'keelblocks[mcap]'") from None
    decoders: list[Any] = [_JsonDecoders()]
    try:
        from mcap_ros2.decoder import DecoderFactory

        decoders.append(DecoderFactory())
    except ImportError:
        pass
    series: dict[str, tuple[list[float], list[float]]] = {}
    try:
        with path.open("rb") as stream:
            for _, channel, message, content in make_reader(stream, decoder_factories=decoders).iter_decoded_messages():
                for field, value in _fields(channel.topic.strip("/").replace("/", "."), content):
                    times, values = series.setdefault(field, ([], []))
                    times.append(message.log_time * 1e-9)
                    values.append(value)
    except Exception as problem:  # the reader has errors of its own, and struct's, and UnicodeDecodeError
        raise LogError(f"{path.name} cannot be read as MCAP: {problem}") from None
    if not series:
        raise LogError(f"{path.name} has no messages with numbers (encoded as JSON, or by ROS 2)")
    clock = np.array(max(series.values(), key=lambda pair: len(pair[0]))[0])
    columns: dict[str, Any] = {"time": clock - clock[0]}
    for field, (times, values) in series.items():
        before = np.searchsorted(times, clock, side="right") - 1
        columns[field] = np.asarray(values)[np.maximum(before, 0)]
    return columns, {}


class _JsonDecoders:
    """Decodes messages in JSON."""

    def decoder_for(self, encoding: str, schema: Any) -> Any:
        import json

        return json.loads if encoding == "json" else None


def _fields(name: str, content: Any) -> list[tuple[str, float]]:
    """All numbers in a message, with their dotted names."""
    if isinstance(content, bool) or content is None or isinstance(content, (str, bytes)):
        return []
    if isinstance(content, (int, float)):
        return [(name, float(content))]
    if isinstance(content, Mapping):
        return [pair for key, value in content.items() for pair in _fields(f"{name}.{key}", value)]
    if isinstance(content, (list, tuple, np.ndarray)):
        return [pair for i, value in enumerate(content) for pair in _fields(f"{name}[{i}]", value)]
    slots = getattr(content, "__slots__", ())
    return [pair for key in slots for pair in _fields(f"{name}.{key}", getattr(content, key))]
