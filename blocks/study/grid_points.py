"""What is measured at the points of the grid, where a solver is stepped from Python: LSODA, BDF and Radau of SciPy."""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from blocks.study.measuring import Measurement

ONE_AT_A_TIME = threading.Lock()
"""SciPy's LSODA keeps its state where a second one in the same process would write over it."""


class GridPoints:
    """Takes the place of a `Recording` and of the engine's summary, for one member.

    `fields` get mean, sum of squared deviations, least and greatest of each summarised value (Welford (1962), Note on a
    method for calculating corrected sums of squares and products, Technometrics 4(3)).
    """

    every = 1

    def __init__(
        self, measured: Measurement, time: NDArray[np.float64], table: NDArray[np.float64], fields: NDArray[np.float64]
    ) -> None:
        self.measured, self.time, self.table, self.fields = measured, time, table, fields
        self.indices = np.concatenate([measured.indices, measured.summarised])
        """What has to be finite."""
        self.points = self.rows = 0

    def write(self, t: float, values: NDArray[np.float64]) -> None:
        """Take in a point of the grid."""
        if self.points % self.measured.every == 0 and len(self.time):
            self.time[self.rows] = t
            self.table[self.rows] = values[self.measured.indices]
            self.rows += 1
        self.points += 1
        x = values[self.measured.summarised]
        if self.points == 1:
            self.fields[:] = np.stack([x, np.zeros_like(x), x, x], axis=1)
            return
        mean, deviations, least, greatest = self.fields.T
        before = x - mean
        mean += before / self.points
        deviations += before * (x - mean)
        np.minimum(least, x, out=least)
        np.maximum(greatest, x, out=greatest)
