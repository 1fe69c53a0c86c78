"""What a ship's stern brings: wake, thrust deduction, and a rudder of usual size."""

from __future__ import annotations

from blocks.errors import ParameterError
from blocks.estimates.validity import check_hull, check_positive

__all__ = ["rudder_area", "rudder_hull_force", "rudder_lift_slope", "thrust_deduction", "wake_fraction"]


def wake_fraction(block_coefficient: float, screws: int = 1) -> float:
    """w = 0.5 C_b - 0.05 behind one screw's stern, 0.55 C_b - 0.20 behind each of two, at least 0.

    Range: merchant ships, C_b 0.5 to 0.85. Raises ParameterError if it is no block coefficient, or screws are not 1 or
    2.

    Source: Taylor (1943), The Speed and Power of Ships.
    """
    if screws not in (1, 2):
        raise ParameterError(f"screws must be 1 or 2, not {screws!r}")
    if not 0.0 < block_coefficient <= 1.0:
        raise ParameterError(f"block_coefficient must be > 0 and ≤ 1, not {block_coefficient:g}")
    found = 0.5 * block_coefficient - 0.05 if screws == 1 else 0.55 * block_coefficient - 0.20
    return max(found, 0.0)


def thrust_deduction(wake: float) -> float:
    """t = 0.6 w, behind one screw with a streamlined rudder: `loss_forward` of a propeller is 1 - t.

    Range: k = t/w lies from 0.5 to 0.7. Raises ParameterError if it is no wake fraction.

    Source: the mean of k by Schoenherr, as quoted from memory of Principles of Naval Architecture (1988), vol. II, not
    checked; 0.60 w + 0.01, by Harvald (1983), is beside it.
    """
    if not 0.0 <= wake < 1.0:
        raise ParameterError(f"wake is a fraction from 0 to 1, not {wake:g}")
    return 0.6 * wake


def rudder_area(length: float, breadth: float, draught: float) -> float:
    """A_R = (L T/100) (1 + 25 (B/L)²) of a rudder behind a propeller, m², at least.

    length, breadth, draught: L, B, T, m. Range: single-screw merchant ships; about 1.5 % of L T at usual breadth, as
    builders take.

    Raises ParameterError if these cannot be a hull's.

    Source: Det Norske Veritas, as in Bertram (2000), Practical Ship Hydrodynamics, ch. 5.
    """
    check_hull(length, breadth, draught)
    slim = breadth / length
    return 0.01 * length * draught * (1.0 + 25.0 * slim * slim)


def rudder_lift_slope(height: float, chord: float) -> float:
    """dC_L/dα = 6.13 Λ/(Λ + 2.25) per rad, Λ = height over mean chord. A `Rudder` has half of it as `lift_coefficient`.

    Range: Λ 1 to 2.5, all-movable. Raises ParameterError if a number is not positive.

    Source: Fujii and Tsuda (1961), Experimental researches on rudder performance, J. Soc. Naval Architects of Japan
    110.
    """
    check_positive(height=height, chord=chord)
    aspect = height / chord
    return 6.13 * aspect / (aspect + 2.25)


def rudder_hull_force(block_coefficient: float) -> float:
    """a_H = 0.627 C_b - 0.153, at least 0: what the hull adds to the side force of the rudder behind it, over that.

    Range: single-screw merchant ships, C_b 0.5 to 0.85. Raises ParameterError if it is no block coefficient.

    Source: Kijima, Katsuno, Nakiri and Furukawa (1990), On the manoeuvring performance of a ship with the parameter of
    loading condition, J. Soc. Naval Architects of Japan 168. KVLCC2, of C_b 0.81, was measured to have 0.31, where this
    is 0.35.
    """
    if not 0.0 < block_coefficient <= 1.0:
        raise ParameterError(f"block_coefficient must be > 0 and ≤ 1, not {block_coefficient:g}")
    return max(0.627 * block_coefficient - 0.153, 0.0)
