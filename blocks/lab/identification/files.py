"""Files with logged data: columns by name, and units where the file tells them."""

from __future__ import annotations

import csv
import importlib.util
import math
import re
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from blocks.binary.limits import Unreadable
from blocks.binary.netcdf import read_netcdf
from blocks.binary.reading import read
from blocks.errors import ParameterError, did_you_mean
from blocks.files.csv_numbers import to_the_last_bit
from blocks.files.tables import check_width
from blocks.files.writing import is_file, is_folder
from blocks.lab.identification.csv_text import Writing, with_points
from blocks.lab.identification.errors import LogError
from blocks.units import si_unit

Columns = tuple[dict[str, Any], dict[str, str]]

_UNITS_OF_TIME = {"nanoseconds": "ns", "microseconds": "us", "milliseconds": "ms", "seconds": "s", "minutes": "min",
                  "hours": "h", "days": "day"}  # fmt: skip
"""As CF conventions write them: "hours since 1970-01-01"."""

_HEADING = re.compile(r"(?P<name>[^\[\(]+)(?:[\[\(](?P<unit>[^\]\)]*)[\]\)])?\Z")


def is_bag(path: Path) -> bool:
    """Whether columns of a file are topics: of rosbag 2, a folder or .db3."""
    return path.suffix.lower() == ".db3" or is_folder(path)


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

    writing = None
    try:
        check_width(path)
        writing = Writing.of(path)
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            table = pd.read_csv(
                path, sep=writing.separator, comment="#", skipinitialspace=True, index_col=False,
                encoding=writing.encoding, decimal=writing.decimal, low_memory=False, **to_the_last_bit(),
            )  # fmt: skip
    except (OSError, ValueError, csv.Error, pd.errors.ParserWarning) as problem:  # those of pandas are ValueErrors
        if not path.read_bytes().strip():
            raise LogError(f"{path.name} is empty") from None
        if writing and (isinstance(problem, pd.errors.ParserWarning) or "Expected" in str(problem)):
            raise LogError(f"{path.name}, {writing.too_long(path)}") from None
        said = str(problem).rpartition("C error: ")[2].strip()
        raise LogError(f"{path.name} cannot be read as CSV: {said}") from None
    if writing.decimal == ",":  # of columns that were left as text, for the sake of a line of units
        for heading in [one for one in table.columns if table[one].dtype.kind == "O"]:
            table[heading] = [with_points(one) if isinstance(one, str) else one for one in table[heading]]
    columns, units, below = {}, {}, _units_below(table)
    if below:
        table = table.iloc[1:]
    for number, heading in enumerate(table.columns, 1):
        values = table[heading]
        if re.fullmatch(r"Unnamed: \d+", str(heading)):  # as pandas calls what has no heading
            if values.isna().all():
                continue
            raise LogError(f"{path.name}: column {number} has values and no heading; the first line must name it")
        found = _HEADING.match(str(heading).strip())
        twice = re.sub(r"\.\d+\Z", "", str(heading))
        if twice != str(heading) and twice in table.columns:  # pandas numbers headings that repeat
            raise LogError(f"{path.name}: two columns are called '{twice}'; give each a name of its own")
        if found is None or re.fullmatch(r"[-+.\deE]+", str(heading)):
            raise LogError(f"{path.name}: '{heading}' is no heading; the first line must name the columns, 'u [m/s]'")
        name, unit = found["name"].strip(), (found["unit"] or "").strip()
        if name in columns:
            raise LogError(f"{path.name}: two columns are called '{name}'; give each a name of its own")
        columns[name] = (_as_numbers(values) if below else values).to_numpy()
        unit = unit or below.get(heading, "") or _unit_of_name(name)
        if unit:
            units[name] = unit
    return columns, units


_ENDINGS = {"deg": "deg", "rad": "rad", "kn": "kn", "kts": "kn", "mps": "m/s", "degps": "deg/s", "radps": "rad/s",
            "m_s": "m/s", "deg_s": "deg/s", "rad_s": "rad/s", "rpm": "rpm", "rps": "1/s"}  # fmt: skip
"""Ends of names that can be nothing but a unit: psi_deg, yaw_rate_rad_s."""


def _unit_of_name(name: str) -> str:
    for ending in sorted(_ENDINGS, key=len, reverse=True):
        if name.lower().endswith(f"_{ending}"):
            return _ENDINGS[ending]
    return ""


def _units_below(table: Any) -> dict[Any, str]:
    """The units of a line right below the headings; none if there is no such line.

    It has text where the lines below it have numbers, and in brackets or not only what is a unit.
    """
    if len(table) < 2:
        return {}
    first, second = ([str(table[heading].iloc[row]).strip() for heading in table.columns] for row in (0, 1))
    if not any(_is_number(one) for one in second) or any(_is_number(one) for one in first):
        return {}
    told = {
        heading: one.strip("[]() ")
        for heading, one, below in zip(table.columns, first, second, strict=True)
        if _is_number(below) and one.lower() != "nan"
    }
    units = {heading: "1" if unit in ("", "-", "--") else unit for heading, unit in told.items()}
    return units if all(_is_unit(unit) for unit in units.values()) else {}


def _is_number(text: str) -> bool:
    try:
        return text.lower() != "nan" and math.isfinite(float(text))
    except ValueError:
        return False


def _is_unit(text: str) -> bool:
    try:
        return bool(text == "1" or si_unit(text))
    except ParameterError:
        return False


def _as_numbers(values: Any) -> Any:
    import pandas as pd

    try:
        return pd.to_numeric(values)
    except (TypeError, ValueError):
        return values


def _netcdf(path: Path) -> Columns:
    try:
        data = read_netcdf(path, decode_times=False)
    except (OSError, Unreadable) as problem:
        raise LogError(f"{path.name} cannot be read as NetCDF: {problem}") from None
    found = {str(name): data[name] for name in (*data.coords, *data.data_vars)}
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
    if importlib.util.find_spec("mcap") is None:
        raise LogError("MCAP needs the package mcap: pip install 'keelblocks[mcap]'")
    try:
        series: dict[str, list[Any]] = read(path, "read_mcap")
    except (OSError, Unreadable) as problem:
        raise LogError(f"{path.name} cannot be read as MCAP: {problem}") from None
    if not series:
        raise LogError(f"{path.name} has no messages with numbers (encoded as JSON, or by ROS 2)")
    clock = np.array(max(series.values(), key=lambda pair: len(pair[0]))[0])
    columns: dict[str, Any] = {"time": clock - clock[0]}
    for field, (times, values) in series.items():
        before = np.searchsorted(times, clock, side="right") - 1
        columns[field] = np.asarray(values)[np.maximum(before, 0)]
    return columns, {}
