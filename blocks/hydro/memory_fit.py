"""The fit of a memory to added mass and radiation damping, and what is to be said of it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from blocks.hydro.dofs import DOFS, LATERAL, Array, Complex
from blocks.hydro.errors import HydroError, HydroWarning
from blocks.hydro.memory import Memory
from blocks.hydro.oscillator_fit import Oscillators, fit_oscillators

Matrices = TypeVar("Matrices", Array, Complex)

_ALONE = 3e-3
"""Degrees of freedom whose coupling is below this share of their own radiation do not act on each other."""
_SIDES_ALIKE = 0.03
"""If all that surge, heave and pitch have to do with sway, roll and yaw is below this share, both sides of the hull are
meant to be alike, and what there is comes from the mesh."""
_MOST = 8
"""How many oscillators there are for a group at most, beyond the number of its degrees of freedom."""
_FEWEST = 8
_POOR = 0.97
"""R² of a degree of freedom by itself below which one is warned."""


@dataclass(frozen=True)
class PairFit:
    """How well a pair of degrees of freedom is met."""

    influenced: str
    radiating: str
    r_squared: float
    """1 - Σ|K - Z|²/Σ|Z - mean|², of the complex response Z = B_rad + iω (A - A_∞)."""
    worst: float
    """Greatest |K - Z| as a share of the greatest |Z| of both degrees of freedom, and ..."""
    worst_at: float
    """... the frequency of that, rad/s."""


@dataclass(frozen=True)
class MemoryFit:
    """A memory, the data that it was fitted to, and how near it is."""

    memory: Memory
    omega: Array
    """rad/s, n: those of the fit, finite and above 0."""
    added_mass: Array
    """A(ω), n×6×6, symmetric."""
    radiation_damping: Array
    """B_rad(ω), n×6×6, symmetric."""
    pairs: tuple[PairFit, ...]
    """Of the pairs that act on each other, with the radiating degree of freedom not after the influenced one."""
    groups: tuple[tuple[str, ...], ...]
    """Degrees of freedom that share oscillators, and ..."""
    errors: tuple[float, ...]
    """... RMS of the error of the pair among them that is met worst, as a share of the greatest response, and ..."""
    tolerance: float | None
    """... what was asked for; None if it was a number of oscillators."""
    infinite_added_mass: Array | None
    """A_∞ of the data, 6×6, if they have it; that of the memory is near it."""
    asymmetry: float
    """Greatest |Z_ij - Z_ji| of the data as a share of the greatest |Z| of both: 0 at no speed, but for the mesh."""
    least_damping: float
    """Least eigenvalue of the data's B_rad, each degree scaled to 1: negative where the data make energy."""

    @property
    def passivity(self) -> float:
        """Least eigenvalue of Re K(iω), each degree scaled to 1, at 400 frequencies up to 4 times those of the data.

        It is not negative but for rounding, since the oscillators have no other choice.
        """
        omega = np.linspace(0.0, 4.0 * self.omega[-1], 400)[1:]
        scale = _scales(self.radiation_damping)
        return float(np.linalg.eigvalsh(self.memory.radiation_damping(omega) / np.outer(scale, scale)).min())

    def text(self) -> str:
        """The report: oscillators, states, passivity, and each pair."""
        groups = ["-".join(group) for group in self.groups]
        reached = [f"{group} {100.0 * error:.2f} %" for group, error in zip(groups, self.errors, strict=True)]
        asked = "" if self.tolerance is None else f"; {100.0 * self.tolerance:g} % was asked for"
        lines = [
            f"memory: {len(self.memory.frequencies)} oscillators, {self.memory.states} states; {', '.join(groups)}",
            f"error, RMS: {', '.join(reached)}{asked}",
            f"slowest pole {max(self.memory.poles().real):.3g} 1/s, least damping {self.passivity:+.1e} (the data: "
            f"{self.least_damping:+.1e}, asymmetry {100.0 * self.asymmetry:.1f} %)",
            "pair            R²       worst",
        ]
        if self.infinite_added_mass is not None:
            lines.insert(3, f"added mass at infinite frequency, beside the data's: {', '.join(self._moved())}")
        for pair in self.pairs:
            name = pair.influenced if pair.influenced == pair.radiating else f"{pair.influenced}-{pair.radiating}"
            lines.append(f"{name:<14} {pair.r_squared:.5f}  {100.0 * pair.worst:4.1f} % at {pair.worst_at:.2f} rad/s")
        return "\n".join(lines)

    def _moved(self) -> Iterator[str]:
        """How much of A_∞ each degree of freedom has more than the data."""
        assert self.infinite_added_mass is not None
        for dof in (dof for group in self.groups for dof in group):
            k = DOFS.index(dof)
            wanted, found = self.infinite_added_mass[k, k], self.memory.infinite_added_mass[k, k]
            yield f"{dof} {100.0 * (found / wanted - 1.0):+.1f} %" if wanted > 0.0 else f"{dof} {found:.3g}"


def fit_memory(
    omega: ArrayLike,
    added_mass: ArrayLike,
    radiation_damping: ArrayLike,
    infinite_added_mass: ArrayLike | None = None,
    *,
    tolerance: float = 0.004,
    oscillators: int | None = None,
    weights: ArrayLike | None = None,
    effects: ArrayLike | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> MemoryFit:
    """The memory of the water of a hull, from its added mass and radiation damping in waves.

    omega: n increasing frequencies, rad/s; added_mass, radiation_damping: A and B_rad, n×6×6, kg and kg/s and so
    on, of surge, sway, heave, roll, pitch, yaw; infinite_added_mass: A_∞, 6×6, to begin with; it is fitted too, as
    that of panels is some per cent off what A and B at the frequencies of waves make of it. tolerance: RMS of the
    error of each pair of degrees of freedom, as a share of the greatest response of both, that is good enough: the
    fewest oscillators that reach it are taken. oscillators: how many there are in each group of degrees of freedom,
    instead. weights: n×6, how much errors in each degree of freedom weigh at each frequency; 1 without it. effects:
    n×r×6×6, of e in Σ e_ij (K - Z)_ij, what errors do to r other numbers at each frequency, such as motions in
    waves, which are made small too. progress: is called with how many of all tries have been made, and with their
    number, which a good fit does not use up.

    Degrees of freedom that act on each other share oscillators: surge, heave and pitch, sway, roll and yaw for hulls
    whose sides are alike. The fit is least squares of the complex response, in which errors beyond 2 %, as at irregular
    frequencies, count linearly. No resonance is narrower than half of the spacing of the data. Data that are not
    symmetric are made so: their mean with their transpose.

    Warns of degrees of freedom that are met with R² below 0.97. Raises HydroError if there are fewer than 8
    frequencies, they do not increase, sizes differ, a number is none, or nothing radiates.

    Source: of this library. That K is positive real, 0 at ω = 0 and of relative degree 1: Perez and Fossen (2009), A
    Matlab toolbox for parametric identification of radiation-force models of ships and offshore structures, Modeling,
    Identification and Control 30.
    """
    w, a, b = _checked(omega, added_mass, radiation_damping)
    given = None if infinite_added_mass is None else np.asarray(infinite_added_mass, dtype=np.float64)
    if given is not None and (given.shape != (6, 6) or not np.all(np.isfinite(given))):
        raise HydroError("infinite_added_mass must be 6×6, of finite numbers")
    known = _symmetric(given) if given is not None else np.zeros((6, 6))
    response: Complex = np.asarray(b + 1j * w[:, None, None] * (a - known), dtype=np.complex128)
    scale = _scales(b)
    scaled: Complex = np.divide(response, np.outer(scale, scale), dtype=np.complex128)
    symmetric = _symmetric(scaled)
    groups = _groups(_symmetric(b / np.outer(scale, scale)))
    importance = np.ones((len(w), 6)) if weights is None else np.asarray(weights, dtype=np.float64)
    if importance.shape != (len(w), 6) or not np.all(np.isfinite(importance) & (importance >= 0.0)):
        raise HydroError(f"weights must be {len(w)}×6, a number of 0 or more for each frequency and degree of freedom")
    if effects is not None:
        effects = np.asarray(effects, dtype=np.complex128)
        size = effects.shape
        if len(size) != 4 or size[:1] + size[2:] != (len(w), 6, 6) or not np.all(np.isfinite(effects)):
            raise HydroError(f"effects must be {len(w)}×r×6×6, of finite numbers, not {'×'.join(map(str, size))}")
        effects = effects * np.outer(scale, scale)
    tries = _MOST if oscillators is None else 1
    found = []
    for turn, group in enumerate(groups):

        def tell(tried: int, before: int = turn * tries) -> None:
            if progress is not None:
                progress(before + tried, len(groups) * tries)

        fewest = len(group) + 1 if oscillators is None else oscillators
        ix = np.ix_(range(len(w)), group, group)
        orders = range(fewest, fewest + tries)
        own = None if effects is None else effects[:, :, group][:, :, :, group]
        found.append(
            fit_oscillators(w, symmetric[ix], given is not None, importance[:, group], own, orders, tolerance, tell)
        )
    memory = _together(groups, found, scale, known)
    left = memory.response(w) / np.outer(scale, scale) + 1j * w[:, None, None] * (
        (memory.infinite_added_mass - known) / np.outer(scale, scale)
    )
    pairs = tuple(_pairs(groups, w, symmetric, left, memory, known, scale))
    for pair in pairs:
        if pair.influenced == pair.radiating and pair.r_squared < _POOR:
            warnings.warn(
                f"the memory meets the radiation of {pair.radiating} with R² = {pair.r_squared:.3f} only, and is "
                f"{100.0 * pair.worst:.0f} % of the greatest response off at {pair.worst_at:.3g} rad/s: look at it by "
                f"memory_figure; irregular frequencies and a coarse mesh do that",
                HydroWarning,
                stacklevel=2,
            )
    return MemoryFit(
        memory=memory,
        omega=w,
        added_mass=_symmetric(a),
        radiation_damping=_symmetric(b),
        pairs=pairs,
        groups=tuple(tuple(DOFS[k] for k in group) for group in groups),
        errors=tuple(one.error for one in found),
        tolerance=tolerance if oscillators is None else None,
        infinite_added_mass=None if given is None else known,
        asymmetry=float(np.max(np.abs(scaled - scaled.transpose(0, 2, 1)))),
        least_damping=float(np.linalg.eigvalsh(_symmetric(b) / np.outer(scale, scale)).min()),
    )


def _checked(omega: ArrayLike, added_mass: ArrayLike, radiation_damping: ArrayLike) -> tuple[Array, Array, Array]:
    w = np.atleast_1d(np.asarray(omega, dtype=np.float64))
    a, b = (np.asarray(values, dtype=np.float64) for values in (added_mass, radiation_damping))
    for name, values in (("added_mass", a), ("radiation_damping", b)):
        if values.shape != (len(w), 6, 6):
            raise HydroError(f"{name} must be {len(w)}×6×6, as there are {len(w)} frequencies, not of {values.shape}")
        if not np.all(np.isfinite(values)):
            k, i, j = (int(n) for n in np.argwhere(~np.isfinite(values))[0])
            raise HydroError(f"{name} at {w[k]:g} rad/s is no number in {DOFS[i]}-{DOFS[j]}")
    if len(w) < _FEWEST:
        raise HydroError(f"a memory needs added mass and damping at {_FEWEST} frequencies or more, not {len(w)}")
    if not (np.all(np.isfinite(w)) and w[0] > 0.0 and np.all(np.diff(w) > 0.0)):
        raise HydroError("the frequencies must increase, and be finite and above 0: leave 0 and inf out")
    if not np.any(np.einsum("kii->k", b) > 0.0):
        raise HydroError("radiation_damping has nothing above 0 on its diagonal: there are no waves to remember")
    return w, a, b


def _symmetric(matrices: Matrices) -> Matrices:
    half: Matrices = 0.5 * (matrices + np.swapaxes(matrices, -1, -2))
    return half


def _scales(damping: Array) -> Array:
    """The root of the greatest damping of each degree of freedom; of those that make no waves, of its kind."""
    most = np.maximum(np.einsum("kii->ki", damping).max(axis=0), 0.0)
    for kind in (slice(0, 3), slice(3, 6)):
        most[kind] = np.maximum(most[kind], 1e-6 * most[kind].max())
    most[most <= 0.0] = most.max()
    scale: Array = np.sqrt(most)
    return scale


def _groups(scaled: Array) -> list[list[int]]:
    """Degrees of freedom that radiate, together with those that they act on."""
    greatest = np.abs(scaled).max(axis=0)
    radiates = np.diag(greatest) > 0.5
    acts = (greatest > _ALONE) & np.outer(radiates, radiates)
    sides = np.isin(np.arange(6), LATERAL)
    across = sides[:, None] != sides
    if np.max(greatest[across & np.outer(radiates, radiates)], initial=0.0) < _SIDES_ALIKE:
        acts &= ~across
    groups: list[list[int]] = []
    left = {int(k) for k in np.flatnonzero(radiates)}
    while left:
        group, new = set(), {min(left)}
        while new:
            group |= new
            new = {int(j) for i in new for j in np.flatnonzero(acts[i])} - group
        groups.append(sorted(group))
        left -= group
    return groups


def _together(groups: list[list[int]], found: list[Oscillators], scale: Array, known: Array) -> Memory:
    """The oscillators of all groups as one memory, without scale."""
    count = sum(len(one.frequencies) for one in found)
    damping, coupling, mass = np.zeros((count, count)), np.zeros((count, 6)), known.copy()
    frequencies = np.concatenate([one.frequencies for one in found])
    start = 0
    for group, one in zip(groups, found, strict=True):
        own = slice(start, start + len(one.frequencies))
        damping[own, own] = one.damping
        coupling[own, group] = one.coupling * scale[group]
        mass[np.ix_(group, group)] += one.added_mass * np.outer(scale[group], scale[group])
        start += len(one.frequencies)
    return Memory(frequencies, damping, coupling, mass)


def _pairs(
    groups: list[list[int]], w: Array, wanted: Complex, got: Complex, memory: Memory, known: Array, scale: Array
) -> Iterator[PairFit]:
    """What is said of each pair. R² is that of the waves alone: without iω A_∞."""
    steady = 1j * w[:, None, None] * (memory.infinite_added_mass - known) / np.outer(scale, scale)
    waves, missed = wanted - steady, np.abs(got - wanted)
    greatest = np.sqrt(np.einsum("kii->ki", np.abs(waves)).max(axis=0))
    for group in groups:
        for j in group:
            for i in (k for k in group if k >= j):
                share = missed[:, i, j] / (greatest[i] * greatest[j])
                if np.abs(waves[:, i, j]).max() <= _ALONE * greatest[i] * greatest[j]:
                    continue
                spread = np.sum(np.abs(waves[:, i, j] - waves[:, i, j].mean()) ** 2)
                worst = int(np.argmax(share))
                yield PairFit(
                    DOFS[i],
                    DOFS[j],
                    float(1.0 - np.sum(missed[:, i, j] ** 2) / spread),
                    float(share[worst]),
                    float(w[worst]),
                )
