"""Fit parameters of a model to logged data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from scipy import stats

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ParameterError
from blocks.lab.analysis.trim import limits_of
from blocks.lab.identification.between import Between, between_samples, decide
from blocks.lab.identification.errors import IdentificationError
from blocks.lab.identification.least_squares import Problem, Unknown
from blocks.lab.identification.log import Array, Log
from blocks.lab.identification.outcome import Fit, Identified
from blocks.lab.identification.replay import LARGEST, Replay
from blocks.lab.identification.verdict import steps_ahead, warnings_of
from blocks.run.pieces import usable_cores
from blocks.units import to_unit

_ROUNDS = 10
"""How often noise is estimated from residuals, at most,"""
_SETTLED = 1e-3
"""and how little it changes in the last round."""
_UNBOUNDED_RATIO = 1e30
"""A bound this many times farther than the start of the search counts as none: SciPy's steps would overflow."""


def identify(
    component: Diagram | Block,
    data: Log | Sequence[Log],
    *,
    inputs: Mapping[str, Any],
    outputs: Mapping[str, str],
    parameters: Mapping[str, Any],
    priors: Mapping[str, tuple[Any, Any]] | None = None,
    noise: Mapping[str, float] | None = None,
    hold_out: Log | Sequence[Log] | float | None = None,
    initial: str = "estimate",
    step: float | None = None,
    solver: str = "rk4",
    confidence: float = 0.95,
) -> Identified:
    """Find the parameters at which a model, driven by logged inputs, does what was measured.

    data: one log or several: zigzags, turning circles, free decays, straight runs. What their columns are between
        samples, held or linear, is what `Log.interpolation` says; of an input of which it says nothing both are
        fitted, and `Identified.inputs` has which of them the data tell of.
    inputs: of the model, whole or by element, each a column of the logs or a constant: `{"force[X]": "thrust"}`. What
        is not named is zero, or its default.
    outputs: of the model, each with the column that was measured: `{"nu[u]": "speed", "eta[psi]": "heading"}`.
    parameters: to find, "vessel.linear_damping[X,u]" or "linear_damping[0,0]", each with bounds (low, high), or None
        for those of its declaration. They start from what the model has.
    priors: of parameters, (mean, standard deviation), which count as a measurement of them.
    noise: standard deviations of outputs, SI, where they are known; otherwise they follow from the residuals, and weigh
        the outputs against each other.
    hold_out: logs that are not fitted, for the score; a number is the last part of the only log, 0.3, which the model
        goes on to from the part that is fitted.
    initial: "estimate" fits the initial values of outputs that are states too; "measured" takes the first sample as if
        it had no noise, which is faster, and biased where there is some.
    step: of integration, s, at most; samples are hit.
    confidence: of the intervals.

    Least squares of weighted residuals (output error method), with the covariance (JᵀJ)⁻¹. That is right if the
    residuals are white noise; `residual_figure` shows whether they are.

    Raises IdentificationError for what cannot be fitted, LogError for what is wrong with data.

    Source: Ljung (1999), System Identification, ch. 7 and 9 (prediction error and its covariance).
    """
    logs, held_out, skip = _split(data, hold_out)
    _check(outputs, parameters, initial, confidence, step)
    between = between_samples([source for source in inputs.values() if isinstance(source, str)], logs, held_out)

    def replays(some: Sequence[Log], chosen: Mapping[str, Between]) -> list[Replay]:
        return [Replay(component, log, part, inputs, outputs, step, solver, chosen)
                for log in some for part in log.segments]  # fmt: skip

    def problem_of(chosen: Mapping[str, Between]) -> Problem:
        made = replays(logs, chosen)
        unknowns = _unknowns(made, parameters, priors or {}) + _initials(made, list(outputs), initial)
        return Problem(made, unknowns, _noise(noise, outputs, made), pool)

    replays(held_out, between)  # what is wrong there is said before the search
    with ThreadPoolExecutor(min(usable_cores(), sum(len(log.segments) for log in logs))) as pool:

        def fit(chosen: Mapping[str, Between], near: _Fitted | None) -> _Fitted:
            problem = problem_of(chosen)
            if near is None:
                problem.check_start()
            else:
                problem.begin, problem.sigma = near.found.x, near.problem.sigma
            return _Fitted(problem, estimated=noise is None)

        between, best = decide(between, fit)
        return _outcome(
            component, best.problem, best.found, len(parameters), replays(held_out, between), skip, outputs,
            confidence, between, estimated=noise is None,
        )  # fmt: skip


class _Fitted:
    """A problem and its least squares. Noise that is not given is estimated from the residuals, in several rounds."""

    def __init__(self, problem: Problem, *, estimated: bool) -> None:
        self.problem = problem
        self.found = problem.solve()
        for _ in range(_ROUNDS if estimated else 0):
            before, problem.sigma = problem.sigma, problem.scatter(self.found.x)
            if np.allclose(before, problem.sigma, rtol=_SETTLED, atol=0.0):
                break
            self.found = problem.solve()
        self.deviance = problem.deviance(self.found.x, estimated=estimated)


def _unknowns(
    replays: list[Replay], parameters: Mapping[str, Any], priors: Mapping[str, tuple[Any, Any]]
) -> list[Unknown]:
    for name in priors:
        if name not in parameters:
            raise IdentificationError(f"a prior of '{name}', which is not among the parameters that are fitted")
    made = []
    for name, bounds in parameters.items():
        elements = [replay.parameter(name) for replay in replays]
        first = elements[0]
        plan = replays[0].plan
        declared = plan.parameters[first.name.partition("[")[0]]
        owner, _, bare = declared.name.rpartition(".")
        block = next(leaf.block for leaf in plan.flat.leaves if leaf.name == owner)
        if bare in block.structural_parameters():
            raise IdentificationError(f"{name} decides what {type(block).__name__} computes, and cannot be fitted")
        if block.all_parameters()[bare].integer:
            raise IdentificationError(f"{name} is a whole number, and cannot be fitted")
        low, high = limits_of(declared.parameter)  # type: ignore[call-overload]
        if bounds is not None:
            try:
                given = [_number(name, first.unit, one) for one in bounds]
                low = max(low, given[0]) if given[0] is not None else low
                high = min(high, given[1]) if given[1] is not None else high
            except (TypeError, ValueError, IndexError) as problem:
                raise IdentificationError(f"the bounds of {name} must be (low, high) or None: {problem}") from None
        if not low < high:
            raise IdentificationError(
                f"the lower bound of {name} must be below the upper one, not {low:g} and {high:g}"
            )
        start = float(replays[0].pristine[first.place])
        inside = min(max(start, low), high)
        reach = _UNBOUNDED_RATIO * (abs(inside) or min(1.0, high - low))
        low, high = (low if low > inside - reach else -np.inf), (high if high < inside + reach else np.inf)
        if np.isfinite(low) and np.isfinite(high) and inside in (low, high):
            inside = 0.5 * (low + high)
        prior = None
        if name in priors:
            mean, deviation = (_number(f"the prior of {name}", first.unit, one) for one in priors[name])
            assert mean is not None
            if deviation is None or not deviation > 0.0:
                raise IdentificationError(
                    f"the prior of {name} must be (mean, standard deviation > 0), not {priors[name]}"
                )
            prior = (mean, deviation)
        scale = abs(inside) or (high - low if np.isfinite(high - low) else 1.0)
        if prior is not None and not max(scale, abs(inside - prior[0])) < LARGEST * prior[1]:
            raise IdentificationError(
                f"the prior of {name}, {prior[0]:g} with a standard deviation of {prior[1]:g}, cannot be weighed: "
                f"give the parameter that value, and do not fit it"
            )
        places = tuple(element.place for element in elements)
        made.append(Unknown(name, first.unit, places, inside, low, high, scale, prior))
    return made


def _initials(replays: list[Replay], outputs: list[str], initial: str) -> list[Unknown]:
    """Initial values of what is measured; fixed to the first sample, or fitted."""
    made = []
    for number, replay in enumerate(replays):
        for j in range(len(outputs)):
            element = replay.initial(j)
            if element is None:
                continue
            value = float(replay.measured[0, j])
            replay.pristine[element.place] = value
            if initial == "estimate":
                places = tuple(element.place if k == number else None for k in range(len(replays)))
                scale = max(abs(value), float(np.std(replay.measured[:, j])), 1e-6)
                name = f"{outputs[j]} at the start of {replay.log.name}"
                made.append(Unknown(name, element.unit, places, value, -np.inf, np.inf, scale))
    return made


def _noise(noise: Mapping[str, float] | None, outputs: Mapping[str, str], replays: list[Replay]) -> Array:
    if noise is None:
        spread = np.array([np.std(np.concatenate([r.measured[:, j] for r in replays])) for j in range(len(outputs))])
        return np.asarray(np.maximum(spread, 1e-9))
    missing = [name for name in outputs if name not in noise]
    if missing or any(not noise[name] > 0.0 for name in outputs):
        raise IdentificationError(f"noise must be a standard deviation > 0 for each output: {', '.join(outputs)}")
    return np.array([float(noise[name]) for name in outputs])


def _number(what: str, unit: str, given: Any) -> float | None:
    if given is None:
        return None
    try:
        found = to_unit(given, unit) if isinstance(given, str) else float(given)
    except (ParameterError, TypeError, ValueError) as problem:
        raise IdentificationError(f"{what}: {problem}") from None
    if np.isnan(found):
        raise IdentificationError(f"{what}: it must be a number, not {given!r}")
    return found


def _split(data: Log | Sequence[Log], hold_out: Log | Sequence[Log] | float | None) -> tuple[list[Log], list[Log], int]:
    """What is fitted and what is held out; of a log whose last part is held out, the samples before that part."""
    logs = [data] if isinstance(data, Log) else list(data)
    if not logs or not all(isinstance(log, Log) for log in logs):
        raise IdentificationError("data must be a Log, or several: Log.read('zigzag.csv')")
    if hold_out is None:
        return logs, [], 0
    if isinstance(hold_out, (int, float)):
        if len(logs) != 1 or not 0.0 < hold_out < 1.0:
            raise IdentificationError(
                "hold_out as a number is the last part of the only log, between 0 and 1; of several logs, name those "
                "that are held out"
            )
        log = logs[0]
        at = log.time[-1] - hold_out * (log.time[-1] - log.time[0])
        fitted, last = log.part(log.time[0], at), log.part(at, log.time[-1])
        if len(log.segments) > 1:
            return [fitted], [last], 0
        return [fitted], [log], len(log.time) - len(last.time)
    held_out = [hold_out] if isinstance(hold_out, Log) else list(hold_out)
    if not all(isinstance(log, Log) for log in held_out):
        raise IdentificationError("hold_out must be a Log, or several, or the last part of the only one, 0.3")
    return logs, held_out, 0


def _check(
    outputs: Mapping[str, str], parameters: Mapping[str, Any], initial: str, confidence: float, step: float | None
) -> None:
    if not outputs:
        raise IdentificationError("name what was measured: outputs={'nu[u]': 'speed'}")
    if not parameters:
        raise IdentificationError("name the parameters to find: parameters={'linear_damping[X,u]': None}")
    if initial not in ("estimate", "measured"):
        raise IdentificationError(f"initial must be 'estimate' or 'measured', not {initial!r}")
    if step is not None and not 0.0 < step < np.inf:
        raise IdentificationError(f"step must be > 0 s, not {step:g}")
    if not 0.0 < confidence < 1.0:
        raise IdentificationError(f"confidence must be between 0 and 1, not {confidence!r}")


def _outcome(
    component: Diagram | Block, problem: Problem, found: Any, count: int, unseen: list[Replay], skip: int,
    outputs: Mapping[str, str], confidence: float, between: Mapping[str, Between], *, estimated: bool,
) -> Identified:  # fmt: skip
    unknowns, w = problem.unknowns, found.x
    J = found.jac
    freedom = max(problem.rows - len(unknowns), 1)
    _, s, vt = np.linalg.svd(J, full_matrices=False)
    sound = s > 1e-10 * max(float(s[0]), 1e-300)
    inverse = np.where(sound, 1.0 / np.where(sound, s, 1.0), 0.0)
    covariance = (vt.T * inverse**2) @ vt
    spread = float(np.sum(found.fun[: problem.rows] ** 2) / freedom) if estimated else 1.0
    covariance = covariance * spread
    deviations = np.sqrt(np.diag(covariance)) * problem.scales
    ahead = steps_ahead(J, found.fun, np.logical_or(w <= problem.low, w >= problem.high)) * problem.scales
    if not np.all(sound):  # directions that data say nothing of
        blind = np.any(np.abs(vt[~sound]) > 1e-3, axis=0)
        deviations = np.where(blind, np.inf, deviations)
    quantile = float(stats.t.ppf(0.5 + 0.5 * confidence, freedom))
    names = [one.name for one in unknowns[:count]]
    values = {one.name: float(w[k] * one.scale) for k, one in enumerate(unknowns[:count])}
    scaled = covariance[:count, :count] * np.outer(problem.scales[:count], problem.scales[:count])
    fits = [Fit.of(replay, outputs, result) for replay, result in zip(problem.replays, problem.outputs(w), strict=True)]
    tests = []
    for replay in unseen:
        own = _initials([replay], list(outputs), "estimate")
        fixed = [
            Unknown(one.name, one.unit, (replay.parameter(one.name).place,), values[one.name], 0, 0, 1.0)
            for one in unknowns[:count]
        ]
        for one in fixed:
            place = one.places[0]
            assert place is not None
            replay.pristine[place] = one.start
        other = Problem([replay], own, problem.sigma, problem.pool)
        if skip:  # it goes on from what was fitted, with states that nobody measured, too
            begin = w[count:] * problem.scales[count:]
            w_other = begin / other.scales if len(begin) else other.begin
        else:
            w_other = other.solve().x if own else np.zeros(0)
        tests.append(Fit.of(replay, outputs, other.outputs(w_other)[0], skip))
    at_bounds = tuple(
        one.name for k, one in enumerate(unknowns[:count])
        if min(abs(w[k] * one.scale - one.low), abs(w[k] * one.scale - one.high)) <= 1e-6 * one.scale
    )  # fmt: skip
    correlation = _correlation(covariance[:count, :count])
    made = Identified(
        values=values,
        start={one.name: float(problem_start(problem, k)) for k, one in enumerate(unknowns[:count])},
        units={one.name: one.unit for one in unknowns[:count]},
        deviations=dict(zip(names, deviations[:count].tolist(), strict=True)),
        intervals={
            name: (float(values[name] - quantile * one), float(values[name] + quantile * one))
            for name, one in zip(names, deviations[:count], strict=True)
        },
        covariance=scaled,
        correlation=correlation,
        confidence=confidence,
        noise=dict(zip(outputs, problem.sigma.tolist(), strict=True)),
        fits=tuple(fits),
        tests=tuple(tests),
        at_bounds=at_bounds,
        warnings=tuple(
            warnings_of(names, J[:, :count], correlation, deviations[:count], values, ahead, at_bounds, fits, between)
        ),
        converged=bool(found.success),
        inputs=between,
        component=_with(component, problem.replays[0], values),
    )
    return made


def problem_start(problem: Problem, k: int) -> float:
    """What a parameter was before."""
    place = problem.unknowns[k].places[0]
    assert place is not None
    return float(problem.replays[0].pristine[place])


def _correlation(covariance: Array) -> Array:
    deviations = np.sqrt(np.diag(covariance))
    sound = deviations > 0.0
    scale = np.where(sound, deviations, 1.0)
    return np.asarray(covariance / np.outer(scale, scale))


def _with(component: Diagram | Block, replay: Replay, values: Mapping[str, float]) -> Diagram | Block:
    """A copy with the values set."""
    made = component.copy()
    blocks = made.blocks() if isinstance(made, Diagram) else {replay.own.rstrip("."): made}
    numbers = {replay.parameter(name).place: value for name, value in values.items()}
    for name, place in replay.plan.parameters.items():
        mine = {
            at - place.first: value for at, value in numbers.items() if place.first <= at < place.first + place.count
        }
        if mine:
            owner, _, parameter = name.rpartition(".")
            stored = replay.pristine[place.slice].copy()
            stored[list(mine)] = list(mine.values())
            try:
                blocks[owner].set(**{parameter: stored.reshape(place.shape) if place.shape else float(stored[0])})
            except ParameterError as problem:
                said = ", ".join(f"{one} = {value:.6g}" for one, value in values.items())
                raise IdentificationError(
                    f"the values found are not possible together: {problem}; give bounds that exclude them. "
                    f"Found: {said}"
                ) from None
    return made
