"""Hydrodynamic coefficients of a heaving hemisphere that floats in deep water, by multipoles.

    python -m wave_energy.hemisphere 5 > hemisphere.csv        # a radius of 5 m

The potential of a heave with unit velocity is a wave source and wave-free multipoles at the centre, in radii:

    φ = c_0 [1/r + K ⨍ e^(-kz) J_0(kR)/(k - K) dk + iπK e^(-Kz) J_0(KR)] + Σ c_m [P_2m/r^(2m+1) + K/2m P_(2m-1)/r^2m]

with z down, K = ω²/g, P of cos θ = z/r, time as e^(-iωt), and ⨍ the principal value. The c are those that meet ∂φ/∂r =
cos θ on the sphere best at Gauss points. Added mass and damping are the pressure of φ on the sphere; the force of waves
follows from φ by Haskind's relation.

Source: Havelock (1955), Waves due to a floating sphere making periodic heaving oscillations, Proceedings of the Royal
Society A 231; Hulme (1982), The wave forces acting on a floating hemisphere undergoing forced periodic oscillations,
Journal of Fluid Mechanics 121, whose table 1 this repeats in all digits; Newman (1962), The exciting forces on fixed
bodies in waves, Journal of Ship Research 6 (Haskind's relation).
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.polynomial.legendre import leggauss
from scipy import special

from wave_energy.hydrodynamics import COLUMNS

MULTIPOLES, POINTS, ALONG = 24, 64, 64


def coefficients(number: float) -> tuple[float, float, complex]:
    """Added mass and damping over 2/3 π ρ a³ and 2/3 π ρ a³ ω, and X over ρ g π a², at Ka."""
    nodes, weights = leggauss(POINTS)
    mu, weights = 0.5 * (nodes + 1.0), 0.5 * weights
    big, z = np.sqrt(1.0 - mu**2), mu
    wave = np.exp(-number * z) * special.j0(number * big)
    wave_slope = -number * (mu * wave + big * np.exp(-number * z) * special.j1(number * big))

    # The principal value I solves ∂I/∂z = -1/r - K I from the surface down, where it is known by Struve's functions.
    nodes, along = leggauss(ALONG)
    u = 0.5 * np.arcsinh(z / big)[:, None] * (nodes + 1.0)
    along = 0.5 * np.arcsinh(z / big)[:, None] * along * np.exp(number * (big[:, None] * np.sinh(u) - z[:, None]))
    surface = -0.5 * np.pi * np.exp(-number * z)
    value = surface * (special.struve(0, number * big) + special.y0(number * big)) - along.sum(axis=1)
    by_radius = (
        surface * number * (2.0 / np.pi - special.struve(1, number * big) - special.y1(number * big))
        - (along * number * np.sinh(u)).sum(axis=1)
        + z / big
    )
    by_depth = -1.0 - number * value

    potentials = [1.0 + number * value + 1j * np.pi * number * wave]
    slopes = [-1.0 + number * (z * by_depth + big * by_radius) + 1j * np.pi * number * wave_slope]
    for m in range(1, MULTIPOLES):
        even, odd = special.eval_legendre(2 * m, mu), special.eval_legendre(2 * m - 1, mu)
        potentials.append(even + number / (2 * m) * odd)
        slopes.append(-(2 * m + 1) * even - number * odd)
    root = np.sqrt(weights)
    matrix = root[:, None] * np.array(slopes).T
    sizes = np.linalg.norm(matrix, axis=0)
    strengths = np.linalg.lstsq(matrix / sizes, root * mu + 0j, rcond=None)[0] / sizes
    potential = np.array(potentials).T @ strengths
    pressure = -3.0 * np.sum(weights * potential * mu)
    force = 2.0 * np.sum(weights * (wave * mu - potential * wave_slope))
    return float(pressure.real), float(pressure.imag), complex(force)


def table(radius: float, density: float = 1000.0, gravity: float = 9.81) -> str:
    """The coefficients of a hemisphere as a file, over wave lengths from 300 radii down to 0.6."""
    water = 2.0 / 3.0 * np.pi * density * radius**3
    pressure = density * gravity * np.pi * radius**2
    lines = [
        f"# Heave of a floating hemisphere, radius {radius:g} m, deep water, {density:g} kg/m3, g {gravity:g} m/s2",
        "# by multipoles, Hulme (1982), J. Fluid Mech. 121: python -m wave_energy.hemisphere",
        ",".join(COLUMNS),
    ]
    for scaled in np.arange(15, 326, 3) / 100.0:
        added, damping, force = coefficients(scaled**2)
        omega = scaled * np.sqrt(gravity / radius)
        numbers = (
            omega, water * added, water * omega * damping, pressure * abs(force), np.degrees(np.angle(force))
        )  # fmt: skip
        lines.append(",".join(f"{number:.8g}" for number in numbers))
    lines.append(f"inf,{0.5 * water:.8g},0,0,0")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(table(float(sys.argv[1])), end="")
