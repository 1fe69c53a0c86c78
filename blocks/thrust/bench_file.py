"""Reading the table of a thruster from the CSV file of a test bench."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ParameterError, did_you_mean
from blocks.units import to_unit

Array = NDArray[np.float64]
Columns = Mapping[str, str | tuple[str, str]]
"""Which column holds which quantity: its heading, or that and the unit that the heading does not say."""

NAMES = {
    "command": ("command", "pwm", "throttle", "signal", "escsignal"),
    "thrust": ("thrust", "force"),
    "speed": ("speed", "rpm", "rotationalspeed", "motorspeed"),
    "power": ("power", "electricalpower"),
    "voltage": ("voltage",),
    "current": ("current",),
}
"""How headings call the quantities, in small letters and without blanks."""

UNITS = {"command": None, "thrust": "N", "speed": "rev/s", "power": "W", "voltage": "V", "current": "A"}
TABLES = {"command": "commands", "thrust": "thrusts", "speed": "speeds", "power": "powers"}
_SPELLINGS = {
    "kg": "kgf", "kgf": "kgf", "g": "gf", "gf": "gf", "lb": "lbf", "lbs": "lbf", "lbf": "lbf", "newton": "N", "n": "N",
    "w": "W", "v": "V", "a": "A", "rpm": "rpm", "1/min": "rpm", "rev/min": "rpm",
    "rps": "rev/s", "1/s": "rev/s", "hz": "rev/s", "rev_per_s": "rev/s",
}  # fmt: skip
"""Units as headings spell them, in small letters and without blanks; a mass stands for its weight."""

_SPREADSHEETS = (".xlsx", ".xls", ".ods")


@dataclass(frozen=True)
class _Column:
    heading: str
    place: int
    factor: float


def read_bench_file(
    path: str | Path, columns: Columns | None = None, *, smooth: bool = False, known: tuple[str, ...] = ()
) -> dict[str, list[float]]:
    """The tables `commands`, `thrusts`, `speeds` and `powers` of a CSV file; it need not have those that are `known`.

    See `MeasuredThruster`. Raises ParameterError.
    """
    if not isinstance(smooth, bool):
        raise ParameterError(f"smooth must be true or false, not {smooth!r}")
    lines = _lines(Path(path))
    header, rows = lines[0][1], lines[1:]
    found = _chosen(path, header, columns or {})
    for quantity in NAMES:
        if quantity not in found:
            found |= _recognised(path, header, quantity)
    if "power" in found:
        found.pop("voltage", None)
        found.pop("current", None)
    missing = [q for q, table in TABLES.items() if q not in found and table not in known]
    if "power" in missing and {"voltage", "current"} <= set(found):
        missing.remove("power")
    if missing:
        raise ParameterError(_without(path, missing[0], header))
    if not rows:
        raise ParameterError(f"{path} has no values under the line of column names")
    values = {q: _values(path, rows, column) for q, column in found.items()}
    if "voltage" in values and "current" in values:
        values["power"] = values.pop("voltage") * values.pop("current")
    numbers = [number for number, _ in rows]
    if "command" in values:
        numbers, values = _in_order(path, numbers, values)
    if "thrust" in values:
        values["thrust"] = _rising(path, numbers, values["thrust"], smooth)
    if "speed" in values and "thrust" in values and values["speed"].min() >= 0.0:
        values["speed"] = np.copysign(values["speed"], values["thrust"])
    return {table: values[q].tolist() for q, table in TABLES.items() if q in values}


def _lines(path: Path) -> list[tuple[int, list[str]]]:
    """Lines that say something, with their numbers, cut into cells; the first one holds the headings."""
    if path.suffix.lower() in _SPREADSHEETS:
        raise ParameterError(f"{path} is a spreadsheet: save the sheet with the measurements as CSV and read that")
    try:
        raw = path.read_bytes()
    except OSError as problem:
        raise ParameterError(f"{path} cannot be read as a bench file: {problem}") from None
    try:
        text = raw.decode("utf-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig")
    except UnicodeDecodeError:  # as spreadsheets write it where µ is one byte
        text = raw.decode("cp1252", errors="replace")
    kept = [(k, line) for k, line in enumerate(text.splitlines(), 1) if line.strip(" \t,;")]
    kept = [(k, line) for k, line in kept if not line.lstrip().startswith("#")]
    if not kept:
        raise ParameterError(f"{path} is empty: a line of column names is wanted, and one per command under it")
    separator = max(",;\t", key=kept[0][1].count)
    # line by line, so that a quotation mark that is never closed spoils its own line only
    cells = [_cells(path, number, line, separator) for number, line in kept]
    if separator != ",":
        cells = [cells[0], *([cell.replace(",", ".") for cell in row] for row in cells[1:])]
    found = list(zip((k for k, _ in kept), cells, strict=True))
    for number, row in found[1:]:
        if len(row) != len(cells[0]):
            values = f"{len(row)} value{'' if len(row) == 1 else 's'}"
            raise ParameterError(f"{path}, line {number}: {values} under {len(cells[0])} columns")
    return found


def _cells(path: Path, number: int, line: str, separator: str) -> list[str]:
    try:
        (row,) = csv.reader([line], delimiter=separator, skipinitialspace=True)
    except csv.Error as problem:
        raise ParameterError(f"{path}, line {number}: {problem}") from None
    return [cell.strip() for cell in row]


def _chosen(path: str | Path, header: list[str], columns: Columns) -> dict[str, _Column]:
    """The columns that the user names."""
    found = {}
    if not isinstance(columns, Mapping):
        raise ParameterError(
            f"columns must be like {{'thrust': 'Schub (N)'}}, quantities and their headings, not {columns!r}"
        )
    for quantity, wanted in columns.items():
        if quantity not in NAMES:
            raise ParameterError(
                f"columns names the columns of {', '.join(NAMES)}, and not of '{quantity}'"
                f"{did_you_mean(str(quantity), NAMES)}"
            )
        pair = (wanted, None) if isinstance(wanted, str) else wanted
        if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not all(isinstance(p, str | None) for p in pair):
            raise ParameterError(
                f"columns: the {quantity} must be a heading, or that and a unit, such as ('Schub', 'N'), not {wanted!r}"
            )
        heading, unit = pair
        if heading.strip() not in header:
            raise ParameterError(
                f"{path} has no column '{heading}', which columns names for the {quantity}"
                f"{did_you_mean(heading, header) or '; it has ' + ', '.join(map(repr, header))}"
            )
        place = header.index(heading.strip())
        factor = _factor(path, heading, quantity, _name_and_unit(heading)[1] if unit is None else unit)
        found[quantity] = _Column(heading.strip(), place, factor)
    return found


def _recognised(path: str | Path, header: list[str], quantity: str) -> dict[str, _Column]:
    """The column whose heading names the quantity, if there is one."""
    places = [k for k, heading in enumerate(header) if _name_and_unit(heading)[0] in NAMES[quantity]]
    if len(places) > 1:
        names = " and ".join(repr(header[k]) for k in places)
        raise ParameterError(
            f"{path}: columns {names} may both be the {quantity}; say which by "
            f"columns={{'{quantity}': '{header[places[0]]}'}}"
        )
    if not places:
        return {}
    heading = header[places[0]]
    return {quantity: _Column(heading, places[0], _factor(path, heading, quantity, _name_and_unit(heading)[1]))}


def _name_and_unit(heading: str) -> tuple[str, str]:
    """Name and unit of "Force (Kg f)", "thrust [N]", "thrust_N" or "RPM", both without blanks."""
    text = heading.strip()
    opened = re.search(r"[\(\[]", text)
    if opened and text.endswith((")", "]")):
        name, unit = text[: opened.start()], text[opened.end() : -1]
    else:
        name, _, unit = heading.partition("_")
    compact = re.sub(r"[\s_]", "", name).lower()
    return compact, re.sub(r"\s", "", unit) or ("rpm" if compact == "rpm" else "")


def _factor(path: str | Path, heading: str, quantity: str, unit: str) -> float:
    """What the column is to be multiplied by for SI."""
    wanted = UNITS[quantity]
    if wanted is None:
        return 1.0
    usual = "rpm" if quantity == "speed" else wanted
    if not unit:
        raise ParameterError(
            f"{path}: column '{heading}' does not say its unit; call it '{quantity} ({usual})', say, or give it by "
            f"columns={{'{quantity}': ('{heading}', '{usual}')}}"
        )
    try:
        return to_unit(f"1 {_SPELLINGS.get(unit.lower(), unit)}", wanted)
    except ParameterError:
        raise ParameterError(
            f"{path}: column '{heading}' is in '{unit}', which is no unit of {quantity}; '{quantity} ({usual})' would "
            f"be right, say"
        ) from None


def _without(path: str | Path, quantity: str, header: list[str]) -> str:
    """The message about a column that is not there."""
    names = {
        "command": "'command' or 'PWM (µs)'",
        "thrust": "'thrust (N)' or 'force (kgf)'",
        "speed": "'speed (rpm)' or 'RPM'",
        "power": "'power (W)', or 'voltage (V)' and 'current (A)'",
    }
    return (
        f"{path} has no column of the {quantity}, such as {names[quantity]}; it has {', '.join(map(repr, header))}. "
        f"Say which one it is by columns={{'{quantity}': …}}, or give {TABLES[quantity]}"
    )


def _values(path: str | Path, rows: list[tuple[int, list[str]]], column: _Column) -> Array:
    """A column in SI."""
    found = np.empty(len(rows))
    for k, (number, row) in enumerate(rows):
        text = row[column.place]
        try:
            found[k] = float(text) * column.factor
        except ValueError:
            found[k] = np.nan
        if not np.isfinite(found[k]):
            given = f"not {text!r}" if text else "but is empty; fill it in or leave the line out"
            raise ParameterError(f"{path}, line {number}: {column.heading} must be a number, {given}")
    return found


def _in_order(path: str | Path, numbers: list[int], values: dict[str, Array]) -> tuple[list[int], dict[str, Array]]:
    """Lines in the order of their commands. Raises ParameterError if one stands there twice."""
    order = np.argsort(values["command"], kind="stable")
    numbers, values = [numbers[k] for k in order], {q: v[order] for q, v in values.items()}
    for k in np.flatnonzero(np.diff(values["command"]) == 0.0):
        raise ParameterError(
            f"{path}: lines {numbers[k]} and {numbers[k + 1]} have the same command, {values['command'][k]:g}; "
            f"leave one out, or put their mean"
        )
    return numbers, values


def _rising(path: str | Path, numbers: list[int], thrusts: Array, smooth: bool) -> Array:
    """The thrusts, or the nearest ones that do not fall from command to command."""
    if smooth:
        from scipy.optimize import isotonic_regression

        return np.asarray(isotonic_regression(thrusts).x)
    for k in np.flatnonzero(np.diff(thrusts) < 0.0):
        raise ParameterError(
            f"{path}: the thrust falls from {thrusts[k]:g} N in line {numbers[k]} to {thrusts[k + 1]:g} N in line "
            f"{numbers[k + 1]}, at a greater command; smooth=True takes the nearest thrusts that never fall"
        )
    return thrusts
