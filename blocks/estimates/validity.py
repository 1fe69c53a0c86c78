"""What an estimate holds for: numbers that cannot be are refused, those beyond its data are warned of."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence

from blocks.errors import KeelblocksWarning, ParameterError
from cython_kernels.elementary import pow as power

__all__ = ["EstimateWarning", "between", "check_hull", "check_positive", "raised", "warn_outside"]


class EstimateWarning(KeelblocksWarning):
    """An estimate is used beyond what it was found from; it is given all the same."""


def check_positive(**numbers: float) -> None:
    """Raise ParameterError unless all of them are finite and above 0."""
    for name, value in numbers.items():
        if not (isinstance(value, (int, float)) and 0.0 < value < math.inf):
            raise ParameterError(f"{name} must be a number above 0, not {value!r}")


def check_hull(length: float, breadth: float, draught: float, block_coefficient: float | None = None) -> None:
    """Raise ParameterError unless these can be a ship's: longer than wide and deep, a block coefficient to 1."""
    check_positive(length=length, breadth=breadth, draught=draught)
    for name, value in (("breadth", breadth), ("draught", draught)):
        if value >= length:
            raise ParameterError(
                f"{name} is {value:g} m and length {length:g} m: a hull is longer than it is wide or deep; are they "
                f"the wrong way round, or in different units?"
            )
    if block_coefficient is not None and not 0.0 < block_coefficient <= 1.0:
        raise ParameterError(
            f"block_coefficient must be > 0 and ≤ 1, not {block_coefficient:g}: it is the volume displaced over "
            f"length × breadth × draught"
        )


def warn_outside(estimate: str, **ranges: tuple[float, float, float]) -> None:
    """Warn for each number that is beyond its range: value, least, most."""
    for name, (value, least, most) in ranges.items():
        if not least <= value <= most:
            warnings.warn(
                f"{estimate} is for {name.replace('_over_', '/')} from {least:g} to {most:g}, and here it is "
                f"{value:.3g}: the estimate is extrapolated",
                EstimateWarning,
                stacklevel=3,
            )


def between(x: float, xs: Sequence[float], ys: Sequence[float]) -> float:
    """By a straight line between the points of a table, and what the first and last one say beyond them."""
    if x <= xs[0]:
        return ys[0]
    for k in range(1, len(xs)):
        if x <= xs[k]:
            return ys[k - 1] + (ys[k] - ys[k - 1]) * (x - xs[k - 1]) / (xs[k] - xs[k - 1])
    return ys[-1]


def raised(base: float, exponent: float) -> float:
    """A power, with the same bits everywhere."""
    return float(power(base, exponent))
