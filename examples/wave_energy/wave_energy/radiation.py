"""The memory of the waves that a float has made, as a linear system."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ParameterError
from wave_energy.hydrodynamics import Hydrodynamics

Array = NDArray[np.float64]

_ROUNDS = 60
"""Until the weights of the fit no longer change."""


@dataclass(frozen=True)
class Radiation:
    """K(s) = B_0 P(σ)/Q(σ), σ = s/Ω: from the velocity of a float to the force of the waves that it makes."""

    numerator: Array
    """Of P, lowest power first, n."""
    denominator: Array
    """Of Q less σ^n, lowest power first, n."""
    rate: float
    """Ω, rad/s."""
    scale: float
    """B_0, N·s/m."""

    def response(self, omega: Array) -> NDArray[np.complex128]:
        """K(jω) = B + jω (A - A_∞), N·s/m."""
        s = 1j * np.asarray(omega) / self.rate
        powers = s[..., None] ** np.arange(len(self.numerator))
        found: NDArray[np.complex128] = (
            self.scale * (powers @ self.numerator) / (s ** len(self.numerator) + powers @ self.denominator)
        )
        return found


def fit_radiation(table: Hydrodynamics, order: int = 5) -> Radiation:
    """The system of an order whose response is nearest to B(ω) + jω (A(ω) - A_∞), by least squares.

    P has no constant term, for a float that moves steadily makes no waves, and its degree is one less than that of Q.
    The least squares of K Q - P are repeated with 1/|Q| of the last round as weights. Frequencies are scaled by that of
    the greatest damping, forces by that damping.

    Raises ParameterError if the order is not within 2 and 10, or if the system found is unstable or gives off energy
    within the table: then another order, or a table over more frequencies, is needed.

    Source: Sanathanan and Koerner (1963), Transfer function synthesis as a ratio of two complex polynomials, IEEE
    Transactions on Automatic Control 8; Perez and Fossen (2009), Modeling, Identification and Control 30(1), sec. 3.
    """
    if not 2 <= order <= 10:
        raise ParameterError(f"the order of the radiation must be 2 to 10, not {order}")
    peak = int(np.argmax(table.damping))
    rate, scale = float(table.omega[peak]), float(table.damping[peak])
    s = 1j * table.omega / rate
    wanted = (table.damping + 1j * table.omega * (table.added_mass - table.infinite_added_mass)) / scale
    powers = s[:, None] ** np.arange(order + 1)
    weight = np.ones(len(s))
    for _ in range(_ROUNDS):
        matrix = np.hstack([powers[:, 1:order], -wanted[:, None] * powers[:, :order]]) * weight[:, None]
        right = wanted * powers[:, order] * weight
        found = np.linalg.lstsq(
            np.vstack([matrix.real, matrix.imag]), np.concatenate([right.real, right.imag]), rcond=None
        )[0]
        denominator = found[order - 1 :]
        weight = 1.0 / np.abs(powers[:, :order] @ denominator + powers[:, order])
    fit = Radiation(np.concatenate([[0.0], found[: order - 1]]), denominator, rate, scale)
    roots = np.roots([1.0, *denominator[::-1]])
    if roots.real.max() >= 0.0 or fit.response(table.omega).real.min() < 0.0:
        raise ParameterError(f"a radiation of order {order} that fits the table is unstable or gives off energy")
    return fit
