"""Retardation functions from radiation damping, and the added mass of infinite frequency from both."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from blocks.hydro.dofs import Array
from blocks.hydro.errors import HydroError

_BEYOND = 40.0
"""How far a tail goes on, as a multiple of the last frequency."""
_STEEPEST, _FLATTEST = 8.0, 2.0


def retardation_functions(omega: ArrayLike, radiation_damping: ArrayLike, times: ArrayLike) -> Array:
    """K(t) = (2/π) ∫ B(ω) cos ωt dω, kg/s² and so on, of radiation damping B(ω) at finite frequencies: times×6×6.

    omega: n increasing frequencies, rad/s; radiation_damping: B, n×6×6, kg/s; times: t ≥ 0, s. Between the frequencies
    B is straight, and the integral is exact; B(0) is 0; beyond the last one B falls with a power of ω between 2, as all
    radiation does at least, and 8, that of the last quarter of its diagonal.

    Raises HydroError if the frequencies do not increase or are too few.

    Source: Cummins (1962), The impulse response function and ship motions; Ogilvie (1964), Recent progress toward the
    understanding and prediction of ship motions; the tail: Greenhow (1986), High- and low-frequency asymptotic
    consequences of the Kramers-Kronig relations, J. of Engineering Mathematics 20.
    """
    w, b = _with_ends(omega, radiation_damping)
    return 2.0 / np.pi * _cosine_transform(w, b, np.asarray(times, dtype=np.float64))


def infinite_added_mass(omega: ArrayLike, added_mass: ArrayLike, radiation_damping: ArrayLike) -> tuple[Array, Array]:
    """A_∞ = A(ω) + (1/ω) ∫ K(t) sin ωt dt by Ogilvie's relation, kg and so on: its median over the frequencies, 6×6.

    The second result, 6×6, is half of the range of the middle half of the frequencies: how well they agree, and so how
    well A and B fit each other. A_∞ follows from each frequency; those near the ends, where the integral wants most of
    what was not measured, count less.

    Raises HydroError as `retardation_functions` does.

    Source: Ogilvie (1964), Recent progress toward the understanding and prediction of ship motions.
    """
    w, b = _with_ends(omega, radiation_damping)
    given = np.asarray(omega, dtype=np.float64)
    found = np.asarray(added_mass, dtype=np.float64) - _principal_values(w, b, given)
    low, middle, high = np.quantile(found, [0.25, 0.5, 0.75], axis=0)
    return middle, 0.5 * (high - low)


def _with_ends(omega: ArrayLike, radiation_damping: ArrayLike) -> tuple[Array, Array]:
    """Frequencies from 0 to far beyond the last one, with the damping there."""
    w = np.atleast_1d(np.asarray(omega, dtype=np.float64))
    b = np.asarray(radiation_damping, dtype=np.float64)
    if len(w) < 8 or b.shape != (len(w), 6, 6):
        raise HydroError(
            f"retardation functions need radiation damping at 8 frequencies or more, as n×6×6, not "
            f"{'×'.join(map(str, b.shape))} at {len(w)}"
        )
    if not (np.all(np.isfinite(w)) and w[0] > 0.0 and np.all(np.diff(w) > 0.0)):
        raise HydroError("retardation functions need increasing frequencies above 0 rad/s, without inf among them")
    beyond = w[-1] * np.exp(np.linspace(0.0, np.log(_BEYOND), 200))[1:]
    last = b[-(len(w) // 4) :]
    diagonal = np.abs(np.einsum("kii->ki", last)) + 1e-300
    slope = np.log(diagonal[0] / diagonal[-1]) / np.log(w[-1] / w[-len(last)])
    power = np.clip(slope, _FLATTEST, _STEEPEST)
    powers = 0.5 * (power[:, None] + power)
    tail = b[-1] * (w[-1] / beyond)[:, None, None] ** powers
    return np.r_[0.0, w, beyond], np.concatenate([np.zeros((1, 6, 6)), b, tail])


def _cosine_transform(w: Array, b: Array, times: Array) -> Array:
    """∫ b cos wt dw of what is straight between the nodes: by parts, ∫ = [b sin wt]/t + Σ slope [cos wt]/t²."""
    t = np.atleast_1d(times)
    slopes = np.diff(b, axis=0) / np.diff(w)[:, None, None]
    safe = np.where(t > 0.0, t, 1.0)
    waves = np.diff(np.cos(np.outer(safe, w)), axis=1)
    total: Array = np.einsum("tk,kij->tij", waves, slopes) / safe[:, None, None] ** 2
    total += np.sin(safe * w[-1])[:, None, None] * b[-1] / safe[:, None, None]
    total[t <= 0.0] = np.trapezoid(b, w, axis=0)
    return total


def _principal_values(w: Array, b: Array, at: Array) -> Array:
    """(2/π) P∫ b(ν)/(ν² - ω²) dν = (A(ω) - A_∞) at each ω, for what is straight between the nodes.

    With b = c + s ν: ∫ c/(ν² - ω²) = (c/2ω) ln|(ν - ω)/(ν + ω)|, ∫ s ν/(ν² - ω²) = (s/2) ln|ν² - ω²|. At the node
    ν = ω the terms of both sides cancel to what the slopes leave, which ln(0) · 0 = 0 gives.
    """
    slopes = np.diff(b, axis=0) / np.diff(w)[:, None, None]
    starts = b[:-1] - slopes * w[:-1, None, None]
    result = np.empty((len(at), 6, 6))
    for k, omega in enumerate(at):
        near = np.abs(w - omega) < 1e-9 * omega
        minus = np.log(np.where(near, 1.0, np.abs(w - omega)))
        plus = np.log(w + omega)
        first = np.diff(minus - plus) / (2.0 * omega)
        second = 0.5 * np.diff(minus + plus)
        result[k] = np.einsum("n,nij->ij", first, starts) + np.einsum("n,nij->ij", second, slopes)
    return 2.0 / np.pi * result
