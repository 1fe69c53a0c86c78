"""Warnings about a fit: what is to be doubted, each said once, and what to do."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from blocks.lab.identification.between import Between
from blocks.lab.identification.experiment import Experiment
from blocks.lab.identification.indistinct import Direction, directions
from blocks.lab.identification.least_squares import Problem, Unknown
from blocks.lab.identification.log import Array
from blocks.lab.identification.outcome import Estimate, Fit
from blocks.lab.identification.rounding import rounded
from blocks.lab.identification.uncertainty import Uncertainty

_LARGE_RELATIVE_ERROR = 0.5
_FELT = 0.1
"""The relative error from which on it matters that two parameters are hardly told apart."""
_WIDER = 1.1
"""How much wider an interval has to get for residuals that are not white, to be told."""
_CONVERGED_STEP = 0.1
"""Of a standard deviation, by which a search that is done would not go on,"""
_CONVERGED_RELATIVE_STEP = 1e-6
"""and of the value."""
_UNLIKE = 0.7
"""The part of what was measured that is left over where a model does not follow it."""
_ALIKE = 0.7
"""The correlation of what two signals have in common, but for their size."""
_MISTAKEN = {57.3: "degrees that are told as radians", 0.01745: "radians that are told as degrees",
             1000.0: "millimetres, or thousandths", 0.001: "thousands"}  # fmt: skip
_REMEDY = "fix one of them, give it a prior, or measure a manoeuvre in which they differ"


def steps_ahead(jacobian: Array, residuals: Array, fixed: NDArray[np.bool_]) -> Array:
    """The next step of Gauss and Newton, 0 for what is fixed: next to nothing where a search is done."""
    step = np.zeros(jacobian.shape[1])
    if not np.all(fixed):
        step[~fixed] = np.linalg.lstsq(jacobian[:, ~fixed], -residuals, rcond=1e-10)[0]
    return step


def warnings_of(
    problem: Problem, experiment: Experiment, jacobian: Array, known: Uncertainty, estimates: Sequence[Estimate],
    ahead: Array, fits: Sequence[Fit], between: Mapping[str, Between],
) -> Iterator[str]:  # fmt: skip
    """The warnings, in words. What has been said of a parameter is not said again in other words."""
    asked = estimates[: experiment.asked_for(problem.unknowns)]
    said: set[str] = set()
    for one, silent in zip(asked, known.silent, strict=False):
        if silent:
            said.add(one.name)
            yield f"the data say nothing of {one.name}: outputs do not change with it"
    for one, unknown in zip(asked, problem.unknowns, strict=False):
        if one.at_bound and one.name not in said:
            said.add(one.name)
            yield _at_bound(one, unknown, is_parameter=one.name in experiment.parameters)
    free = np.flatnonzero(known.at_bound == 0)
    mine = [estimates[int(k)] for k in free]
    found = directions(
        jacobian[:, free] / problem.scales[free], [one.name for one in mine], [one.value for one in mine],
        [one.unit for one in mine], known.silent[free],
    )  # fmt: skip
    by_name = {one.name: one for one in estimates}
    for direction in found:
        if _matters(direction, by_name, {one.name for one in asked}, experiment.parameters):
            said.update(direction.names)
            listed = f"{', '.join(direction.names[:-1])} and {direction.names[-1]}"
            exact = direction.strength == 0.0
            relation = direction.relation if exact else f"{direction.relation} well"
            if direction.relation.startswith("they"):
                relation = f"{direction.relation}, and the outputs {'' if exact else 'nearly '}stay as they are"
            yield f"the data {'cannot' if exact else 'can hardly'} tell {listed} apart: {relation}; {_REMEDY}"
    for one, step in zip(asked, ahead, strict=False):
        if one.name in said:
            continue
        if abs(step) > _CONVERGED_STEP * one.deviation and abs(step) > _CONVERGED_RELATIVE_STEP * abs(one.value):
            said.add(one.name)
            yield (
                f"the search for {one.name} is not at its end: from {one.value:.5g} the data pull it towards "
                f"{one.value + step:.5g}; begin there, or with other bounds"
            )
    for one in asked:
        if one.name in said or one.name not in experiment.parameters:
            continue
        if one.deviation > _LARGE_RELATIVE_ERROR * abs(one.value):
            said.add(one.name)
            yield (
                f"{one.name} is vague: {rounded(one.value, one.deviation)} with a standard deviation of "
                f"{rounded(one.deviation, one.deviation)}{_unit(one)}; measure a manoeuvre in which it shows"
            )
    for column, one_between in between.items():
        if one_between.source == "guess":
            yield (
                f"the data cannot tell whether {column} is held or linear between samples{one_between.where}: say so, "
                f"interpolation: {{{column}: {one_between.interpolation}}}, as it was taken here, "
                f"or {one_between.other}"
            )
    yield from _unlike(experiment, known, fits)
    yield from _colour(experiment, known, asked)


def _at_bound(one: Estimate, unknown: Unknown, *, is_parameter: bool) -> str:
    bound = unknown.low if one.at_bound == "lower" else unknown.high
    if bound == 0.0 and not is_parameter:
        return f"the data show no {one.name}: it ended at 0, the {one.at_bound} bound; leave it out"
    wanted = "smaller" if one.at_bound == "lower" else "larger"
    return (
        f"{one.name} ended at its {one.at_bound} bound, {bound:.4g}{_unit(one)}: the data want it {wanted}. "
        f"It has no interval, and those of the others hold with it there. If the bound is a guess, widen "
        f"it; if it is physics, the model lacks something, or the data are off"
    )


def _unit(one: Estimate) -> str:
    return "" if one.unit == "1" else f" {one.unit}"


def _matters(
    direction: Direction, by_name: Mapping[str, Estimate], asked: set[str], parameters: Collection[str]
) -> bool:
    """Whether one of those that were asked for is not known for it, or a parameter the vaguer."""
    if direction.strength == 0.0:
        return any(name in asked for name in direction.names)
    mine = [by_name[name] for name in direction.names if name in parameters]
    return any(one.deviation > _FELT * abs(one.value) for one in mine)


def _unlike(experiment: Experiment, known: Uncertainty, fits: Sequence[Fit]) -> Iterator[str]:
    """Outputs that the model does not follow although they move; where it can be told, why."""
    for j, (name, column) in enumerate(experiment.outputs.items()):
        measured, found = (
            np.concatenate([_moving(values[:, j]) for values in pair])
            for pair in zip(*((fit.measured, fit.measured - fit.residuals) for fit in fits), strict=True)
        )
        moved, answered = float(np.linalg.norm(measured)), float(np.linalg.norm(found))
        if j not in known.colours or not np.linalg.norm(measured - found) > _UNLIKE * moved:
            continue
        alike = float(measured @ found) / max(moved * answered, 1e-300)
        times = moved / max(answered, 1e-300)
        why = f"look at the unit, the sign and the column of {column}, and of what drives it"
        if alike < -_ALIKE:
            why = f"it goes the other way: {column}, or what drives it, may have the other sign, reverse: [{column}]"
        elif alike > _ALIKE:
            for factor, units in _MISTAKEN.items():
                if 0.7 < times / factor < 1.4:
                    why = f"{column} is {times:.2g} times what the model does: {units}?"
        yield f"the model does not follow {name}, and what is left is no noise: {why}"


def _moving(values: Array) -> Array:
    """How a signal moves, without its beginning, where initial values that are fitted make up for much."""
    late = values[len(values) // 4 :]
    return np.asarray(late - late.mean())


def _colour(experiment: Experiment, known: Uncertainty, asked: Sequence[Estimate]) -> Iterator[str]:
    widened = known.widened[: len(asked)]
    if not known.colours or not len(widened) or np.max(widened) < _WIDER:
        return
    outputs = list(experiment.outputs)
    told = ", ".join(f"{outputs[j]} ({colour.next:.2f})" for j, colour in known.colours.items())
    widest = int(np.argmax(widened))
    untried = [
        word for word, given in (("a delay", experiment.delay), ("a lag", experiment.lag), ("a bias", experiment.bias),
                                 ("a steady current", experiment.steady)) if not given
    ]  # fmt: skip
    listed = " or ".join([", ".join(untried[:-1]), untried[-1]] if len(untried) > 1 else untried)
    remedy = f"estimate {listed} beside the parameters, or " if untried else ""
    yield (
        f"what is left of {told} is no white noise, by the correlation from one sample to the next: samples tell less "
        f"than their number, so intervals were widened, that of {asked[widest].name} {widened[widest]:.2g} times. The "
        f"noise has a memory, or the model lacks something: {remedy}free another coefficient, and look at the residuals"
    )
