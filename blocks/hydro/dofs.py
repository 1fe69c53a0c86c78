"""The six degrees of freedom, and what becomes of their numbers when axes are turned or their origin is moved."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

DOFS = ("Surge", "Sway", "Heave", "Roll", "Pitch", "Yaw")
DRIFT_DOFS = ("Surge", "Sway", "Yaw")
"""What drifts."""
LATERAL = (1, 3, 5)
"""Sway, roll, yaw: what reverses in the mirror image of a hull."""

FROM_UP = np.array([1.0, -1.0, -1.0, 1.0, -1.0, -1.0])
"""Signs from forward, port, up, as panel programs have it, to forward, starboard, down: half a turn about x."""
FROM_AFT = np.array([-1.0, 1.0, -1.0, -1.0, 1.0, -1.0])
"""Signs from aft, starboard, up, as ShipX has it: half a turn about y."""


def signed_matrix(matrix: ArrayLike, signs: Array) -> Array:
    """S M S, of matrices over the last two axes."""
    return np.asarray(matrix, dtype=np.float64) * signs[:, None] * signs


def signed_load(load: ArrayLike, signs: Array) -> Complex:
    """S F, of loads or motions over the last axis."""
    return np.asarray(load, dtype=np.complex128) * signs


def lever(arm: ArrayLike) -> Array:
    """H of ν_new = H ν: what moves with ν about the old origin moves so about the new one, `arm` from the old one.

    By the power of loads, matrices about the new origin are H^-T M H^-1 and loads about it H^-T F of the old ones.
    Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., app. C.
    """
    x, y, z = np.asarray(arm, dtype=np.float64)
    h = np.eye(6)
    h[:3, 3:] = np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])
    return h


def moved_matrix(matrix: ArrayLike, arm: ArrayLike) -> Array:
    """Matrices about an origin that lies `arm` from the present one, in the same axes."""
    back = lever(-np.asarray(arm, dtype=np.float64))
    moved: Array = np.einsum("ji,...jk,kl->...il", back, np.asarray(matrix, dtype=np.float64), back)
    return moved


def moved_load(load: ArrayLike, arm: ArrayLike) -> Complex:
    """Loads about an origin that lies `arm` from the present one: moments change by the force times the arm."""
    back = lever(-np.asarray(arm, dtype=np.float64))
    moved: Complex = np.einsum("ji,...j->...i", back, np.asarray(load, dtype=np.complex128))
    return moved


def moved_motion(motion: ArrayLike, arm: ArrayLike) -> Complex:
    """Motions of an origin that lies `arm` from the present one."""
    moved: Complex = np.einsum("ij,...j->...i", lever(arm), np.asarray(motion, dtype=np.complex128))
    return moved
