"""Resistance ahead by friction, form and roughness."""

from __future__ import annotations

import math

from blocks.errors import ParameterError
from blocks.estimates.validity import check_hull, check_positive, raised, warn_outside
from cython_kernels.elementary import log10

__all__ = ["form_factor", "ittc_friction", "quadratic_resistance", "resistance", "wetted_surface"]

VISCOSITY = 1.1892e-6
"""Kinematic, of sea water at 15 °C, m²/s: ITTC (2011), recommended procedure 7.5-02-01-03."""
_LEAST_FORM = 0.9
_LEAST_REYNOLDS = 1e4
"""Below this the line, which has a pole at 100, says nothing; its value there is held."""


def ittc_friction(reynolds: float) -> float:
    """C_F = 0.075/(lg Re - 2)² of the ITTC-57 line.

    reynolds: Re = |u| L/ν. Range: 10⁵ and more, turbulent flow; below 10⁴ it is held, for the line has a pole at 100.

    Raises ParameterError if it is not positive.

    Source: ITTC (1957), 8th International Towing Tank Conference, Madrid.
    """
    check_positive(reynolds=reynolds)
    lines = float(log10(max(reynolds, _LEAST_REYNOLDS))) - 2.0
    return 0.075 / (lines * lines)


def _full(block_coefficient: float) -> tuple[float, float]:
    """C_M and C_wp of a usual ship."""
    midship = min(1.006 - 0.0056 / raised(block_coefficient, 3.56), 0.995) if block_coefficient < 0.98 else 1.0
    return max(midship, block_coefficient), (1.0 + 2.0 * block_coefficient) / 3.0


def wetted_surface(length: float, breadth: float, draught: float, block_coefficient: float) -> float:
    """S of a ship without bulb, m²: L (2T + B) √C_M (0.453 + 0.4425 C_b - 0.2862 C_M - 0.003467 B/T + 0.3696 C_wp).

    length, breadth, draught: L, B, T of the waterline, m; block_coefficient: C_b, from which
    C_M = 1.006 - 0.0056 C_b^-3.56 and C_wp = (1 + 2C_b)/3. Range: C_b 0.45 to 0.88, B/T 2 to 5.

    Raises ParameterError if these cannot be a hull's; warns outside of the range.

    Source: Holtrop and Mennen (1982), An approximate power prediction method, International Shipbuilding Progress 29,
    166-170; C_M: Kerlen (1970), C_wp: Schneekluth, both in Schneekluth and Bertram (1998), Ship Design for Efficiency
    and Economy, 2nd ed., ch. 2.
    """
    check_hull(length, breadth, draught, block_coefficient)
    flat = breadth / draught
    warn_outside("wetted_surface", block_coefficient=(block_coefficient, 0.45, 0.88), B_over_T=(flat, 2.0, 5.0))
    midship, plane = _full(block_coefficient)
    shape = 0.453 + 0.4425 * block_coefficient - 0.2862 * midship - 0.003467 * flat + 0.3696 * plane
    return length * (2.0 * draught + breadth) * math.sqrt(midship) * shape


def form_factor(length: float, breadth: float, draught: float, block_coefficient: float) -> float:
    """1 + k of a ship with a usual stern, by which viscous resistance is more than that of a plank.

    1 + k = 0.93 + 0.487118 (B/L)^1.06806 (T/L)^0.46106 (L/L_R)^0.121563 (L³/∇)^0.36486 (1 - C_P)^-0.604247
    L_R/L = 1 - C_P,  C_P = C_b/C_M, the centre of buoyancy at midship

    length, breadth, draught: L, B, T of the waterline, m; block_coefficient: C_b, C_M as of `wetted_surface`. Range:
    C_P 0.55 to 0.85, L/B 3.9 to 9.5, B/T 2.1 to 4.

    Raises ParameterError if these cannot be a hull's; warns outside of the range.

    Source: Holtrop (1984), A statistical re-analysis of resistance and propulsion data, International Shipbuilding
    Progress 31, 272-276; range: Holtrop and Mennen (1982).
    """
    check_hull(length, breadth, draught, block_coefficient)
    prismatic = min(block_coefficient / _full(block_coefficient)[0], 0.98)
    warn_outside(
        "form_factor",
        prismatic_coefficient=(prismatic, 0.55, 0.85),
        L_over_B=(length / breadth, 3.9, 9.5),
        B_over_T=(breadth / draught, 2.1, 4.0),
    )
    volume = block_coefficient * length * breadth * draught
    return 0.93 + (
        0.487118
        * raised(breadth / length, 1.06806)
        * raised(draught / length, 0.46106)
        * raised(1.0 / (1.0 - prismatic), 0.121563)
        * raised(length * length * length / volume, 0.36486)
        * raised(1.0 - prismatic, -0.604247)
    )


def resistance(
    speed: float,
    length: float,
    surface: float,
    form: float = 1.1,
    *,
    roughness: float = 150e-6,
    residuary: float = 0.0,
    density: float = 1025.0,
    viscosity: float = VISCOSITY,
) -> float:
    """Force against the motion at a steady speed, N, negative for a ship that goes astern.

    R = ½ρ S ((1 + k) C_F + ΔC_F + C_R) |u| u,  Re = |u| L/ν,  ΔC_F = 10⁻³ (105 (k_s/L)^⅓ - 0.64), at least 0

    speed: u through the water, m/s; length: L, m; surface: S, m² (`wetted_surface`); form: 1 + k (`form_factor`);
    roughness: k_s, m, 0 for a smooth model; residuary: C_R, waves and all else; density, kg/m³; viscosity: ν, m²/s.
    With its own sign at u < 0; published code that squares the speed drives a ship astern there. Range: Froude numbers
    to about 0.2 without C_R; beyond, waves take half and more.

    Raises ParameterError if a length, surface or density is not positive, or if form is below 0.9, as k itself is.

    Source: ITTC (1957) and (1978), performance prediction method, 7.5-02-03-01.4 (ΔC_F of Bowden and Davison, 1974).
    """
    check_positive(length=length, surface=surface, form=form, density=density, viscosity=viscosity)
    if form < _LEAST_FORM:
        raise ParameterError(f"form is 1 + k, 1.0 to 1.4 of ships, not {form:g}: is k meant? Then give {1.0 + form:g}")
    if speed == 0.0:
        return 0.0
    rough = max(105.0 * raised(roughness / length, 1.0 / 3.0) - 0.64, 0.0) * 1e-3 if roughness > 0.0 else 0.0
    whole = form * ittc_friction(abs(speed) * length / viscosity) + rough + residuary
    if not residuary:
        warn_outside("resistance without C_R", Froude_number=(abs(speed) / math.sqrt(9.81 * length), 0.0, 0.25))
    return 0.5 * density * surface * whole * abs(speed) * speed


def quadratic_resistance(speed: float, length: float, surface: float, form: float = 1.1, **further: float) -> float:
    """-X_|u|u that takes what `resistance` does at one speed, kg/m: for `nonlinear_damping` or `quadratic_damping`.

    Friction goes with a little less than the square of the speed: at half of it this is some 8 % low. Arguments as of
    `resistance`, the speed above 0. Raises what that raises.
    """
    check_positive(speed=speed)
    return resistance(speed, length, surface, form, **further) / (speed * speed)
