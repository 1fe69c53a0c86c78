"""The equations of the benchmark model in plain Python, for the peers whose blocks call plain Python functions."""

from math import atan2, cos, floor, pi, sin

import numpy as np
from numpy.typing import NDArray

from benchmarks.model import (
    COURSE,
    D11,
    D22,
    D33,
    DESIRED_SPEED,
    HEADING_KD,
    HEADING_KI,
    HEADING_KP,
    LOOKAHEAD,
    M11,
    M22,
    M33,
    SPEED_KI,
    SPEED_KP,
)

_SIN_COURSE = sin(COURSE)
_COS_COURSE = cos(COURSE)


def vessel_rate(state: NDArray[np.float64], force: float, moment: float) -> NDArray[np.float64]:
    """Return the time derivative of x, y, ψ, u, v, r under a surge force [N] and a yaw moment [N·m]."""
    # As Python floats: arithmetic on NumPy scalars costs several times as much.
    _, _, psi, u, v, r = state.tolist()
    c, s = cos(psi), sin(psi)
    return np.array(
        (
            u * c - v * s,
            u * s + v * c,
            r,
            (force + M22 * v * r - D11 * u) / M11,
            (-M11 * u * r - D22 * v) / M22,
            (moment + (M11 - M22) * u * v - D33 * r) / M33,
        )
    )


def desired_heading(x: float, y: float) -> float:
    """Return the line-of-sight heading ψ_d [rad] at position x, y [m]."""
    return COURSE - atan2(-x * _SIN_COURSE + y * _COS_COURSE, LOOKAHEAD)


def heading_error(heading: float, psi: float) -> float:
    """Return ψ_d − ψ wrapped to [−π, π) [rad]."""
    error = heading - psi
    return error - 2.0 * pi * floor((error + pi) / (2.0 * pi))


def heading_moment(error: float, integral: float, r: float) -> float:
    """Return the yaw moment [N·m] the heading PID asks for, before its limit."""
    return HEADING_KP * error + HEADING_KI * integral - HEADING_KD * r


def speed_error(u: float) -> float:
    """Return u_d − u [m/s]."""
    return DESIRED_SPEED - u


def speed_force(error: float, integral: float) -> float:
    """Return the surge force [N] the speed PI asks for, before its limit."""
    return SPEED_KP * error + SPEED_KI * integral
