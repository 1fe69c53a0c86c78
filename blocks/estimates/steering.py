"""Linear derivatives of sway and yaw from main dimensions."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blocks.estimates.validity import check_hull, check_positive, warn_outside

__all__ = ["SteeringDerivatives", "clarke", "inoue", "norrbin", "wagner_smitt"]

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class SteeringDerivatives:
    """Derivatives of sway and yaw in the prime system: over ½ρL³, ½ρL⁴ and ½ρL⁵ of accelerations, and ½ρL²U, ½ρL³U and
    ½ρL⁴U of velocities.

    They are what a towing tank measures on a hull that sways and yaws at the speed U: Y_r and N_v with all that added
    mass contributes, and without the ship's own mass. Accelerations are 0 where the source has none.
    """

    length: float
    """L between perpendiculars, m."""
    Y_v: float
    Y_r: float
    N_v: float
    N_r: float
    Y_vdot: float = 0.0
    Y_rdot: float = 0.0
    N_vdot: float = 0.0
    N_rdot: float = 0.0

    def added_mass(self, surge: float = 0.0, density: float = 1025.0) -> Matrix:
        """M_A of surge, sway and yaw, 3×3, positive, for `Vessel3DOF`; surge: -X_u̇, kg (`surge_added_mass`)."""
        l_3 = 0.5 * density * self.length * self.length * self.length
        l_4, l_5 = l_3 * self.length, l_3 * self.length * self.length
        return np.array([
            [surge, 0.0, 0.0],
            [0.0, -l_3 * self.Y_vdot, -l_4 * self.Y_rdot],
            [0.0, -l_4 * self.N_vdot, -l_5 * self.N_rdot],
        ])  # fmt: skip

    def damping(self, speed: float, added_mass: Matrix, density: float = 1025.0) -> Matrix:
        """D of surge, sway and yaw at a speed U, 3×3, positive, for `linear_damping` of `Vessel3DOF`; 0 in surge.

        added_mass: M_A of the vessel, 3×3, as above. Its Coriolis forces, which the vessel has besides, are taken out:
        D_23 = -Y_r - A_11 U, D_32 = -N_v - (A_22 - A_11) U, D_33 = -N_r - A_23 U.
        """
        check_positive(speed=speed)
        l_2 = 0.5 * density * self.length * self.length * speed
        l_3, l_4 = l_2 * self.length, l_2 * self.length * self.length
        surge, sway, coupled = added_mass[0, 0], added_mass[1, 1], added_mass[1, 2]
        return np.array([
            [0.0, 0.0, 0.0],
            [0.0, -l_2 * self.Y_v, -l_3 * self.Y_r - surge * speed],
            [0.0, -l_3 * self.N_v - (sway - surge) * speed, -l_4 * self.N_r - coupled * speed],
        ])  # fmt: skip

    def stability(self, mass: float, centre_of_gravity: float = 0.0, density: float = 1025.0) -> float:
        """C′ = Y′_v (N′_r - m′ x′_g) - N′_v (Y′_r - m′): above 0 for a ship that keeps her course by herself.

        mass: kg; centre_of_gravity: x_g from the origin of the derivatives, m.
        """
        prime = mass / (0.5 * density * self.length * self.length * self.length)
        arm = centre_of_gravity / self.length
        return self.Y_v * (self.N_r - prime * arm) - self.N_v * (self.Y_r - prime)


def _range(estimate: str, length: float, breadth: float, draught: float, block: float) -> float:
    """π (T/L)², after a look at the dimensions."""
    check_hull(length, breadth, draught, block)
    warn_outside(
        estimate,
        L_over_B=(length / breadth, 4.5, 9.0),
        B_over_T=(breadth / draught, 2.0, 5.0),
        block_coefficient=(block, 0.45, 0.88),
    )
    slender = draught / length
    return math.pi * slender * slender


def clarke(length: float, breadth: float, draught: float, block_coefficient: float) -> SteeringDerivatives:
    """Clarke's regression, with accelerations, about midship and on even keel.

    Y′_v = -p (1 + 0.40 C_b B/T),  Y′_r = -p (-1/2 + 2.2 B/L - 0.080 B/T)
    N′_v = -p (1/2 + 2.4 T/L),  N′_r = -p (1/4 + 0.039 B/T - 0.56 B/L)
    Y′_v̇ = -p (1 + 0.16 C_b B/T - 5.1 (B/L)²),  Y′_ṙ = -p (0.67 B/L - 0.0033 (B/T)²)
    N′_v̇ = -p (1.1 B/L - 0.041 B/T),  N′_ṙ = -p (1/12 + 0.017 C_b B/T - 0.33 B/L),  p = π (T/L)²

    length, breadth, draught: L between perpendiculars, B, T, m; block_coefficient: C_b. Range: merchant ships; L/B 4.5
    to 9, B/T 2 to 5, C_b 0.45 to 0.88 are warned of beyond (chosen here, the source prints none).

    Raises ParameterError if these cannot be a hull's.

    Source: Clarke, Gedling and Hine (1983), The application of manoeuvring criteria in hull design using linear theory,
    Trans. RINA 125, 45-68; as in Fossen (2021) and MSS clarke83.m, checked against Gokarn's table 11.2.
    """
    p = _range("clarke", length, breadth, draught, block_coefficient)
    slim, flat, full = breadth / length, breadth / draught, block_coefficient * breadth / draught
    return SteeringDerivatives(
        length,
        Y_v=-p * (1.0 + 0.40 * full),
        Y_r=-p * (-0.5 + 2.2 * slim - 0.080 * flat),
        N_v=-p * (0.5 + 2.4 * draught / length),
        N_r=-p * (0.25 + 0.039 * flat - 0.56 * slim),
        Y_vdot=-p * (1.0 + 0.16 * full - 5.1 * slim * slim),
        Y_rdot=-p * (0.67 * slim - 0.0033 * flat * flat),
        N_vdot=-p * (1.1 * slim - 0.041 * flat),
        N_rdot=-p * (1.0 / 12.0 + 0.017 * full - 0.33 * slim),
    )


def inoue(
    length: float, breadth: float, draught: float, block_coefficient: float, trim: float = 0.0
) -> SteeringDerivatives:
    """Inoue's formulas, which know the trim; without accelerations.

    over ½ρLT: Y′_v = -(πk/2 + 1.4 C_b B/L) (1 + 2τ/3),  Y′_r = (πk/4) (1 + 0.80 τ)
    N′_v = -k (1 - 0.27 τ/l),  N′_r = -(0.54 k - k²) (1 + 0.30 τ),  k = 2T/L,  l = k/(πk/2 + 1.4 C_b B/L)

    length, breadth, draught: L, B, mean T, m; trim: by the stern, m, τ = trim/T. Range: as of `clarke`.

    Raises ParameterError if these cannot be a hull's.

    Source: Inoue, Hirano and Kijima (1981), Hydrodynamic derivatives on ship manoeuvring, International Shipbuilding
    Progress 28, 112-125.
    """
    _range("inoue", length, breadth, draught, block_coefficient)
    k, tau, whole = 2.0 * draught / length, trim / draught, draught / length
    across = 0.5 * math.pi * k + 1.4 * block_coefficient * breadth / length
    return SteeringDerivatives(
        length,
        Y_v=-whole * across * (1.0 + 2.0 * tau / 3.0),
        Y_r=whole * 0.25 * math.pi * k * (1.0 + 0.80 * tau),
        N_v=-whole * k * (1.0 - 0.27 * tau * across / k),
        N_r=-whole * (0.54 * k - k * k) * (1.0 + 0.30 * tau),
    )


def norrbin(length: float, breadth: float, draught: float, block_coefficient: float) -> SteeringDerivatives:
    """Norrbin's regression; without accelerations.

    Y′_v = -p (1.69 + 0.08 b),  Y′_r = -p (-0.645 + 0.38 b)
    N′_v = -p (0.64 - 0.04 b),  N′_r = -p (0.47 - 0.18 b),  p = π (T/L)²,  b = C_b B/(π T)

    length, breadth, draught: L, B, T, m; block_coefficient: C_b. Range: as of `clarke`.

    Raises ParameterError if these cannot be a hull's.

    Source: Norrbin (1971), Theory and observations on the use of a mathematical model for ship manoeuvring in deep and
    confined waters, SSPA publication 68.
    """
    p = _range("norrbin", length, breadth, draught, block_coefficient)
    b = block_coefficient * breadth / (math.pi * draught)
    return SteeringDerivatives(
        length,
        Y_v=-p * (1.69 + 0.08 * b),
        Y_r=-p * (-0.645 + 0.38 * b),
        N_v=-p * (0.64 - 0.04 * b),
        N_r=-p * (0.47 - 0.18 * b),
    )


def wagner_smitt(length: float, breadth: float, draught: float, block_coefficient: float) -> SteeringDerivatives:
    """Wagner Smitt's means: Y′_v = -1.59 p, Y′_r = 0.32 p, N′_v = -0.62 p, N′_r = -0.21 p, p = π (T/L)².

    length, breadth, draught: L, B, T, m; block_coefficient: C_b; they count for the range only, as of `clarke`.

    Raises ParameterError if these cannot be a hull's.

    Source: Wagner Smitt (1971), Steering and manoeuvring full scale and model tests, European Shipbuilding 20, as
    quoted by Clarke, Gedling and Hine (1983).
    """
    p = _range("wagner_smitt", length, breadth, draught, block_coefficient)
    return SteeringDerivatives(length, Y_v=-1.59 * p, Y_r=0.32 * p, N_v=-0.62 * p, N_r=-0.21 * p)
