"""Added mass of ship sections by Lewis forms, and of hulls by strips of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ParameterError
from blocks.estimates.validity import check_positive, warn_outside

__all__ = ["LewisSection", "strip_added_mass"]


@dataclass(frozen=True)
class LewisSection:
    """A ship section as a Lewis form: the unit circle mapped by z = M (ζ + a_1/ζ + a_3/ζ³).

    breadth, draught: B and T, m; area_coefficient: σ, immersed area over B T. a_1 and a_3 follow from them, with
    H = B/(2T):

    c = 3 + 4σ/π + (1 - 4σ/π) ((H - 1)/(H + 1))²,  a_3 = (3 - c + √(9 - 2c))/c
    a_1 = (1 + a_3) (H - 1)/(H + 1),  M = (B/2)/(1 + a_1 + a_3)

    A semicircle has σ = π/4, and so has any half ellipse; Lewis forms cannot be as full or as thin as one likes:
    σ from (3π/32) (2 - H) for H ≤ 1, or (3π/32) (2 - 1/H) beyond, to (π/32) (10 + H + 1/H).

    Raises ParameterError if there is no such form.

    Source: Lewis (1929), The inertia of the water surrounding a vibrating ship, Trans. SNAME 37, 1-20; range: von
    Kerczek and Tuck (1969), The representation of ship hulls by conformal mapping functions, Journal of Ship Research
    13.
    """

    breadth: float
    draught: float
    area_coefficient: float

    def __post_init__(self) -> None:
        """Whether there is such a form."""
        check_positive(breadth=self.breadth, draught=self.draught, area_coefficient=self.area_coefficient)
        least, most = self.range()
        if not least * (1.0 - 1e-9) <= self.area_coefficient <= most * (1.0 + 1e-9):
            raise ParameterError(
                f"a Lewis form of B/(2T) {self.slimness:.3g} has an area coefficient from {least:.3g} to {most:.3g}, "
                f"not {self.area_coefficient:g}: full boxes take {most:.3g}, very fine sections {least:.3g}"
            )

    @property
    def slimness(self) -> float:
        """H = B/(2T)."""
        return 0.5 * self.breadth / self.draught

    def range(self) -> tuple[float, float]:
        """The least and the greatest σ that such a section may have."""
        h = self.slimness
        return 3.0 * math.pi / 32.0 * (2.0 - min(h, 1.0 / h)), math.pi / 32.0 * (10.0 + h + 1.0 / h)

    def form(self) -> tuple[float, float, float]:
        """M, m, and a_1 and a_3."""
        h = self.slimness
        skew = (h - 1.0) / (h + 1.0)
        ratio = 4.0 * self.area_coefficient / math.pi
        c = 3.0 + ratio + (1.0 - ratio) * skew * skew
        a_3 = (3.0 - c + math.sqrt(max(9.0 - 2.0 * c, 0.0))) / c
        a_1 = skew * (1.0 + a_3)
        return 0.5 * self.breadth / (1.0 + a_1 + a_3), a_1, a_3

    def added_mass(self, density: float = 1025.0) -> tuple[float, float, float]:
        """Per length of the hull, sway and heave, kg/m, and roll about the centre of the waterline, kg·m.

        sway: ½πρM² ((1 - a_1)² + 3a_3²), at low frequency
        heave: ½πρM² ((1 + a_1)² + 3a_3²), at high frequency
        roll: πρM⁴ (a_1² (1 + a_3)² + 2a_3²), at high frequency

        Source: Newman (1977), Marine Hydrodynamics, sec. 4.13 to 4.15; Faltinsen (1990), Sea Loads on Ships and
        Offshore Structures, ch. 3.
        """
        check_positive(density=density)
        size, a_1, a_3 = self.form()
        half = 0.5 * math.pi * density * size * size
        edge = 3.0 * a_3 * a_3
        sway, heave = half * ((1.0 - a_1) * (1.0 - a_1) + edge), half * ((1.0 + a_1) * (1.0 + a_1) + edge)
        tilt = a_1 * (1.0 + a_3)
        return sway, heave, 2.0 * half * size * size * (tilt * tilt + 2.0 * a_3 * a_3)


def strip_added_mass(
    positions: Sequence[float],
    breadths: Sequence[float],
    draughts: Sequence[float],
    area_coefficients: Sequence[float],
    *,
    surge: float = 0.0,
    density: float = 1025.0,
) -> NDArray[np.float64]:
    """M_A of a hull from Lewis forms at stations, by the trapezoidal rule, about the origin, 6×6.

    A_22 = ∫ a_y dx, A_26 = ∫ x a_y dx, A_66 = ∫ x² a_y dx; A_33 = ∫ a_z dx, A_35 = -∫ x a_z dx, A_55 = ∫ x² a_z dx;
    A_44 = ∫ a_φ dx

    positions: x of the stations, m, increasing; breadths, draughts: B and T there, m, 0 where the hull ends;
    area_coefficients: σ there; surge: A_11, kg (`surge_added_mass`); density: ρ, kg/m³. Sway, roll and yaw are coupled
    in truth (A_24, A_46); that is left out. Range: slender hulls, length over breadth 4 and more; sway and yaw as
    manoeuvring takes them, heave, roll and pitch as fast oscillations.

    Raises ParameterError if lists differ in length, or stations do not increase, or a section is no Lewis form.

    Source: as of `LewisSection`; Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed.,
    sec. 5.3 (strips).
    """
    counts = {len(positions), len(breadths), len(draughts), len(area_coefficients)}
    if len(counts) > 1 or len(positions) < 2:
        raise ParameterError(
            f"positions, breadths, draughts and area_coefficients must be of two stations or more each, not of "
            f"{len(positions)}, {len(breadths)}, {len(draughts)} and {len(area_coefficients)}"
        )
    if any(b <= a for a, b in pairwise(positions)):
        raise ParameterError("positions must increase, from aft to fore")
    wide = max(breadths)
    if wide > 0.0:
        warn_outside("strip_added_mass", L_over_B=((positions[-1] - positions[0]) / wide, 4.0, math.inf))
    found = np.zeros((6, 6))
    found[0, 0] = surge
    rows = []
    for x, breadth, draught, full in zip(positions, breadths, draughts, area_coefficients, strict=True):
        ends = breadth <= 0.0 or draught <= 0.0
        sway, heave, roll = (0.0,) * 3 if ends else LewisSection(breadth, draught, full).added_mass(density)
        rows.append((sway, x * sway, x * x * sway, heave, -x * heave, x * x * heave, roll))
    sums = [0.0] * 7
    for k in range(1, len(rows)):
        half = 0.5 * (positions[k] - positions[k - 1])
        sums = [s + half * (a + b) for s, a, b in zip(sums, rows[k - 1], rows[k], strict=True)]
    for (i, j), value in zip(((1, 1), (1, 5), (5, 5), (2, 2), (2, 4), (4, 4), (3, 3)), sums, strict=True):
        found[i, j] = found[j, i] = value
    return found
