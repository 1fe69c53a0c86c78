"""Equations of motion of published ships, as their sources write them: a second computation beside vehicle files.

Each takes velocities, and rudder angle and revolutions as the source counts them, and gives rates of change of the
velocities in SI. Nothing of Keelblocks is in it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def mariner(u: float, v: float, r: float, delta: float) -> Array:
    """Chislett and Strøm-Tejsen (1965): rates of u, v and r; δ > 0 turns to port."""
    length, u_0 = 160.93, 7.7175
    speed = math.hypot(u, v)
    du, v, r = (u - u_0) / speed, v / speed, r * length / speed
    ahead, total = 1.0 + du, 1.0 + 2.0 * du + du * du
    x = -184 * du - 110 * du**2 - 215 * du**3 - 899 * v**2 + 18 * r**2 + 798 * v * r
    x += -95 * delta**2 - 190 * du * delta**2 + 93 * v * delta * ahead
    y = ahead * (-1160 * v - 499 * r) - 8078 * v**3 + 15356 * v**2 * r - 4 * total
    y += 278 * delta * total - 90 * delta**3 - 4 * v * delta**2 + 1190 * v**2 * delta
    n = ahead * (-264 * v - 166 * r) + 1636 * v**3 - 5483 * v**2 * r + 3 * total
    n += -139 * delta * total + 45 * delta**3 + 13 * v * delta**2 - 489 * v**2 * delta
    inertia = np.array([
        [798.0 + 42.0, 0.0, 0.0],
        [0.0, 798.0 + 748.0, -0.023 * 798.0 + 9.354],
        [0.0, -0.023 * 798.0 - 4.646, 39.2 + 43.8],
    ])  # fmt: skip
    rates = np.linalg.solve(inertia, [x, y, n])
    return rates * speed**2 / length * np.array([1.0, 1.0, 1.0 / length])


def tanker(u: float, v: float, r: float, delta: float, n: float, depth: float) -> Array:
    """Van Berlekom and Goddard (1972): rates of u, v and r; δ > 0 turns to port; n in rev/s."""
    length, draught = 304.8, 18.46
    z = draught / (depth - draught)
    beta, flow = math.atan(v / u), 0.605 * u * n + 38.2 * n * n
    thrust = -0.00695 * u * u / length - 0.00063 * u * n + 0.0000354 * length * abs(n) * n
    shallow = -0.85 * (1.0 - 0.8 / z) if z >= 0.8 else 0.0
    bent = flow * abs(beta) * beta * abs(delta)
    x = (-0.0377 - 0.0061 * z) * u * u + (2.02 + 0.387 * z) * length * v * r + (0.3 + 0.0125 * z * z) * v * v
    x += flow * (-0.093 * delta * delta + 0.152 * beta * delta) + 0.78 * length * thrust
    y = (-1.205 + shallow * z) * u * v + (-2.4 - 1.5 * z) * abs(v) * v + (-0.752 + 0.182 * z) * length * u * r
    y += 0.208 * flow * delta + (-2.16 - 0.191 * z) * bent + 0.04 * length * thrust
    moment = (-0.451 - 0.241 * z) * u * v + (-0.3 - 0.12 * z) * length * abs(v) * r
    moment += (-0.231 - 0.047 * z) * length * u * r - 0.098 * flow * delta + (0.688 + 0.344 * z) * bent
    moment += -0.02 * length * thrust
    inertia = (1.05 + 0.05 * z, 2.02 + 0.387 * z, 0.1232 + 0.0045 * z)
    return np.array([x / length / inertia[0], y / length / inertia[1], moment / length**2 / inertia[2]])


def naval_vessel(u: float, v: float, p: float, r: float, phi: float) -> Array:
    """Blanke and Christensen (1993): rates of u, v, p and r without rudder and propeller."""
    m, x_g, z_g, weight = 357.0 * 1014.0, -3.38, -1.06, 357.0 * 1014.0 * 9.81
    x = -1960.0 * u * abs(u) + 1.33 * m * v * r + m * (x_g * r * r - z_g * p * r)
    y = -11800 * abs(u) * v + 131000 * u * r - 3700 * v * abs(v) - 794000 * v * abs(r) - 182000 * r * abs(v)
    y += phi * (10800 * abs(u * v) + 251000 * abs(u * r) - 74 * u * u) - m * u * r
    k = 9260 * abs(u) * v - 102000 * u * r + 29300 * v * abs(v) + 621000 * v * abs(r) + 142000 * r * abs(v)
    k += phi * (-8400 * abs(u * v) - 196000 * abs(u * r) - 1180 * u * u) - 15500 * abs(u) * p - 416000 * p * abs(p)
    k += -500000 * p - 0.325 * weight * phi**3 - 1.1 * weight * phi + m * z_g * u * r
    n = -92000 * abs(u) * v - 4710000 * abs(u) * r - 202000000 * r * abs(r) - 15600000 * r * abs(v)
    n += phi * (-214000 * abs(u * v) - 4980000 * u * abs(r) - 8000 * u * abs(u)) - m * x_g * u * r
    inertia = np.array([
        [m + 17400.0, 0.0, 0.0, 0.0],
        [0.0, m + 393000.0, -m * z_g + 296000.0, m * x_g + 1400000.0],
        [0.0, -m * z_g - 296000.0, 2376300.0 + 774000.0, 0.0],
        [0.0, m * x_g - 538000.0, 0.0, 47.934e6 + 38.7e6],
    ])  # fmt: skip
    return np.linalg.solve(inertia, [x, y, k, n])


def container_ship(u: float, v: float, p: float, r: float, phi: float, delta: float, n: float) -> Array:
    """Son and Nomoto (1981): rates of u, v, p and r; δ > 0 turns to starboard; n in rev/s."""
    length, diameter = 175.0, 6.533
    speed = math.hypot(u, v)
    u, v, p, r = u / speed, v / speed, p * length / speed, r * length / speed
    inflow = u * (1.0 - 0.184 + 1.09 * (v - 0.526 * r) ** 2)
    ratio = inflow * speed / (n * diameter)
    thrust = 2.0 * diameter**4 * (0.527 - 0.455 * ratio) * n * abs(n) / (speed * length) ** 2
    behind = inflow * 0.921 * math.sqrt(1.0 + 8.0 * 0.631 * (0.527 - 0.455 * ratio) / (math.pi * ratio**2))
    across = 0.088 * v - 0.156 * r - 0.275 * r**3 + 1.96 * r * r * v
    attack = delta + math.atan(across / behind)
    normal = -6.13 * 1.8219 / (1.8219 + 2.25) * 33.0376 / length**2 * (behind**2 + across**2) * math.sin(attack)
    m, m_x, m_y = 0.00792, 0.000238, 0.007049
    x = -0.0004226 * u * u + 0.825 * thrust - 0.00311 * v * r - 0.00386 * v * v + 0.0002 * r * r - 0.0002 * phi**2
    x += 0.71 * normal * math.sin(delta) + (m + m_y) * v * r
    products = np.array(
        [v, r, p, phi, v**3, r**3, v * v * r, v * r * r, v * v * phi, v * phi**2, r * r * phi, r * phi**2]
    )
    y = products @ [
        -0.0116,
        0.00242,
        0,
        -0.000063,
        -0.109,
        0.00177,
        0.0214,
        -0.0405,
        0.04605,
        0.00304,
        0.009325,
        -0.001368,
    ]
    k = products @ [
        0.0003026, -0.000063, -0.0000075, -0.000021, 0.002843, -0.0000462, -0.000588, 0.0010565, -0.0012012, -0.0000793,
        -0.000243, 0.00003569,
    ]  # fmt: skip
    moment = products @ [
        -0.0038545, -0.00222, 0.000213, -0.0001424, 0.001492, -0.00229, -0.0424, 0.00156, -0.019058, -0.0053766,
        -0.0038592, 0.0024195,
    ]  # fmt: skip
    y += 1.237 * normal * math.cos(delta) - (m + m_x) * u * r
    k += -1.237 * 0.033 * normal * math.cos(delta) + m_x * 0.0313 * u * r
    k -= m * length * 9.81 / speed**2 * 0.3 / length * phi
    moment += (-0.5 - 0.237 * 0.48) * normal * math.cos(delta)
    inertia = np.array([
        [m + m_x, 0.0, 0.0, 0.0],
        [0.0, m + m_y, -m_y * 0.0313, m_y * 0.05],
        [0.0, -m_y * 0.0313, 0.0000176 + 0.0000034, 0.0],
        [0.0, m_y * 0.05, 0.0, 0.000456 + 0.000419],
    ])  # fmt: skip
    rates = np.linalg.solve(inertia, [x, y, k, moment]) * speed**2 / length
    return rates * np.array([1.0, 1.0, 1.0 / length, 1.0 / length])
