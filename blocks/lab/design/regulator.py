"""The linear-quadratic regulator of a linear system, and gains of controllers of errors that come nearest to it."""

from __future__ import annotations

import numpy as np
from scipy import linalg, optimize

from blocks.lab.design.robustness import Array

_SHIFT = 1e-6
"""1/s, by which all modes are taken to fade faster: what no input reaches may then stand still."""


def regulator(A: Array, B: Array, Q: Array, R: Array) -> Array:
    """K, m×n, with which u = -K x makes ∫ (xᵀ Q x + uᵀ R u) dt least, for dx/dt = A x + B u.

    Raises numpy.linalg.LinAlgError where no K makes stable what grows.

    Source: Anderson and Moore (1990), Optimal Control: Linear Quadratic Methods, ch. 2 and 3.
    """
    X = linalg.solve_continuous_are(A - _SHIFT * np.eye(len(A)), B, Q, R)
    return np.asarray(linalg.solve(R, B.T @ X, assume_a="pos"))


def projected(A: Array, B: Array, K: Array, seen: list[Array], excitation: Array) -> list[Array]:
    """For each input the gains g ≥ 0 of what its controller sees, y = C x, with g C nearest to the row of -K.

    seen: C of each input, k×n. excitation: n×n, the intensity of white noise that moves the system. Of all g, those
    with the least mean square of (g C + K_i) x, x as it moves under the regulator: what a motion that happens asks for
    counts, and each input is found by itself. With as many independent rows as states, g C = -K_i exactly.

    Source: Kosut (1970), Suboptimal Control of Linear Time-Invariant Systems Subject to Control Structure Constraints,
    IEEE Trans. Autom. Control 15(5) (minimum error excitation).
    """
    closed = A - B @ K - _SHIFT * np.eye(len(A))
    P = linalg.solve_continuous_lyapunov(closed, -excitation)
    sizes, ways = np.linalg.eigh(0.5 * (P + P.T))
    root = np.sqrt(np.maximum(sizes, 0.0))[:, None] * ways.T
    found = []
    for row, C in zip(K, seen, strict=True):
        columns = root @ C.T
        size = np.maximum(np.linalg.norm(columns, axis=0), 1e-300)
        gains, _ = optimize.nnls(columns / size, -root @ row)
        found.append(np.asarray(gains / size))
    return found
