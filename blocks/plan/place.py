"""Places: where each quantity of a plan stands among its values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blocks.model.calculated import CalculatedParameter
from blocks.model.declare import Parameter
from blocks.model.wiring import width
from blocks.signal import Signal


@dataclass(frozen=True)
class Place:
    """Where a quantity stands among the plan's values, and what it is."""

    name: str
    first: int
    shape: tuple[int, ...]
    unit: str | tuple[str, ...] | None
    doc: str = ""
    signal: Signal | None = None
    parameter: Parameter | None = None
    calculated: CalculatedParameter | None = None
    discrete: bool = False
    nominal: float | tuple[float, ...] = 1.0

    @property
    def count(self) -> int:
        """How many numbers it is."""
        return width(self.shape)

    @property
    def nominals(self) -> NDArray[np.float64]:
        """The magnitude that each number usually has."""
        return np.broadcast_to(np.asarray(self.nominal, dtype=np.float64), (self.count,))

    @property
    def slice(self) -> slice:
        """Where it stands in `Engine.values`."""
        return slice(self.first, self.first + self.count)


@dataclass(frozen=True)
class Regions:
    """Where each region of the values begins."""

    parameters: int
    work: int
    x: int
    z: int
    hits: int
    dx: int
    g: int
