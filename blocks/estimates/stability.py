"""Metacentric heights, stiffness and periods of ships of simple form."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.errors import ParameterError
from blocks.estimates.validity import check_hull, warn_outside

__all__ = ["Hydrostatics", "hydrostatics"]


@dataclass(frozen=True)
class Hydrostatics:
    """What a hull has of its form at rest: SI, heights above the keel."""

    volume: float
    """∇, m³."""
    waterplane_area: float
    """A_wp, m²."""
    centre_of_buoyancy: float
    """KB, m."""
    transverse_radius: float
    """BM_T, m."""
    longitudinal_radius: float
    """BM_L, m."""
    transverse_height: float
    """GM_T, m."""
    longitudinal_height: float
    """GM_L, m."""
    stiffness: NDArray[np.float64]
    """G, 6×6, about the centre of gravity, the centre of flotation below it: N/m, N·m."""

    def periods(self, mass_matrix: ArrayLike) -> tuple[float, float, float]:
        """Undamped periods of heave, roll and pitch, s, each by itself: T = 2π √(M_ii/G_ii).

        mass_matrix: M = M_RB + M_A, 6×6.
        """
        mass = np.asarray(mass_matrix, dtype=np.float64)
        heave, roll, pitch = (2.0 * math.pi * math.sqrt(mass[i, i] / self.stiffness[i, i]) for i in (2, 3, 4))
        return heave, roll, pitch


def hydrostatics(
    length: float,
    breadth: float,
    draught: float,
    block_coefficient: float,
    *,
    waterplane_coefficient: float | None = None,
    centre_of_gravity: float | None = None,
    density: float = 1025.0,
    gravity: float = 9.81,
) -> Hydrostatics:
    """Hydrostatics from main dimensions.

    ∇ = C_b L B T,  A_wp = C_wp L B,  KB = (5T/2 - ∇/A_wp)/3
    BM_T = I_T/∇,  I_T = (L B³/12) 6 C_wp³/((1 + C_wp) (1 + 2 C_wp));  BM_L = I_L/∇,  I_L = (B L³/12) 6 C_wp³/(…)
    GM = KB + BM - KG,  G = diag(0, 0, ρ g A_wp, ρ g ∇ GM_T, ρ g ∇ GM_L, 0)

    length, breadth, draught: L, B, T, m; block_coefficient: C_b; waterplane_coefficient: C_wp, (1 + 2 C_b)/3 if not
    given; centre_of_gravity: KG above the keel, m, 1.1 T if not given, a guess that GM_T hangs on. A box is exact.
    Range: displacement ships with C_b 0.4 to 1; for I_L, in which the ends count, take it as ±20 %.

    Raises ParameterError if these cannot be a hull's, or C_wp is less than C_b, or the hull would capsize.

    Source: Morrish for KB and Munro-Smith for I_T, as in Fossen (2021), Handbook of Marine Craft Hydrodynamics and
    Motion Control, 2nd ed., eq. 4.37 and 4.38 (MSS exShipHydrostatics.m), I_L in the same form; C_wp: Schneekluth and
    Bertram (1998), Ship Design for Efficiency and Economy, 2nd ed., ch. 2.
    """
    check_hull(length, breadth, draught, block_coefficient)
    warn_outside("hydrostatics", block_coefficient=(block_coefficient, 0.4, 1.0))
    full = waterplane_coefficient if waterplane_coefficient is not None else (1.0 + 2.0 * block_coefficient) / 3.0
    if not block_coefficient <= full <= 1.0:
        raise ParameterError(
            f"waterplane_coefficient must be from the block coefficient, {block_coefficient:g}, to 1, not {full:g}"
        )
    height = centre_of_gravity if centre_of_gravity is not None else 1.1 * draught
    volume, plane = block_coefficient * length * breadth * draught, full * length * breadth
    buoyancy = (2.5 * draught - volume / plane) / 3.0
    share = 6.0 * full * full * full / ((1.0 + full) * (1.0 + 2.0 * full))
    across = length * breadth * breadth * breadth / 12.0 * share / volume
    lengthwise = breadth * length * length * length / 12.0 * share / volume
    gm_t, gm_l = buoyancy + across - height, buoyancy + lengthwise - height
    if gm_t <= 0.0:
        raise ParameterError(
            f"the hull would capsize: KB + BM is {buoyancy + across:.3g} m, and the centre of gravity lies "
            f"{height:.3g} m above the keel. Give a lower centre_of_gravity, or more breadth"
        )
    weight = density * gravity * volume
    stiffness = np.diag([0.0, 0.0, density * gravity * plane, weight * gm_t, weight * gm_l, 0.0])
    return Hydrostatics(volume, plane, buoyancy, across, lengthwise, gm_t, gm_l, stiffness)
