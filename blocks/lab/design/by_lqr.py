"""All loops at once: a linear-quadratic regulator, and the gains that the controllers have which come nearest to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from blocks.lab.analysis.errors import AnalysisError
from blocks.lab.design.by_shaping import bearable, score
from blocks.lab.design.look import Look
from blocks.lab.design.open_loops import OpenLoops
from blocks.lab.design.regulator import projected, regulator
from blocks.lab.design.rig import Rig
from blocks.lab.design.robustness import Array, disk_margin
from blocks.lab.design.shaping import DISK, Knobs, good, knobs_of, named, values_of

if TYPE_CHECKING:
    from blocks.run.result import Result

_DEARER = (1.0, 2.0, 0.5, 5.0, 0.2, 10.0, 0.1, 30.0, 100.0, 300.0)
_LESS = 0.9
"""What guidance may lose of its margins, which it gets back by a longer lookahead."""
_LASTS = 10.0
"""The largest error is weighed as if it lasted for so many times the reciprocal of the loop's crossover."""


@dataclass(frozen=True)
class _Plant:
    """The plant with the controllers to be tuned taken away, dx/dt = A x + B u, and with integrals of errors.

    seen: C of each controller, rows of error, integral and rate as far as it has them.
    """

    A: Array
    B: Array
    seen: list[Array]
    has: list[tuple[int, ...]]
    """Which of k_p, k_i, k_d the rows belong to."""


def by_lqr(rig: Rig, before: Look, chosen: list[str], phase: float, result: Result) -> dict[str, str]:
    """Give the rig gains of a regulator of all acting loops that are chosen; why others are kept.

    Weights are by Bryson's rule, q = 1/e², r = 1/u²: e is the largest error and u the largest output in the run,
    which no limit lets be larger. Outputs then are made dearer or cheaper, all by one factor, until each loop bears
    enough.

    Raises AnalysisError if no controller that is chosen has gains of its own, or none makes stable what grows.

    Source: Bryson and Ho (1975), Applied Optimal Control, ch. 5 (weights).
    """
    loops = rig.loops(before.moment)
    assert loops is not None
    index = {one.name: k for k, one in enumerate(loops.channels)}
    kept = {name: "asks other controllers" for name in chosen if before.steers(name)}
    acting = [name for name in chosen if name not in kept]
    if all(good(before.margins[name], phase) for name in acting) and not before.unstable:
        return kept | dict.fromkeys(acting, "bears enough as it is")
    knobs = {index[name]: found for name in acting if (found := knobs_of(rig, loops, index[name])) is not None}
    kept |= {name: "has no gain of its own that is a number" for name in acting if index[name] not in knobs}
    if not knobs:
        raise AnalysisError("no loop has gains of its own that a regulator could give")
    own = {name: value for one in knobs.values() for name, value in values_of(rig, one.names).items()}
    plant = _plant(rig, before, knobs, own)
    e, u = _sizes(rig, before, knobs, own, result)
    crossovers = [before.margins[loops.channels[k].name].crossover for k in knobs]
    best, least, limit = own, (False, -np.inf), bearable(before)
    for dear in _DEARER:
        try:
            gains = _gains(plant, e, u, crossovers, dear)
        except (np.linalg.LinAlgError, ValueError):
            continue
        new = dict(own)
        for one, values in zip(knobs.values(), gains, strict=True):
            new |= named(one, new, values)
        rig.set(new)
        tried = rig.loops(before.moment)
        size = (False, -np.inf) if tried is None else _reached(tried, loops, list(knobs), phase, limit)
        if size > least:
            best, least = new, size
        if least >= (True, 1.0):
            break
    rig.set(best)
    if best is own:
        raise AnalysisError("no regulator makes the loops stable: what grows is out of reach of their controllers")
    return kept


def _reached(new: OpenLoops, old: OpenLoops, knobs: list[int], phase: float, limit: float) -> tuple[bool, float]:
    """How near the loop that bears least is to what is wanted, 1 at most, and guidance to what it bore before."""
    stable, size = min(score(new, k, phase, limit) for k in knobs)
    steering = [k for k in old.looped if old.channels[k].steers]
    share = min((disk_margin(new.loops([k])) / min(DISK, disk_margin(old.loops([k]))) for k in steering), default=1.0)
    return stable, min(size, share / _LESS) if stable else size


def _plant(rig: Rig, before: Look, knobs: Mapping[int, Knobs], own: Mapping[str, Array]) -> _Plant:
    """What the controllers act on, with the gains that they have; and what they see: with none, k_p and k_d alone.

    With other gains the outputs at that moment are others, and with them the slopes of thrusters.
    """
    now = rig.loops(before.moment)
    assert now is not None
    try:
        free = _linear(rig, before, knobs, own, None)
        parts = [_linear(rig, before, knobs, own, role) for role in (0, 2)]
    finally:
        rig.set(own)
    out = [k for k in range(len(free.channels)) if k in knobs or free.channels[k].steers]
    mine = [out.index(k) for k in knobs]
    (A, B), C = now.closed_but(out)[:2], free.closed_but(out)[2][mine]
    B = B[:, mine]
    A = A + B @ C  # what a controller does besides, such as making up for damping
    rows = []
    for role, part in zip((0, 2), parts, strict=True):
        there = part.closed_but(out)[2][mine]
        size = np.array([_unit(own, one) if (one.p, one.i, one.d)[role] else np.inf for one in knobs.values()])
        rows.append((there - C) / size[:, None])
    owners = tuple({free.channels[k].block for k in knobs})
    private = np.array([state.rpartition(".")[0] in owners for state in free.system.states])
    error, rate = rows
    filtered = np.any(np.abs(rate[:, private]) > 0.0, axis=1) & ~np.all(rate == 0.0, axis=1)
    error = np.where(private, 0.0, error)
    rate = np.where(filtered[:, None], error @ A, np.where(private, 0.0, rate))
    kept = _needed(A, np.concatenate([error, rate]), private)
    A, B, error, rate = A[np.ix_(kept, kept)], B[kept], error[:, kept], rate[:, kept]
    integrals = [k for k, one in enumerate(knobs.values()) if one.i and np.any(own[one.i])]
    n, more = len(A), len(integrals)
    A = np.block([[A, np.zeros((n, more))], [error[integrals], np.zeros((more, more))]])
    B = np.concatenate([B, np.zeros((more, B.shape[1]))])
    seen, has = [], []
    for k, one in enumerate(knobs.values()):
        found = {0: np.r_[error[k], np.zeros(more)]}
        if k in integrals:
            found[1] = np.eye(n + more)[n + integrals.index(k)]
        if one.d and np.any(rate[k]):
            found[2] = np.r_[rate[k], np.zeros(more)]
        seen.append(np.array(list(found.values())))
        has.append(tuple(found))
    return _Plant(A, B, seen, has)


def _linear(
    rig: Rig, before: Look, knobs: Mapping[int, Knobs], own: Mapping[str, Array], role: int | None
) -> OpenLoops:
    gains = dict(own)
    for one in knobs.values():
        values = np.zeros(3)
        if role is not None:
            values[role] = _unit(own, one)
        gains |= named(one, gains, values, digits=17)
    rig.set(gains)
    found = rig.loops(before.moment)
    assert found is not None
    return found


def _unit(own: Mapping[str, Array], one: Knobs) -> float:
    return float(np.max(np.abs(own[one.p]))) or 1.0


def _needed(A: Array, rows: Array, private: NDArray[np.bool_]) -> list[int]:
    """States on which errors and their rates depend, one after the other, but for those of the controllers."""
    large = 1e-14 * max(float(np.abs(A).max(initial=0.0)), 1e-300)
    found = np.any(np.abs(rows) > 1e-12 * max(float(np.abs(rows).max(initial=0.0)), 1e-300), axis=0) & ~private
    while True:
        more = (found | np.any(np.abs(A[found]) > large, axis=0)) & ~private
        if np.array_equal(more, found):
            return [int(k) for k in np.flatnonzero(found)]
        found = more


def _sizes(
    rig: Rig, before: Look, knobs: Mapping[int, Knobs], own: Mapping[str, Array], result: Result
) -> tuple[Array, Array]:
    """The largest error of each loop in the run, and its largest output."""
    errors, outputs = [], []
    for k, one in knobs.items():
        channel = before.open_loops.channels[k]
        output = _largest(result, channel.output, one.element) or 1.0
        kp = abs(_element(rig, one.p, one.element)) or 1.0
        errors.append(_largest(result, f"{channel.block}.error", one.element) or output / kp)
        outputs.append(output)
    return np.array(errors), np.array(outputs)


def _element(rig: Rig, name: str, element: int) -> float:
    values = np.ravel(rig.closed.values[rig.closed.plan.parameters[name].slice])
    return float(values[element if values.size > 1 else 0])


def _largest(result: Result, name: str, element: int) -> float:
    if name not in result or not len(result):
        return 0.0
    values = result.values(name).reshape(len(result), -1)
    values = np.abs(values[:, min(element, values.shape[1] - 1)])
    return float(np.max(values[np.isfinite(values)], initial=0.0))


def _gains(plant: _Plant, e: Array, u: Array, crossovers: list[float | None], dear: float) -> list[Array]:
    """k_p, k_i, k_d of each loop."""
    Q = np.zeros_like(plant.A)
    for k, (rows, has) in enumerate(zip(plant.seen, plant.has, strict=True)):
        Q += np.outer(rows[0], rows[0]) / e[k] ** 2
        if 1 in has:
            row = rows[has.index(1)]
            Q += np.outer(row, row) / (e[k] * _LASTS / (crossovers[k] or 1.0)) ** 2
    K = regulator(plant.A, plant.B, Q, dear * np.diag(1.0 / u**2))
    moved = plant.B * u
    found = []
    for gains, has in zip(projected(plant.A, plant.B, K, plant.seen, moved @ moved.T), plant.has, strict=True):
        values = np.zeros(3)
        values[list(has)] = gains
        found.append(values)
    return found
