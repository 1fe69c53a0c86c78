"""Minimise a metric over parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import did_you_mean
from blocks.input_series import attach_inputs
from blocks.lab.analysis.elements import find, find_one
from blocks.lab.tuning.bench import Bench, Trial, weighted_sum
from blocks.lab.tuning.errors import TuningError, TuningInterrupted
from blocks.lab.tuning.knobs import Array, Knob, knobs_of
from blocks.lab.tuning.outcome import Tuned
from blocks.lab.tuning.progress import TuningBar
from blocks.metrics import RunMetric
from blocks.plan import Plan, make_plan
from blocks.plan.settings import ADAPTIVE, FIXED_STEP
from blocks.run.inputs import input_numbers
from blocks.run.pieces import usable_cores
from blocks.units import to_unit

METHODS = ("differential-evolution", "nelder-mead", "powell", "cobyqa", "l-bfgs-b")
Progress = Callable[[int, float], None]

_AT_BOUND = 1e-3


def tune(
    component: Diagram | Block,
    minimise: str | Mapping[str, float],
    over: Mapping[str, Any],
    *,
    end: float | str,
    step: float | str = 0.01,
    solver: str = "rk4",
    stop: str | None = None,
    subject_to: Mapping[str, Any] | None = None,
    cases: Sequence[Mapping[str, Any]] | Mapping[str, Mapping[str, Any]] = (),
    worst: bool = False,
    inputs: Mapping[str, Any] | None = None,
    method: str | None = None,
    trials: int = 500,
    seed: int = 0,
    every: int = 1,
    workers: int | None = None,
    progress: bool | Progress = False,
    **settings: Any,
) -> Tuned:
    """Find the parameters at which a metric of runs is least.

    minimise: a metric in text, "itae(vessel.eta[psi], wanted.y)"; see `blocks.metrics`. Several with their weights,
        {"rms(error.y)": 1.0, "effort(heading.output)": 0.01}, count by their weighted sum.
    over: parameters by name, "heading.kp" or "heading.kd[0]", each with bounds (low, high), numbers or text with units,
        or None for those of its declaration.
    subject_to: metrics in text, each with its upper limit, or (low, high).
    cases: values of other parameters, a mapping for each case, such as currents or seeds, or those by label; each trial
        runs all of them, and counts the mean, or with `worst` the largest value, of each metric.
    inputs: values of inputs of the diagram, as `simulate` takes them: numbers, (times, values), held with a third item.
    method: "differential-evolution" searches everywhere between finite bounds, on all cores, and is the default if all
        bounds are finite; "nelder-mead", the default otherwise, "powell", "l-bfgs-b" and "cobyqa" go downhill from the
        present values.
    trials: about how many sets of values are tried.
    progress: True for a progress bar, or a function of (trials done, least value so far).
    settings: others of `Settings`: start, relative_tolerance, absolute_tolerance, max_step.

    A trial whose run fails, or cannot be measured, counts as infinitely bad and is kept with its reason.

    Raises TuningError for what cannot be tuned, and if no trial succeeded; TuningInterrupted on Ctrl-C, with what was
    found until then. Other errors are those of `simulate`.

    Sources: Storn and Price (1997), Differential evolution; Nelder and Mead (1965); Ragonneau and Zhang (2024), COBYQA:
    all as in SciPy.
    """
    weights = _weights(minimise)
    metrics = {text: RunMetric.of(text) for text in (*weights, *(subject_to or {}))}
    if solver not in FIXED_STEP + ADAPTIVE:
        raise TuningError(f"tuning steps with {', '.join(FIXED_STEP + ADAPTIVE)}, not {solver}")
    driven, constants = attach_inputs(component, inputs or {})
    plan = make_plan(
        driven, stop=stop, end=end, step=step, solver=solver, **settings,
        input_shapes={name: np.shape(value) for name, value in constants.items()},
    )  # fmt: skip
    given = {name: input_numbers(plan.inputs[name], value) for name, value in constants.items()}
    if plan.python_blocks:
        raise TuningError("diagrams with blocks written in Python cannot be tuned: write the block as a kernel")
    units = {text: _unit(plan, metric) for text, metric in metrics.items()}
    limits = {
        text: _limit(text, one, units[text] if _is_known(plan, metrics[text]) else None)
        for text, one in (subject_to or {}).items()
    }
    knobs = knobs_of(plan, over)
    objective = next(iter(weights)) if isinstance(minimise, str) else weighted_sum(weights)
    bench = Bench(plan, knobs, metrics, cases, given, every, worst, {} if isinstance(minimise, str) else weights)
    method = method or ("differential-evolution" if _finite(knobs) else "nelder-mead")
    _check(method, knobs, limits, trials)
    search = _Search(bench, knobs, objective, limits, int(trials))
    begin = search.try_values(np.array([knob.start for knob in knobs]))
    interrupted = False
    with TuningBar.of(progress, int(trials)) as report:
        search.report = report
        try:
            converged, message = _run(search, method, seed, usable_cores() if workers is None else workers)
        except _TrialsUsedUp:
            converged, message = False, f"stopped after {search.count} trials"
        except KeyboardInterrupt:
            converged, message, interrupted = False, f"interrupted after {search.count} trials", True
    if search.best is None:
        raise TuningError(f"none of {search.count} trials succeeded; the first: {begin.reason or 'limits are broken'}")
    tuned = _outcome(component, bench, search, begin, converged, message, units)
    if interrupted:
        raise TuningInterrupted(f"{message}; the best value is {tuned.value:.5g}", tuned)
    return tuned


class _TrialsUsedUp(Exception):
    """The number of trials is reached."""


class _Search:
    """Runs trials and keeps their results."""

    def __init__(
        self, bench: Bench, knobs: Sequence[Knob], minimise: str, limits: Mapping[str, tuple[float, float]], trials: int
    ) -> None:
        self.bench, self.knobs, self.minimise, self.limits, self.most = bench, knobs, minimise, limits, trials
        self.rows: list[Trial] = []
        self.best: Trial | None = None
        self.report: Progress = lambda count, least: None

    @property
    def count(self) -> int:
        return len(self.rows)

    def values(self, position: Array) -> Array:
        return np.array([knob.value(one) for knob, one in zip(self.knobs, position, strict=True)])

    def try_values(self, values: Array) -> Trial:
        return self.keep(self.bench.measure(values))

    def keep(self, trial: Trial) -> Trial:
        self.rows.append(trial)
        if not trial.reason and self.excess(trial) <= 0.0 and (
            self.best is None or trial.metrics[self.minimise] < self.best.metrics[self.minimise]
        ):  # fmt: skip
            self.best = trial
        self.report(self.count, np.nan if self.best is None else self.best.metrics[self.minimise])
        return trial

    def excess(self, trial: Trial) -> float:
        """By how much limits are broken, as a part of each."""
        worst = 0.0
        for text, (low, high) in self.limits.items():
            scale = max(abs(x) for x in (low, high) if np.isfinite(x)) or 1.0
            worst = max(worst, (trial.metrics[text] - high) / scale, (low - trial.metrics[text]) / scale)
        return worst

    def cost(self, position: Array) -> float:
        """What is minimised."""
        if self.count >= self.most:
            raise _TrialsUsedUp
        return self._cost_of(self.try_values(self.values(position)))

    def costs(self, positions: Array, pool: ThreadPoolExecutor) -> Array:
        """The same of several at once, kept in their order, so that nothing depends on which is done first."""
        if self.count + len(positions) > self.most and self.count > 1:
            raise _TrialsUsedUp
        found = [pool.submit(self.bench.measure, self.values(position)) for position in positions]
        try:
            return np.array([self._cost_of(self.keep(one.result())) for one in found])
        finally:  # on Ctrl-C, trials that have not begun are not waited for
            for one in found:
                one.cancel()

    def _cost_of(self, trial: Trial) -> float:
        """The metric; limits by a penalty, and failures by more."""
        if trial.reason or not np.isfinite(trial.metrics[self.minimise]):
            return 1e30
        excess = self.excess(trial)
        return trial.metrics[self.minimise] if excess <= 0.0 else 1e15 * (1.0 + excess)


def _run(search: _Search, method: str, seed: int, workers: int) -> tuple[bool, str]:
    """Let SciPy search."""
    bounds = [knob.bounds for knob in search.knobs]
    begin = np.array([knob.position(knob.start) for knob in search.knobs])
    if method == "differential-evolution":
        size = int(np.clip(search.most // 20, 8, 15 * len(bounds)))
        with ThreadPoolExecutor(workers) as pool:
            found = optimize.differential_evolution(
                lambda positions: search.costs(positions.T, pool), bounds, x0=begin, maxiter=10**6,
                popsize=max(1, size // len(bounds)), polish=False, tol=1e-4, rng=seed, vectorized=True,
                updating="deferred",
            )  # fmt: skip
    else:
        options: dict[str, Any] = {"nelder-mead": {"xatol": 1e-4, "fatol": 1e-9, "maxfev": search.most}}.get(method, {})
        if method == "nelder-mead":
            options["initial_simplex"] = _simplex(begin, bounds)
        found = optimize.minimize(search.cost, begin, method=method, bounds=bounds, options=options)
    return bool(found.success), str(found.message).strip().rstrip(".").lower()


def _simplex(begin: Array, bounds: Sequence[tuple[float, float]]) -> Array:
    """A fifth of the way to a bound, or a fifth of one, in each direction: wide enough to see beyond noise."""
    points = [begin]
    for i, (low, high) in enumerate(bounds):
        step = 0.2 if not np.isfinite(high) or high - begin[i] > 0.2 else -0.2
        corner = begin.copy()
        corner[i] = np.clip(begin[i] + step, low, high)
        points.append(corner)
    return np.array(points)


def _outcome(
    component: Diagram | Block, bench: Bench, search: _Search, begin: Trial, converged: bool, message: str,
    units: Mapping[str, str],
) -> Tuned:  # fmt: skip
    best = search.best
    assert best is not None
    names = [knob.element.name for knob in search.knobs]
    run = bench.run(best.values)
    rows = pd.DataFrame([dict(zip(names, trial.values, strict=True)) | dict(trial.metrics) for trial in search.rows])
    good = [not trial.reason and search.excess(trial) <= 0.0 for trial in search.rows]
    rows["best"] = rows[search.minimise].where(good).cummin().ffill()
    broken = "a limit is broken" if len(search.limits) == 1 else "limits are broken"
    rows["reason"] = [trial.reason or ("" if sound else broken) for trial, sound in zip(search.rows, good, strict=True)]
    units = {knob.element.name: knob.element.unit for knob in search.knobs} | dict(units)
    at_bounds = tuple(
        knob.element.name
        for knob, value in zip(search.knobs, best.values, strict=True)
        if min(abs(knob.position(value) - edge) for edge in knob.bounds) < _AT_BOUND
    )
    return Tuned(
        search.minimise, dict(zip(names, best.values.tolist(), strict=True)),
        dict(zip(names, begin.values.tolist(), strict=True)), best.metrics, begin.metrics, units, rows, run,
        _with(component, bench, best.values), converged, message, at_bounds, search.limits,
    )  # fmt: skip


def _with(component: Diagram | Block, bench: Bench, values: Array) -> Diagram | Block:
    """A copy with the values set."""
    made = component.copy()
    if isinstance(made, Diagram):
        blocks = made.blocks()
    else:
        blocks = {next(leaf.name for leaf in bench.plan.flat.leaves if type(leaf.block) is type(made)): made}
    numbers = {knob.element.place: value for knob, value in zip(bench.knobs, values, strict=True)}
    for name, place in bench.plan.parameters.items():
        if any(place.first <= one < place.first + place.count for one in numbers):
            owner, _, parameter = name.rpartition(".")
            stored = bench.plan.engine().values[place.slice].copy()
            for one, value in numbers.items():
                if place.first <= one < place.first + place.count:
                    stored[one - place.first] = value
            blocks[owner].set(**{parameter: stored.reshape(place.shape) if place.shape else float(stored[0])})
    return made


def _weights(minimise: str | Mapping[str, float]) -> dict[str, float]:
    """What is minimised: metrics in text with their weights. Raises TuningError."""
    if isinstance(minimise, str):
        return {minimise: 1.0}
    if not isinstance(minimise, Mapping) or not minimise:
        raise TuningError(f"minimise must be a metric in text, or several with their weights, not {minimise!r}")
    for text, weight in minimise.items():
        if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not np.isfinite(weight):
            raise TuningError(f"the weight of '{text}' must be a number, not {weight!r}")
    return {text: float(weight) for text, weight in minimise.items()}


def _unit(plan: Plan, metric: RunMetric) -> str:
    """The unit of a metric. Raises MetricError and AnalysisError for signals that it cannot be of, before any run."""
    metric.needs(plan.outputs)
    units: dict[str, str] = {}
    for kind, signal in zip(metric.definition.signals, metric.signals, strict=False):
        whole = kind.strip("[]") in metric.definition.whole
        elements = find(plan.outputs, signal, "output") if whole else [find_one(plan.outputs, signal, "output")]
        units[signal] = elements[0].unit
    return metric.unit(units)


def _is_known(plan: Plan, metric: RunMetric) -> bool:
    """Whether a metric's unit follows from its signals: what a PID gives has none of its own."""
    return all(plan.outputs[signal.partition("[")[0]].unit is not None for signal in metric.signals[:1])


def _limit(text: str, given: Any, unit: str | None) -> tuple[float, float]:
    low, high = given if isinstance(given, (tuple, list)) and len(given) == 2 else (None, given)
    found = []
    for one, otherwise in ((low, -np.inf), (high, np.inf)):
        try:
            found.append(otherwise if one is None else to_unit(one, unit) if isinstance(one, str) else float(one))
        except (TypeError, ValueError, OverflowError) as problem:
            raise TuningError(f"the limit of '{text}' must be a number, or (low, high): {problem}") from None
    if not found[0] <= found[1] or found == [-np.inf, np.inf]:
        raise TuningError(f"the limits of '{text}' must be (low, high), not {given!r}")
    return found[0], found[1]


def _finite(knobs: Sequence[Knob]) -> bool:
    return all(np.isfinite(knob.low) and np.isfinite(knob.high) for knob in knobs)


def check_method(method: Any) -> None:
    """Raise TuningError unless there is such a method."""
    if method not in METHODS:
        raise TuningError(f"no method '{method}'{did_you_mean(str(method), METHODS)}")


def _check(method: str, knobs: Sequence[Knob], limits: Mapping[str, Any], trials: int) -> None:
    check_method(method)
    if method == "differential-evolution" and not _finite(knobs):
        open_ended = [knob.element.name for knob in knobs if not np.isfinite(knob.low) or not np.isfinite(knob.high)]
        raise TuningError(
            f"differential-evolution needs bounds on both sides of every parameter; {', '.join(open_ended)} has none: "
            f"over={{'{open_ended[0]}': (low, high)}}"
        )
    if isinstance(trials, bool) or not isinstance(trials, (int, np.integer)) or trials < 2:
        raise TuningError(f"trials must be a whole number ≥ 2, not {trials!r}")
