"""Linear damping from what one sees of a craft: how fast it comes to rest, how long it swings."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.errors import ParameterError

__all__ = ["damping_from_times"]

_HORIZONTAL = {0: "surge", 1: "sway", 5: "yaw"}
_VERTICAL = {2: "heave", 3: "roll", 4: "pitch"}


def damping_from_times(
    mass_matrix: ArrayLike,
    stiffness: ArrayLike,
    times: Sequence[float],
    ratios: Sequence[float] = (0.2, 0.03, 0.2),
) -> NDArray[np.float64]:
    """D_l of a craft afloat, 6×6, diagonal, from time constants and damping ratios.

    surge, sway, yaw: D_ii = M_ii/T_i;  heave, roll, pitch: D_ii = 2 ζ_i √(M_ii G_ii)

    mass_matrix: M = M_RB + M_A, stiffness: G, 6×6 each, about the body origin; times: T of surge, sway and yaw, s:
    after which 37 % of the speed is left; ratios: ζ of heave, roll and pitch. The usual guess without measurement is
    the default, 0.2, 0.03 without bilge keels (0.05 to 0.10 with them) and 0.2.

    Raises ParameterError unless times are positive, ratios are not negative, and G rights heave, roll and pitch.

    Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., sec. 6.4; MSS Dmtrx.m.
    """
    mass, spring = np.asarray(mass_matrix, dtype=np.float64), np.asarray(stiffness, dtype=np.float64)
    if mass.shape != (6, 6) or spring.shape != (6, 6):
        raise ParameterError(f"mass_matrix and stiffness must be 6×6, not {mass.shape} and {spring.shape}")
    if len(times) != 3 or len(ratios) != 3:
        raise ParameterError("times are of surge, sway and yaw, ratios of heave, roll and pitch: three numbers each")
    found = np.zeros((6, 6))
    for (i, name), time in zip(_HORIZONTAL.items(), times, strict=True):
        if not 0.0 < time < math.inf:
            raise ParameterError(f"the time constant of {name} must be above 0 s, not {time:g}")
        found[i, i] = mass[i, i] / time
    for (i, name), ratio in zip(_VERTICAL.items(), ratios, strict=True):
        if not ratio >= 0.0:
            raise ParameterError(f"the damping ratio of {name} must not be negative, as {ratio:g} is")
        if not mass[i, i] * spring[i, i] > 0.0:
            raise ParameterError(
                f"{name} has mass {mass[i, i]:g} and stiffness {spring[i, i]:g}: a damping ratio needs both above 0. A "
                f"craft under water has no stiffness in heave; give its damping as a number"
            )
        found[i, i] = 2.0 * ratio * math.sqrt(mass[i, i] * spring[i, i])
    return found
