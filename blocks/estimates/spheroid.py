"""Added mass of a prolate spheroid."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ParameterError
from blocks.estimates.validity import check_positive
from cython_kernels.elementary import log

__all__ = ["spheroid_added_mass", "spheroid_factors"]

_TERMS = 40
_SLIM = 0.3
"""Below this eccentricity by series: the closed forms lose digits near the sphere."""


def spheroid_factors(length: float, diameter: float) -> tuple[float, float, float]:
    """Lamb's k_1, k_2 and k′: added over displaced mass along and across the axis, and of the moment across it.

    e² = 1 - (D/L)²,  α = 2 (1 - e²)/e³ (½ ln((1 + e)/(1 - e)) - e),  β = 1/e² - (1 - e²)/(2e³) ln((1 + e)/(1 - e))
    k_1 = α/(2 - α),  k_2 = β/(2 - β),  k′ = e⁴ (β - α)/((2 - e²) (2e² - (2 - e²) (β - α)))

    length, diameter: L and D, m. A sphere has ½, ½ and 0, a needle 0, 1 and 1. Range: L ≥ D, deep under water.

    Raises ParameterError if the diameter is more than the length.

    Source: Lamb (1932), Hydrodynamics, 6th ed., art. 114 and 373; Imlay (1961), The complete expressions for added mass
    of a rigid body moving in an ideal fluid, DTMB report 1528.
    """
    check_positive(length=length, diameter=diameter)
    if diameter > length:
        raise ParameterError(f"a spheroid of {length:g} m by {diameter:g} m is oblate; this is for length ≥ diameter")
    slim = diameter / length
    e2 = (1.0 - slim) * (1.0 + slim)
    e = math.sqrt(e2)
    if e < _SLIM:
        powers = [1.0]
        for _ in range(_TERMS):
            powers.append(powers[-1] * e2)
        alpha = 2.0 * (1.0 - e2) * sum(p / (2 * n + 3) for n, p in enumerate(powers))
        beta = sum(2.0 * p / ((2 * n + 1) * (2 * n + 3)) for n, p in enumerate(powers))
    else:
        half = 0.5 * float(log((1.0 + e) / (1.0 - e)))
        alpha = 2.0 * (1.0 - e2) / (e2 * e) * (half - e)
        beta = 1.0 / e2 - (1.0 - e2) / (e2 * e) * half
    apart = beta - alpha
    turning = (2.0 - e2) * (2.0 * e2 - (2.0 - e2) * apart)
    k = e2 * e2 * apart / turning if turning > 0.0 else 0.0
    return alpha / (2.0 - alpha), beta / (2.0 - beta), k


def spheroid_added_mass(length: float, diameter: float, density: float = 1025.0) -> NDArray[np.float64]:
    """M_A of a prolate spheroid about its centre, 6×6, kg and kg·m².

    M_A = diag(k_1 m, k_2 m, k_2 m, 0, k′ I, k′ I),  m = π ρ L D²/6,  I = m (L² + D²)/20

    length, diameter: L and D, m; density: ρ, kg/m³; k: `spheroid_factors`. The centrifugal terms of Imlay's equations
    follow from it: vessels make them of `added_mass`. Fins, which torpedoes have, add to it, most of all in turning.

    Raises ParameterError if the diameter is more than the length.

    Source: as of `spheroid_factors`; Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed.,
    sec. 8.4 (spheroids).
    """
    check_positive(density=density)
    along, across, turning = spheroid_factors(length, diameter)
    mass = math.pi / 6.0 * density * length * diameter * diameter
    moment = mass * (length * length + diameter * diameter) / 20.0
    return np.diag([along * mass, across * mass, across * mass, 0.0, turning * moment, turning * moment])
