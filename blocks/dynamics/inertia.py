"""Checks of matrices: that one of masses can be inverted, and that one of damping takes energy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ParameterError

MOTIONS = ("surge", "sway", "heave", "roll", "pitch", "yaw")
PLANAR_MOTIONS = ("surge", "sway", "yaw")


def check_inertia(mass: NDArray[np.float64], what: str, motions: tuple[str, ...]) -> None:
    """Raise ParameterError unless `mass` gives every motion a positive inertia.

    The symmetric part of M has to be positive definite: ½νᵀMν > 0 for every ν ≠ 0. It is scaled to ones on its
    diagonal first, so that kilograms beside kg·m² do not decide what counts as zero. `what` names M in the message.
    """
    symmetric = 0.5 * (mass + mass.T)
    diagonal = np.diag(symmetric)
    if np.any(diagonal <= 0.0):
        k = int(np.argmax(diagonal <= 0.0))
        _refuse(what, f"the inertia of {motions[k]} is {diagonal[k]:g}", bool(diagonal[k] == 0.0))
    scale = 1.0 / np.sqrt(diagonal)
    values, vectors = np.linalg.eigh(symmetric * np.outer(scale, scale))
    if values[0] <= 1e-12:
        share = np.abs(vectors[:, 0])
        coupled = [motions[k] for k in np.flatnonzero(share > 0.1 * share.max())]
        _refuse(what, f"{' and '.join(coupled)} together have no positive inertia", bool(values[0] > -1e-12))


def check_dissipation(damping: NDArray[np.float64], what: str, mend: str) -> None:
    """Raise ParameterError if vᵀDv < 0 for some v; `what` names D in the message, and `mend` says what to do."""
    least = float(np.linalg.eigvalsh(0.5 * (damping + damping.T))[0])
    if least < -1e-9 * float(np.max(np.abs(damping))):
        raise ParameterError(
            f"{what} must take energy from all that moves, but the least eigenvalue of its symmetric part is "
            f"{least:g}; {mend}"
        )


def _refuse(what: str, why: str, singular: bool) -> None:
    raise ParameterError(
        f"{what} is {'singular' if singular else 'not positive definite'}: {why}. Every motion needs a positive "
        f"inertia; give masses and moments of inertia in full, and added mass with positive signs (-X_udot, not X_udot)"
    )
