"""Members that sail, and their outputs against the engine's, to the last bit."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from benchmarks.gpu.otters import Otters, parameters, rows_given
from benchmarks.model import BenchmarkError
from fmu.cuda.rows import STATUS

LAUNCHES = 10
"""Between which outputs are compared."""
_MEANING = {number: name for name, number in STATUS.items()}


class Members(Protocol):
    """Members of a model, on a card or on the processor."""

    members: int
    seconds: float

    def set_defaults(self) -> None:
        """Inputs and parameters as they were written."""

    def set_row(self, row: int, values: NDArray[np.float64]) -> None:
        """One number of all members."""

    def row(self, row: int) -> NDArray[np.float64]:
        """One number of all members."""

    def start(self) -> None:
        """The initial states."""

    def step(self, steps: int) -> None:
        """So many steps."""

    def status(self) -> NDArray[np.int32]:
        """Of each member."""


def sail(made: Otters, fleet: Members, every: int, sample: NDArray[np.int64]) -> tuple[float, NDArray[np.float64]]:
    """Seconds of all launches but the first, and outputs of the sample: [instant, row, member].

    The first launch makes one step, so that outputs are those of the instants 0, `every`, 2 `every`, … steps.

    Raises BenchmarkError if a member does not come to the end.
    """
    fleet.set_defaults()
    for row, values in rows_given(made.rows, parameters(np.arange(fleet.members), fleet.members)):
        fleet.set_row(row, values)
    fleet.start()
    seconds, seen = 0.0, []
    for launch in range(LAUNCHES + 1):
        fleet.step(every if launch else 1)
        seconds += fleet.seconds if launch else 0.0
        status = fleet.status()
        if status.any():
            first = int(np.flatnonzero(status)[0])
            said = _MEANING.get(int(status[first]), "no kernel ran")
            raise BenchmarkError(f"{np.count_nonzero(status)} members do not go on; number {first}: {said}")
        rows = [q.row + i for q in made.outputs for i in range(int(np.prod(q.shape)))]
        seen.append([fleet.row(row)[sample] for row in rows])
    return seconds, np.array(seen)


def differing(made: Otters, seen: NDArray[np.float64], wanted: NDArray[np.float64]) -> dict[str, int]:
    """Which outputs differ in a bit, when first, and by how much, in words; and in how many numbers."""
    said: dict[str, int] = {}
    at = 0
    for quantity in made.outputs:
        count = int(np.prod(quantity.shape))
        mine, other = seen[:, at : at + count], wanted[:, at : at + count]
        wrong = mine.view(np.uint64) != other.view(np.uint64)
        if wrong.any():
            instant = int(np.argwhere(wrong)[0][0])
            with np.errstate(invalid="ignore"):
                most = np.nanmax(np.abs(mine - other))
            many = int(np.count_nonzero(wrong))
            said[f"{quantity.name}: {many} of {wrong.size}, from instant {instant} on, by up to {most:.3g}"] = many
        at += count
    return said
