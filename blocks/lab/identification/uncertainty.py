"""How well what was fitted is known: covariance, correlation, and what makes intervals wider or endless."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.lab.identification.colour import Colour, colour_of, information
from blocks.lab.identification.indistinct import NOTHING
from blocks.lab.identification.least_squares import Problem
from blocks.lab.identification.log import Array

_AT = 1e-6
"""How near to a bound, in scales, is at it,"""
_LEANING = 0.02
"""and how near, in standard deviations of a parameter by itself, where the data pull beyond."""
_SILENT = 1e-9


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """Of all unknowns, in their order.

    covariance: in their units, of those that are not at a bound. deviations: their square roots, infinite for what the
    data do not determine, and at a bound. at_bound: -1 at the lower, 1 at the upper one, else 0. silent: without any
    effect on the outputs. widened: by how much, for residuals that are not white. colours: of such outputs, by number.
    spread: of weighted residuals, 1 if the noise is as it was taken.
    """

    covariance: Array
    deviations: Array
    at_bound: NDArray[np.intp]
    silent: NDArray[np.bool_]
    widened: Array
    colours: Mapping[int, Colour]
    freedom: int
    spread: float


def uncertainty_of(problem: Problem, found: Any, *, estimated: bool) -> Uncertainty:
    """Of a solution; estimated: whether noise was."""
    J, w = found.jac, found.x
    lengths = np.linalg.norm(J, axis=0)
    silent = lengths <= _SILENT * max(float(lengths.max(initial=0.0)), 1e-300)
    at_bound = _at_bounds(problem, J, found.fun, w)
    free = at_bound == 0
    freedom = max(problem.rows - int(free.sum()), 1)
    size = J.shape[1]
    covariance, blind = np.zeros((size, size)), np.zeros(size, dtype=bool)
    widened, colours = np.ones(size), _colours(problem, found.fun)
    spread = float(np.sum(found.fun[: problem.rows] ** 2) / freedom) if estimated else 1.0
    if np.any(free):
        scaled = J[:, free] / np.where(silent, 1.0, lengths)[free]
        _, s, vt = np.linalg.svd(scaled, full_matrices=False)
        sound = s > NOTHING * max(float(s[0]), 1e-300)
        inverse = (vt[sound].T / s[sound] ** 2) @ vt[sound]
        blind[free] = 1.0 - np.sum(vt[sound] ** 2, axis=0) > 1e-6
        covariance[np.ix_(free, free)] = inverse * spread / np.outer(*2 * [np.where(silent, 1.0, lengths)[free]])
        if colours:
            widened[free] = _widened(problem, scaled, inverse, colours)
            covariance *= np.outer(widened, widened)
    covariance *= np.outer(problem.scales, problem.scales)
    deviations = np.sqrt(np.diag(covariance))
    deviations = np.where(blind | ~free, np.inf, deviations)
    return Uncertainty(covariance, deviations, at_bound, silent, widened, colours, freedom, spread)


def _at_bounds(problem: Problem, J: Array, residuals: Array, w: Array) -> NDArray[np.intp]:
    lengths = np.maximum(np.linalg.norm(J, axis=0), 1e-300)
    pull = -(J.T @ residuals)  # where the data would have it go
    made = np.zeros(len(w), dtype=np.intp)
    for side, bound in ((-1, problem.low), (1, problem.high)):
        apart = np.abs(w - bound)
        leaning = (apart * lengths <= _LEANING) & (side * pull > 0.0) & (np.abs(pull) > lengths)
        made[(apart <= _AT) | leaning] = side
    return made


def _parts(problem: Problem, values: Array) -> list[Array]:
    """What has a row for each residual, by replay: samples × outputs (× what it has more)."""
    sizes = np.cumsum([replay.measured.size for replay in problem.replays])
    parts = np.split(values[: problem.rows], sizes[:-1])
    return [
        part.reshape(*replay.measured.shape, *part.shape[1:])
        for part, replay in zip(parts, problem.replays, strict=True)
    ]


def _colours(problem: Problem, residuals: Array) -> dict[int, Colour]:
    parts = _parts(problem, residuals)
    found = {}
    for number in range(problem.replays[0].measured.shape[1]):
        measured = np.concatenate([replay.measured[:, number] for replay in problem.replays])
        size = float(np.std(measured)) / float(problem.sigma[number])
        colour = colour_of([part[:, number] for part in parts], size)
        if colour is not None:
            found[number] = colour
    return found


def _widened(problem: Problem, scaled: Array, inverse: Array, colours: Mapping[int, Colour]) -> Array:
    """The standard deviations with residuals as they are, over those with white ones; intervals never get narrower."""
    middle = scaled[problem.rows :].T @ scaled[problem.rows :]  # of priors
    for columns in _parts(problem, scaled):
        for number in range(columns.shape[1]):
            own, colour = columns[:, number], colours.get(number)
            if colour is None:
                middle = middle + own.T @ own
            else:
                middle = middle + information(own, colour.covariance / colour.covariance[0])
    made = inverse @ middle @ inverse
    known = np.diag(inverse) > 0.0
    ratio = np.where(known, np.diag(made) / np.where(known, np.diag(inverse), 1.0), 1.0)
    return np.asarray(np.sqrt(np.maximum(ratio, 1.0)))


def correlation_of(covariance: Array) -> Array:
    """Correlations, zero with what has no variance."""
    deviations = np.sqrt(np.diag(covariance))
    scale = np.where(deviations > 0.0, deviations, 1.0)
    return np.asarray(covariance / np.outer(scale, scale))


def without_nuisance(jacobian: Array, count: int) -> Array:
    """JᵀJ of the first unknowns, where the others are unknown."""
    mine, others = jacobian[:, :count], jacobian[:, count:]
    if others.shape[1]:
        lengths = np.linalg.norm(others, axis=0)
        basis, strengths, _ = np.linalg.svd(others / np.where(lengths > 0.0, lengths, 1.0), full_matrices=False)
        basis = basis[:, strengths > NOTHING]
        mine = mine - basis @ (basis.T @ mine)
    return np.asarray(mine.T @ mine)
