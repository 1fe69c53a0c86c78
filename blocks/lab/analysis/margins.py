"""Margins of a loop: how far it is from instability."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from blocks.lab.analysis.errors import AnalysisError
from blocks.lab.analysis.linear_system import Array, LinearSystem
from blocks.lab.measures import measure

POINTS = 2000


@dataclass(frozen=True)
class Margins:
    """Margins of a loop L.

    gain: by what factor the gain may change, 1, at the phase crossover, rad/s; below 1 if the loop would be unstable
    with less gain. phase: by how much the phase may lag, rad, at the gain crossover, rad/s. delay: that as a time, s.
    modulus: the least distance of L from -1, the inverse of the peak of the sensitivity. None where the loop has no
    such crossover.

    Source: Åström and Murray (2008), Feedback Systems, sec. 9.3.
    """

    gain: float | None = measure("gain margin", as_it_is=True)
    gain_at: float | None = measure("phase crossover", "rad/s", as_it_is=True)
    phase: float | None = measure("phase margin", "rad")
    phase_at: float | None = measure("gain crossover", "rad/s", as_it_is=True)
    delay: float | None = measure("delay margin", "s")
    modulus: float = measure("modulus margin", as_it_is=True)


def margins(system: LinearSystem, *, negative: bool | None = None, omega: Array | None = None) -> Margins:
    """Margins of a system with one input and one output as the loop.

    negative: L is the negative of the system, since a system that was linearized with `opened=…` has the minus sign of
        the feedback in it; by default so if it has. omega: frequencies to look at, rad/s; by default those about its
        eigenvalues.

    Raises AnalysisError for a system with more inputs or outputs.
    """
    import control

    at, response = loop_response(system, negative=negative, omega=omega)
    data = control.FRD(response, at, smooth=True)
    gain, phase, modulus, gain_at, phase_at, _ = control.stability_margins(data)
    delay = None
    if _finite(phase) and _finite(phase_at) and phase_at > 0.0:
        delay = float(math.radians(phase % 360.0) / phase_at)
    return Margins(
        gain=float(gain) if _finite(gain) else None,
        gain_at=float(gain_at) if _finite(gain_at) and _finite(gain) else None,
        phase=math.radians(phase) if _finite(phase) else None,
        phase_at=float(phase_at) if _finite(phase_at) and _finite(phase) else None,
        delay=delay,
        modulus=float(np.abs(1.0 + response).min()) if not _finite(modulus) else float(modulus),
    )


def loop_response(
    system: LinearSystem, *, negative: bool | None = None, omega: Array | None = None
) -> tuple[Array, np.ndarray]:
    """Frequencies, and L there. Raises AnalysisError for a system with more than one input or output."""
    if system.D.shape != (1, 1):
        raise AnalysisError(
            f"margins are defined for one loop, but the system has {len(system.inputs)} inputs and "
            f"{len(system.outputs)} outputs: choose with "
            f"system.select('{(system.inputs or ('…',))[0]}', '{(system.outputs or ('…',))[0]}')"
        )
    at = frequencies(system) if omega is None else np.asarray(omega, dtype=np.float64)
    sign = -1.0 if (bool(system.opened) if negative is None else negative) else 1.0
    return at, sign * system.frequency_response(at)[:, 0, 0]


def frequencies(system: LinearSystem, count: int = POINTS) -> Array:
    """Frequencies at which something happens, rad/s, from a tenth of the slowest eigenvalue to ten times the fastest.

    Eigenvalues that are 0 do not count.
    """
    sizes = np.abs(system.eigenvalues)
    sizes = sizes[sizes > 1e-6 * max(float(sizes.max(initial=0.0)), 1e-300)]
    low, high = (float(sizes.min()), float(sizes.max())) if sizes.size else (0.1, 10.0)
    return np.geomspace(0.1 * low, 10.0 * high, count)


def _finite(value: float | None) -> bool:
    return value is not None and bool(np.isfinite(value))
