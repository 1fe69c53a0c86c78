"""Hydrodynamic coefficients of a heaving float over frequency, in a file."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ParameterError

Array = NDArray[np.float64]

COLUMNS = ("omega_rad_per_s", "added_mass_kg", "damping_N_s_per_m", "force_N_per_m", "phase_deg")


@dataclass(frozen=True)
class Hydrodynamics:
    """What a radiation-diffraction program says of a float in heave: m frequencies and the coefficients at each."""

    omega: Array
    """ω, rad/s, increasing."""
    added_mass: Array
    """A(ω), kg."""
    damping: Array
    """B(ω), N·s/m."""
    force: Array
    """|X(ω)|, N/m."""
    phase: Array
    """∠X(ω), lag behind the crest, rad."""
    infinite_added_mass: float
    """A at infinite frequency, kg."""

    def at(self, omega: float) -> tuple[float, float, complex]:
        """A, kg, B, N·s/m, and X, N/m, at a frequency within the table, linear in between."""
        response = self.force * np.exp(1j * self.phase)
        a, b, real, imaginary = (
            float(np.interp(omega, self.omega, values))
            for values in (self.added_mass, self.damping, response.real, response.imag)
        )
        return a, b, complex(real, imaginary)


def read_hydrodynamics(path: str | Path) -> Hydrodynamics:
    """The table of a CSV file with the columns of `COLUMNS`; lines that begin with # are remarks.

    One line has the frequency `inf` and the added mass there, and nothing else that counts. Raises ParameterError if
    the file cannot be read, a column or a number is missing, or the frequencies do not increase.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise ParameterError(f"{path}: cannot be read: {error.strerror}") from None
    reader = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        raise ParameterError(
            f"{path}: has no column {', '.join(missing)}; its first line must name {', '.join(COLUMNS)}"
        )
    rows = []
    for number, line in enumerate(reader, 1):
        try:
            rows.append([float(line[name]) for name in COLUMNS])
        except (TypeError, ValueError):
            raise ParameterError(f"{path}: row {number} must have {len(COLUMNS)} numbers") from None
    table = np.array(rows).reshape(-1, len(COLUMNS))
    infinite = table[np.isinf(table[:, 0])]
    table = table[np.isfinite(table[:, 0])]
    if len(infinite) != 1:
        raise ParameterError(f"{path}: must have one row of the frequency inf, for the added mass there")
    if len(table) < 8 or not np.all(np.diff(table[:, 0]) > 0.0) or not np.all(np.isfinite(table)):
        raise ParameterError(f"{path}: must have 8 frequencies or more, increasing, and finite numbers at each")
    omega, added_mass, damping, force, phase = table.T
    return Hydrodynamics(omega, added_mass, damping, force, np.radians(phase), float(infinite[0, 1]))
