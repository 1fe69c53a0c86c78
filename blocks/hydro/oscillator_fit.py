"""Oscillators whose response is nearest to given radiation, for some degrees of freedom that act on each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from blocks.hydro.dofs import Array, Complex

_WAVY = 0.02
"""Errors beyond this share of the greatest response count linearly: irregular frequencies are not to bend the fit."""
_EVALUATIONS = 100
"""Of each try: later ones gain a hundredth or so, and the next number of oscillators gains more."""
_REGULAR = 2e-3
"""How much frequencies and damping weigh that are far from those of the data, so that none runs away."""
_NEAR = 0.05
"""How much the correction of a known A_∞ weighs: next to nothing for a few hundredths of the response."""
_WORTH = 1.1
"""What one more oscillator has to gain; two without that end the search."""
_HIGHEST, _LOWEST = 2.0, 0.3
"""Of frequencies of oscillators, as multiples of the last and the first of the data."""


@dataclass(frozen=True)
class Oscillators:
    """Ω, D and B of n oscillators, and A_∞ of m degrees of freedom, all of them scaled."""

    frequencies: Array
    damping: Array
    coupling: Array
    added_mass: Array
    error: float
    """RMS of what is left of the response of the pair of degrees of freedom that is met worst, as a share of the
    greatest of both; of large errors, as of outliers, the root counts."""


class Problem:
    """min Σ |K(iω) + iω A_∞ - Z|² over Ω, D = L Lᵀ + δ, B and A_∞.

    omega: k, rad/s; target: Z = B_rad + iω A, k×m×m, scaled to 1; narrowest: δ, 1/s, which is the width of the
    narrowest resonance; near: whether the target is without an A_∞ that is known already but for a correction; weights:
    of errors, k×m; effects: what errors do to other numbers, which are made small as well, k×r×m×m.

    The unknowns are artanh of where ln Ω is between its bounds, L, B, and A_∞.
    """

    def __init__(
        self,
        omega: Array,
        target: Complex,
        count: int,
        narrowest: float,
        near: bool,
        weights: Array,
        effects: Complex | None = None,
    ) -> None:
        self.omega, self.count, self.narrowest, self.near = omega, count, narrowest, near
        self.size = target.shape[1]
        self.rows, self.columns = np.triu_indices(self.size)
        self.lower = np.tril_indices(count)
        self.target = target[:, self.rows, self.columns]
        both = np.where(self.rows == self.columns, 1.0, np.sqrt(2.0))
        self.weights = both * np.sqrt(weights[:, self.rows] * weights[:, self.columns])
        self.effects = None if effects is None else self._of_pairs(effects)
        self.s = 1j * omega
        self.middle = float(np.sqrt(omega[0] * omega[-1]))
        low, high = np.log(_LOWEST * omega[0]), np.log(_HIGHEST * omega[-1])
        self.between, self.half = 0.5 * (low + high), 0.5 * (high - low)

    def _of_pairs(self, effects: Complex) -> Complex:
        """The effects of errors of the upper triangle, with as many rows as it has elements: Σ |row|² is the same."""
        found = effects[:, :, self.rows, self.columns] + effects[:, :, self.columns, self.rows]
        found[:, :, self.rows == self.columns] *= 0.5
        return cast(Complex, np.linalg.qr(found, mode="r"))

    def unknowns(self, frequencies: Array, triangle: Array, coupling: Array, added: Array) -> Array:
        """What stands for these, with frequencies brought within their bounds."""
        share = np.clip((np.log(frequencies) - self.between) / self.half, -0.99, 0.99)
        return np.concatenate([np.arctanh(share), triangle[self.lower], coupling.ravel(), added])

    def split(self, x: Array) -> tuple[Array, Array, Array, Array]:
        """Ω, L, B, and the elements of A_∞."""
        n, m = self.count, self.size
        triangle = np.zeros((n, n))
        ends = np.cumsum([n, len(self.lower[0]), n * m])
        triangle[self.lower] = x[ends[0] : ends[1]]
        frequencies: Array = np.exp(self.between + self.half * np.tanh(x[:n]))
        return frequencies, triangle, x[ends[1] : ends[2]].reshape(n, m), x[ends[2] :]

    def _moved(self, frequencies: Array, triangle: Array, coupling: Array) -> Complex:
        """(Ω² - ω² + iω D)⁻¹ B: k×n×m."""
        damping = triangle @ triangle.T + self.narrowest * np.eye(self.count)
        dynamic = self.s[:, None, None] * damping
        index = np.arange(self.count)
        dynamic[:, index, index] += frequencies**2 - self.omega[:, None] ** 2
        shape = (len(self.omega), self.count, self.size)
        return cast(Complex, np.linalg.solve(dynamic, np.broadcast_to(coupling + 0j, shape)))

    def misfit(self, x: Array) -> Complex:
        """K + iω A_∞ - Z, of the upper triangle: k×m(m+1)/2."""
        frequencies, triangle, coupling, added = self.split(x)
        moved = self._moved(frequencies, triangle, coupling)
        response = np.einsum("np,knp->kp", coupling[:, self.rows], moved[:, :, self.columns])
        return cast(Complex, self.s[:, None] * (response + added) - self.target)

    def residuals(self, x: Array) -> Array:
        """Real and imaginary parts, weighted so that both halves of a symmetric matrix count; and the unknowns.

        Half the sum of squares is Σ c² (√(1 + f²/c²) - 1), f²/2 for errors f below c, c f beyond.
        """
        values = self._weighed(self.misfit(x)[:, :, None])[:, 0]
        return np.concatenate([values * np.sqrt(2.0 / (1.0 + _bent(values))), self._pull() * x])

    def _weighed(self, errors: Complex) -> Array:
        """Real and imaginary parts of errors of the upper triangle with their weights, and of their effects.

        k×m(m+1)/2×x, of x sets of errors; x columns.
        """
        parts = [errors * self.weights[:, :, None]]
        if self.effects is not None:
            parts.append(self.effects @ errors)
        return np.concatenate([half.reshape(-1, errors.shape[2]) for part in parts for half in (part.real, part.imag)])

    def _pull(self) -> Array:
        """Weights of the unknowns themselves."""
        inner = len(self.lower[0])
        weights = np.zeros(self.count + inner + self.count * self.size + len(self.rows))
        weights[: self.count] = _REGULAR
        weights[self.count : self.count + inner] = _REGULAR / np.sqrt(self.middle)
        if self.near:
            weights[-len(self.rows) :] = _NEAR * self.middle
        return weights

    def jacobian(self, x: Array) -> Array:
        """Of the residuals."""
        frequencies, triangle, coupling, _ = self.split(x)
        moved = self._moved(frequencies, triangle, coupling)
        steep = 2.0 * frequencies**2 * self.half * (1.0 - np.tanh(x[: self.count]) ** 2)
        turned = np.einsum("nl,knm->klm", triangle, moved)
        s = self.s[:, None, None]
        a, b = self.lower
        mi, mj, ti, tj = (part[:, :, index] for part in (moved, turned) for index in (self.rows, self.columns))
        by_frequency = -s * mi * mj * steep[:, None]
        by_triangle = -(s**2) * (mi[:, a] * tj[:, b] + ti[:, b] * mj[:, a])
        by_coupling = np.zeros((len(self.omega), self.count, self.size, len(self.rows)), dtype=complex)
        for pair, (i, j) in enumerate(zip(self.rows, self.columns, strict=True)):
            by_coupling[:, :, i, pair] += self.s[:, None] * moved[:, :, j]
            by_coupling[:, :, j, pair] += self.s[:, None] * moved[:, :, i]
        parts = [by_frequency, by_triangle, by_coupling.reshape(len(self.omega), -1, len(self.rows))]
        parts.append(np.broadcast_to(s * np.eye(len(self.rows)), (len(self.omega), *[len(self.rows)] * 2)))
        whole = np.concatenate(parts, axis=1).transpose(0, 2, 1)
        bent = _bent(self._weighed(self.misfit(x)[:, :, None])[:, 0])
        slopes = np.sqrt(0.5 * (1.0 + bent)) / bent
        return np.concatenate([self._weighed(whole) * slopes[:, None], np.diag(self._pull())])

    def solve(self, start: Array) -> tuple[Array, float]:
        """The best from there on, and its cost.

        By MINPACK, whose QR decomposition has no threads: LAPACK's take ten times as long for matrices of this size
        when they wait for each other, and what they give depends on their number.
        """
        found = least_squares(
            self.residuals,
            start,
            self.jacobian,
            method="lm",
            x_scale="jac",
            ftol=1e-4,
            xtol=1e-6,
            gtol=1e-10,
            max_nfev=_EVALUATIONS,
        )
        return found.x, float(found.cost)

    def oscillators(self, x: Array) -> Oscillators:
        """What the unknowns stand for."""
        frequencies, triangle, coupling, added = self.split(x)
        order = np.argsort(frequencies)
        damping = triangle @ triangle.T + self.narrowest * np.eye(self.count)
        mass = np.zeros((self.size, self.size))
        mass[self.rows, self.columns] = mass[self.columns, self.rows] = added
        missed = np.abs(self.misfit(x)) / _WAVY
        error = _WAVY * float(np.sqrt(np.mean(2.0 * (np.sqrt(1.0 + missed**2) - 1.0), axis=0)).max())
        return Oscillators(frequencies[order], damping[np.ix_(order, order)], coupling[order], mass, error)


def _bent(values: Array) -> Array:
    """√(1 + f²/c²): 1 for small errors, f/c for large ones."""
    bent: Array = np.sqrt(1.0 + (values / _WAVY) ** 2)
    return bent


def fit_oscillators(
    omega: Array,
    target: Complex,
    near: bool,
    weights: Array,
    effects: Complex | None,
    orders: range,
    tolerance: float,
    progress: Callable[[int], None] = lambda tried: None,
) -> Oscillators:
    """As few oscillators as come within the tolerance, among these numbers of them; else the best of all.

    A number that is tried begins at what the one before has found, with one more oscillator, and anew. progress: is
    called with how many numbers have been tried, and at the end with all of them.
    """
    narrowest = 0.5 * float(np.median(np.diff(omega)))
    best: Oscillators | None = None
    last: Array | None = None
    without = 0
    for tried, count in enumerate(orders):
        progress(tried)
        problem = Problem(omega, target, count, narrowest, near, weights, effects)
        solved = [problem.solve(start) for start in _starts(problem, last)]
        last = min(solved, key=lambda pair: pair[1])[0]
        found = problem.oscillators(last)
        gained = np.inf if best is None else best.error / found.error
        if best is None or gained > _WORTH:
            best = found
        without = 0 if gained > _WORTH else without + 1
        if best.error <= tolerance or without == 2:
            break
    assert best is not None
    progress(len(orders))
    return best


def _starts(problem: Problem, last: Array | None) -> Iterator[Array]:
    """Where to begin: what was found with one less, and oscillators spread over the energy of the radiation."""
    rng = np.random.default_rng(problem.count)
    omega, n, m = problem.omega, problem.count, problem.size
    diagonal = problem.rows == problem.columns
    energy = np.maximum(problem.target[:, diagonal].real, 0.0).sum(axis=1)
    gathered = np.concatenate([[0.0], np.cumsum(0.5 * (energy[1:] + energy[:-1]) * np.diff(omega))]) + 1e-12 * omega
    frequencies = np.interp((np.arange(n) + 0.5) / n * gathered[-1], gathered, omega)
    triangle = np.diag(np.sqrt(0.8 * frequencies)) + 0.1 * np.tril(rng.normal(size=(n, n)), -1)
    added = np.median(problem.target.imag / omega[:, None], axis=0) * (not problem.near)
    coupling = 0.3 * rng.normal(size=(n, m))
    coupling[np.arange(n), np.arange(n) % m] += 1.0
    coupling *= np.sqrt(0.35 * frequencies)[:, None]
    yield problem.unknowns(frequencies, triangle, coupling, added)
    if last is None:
        return
    before = Problem(
        omega, np.zeros((len(omega), m, m), dtype=complex), n - 1, 0.0, problem.near, np.ones((len(omega), m))
    )
    old, old_triangle, old_coupling, old_added = before.split(last)
    new = frequencies[n // 2]
    larger: NDArray[np.float64] = np.zeros((n, n))
    larger[:-1, :-1] = old_triangle
    larger[-1] = 0.05 * rng.normal(size=n)
    larger[-1, -1] = np.sqrt(0.8 * new)
    more = np.concatenate([old_coupling, 0.1 * np.sqrt(new) * rng.normal(size=(1, m))])
    yield problem.unknowns(np.r_[old, new], larger, more, old_added)
