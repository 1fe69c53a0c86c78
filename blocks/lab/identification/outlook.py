"""What to measure next: how a manoeuvre would narrow the intervals, from the sensitivities of its outputs.

N' = N + N_c,  N_c = Σ JᵀJ/σ²  over the samples of a manoeuvre, without what is of it alone: initial values, biases

N: information on the parameters in the logs, N_c: what the manoeuvre would add, at the parameters that were found;
deviations follow from N'⁻¹.

Source: Goodwin and Payne (1977), Dynamic System Identification: Experiment Design and Data Analysis, ch. 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from blocks.lab.identification.candidates import Candidate, usual_candidates
from blocks.lab.identification.errors import IdentificationError
from blocks.lab.identification.indistinct import NOTHING
from blocks.lab.identification.least_squares import Problem
from blocks.lab.identification.log import Log
from blocks.lab.identification.numbers import Array
from blocks.lab.identification.outcome import Identified
from blocks.lab.identification.uncertainty import without_nuisance

_WORTH_IT = 0.7
"""An interval that gets shorter than this part is worth a sentence."""


@dataclass(frozen=True, eq=False)
class Prospect:
    """What a manoeuvre would bring. duration: s. speed: the mean forward speed, m/s, if it is an output. halves: half
    the interval of each parameter after it, in its unit."""

    name: str
    duration: float
    speed: float | None
    halves: dict[str, float]

    def __str__(self) -> str:
        return self.name if self.speed is None else f"{self.name} at {self.speed:.2g} m/s"


@dataclass(frozen=True, eq=False)
class Outlook:
    """How intervals would get narrower. values, halves: of the parameters, and half the interval that they have now;
    prospects: by manoeuvre, the best first. held: parameters at their bounds, which stay there. failed: manoeuvres that
    the model does not get through."""

    values: dict[str, float]
    halves: dict[str, float]
    prospects: tuple[Prospect, ...]
    held: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()

    def sentences(self, known: float = 0.02) -> list[str]:
        """Of each parameter that is not known to this part of its value, the manoeuvre that narrows it most."""
        made = []
        for name, now in self.halves.items():
            if not self.prospects or name in self.held or now <= known * abs(self.values[name]):
                continue
            best = min(self.prospects, key=lambda one: one.halves[name])
            then = best.halves[name]
            if np.isfinite(then) and then < _WORTH_IT * now:
                before = f"from {self._share(name, now)}" if np.isfinite(now) else "from nothing known"
                made.append(f"{best} narrows {name} {before} to {self._share(name, then)}")
            else:
                much = f"narrows {name}, {self._share(name, now)}, by much" if np.isfinite(now) else f"tells {name}"
                made.append(f"none of these manoeuvres {much}")
        return made

    def data(self) -> dict[str, Any]:
        """As plain data, in SI: half of each interval."""
        return {
            "now": dict(self.halves),
            "manoeuvres": [
                {"name": one.name, "duration": one.duration, "speed": one.speed, "halves": dict(one.halves)}
                for one in self.prospects
            ],
            "sentences": self.sentences(),
        }

    def table(self) -> str:
        """Half the interval of each parameter, now and after each manoeuvre, in percent of its value."""
        numbered = [(str(k), one) for k, one in enumerate(self.prospects, start=1)]
        rows = [["", "now", *(number for number, _ in numbered)]]
        rows += [
            [name, self._share(name, now), *(self._share(name, one.halves[name]) for _, one in numbered)]
            for name, now in self.halves.items()
        ]
        widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
        lines = [
            "  ".join(f"{cell:>{width}}" if k else f"{cell:{width}}"
                      for k, (cell, width) in enumerate(zip(row, widths, strict=True))).rstrip()
            for row in rows
        ]  # fmt: skip
        return "\n".join([*lines, *(f"{number}: {one}, {one.duration:g} s" for number, one in numbered)])

    def _share(self, name: str, half: float) -> str:
        value = abs(self.values[name])
        if not np.isfinite(half):
            return "at bound" if name in self.held else "not known"
        return f"±{100.0 * half / value:.2g} %" if half < 10.0 * value else f"±{half:.3g}"

    def __str__(self) -> str:
        lines = [self.table(), *self.sentences()]
        if self.failed:
            lines.append(f"the model does not get through {', '.join(self.failed)}")
        return "\n".join(lines)


def what_next(
    found: Identified,
    candidates: Sequence[Candidate] | None = None,
    *,
    drive: str | None = None,
    steer: str | None = None,
    duration: float | None = None,
) -> Outlook:
    """How each of several manoeuvres would narrow the intervals, if it were measured as the logs were.

    candidates: manoeuvres; if not given those of `usual_candidates`, with the columns and the duration that are said.
    Noise and what is between samples are those of the fit; for residuals that are not white, intervals stay as much
    wider as they are. A parameter at its bound stays there.

    Raises IdentificationError if there is nothing to try.
    """
    given = usual_candidates(found, drive, steer, duration) if candidates is None else list(candidates)
    if not given:
        raise IdentificationError("no manoeuvres to try: no column of the logs drives the model; give candidates")
    names, count = found.information_of, len(found.values)
    quantile = float(stats.norm.ppf(0.5 + 0.5 * found.confidence))
    widened = np.array([found.widened.get(name, 1.0) for name in names])
    values = np.array([found.numbers[name] for name in names])

    def halves(information: Array) -> dict[str, float]:
        deviations = _deviations(information, found.fixed) * widened
        return {name: float(quantile * one) for name, one in zip(names[:count], deviations, strict=False)}

    prospects, failed = [], []
    with ThreadPoolExecutor(1) as pool:
        for one in given:
            added = _information(found, one, values, pool)
            if added is None:
                failed.append(one.name)
            else:
                extra, speed = added
                after = halves(found.information + extra)
                prospects.append(Prospect(one.name, float(one.time[-1] - one.time[0]), speed, after))
    now = halves(found.information)
    known = {name: abs(value) or 1.0 for name, value in found.values.items()}

    def gain(one: Prospect) -> float:
        ends = [min(one.halves[name], 10.0 * known[name]) / min(now[name], 10.0 * known[name]) for name in now
                if now[name] > 0.0]  # fmt: skip
        return float(np.mean(np.log(ends))) if ends else 0.0

    return Outlook(dict(found.values), now, tuple(sorted(prospects, key=gain)), tuple(found.at_bounds), tuple(failed))


def _deviations(information: Array, fixed: NDArray[np.bool_]) -> Array:
    """Standard deviations, infinite where nothing is known, and of what is at a bound."""
    free: NDArray[np.bool_] = ~fixed
    made = np.full(len(information), np.inf)
    lengths = np.sqrt(np.maximum(np.diag(information), 0.0))
    free &= lengths > 0.0
    if not np.any(free):
        return made
    scaled = information[np.ix_(free, free)] / np.outer(lengths[free], lengths[free])
    strengths, vectors = np.linalg.eigh(scaled)
    sound = strengths > NOTHING**1.5  # differences of the normal equations
    blind = 1.0 - np.sum(vectors[:, sound] ** 2, axis=1) > 1e-6
    variances = np.sum(vectors[:, sound] ** 2 / strengths[sound], axis=1) / lengths[free] ** 2
    made[free] = np.where(blind, np.inf, np.sqrt(variances))
    return made


def _information(
    found: Identified, candidate: Candidate, values: Array, pool: ThreadPoolExecutor
) -> tuple[Array, float | None] | None:
    """On what is of the model, in its units, and the mean forward speed; None if the model fails."""
    experiment = found.experiment
    outputs, first = list(experiment.outputs), found.logs[0]
    columns = {column: np.asarray(one, dtype=np.float64) for column, one in candidate.columns.items()}
    for column in found.columns:
        if column not in columns:
            raise IdentificationError(f"{candidate.name}: the column '{column}', which drives the model, is missing")
    unmeasured = [column for column in experiment.outputs.values() if column not in columns]
    measured = dict.fromkeys(unmeasured, np.zeros(len(candidate.time)))
    between = {column: candidate.interpolation.get(column, "hold") for column in columns}
    units = {column: first.units[column] for column in (*columns, *measured)}
    columns |= {"time": np.asarray(candidate.time, dtype=np.float64), **measured}
    log = Log.of(columns, units, time="time", gaps="fill", interpolation=between, name=candidate.name)
    (replay,) = experiment.replays([log], {})
    begin = replay.pristine.copy()
    unknowns = experiment.unknowns([replay])
    replay.pristine = begin  # as the model begins, and not as the zeros that stand for a measurement
    count = len(values)
    for one, value in zip(unknowns[:count], values, strict=False):
        assert one.places[0] is not None
        replay.pristine[one.places[0]] = value
    problem = Problem([replay], unknowns, np.array([found.noise[name] for name in outputs]), pool)
    w = np.array([replay.pristine[one.places[0]] / one.scale for one in unknowns])
    result = problem.outputs(w)[0]
    if result is None:
        return None
    problem.low, problem.high = np.full(len(w), -np.inf), np.full(len(w), np.inf)
    jacobian = problem.jacobian(w)[: problem.rows] / problem.scales
    if not np.all(np.isfinite(jacobian)):
        return None
    forward = [j for j, name in enumerate(outputs) if name.endswith("nu[u]")]
    speed = float(np.mean(np.abs(result[:, forward[0]]))) if forward else None
    return without_nuisance(jacobian, count), speed
