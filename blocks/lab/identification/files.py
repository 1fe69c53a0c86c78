"""Files with logged data: columns by name, and units where the file tells them."""

from __future__ import annotations

import csv
import importlib.util
import itertools
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from blocks.binary.limits import Unreadable
from blocks.binary.netcdf import read_netcdf
from blocks.binary.reading import read
from blocks.errors import did_you_mean
from blocks.files.tables import check_width
from blocks.files.writing import is_file, is_folder
from blocks.lab.identification.errors import LogError

Columns = tuple[dict[str, Any], dict[str, str]]

_UNITS_OF_TIME = {"nanoseconds": "ns", "microseconds": "us", "milliseconds": "ms", "seconds": "s", "minutes": "min",
                  "hours": "h", "days": "day"}  # fmt: skip
"""As CF conventions write them: "hours since 1970-01-01"."""

_HEADING = re.compile(r"(?P<name>[^\[\(]+)(?:[\[\(](?P<unit>[^\]\)]*)[\]\)])?\Z")


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


_SEPARATORS = ",;\t|"


def _csv(path: Path) -> Columns:
    import pandas as pd

    try:
        check_width(path)
        separator = _separator(path)
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            table = pd.read_csv(
                path, sep=separator, comment="#", skipinitialspace=True, index_col=False, encoding="utf-8-sig",
                low_memory=False,
            )  # fmt: skip
    except pd.errors.ParserWarning:
        raise LogError(f"{path.name}, {_too_long(path, separator)}") from None
    except (OSError, ValueError, csv.Error) as problem:  # those of pandas, and UnicodeDecodeError, are ValueErrors
        if not path.read_bytes().strip():
            raise LogError(f"{path.name} is empty") from None
        said = str(problem).rpartition("C error: ")[2].strip()
        raise LogError(f"{path.name} cannot be read as CSV: {said}") from None
    columns, units = {}, {}
    for heading in table.columns:
        found = _HEADING.match(str(heading).strip())
        if found is None or re.fullmatch(r"[-+.\deE]+", str(heading)):
            raise LogError(f"{path.name}: '{heading}' is no heading; the first line must name the columns, 'u [m/s]'")
        name, unit = found["name"].strip(), (found["unit"] or "").strip()
        if name in columns:
            raise LogError(f"{path.name}: two columns are called '{name}'; give each a name of its own")
        columns[name] = table[heading].to_numpy()
        if unit:
            units[name] = unit
    return columns, units


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Lines that say something, with their numbers."""
    with path.open(encoding="utf-8-sig") as file:
        for number, line in enumerate(file, 1):
            said = line.partition("#")[0].strip(" \r\n")
            if said:
                yield number, said


def _cells(line: str, separator: str) -> int:
    blank = separator == r"\s+"
    return len(line.split() if blank else next(csv.reader([line], delimiter=separator, skipinitialspace=True)))


def _separator(path: Path) -> str:
    """What cuts the line of headings; blanks, where they cut the line below it into as many."""
    first, *second = [line for _, line in itertools.islice(_lines(path), 2)] or [""]
    if not any(separator in first for separator in _SEPARATORS):
        return r"\s+" if [len(line.split()) for line in second] == [len(first.split())] else ","
    return max(_SEPARATORS, key=lambda separator: _cells(first, separator))


def _too_long(path: Path, separator: str) -> str:
    """The first line that has more values than there are headings."""
    rows = ((number, _cells(line, separator)) for number, line in _lines(path))
    _, headings = next(rows)
    number, values = max(rows, key=lambda row: (row[1] > headings, -row[0]))
    return f"line {number}: {values} values under {headings} headings"


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
