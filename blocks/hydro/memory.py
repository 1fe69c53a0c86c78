"""The memory of the water as damped oscillators: what a `dynamics.SeakeepingVessel` has for the waves it made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from blocks.hydro.dofs import Array, Complex


@dataclass(frozen=True)
class Memory:
    """Oscillators ÿ + D ẏ + Ω² y = B ν with the force μ = Bᵀ ẏ, beside the added mass A_∞ of infinite frequency.

    K(iω) = iω Bᵀ (Ω² - ω² + iω D)⁻¹ B = B_rad(ω) + iω (A(ω) - A_∞)

    Stable and passive whatever the numbers are, as D is symmetric and has no negative eigenvalue: K has a real part
    without negative eigenvalues at every frequency. It is symmetric, 0 at ω = 0, and falls with 1/ω. Units as in
    `SeakeepingVessel`.
    """

    frequencies: Array
    """Ω, rad/s, n."""
    damping: Array
    """D, 1/s, n×n."""
    coupling: Array
    """B, √kg/s and √kg·m/s, n×6."""
    infinite_added_mass: Array
    """A_∞, kg, kg·m, kg·m², 6×6."""

    @property
    def states(self) -> int:
        """How many states it adds to a vessel: two for each oscillator."""
        return 2 * len(self.frequencies)

    def response(self, omega: ArrayLike) -> Complex:
        """K(iω) at finite frequencies, rad/s: n×6×6, kg/s, kg·m/s, kg·m²/s."""
        w = np.atleast_1d(np.asarray(omega, dtype=np.float64))
        count = len(self.frequencies)
        dynamic = 1j * w[:, None, None] * self.damping
        index = np.arange(count)
        dynamic[:, index, index] += self.frequencies**2 - w[:, None] ** 2
        driven = np.linalg.solve(dynamic, np.broadcast_to(self.coupling + 0j, (len(w), count, 6)))
        return cast(Complex, 1j * w[:, None, None] * (self.coupling.T @ driven))

    def radiation_damping(self, omega: ArrayLike) -> Array:
        """B_rad(ω) at finite frequencies: n×6×6, kg/s, kg·m/s, kg·m²/s."""
        return self.response(omega).real

    def added_mass(self, omega: ArrayLike) -> Array:
        """A(ω), at 0 and inf too: n×6×6, kg, kg·m, kg·m²."""
        w = np.atleast_1d(np.asarray(omega, dtype=np.float64))
        between = (w > 0.0) & np.isfinite(w)
        result: Array = np.broadcast_to(self.infinite_added_mass, (len(w), 6, 6)).copy()
        result[between] += self.response(w[between]).imag / w[between, None, None]
        result[w == 0.0] += (self.coupling / self.frequencies[:, None] ** 2).T @ self.coupling
        return result

    def retardation(self, times: ArrayLike) -> Array:
        """K(t) = [0 Bᵀ] e^{F t} [0 B]ᵀ, t ≥ 0, s: times×6×6, kg/s², kg·m/s², kg·m²/s²."""
        system, drive, output = self.state_space()
        values, vectors = np.linalg.eig(system)
        start = np.linalg.solve(vectors, drive + 0j)
        grown = np.exp(np.outer(np.atleast_1d(np.asarray(times, dtype=np.float64)), values))
        return cast(Array, np.einsum("ik,tk,kj->tij", output @ vectors, grown, start).real)

    def state_space(self) -> tuple[Array, Array, Array]:
        """F, G, H of ẋ = F x + G ν, μ = H x with x = (y, ẏ): 2n×2n, 2n×6, 6×2n."""
        count = len(self.frequencies)
        zero = np.zeros((count, count))
        system = np.block([[zero, np.eye(count)], [-np.diag(self.frequencies**2), -self.damping]])
        drive = np.concatenate([np.zeros((count, 6)), self.coupling])
        return system, drive, drive.T.copy()

    def poles(self) -> Complex:
        """The eigenvalues of F, 2n: all in the left half-plane, 1/s."""
        return cast(Complex, np.linalg.eigvals(self.state_space()[0]))

    def parameters(self) -> dict[str, Any]:
        """Of a `dynamics.SeakeepingVessel`: its added mass and its memory."""
        return {
            "added_mass": self.infinite_added_mass,
            "memory_frequencies": self.frequencies,
            "memory_damping": self.damping,
            "memory_coupling": self.coupling,
        }
