"""How late turns were: quantiles of a run of any length, in fixed memory."""

from __future__ import annotations

import math

_LEAST, _MOST, _PER_DECADE = 1e-7, 1e4, 40
"""s; a bin is 6 % wide."""


class Lateness:
    """Counts of how late turns were, in bins of equal ratio; the greatest is kept as it is."""

    def __init__(self) -> None:
        self._bins = [0] * (round(_PER_DECADE * math.log10(_MOST / _LEAST)) + 1)
        self.count = 0
        self.greatest = 0.0

    def add(self, late: float) -> None:
        """One turn more, late by so many seconds."""
        self.count += 1
        if late > self.greatest:
            self.greatest = late
        number = int(_PER_DECADE * math.log10(late / _LEAST)) if late > _LEAST else 0
        self._bins[min(number, len(self._bins) - 1)] += 1

    def quantile(self, share: float) -> float:
        """What this share of turns was at most late by, s: the upper edge of its bin, 6 % too much at worst."""
        wanted, passed = share * self.count, 0
        for number, count in enumerate(self._bins):
            passed += count
            if count and passed >= wanted:
                return min(_LEAST * math.pow(10.0, (number + 1) / _PER_DECADE), self.greatest)
        return self.greatest
