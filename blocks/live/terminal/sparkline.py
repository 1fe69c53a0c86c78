"""A sparkline: some numbers over time as one line of text."""

from __future__ import annotations

import math
from collections.abc import Sequence

_BARS = "▁▂▃▄▅▆▇█"
_FLAT = 1e-6
"""Of the values, or of 1: what changes by less is at rest."""


def sparkline(values: Sequence[float]) -> str:
    """A bar for each value, from the least to the greatest of them; what is not finite is a gap."""
    finite = [value for value in values if math.isfinite(value)]
    if not finite:
        return " " * len(values)
    least, most = min(finite), max(finite)
    span = most - least
    if span <= _FLAT * max(abs(least), abs(most), 1.0):
        return "".join(_BARS[0] if math.isfinite(value) else " " for value in values)
    return "".join(
        _BARS[min(int((value - least) / span * len(_BARS)), len(_BARS) - 1)] if math.isfinite(value) else " "
        for value in values
    )
