"""What is fitted: parameters of the model, what is found beside them, and initial values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from blocks.errors import ParameterError, did_you_mean
from blocks.lab.analysis.trim import limits_of
from blocks.lab.identification.errors import IdentificationError
from blocks.lab.identification.least_squares import Unknown
from blocks.lab.identification.replay import LARGEST, Replay
from blocks.units import to_unit

_UNBOUNDED_RATIO = 1e30
"""A bound this many times farther than the start of the search counts as none: SciPy's steps would overflow."""
_LATEST = 0.1
"""Delays and lags are not longer than this part of the shortest run, unless bounds say so."""

Beside = Mapping[str, Any] | Sequence[str] | str
"""Names with bounds, (low, high) or None, or with {"bounds": …, "prior": …}; or names alone."""


def parameter_unknowns(
    replays: list[Replay], parameters: Mapping[str, Any], priors: Mapping[str, tuple[Any, Any]]
) -> list[Unknown]:
    """Parameters of the model, as they are asked for."""
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
        low, high = _within(name, first.unit, bounds, low, high)
        start = float(replays[0].pristine[first.place])
        inside = min(max(start, low), high)
        reach = _UNBOUNDED_RATIO * (abs(inside) or min(1.0, high - low))
        low, high = (low if low > inside - reach else -np.inf), (high if high < inside + reach else np.inf)
        if np.isfinite(low) and np.isfinite(high) and inside in (low, high):
            inside = 0.5 * (low + high)
        prior = _prior(name, first.unit, priors.get(name))
        scale = abs(inside) or (high - low if np.isfinite(high - low) else 1.0)
        if prior is not None and not max(scale, abs(inside - prior[0])) < LARGEST * prior[1]:
            raise IdentificationError(
                f"the prior of {name}, {prior[0]:g} with a standard deviation of {prior[1]:g}, cannot be weighed: "
                f"give the parameter that value, and do not fit it"
            )
        places = tuple(element.place for element in elements)
        made.append(Unknown(name, first.unit, places, inside, low, high, scale, prior))
    return made


def beside_unknowns(
    replays: list[Replay], outputs: Mapping[str, str], delay: Beside, lag: Beside, bias: Beside, steady: Beside
) -> tuple[list[Unknown], list[Unknown]]:
    """What is found beside the parameters: of the model, delays and lags, and of each log, biases and steady inputs."""
    time, each = replays[0].step, [replay.time for replay in replays]
    usual = float(np.median(np.concatenate([np.diff(one) for one in each])))
    latest = _LATEST * min(float(one[-1]) for one in each)
    model = []
    for kind, given in (("delay", delay), ("lag", lag)):
        for column, entry in entries_of(kind, given).items():
            if column not in replays[0].columns:
                raise IdentificationError(
                    f"{kind}: no input of the model is driven by '{column}'{did_you_mean(column, replays[0].columns)}"
                )
            name = f"{kind} of {column}"
            bounds, prior = _entry(name, entry)
            low, high = _within(name, "s", bounds, -np.inf if bounds and kind == "delay" else 0.0, np.inf)
            high = max(latest, low + usual) if np.isinf(high) else high
            start = usual if low < usual < high else 0.5 * (low + high)
            places: tuple[int | None, ...] = tuple(replay.beside(kind, column) for replay in replays)
            model.append(Unknown(name, "s", places, start, low, high, max(usual, time), _prior(name, "s", prior)))
    logs = list({id(replay.log): replay.log for replay in replays}.values())
    trial = []
    for number, log in enumerate(logs):
        same = sum(one.name == log.name for one in logs[:number])
        where = f"{log.name} ({same + 1})" if same else log.name
        mine = [replay.log is log for replay in replays]
        for column, entry in entries_of("bias", bias).items():
            if column not in outputs.values():
                raise IdentificationError(
                    f"bias: no output is measured by '{column}'{did_you_mean(column, list(outputs.values()))}"
                )
            j = list(outputs.values()).index(column)
            unit = replays[0].outputs[j].unit
            scale = max(float(np.std(np.concatenate([replay.measured[:, j] for replay in replays]))), 1e-6)
            places = tuple(one.beside("bias", column) if own else None for one, own in zip(replays, mine, strict=True))
            trial.append(_of_trial(f"bias of {column} in {where}", unit, places, 0.0, scale, entry))
        for name, entry in entries_of("steady", steady).items():
            elements = [replay.steady(name) for replay in replays]
            for k, element in enumerate(elements[0]):
                places = tuple(one[k].place if own else None for one, own in zip(elements, mine, strict=True))
                begin = float(replays[0].pristine[element.place])
                scale = max(abs(begin), abs(element.nominal)) or 1.0
                trial.append(_of_trial(f"{element.name} in {where}", element.unit, places, begin, scale, entry))
    return model, trial


def _of_trial(name: str, unit: str, places: tuple[int | None, ...], begin: float, scale: float, entry: Any) -> Unknown:
    bounds, prior = _entry(name, entry)
    low, high = _within(name, unit, bounds, -np.inf, np.inf)
    start = min(max(begin, low), high)
    if start in (low, high) and np.isfinite(low + high):
        start = 0.5 * (low + high)
    return Unknown(name, unit, places, start, low, high, scale, _prior(name, unit, prior))


def entries_of(kind: str, given: Beside) -> dict[str, Any]:
    """Names with what is said of each. Raises IdentificationError."""
    if isinstance(given, str):
        return {given: None}
    if isinstance(given, Mapping):
        return dict(given)
    if isinstance(given, Sequence) and all(isinstance(name, str) for name in given):
        return dict.fromkeys(given)
    raise IdentificationError(f"{kind} must be names, or names with bounds, {{name: (low, high)}}, not {given!r}")


def _entry(name: str, entry: Any) -> tuple[Any, Any]:
    """Bounds and prior."""
    if not isinstance(entry, Mapping):
        return entry, None
    for key in entry:
        if key not in ("bounds", "prior"):
            raise IdentificationError(f"{name}: unknown key '{key}'{did_you_mean(key, ('bounds', 'prior'))}")
    return entry.get("bounds"), entry.get("prior")


def _within(name: str, unit: str, bounds: Any, low: float, high: float) -> tuple[float, float]:
    """The bounds that are given, within those that hold anyway."""
    if bounds is not None:
        try:
            given = [number_of(name, unit, one) for one in bounds]
            low = max(low, given[0]) if given[0] is not None else low
            high = min(high, given[1]) if given[1] is not None else high
        except (TypeError, ValueError, IndexError) as problem:
            raise IdentificationError(f"the bounds of {name} must be (low, high) or None: {problem}") from None
    if not low < high:
        raise IdentificationError(f"the lower bound of {name} must be below the upper one, not {low:g} and {high:g}")
    return low, high


def _prior(name: str, unit: str, given: Any) -> tuple[float, float] | None:
    if given is None:
        return None
    try:
        mean, deviation = (number_of(f"the prior of {name}", unit, one) for one in given)
    except (TypeError, ValueError):
        mean = deviation = None
    if mean is None or deviation is None or not deviation > 0.0:
        raise IdentificationError(f"the prior of {name} must be (mean, standard deviation > 0), not {given}")
    return mean, deviation


def initial_unknowns(replays: list[Replay], outputs: list[str], initial: str) -> list[Unknown]:
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
                if len(replay.log.segments) > 1:
                    name += f" from {replay.log.time[replay.segment][0]:g} s"
                made.append(Unknown(name, element.unit, places, value, -np.inf, np.inf, scale, is_initial=True))
    return made


def number_of(what: str, unit: str, given: Any) -> float | None:
    """A number in a unit, of text or as it is; None for None. Raises IdentificationError."""
    if given is None:
        return None
    try:
        found = to_unit(given, unit) if isinstance(given, str) else float(given)
    except (ParameterError, TypeError, ValueError) as problem:
        raise IdentificationError(f"{what}: {problem}") from None
    if np.isnan(found):
        raise IdentificationError(f"{what}: it must be a number, not {given!r}")
    return found
