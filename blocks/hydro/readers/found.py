"""What stands in WAMIT's files, before it is turned and scaled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from blocks.hydro.dofs import Array, Complex
from blocks.hydro.errors import HydroError


@dataclass
class Found:
    """What is in the files, in WAMIT's axes and without dimension, as leads; by frequency, heading, mode."""

    omega: Array = field(default_factory=lambda: np.empty(0))
    added_mass: Array = field(default_factory=lambda: np.empty((0, 6, 6)))
    damping: Array = field(default_factory=lambda: np.empty((0, 6, 6)))
    loads: dict[str, tuple[Array, Array, Complex]] = field(default_factory=dict)
    """By name, `excitation_force`, `rao`, `mean_drift`: frequencies, degrees, n×m×6."""


def table_of(cells: Mapping[tuple[float, float, int], complex], where: str) -> tuple[Array, Array, Complex]:
    """Frequencies, headings and the table of cells at (frequency, heading, mode): 0 of modes that have none at all.

    Raises HydroError if it does not close: a mode that is there somewhere must be everywhere.
    """
    omega, degrees = (np.array(sorted({key[axis] for key in cells})) for axis in (0, 1))
    table = np.zeros((len(omega), len(degrees), 6), dtype=np.complex128)
    for mode in sorted({key[2] for key in cells}):
        for i, w in enumerate(omega):
            for j, beta in enumerate(degrees):
                if (w, beta, mode) not in cells:
                    raise HydroError(
                        f"{where} has nothing of mode {mode + 1} at {w:.6g} rad/s and {beta:g} deg, as it has "
                        f"elsewhere: the table does not close"
                    )
                table[i, j, mode] = cells[w, beta, mode]
    return omega, degrees, table
