"""How much loops can bear: margins from frequency responses, one loop at a time and all together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
Response = Callable[[Array], Complex]
"""L at frequencies, rad/s."""

_ROUNDS = 30


@dataclass(frozen=True)
class LoopMargins:
    """What a loop L bears before it is unstable, if it is stable.

    gain: the least factor above 1; gain_down: the greatest below 1, as a hull that is unstable alone needs its
    controller; phase: the least lag or lead, rad; crossover: the greatest frequency with |L| = 1, rad/s; phase_at:
    where the phase margin is; delay: s; disk: α, with S - T as the measure: gain and phase may change at once by any
    factor in the disk. None where there is no crossing.

    Source: Åström and Murray (2008), Feedback Systems, sec. 9.3; Seiler, Packard and Gahinet (2020), An Introduction
    to Disk Margins, IEEE Control Systems Magazine 40(5) (disk margin).
    """

    gain: float | None
    gain_down: float | None
    phase: float | None
    phase_at: float | None
    crossover: float | None
    delay: float | None
    disk: float


def loop_margins(omega: Array, response: Response) -> LoopMargins:
    """Margins of L, whose response is looked at on a grid of frequencies and, at crossings, exactly."""
    grid = response(omega)
    size, beside = np.log(np.maximum(np.abs(grid), 1e-300)), np.maximum(np.abs(grid), 1e-300)
    crossings = _zeros(omega, size, lambda at: np.log(np.maximum(np.abs(response(at)), 1e-300)))
    real_axis = _zeros(omega, grid.imag / beside, lambda at: response(at).imag)
    phase = phase_at = delay = None
    if crossings.size:
        angles = np.angle(-response(crossings))
        least = int(np.argmin(np.abs(angles)))
        phase, phase_at = float(abs(angles[least])), float(crossings[least])
        delay = float(np.min(np.mod(angles, 2.0 * np.pi) / crossings))
    up = down = None
    if real_axis.size:
        values = response(real_axis).real
        factors = -1.0 / values[values < -1e-9]
        up = float(factors[factors > 1.0].min()) if np.any(factors > 1.0) else None
        down = float(factors[factors < 1.0].max()) if np.any(factors < 1.0) else None
    disk = disk_margin(np.asarray(grid)[:, None, None])
    top = float(crossings.max()) if crossings.size else None
    return LoopMargins(up, down, phase, phase_at, top, delay, disk)


def disk_margin(loops: Complex) -> float:
    """α of loops L, n×k×k at frequencies, that may all change at once, each by a gain and a phase of its own.

    α = 1/max μ((S - T)/2), S = (I + L)⁻¹, T = I - S, μ for diagonal complex changes, by its upper bound
    min over D of the largest singular value of D (S - T)/2 D⁻¹, which is exact for up to three loops.

    Each gain may change by between 1/γ and γ = (1 + α/2)/(1 - α/2), or each phase by 2 atan(α/2), before the loops
    can be unstable.

    Source: Seiler, Packard and Gahinet (2020), An Introduction to Disk Margins, IEEE Control Systems Magazine 40(5);
    Osborne (1960), On Pre-Conditioning of Matrices, J. ACM 7(4) (the first D).
    """
    count = loops.shape[-1]
    if not loops.size:
        return 2.0
    identity = np.eye(count)
    loops = loops[np.all(np.isfinite(loops), axis=(1, 2))]
    try:
        with np.errstate(all="ignore"):
            matrices = np.linalg.inv(identity + loops) - 0.5 * identity
    except np.linalg.LinAlgError:  # a loop goes through -1
        return 0.0
    if not len(matrices) or not np.isfinite(matrices).all():
        return 0.0
    scaled = _balanced(matrices)
    sizes = np.linalg.norm(scaled, 2, axis=(1, 2))
    if count == 1:
        return float(1.0 / sizes.max())
    bounds = []
    for i in np.argsort(-sizes)[:3]:
        found = scipy.optimize.minimize(
            lambda d, i=i: np.linalg.norm(scaled[i] * np.exp(np.r_[0.0, d])[:, None] / np.exp(np.r_[0.0, d]), 2),
            np.zeros(count - 1), method="Nelder-Mead", options={"maxiter": 200, "xatol": 1e-3, "fatol": 1e-6},
        )  # fmt: skip
        bounds.append(float(found.fun))
    rest = np.sort(sizes)[::-1][3:4]
    return float(1.0 / max([*bounds, *rest]))


def gain_of(disk: float) -> float:
    """γ: by what factor gains may change within a disk margin."""
    return float("inf") if disk >= 2.0 else (1.0 + 0.5 * disk) / (1.0 - 0.5 * disk)


def phase_of(disk: float) -> float:
    """By how much phases may change within a disk margin, rad."""
    return float(2.0 * np.arctan(0.5 * disk))


def _balanced(matrices: NDArray[Any]) -> Complex:
    """D M D⁻¹ with rows and columns of equal size, one after the other."""
    squares = np.abs(matrices) ** 2
    count = squares.shape[-1]
    scale = np.ones(squares.shape[:2])
    for _ in range(_ROUNDS if count > 1 else 0):
        for k in range(count):
            others = [i for i in range(count) if i != k]
            row = np.sum(squares[:, k, others] / scale[:, others] ** 2, axis=1) * scale[:, k] ** 2
            column = np.sum(squares[:, others, k] * scale[:, others] ** 2, axis=1) / scale[:, k] ** 2
            scale[:, k] *= (np.maximum(column, 1e-30) / np.maximum(row, 1e-30)) ** 0.25
    return np.asarray(matrices * scale[:, :, None] / scale[:, None, :])


def _zeros(omega: Array, values: Array, exact: Callable[[Array], Array]) -> Array:
    """Where values over frequency change their sign: between neighbours, then nearer by what is exact."""
    finite, above = np.isfinite(values), values >= 0.0
    i = np.flatnonzero((above[:-1] != above[1:]) & finite[:-1] & finite[1:])
    low, high = np.log(omega[i]), np.log(omega[i + 1])
    if not i.size:
        return low
    below = above[i]
    for _ in range(18):
        middle = 0.5 * (low + high)
        same = (exact(np.exp(middle)) >= 0.0) == below
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    found: Array = np.exp(0.5 * (low + high))
    return found
