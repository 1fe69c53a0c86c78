"""Formulas of estimates: friction, cross flow, added mass. SI throughout."""

from __future__ import annotations

import math

import numpy as np

FRESH = 1000.0
VISCOSITY = 1.1e-6
"""Kinematic, of water at 16 °C, m²/s."""
G = 9.81

# Drag of ship sections across the flow, Hoerner (1965), against B/(2T).
_CROSS_FLOW = (
    (0.0, 0.35, 0.45, 0.5, 0.65, 1.0, 1.6, 2.3, 3.0, 4.0),
    (1.97, 1.90, 1.79, 1.21, 1.00, 0.83, 0.69, 0.63, 0.59, 0.56),
)
# Added mass of square prisms a × a × b that move along b, over ρ a² b; RP-N103, table A-2. At ½ the square plate.
_PRISM = (
    (0.1, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 10.0),
    (4.55, 1.10, 0.68, 0.36, 0.24, 0.19, 0.15, 0.13, 0.11, 0.08),
)


def friction(speed: float, length: float) -> float:
    """C_F of the ITTC-57 line."""
    reynolds = max(speed * length / VISCOSITY, 1e4)
    return 0.075 / (math.log10(reynolds) - 2.0) ** 2


def cross_flow(breadth: float, draught: float) -> float:
    """C_D of a hull's section across the flow."""
    return float(np.interp(0.5 * breadth / draught, *_CROSS_FLOW))


def prism(along: float, one: float, other: float, density: float) -> float:
    """Added mass of a box that moves along one of its sides, as of the square prism with the same area across, kg."""
    area = one * other
    return float(np.interp(along / math.sqrt(area), *_PRISM)) * density * area * along


def porous(fill: float) -> float:
    """What is left of a box's added mass if part of it is open: RP-N103, 3.3.4.2, for openings of up to a half."""
    p = min(max(100.0 * (1.0 - fill), 0.0), 50.0)
    if p <= 5.0:
        return 1.0
    if p <= 34.0:
        return 0.7 + 0.3 * math.cos(math.pi * (p - 5.0) / 34.0)
    return math.exp((10.0 - p) / 28.0)


def spheroid(length: float, diameter: float) -> tuple[float, float, float]:
    """Lamb's k_1, k_2 and k' of a prolate spheroid: added over displaced mass along, across, and of the moment."""
    e2 = 1.0 - (diameter / length) ** 2
    e = math.sqrt(e2)
    log = math.log((1.0 + e) / (1.0 - e))
    alpha = 2.0 * (1.0 - e2) / e**3 * (0.5 * log - e)
    beta = 1.0 / e2 - (1.0 - e2) / (2.0 * e**3) * log
    k = e2**2 * (beta - alpha) / ((2.0 - e2) * (2.0 * e2 - (2.0 - e2) * (beta - alpha)))
    return alpha / (2.0 - alpha), beta / (2.0 - beta), k
