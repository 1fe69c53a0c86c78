"""Numbers with as many digits as are known."""

from __future__ import annotations

import math

_FIXED = (1e-4, 1e7)
"""Magnitudes that are written without a power of ten."""


def rounded(value: float, uncertainty: float) -> str:
    """A number to two digits of its uncertainty: 77.5644 ± 0.0115 is "77.564"; to four digits where there is none."""
    if not math.isfinite(value):
        return f"{value:g}"
    if not (math.isfinite(uncertainty) and uncertainty > 0.0):
        return f"{value:.4g}"
    last = math.floor(math.log10(uncertainty)) - 1  # the power of ten of the last digit
    largest = max(abs(value), uncertainty)
    if not _FIXED[0] <= largest < _FIXED[1] or last < -12:
        digits = min(max(math.floor(math.log10(largest)) - last, 1), 15)
        return f"{value:.{digits}e}"
    text = f"{round(value, -last):.{max(0, -last)}f}"
    return text.lstrip("-") if float(text) == 0.0 else text
