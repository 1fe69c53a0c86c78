"""Open-water characteristics of propellers from pitch, blade area and number of blades."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from blocks.errors import ParameterError
from blocks.estimates.validity import check_positive, warn_outside
from blocks.estimates.wageningen import (
    AREA_RATIOS,
    THRUST,
    THRUST_BY_REYNOLDS,
    TORQUE,
    TORQUE_BY_REYNOLDS,
    Corrections,
    Terms,
)
from cython_kernels.elementary import log10

__all__ = ["efficiency", "open_water", "propeller_parameters"]

_FIT = 2e6
"""Re at 0.75 R that the polynomials are of."""


def open_water(
    pitch_ratio: float, area_ratio: float, blades: int, reynolds: float = _FIT
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """K_T(J) and K_Q(J) of a propeller of the Wageningen B-series: c_3, c_2, c_1, c_0 of each, as `PropellerThrusters`
    take them; in J the series is of the third order, so this is all of it.

    K_T = Σ c J^s (P/D)^t (A_e/A_0)^u Z^v, 39 terms; K_Q likewise, 47 terms; and what Re brings beside 2·10⁶

    pitch_ratio: P/D; area_ratio: A_e/A_0; blades: Z; reynolds: Re of the section at 0.75 R, c √(v_a² + (0.75π n D)²)/ν
    with the chord c = 2.073 (A_e/A_0) D/Z. Range: P/D 0.5 to 1.4, A_e/A_0 as tested with so many blades, Z 2 to 7, Re
    2·10⁶ to 2·10⁹, J from 0 to where K_T is 0.

    Raises ParameterError beyond P/D 0.4 to 1.5, A_e/A_0 0.3 to 1.05 and Z 2 to 7; warns outside of the range.

    Source: Oosterveld and van Oossanen (1975), Further computer-analyzed data of the Wageningen B-screw series,
    International Shipbuilding Progress 22, 251-262, tables 5 and 6.
    """
    if blades not in AREA_RATIOS:
        raise ParameterError(f"blades must be a whole number from 2 to 7, as the B-series has them, not {blades!r}")
    for name, value, least, most in (("pitch_ratio", pitch_ratio, 0.4, 1.5), ("area_ratio", area_ratio, 0.3, 1.05)):
        if not least <= value <= most:
            what = {"pitch_ratio": "P/D", "area_ratio": "A_e/A_0"}[name]
            raise ParameterError(f"{name} is {what}, and the B-series has it from {least:g} to {most:g}, not {value:g}")
    check_positive(reynolds=reynolds)
    least, most = AREA_RATIOS[blades]
    warn_outside(
        f"the B-series with {blades} blades",
        pitch_ratio=(pitch_ratio, 0.5, 1.4),
        area_ratio=(area_ratio, least, most),
        Reynolds_number=(reynolds, _FIT, 2e9),
    )
    thrust = _in_advance_ratio(THRUST, pitch_ratio, area_ratio, blades)
    torque = _in_advance_ratio(TORQUE, pitch_ratio, area_ratio, blades)
    if reynolds > _FIT:
        thrust = _corrected(thrust, THRUST_BY_REYNOLDS, pitch_ratio, area_ratio, blades, reynolds)
        torque = _corrected(torque, TORQUE_BY_REYNOLDS, pitch_ratio, area_ratio, blades, reynolds)
    return tuple(reversed(thrust)), tuple(reversed(torque))


def _product(bases: Sequence[float], powers: Sequence[int]) -> float:
    """The product of whole powers."""
    found = 1.0
    for base, power in zip(bases, powers, strict=True):
        for _ in range(power):
            found *= base
    return found


def _polynomial(coefficients: Sequence[float], at: float) -> float:
    """By Horner's rule, the highest power first, so that every machine rounds alike."""
    found = 0.0
    for c in coefficients:
        found = found * at + c
    return found


def _in_advance_ratio(terms: Terms, pitch: float, area: float, blades: int) -> list[float]:
    """Coefficients of J⁰ to J³."""
    found = [0.0] * 4
    for c, s, *powers in terms:
        found[s] += c * _product((pitch, area, float(blades)), powers)
    return found


def _corrected(
    of: Sequence[float], terms: Corrections, pitch: float, area: float, blades: int, reynolds: float
) -> list[float]:
    """The same at another Reynolds number."""
    log = float(log10(reynolds)) - 0.301
    found = list(of)
    for c, r, s, *powers in terms:
        found[s] += c * _product((log, pitch, area, float(blades)), (r, *powers))
    return found


def propeller_parameters(
    diameter: float,
    pitch_ratio: float,
    area_ratio: float,
    blades: int,
    *,
    reynolds: float = _FIT,
    astern: float = 0.7,
) -> dict[str, Any]:
    """Coefficients of one propeller of the B-series as parameters of `PropellerThrusters`, both ways.

    diameter: D, m; astern: K_T(0) astern over that ahead. The series has no numbers astern: there K_T and K_Q are those
    of J = 0 times `astern`, chosen, likely within ±30 %. All else as of `open_water`. With `allocation_matrix`,
    `speed_limit_forward` and `speed_limit_reverse` it is a block; `wake_fraction` and `loss_forward` are the hull's.

    Raises what `open_water` raises.
    """
    check_positive(diameter=diameter, astern=astern)
    thrust, torque = open_water(pitch_ratio, area_ratio, blades, reynolds)
    low, high = 0.0, 1.0
    while high < 2.0 and _polynomial(thrust, high) > 0.0:
        high += 0.1
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _polynomial(thrust, middle) > 0.0 else (low, middle)
    return {
        "diameter": [diameter],
        "thrust_coefficient_forward": list(thrust),
        "thrust_coefficient_reverse": [0.0, 0.0, 0.0, astern * thrust[3]],
        "torque_model": "coefficients",
        "torque_coefficient_forward": list(torque),
        "torque_coefficient_reverse": [0.0, 0.0, 0.0, astern * torque[3]],
        "advance_range_forward": [0.0, low],
        "advance_range_reverse": [0.0, low],
    }


def efficiency(thrust: Sequence[float], torque: Sequence[float], advance_ratio: float) -> float:
    """η_0 = J K_T/(2π K_Q)."""
    k_t, k_q = (_polynomial(of, advance_ratio) for of in (thrust, torque))
    return advance_ratio * k_t / (2.0 * math.pi * k_q)
