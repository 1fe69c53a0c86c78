"""Added mass of open frames, as remotely operated vehicles have them."""

from __future__ import annotations

import math

from blocks.errors import ParameterError
from blocks.estimates.validity import between, check_positive
from cython_kernels.elementary import cos, exp

__all__ = ["frame_added_mass", "share_of_open_frame"]

_LENGTHS = (0.1, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 10.0)
_FACTORS = (4.55, 1.10, 0.68, 0.36, 0.24, 0.19, 0.15, 0.13, 0.11, 0.08)
"""Added mass of square prisms a × a × b that move along b, over ρ a² b. At 0.1 the square plate."""


def frame_added_mass(along: float, one: float, other: float, density: float = 1025.0) -> float:
    """Added mass of a closed box that moves along one of its sides, kg, as of the square prism with its area across.

    along: the side that it moves along, one, other: those across, m; density: kg/m³. Range: ratios of length to √area
    from 0.1 to 10; what is beyond takes the nearest.

    Raises ParameterError if a number is not positive.

    Source: DNV (2017), RP-N103, Modelling and analysis of marine operations, table A-2.
    """
    check_positive(along=along, one=one, other=other, density=density)
    area = one * other
    return between(along / math.sqrt(area), _LENGTHS, _FACTORS) * density * area * along


def share_of_open_frame(fill: float) -> float:
    """What is left of a box's added mass if part of its sides is open: e^((10 - p)/28) and so on, p in percent.

    fill: the closed part of the sides, 0 to 1; p = 100 (1 - fill), at most 50, for which the source has numbers.

    Raises ParameterError if it is no share.

    Source: DNV (2017), RP-N103, sec. 3.3.4.
    """
    if not 0.0 <= fill <= 1.0:
        raise ParameterError(f"fill is the closed part of the sides, from 0 to 1, not {fill:g}")
    p = min(100.0 * (1.0 - fill), 50.0)
    if p <= 5.0:
        return 1.0
    if p <= 34.0:
        return 0.7 + 0.3 * float(cos(math.pi * (p - 5.0) / 34.0))
    return float(exp((10.0 - p) / 28.0))
