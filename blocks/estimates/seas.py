"""Seas by the wind that makes them."""

from __future__ import annotations

import math

from blocks.errors import ParameterError
from blocks.estimates.validity import check_positive, raised, warn_outside

__all__ = ["wind_of_sea", "wind_sea"]

_ALPHA, _BETA = 0.0081, 0.74
_HEIGHT = 2.0 * math.sqrt(_ALPHA / _BETA)
"""H_s over U²/g of a sea that has grown up, 0.21."""


def wind_sea(speed: float, fetch: float | None = None, gravity: float = 9.81) -> tuple[float, float]:
    """H_s, m, and T_p, s, of the sea that a wind makes.

    Grown up: H_s = 2 √(α/β) U²/g,  ω_p = (4β/5)^(1/4) g/U,  α = 0.0081, β = 0.74
    Over a fetch: H_s = 1.6·10⁻³ √x U²/g,  f_p = 3.5 x^(-1/3) g/U,  x = g F/U²

    speed: U, m/s, 19.5 m above the sea, over a fetch 10 m above it; fetch: F, of water to windward, m; None: as much as
    the sea needs. For `environment.PiersonMoskowitzSea` or `BretschneiderSea`, and with a fetch for `JonswapSea` with
    its γ of 3.3. Range: x from 10² to 10⁴; above, the sea has grown up.

    Raises ParameterError if a number is not positive; warns outside of the range.

    Source: Pierson and Moskowitz (1964), Journal of Geophysical Research 69(24), 5181-5190; Hasselmann et al. (1973),
    Measurements of wind-wave growth and swell decay during the Joint North Sea Wave Project, Ergänzungsheft zur
    Deutschen Hydrographischen Zeitschrift A8(12), with f_p as in Fossen (2021) and MSS waveSpectrum.m.
    """
    check_positive(speed=speed, gravity=gravity)
    scale = speed * speed / gravity
    if fetch is None:
        return _HEIGHT * scale, 2.0 * math.pi * speed / (gravity * raised(0.8 * _BETA, 0.25))
    check_positive(fetch=fetch)
    x = fetch / scale
    warn_outside("wind_sea", dimensionless_fetch=(x, 1e2, 1e4))
    return 1.6e-3 * math.sqrt(x) * scale, raised(x, 1.0 / 3.0) * speed / (3.5 * gravity)


def wind_of_sea(significant_height: float, gravity: float = 9.81) -> float:
    """U, m/s, 19.5 m above the sea, of the wind that has made a sea of this height, if it has grown up.

    U = √(g H_s/(2 √(α/β))), the inverse of `wind_sea` without a fetch.

    significant_height: H_s, m; 0 is a calm. Swell comes from elsewhere: of it this tells nothing.

    Raises ParameterError if the height is negative or not finite.

    Source: Pierson and Moskowitz (1964), Journal of Geophysical Research 69(24), 5181-5190.
    """
    check_positive(gravity=gravity)
    if not (isinstance(significant_height, (int, float)) and 0.0 <= significant_height < math.inf):
        raise ParameterError(f"significant_height must be a number ≥ 0, not {significant_height!r}")
    return math.sqrt(gravity * significant_height / _HEIGHT)
