"""Fit parameters of a model to logged data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from scipy import stats

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ParameterError, shown
from blocks.lab.identification.between import Between, between_samples, decide
from blocks.lab.identification.errors import IdentificationError
from blocks.lab.identification.experiment import Experiment
from blocks.lab.identification.least_squares import Problem, Unknown
from blocks.lab.identification.log import Array, Log
from blocks.lab.identification.outcome import Estimate, Fit, Identified
from blocks.lab.identification.replay import Replay
from blocks.lab.identification.uncertainty import Uncertainty, correlation_of, uncertainty_of, without_nuisance
from blocks.lab.identification.unknowns import Beside, number_of
from blocks.lab.identification.verdict import steps_ahead, warnings_of
from blocks.run.pieces import usable_cores

_ROUNDS = 10
"""How often noise is estimated from residuals, at most,"""
_SETTLED = 1e-3
"""and how little it changes in the last round."""


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
    delay: Beside = (),
    lag: Beside = (),
    bias: Beside = (),
    steady: Beside = (),
    initial: str = "estimate",
    step: float | str | None = None,
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
    delay, lag: columns that drive the model, each with bounds, s, or none: {"rudder": (0, "1 s")}. The model gets them
        behind a delay, and behind a first-order lag, that are found beside the parameters.
    bias: columns that were measured, with bounds or none: a constant error of the sensor, of each log its own.
    steady: inputs of the model that no column drives, with bounds or none: they are constant, and of each log their
        own. "current" is that of the water, north and east.
    initial: "estimate" fits the initial values of outputs that are states too; "measured" takes the first sample as if
        it had no noise, which is faster, and biased where there is some.
    step: of integration, s, at most; samples are hit.
    confidence: of the intervals.

    Least squares of weighted residuals (output error method), with the covariance (JᵀJ)⁻¹. That is right if the
    residuals are white noise. Where they fail a test for it, intervals are widened to the covariance with the
    correlation that they have, (JᵀJ)⁻¹ JᵀRJ (JᵀJ)⁻¹. A parameter that ends at its bound has no interval, and those of
    the others hold with it there.

    Raises IdentificationError for what cannot be fitted, LogError for what is wrong with data.

    Sources: Ljung (1999), System Identification, ch. 7 and 9 (prediction error and its covariance);
    Morelli and Klein (1997), Journal of Guidance, Control, and Dynamics 20(1), 74-80 (residuals that are not white).
    """
    for name, given, example in (
        ("inputs", inputs, "{'force[X]': 'thrust'}"), ("outputs", outputs, "{'nu[u]': 'speed'}"),
        ("parameters", parameters, "{'linear_damping[X,u]': None}"), ("priors", priors or {}, "{'mass': (50.0, 2.0)}"),
    ):  # fmt: skip
        if not isinstance(given, Mapping):
            raise IdentificationError(f"{name} must have names and what belongs to each, {example}, not {shown(given)}")
    logs, held_out, skip = _split(data, hold_out)
    step = number_of("step", "s", step)
    _check(outputs, parameters, initial, confidence, step)
    between = between_samples([source for source in inputs.values() if isinstance(source, str)], logs, held_out)

    experiment = Experiment(
        component, dict(inputs), dict(outputs), step, solver, dict(parameters), dict(priors or {}), delay, lag, bias,
        steady, initial,
    )  # fmt: skip
    experiment.replays(held_out, between)  # what is wrong there is said before the search
    with ThreadPoolExecutor(min(usable_cores(), sum(len(log.segments) for log in logs))) as pool:

        def fit(chosen: Mapping[str, Between], near: _Fitted | None) -> _Fitted:
            replays = experiment.replays(logs, chosen)
            unknowns = experiment.unknowns(replays)
            problem = Problem(replays, unknowns, _noise(noise, outputs, replays), pool)
            if near is None:
                problem.check_start()
            else:
                problem.begin, problem.sigma = near.found.x, near.problem.sigma
            return _Fitted(problem, estimated=noise is None)

        between, best = decide(between, fit)
        return _outcome(experiment, best, experiment.replays(held_out, between), skip, confidence, between)


class _Fitted:
    """A problem and its least squares. Noise that is not given is estimated from the residuals, in several rounds."""

    def __init__(self, problem: Problem, *, estimated: bool) -> None:
        self.problem, self.estimated = problem, estimated
        self.found = problem.solve()
        for _ in range(_ROUNDS if estimated else 0):
            before, problem.sigma = problem.sigma, problem.scatter(self.found.x)
            if np.allclose(before, problem.sigma, rtol=_SETTLED, atol=0.0):
                break
            self.found = problem.solve()
        self.deviance = problem.deviance(self.found.x, estimated=estimated)


def _noise(noise: Mapping[str, float] | None, outputs: Mapping[str, str], replays: list[Replay]) -> Array:
    if noise is None:
        spread = np.array([np.std(np.concatenate([r.measured[:, j] for r in replays])) for j in range(len(outputs))])
        return np.asarray(np.maximum(spread, 1e-9))
    missing = [name for name in outputs if name not in noise]
    if missing or any(not noise[name] > 0.0 for name in outputs):
        raise IdentificationError(f"noise must be a standard deviation > 0 for each output: {', '.join(outputs)}")
    return np.array([float(noise[name]) for name in outputs])


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
    for log in held_out:
        if any(log.same_data(other) for other in logs):
            raise IdentificationError(
                f"{log.name} is held out, and among the data that are fitted: a score on these says nothing of others"
            )
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
    experiment: Experiment, best: _Fitted, unseen: list[Replay], skip: int, confidence: float,
    between: Mapping[str, Between],
) -> Identified:  # fmt: skip
    problem, found = best.problem, best.found
    unknowns, w = problem.unknowns, found.x
    known = uncertainty_of(problem, found, estimated=best.estimated)
    quantile = float(stats.t.ppf(0.5 + 0.5 * confidence, known.freedom))
    count, model = len(experiment.parameters), experiment.of_model(unknowns)
    estimates = [_estimate(one, k, problem, w, known, quantile) for k, one in enumerate(unknowns)]
    parameters = estimates[:count]
    values = {one.name: one.value for one in parameters}
    fits = [Fit.of(replay, experiment.outputs, result)
            for replay, result in zip(problem.replays, problem.outputs(w), strict=True)]  # fmt: skip
    tests = []
    for replay in unseen:
        own = experiment.unknowns([replay])
        for one, number in zip(own[:model], w * problem.scales, strict=False):
            replay.pristine[one.places[0]] = number
        own = own[model:]
        other = Problem([replay], own, problem.sigma, problem.pool)
        # the last part goes on from what was fitted, with states that nobody measured, too
        going_on = w[model:] * problem.scales[model:] / other.scales if skip else None
        w_other = going_on if going_on is not None else other.solve().x if own else np.zeros(0)
        tests.append(Fit.of(replay, experiment.outputs, other.outputs(w_other)[0], skip))
    covariance = known.covariance[:count, :count]
    steps = steps_ahead(found.jac, found.fun, known.at_bound != 0) * problem.scales
    return Identified(
        values=values,
        start={one.name: one.start for one in parameters},
        units={one.name: one.unit for one in parameters},
        deviations={one.name: one.deviation for one in parameters},
        intervals={one.name: one.interval for one in parameters},
        covariance=covariance,
        correlation=correlation_of(covariance),
        confidence=confidence,
        noise=dict(zip(experiment.outputs, problem.sigma.tolist(), strict=True)),
        fits=tuple(fits),
        tests=tuple(tests),
        at_bounds={one.name: one.at_bound for one in parameters if one.at_bound},
        beside={one.name: one for one in estimates[count : experiment.asked_for(unknowns)]},
        widened={one.name: float(known.widened[k]) for k, one in enumerate(unknowns[:count])},
        warnings=tuple(warnings_of(problem, experiment, found.jac, known, estimates, steps, fits, between)),
        converged=bool(found.success),
        inputs=between,
        component=_with(
            experiment.component,
            problem.replays[0],
            {
                one.name: estimates[k].value if known.silent[k] else float(w[k] * one.scale)
                for k, one in enumerate(unknowns[:count])
            },
        ),
        experiment=experiment,
        logs=tuple(dict.fromkeys(replay.log for replay in problem.replays)),
        information=without_nuisance(found.jac / problem.scales, model) / max(known.spread, 1e-300),
        information_of=tuple(one.name for one in unknowns[:model]),
        fixed=known.at_bound[:model] != 0,
    )


def _estimate(one: Unknown, k: int, problem: Problem, w: Array, known: Uncertainty, quantile: float) -> Estimate:
    place = next(place for place in one.places if place is not None)
    number = next(number for number, place in enumerate(one.places) if place is not None)
    value, deviation = float(w[k] * one.scale), float(known.deviations[k])
    side = int(known.at_bound[k])
    start = float(problem.replays[number].pristine[place])
    if side:
        value = one.low if side < 0 else one.high  # the search stays a little inside
    elif known.silent[k]:
        value = start
    return Estimate(
        one.name, one.unit, start, value, deviation,
        (value - quantile * deviation, value + quantile * deviation),
        {-1: "lower", 0: "", 1: "upper"}[side],
    )  # fmt: skip


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
