"""The plans of a study: one for each combination of structural levels, shared by all members that have it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import KeelblocksError
from blocks.libraries.needs import needs_of
from blocks.plan import Plan
from blocks.plan.settings import SCIPY
from blocks.prepared import Prepared, prepare
from blocks.run.failure import explain, input_places
from blocks.run.inputs import input_numbers
from blocks.run.result import libraries_of, version
from blocks.study.batch import Failure
from blocks.study.cuts import cut
from blocks.study.encoding import Numbers, encode
from blocks.study.errors import StudyError
from blocks.study.factor import NamedFactor
from blocks.study.measuring import measure, outputs_of
from blocks.study.members import Members
from blocks.study.metric import Metric, Statistic
from blocks.study.program import Program
from blocks.study.seeds import Seeds
from blocks.study.variants import Subject, Variants
from blocks.study.work import Task

_MOST_POINTS = 2.0**53
"""Of a run: beyond that its steps are no longer counted."""


@dataclass
class Case:
    """One plan, its members and their numbers."""

    plan: Plan
    program: Program
    members: NDArray[np.int64]
    numbers: Numbers
    where: str
    prepared: Prepared
    """What the plan was made of, with a plan that has all outputs; inputs that are factors have their first level."""
    factors: list[NamedFactor]
    """Those in which its members differ, by numbers only."""

    def tasks(self, program: int, pending: NDArray[np.bool_], batch: int) -> Iterator[Task]:
        """The members that are still to be run, in batches."""
        which = np.flatnonzero(pending[self.members])
        for rows in cut(len(which), batch):
            chosen = which[rows.start : rows.stop]
            yield Task(program, self.members[chosen], self.numbers.matrix(chosen))

    def explain(self, status: int, failure: Failure) -> str:
        """Why a member failed, in words."""
        return explain(self.plan, _Told(failure, self.program.told), status)


class _Told:
    """What an engine elsewhere said."""

    def __init__(self, failure: Failure, told: Mapping[int, list[slice]]) -> None:
        self.failure = failure.failure
        self.error = failure.error
        places = told.get(failure.failure[0], [])
        self.values = np.full(max((place.stop for place in places), default=0), np.nan)
        for place, numbers in zip(places, failure.inputs, strict=True):
            self.values[place] = numbers

    def context(self, block: int) -> _Told:
        """The block written in Python that failed."""
        return self


def make_cases(
    component: Subject,
    factors: list[NamedFactor],
    members: Members,
    metrics: Mapping[str, Metric | Statistic],
    seeds: Seeds,
    seed: int,
    inputs: Mapping[str, Any],
    every: int,
    how: Mapping[str, Any],
) -> list[Case]:
    """Every plan of a study with all that its members need. Raises StudyError and other KeelblocksErrors."""
    variants = Variants(component, factors)
    numeric = [factor for factor in factors if factor not in variants.structural]
    everyone = np.arange(members.count, dtype=np.int64)
    codes = np.stack(
        [np.zeros(members.count, dtype=np.int64), *(members.codes(factor, everyone) for factor in variants.structural)],
        axis=1,
    )
    combinations, which = np.unique(codes, axis=0, return_inverse=True)
    cases = []
    for number, combination in enumerate(combinations[:, 1:].tolist()):
        where = variants.where(combination) if combination else ""
        own = everyone[which.reshape(-1) == number]
        diagram = variants.diagram(combination)
        given = dict(inputs) | _first_inputs(factors, diagram)
        for factor, level in zip(variants.structural, combination, strict=True):
            given |= {t: v for t, v in factor.levels[level].changes.items() if t in diagram.input_ports}
        try:
            prepared, plan, program = _program(diagram, metrics, given, every, how)
        except KeelblocksError as problem:
            raise StudyError(f"{where}: {problem}" if where else str(problem)) from None
        numbers = encode(plan, numeric, inputs, seeds, members, own, seed)
        program.places = numbers.places
        cases.append(Case(plan, program, own, numbers, where, prepared, numeric))
    return cases


def _first_inputs(factors: list[NamedFactor], diagram: Subject) -> dict[str, Any]:
    """A value for each input that is a factor, to lay out the plan with."""
    ports = diagram.input_ports
    found: dict[str, Any] = {}
    for factor in factors:
        for level in factor.levels:
            for target, value in level.changes.items():
                if target in ports:
                    found.setdefault(target, _checked(value, f"factor '{factor.name}', level '{level.label}'", target))
        if factor.distribution is not None:
            found |= {target: 0.0 for target in factor.targets if target in ports}
    return found


def _checked(value: Any, where: str, name: str) -> Any:
    """The value of an input, if it is numbers. Raises StudyError."""
    try:
        np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise StudyError(f"{where}: input '{name}' takes numbers in SI, not {value!r}") from None
    return value


def _program(
    diagram: Subject,
    metrics: Mapping[str, Metric | Statistic],
    inputs: Mapping[str, Any],
    every: int,
    how: Mapping[str, Any],
) -> tuple[Prepared, Plan, Program]:
    prepared = prepare(diagram, inputs, **{**how, "wanted": None})
    plan, constants, made = prepared.plan, prepared.constants, dict(prepared.how)
    if not math.isfinite(plan.settings.end):
        raise StudyError("say when the runs end, a finite time: Study(…, end=…)")
    measurement = measure(plan, metrics, every)
    wanted = outputs_of(metrics)
    if wanted is not None:
        made["wanted"] = [name for name in wanted if name not in plan.inputs]
        plan = prepared.again(**made)
        measurement = measure(plan, metrics, every)
    settings = plan.settings
    points = (settings.end - settings.start) / settings.step
    if not points < _MOST_POINTS:
        raise StudyError(
            f"a run from {settings.start:g} s to {settings.end:g} s by steps of {settings.step:g} s never ends: "
            f"it has {points:.3g} steps"
        )
    rows = math.floor((settings.end - settings.start) / (settings.step * every) + 1e-6) + 3
    pairs = [(plan.inputs[name], input_numbers(plan.inputs[name], value)) for name, value in constants.items()]
    program = Program(
        plan.stored,
        settings.start,
        settings.end,
        rows,
        (
            np.concatenate([np.zeros(0, np.intp), *(np.arange(p.first, p.first + p.count) for p, _ in pairs)]),
            np.concatenate([np.zeros(0), *(numbers for _, numbers in pairs)]),
        ),
        np.zeros(0, dtype=np.intp),
        measurement,
        {
            "solver": settings.solver, "step": settings.step, "start": settings.start, "requested_end": settings.end,
            "plan": plan.checksum, "keelblocks": version(), **libraries_of(plan),
        },
    )  # fmt: skip
    program.told = {n: places for n, leaf in enumerate(plan.flat.leaves) if (places := input_places(plan, leaf))}
    program.libraries = needs_of((leaf.block for leaf in plan.flat.leaves), plan.digests)
    program.stepped = settings.solver in SCIPY
    if plan.python_blocks or program.stepped:
        program.diagram, program.how, program.plan = prepared.component, made, plan
    return prepared, plan, program
