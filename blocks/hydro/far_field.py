"""The waves that a hull sends out, far away, and the mean drift that they tell of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from blocks.hydro.dofs import Array, Complex


@dataclass(frozen=True)
class Kochin:
    """Kochin functions H(θ) and dH/dθ at one frequency, of six motions of 1 m or 1 rad and of m diffracted waves.

    theta: t directions of a turn, rad, counterclockwise from forward, and behind them those of the m waves; values and
    slopes: (6 + m)×(t + m); k: wavenumber; omega: of the waves. Axes forward, port, up.
    """

    theta: Array
    values: Complex
    slopes: Complex
    directions: Array
    k: float
    omega: float

    @classmethod
    def of(cls, body: Any, radiated: Sequence[Any], waves: Sequence[Any], directions: Array) -> Kochin:
        """From potentials on the hull, by Green's theorem.

        H(θ) = 1/4π ∫ (φ_n - φ ∂/∂n) f(z) e^(-ik(x cos θ + y sin θ)) dS,  f = cosh k(z + h)/cosh kh

        Source: Newman (1977), Marine Hydrodynamics, sec. 6.21.
        """
        mesh = body.mesh
        centres, areas, normals = mesh.faces_centers, mesh.faces_areas, mesh.faces_normals
        k, omega, depth = (float(getattr(waves[0], name)) for name in ("wavenumber", "omega", "water_depth"))
        reach = float(np.max(np.hypot(centres[:, 0], centres[:, 1])))
        turn = 2.0 * np.pi * np.arange(count := 64 + 4 * int(np.ceil(k * reach))) / count
        theta = np.concatenate([turn, directions])
        x, y, z = centres.T
        if k * depth < 20.0:
            f, slope = np.cosh(k * (z + depth)) / np.cosh(k * depth), k * np.tanh(k * (z + depth))
        else:
            f, slope = np.exp(k * z), np.full(len(z), k)
        c, s = np.cos(theta)[:, None], np.sin(theta)[:, None]
        across = -1j * k * (y * c - x * s)
        wave = f * np.exp(-1j * k * (x * c + y * s)) * areas
        along = -1j * k * (normals[:, 0] * c + normals[:, 1] * s) + slope * normals[:, 2]
        turned = -1j * k * (normals[:, 1] * c - normals[:, 0] * s)
        results = [*radiated, *waves]
        hull = body.hull_mask
        potential = np.array([result.potential[hull] for result in results])
        flux = np.array([result.problem.boundary_condition[hull] for result in results])
        values = flux @ wave.T - potential @ (wave * along).T
        slopes = flux @ (wave * across).T - potential @ (wave * (along * across + turned)).T
        return cls(theta, values / (4.0 * np.pi), slopes / (4.0 * np.pi), np.asarray(directions), k, omega)


def mean_drift(far: Kochin, motion: Complex, rho: float, g: float, water_depth: float) -> Array:
    """Mean drift D in surge, sway and yaw per square of the wave amplitude, m×3, N/m² and N·m/m².

    motion: of the hull in each of the m waves, m×6, per metre; axes forward, port, up.

    Source: Maruo (1960), The drift of a body floating on waves, J. Ship Research 4(3); Newman (1967), The drift force
    and moment on ships in waves, J. Ship Research 11(1), yaw; in water of finite depth as Capytaine has it.
    """
    m, count = len(far.directions), len(far.theta) - len(far.directions)
    total = 1j * (far.values[6:] + motion @ far.values[:6])
    slope = 1j * (far.slopes[6:] + motion @ far.slopes[:6])
    around, change = total[:, :count], slope[:, :count]
    own = np.arange(m)
    ahead, ahead_change = total[own, count + own], slope[own, count + own]
    k, h, deep = far.k, water_depth, far.omega**2 / g
    factor = k**2
    if np.isfinite(h):
        factor = k * (deep * h) ** 2 / (h * ((k * h) ** 2 - (deep * h) ** 2 + deep * h))
    step = 2.0 * np.pi / count
    one, two = 2.0 * np.pi * rho * far.omega, 2.0 * np.pi * rho * factor
    theta, beta = far.theta[:count], far.directions
    power = np.abs(around) ** 2
    surge = -one * np.cos(beta) * ahead.imag - two * step * (power * np.cos(theta)).sum(axis=1)
    sway = -one * np.sin(beta) * ahead.imag - two * step * (power * np.sin(theta)).sum(axis=1)
    yaw = one / k * ahead_change.real - two / k * step * (np.conj(around) * change).imag.sum(axis=1)
    return np.stack([surge, sway, yaw], axis=1)
