"""Trim: the operating point at which a model is steady and does what is wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.lab.analysis.elements import Element, elements_of, find, find_all, find_one
from blocks.lab.analysis.errors import AnalysisError
from blocks.lab.analysis.linearization import derivatives, stand_at
from blocks.lab.analysis.model import Array, Model, number
from blocks.lab.analysis.point import OperatingPoint
from blocks.model.declare import Parameter
from blocks.plan.place import Place

TOLERANCE = 1e-9
"""Residuals above this part of nominal magnitudes mean that there is no such point."""
_NEARBY = 1e-6
"""Residuals with which an equilibrium is near enough to linearize about."""
_PROBES = 3
_ATTEMPTS = 30
_NEAR = 0.3
"""How far about their start, in nominal magnitudes, states are looked for; inputs go as far as they have to."""
_BOUND_MARGIN = 1e-9


class TrimError(AnalysisError):
    """No operating point was found. `point` is the nearest."""

    def __init__(self, message: str, point: OperatingPoint) -> None:
        super().__init__(message)
        self.point = point


@dataclass
class _Problem:
    """Unknowns w and equations F(w) = 0, both scaled by magnitudes."""

    model: Model
    time: float
    unknowns: list[Element]
    varied: list[bool]
    """Which of the unknowns are parameters."""
    rates: list[Element]
    """States whose derivatives are to vanish."""
    targets: list[tuple[Element, float]]
    scales: Array

    @property
    def places(self) -> list[int]:
        offset = self.model.plan.derivative_offset
        return [one.place + offset for one in self.rates] + [one.place for one, _ in self.targets]

    @property
    def weights(self) -> Array:
        return np.array([one.nominal for one in self.rates] + [max(one.nominal, abs(v)) for one, v in self.targets])

    def put(self, w: Array) -> None:
        self.model.values[[one.place for one in self.unknowns]] = w * self.scales
        self.model.hold(self.time)

    def residuals(self, w: Array) -> Array:
        self.put(w)
        wanted = np.array([0.0] * len(self.rates) + [value for _, value in self.targets])
        return np.asarray((self.model.values[self.places] - wanted) / self.weights)

    def jacobian(self, w: Array) -> Array:
        self.put(w)
        found, _ = derivatives(self.model, self.time, self.unknowns, self.varied, self.places)
        return found * self.scales / self.weights[:, None]


def trim(
    component: Diagram | Block,
    targets: Mapping[str, Any] | None = None,
    *,
    free: Sequence[str] | str | None = None,
    given: Mapping[str, Any] | None = None,
    guess: Mapping[str, Any] | None = None,
    drifting: Sequence[str] | str | None = None,
    start: OperatingPoint | float | str | None = None,
    step: float | str = 0.01,
) -> OperatingPoint:
    """Find the operating point at which all states are at rest, but for those that drift, and the targets are met.

    targets: values of outputs or states, `{"vessel.nu[u]": "2 kn"}`.
    free: inputs of the diagram, or parameters, that may be chosen for it; by default the inputs that are not `given`.
        Limits of parameters hold.
    given: constant values of inputs of the diagram.
    guess: values of states, free inputs or parameters to begin with; of several points the one nearby is found.
    drifting: states that need not be at rest. By default those on which no derivative of another state depends: the
        position of a vessel, its heading in still water, energy used.
    start: where states begin, as in `linearize`.

    What the targets do not decide stays as near to the start as it can. Samples and modes are held as they are at the
    start, so a diagram with sampled controllers is trimmed without them.

    Raises TrimError, with the nearest point, if there is none, and AnalysisError for names that are not there.
    """
    model = stand_at(component, start, given or {}, step=step)
    try:
        problem = _problem(model, targets or {}, free, given or {}, guess or {}, drifting)
        return _solved(problem)
    finally:
        model.close()


def newton_step(model: Model, time: float) -> bool:
    """Go to the equilibrium near where a model stands, by Newton's method alone; whether there is one that near.

    Parameters and inputs stay; states that drift may go on.
    """
    states = [element for place in model.continuous.values() for element in elements_of(place)]
    scales = np.array([model.scale(one) for one in states])
    problem = _Problem(model, time, states, [False] * len(states), states, [], scales)
    problem.rates = _settling(problem, states)
    if not problem.rates:
        return True
    w = np.array([model.values[one.place] for one in states]) / scales
    w = _newton(problem, w, np.full(len(w), -np.inf), np.full(len(w), np.inf))
    return bool(np.abs(problem.residuals(w)).max() <= _NEARBY)


def _problem(
    model: Model,
    targets: Mapping[str, Any],
    free: Sequence[str] | str | None,
    given: Mapping[str, Any],
    guess: Mapping[str, Any],
    drifting: Sequence[str] | str | None,
) -> _Problem:
    plan = model.plan
    states = [element for place in model.continuous.values() for element in elements_of(place)]
    chosen, varied = _free(model, free, given)
    aims = []
    for name, value in targets.items():
        element = find_one(_aims(model), name, "output or state")
        aims.append((element, number(value, element)))
    everything = {**model.states, **plan.inputs, **model.parameters}
    for name, value in guess.items():
        element = find_one(everything, name, "state, input or parameter")
        model.values[element.place] = number(value, element)
    for name, value in targets.items():  # a target that is a state is the best guess of it
        aim = find_one(_aims(model), name, "output or state")
        if any(aim.place == one.place for one in states):
            model.values[aim.place] = number(value, aim)
    unknowns = [*states, *chosen]
    scales = np.array(
        [model.scale(one) for one in states]
        + [model.scale(one, parameter=is_parameter) for one, is_parameter in zip(chosen, varied, strict=True)]
    )
    problem = _Problem(model, model.engine.time, unknowns, [False] * len(states) + varied, states, aims, scales)
    if drifting is None:
        problem.rates = _settling(problem, states)
    else:
        names = [drifting] if isinstance(drifting, str) else drifting
        loose = {one.name for one in find_all({"states": model.named(model.continuous)}, names, "continuous state")}
        problem.rates = [one for one in states if one.name not in loose]
    return problem


def _aims(model: Model) -> dict[str, Place]:
    """What targets may name."""
    return model.states | model.outputs


def _free(model: Model, free: Sequence[str] | str | None, given: Mapping[str, Any]) -> tuple[list[Element], list[bool]]:
    """Inputs and parameters that may be chosen."""
    plan = model.plan
    if free is None:
        found = [one for name, place in plan.inputs.items() if name not in given for one in elements_of(place)]
        return found, [False] * len(found)
    found, varied = [], []
    for name in [free] if isinstance(free, str) else free:
        bare = name.partition("[")[0]
        is_parameter = bare not in plan.inputs and model.parameter(bare) is not None
        elements = find(plan.inputs | model.parameters, name, "input or parameter")
        found += elements
        varied += [is_parameter] * len(elements)
    return found, varied


def _settling(problem: _Problem, states: list[Element]) -> list[Element]:
    """States that have to be at rest: all but those on which, one after the other, nothing depends.

    A derivative may vanish by chance at one point (drag at rest), so it has to at several.
    """
    model, n = problem.model, len(states)
    if n == 0:
        return []
    w = np.array([model.values[one.place] for one in problem.unknowns]) / problem.scales
    depends = np.zeros((n, n), dtype=bool)
    random = np.random.default_rng(0)
    reached = 0
    for probe in range(_PROBES + 1):
        try:
            found = problem.jacobian(w + probe * 0.1 * random.uniform(-1.0, 1.0, len(w)) * _looked_about(problem))
        except AnalysisError:  # the neighbourhood may not be one where the model has values
            continue
        reached += 1
        found = np.abs(found[:n, :n])
        depends |= found > 1e-9 * max(float(found.max(initial=0.0)), 1e-300)
    problem.put(w)
    if reached == 0:
        return states
    kept = list(range(n))
    while True:
        gone = [j for j in kept if not np.any(depends[kept, j])]
        if not gone:
            return [states[j] for j in kept]
        kept = [j for j in kept if j not in gone]


def _looked_about(problem: _Problem) -> Array:
    """1 for unknowns that are looked about, 0 for parameters, which have limits, and for states that drift."""
    settling = {one.place for one in problem.rates}
    states = {one.place for place in problem.model.continuous.values() for one in elements_of(place)}
    return np.array([
        0.0 if varied or (one.place in states and one.place not in settling) else 1.0
        for one, varied in zip(problem.unknowns, problem.varied, strict=True)
    ])  # fmt: skip


def _solved(problem: _Problem) -> OperatingPoint:
    model = problem.model
    w = np.array([model.values[one.place] for one in problem.unknowns]) / problem.scales
    lower, upper = _limits(problem)
    w = np.clip(w, lower, upper)
    parameters = {
        name: place
        for name, place in model.plan.parameters.items()
        if any(v and place.first <= one.place < place.first + place.count
               for one, v in zip(problem.unknowns, problem.varied, strict=True))
    }  # fmt: skip
    if not problem.places:
        problem.put(w)
        return OperatingPoint.of(model, problem.time, parameters)
    w = _found(problem, w, lower, upper)
    residuals = problem.residuals(w)
    point = OperatingPoint.of(model, problem.time, parameters)
    if np.abs(residuals).max() > TOLERANCE:
        raise TrimError(_why(problem, w, residuals, lower, upper), point)
    return point


def _found(problem: _Problem, w: Array, lower: Array, upper: Array) -> Array:
    """The solution, or the best that there is: from the start, then from other places around it.

    A thrust that goes with n|n| has no slope at rest, so that the start may be a place from which no way leads on.
    """
    random = np.random.default_rng(0)
    n = len(problem.unknowns) - _count_free(problem)
    best, least = w, np.inf
    for attempt in range(_ATTEMPTS):
        begin = w
        if attempt:
            reach = 10.0 ** random.uniform(-1.0, 2.0) * _looked_about(problem)
            reach[:n] = np.minimum(reach[:n], _NEAR)
            begin = np.clip(w + reach * random.uniform(-1.0, 1.0, len(w)), lower, upper)
        try:
            candidate = _newton(problem, begin, lower, upper)
            if attempt and np.abs(problem.residuals(candidate)).max() > TOLERANCE:
                found = scipy.optimize.least_squares(
                    problem.residuals, candidate, problem.jacobian, (lower, upper), max_nfev=100
                )
                candidate = _newton(problem, found.x, lower, upper)
            size = np.abs(problem.residuals(candidate)).max()
        except (AnalysisError, ValueError, np.linalg.LinAlgError):  # a start where the model has no values
            continue
        if size < least:
            best, least = candidate, size
        if least <= TOLERANCE:
            break
    return best


def _newton(problem: _Problem, w: Array, lower: Array, upper: Array) -> Array:
    """Newton's method with shortest steps: what the equations do not decide stays where it is."""
    residuals = problem.residuals(w)
    for _ in range(50):
        size = np.abs(residuals).max()
        if size < 1e-14:
            break
        step = np.linalg.lstsq(problem.jacobian(w), -residuals, rcond=1e-10)[0]
        for _ in range(20):
            candidate = np.clip(w + step, lower, upper)
            try:
                tried = problem.residuals(candidate)
            except AnalysisError:
                tried = np.full_like(residuals, np.inf)
            if np.linalg.norm(tried) < np.linalg.norm(residuals):
                break
            step = 0.5 * step
        else:
            break
        w, residuals = candidate, tried
    problem.put(w)
    return w


def _limits(problem: _Problem) -> tuple[Array, Array]:
    lower, upper = np.full(len(problem.unknowns), -np.inf), np.full(len(problem.unknowns), np.inf)
    for i, (element, varied) in enumerate(zip(problem.unknowns, problem.varied, strict=True)):
        if varied:
            place = problem.model.plan.parameters[element.name.partition("[")[0]]
            lower[i], upper[i] = limits_of(place.parameter)  # type: ignore[call-overload]
    return lower / problem.scales, upper / problem.scales


def limits_of(declared: Parameter | None) -> tuple[float, float]:
    """Between what a parameter may lie by its declaration; limits that are excluded are kept off by a little."""
    if declared is None:
        return -np.inf, np.inf
    low, high = -np.inf, np.inf
    if declared.at_least is not None:
        low = declared.at_least
    if declared.above is not None:
        low = max(low, declared.above + _BOUND_MARGIN * max(1.0, abs(declared.above)))
    if declared.at_most is not None:
        high = declared.at_most
    if declared.below is not None:
        high = min(high, declared.below - _BOUND_MARGIN * max(1.0, abs(declared.below)))
    return low, high


def _why(problem: _Problem, w: Array, residuals: Array, lower: Array, upper: Array) -> str:
    names = [f"d/dt {one.name}" for one in problem.rates] + [one.name for one, _ in problem.targets]
    units = [f"{one.unit}/s" for one in problem.rates] + [one.unit for one, _ in problem.targets]
    worst = np.argsort(-np.abs(residuals))[:3]
    left = ", ".join(
        f"{names[i]} is off by {residuals[i] * problem.weights[i]:.3g} {units[i]}"
        for i in worst
        if abs(residuals[i]) > TOLERANCE
    )
    at_limit = [one.name for one, x, a, b in zip(problem.unknowns, w, lower, upper, strict=True) if x in (a, b)]
    free = [one.name for one in problem.unknowns[len(problem.unknowns) - _count_free(problem) :]]
    hint = f"; at their limits: {', '.join(at_limit)}" if at_limit else ""
    equations, unknowns = len(residuals), len(w)
    if not free:
        hint += "; nothing is free: name inputs or parameters with free=[…]"
    elif equations > unknowns:
        hint += f"; there are {equations} equations for {unknowns} unknowns: free more inputs or parameters"
    else:
        hint += "; try another guess=…, or let a state drift by drifting=[…]"
    return f"no operating point found: {left}{hint}"


def _count_free(problem: _Problem) -> int:
    return len(problem.unknowns) - sum(place.count for place in problem.model.continuous.values())
