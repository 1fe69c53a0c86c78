"""Time of a call beside the C library's, at the arguments of missions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from benchmarks.elementary.functions import FUNCTIONS
from benchmarks.elementary.library import BOTH, timer
from benchmarks.elementary.points import Points

POINTS = 2000
ROUNDS = 25


@dataclass(frozen=True)
class Speed:
    """Nanoseconds of a call: medians over rounds, own and the library's by turns in each, and ratios of each round."""

    name: str
    own: float
    library: float
    ratio: float
    own_chained: float
    library_chained: float
    ratio_chained: float

    @property
    def ratio_of_both(self) -> float:
        """The mean (geometric) of the ratios of calls that wait for each other and of calls that do not."""
        return math.sqrt(self.ratio * self.ratio_chained)


def speeds(names: Sequence[str], rounds: int = ROUNDS) -> Iterator[Speed]:
    """Measure functions one after the other."""
    for name in names:
        points = FUNCTIONS["sin" if name == BOTH else name].missions
        yield _speed(name, points, rounds)


def _speed(name: str, points: Points, rounds: int) -> Speed:
    run = timer(name, points(np.random.default_rng(1), POINTS))
    found: list[float] = []
    for chained in (False, True):
        own, library = [], []
        for _ in range(rounds + 2):
            own.append(run(True, chained, 5))
            library.append(run(False, chained, 5))
        del own[:2], library[:2]
        scale = 1e9 / (5 * POINTS)
        ratio = median(a / b for a, b in zip(own, library, strict=True))
        found += [median(own) * scale, median(library) * scale, ratio]
    return Speed(name, *found)
