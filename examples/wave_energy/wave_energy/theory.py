"""What linear theory says of a float with a linear power take-off in a regular wave of deep water: the truth of tests.

Source: Budal and Falnes (1975), A resonant point absorber of ocean-wave power, Nature 256; Evans (1976), A theory for
wave-power absorption by oscillating bodies, Journal of Fluid Mechanics 77; Newman (1976), The interaction of stationary
vessels with regular waves, Proc. 11th Symposium on Naval Hydrodynamics; Falnes (2002), Ocean Waves and Oscillating
Systems, ch. 6.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wave_energy.hydrodynamics import Hydrodynamics


@dataclass(frozen=True)
class LinearFloat:
    """A float of a mass, kg, and a water plane's stiffness, N/m, with the coefficients of a table."""

    table: Hydrodynamics
    mass: float
    stiffness: float
    density: float = 1000.0
    gravity: float = 9.81

    def amplitude(self, omega: float, wave: float, damping: float, spring: float = 0.0) -> float:
        """|z| = |X| a / |k + k_pto - ω² (m + A) + jω (B + c)|, m, in a wave of amplitude a, m."""
        added, radiated, force = self.table.at(omega)
        inertia = self.stiffness + spring - omega**2 * (self.mass + added)
        return abs(force) * wave / float(np.hypot(inertia, omega * (radiated + damping)))

    def power(self, omega: float, wave: float, damping: float, spring: float = 0.0) -> float:
        """P = ½ c ω² |z|², W, mean of a period."""
        return 0.5 * damping * (omega * self.amplitude(omega, wave, damping, spring)) ** 2

    def capture_width(self, omega: float, damping: float, spring: float = 0.0) -> float:
        """P/J, m."""
        return self.power(omega, 1.0, damping, spring) / self.wave_power(omega, 1.0)

    def wave_power(self, omega: float, wave: float) -> float:
        """J = ρ g² a²/(4 ω), W/m: the power of a regular wave of deep water, per metre of crest."""
        return self.density * self.gravity**2 * wave**2 / (4.0 * omega)

    def greatest_capture_width(self, omega: float) -> float:
        """λ/2π = g/ω², m: what no axisymmetric float that heaves can exceed.

        P = |X|² a²/(8 B) at best, and by Haskind's relation |X|² = 2 ρ g³ B/ω³, so that B falls out of P/J.
        """
        return self.gravity / omega**2

    def best_damping(self, omega: float) -> float:
        """√(B² + (ω (m + A) - k/ω)²), N·s/m: what takes most without a spring."""
        added, radiated, _ = self.table.at(omega)
        return float(np.hypot(radiated, omega * (self.mass + added) - self.stiffness / omega))

    def tuned(self, omega: float) -> tuple[float, float]:
        """Damping B, N·s/m, and spring ω² (m + A) - k, N/m, that take all that can be taken."""
        added, radiated, _ = self.table.at(omega)
        return radiated, omega**2 * (self.mass + added) - self.stiffness

    def resonance(self) -> float:
        """ω with k = ω² (m + A(ω)), rad/s."""
        omega = float(np.sqrt(self.stiffness / self.mass))
        for _ in range(100):
            omega = float(np.sqrt(self.stiffness / (self.mass + self.table.at(omega)[0])))
        return omega
