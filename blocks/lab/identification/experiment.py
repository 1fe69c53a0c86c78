"""What was asked of a fit: enough to replay logs, and to ask the same of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.lab.identification.between import Between
from blocks.lab.identification.least_squares import Unknown
from blocks.lab.identification.log import Log
from blocks.lab.identification.replay import Replay
from blocks.lab.identification.unknowns import (
    Beside,
    beside_unknowns,
    entries_of,
    initial_unknowns,
    parameter_unknowns,
)


@dataclass(frozen=True, eq=False)
class Experiment:
    """A model and what is fitted of it, as `identify` takes it."""

    component: Diagram | Block
    inputs: Mapping[str, Any]
    outputs: Mapping[str, str]
    step: float | None
    solver: str
    parameters: Mapping[str, Any]
    priors: Mapping[str, tuple[Any, Any]]
    delay: Beside
    lag: Beside
    bias: Beside
    steady: Beside
    initial: str

    @property
    def shaped(self) -> set[str]:
        """Columns that come behind a delay or a lag."""
        return {*entries_of("delay", self.delay), *entries_of("lag", self.lag)}

    def replays(self, logs: Sequence[Log], between: Mapping[str, Between]) -> list[Replay]:
        """Of each segment of each log."""
        return [
            Replay(self.component, log, part, self.inputs, self.outputs, self.step, self.solver, between, self.shaped)
            for log in logs
            for part in log.segments
        ]

    def unknowns(self, replays: list[Replay]) -> list[Unknown]:
        """Parameters, delays and lags, what each log has for itself, and initial values, in this order."""
        parameters = parameter_unknowns(replays, self.parameters, self.priors)
        model, trial = beside_unknowns(replays, self.outputs, self.delay, self.lag, self.bias, self.steady)
        return [*parameters, *model, *trial, *initial_unknowns(replays, list(self.outputs), self.initial)]

    def of_model(self, unknowns: Sequence[Unknown]) -> int:
        """How many of them, from the first on, are of the model, and the same in every log."""
        return len(self.parameters) + len(entries_of("delay", self.delay)) + len(entries_of("lag", self.lag))

    def asked_for(self, unknowns: Sequence[Unknown]) -> int:
        """How many of them, from the first on, are no initial values."""
        return sum(not one.is_initial for one in unknowns)
