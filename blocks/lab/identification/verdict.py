"""Warnings about a fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from blocks.lab.identification.between import Between
from blocks.lab.identification.log import Array
from blocks.lab.identification.outcome import Fit

_HIGH_CORRELATION = 0.98
_LARGE_RELATIVE_ERROR = 0.5
_WHITE = 3.0
_PERFECT_CORRELATION = 1.0 - 1e-5
_CONVERGED_STEP = 0.1
"""Of a standard deviation, by which a search that is done would not go on,"""
_CONVERGED_RELATIVE_STEP = 1e-6
"""and of the value."""


def steps_ahead(jacobian: Array, residuals: Array, fixed: NDArray[np.bool_]) -> Array:
    """The next step of Gauss and Newton, 0 for what is fixed: next to nothing where a search is done."""
    step = np.zeros(jacobian.shape[1])
    if not np.all(fixed):
        step[~fixed] = np.linalg.lstsq(jacobian[:, ~fixed], -residuals, rcond=1e-10)[0]
    return step


def warnings_of(
    names: Sequence[str],
    jacobian: Array,
    correlation: Array,
    deviations: Array,
    values: Mapping[str, float],
    ahead: Array,
    at_bounds: Sequence[str],
    fits: Sequence[Fit],
    between: Mapping[str, Between],
) -> Iterator[str]:
    """The warnings, in words."""
    lengths = np.linalg.norm(jacobian, axis=0)
    silent = lengths <= 1e-9 * max(float(lengths.max(initial=0.0)), 1e-300)
    for name, is_silent in zip(names, silent, strict=True):
        if is_silent:
            yield f"the data say nothing of {name}: outputs do not change with it"
    scaled = jacobian / np.where(silent, 1.0, lengths)
    likeness = scaled.T @ scaled
    for i in range(len(names)):
        for j in range(i):
            alike = max(abs(float(correlation[i, j])), 0.0 if silent[i] or silent[j] else abs(float(likeness[i, j])))
            if abs(float(correlation[i, j])) > _HIGH_CORRELATION or alike > 1.0 - 1e-9:
                yield (
                    f"the data can hardly tell {names[j]} and {names[i]} apart (correlation {correlation[i, j]:.3f}): "
                    f"fix one of them, give it a prior, or measure a manoeuvre in which they differ"
                )
    for name, deviation, is_silent in zip(names, deviations, silent, strict=True):
        if not is_silent and deviation > _LARGE_RELATIVE_ERROR * abs(values[name]):
            share = (
                f"{100.0 * deviation / abs(values[name]):.0f} %"
                if np.isfinite(deviation) and values[name]
                else "no end"
            )
            yield f"{name} is vague: its standard deviation is {share} of its value"
    for name, deviation, step in zip(names, deviations, ahead[: len(names)], strict=True):
        if abs(step) > _CONVERGED_STEP * deviation and abs(step) > _CONVERGED_RELATIVE_STEP * abs(values[name]):
            yield (
                f"the search for {name} is not at its end: from {values[name]:.5g} the data pull it towards "
                f"{values[name] + step:.5g}; begin there, or with other bounds"
            )
    for name in at_bounds:
        yield f"{name} ended at its bound, so that its interval means nothing"
    for column, one in between.items():
        if one.source == "guess":
            yield (
                f"the data cannot tell whether {column} is held or linear between samples{one.where}: say so, "
                f"interpolation: {{{column}: {one.interpolation}}}, as it was taken here, or {one.other}"
            )
    for fit in fits:
        for output, memory in fit.memory.items():
            if fit.score[output] > _PERFECT_CORRELATION:  # data of a simulation: rounding is left over
                continue
            if abs(memory) > _WHITE / np.sqrt(len(fit.time)) and abs(memory) > 0.2:
                yield (
                    f"what is left of {output} in {fit.name} is no white noise (correlation {memory:.2f} from one "
                    f"sample to the next): the model lacks something, and intervals are too narrow"
                )
