"""Results of WAMIT from NAME.out, where numbered files were not written or kept."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from blocks.hydro.dofs import Array
from blocks.hydro.errors import HydroError
from blocks.hydro.readers.found import Found, table_of
from blocks.hydro.text import Reader, mode, number, numbers_in

_LOADS = {
    "HASKIND EXCITING": "excitation_force",
    "DIFFRACTION EXCITING": "excitation_force",
    "RESPONSE AMPLITUDE": "rao",
    "DRIFT FORCES": "mean_drift",
}


def coefficients(out: Path) -> Found:
    """Added mass, damping, loads, motions and drift by period, in WAMIT's axes and without dimension."""
    reader = Reader(out)
    mass: dict[float, Array] = {}
    damping: dict[float, Array] = {}
    cells: dict[str, dict[tuple[float, float, int], complex]] = {}
    omega, heading, section = np.nan, np.nan, ""
    while reader.at < len(reader.lines):
        line = reader.line()
        upper = line.upper()
        if "WAVE PERIOD" in upper and "=" in line:
            omega, section = _omega(line, reader), ""
        elif "ADDED-MASS" in upper:
            section = "matrices"
        elif any(word in upper for word in _LOADS):
            section = next(name for word, name in _LOADS.items() if word in upper)
        elif "HYDRODYNAMIC PRESSURE" in upper or "FLUID VELOCIT" in upper or "WAVE DRIFT DAMPING" in upper:
            section = ""
        elif "WAVE HEADING" in upper:
            degrees = [value for word in line.partition(":")[2].split() if (value := number(word)) is not None]
            if not degrees:
                reader.fault("a wave heading wants a number")
            heading = degrees[0] if len(set(degrees)) == 1 else np.nan
        elif section and re.match(r"\s*-?\d+\s", line):
            found = numbers_in(line)
            if np.isnan(omega):
                reader.fault("coefficients stand before the first wave period")
            if section == "matrices" and len(found) >= 3:
                i, j = (mode(value, reader.where) for value in found[:2])
                mass.setdefault(omega, np.zeros((6, 6)))[i, j] = found[2]
                damping.setdefault(omega, np.zeros((6, 6)))[i, j] = found[3] if len(found) > 3 else 0.0
            elif section != "matrices" and len(found) >= 3 and not np.isnan(heading):
                lead = np.exp(1j * np.radians(found[2]))
                cells.setdefault(section, {})[omega, heading, mode(abs(found[0]), reader.where)] = complex(
                    found[1] * lead
                )
    if not mass:
        raise HydroError(f"{out} has no added mass: it ends before the first period, or is of another program")
    order = sorted(mass)
    result = Found(np.array(order), np.array([mass[w] for w in order]), np.array([damping[w] for w in order]))
    for name, values in cells.items():
        result.loads[name] = table_of(values, f"{out}, {name},")
    return result


def _omega(line: str, reader: Reader) -> float:
    """From "Wave period (sec) = 1.57E+00", "= infinite" or "= zero"."""
    word = line.partition("=")[2].split()[:1]
    if word == ["infinite"]:
        return 0.0
    if word == ["zero"]:
        return float(np.inf)
    period = number(word[0]) if word else None
    if period is None or period <= 0.0:
        reader.fault(f"a wave period must be a positive number, not '{' '.join(word)}'")
    return 2.0 * np.pi / period
