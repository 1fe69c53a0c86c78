"""Fit parameters of a model to logged data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize, stats

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ParameterError
from blocks.lab.analysis.elements import Element
from blocks.lab.analysis.trim import limits_of
from blocks.lab.identification.errors import IdentificationError
from blocks.lab.identification.log import Array, Log
from blocks.lab.identification.outcome import Fit, Identified
from blocks.lab.identification.replay import Replay
from blocks.lab.identification.verdict import warnings_of
from blocks.pieces import usable_cores
from blocks.units import to_unit

_HOPELESS = 1e6
"""The residual of a replay that fails."""
_STEP = 1e-5
_ROUNDS = 3
"""How often noise is estimated anew from residuals."""

Progress = Callable[[int, float], None]


@dataclass(frozen=True)
class _Unknown:
    """A number that is fitted: a parameter, or an initial value of one replay."""

    name: str
    unit: str
    places: tuple[int | None, ...]
    """In the plan of each replay."""
    start: float
    low: float
    high: float
    scale: float
    prior: tuple[float, float] | None = None


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

    data: one log or several: zigzags, turning circles, free decays, straight runs.
    inputs: of the model, whole or by element, each a column of the logs or a constant: `{"force[X]": "thrust"}`. What
        is not named is zero, or its default.
    outputs: of the model, each with the column that was measured: `{"nu[u]": "speed", "eta[psi]": "heading"}`.
    parameters: to find, "vessel.linear_damping[X,u]" or "linear_damping[0,0]", each with bounds (low, high), or None
        for those of its declaration. They start from what the model has.
    priors: of parameters, (mean, standard deviation), which count as a measurement of them.
    noise: standard deviations of outputs, SI, where they are known; otherwise they follow from the residuals, and weigh
        the outputs against each other.
    hold_out: logs that are not fitted, for the score; a number is the last part of the only log, 0.3.
    initial: "estimate" fits the initial values of outputs that are states too; "measured" takes the first sample as if
        it had no noise, which is faster, and biased where there is some.
    step: of integration, s, at most; samples are hit.
    confidence: of the intervals.

    Least squares of weighted residuals (output error method), with the covariance (JᵀJ)⁻¹ that they tell of. That is
    right where what is left over is noise that does not remember; `residual_figure` shows whether it is.

    Raises IdentificationError for what cannot be fitted, LogError for what is wrong with data.

    Source: Ljung (1999), System Identification, ch. 7 and 9 (prediction error and its covariance).
    """
    logs, held_out = _split(data, hold_out)
    _check(outputs, parameters, initial, confidence)
    replays = [Replay(component, log, part, inputs, outputs, step, solver) for log in logs for part in log.segments]
    unknowns = _unknowns(replays, parameters, priors or {}) + _initials(replays, list(outputs), initial)
    sigma = _noise(noise, outputs, replays)
    with ThreadPoolExecutor(min(usable_cores(), len(replays))) as pool:
        problem = _Problem(replays, unknowns, sigma, pool)
        problem.check_start()
        for _ in range(1 if noise else _ROUNDS):
            found = problem.solve()
            if noise is None:
                problem.sigma = problem.scatter(found.x)
        return _outcome(
            component, problem, found, len(parameters), held_out, inputs, outputs, step, solver, confidence,
            noise is None,
        )  # fmt: skip


class _Problem:
    """Weighted residuals over unknowns in units of their scales."""

    def __init__(self, replays: list[Replay], unknowns: list[_Unknown], sigma: Array, pool: ThreadPoolExecutor) -> None:
        self.replays, self.unknowns, self.sigma, self.pool = replays, unknowns, sigma, pool
        self.scales = np.array([one.scale for one in unknowns])
        self.low = np.array([one.low for one in unknowns]) / self.scales
        self.high = np.array([one.high for one in unknowns]) / self.scales
        self.begin = np.array([one.start for one in unknowns]) / self.scales
        self.rows = sum(replay.measured.size for replay in replays)
        self.places = [
            [(k, one.places[number]) for k, one in enumerate(unknowns) if one.places[number] is not None]
            for number in range(len(replays))
        ]

    def outputs(self, w: Array) -> list[Array | None]:
        """Of each replay; None where it fails. Replays are independent, and run side by side."""
        return list(self.pool.map(lambda number: self._output(number, w), range(len(self.replays))))

    def _output(self, number: int, w: Array) -> Array | None:
        pairs = self.places[number]
        which = np.array([k for k, _ in pairs], dtype=np.intp)
        where = np.array([place for _, place in pairs], dtype=np.float64)
        return self.replays[number].run(where, (w * self.scales)[which])

    def _residual(self, number: int, found: Array | None) -> Array:
        replay = self.replays[number]
        if found is None:
            return np.full(replay.measured.size, _HOPELESS)
        return np.asarray((replay.residuals(found) / self.sigma).reshape(-1))

    def residuals(self, w: Array) -> Array:
        parts = [self._residual(number, found) for number, found in enumerate(self.outputs(w))]
        for k, one in enumerate(self.unknowns):
            if one.prior is not None:
                parts.append(np.array([(w[k] * self.scales[k] - one.prior[0]) / one.prior[1]]))
        return np.concatenate(parts)

    def jacobian(self, w: Array) -> Array:
        """By central differences; a replay is run again for the unknowns that it depends on only."""

        def block(number: int) -> Array:
            made = np.zeros((self.replays[number].measured.size, len(w)))
            for k, _ in self.places[number]:
                step = _STEP * max(1.0, abs(w[k]))
                sides = []
                for side in (step, -step):
                    moved = w.copy()
                    moved[k] = min(max(w[k] + side, self.low[k]), self.high[k])
                    sides.append((moved[k], self._residual(number, self._output(number, moved))))
                made[:, k] = (sides[0][1] - sides[1][1]) / (sides[0][0] - sides[1][0])
            return made

        rows = list(self.pool.map(block, range(len(self.replays))))
        for k, one in enumerate(self.unknowns):
            if one.prior is not None:
                row = np.zeros((1, len(w)))
                row[0, k] = self.scales[k] / one.prior[1]
                rows.append(row)
        return np.concatenate(rows)

    def solve(self) -> Any:
        found = optimize.least_squares(
            self.residuals, np.clip(self.begin, self.low, self.high), self.jacobian, bounds=(self.low, self.high),
            x_scale="jac", max_nfev=100, xtol=1e-9, ftol=1e-11, gtol=1e-9,
        )  # fmt: skip
        self.begin = found.x
        return found

    def scatter(self, w: Array) -> Array:
        """The root mean square of the residuals of each output."""
        left = np.concatenate(
            [replay.residuals(found) for replay, found in zip(self.replays, self.outputs(w), strict=True)
             if found is not None]
        )  # fmt: skip
        return np.asarray(np.maximum(np.sqrt(np.mean(left**2, axis=0)), 1e-12))

    def check_start(self) -> None:
        for replay, found in zip(self.replays, self.outputs(self.begin), strict=True):
            if found is None:
                raise IdentificationError(
                    f"with the parameters that it has the model does not get through {replay.log.name}: start from "
                    f"better ones, or take a smaller step (now {replay.step:g} s)"
                )


def _unknowns(
    replays: list[Replay], parameters: Mapping[str, Any], priors: Mapping[str, tuple[Any, Any]]
) -> list[_Unknown]:
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
        low, high = limits_of(declared.parameter)  # type: ignore[call-overload]
        if bounds is not None:
            try:
                given = [_number(first, one) for one in bounds]
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
        if np.isfinite(low) and np.isfinite(high) and inside in (low, high):
            inside = 0.5 * (low + high)
        prior = None
        if name in priors:
            mean, deviation = (_number(first, one) for one in priors[name])
            assert mean is not None
            if deviation is None or not deviation > 0.0:
                raise IdentificationError(
                    f"the prior of {name} must be (mean, standard deviation > 0), not {priors[name]}"
                )
            prior = (mean, deviation)
        scale = abs(inside) or (high - low if np.isfinite(high - low) else 1.0)
        places = tuple(element.place for element in elements)
        made.append(_Unknown(name, first.unit, places, inside, low, high, scale, prior))
    return made


def _initials(replays: list[Replay], outputs: list[str], initial: str) -> list[_Unknown]:
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
                made.append(_Unknown(name, element.unit, places, value, -np.inf, np.inf, scale))
    return made


def _noise(noise: Mapping[str, float] | None, outputs: Mapping[str, str], replays: list[Replay]) -> Array:
    if noise is None:
        spread = np.array([np.std(np.concatenate([r.measured[:, j] for r in replays])) for j in range(len(outputs))])
        return np.asarray(np.maximum(spread, 1e-9))
    missing = [name for name in outputs if name not in noise]
    if missing or any(not noise[name] > 0.0 for name in outputs):
        raise IdentificationError(f"noise must be a standard deviation > 0 for each output: {', '.join(outputs)}")
    return np.array([float(noise[name]) for name in outputs])


def _number(element: Element, given: Any) -> float | None:
    if given is None:
        return None
    try:
        return to_unit(given, element.unit) if isinstance(given, str) else float(given)
    except ParameterError as problem:
        raise IdentificationError(f"{element.name}: {problem}") from None


def _split(data: Log | Sequence[Log], hold_out: Log | Sequence[Log] | float | None) -> tuple[list[Log], list[Log]]:
    logs = [data] if isinstance(data, Log) else list(data)
    if not logs or not all(isinstance(log, Log) for log in logs):
        raise IdentificationError("data must be a Log, or several: Log.read('zigzag.csv')")
    if hold_out is None:
        return logs, []
    if isinstance(hold_out, (int, float)):
        if len(logs) != 1 or not 0.0 < hold_out < 1.0:
            raise IdentificationError(
                "hold_out as a number is the last part of the only log, between 0 and 1; of several logs, name those "
                "that are held out"
            )
        log = logs[0]
        at = log.time[-1] - hold_out * (log.time[-1] - log.time[0])
        return [log.part(log.time[0], at)], [log.part(at, log.time[-1])]
    return logs, [hold_out] if isinstance(hold_out, Log) else list(hold_out)


def _check(outputs: Mapping[str, str], parameters: Mapping[str, Any], initial: str, confidence: float) -> None:
    if not outputs:
        raise IdentificationError("name what was measured: outputs={'nu[u]': 'speed'}")
    if not parameters:
        raise IdentificationError("name the parameters to find: parameters={'linear_damping[X,u]': None}")
    if initial not in ("estimate", "measured"):
        raise IdentificationError(f"initial must be 'estimate' or 'measured', not {initial!r}")
    if not 0.0 < confidence < 1.0:
        raise IdentificationError(f"confidence must be between 0 and 1, not {confidence!r}")


def _outcome(
    component: Diagram | Block, problem: _Problem, found: Any, count: int, held_out: list[Log],
    inputs: Mapping[str, Any], outputs: Mapping[str, str], step: float | None, solver: str, confidence: float,
    estimated: bool,
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
    if not np.all(sound):  # directions that data say nothing of
        blind = np.any(np.abs(vt[~sound]) > 1e-3, axis=0)
        deviations = np.where(blind, np.inf, deviations)
    quantile = float(stats.t.ppf(0.5 + 0.5 * confidence, freedom))
    names = [one.name for one in unknowns[:count]]
    values = {one.name: float(w[k] * one.scale) for k, one in enumerate(unknowns[:count])}
    scaled = covariance[:count, :count] * np.outer(problem.scales[:count], problem.scales[:count])
    fits = [Fit.of(replay, outputs, result) for replay, result in zip(problem.replays, problem.outputs(w), strict=True)]
    tests = []
    for log in held_out:
        for part in log.segments:
            replay = Replay(component, log, part, inputs, outputs, step, solver)
            own = _initials([replay], list(outputs), "estimate")
            fixed = [
                _Unknown(one.name, one.unit, (replay.parameter(one.name).place,), values[one.name], 0, 0, 1.0)
                for one in unknowns[:count]
            ]
            for one in fixed:
                place = one.places[0]
                assert place is not None
                replay.pristine[place] = one.start
            other = _Problem([replay], own, problem.sigma, problem.pool)
            w_other = other.solve().x if own else np.zeros(0)
            tests.append(Fit.of(replay, outputs, other.outputs(w_other)[0]))
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
            name: (values[name] - quantile * deviations[k], values[name] + quantile * deviations[k])
            for k, name in enumerate(names)
        },
        covariance=scaled,
        correlation=correlation,
        confidence=confidence,
        noise=dict(zip(outputs, problem.sigma.tolist(), strict=True)),
        fits=tuple(fits),
        tests=tuple(tests),
        at_bounds=at_bounds,
        warnings=tuple(warnings_of(names, J[:, :count], correlation, deviations[:count], values, at_bounds, fits)),
        converged=bool(found.success),
        component=_with(component, problem.replays[0], values),
    )
    return made


def problem_start(problem: _Problem, k: int) -> float:
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
            blocks[owner].set(**{parameter: stored.reshape(place.shape) if place.shape else float(stored[0])})
    return made
