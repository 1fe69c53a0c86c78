"""Added mass in surge."""

from __future__ import annotations

from blocks.estimates.validity import check_positive, raised, warn_outside

__all__ = ["surge_added_mass"]


def surge_added_mass(length: float, volume: float, density: float = 1025.0) -> float:
    """-X_u̇ of a ship, kg: A_11 = 2.7 ρ ∇^(5/3)/L².

    length: L between perpendiculars, m; volume: displaced, ∇, m³; density: ρ, kg/m³. Range: slender hulls, L/∇^(1/3)
    from 3.5 to 9 (chosen here, the source prints none); 12 % of the mass at 4.7, 3 % at 9. Of full
    tankers it is too much: of KVLCC2 0.12 of the mass, where 0.075 was measured.

    Raises ParameterError if a number is not positive; warns outside of the range.

    Source: Söding (1982), Prediction of ship steering capabilities, Schiffstechnik 29(1), 3-29; as in Fossen (2021) and
    MSS addedMassSurge.m.
    """
    check_positive(length=length, volume=volume, density=density)
    across = raised(volume, 1.0 / 3.0)
    warn_outside("surge_added_mass", slenderness=(length / across, 3.5, 9.0))
    return 2.7 * density * volume * across * across / (length * length)
