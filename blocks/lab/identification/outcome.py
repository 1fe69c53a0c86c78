"""What identification found."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.lab.identification.between import Between
from blocks.lab.identification.experiment import Experiment
from blocks.lab.identification.log import Array, Log
from blocks.lab.identification.replay import Replay
from blocks.lab.identification.rounding import rounded

_WELL = 0.1


@dataclass(frozen=True, eq=False)
class Fit:
    """How a model follows one segment of data.

    time: s, n, from the start of the segment. measured, found: n × outputs; units of these. score: of each output
    1 - |r|/|y - mean|, 1 for a perfect fit, 0 for one as good as the mean. memory: the correlation of a residual with
    the next.
    """

    name: str
    time: Array
    outputs: tuple[str, ...]
    units: tuple[str, ...]
    measured: Array
    found: Array
    residuals: Array

    @classmethod
    def of(cls, replay: Replay, outputs: Mapping[str, str], found: Array | None, skip: int = 0) -> Fit:
        """From what a replay gave, without its first samples; where it failed there are no numbers."""
        values = np.full_like(replay.measured, np.nan) if found is None else found
        left = replay.residuals(values)
        units = tuple(element.unit for element in replay.outputs)
        time = replay.time[skip:] - replay.time[skip]
        return cls(
            replay.log.name, time, tuple(outputs), units, replay.measured[skip:], values[skip:], left[skip:]
        )  # fmt: skip

    @property
    def score(self) -> dict[str, float]:
        """Of each output."""
        apart = np.linalg.norm(self.measured - self.measured.mean(axis=0), axis=0)
        found = 1.0 - np.linalg.norm(self.residuals, axis=0) / np.maximum(apart, 1e-300)
        return dict(zip(self.outputs, found.tolist(), strict=True))

    @property
    def memory(self) -> dict[str, float]:
        """Of each output."""
        left = self.residuals - self.residuals.mean(axis=0)
        found = np.sum(left[1:] * left[:-1], axis=0) / np.maximum(np.sum(left**2, axis=0), 1e-300)
        return dict(zip(self.outputs, found.tolist(), strict=True))


@dataclass(frozen=True)
class Estimate:
    """A number that was found. start: before. deviation: standard deviation, infinite at a bound, and where the data
    do not determine it. at_bound: "lower", "upper" or ""."""

    name: str
    unit: str
    start: float
    value: float
    deviation: float
    interval: tuple[float, float]
    at_bound: str = ""

    @property
    def row(self) -> tuple[str, str, str, str, str]:
        """Name, before, found, interval and unit, with as many digits as are known."""
        low, high = self.interval
        half = 0.5 * (high - low)
        if self.at_bound:
            interval = f"at its {self.at_bound} bound"
        elif not math.isfinite(half):
            interval = "not known"
        else:
            interval = f"{rounded(low, half)} … {rounded(high, half)}"
        return self.name, f"{self.start:.5g}", rounded(self.value, half), interval, self.unit


@dataclass(frozen=True, eq=False)
class Identified:
    """Parameters that were found, and how well they are known.

    values, start: by name, SI. deviations: standard deviations. intervals: at the level `confidence`. covariance,
    correlation: of the parameters in their order. noise: standard deviation of each output, SI. fits: of the data;
    tests: of what was held out. at_bounds: parameters that ended there, with "lower" or "upper". beside: what was found
    beside the parameters, by name: "delay of rudder", "bias of r in turns.csv". widened: how much wider intervals are
    than those for white noise, where residuals are not white. inputs: what the columns that drive the model are between
    samples, and how that is known. warnings: what is to be doubted, and what to do. component: a copy of the model with
    the values set.
    experiment: what was asked, and logs: of what. information: JᵀJ of the weighted outputs by the unknowns of the
    model, `information_of`, in their units, without what is of one log; fixed: which of them are at a bound.
    """

    values: Mapping[str, float]
    start: Mapping[str, float]
    units: Mapping[str, str]
    deviations: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]
    covariance: Array
    correlation: Array
    confidence: float
    noise: Mapping[str, float]
    fits: tuple[Fit, ...]
    tests: tuple[Fit, ...]
    at_bounds: Mapping[str, str]
    beside: Mapping[str, Estimate]
    widened: Mapping[str, float]
    warnings: tuple[str, ...]
    converged: bool
    inputs: Mapping[str, Between]
    component: Diagram | Block
    experiment: Experiment
    logs: tuple[Log, ...]
    information: Array
    information_of: tuple[str, ...]
    fixed: NDArray[np.bool_]

    @property
    def columns(self) -> tuple[str, ...]:
        """Of the logs, that drive the model."""
        return tuple(dict.fromkeys(one for one in self.experiment.inputs.values() if isinstance(one, str)))

    @property
    def numbers(self) -> dict[str, float]:
        """All values by name, those beside the parameters too."""
        return {**self.values, **{name: one.value for name, one in self.beside.items()}}

    @property
    def well_known(self) -> bool:
        """Whether each parameter is known to a tenth of its value."""
        return all(0.5 * (high - low) <= _WELL * abs(self.values[name]) for name, (low, high) in self.intervals.items())

    @property
    def estimates(self) -> list[Estimate]:
        """Parameters, and what was found beside them."""
        parameters = [
            Estimate(
                name, self.units[name], self.start[name], value, self.deviations[name], self.intervals[name],
                self.at_bounds.get(name, ""),
            )
            for name, value in self.values.items()
        ]  # fmt: skip
        return [*parameters, *self.beside.values()]

    @property
    def scores(self) -> dict[str, float]:
        """Of each output, the mean over what was held out, or over the data if nothing was."""
        chosen = self.tests or self.fits
        return {name: float(np.mean([fit.score[name] for fit in chosen])) for name in chosen[0].outputs}

    def __str__(self) -> str:
        head = ("", "before", "found", f"{100.0 * self.confidence:g} % interval", "")
        rows = [head, *(estimate.row for estimate in self.estimates)]
        widths = [max(len(row[i]) for row in rows) for i in range(5)]
        lines = [
            f"{a:{widths[0]}}  {b:>{widths[1]}}  {c:>{widths[2]}}  {d:>{widths[3]}}  {e}".rstrip()
            for a, b, c, d, e in rows
        ]
        lines += [f"{column}: {between}" for column, between in self.inputs.items()]
        what = "held out" if self.tests else "fitted"
        lines.append(f"score ({what}): " + ", ".join(f"{name} {score:.4f}" for name, score in self.scores.items()))
        if not self.converged:
            lines.append("the search stopped before it was done")
        lines += [f"note: {warning}" for warning in self.warnings]
        return "\n".join(lines)
